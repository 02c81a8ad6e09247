//! The intervals of repeats as a link carries them: exact, but without the repeats themselves.

use super::SharedStudy;
use super::error::LinkError;
use super::wire::{finite, from_bytes, index_of, to_bytes};
use crate::metric::Metric;
use crate::study::Study;
use crate::study::change::relative;
use crate::study::sureness::{CarriedInterval, CarriedIntervals, Interval, NoInterval, Repeated};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    let of_run = |report: &crate::study::RunReport| {
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
