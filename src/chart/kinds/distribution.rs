//! Distributions of wait and slowdown over jobs.

use super::{Charted, NO_RUNS, common, series_of};
use crate::chart::{Axis, Data, Extent, Figure, Scale, Unit};

fn fraction_of_jobs() -> Axis {
    Axis::linear("cumulative fraction of jobs", Unit::Fraction).with_extent(Extent::Fixed(0.0, 1.0))
}

/// Cumulative fraction of jobs against wait, a line a run.
pub fn waits(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "waits",
        title: "Waits".to_owned(),
        common: common(runs),
        help: "The share of jobs that waited at most so long. Further up and left is better; the left end is the share that did not wait.",
        source: "",
        x: Axis::log("wait", Unit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: series_of(runs, |curves| Data::Steps { line: curves.waits.clone(), before: Some(0.0) }),
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
        x: Axis::log("bounded slowdown", Unit::Number("")).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: series_of(runs, |curves| Data::Steps { line: curves.slowdowns.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}
