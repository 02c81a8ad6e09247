//! Histograms of the jobs of a workload, from its summary.

use crate::chart::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, Mark, Scale, Series};
use crate::workload::{Distribution, Summary, UnitText};

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
    let bar = |class: &crate::workload::HistogramClass| Bar {
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
