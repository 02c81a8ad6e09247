//! Distributions of wait, response, slowdown and unfairness over jobs, and of queue lengths over rounds.

use super::{Charted, NO_RUNS, common, series_of};
use crate::{Axis, AxisUnit, Data, Extent, Figure, Scale, Series};
use packfair_engine::metric::fair_start::Fair;
use packfair_engine::metric::{Curves, JobDistribution, Line};
use packfair_study::sureness::Repeated;
use packfair_workload::UnitText;

fn fraction_of_jobs() -> Axis {
    Axis::linear("cumulative fraction of jobs", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0))
}

/// A series for each run, with a band if the run has repeats.
fn banded(
    runs: &[Charted<'_>],
    repeated: Option<&Repeated>,
    distribution: JobDistribution,
    line: fn(&Curves) -> &Line,
) -> Vec<Series> {
    // from a link with values only, the single point is the share of jobs that did not wait, which is no distribution
    let is_whole = |line: &&Line| line.y.last().is_none_or(|last| *last >= 1.0) || line.x.len() > 1;
    let of = |curves: &Curves| Some(line(curves)).filter(is_whole).cloned().unwrap_or_default();
    let mut series = series_of(runs, |curves| Data::Steps { line: of(curves), before: Some(0.0) });
    for (series, charted) in series.iter_mut().zip(runs) {
        let band = repeated.and_then(|repeated| repeated.band(&charted.report.run, distribution));
        if let (Some(band), Data::Steps { line, before }) = (band, &series.data) {
            series.data = Data::RangedSteps { line: line.clone(), before: *before, band };
        }
    }
    series
}

/// The cumulative fraction of jobs against wait: a line for each run, with a band if it was repeated.
pub fn waits(runs: &[Charted<'_>], repeated: Option<&Repeated>) -> Figure {
    Figure {
        kind: "waits",
        title: "Waits".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "The share of jobs that waited at most so long. Further up and left is better; the left end is the share that did not wait. Where runs were repeated in this page, a band holds 95 % of the repeats at each point, or all of fewer than 40.",
        ),
        source: "",
        x: Axis::log("wait", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: banded(runs, repeated, JobDistribution::Waits, |curves| &curves.waits),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// The cumulative fraction of jobs against response: a line for each run, with a band if it was repeated.
pub fn responses(runs: &[Charted<'_>], repeated: Option<&Repeated>) -> Figure {
    Figure {
        kind: "responses",
        title: "Responses".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "The share of jobs that were done within so long of their submission. Further up and left is better. Where runs were repeated in this page, a band holds 95 % of the repeats at each point, or all of fewer than 40.",
        ),
        source: "",
        x: Axis::log("response", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: banded(runs, repeated, JobDistribution::Responses, |curves| &curves.responses),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// The cumulative fraction of scheduling rounds against the number of jobs in the queue, a line for each run.
pub fn queue_lengths(runs: &[Charted<'_>]) -> Figure {
    Figure {
        kind: "queue-lengths",
        title: "Queue lengths".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "The share of scheduling rounds that had at most so many jobs to choose from: what a method that looks at every job has to cope with.",
        ),
        source: "CP Fig. 7",
        x: Axis::linear("jobs in the queue", AxisUnit::Count("jobs")).with_extent(Extent::DataAndZero).or(Scale::Log),
        y: Axis::linear("cumulative fraction of rounds", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series: series_of(runs, |curves| Data::Steps { line: curves.queue_lengths.clone(), before: Some(0.0) }),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// The cumulative fraction of jobs against bounded slowdown: a line for each run, with a band if it was repeated.
pub fn slowdowns(runs: &[Charted<'_>], repeated: Option<&Repeated>) -> Figure {
    Figure {
        kind: "slowdowns",
        title: "Bounded slowdowns".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "The share of jobs slowed down at most so much: response over run time, short run times counted as the bound. Where runs were repeated in this page, a band holds 95 % of the repeats at each point, or all of fewer than 40.",
        ),
        source: "METRICS §II",
        x: Axis::log("bounded slowdown", AxisUnit::Number("")).or(Scale::Linear),
        y: fraction_of_jobs(),
        series: banded(runs, repeated, JobDistribution::Slowdowns, |curves| &curves.slowdowns),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// The cumulative fraction of jobs against unfairness by fair start time, a line for each run for which it was
/// computed.
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
        help: UnitText::new(help),
        source: "FAIRNESS §3.1",
        x: Axis::log("start − fair start", AxisUnit::Duration).or(Scale::Linear),
        y: fraction_of_jobs(),
        series,
        marks: Vec::new(),
        empty: "No fair start times of these runs were computed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ink;
    use packfair_study::sureness::{RepeatedRun, Repeats};
    use packfair_study::{Rules, Run, execute};
    use packfair_workload::testing;

    #[test]
    fn a_run_that_was_repeated_has_a_band_and_others_have_none() {
        let workload = testing::workload(4, &[(0, 50, 3), (1, 60, 2), (2, 5, 1), (3, 9, 4)]);
        let runs = ["easy", "fcfs"].map(|id| Run::new(id.parse().unwrap(), "actual".parse().unwrap()));
        let measure = Default::default();
        let results = runs.each_ref().map(|run| execute(run, &workload, Rules::default(), &measure).unwrap());
        let charted = results.each_ref().map(|result| Charted { report: &result.report, ink: Ink::Rest });
        let mut repeated = Repeated::new(Repeats::of(2), Vec::new(), &runs);
        for repeat in 0..2 {
            let of_run = RepeatedRun::of(&workload, &results[0].schedule, &measure, &[], &[JobDistribution::Responses]);
            repeated.set_with_counts(&runs[0], repeat, of_run);
        }
        let figure = responses(&charted, Some(&repeated));
        let Data::RangedSteps { line, band, .. } = &figure.series[0].data else { panic!("{figure:?}") };
        assert_eq!(*line, results[0].report.curves.responses);
        let (x, y) = (line.x[1], line.y[1]);
        assert!(band.x.contains(&x) || x > 16.0, "the first whole seconds are points");
        assert!(
            band.at(x).is_some_and(|(low, high)| low == high && (low - y).abs() < 0.25),
            "all repeats are the same"
        );
        assert_eq!(figure.series[1], responses(&charted, None).series[1]);
        assert_eq!(waits(&charted, Some(&repeated)), waits(&charted, None), "they were not asked for");
    }
}
