//! Packing against fairness: a point for each run, and the runs that no other run dominates.

use super::{Charted, NO_RUNS, common, run_names};
use crate::chart::{Axis, AxisUnit, Data, Figure, Ink, Mark, NamedPoint, Scale, Series};
use crate::metric::{Line, Metric};
use crate::study::table::Mode;
use crate::study::{RunReport, Study};
use crate::workload::UnitText;

/// AWF (packing) on the x axis, `fairness` (P²SF, or an average unfairness) on the y axis. For both, less is better.
/// The dotted line is the Pareto front.
///
/// The front is always that of the values, whatever is drawn. Changes are drawn if `mode` asks for them and all runs
/// have the same baseline: changes against different baselines are not comparable. Otherwise values are drawn. Values
/// are also drawn if the baseline is perfectly fair, since there is no change in percent then.
pub fn tradeoff(runs: &[Charted<'_>], study: &Study, fairness: Metric, mode: Mode) -> Figure {
    let value = |report: &RunReport| {
        let value = |metric| report.values.get(&metric).copied().filter(|value: &f64| value.is_finite());
        Some((value(Metric::Awf)?, value(fairness)?))
    };
    // a schedule that no scheduler can reach is drawn, but it is not on the front
    let reachable = runs.iter().map(|run| run.report).filter(|report| !report.run.scheduler.is_offline());
    let placed: Vec<(f64, f64)> = reachable.filter_map(value).collect();
    let baseline = baseline(runs, study, value);
    let is_perfect = fairness != Metric::P2sf && placed.iter().any(|&(_, y)| y == 0.0);
    let reference = baseline.filter(|_| mode == Mode::Change && !is_perfect);
    let place = |(x, y): (f64, f64)| reference.map_or((x, y), |(x0, y0)| (x / x0, y / y0));
    let names = run_names(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>());
    let mut series = Vec::new();
    for (run, name) in runs.iter().zip(names) {
        let Some((x, y)) = value(run.report).map(place) else { continue };
        let point = NamedPoint { x, y, name: name.clone() };
        series.push(Series::of_run(name, &run.report.run, run.ink, Data::NamedPoints(vec![point])));
    }
    let front: Vec<(f64, f64)> = front_of(runs, placed.clone()).into_iter().map(place).collect();
    // runs on the front are drawn in front of the others and get their names first, then the chosen runs
    let is_on_front = |series: &Series| match &series.data {
        Data::NamedPoints(points) => points.iter().any(|point| front.contains(&(point.x, point.y))),
        _ => false,
    };
    series.sort_by_key(|a| (is_on_front(a), a.ink != Ink::Rest));
    if front.len() > 1 {
        let (x, y) = front.iter().copied().unzip();
        let data = Data::Steps { line: Line { x, y }, before: None };
        series.insert(0, Series { name: "Pareto front".to_owned(), data, ink: Ink::Guide, run: None });
    }
    let axis = |metric: Metric, what: &str| {
        let about = metric.about();
        match reference {
            // ratios on a logarithmic scale: half and double are equally far from the baseline
            Some(_) => Axis::log(&format!("change of {} ({what})", about.name), AxisUnit::Change).or(Scale::Linear),
            None => {
                let values = runs.iter().filter_map(|run| run.report.values.get(&metric).copied());
                Axis::of_metric(&format!("{} ({what})", about.name), metric, values)
            }
        }
    };
    let marks = || vec![Mark::X { at: 1.0, label: "baseline".to_owned() }, Mark::Y { at: 1.0, label: String::new() }];
    let is_unlike = mode == Mode::Change && baseline.is_none() && differ_in_baseline(runs, study);
    Figure {
        kind: "tradeoff",
        title: "Packing against fairness".to_owned(),
        common: common(runs),
        help: help(placed.len(), front.len(), is_unlike),
        source: if fairness == Metric::P2sf { "METRICS §III, §IV" } else { "METRICS §III; FAIRNESS §3.1" },
        x: axis(Metric::Awf, "packing"),
        y: axis(fairness, "fairness"),
        series,
        marks: if reference.is_some() { marks() } else { Vec::new() },
        empty: NO_RUNS.to_owned(),
    }
}

/// The values of the baseline that all `runs` share; `None` if they do not share one that has values.
fn baseline(
    runs: &[Charted<'_>],
    study: &Study,
    value: impl Fn(&RunReport) -> Option<(f64, f64)>,
) -> Option<(f64, f64)> {
    if differ_in_baseline(runs, study) {
        return None;
    }
    let baseline = study.baseline_of(&runs.first()?.report.run)?;
    let report = runs.iter().find(|run| run.report.run == baseline)?.report;
    value(report).filter(|&(x, y)| x > 0.0 && y > 0.0)
}

fn differ_in_baseline(runs: &[Charted<'_>], study: &Study) -> bool {
    let mut baselines = runs.iter().map(|run| study.baseline_of(&run.report.run));
    let first = baselines.next();
    baselines.any(|baseline| Some(baseline) != first)
}

/// The first sentence of every help text, followed by others.
macro_rules! less_is_better {
    ($($then:literal),*) => {
        UnitText::new(concat!("Less is better in both: down is fairer, left is better packed.", $($then),*))
    };
}

/// How to read the chart. `points` is the number of its points and `front` the number of those on the front;
/// `is_unlike` says that changes were asked for and cannot be drawn.
fn help(points: usize, front: usize, is_unlike: bool) -> UnitText {
    match (points, front, is_unlike) {
        (0 | 1, ..) => less_is_better!(),
        (_, 0, _) => less_is_better!(" Only runs of one load and one partition can be set against each other."),
        (_, 1, false) => less_is_better!(" No run beats the one farthest down and left in either."),
        (_, 1, true) => less_is_better!(
            " No run beats the one farthest down and left in either. Values, for these runs have different baselines."
        ),
        (.., false) => less_is_better!(" No run beats those on the dotted line in both."),
        (.., true) => less_is_better!(
            " No run beats those on the dotted line in both. Values, for these runs have different baselines."
        ),
    }
}

/// The front of the points of these runs; empty if the runs are on different workloads, since they cannot be compared
/// then.
pub(super) fn front_of(runs: &[Charted<'_>], points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let is_one_workload = runs.iter().all(|other| other.report.run.shares_workload(&runs[0].report.run));
    if is_one_workload { front(points) } else { Vec::new() }
}

/// The points that no other point dominates (below and to the left), from left to right.
fn front(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut front: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if front.last().is_none_or(|lowest| point.1 < lowest.1) {
            front.push(point);
        }
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Curves;
    use crate::study::{Baseline, Run, RunReport};
    use crate::workload::Unit;

    /// Reports of runs with this AWF and P²SF.
    fn reports(runs: &[(&str, &str, f64, f64)]) -> Vec<RunReport> {
        let report = |&(scheduler, estimate, awf, p2sf): &(&str, &str, f64, f64)| RunReport {
            run: Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()),
            jobs: 10,
            values: [(Metric::Awf, awf), (Metric::P2sf, p2sf), (Metric::StrictUnfairness, 0.0)].into(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            shrink: 1.0,
            saturation: None,
            is_too_short: false,
        };
        runs.iter().map(report).collect()
    }

    fn figure(reports: &[RunReport], baseline: Baseline, mode: Mode) -> Figure {
        let study = Study { baseline, ..Study::first_visit() };
        let charted: Vec<Charted<'_>> = reports.iter().map(|report| Charted { report, ink: Ink::Rest }).collect();
        tradeoff(&charted, &study, Metric::P2sf, mode)
    }

    fn drawn_front(figure: &Figure) -> Option<(Vec<f64>, Vec<f64>)> {
        figure.series.iter().find(|series| series.run.is_none()).map(|series| match &series.data {
            Data::Steps { line, .. } => (line.x.clone(), line.y.clone()),
            _ => panic!("the front is a step line"),
        })
    }

    /// The values of KTH-SP2. Changes against JustBF with each run's own estimates would put EASY with requested times
    /// on the front, although EASY with actual times is better in both values.
    fn kth() -> Vec<RunReport> {
        reports(&[
            ("easy", "requested", 101_174.0, 186_753.0),
            ("easy", "actual", 84_869.0, 146_492.0),
            ("justbf", "requested", 105_000.0, 200_000.0),
            ("justbf", "actual", 82_088.0, 160_820.0),
            ("laf-justbf", "actual", 61_403.0, 160_741.0),
        ])
    }

    fn said(figure: &Figure) -> String {
        figure.help.in_unit(Unit::Processors)
    }

    #[test]
    fn the_front_has_the_points_that_none_beats() {
        let front = front(vec![(3.0, 1.0), (1.0, 5.0), (2.0, 5.0), (2.0, 3.0), (4.0, 1.0), (1.0, 6.0)]);
        assert_eq!(front, [(1.0, 5.0), (2.0, 3.0), (3.0, 1.0)]);
    }

    #[test]
    fn the_front_is_that_of_what_schedulers_reach() {
        // in percent of JustBF on KTH-SP2
        let runs = reports(&[
            ("justbf", "actual", 100.0, 100.0),
            ("easy", "actual", 101.0, 104.0),
            ("laf-justbf", "actual", 94.0, 107.0),
            ("opt-awf", "actual", 90.1, 91.2),
            ("opt-p2sf", "actual", 91.3, 87.6),
            ("opt-balanced", "actual", 92.0, 89.1),
            ("off-p2sf", "actual", 89.0, 82.5),
        ]);
        let figure = figure(&runs, Baseline::Scheduler("justbf".parse().unwrap()), Mode::Absolute);
        assert_eq!(drawn_front(&figure), Some((vec![90.1, 91.3], vec![91.2, 87.6])));
        assert_eq!(figure.series.len(), 8, "all of them are drawn");
    }

    #[test]
    fn runs_with_different_baselines_are_drawn_as_values() {
        let figure = figure(&kth(), Baseline::Scheduler("justbf".parse().unwrap()), Mode::Change);
        assert_eq!(drawn_front(&figure), Some((vec![61_403.0, 84_869.0], vec![160_741.0, 146_492.0])));
        assert!(figure.marks.is_empty());
        assert_eq!(figure.x.title, "AWF (packing)");
        assert!(said(&figure).ends_with("these runs have different baselines."), "{}", said(&figure));
    }

    #[test]
    fn runs_with_one_baseline_are_drawn_as_changes_and_the_front_is_the_same() {
        let of_one = Baseline::Run(Run::new("justbf".parse().unwrap(), "actual".parse().unwrap()));
        let changes = figure(&kth(), of_one.clone(), Mode::Change);
        let (x, y) = drawn_front(&changes).unwrap();
        assert_eq!(x, [61_403.0 / 82_088.0, 84_869.0 / 82_088.0]);
        assert_eq!(y, [160_741.0 / 160_820.0, 146_492.0 / 160_820.0]);
        assert_eq!((changes.marks.len(), changes.x.title.as_str()), (2, "change of AWF (packing)"));
        let values = figure(&kth(), of_one, Mode::Absolute);
        assert_eq!(drawn_front(&values).unwrap().0, [61_403.0, 84_869.0], "as the table's switch has it");
        assert!(values.marks.is_empty());
        // if all runs have the same estimates, JustBF is a single baseline
        let alike: Vec<RunReport> = kth().into_iter().filter(|r| r.run.id().ends_with("__actual")).collect();
        assert_eq!(figure(&alike, Baseline::Scheduler("justbf".parse().unwrap()), Mode::Change).marks.len(), 2);
    }

    #[test]
    fn runs_on_different_workloads_have_no_front() {
        let mut runs = kth();
        runs[0].run.partition =
            Some(crate::study::RunPartition { number: 1, name: "short".to_owned(), processors: None });
        let figure = figure(&runs, Baseline::None, Mode::Absolute);
        assert_eq!(drawn_front(&figure), None);
        assert!(said(&figure).ends_with("can be set against each other."), "{}", said(&figure));
        assert_eq!(figure.series.len(), runs.len());
    }

    #[test]
    fn the_sentence_is_true_of_no_one_and_several_on_the_front() {
        let says = |runs: &[RunReport]| said(&figure(runs, Baseline::None, Mode::Change));
        assert!(!says(&[]).contains("No run"));
        assert!(!says(&kth()[..1]).contains("No run"));
        assert!(says(&kth()[..2]).ends_with("beats the one farthest down and left in either."));
        assert!(drawn_front(&figure(&kth()[..2], Baseline::None, Mode::Change)).is_none(), "no line of one point");
        assert!(says(&kth()).ends_with("No run beats those on the dotted line in both."));
    }

    #[test]
    fn what_is_perfectly_fair_is_drawn_as_values() {
        let reports = kth();
        let charted: Vec<Charted<'_>> = reports.iter().map(|report| Charted { report, ink: Ink::Rest }).collect();
        let study = Study { baseline: Baseline::Run(reports[3].run.clone()), ..Study::first_visit() };
        assert!(tradeoff(&charted, &study, Metric::StrictUnfairness, Mode::Change).marks.is_empty());
    }
}
