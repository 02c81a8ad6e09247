//! Distributions of wait, response, slowdown and unfairness over jobs, of queue lengths over rounds.

use super::{Charted, NO_RUNS, common, series_of};
use crate::chart::{Axis, AxisUnit, Data, Extent, Figure, Scale};
use crate::metric::Curves;
use crate::metric::fair_start::Fair;

fn fraction_of_jobs() -> Axis {
    Axis::linear("cumulative fraction of jobs", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0))
}

/// Cumulative fraction of jobs against wait, a line a run.
pub fn waits(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "waits",
        title: "Waits".to_owned(),
        common: common(runs),
        help: "The share of jobs that waited at most so long. Further up and left is better; the left end is the share that did not wait.",
        source: "",
        x: Axis::log("wait", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: series_of(runs, |curves| Data::Steps { line: curves.waits.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// Cumulative fraction of jobs against response, a line a run.
pub fn responses(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "responses",
        title: "Responses".to_owned(),
        common: common(runs),
        help: "The share of jobs that were done within so long of their submission. Further up and left is better.",
        source: "",
        x: Axis::log("response", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: series_of(runs, |curves| Data::Steps { line: curves.responses.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// Cumulative fraction of scheduling rounds against the number of jobs in the queue, a line a run.
pub fn queue_lengths(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "queue-lengths",
        title: "Queue lengths".to_owned(),
        common: common(runs),
        help: "The share of scheduling rounds that had at most so many jobs to choose from: what a method that looks at every job has to cope with.",
        source: "CP Fig. 7",
        x: Axis::linear("jobs in the queue", AxisUnit::Count("jobs")).with_extent(Extent::DataAndZero).or(Scale::Log),
        y: Axis::linear("cumulative fraction of rounds", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series: series_of(runs, |curves| Data::Steps { line: curves.queue_lengths.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// Cumulative fraction of jobs against bounded slowdown, a line a run.
pub fn slowdowns(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "slowdowns",
        title: "Bounded slowdowns".to_owned(),
        common: common(runs),
        help: "The share of jobs slowed down at most so much: response over run time, short run times counted as the bound.",
        source: "METRICS §II",
        x: Axis::log("bounded slowdown", AxisUnit::Number("")).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: series_of(runs, |curves| Data::Steps { line: curves.slowdowns.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// Cumulative fraction of jobs against unfairness by fair start time, a line a run for which it was computed.
pub fn unfairness(runs: &[Charted<'_>], fair: Fair) -> Figure {
    let (kind, title, help) = match fair {
        Fair::Strict => (
            "unfairness-strict",
            "Strict unfairness",
            "The share of jobs that started at most so much later than they would have, had nobody come after them.",
        ),
        Fair::Relaxed => (
            "unfairness-relaxed",
            "Relaxed unfairness",
            "The same, where a job may not start before the others that were queued at its arrival have.",
        ),
    };
    let line = |curves: &Curves| match fair {
        Fair::Strict => curves.strict_unfairness.clone(),
        Fair::Relaxed => curves.relaxed_unfairness.clone(),
    };
    let mut series = series_of(runs, |curves| Data::Steps { line: line(curves), before: Some(0.0) });
    series.retain(|series| !series.data.is_empty());
    Figure {
        kind,
        title: title.to_owned(),
        common: common(runs),
        help,
        source: "FAIRNESS §3.1",
        x: Axis::log("start − fair start", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series,
        marks: Vec::new(),
        empty: "No fair start times of these runs were computed".to_owned(),
    }
}
