//! The policies of a run over time, as a link carries them: the one that ruled longest in each stretch of time.

use super::error::LinkError;
use super::wire::finite;
use crate::metric::{Line, longest};
use crate::study::limits::MOST_POINTS;
use serde::{Deserialize, Serialize};

/// A course of small whole numbers over equal stretches of time.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedBand {
    x: (f64, f64),
    /// Pairs of a number of stretches and the state in them, in order of time.
    held: Vec<(u32, u8)>,
}

impl PackedBand {
    /// Packs `course` up to `end` into `stretches` stretches; `None` where the course has no points or no length.
    pub(super) fn of(course: &Line, end: f64, stretches: usize) -> Option<Self> {
        let begin = *course.x.first()?;
        if !(end - begin).is_finite() || end <= begin {
            return None;
        }
        let reduced = longest(course, (begin, end), stretches);
        let place = |x: f64| ((x - begin) / (end - begin) * stretches as f64).round() as u32;
        let ends = reduced.x.iter().skip(1).map(|&x| place(x)).chain([stretches as u32]);
        let held =
            reduced.x.iter().zip(ends).zip(&reduced.y).map(|((&x, end), &y)| (end - place(x), y as u8)).collect();
        Some(PackedBand { x: (begin, end), held })
    }

    /// The course, unpacked.
    pub(super) fn unpack(&self) -> Result<Line, LinkError> {
        let (begin, end) = (finite(self.x.0)?, finite(self.x.1)?);
        let stretches: u64 = self.held.iter().map(|&(stretches, _)| u64::from(stretches)).sum();
        if end <= begin || stretches > MOST_POINTS as u64 || self.held.len() > MOST_POINTS {
            return Err(LinkError::Damaged);
        }
        let (mut line, mut before) = (Line::default(), 0);
        for &(stretches_held, state) in &self.held {
            line.x.push(begin + (end - begin) * before as f64 / stretches.max(1) as f64);
            line.y.push(f64::from(state));
            before += u64::from(stretches_held);
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_comes_back_in_stretches() {
        let course = Line { x: vec![10.0, 19.0, 60.0], y: vec![0.0, 2.0, 1.0] };
        let packed = PackedBand::of(&course, 110.0, 10).expect("it has points");
        assert_eq!(packed.held, [(1, 0), (4, 2), (5, 1)]);
        assert_eq!(packed.unpack(), Ok(Line { x: vec![10.0, 20.0, 60.0], y: vec![0.0, 2.0, 1.0] }));
        assert_eq!(PackedBand::of(&Line::default(), 110.0, 10), None);
        let damaged = |x, held| PackedBand { x, held }.unpack();
        assert_eq!(damaged((0.0, f64::NAN), vec![(1, 0)]), Err(LinkError::Damaged));
        assert_eq!(damaged((0.0, 1.0), vec![(u32::MAX, 0); 3]), Err(LinkError::Damaged));
    }
}
