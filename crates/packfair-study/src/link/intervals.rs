//! The intervals of repeats as a link carries them: exact, but without the repeats themselves.

use super::SharedStudy;
use super::wire::{finite, from_bytes, index_of, to_bytes};
use crate::Study;
use crate::format::relative;
use crate::limits::MOST_POINTS;
use crate::sureness::{CarriedInterval, CarriedIntervals, Interval, NoInterval, Repeated};
use packfair_engine::metric::{Envelope, Line, Metric, longest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The intervals of all runs that were repeated.
#[derive(Serialize, Deserialize)]
struct PackedIntervals {
    complete: u32,
    /// Ids of the metrics, in the order of the runs' values.
    metrics: Vec<String>,
    runs: Vec<RunIntervals>,
}

/// The intervals of a run, one for each metric, or why there is none.
#[derive(Serialize, Deserialize)]
struct RunIntervals {
    run: u32,
    values: Vec<CarriedInterval>,
    changes: Vec<CarriedInterval>,
}

/// Packs the intervals of a study's repeats; `None` where it has none.
pub(super) fn packed(shared: &SharedStudy) -> Option<Vec<u8>> {
    let repeated = shared.repeated.as_ref().filter(|repeated| shared.study.repeats == Some(repeated.repeats))?;
    let index = index_of(shared);
    let of_run = |report: &crate::RunReport| {
        let run = &report.run;
        let baseline = shared.study.baseline.of(run);
        let than = baseline.as_ref().and_then(|own| shared.runs.iter().find(|other| other.run == *own));
        let value = |metric: &Metric| {
            let own = *report.values.get(metric).ok_or(NoInterval::NotRepeated)?;
            repeated.interval(run, *metric, own)
        };
        let changes = |metric: &Metric| {
            let than = than.ok_or(NoInterval::NotRepeated)?;
            let values = report.values.get(metric).zip(than.values.get(metric));
            let own = values.and_then(|(value, other)| relative(*value, *other)).ok_or(NoInterval::NotRepeated)?;
            repeated.change(run, &than.run, *metric, own)
        };
        let values: Vec<_> = repeated.metrics.iter().map(value).collect();
        let has_some = values.iter().any(Result::is_ok);
        let run = *index.get(&run.id()).filter(|_| has_some)?;
        Some(RunIntervals { run, values, changes: repeated.metrics.iter().map(changes).collect() })
    };
    let packed = PackedIntervals {
        complete: repeated.complete() as u32,
        metrics: repeated.metrics.iter().map(Metric::to_string).collect(),
        runs: shared.runs.iter().filter_map(of_run).collect(),
    };
    (!packed.runs.is_empty()).then(|| to_bytes(&packed))
}

/// Reads what [`packed`] wrote, for a study with repeats.
pub(super) fn unpacked(bytes: &[u8], study: &Study) -> Result<Repeated, LinkError> {
    let packed: PackedIntervals = from_bytes(bytes)?;
    let repeats = study.repeats.filter(|repeats| packed.complete <= repeats.count).ok_or(LinkError::Damaged)?;
    let metrics: Vec<Option<Metric>> = packed.metrics.iter().map(|id| id.parse().ok()).collect();
    let known: Vec<Metric> = metrics.iter().flatten().copied().collect();
    if BTreeSet::from_iter(&known).len() != known.len() {
        return Err(LinkError::Damaged);
    }
    let (runs, mut seen) = (study.runs(), BTreeSet::new());
    let mut carried = CarriedIntervals::of(packed.complete);
    for intervals in packed.runs {
        let run = runs.get(intervals.run as usize).filter(|_| seen.insert(intervals.run)).ok_or(LinkError::Damaged)?;
        let alike = intervals.values.len() == metrics.len() && intervals.changes.len() == metrics.len();
        if !alike {
            return Err(LinkError::Damaged);
        }
        let baseline = study.baseline.of(run);
        for ((metric, value), change) in metrics.iter().zip(&intervals.values).zip(&intervals.changes) {
            let (value, change) = (sound(*value)?, sound(*change)?);
            let Some(metric) = *metric else { continue };
            carried.add(run, metric, value, baseline.as_ref().map(|baseline| (baseline, change)));
        }
    }
    Ok(Repeated::carried(repeats, known, carried))
}

fn sound(carried: CarriedInterval) -> Result<CarriedInterval, LinkError> {
    let Ok(Interval { low, high }) = carried else { return Ok(carried) };
    let interval = Interval { low: finite(low)?, high: finite(high)? };
    if low <= high { Ok(Ok(interval)) } else { Err(LinkError::Damaged) }
}

// The policies of a run over time, as a link carries them: the one that ruled longest in each stretch of time.

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

// What it means that the values of a link are computed again and come out the same.

/// How much of a link's study was compared, where everything compared is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedAgreement {
    /// Values that the link carries and that were computed again.
    pub values: usize,
    pub carried: usize,
    pub runs: usize,
}

impl SharedAgreement {
    /// Whether every run was compared.
    pub fn is_whole(self) -> bool {
        self.values > 0 && self.carried >= self.runs
    }
}

impl fmt::Display for SharedAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedAgreement { values, carried, runs } = *self;
        if values == 0 {
            return f.write_str("The link carries no values: there is nothing to compare.");
        }
        if self.is_whole() {
            return f.write_str("Computed again here: every value agrees.");
        }
        write!(
            f,
            "Computed again here: the values of {carried} of {runs} runs agree; the link carries none of the others."
        )
    }
}

// An envelope as a link carries it: fewer bins, and heights in 255 steps, so that each fits into a byte.

/// Number of steps into which heights are divided.
const STEPS: f64 = 255.0;

/// An envelope whose heights are given in steps.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedEnvelope {
    begin: f64,
    step: f64,
    /// The heights of the first step and of the last.
    range: (f64, f64),
    /// The lower edge, rounded down.
    low: Vec<u8>,
    /// The upper edge, rounded up.
    high: Vec<u8>,
    mean: Vec<u8>,
}

impl PackedEnvelope {
    /// Packs `envelope` into at most `bins` bins, at least 1; `None` where it has no bins or heights that are not
    /// finite.
    pub(super) fn of(envelope: &Envelope, bins: usize) -> Option<Self> {
        let count = envelope.low.len().min(envelope.high.len()).min(envelope.mean.len());
        let together = count.div_ceil(bins.max(1)).max(1);
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if count == 0
            || !(envelope.begin + envelope.step).is_finite()
            || ![&envelope.low, &envelope.high, &envelope.mean].iter().all(|values| finite(values))
        {
            return None;
        }
        let range = (envelope.low.iter().copied().reduce(f64::min)?, envelope.high.iter().copied().reduce(f64::max)?);
        if !(range.1 - range.0).is_finite() {
            return None;
        }
        let steps = |value: f64| if range.1 > range.0 { (value - range.0) / (range.1 - range.0) * STEPS } else { 0.0 };
        let low =
            envelope.low[..count].chunks(together).map(|bins| steps(bins.iter().copied().fold(f64::MAX, f64::min)));
        let high =
            envelope.high[..count].chunks(together).map(|bins| steps(bins.iter().copied().fold(f64::MIN, f64::max)));
        let mean =
            envelope.mean[..count].chunks(together).map(|bins| steps(bins.iter().sum::<f64>() / bins.len() as f64));
        let packed = PackedEnvelope {
            begin: envelope.begin,
            step: envelope.step * together as f64,
            range,
            low: low.map(|step| step.floor() as u8).collect(),
            high: high.map(|step| step.ceil() as u8).collect(),
            mean: mean.map(|step| step.round() as u8).collect(),
        };
        // An envelope that could not be read again is not carried.
        Some(packed).filter(|packed| packed.unpack().is_ok())
    }

    pub(super) fn unpack(&self) -> Result<Envelope, LinkError> {
        let range = (finite(self.range.0)?, finite(self.range.1)?);
        let alike = self.low.len() == self.high.len() && self.low.len() == self.mean.len();
        if !alike || self.low.len() > MOST_POINTS || range.0 > range.1 || !(range.1 - range.0).is_finite() {
            return Err(LinkError::Damaged);
        }
        let height = |&step: &u8| {
            if step == u8::MAX { range.1 } else { range.0 + (range.1 - range.0) * f64::from(step) / STEPS }
        };
        Ok(Envelope {
            begin: finite(self.begin)?,
            step: finite(self.step)?,
            low: self.low.iter().map(height).collect(),
            high: self.high.iter().map(height).collect(),
            mean: self.mean.iter().map(height).collect(),
        })
    }
}

// Why a link cannot be read.

/// Why a link cannot be read; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("this is no link to a result: what follows # should begin with v1.")]
    NotALink,
    #[error("the link was made by a newer version of Packfair (v{0}); reload the page to get that version")]
    Newer(u32),
    #[error("the link was cut short, perhaps by a mail or chat program; copy it again in full")]
    CutShort,
    #[error("the link is damaged: some of its characters have changed; copy it again in full")]
    Damaged,
    #[error("the link is larger than any that Packfair makes; it is not opened")]
    TooLarge,
    #[error("the link's study cannot be read ({0}); if a newer version made it, reload the page")]
    Unknown(String),
    #[error("the link speaks of {count} {what}, more than Packfair takes ({most}); it is not opened")]
    TooMany {
        count: u64,
        /// The things that are too many.
        what: &'static str,
        most: u64,
    },
    #[error("the link's study is not valid: {}", .0.join("; "))]
    Study(Vec<String>),
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

#[cfg(test)]
mod agreement_tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_what_was_not_compared() {
        let told = |values, carried, runs| SharedAgreement { values, carried, runs }.to_string();
        assert_eq!(told(80, 8, 8), "Computed again here: every value agrees.");
        assert!(told(20, 2, 400).contains("the values of 2 of 400 runs agree"));
        for carried in [0, 8] {
            assert!(told(0, carried, 8).contains("nothing to compare"));
        }
    }
}

#[cfg(test)]
mod envelope_tests {
    use super::*;

    fn envelope(bins: usize) -> Envelope {
        let mean: Vec<f64> = (0..bins).map(|i| (i as f64 / 20.0).sin() * 50.0 + 60.0).collect();
        Envelope {
            begin: 100.0,
            step: 60.0,
            low: mean.iter().map(|m| m - 7.0).collect(),
            high: mean.iter().map(|m| m + 11.0).collect(),
            mean,
        }
    }

    #[test]
    fn no_extreme_is_lost() {
        let original = envelope(1_000);
        let back = PackedEnvelope::of(&original, 90).unwrap().unpack().unwrap();
        let bins = back.low.len();
        assert!(bins <= 90 && bins > 80, "{bins}");
        assert_eq!(back.begin, 100.0);
        assert_eq!(back.step, 60.0 * 12.0);
        for (i, chunk) in original.high.chunks(12).enumerate() {
            assert!(chunk.iter().all(|high| *high <= back.high[i] + 1e-9));
            assert!(original.low[i * 12..].iter().take(12).all(|low| *low >= back.low[i] - 1e-9));
            assert!(back.low[i] <= back.mean[i] && back.mean[i] <= back.high[i]);
        }
    }

    #[test]
    fn odd_envelopes_survive() {
        assert_eq!(PackedEnvelope::of(&Envelope::default(), 90), None);
        let constant = Envelope { begin: 0.0, step: 1.0, low: vec![3.0], high: vec![3.0], mean: vec![3.0] };
        assert_eq!(PackedEnvelope::of(&constant, 90).unwrap().unpack().unwrap(), constant);
        let high = f64::MAX / 4.0;
        let highest =
            Envelope { low: vec![high; 9], high: vec![high; 9], mean: vec![high; 9], step: f64::MAX / 2.0, ..constant };
        assert_eq!(PackedEnvelope::of(&highest, 2), None, "its step and its mean are beyond all bounds");
        let constant = Envelope { begin: 0.0, step: 1.0, low: vec![3.0], high: vec![3.0], mean: vec![3.0] };
        let strange = Envelope { low: vec![f64::NAN], ..constant };
        assert_eq!(PackedEnvelope::of(&strange, 90), None);
    }

    #[test]
    fn uneven_or_infinite_data_is_damaged() {
        let mut packed = PackedEnvelope::of(&envelope(10), 10).unwrap();
        packed.mean.pop();
        assert_eq!(packed.unpack(), Err(LinkError::Damaged));
        let mut packed = PackedEnvelope::of(&envelope(10), 10).unwrap();
        packed.range = (-f64::MAX, f64::MAX);
        assert_eq!(packed.unpack(), Err(LinkError::Damaged));
    }
}
