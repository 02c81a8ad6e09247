//! Distributions of wait, response, slowdown and unfairness over jobs, and of queue lengths over rounds.

use super::{Charted, NO_RUNS, common, series_of};
use crate::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, Mark, Scale, Series};
use packfair_engine::metric::fairness::Fair;
use packfair_engine::metric::{Curves, JobDistribution, Line};
use packfair_study::sureness::Repeated;
use packfair_workload::like::{Analysis, OF_DYNP, Weibull};
use packfair_workload::{Distribution, Summary, UnitText};

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

// Histograms of the jobs of a workload, from its summary.

/// The text of an empty histogram.
const NO_JOBS: &str = "The workload has no jobs";

/// Jobs by width, in classes up to the next power of two.
pub fn widths(summary: &Summary) -> Figure {
    let name = |from: u32, to: u32| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let names = summary.widths.iter().map(|class| name(class.from, class.to)).collect();
    let jobs = summary.widths.iter().map(|class| class.jobs as f64).collect();
    let units = summary.counting.unit.plural();
    Figure {
        kind: "widths",
        title: "Widths".to_owned(),
        help: UnitText::new("How many {units} jobs ask for."),
        source: "",
        ..named(units, names, jobs)
    }
}

pub fn run_times(summary: &Summary) -> Figure {
    Figure {
        kind: "run-times",
        title: "Run times".to_owned(),
        help: UnitText::new("How long jobs really ran; classes of equal ratio."),
        source: "DYNP Fig. 1",
        ..distribution("run time", &summary.runs, AxisUnit::Duration)
    }
}

/// Jobs by requested time.
pub fn limits(summary: &Summary) -> Figure {
    Figure {
        kind: "limits",
        title: "Requested times".to_owned(),
        help: UnitText::new("The time limits that users set: few round values, mostly far above the run time."),
        source: "CLASSIFY Fig. 1",
        ..distribution("requested time", &summary.limits, AxisUnit::Duration)
    }
}

/// Jobs by requested time over run time.
pub fn overestimations(summary: &Summary) -> Figure {
    let mut figure = distribution("requested time / run time", &summary.overestimation, AxisUnit::Number(""));
    figure.marks.push(Mark::X { at: 1.0, label: String::new() });
    Figure {
        kind: "overestimation",
        title: "Over-estimation".to_owned(),
        help: UnitText::new("How many times longer than it ran a job was allowed to: 1 is a perfect request."),
        source: "METRICS §VI",
        ..figure
    }
}

/// Submissions by hour of the day.
pub fn hours(summary: &Summary) -> Figure {
    let names = (0..24).map(|hour: u32| hour.to_string()).collect();
    Figure {
        kind: "hours",
        title: "Submissions by hour".to_owned(),
        help: UnitText::new("When jobs are submitted, over the day."),
        source: "",
        ..named("hour of the day", names, counts(&summary.hours))
    }
}

/// Submissions by day of the week; empty if the log has no dates.
pub fn weekdays(summary: &Summary) -> Figure {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(str::to_owned).to_vec();
    Figure {
        kind: "weekdays",
        title: "Submissions by weekday".to_owned(),
        help: UnitText::new("When jobs are submitted, over the week."),
        source: "",
        empty: "The log does not say on which dates it was recorded".to_owned(),
        ..named("day of the week", names, counts(&summary.weekdays))
    }
}

fn counts(counts: &[u32]) -> Vec<f64> {
    counts.iter().map(|&n| f64::from(n)).collect()
}

fn bars(x: Axis, bars: Vec<Bar>) -> Figure {
    Figure {
        kind: "",
        title: String::new(),
        common: String::new(),
        help: UnitText::new(""),
        source: "",
        x,
        y: Axis::linear("jobs", AxisUnit::Count("jobs")).with_extent(Extent::DataAndZero),
        series: vec![Series { name: "jobs".to_owned(), data: Data::Bars(bars), ink: Ink::Plain, run: None }],
        marks: Vec::new(),
        empty: NO_JOBS.to_owned(),
    }
}

fn named(title: &str, names: Vec<String>, heights: Vec<f64>) -> Figure {
    let extent = Extent::Fixed(-0.6, names.len() as f64 - 0.4);
    let bar = |(i, height): (usize, f64)| Bar { from: i as f64 - 0.45, to: i as f64 + 0.45, height };
    let heights = heights.into_iter().enumerate().map(bar).collect();
    bars(Axis::linear(title, AxisUnit::Names(names.into())).with_extent(extent), heights)
}

/// A bar for each class, and a mark at the median.
fn distribution(title: &str, distribution: &Distribution, unit: AxisUnit) -> Figure {
    let last = distribution.quantiles.max;
    // the last class may be unbounded; it is drawn up to its largest value
    let bar = |class: &packfair_workload::HistogramClass| Bar {
        from: class.from,
        to: class.below.min((last * 1.1).max(class.from * 1.6)),
        height: class.jobs as f64,
    };
    let mut figure = bars(Axis::log(title, unit).or(Scale::Linear), distribution.classes.iter().map(bar).collect());
    if distribution.jobs > 0 {
        figure.marks.push(Mark::X { at: distribution.quantiles.median, label: "median".to_owned() });
    }
    figure
}

// The interarrival times of jobs, against the Weibull laws from which similar workloads are generated.

/// The number of points of a law's line.
const POINTS: u32 = 120;

/// The distribution of interarrival times above 0 s, the law of maximum likelihood, and the law that DYNP gives for the
/// log called `name`.
pub fn gaps(name: &str, analysis: &Analysis) -> Figure {
    let line = Line { x: analysis.by_length.x.clone(), y: analysis.by_length.y.clone() };
    let (first, last) = (line.x.first().copied(), line.x.last().copied());
    let mut series = Vec::new();
    if let (Some(first), Some(last)) = (first, last) {
        let of = |name: String, data, ink| Series { name, data, ink: Ink::Series(ink), run: None };
        series.push(of("submissions".to_owned(), Data::Steps { line, before: Some(0.0) }, 0));
        let curve = |law: &Weibull| {
            let at = |i| first * libm::pow(last / first, f64::from(i) / f64::from(POINTS));
            let x: Vec<f64> = (0..=POINTS).map(at).collect();
            let y = x.iter().map(|&gap| law.share_until(gap)).collect();
            Data::Line(Line { x, y })
        };
        let named = |law: &Weibull, from: &str| format!("{from}: alpha {:.3}, beta {:.1} s", law.alpha, law.beta);
        if let Ok(fit) = &analysis.fit {
            series.push(of(named(&fit.law, "maximum likelihood"), curve(&fit.law), 1));
        }
        if let Some((_, law, _)) = OF_DYNP.iter().find(|(log, ..)| name.to_ascii_uppercase().contains(log)) {
            series.push(of(named(law, "DYNP Table 2"), curve(law), 2));
        }
    }
    Figure {
        kind: "gaps",
        title: "Times between submissions".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "Of those above 0 s. Workloads that are made like this one follow a Weibull law in place of the steps.",
        ),
        source: "DYNP §4",
        x: Axis::log("time between two submissions", AxisUnit::Duration),
        y: Axis::linear("cumulative fraction", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series,
        marks: Vec::new(),
        empty: "No two jobs are submitted at different times".to_owned(),
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

#[cfg(test)]
mod gaps_tests {
    use super::*;
    use packfair_workload::testing;

    #[test]
    fn laws_stand_beside_what_the_log_does() {
        let workload = testing::jobs(4, &[(0, 1, 9, 10), (60, 1, 9, 10), (400, 2, 5, 5), (410, 2, 5, 6)]);
        let analysis = Analysis::of(&workload);
        let names = |name| gaps(name, &analysis).series.into_iter().map(|series| series.name).collect::<Vec<_>>();
        assert_eq!(names("x.swf").len(), 2);
        assert_eq!(names("KTH-SP2.swf")[2], "DYNP Table 2: alpha 0.350, beta 200.0 s");
        let none = gaps("x", &Analysis::of(&testing::jobs(4, &[(0, 1, 9, 10)])));
        assert!(none.series.is_empty());
    }
}
