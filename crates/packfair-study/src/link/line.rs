//! A line as a link carries it: its height at a number of places, evenly spread over the logarithm of x, in about as
//! many steps as a chart has pixels.

use super::intervals::LinkError;
use super::wire::{finite, from_bytes, to_bytes};
use crate::limits::{LONGEST_MESSAGE, LONGEST_NAME, MOST_JOBS, MOST_POINTS};
use crate::verdict::Concern;
use packfair_engine::metric::Line;
use packfair_workload::{Seconds, Summary, printable};
use serde::{Deserialize, Serialize};

/// Number of steps into which the height of a line is divided.
const STEPS: f64 = 1_000.0;

/// A step function over a logarithmic x.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedLine {
    /// The height of the points at 0 and below, which have no logarithm, in steps.
    origin: Option<i16>,
    /// Smallest and largest x above 0.
    x: (f64, f64),
    /// Smallest and largest height.
    y: (f64, f64),
    /// For each place, by how many steps the line is higher there than at the place before.
    rises: Vec<i16>,
}

impl PackedLine {
    /// Packs `line` into heights at `places` places, at least 2; `None` where the line has no points or no chart could
    /// show it.
    pub(super) fn of(line: &Line, places: usize) -> Option<Self> {
        let points =
            || line.x.iter().zip(&line.y).map(|(&x, &y)| (x, y)).filter(|(x, y)| x.is_finite() && y.is_finite());
        let heights = || points().map(|(_, y)| y);
        let y = (heights().reduce(f64::min)?, heights().reduce(f64::max)?);
        let step_of = |height: f64| if y.1 > y.0 { ((height - y.0) / (y.1 - y.0) * STEPS).round() as i16 } else { 0 };
        let origin = points().take_while(|(x, _)| *x <= 0.0).last().map(|(_, height)| step_of(height));
        let positive: Vec<(f64, f64)> = points().skip_while(|(x, _)| *x <= 0.0).collect();
        let x = match (positive.first(), positive.last()) {
            (Some(first), Some(last)) => (first.0, last.0),
            _ => (0.0, 0.0),
        };
        let can_be_shown = (y.1 - y.0).is_finite() && (positive.is_empty() || (x.1 / x.0).is_finite());
        if !can_be_shown {
            return None;
        }
        let count = if positive.is_empty() { 0 } else { places.max(2) };
        let mut rises = Vec::with_capacity(count);
        let mut level = 0;
        for i in 0..count {
            let at = place(x, i, count);
            // Take the last point at or before the place. Rounding may put the first place before the first point.
            let height = positive[positive.partition_point(|point| point.0 <= at).max(1) - 1].1;
            rises.push(step_of(height) - level);
            level = step_of(height);
        }
        // A line that could not be read again is not carried.
        Some(PackedLine { origin, x, y, rises }).filter(|packed| packed.unpack().is_ok())
    }

    /// The line, unpacked: only its corners and its ends.
    pub(super) fn unpack(&self) -> Result<Line, LinkError> {
        let (x, y) = ((finite(self.x.0)?, finite(self.x.1)?), (finite(self.y.0)?, finite(self.y.1)?));
        let sound = y.0 <= y.1 && (self.rises.is_empty() || (x.0 > 0.0 && x.0 <= x.1));
        if !sound || self.rises.len() > MOST_POINTS {
            return Err(LinkError::Damaged);
        }
        let height_of = |step: i16| {
            let within = (0..=STEPS as i16).contains(&step);
            // The top is exact, whatever the rounding.
            let height = if f64::from(step) == STEPS { y.1 } else { y.0 + (y.1 - y.0) * f64::from(step) / STEPS };
            if within { finite(height) } else { Err(LinkError::Damaged) }
        };
        let mut line = Line::default();
        if let Some(step) = self.origin {
            line.x.push(0.0);
            line.y.push(height_of(step)?);
        }
        let mut step = 0_i16;
        for (i, &rise) in self.rises.iter().enumerate() {
            step = step.checked_add(rise).ok_or(LinkError::Damaged)?;
            let height = height_of(step)?;
            if i == 0 || i + 1 == self.rises.len() || rise != 0 {
                line.x.push(finite(place(x, i, self.rises.len()))?);
                line.y.push(height);
            }
        }
        Ok(line)
    }
}

/// The i-th of `count` places between the ends of `x`, evenly spread by logarithm; the ends are exact.
fn place(x: (f64, f64), i: usize, count: usize) -> f64 {
    match i {
        0 => x.0,
        i if i + 1 == count => x.1,
        i => x.0 * libm::pow(x.1 / x.0, i as f64 / (count - 1) as f64),
    }
}

// What a link carries besides numbers and charts: what its sender looked at and cared about, what the page said, and
// what is known of the log, which the link does not carry.

/// What the sender saw besides the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SenderView {
    /// The id of the recipe whose table or figure the sender saw.
    pub recipe: Option<String>,
    pub concern: Concern,
    /// What the page said about the table, for that concern.
    pub verdict: Option<String>,
    /// The number of the partition that the sender looked at; `None` for all partitions.
    pub partition: Option<i32>,
    /// The name of the papers' log for which the sender took the log by hand.
    pub taken_for: Option<String>,
    pub log: Option<LogEssentials>,
    /// What became of the log's records, in one line.
    pub account: Option<String>,
}

/// What is known of a log that a link does not carry: enough to judge the table, and to find the paper that prints it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEssentials {
    /// Jobs in the log, before any cleaning.
    pub lines: u64,
    pub span: Seconds,
    /// Number of users of the simulated jobs; 0 where they are not known.
    pub users: u64,
    pub has_executables: bool,
    /// Offered load: 1 where the jobs ask for as much as the machine can do; `None` where it is not known.
    pub load: Option<f64>,
}

/// [`SenderView`] on the wire. Once published its fields never change; additions come as a new section.
#[derive(Serialize, Deserialize)]
struct SenderViewWire {
    recipe: Option<String>,
    concern: String,
    verdict: Option<String>,
    partition: Option<i32>,
    taken_for: Option<String>,
    log: Option<LogEssentials>,
    account: Option<String>,
}

impl LogEssentials {
    pub fn of(summary: &Summary, lines: usize) -> Self {
        LogEssentials {
            lines: lines as u64,
            span: summary.span.last_submit - summary.span.first_submit,
            users: summary.users as u64,
            has_executables: summary.executables > 0,
            load: summary.offered_load.filter(|load| load.is_finite()),
        }
    }

    fn is_sound(&self) -> bool {
        [self.lines, self.users].iter().all(|count| *count <= MOST_JOBS)
            && self.span >= 0
            && finite(self.load.unwrap_or(0.0)).is_ok()
    }
}

/// Packs `told` into bytes.
pub(super) fn packed(told: &SenderView) -> Vec<u8> {
    let SenderView { recipe, concern, verdict, partition, taken_for, log, account } = told;
    to_bytes(&SenderViewWire {
        recipe: recipe.clone(),
        concern: concern.id().to_owned(),
        verdict: verdict.as_deref().map(|text| text.chars().take(LONGEST_MESSAGE).collect()),
        partition: *partition,
        taken_for: taken_for.clone(),
        log: *log,
        account: account.as_deref().map(|text| text.chars().take(LONGEST_MESSAGE).collect()),
    })
}

/// Reads what [`packed`] wrote. An unknown concern becomes the default.
pub(super) fn unpacked(bytes: &[u8]) -> Result<SenderView, LinkError> {
    let SenderViewWire { recipe, concern, verdict, partition, taken_for, log, account } = from_bytes(bytes)?;
    let text = |text: String, most: usize| printable(&text).chars().take(most).collect::<String>();
    if log.is_some_and(|log| !log.is_sound()) {
        return Err(LinkError::Damaged);
    }
    Ok(SenderView {
        recipe: recipe.map(|id| text(id, LONGEST_NAME)),
        concern: Concern::from_id(&concern).unwrap_or_default(),
        verdict: verdict.map(|verdict| text(verdict, LONGEST_MESSAGE)),
        partition,
        taken_for: taken_for.map(|name| text(name, LONGEST_NAME)),
        log,
        account: account.map(|account| text(account, LONGEST_MESSAGE)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_as_a_chart_shows_it() {
        let x: Vec<f64> = (0..1_000).map(|i| 10.0 * 1.01_f64.powi(i)).collect();
        let y: Vec<f64> = (0..1_000).map(|i| f64::from(i) * f64::from(i) * 7.0).collect();
        let line = Line { x, y };
        let back = PackedLine::of(&line, 240).unwrap().unpack().unwrap();
        assert_eq!((back.x[0], back.y[0]), (line.x[0], line.y[0]));
        assert_eq!((back.x.last(), back.y.last()), (line.x.last(), line.y.last()));
        assert!(back.x.is_sorted() && back.y.is_sorted());
        let top = line.y[999];
        for (&x, &y) in back.x.iter().zip(&back.y) {
            let original = line.y[line.x.partition_point(|p| *p <= x) - 1];
            assert!((y - original).abs() <= top / STEPS, "{y} for {original}");
        }
    }

    #[test]
    fn odd_lines_survive() {
        let round = |x: &[f64], y: &[f64]| {
            PackedLine::of(&Line { x: x.to_vec(), y: y.to_vec() }, 100).map(|packed| packed.unpack().unwrap())
        };
        assert_eq!(round(&[], &[]), None);
        assert_eq!(round(&[0.0], &[1.0]), Some(Line { x: vec![0.0], y: vec![1.0] }));
        let zero_first = round(&[0.0, 5.0, 50.0], &[0.25, 0.5, 1.0]).unwrap();
        assert_eq!((zero_first.x[0], zero_first.y[0]), (0.0, 0.25));
        assert_eq!((zero_first.x.last(), zero_first.y.last()), (Some(&50.0), Some(&1.0)));
        let single = round(&[7.0], &[3.0]).unwrap();
        assert_eq!((single.x[0], single.y[0]), (7.0, 3.0));
        assert_eq!(round(&[f64::NAN, 2.0], &[1.0, f64::INFINITY]), None);
        assert_eq!(round(&[1.0, 2.0], &[-f64::MAX, f64::MAX]), None);
        assert_eq!(round(&[5e-324, 1e300], &[0.0, 1.0]), None);
    }

    #[test]
    fn what_is_out_of_range_is_damaged() {
        let packed = |x, y, rises| PackedLine { origin: None, x, y, rises }.unpack();
        assert!(packed((1.0, 2.0), (0.0, 1.0), vec![0, 1_000]).is_ok());
        assert_eq!(packed((0.0, 2.0), (0.0, 1.0), vec![0, 1]), Err(LinkError::Damaged));
        assert_eq!(packed((1.0, f64::NAN), (0.0, 1.0), vec![0, 1]), Err(LinkError::Damaged));
        assert_eq!(packed((1.0, 2.0), (0.0, 1.0), vec![i16::MAX, i16::MAX]), Err(LinkError::Damaged));
        assert_eq!(packed((1.0, 2.0), (0.0, 1.0), vec![-1]), Err(LinkError::Damaged));
        assert_eq!(packed((1.0, 2.0), (-f64::MAX, f64::MAX), vec![3, 4]), Err(LinkError::Damaged));
    }
}
