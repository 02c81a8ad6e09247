//! How good estimates are: against run times, as a distribution, and over time.

use super::run_names;
use crate::{Axis, AxisClock, AxisUnit, Bar, Data, Extent, Figure, FigureBox, Fill, Ink, Mark, Series, Shade, kinds};
use packfair_engine::metric::{Accuracy, EstimateQuality, Line};
use packfair_study::Run;
use packfair_study::format::whole;
use packfair_study::query::LearnedSizes;
use packfair_workload::like::{Analysis, JointClass};
use packfair_workload::{Distribution, Summary, Unit, UnitText};
use std::collections::BTreeMap;

/// The lowest R² that is shown: estimates below it are useless, however low R² is.
const LOWEST_R2: f64 = -1.0;

/// The smallest upper end of an axis of shares.
const LEAST_SHARE: f64 = 0.05;

/// The text of an empty chart of estimates.
const NOTHING: &str = "No run is chosen, or its schedule is not here: a link does not carry it";

/// A run, its ink and the accuracy of its estimates.
#[derive(Clone, Copy, Debug)]
pub struct JudgedEstimates<'a> {
    pub run: &'a Run,
    /// The colour and line pattern of the run.
    pub ink: Ink,
    pub accuracy: &'a Accuracy,
}

/// A measure of estimates that is shown over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverTime {
    /// R² of the jobs submitted in each period.
    R2,
    /// The share of these jobs that ran longer than estimated.
    Under,
    /// The share of these jobs whose estimate was corrected.
    Corrected,
}

/// Jobs by run time and by estimate at submission, both logarithmic; jobs on the diagonal had exact estimates.
pub fn estimate_density(judged: Option<JudgedEstimates<'_>>) -> Figure {
    let cells = judged.map(|judged| &judged.accuracy.density[..]).unwrap_or_default();
    let most = f64::from(cells.iter().map(|cell| cell.jobs).max().unwrap_or(1));
    // many cells hold one or two jobs, few hold thousands
    let level = |jobs: u32| Shade::Level(libm::log(f64::from(jobs + 1)) / libm::log(most + 1.0));
    let blocks: Vec<FigureBox> = cells
        .iter()
        .map(|cell| FigureBox {
            x: cell.run,
            y: cell.estimate,
            shade: level(cell.jobs),
            fill: Fill::Solid,
            is_outlined: false,
        })
        .collect();
    let longest = cells.iter().map(|cell| cell.run.1.max(cell.estimate.1)).fold(10.0, f64::max);
    let exact = Line { x: vec![1.0, longest], y: vec![1.0, longest] };
    let series = judged.into_iter().flat_map(|judged| {
        [
            Series::of_run("jobs".to_owned(), judged.run, Ink::Plain, Data::Blocks(blocks.clone())),
            Series { name: "exact".to_owned(), data: Data::Line(exact.clone()), ink: Ink::Guide, run: None },
        ]
    });
    let seconds = |title| Axis::log(title, AxisUnit::Duration).with_extent(Extent::Fixed(1.0, longest));
    Figure {
        kind: "estimate-density",
        title: "Estimate against run time".to_owned(),
        common: judged.map(|judged| run_name(judged.run)).unwrap_or_default(),
        help: UnitText::new(
            "Jobs by run time and by the estimate of their submission: the stronger the colour, the more. Below the dotted line jobs outlived their estimate.",
        ),
        source: "",
        x: seconds("run time"),
        y: seconds("estimate"),
        series: if cells.is_empty() { Vec::new() } else { series.collect() },
        marks: Vec::new(),
        empty: NOTHING.to_owned(),
    }
}

/// The cumulative fraction of jobs against estimate over run time, a line for each run.
pub fn estimate_errors(judged: &[JudgedEstimates<'_>]) -> Figure {
    Figure {
        kind: "estimate-errors",
        title: "Errors of estimates".to_owned(),
        common: common(judged),
        help: UnitText::new(
            "The share of jobs whose estimate was at most so many times their run time. A good estimator rises steeply at 1.",
        ),
        source: "",
        x: Axis::log("estimate over run time, E / D", AxisUnit::Number("")),
        y: Axis::linear("cumulative fraction of jobs", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series: series_of(judged, |accuracy| Data::Steps { line: accuracy.errors.clone(), before: Some(0.0) }),
        marks: vec![Mark::X { at: 1.0, label: "exact".to_owned() }],
        empty: NOTHING.to_owned(),
    }
}

/// How good the estimates of the jobs of each period were, by submit time, a line for each run.
pub fn estimates_over_time(judged: &[JudgedEstimates<'_>], what: OverTime, clock: &AxisClock) -> Figure {
    let value = |quality: &EstimateQuality| match what {
        OverTime::R2 => quality.r2,
        OverTime::Under => quality.under,
        OverTime::Corrected => quality.corrected,
    };
    // each value is drawn at the middle of its period
    let point = |accuracy: &Accuracy| {
        let periods = accuracy.periods.iter();
        let known = periods.filter_map(|p| Some(((p.from + p.until) / 2.0, value(&p.quality)?)));
        let (x, y) = known.unzip();
        Data::Line(Line { x, y })
    };
    let series = series_of(judged, point);
    let least =
        |series: &Series| series.data.y_range((f64::NEG_INFINITY, f64::INFINITY), |_| true).map(|range| range.0);
    let greatest =
        |series: &Series| series.data.y_range((f64::NEG_INFINITY, f64::INFINITY), |_| true).map(|range| range.1);
    // if all shares are 0, the axis still has a range
    let share = Extent::Fixed(0.0, series.iter().filter_map(greatest).fold(LEAST_SHARE, f64::max));
    let lowest = series.iter().filter_map(least).fold(0.0, f64::min).max(LOWEST_R2);
    let (kind, title, help, source, y) = match what {
        OverTime::R2 => (
            "estimates-r2",
            "R² of estimates over time",
            "Of the jobs submitted in each period: 1 is perfect, 0 no better than their mean run time. What is below −1 lies at the lower edge.",
            "METRICS Table IV",
            Axis::linear("R²", AxisUnit::Number("")).with_extent(Extent::Fixed(lowest, 1.0)),
        ),
        OverTime::Under => (
            "estimates-under",
            "Under-estimation over time",
            "Share of the jobs submitted in each period that ran longer than estimated.",
            "",
            Axis::linear("under-estimated jobs", AxisUnit::Fraction).with_extent(share),
        ),
        OverTime::Corrected => (
            "estimates-corrected",
            "Corrected estimates over time",
            "Share of the jobs submitted in each period whose estimate ran out and was raised while they ran.",
            "",
            Axis::linear("corrected jobs", AxisUnit::Fraction).with_extent(share),
        ),
    };
    Figure {
        kind,
        title: title.to_owned(),
        common: common(judged),
        help: UnitText::new(help),
        source,
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y,
        series,
        marks: Vec::new(),
        empty: NOTHING.to_owned(),
    }
}

fn run_name(run: &Run) -> String {
    format!("{}, {}", run.scheduler.name(), run.estimate)
}

fn common(judged: &[JudgedEstimates<'_>]) -> String {
    kinds::common_of(&judged.iter().map(|judged| judged.run).collect::<Vec<_>>())
}

fn series_of(judged: &[JudgedEstimates<'_>], data: impl Fn(&Accuracy) -> Data) -> Vec<Series> {
    let names = run_names(&judged.iter().map(|judged| judged.run).collect::<Vec<_>>());
    let one = |(judged, name): (&JudgedEstimates<'_>, String)| {
        Series::of_run(name, judged.run, judged.ink, data(judged.accuracy))
    };
    judged.iter().zip(names).map(one).collect()
}

// Requested and actual run times, and the divider between small and large jobs (CLASSIFY Fig. 1).

/// Jobs by requested time and by actual run time, in the same classes. A line marks the median run time. `sizes`, once
/// it is known, says how many jobs lie on either side of the line.
pub fn requests(summary: &Summary, sizes: Option<&LearnedSizes>) -> Figure {
    let of = |name: &str, distribution: &Distribution, ink| {
        let classes = distribution.classes.iter().filter(|class| class.jobs > 0);
        // values below a second cannot be drawn on a logarithmic axis
        let bar = |class: &packfair_workload::HistogramClass| Bar {
            from: class.from.max(0.5),
            to: class.below,
            height: class.jobs as f64,
        };
        Series { name: name.to_owned(), data: Data::Bars(classes.map(bar).collect()), ink: Ink::Series(ink), run: None }
    };
    let shares = sizes.and_then(|sizes| sizes.shares);
    let divider = shares.map_or(summary.runs.quantiles.median, |shares| shares.divider as f64);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let common = shares.map_or(String::new(), |shares| {
        let (jobs, area) = (shares.jobs, shares.area);
        format!(
            "divider {} s: {} of the jobs are small and asked for no more, {} are small and asked for more; large jobs do \
             {} of the work",
            whole(shares.divider),
            percent(jobs.expected),
            percent(jobs.premature),
            percent(area.large),
        )
    });
    Figure {
        kind: "requests",
        title: "Requested and actual run times".to_owned(),
        common,
        help: UnitText::new(
            "Jobs by requested and by actual run time; the line is the median run time, which divides small jobs from \
             large ones.",
        ),
        source: "CLASSIFY Fig. 1, Tables 2 and 3",
        x: Axis::log("time", AxisUnit::Duration),
        y: Axis::linear("jobs", AxisUnit::Number("")).with_extent(Extent::DataAndZero),
        series: vec![of("requested", &summary.limits, 0), of("actual", &summary.runs, 1)],
        marks: vec![Mark::X { at: divider.max(1.0), label: "divider".to_owned() }],
        empty: "The workload has no jobs".to_owned(),
    }
}

// Which widths, requested times and run times occur together: similar workloads are drawn from these distributions.

/// Three heat maps of jobs: width against requested time, width against run time, requested time against run time.
pub fn joint(analysis: &Analysis, unit: Unit) -> [Figure; 3] {
    let all = &analysis.joint;
    let seconds = |title| Axis::log(title, AxisUnit::Duration);
    let width = || Axis::log("width", AxisUnit::Count(unit.plural()));
    let (requested, run) = ("requested time", "run time");
    [
        map("joint-requested", "Width and requested time", seconds(requested), width(), all, |c| {
            (c.requested, c.width)
        }),
        map("joint-run", "Width and run time", seconds(run), width(), all, |c| (c.run, c.width)),
        map("joint-times", "Requested and run time", seconds(run), seconds(requested), all, |c| (c.run, c.requested)),
    ]
}

fn map(
    kind: &'static str,
    title: &str,
    x: Axis,
    y: Axis,
    all: &[JointClass],
    places: fn(&JointClass) -> (u8, u8),
) -> Figure {
    let mut jobs: BTreeMap<(u8, u8), u64> = BTreeMap::new();
    for class in all {
        *jobs.entry(places(class)).or_default() += class.jobs;
    }
    let most = jobs.values().copied().max().unwrap_or(1) as f64;
    // many cells hold one or two jobs, few hold thousands
    let level = |jobs: u64| Shade::Level(libm::log(jobs as f64 + 1.0) / libm::log(most + 1.0));
    let block = |(&(x, y), &jobs): (&(u8, u8), &u64)| FigureBox {
        x: JointClass::bounds(x),
        y: JointClass::bounds(y),
        shade: level(jobs),
        fill: Fill::Solid,
        is_outlined: false,
    };
    let blocks: Vec<FigureBox> = jobs.iter().map(block).collect();
    let extent = |of: fn(&FigureBox) -> (f64, f64)| {
        let low = blocks.iter().map(|block| of(block).0).fold(f64::INFINITY, f64::min);
        let high = blocks.iter().map(|block| of(block).1).fold(0.0, f64::max);
        if blocks.is_empty() { Extent::Data } else { Extent::Fixed(low, high) }
    };
    let (x, y) = (x.with_extent(extent(|block| block.x)), y.with_extent(extent(|block| block.y)));
    let data = Data::Blocks(blocks);
    Figure {
        kind,
        title: title.to_owned(),
        common: String::new(),
        help: UnitText::new(
            "Jobs by classes that reach from a power of two to the next: the stronger the colour, the more. Workloads \
             that are made like this one draw their jobs from the single combinations.",
        ),
        source: "DYNP §4",
        x,
        y,
        series: if jobs.is_empty() {
            Vec::new()
        } else {
            vec![Series { name: "jobs".to_owned(), data, ink: Ink::Plain, run: None }]
        },
        marks: Vec::new(),
        empty: "There are no jobs".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;
    use packfair_engine::metric::{AccuracyCell, Period};

    fn accuracy() -> Accuracy {
        let cell = |run, estimate, jobs| AccuracyCell { run, estimate, jobs };
        let period = |from: f64, r2| Period {
            from,
            until: from + 10.0,
            quality: EstimateQuality { jobs: 20, r2, under: Some(0.25), ..EstimateQuality::default() },
        };
        Accuracy {
            density: vec![cell((1.0, 10.0), (10.0, 100.0), 3), cell((10.0, 100.0), (10.0, 100.0), 40)],
            errors: Line { x: vec![0.5, 1.0, 8.0], y: vec![0.25, 0.5, 1.0] },
            periods: vec![period(0.0, Some(0.5)), period(10.0, None), period(20.0, Some(-7.0))],
            ..Accuracy::default()
        }
    }

    #[test]
    fn the_density_has_a_box_a_cell_and_a_diagonal() {
        let (accuracy, run) = (accuracy(), run());
        let figure = estimate_density(Some(JudgedEstimates { run: &run, ink: Ink::Series(0), accuracy: &accuracy }));
        assert_eq!(figure.series.iter().map(|s| s.data.len()).collect::<Vec<_>>(), [2, 2]);
        let Data::Blocks(blocks) = &figure.series[0].data else { panic!("{figure:?}") };
        assert_eq!(blocks[1].shade, Shade::Level(1.0));
        assert!(matches!(blocks[0].shade, Shade::Level(level) if level > 0.0 && level < 1.0));
        assert_eq!(figure.x.scale, Scale::Log);
        assert!(estimate_density(None).series.is_empty());
    }

    #[test]
    fn periods_without_a_value_are_left_out_and_what_is_too_low_is_cut() {
        let (accuracy, run) = (accuracy(), run());
        let judged = [JudgedEstimates { run: &run, ink: Ink::Series(0), accuracy: &accuracy }];
        let figure = estimates_over_time(&judged, OverTime::R2, &AxisClock::ELAPSED);
        assert_eq!(figure.series[0].data, Data::Line(Line { x: vec![5.0, 25.0], y: vec![0.5, -7.0] }));
        assert_eq!(figure.y.extent, Extent::Fixed(-1.0, 1.0));
        let figure = estimates_over_time(&judged, OverTime::Under, &AxisClock::ELAPSED);
        assert_eq!(figure.series[0].data.len(), 3);
    }

    fn run() -> Run {
        Run::new("easy".parse().unwrap(), "last2".parse().unwrap())
    }
}

#[cfg(test)]
mod requests_tests {
    use super::*;
    use packfair_engine::classifier::evaluation::shares;
    use packfair_workload::testing;

    #[test]
    fn the_divider_is_marked_and_shares_are_told() {
        let workload = testing::jobs(4, &[(0, 1, 10, 10), (1, 1, 50, 900), (2, 1, 500, 900), (3, 1, 600, 900)]);
        let summary = Summary::of(&workload);
        let sizes = LearnedSizes { shares: shares(&workload), lags: Vec::new(), of_user: None };
        let figure = requests(&summary, Some(&sizes));
        assert_eq!(figure.marks, [Mark::X { at: 275.0, label: "divider".to_owned() }]);
        assert!(figure.common.starts_with("divider 275 s: 25.0 % of the jobs are small"), "{}", figure.common);
        let jobs = |series: &Series| match &series.data {
            Data::Bars(bars) => bars.iter().map(|bar| bar.height).sum::<f64>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(figure.series.iter().map(jobs).collect::<Vec<_>>(), [4.0, 4.0]);
        assert!(requests(&summary, None).common.is_empty());
    }
}

#[cfg(test)]
mod joint_tests {
    use super::*;
    use packfair_workload::testing;

    #[test]
    fn each_map_holds_all_jobs() {
        let workload = testing::jobs(8, &[(0, 1, 9, 10), (1, 1, 9, 10), (2, 8, 500, 600), (3, 8, 9, 600)]);
        let cells = joint(&Analysis::of(&workload), Unit::Processors).map(|figure| match &figure.series[0].data {
            Data::Blocks(blocks) => blocks.iter().map(|block| (block.x, block.y)).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        });
        let (short, long) = ((8.0, 16.0), (512.0, 1024.0));
        assert_eq!(cells[0], [(short, (1.0, 2.0)), (long, (8.0, 16.0))]);
        assert_eq!(cells[1], [(short, (1.0, 2.0)), (short, (8.0, 16.0)), ((256.0, 512.0), (8.0, 16.0))]);
        assert_eq!(cells[2], [(short, short), (short, long), ((256.0, 512.0), long)]);
    }
}
