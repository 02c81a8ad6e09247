//! The change from a baseline, or the ratio to it, as grouped bars: a group for each log or metric, a bar for each
//! run.

use super::run_names;
use crate::chart::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, Mark, Series};
use crate::metric::{Aim, Metric};
use crate::study::{Run, RunReport, Study};
use crate::workload::UnitText;

/// The highest change that is drawn; higher ones are cut, because one such bar would make all others invisible (FAIRNESS
/// leaves such logs out of its figures).
const HIGHEST_CHANGE: f64 = 2.0;

/// The highest ratio to the baseline that is drawn; higher ones are cut for the same reason.
const HIGHEST_RATIO: f64 = 3.0;

/// The fraction of a group's width that its bars fill.
const FILLED: f64 = 0.8;

/// The results on one log.
#[derive(Clone, Debug)]
pub struct OnLog<'a> {
    pub name: &'a str,
    pub reports: Vec<&'a RunReport>,
}

/// How a value is set against its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeScale {
    /// (value − baseline) / |baseline|, as in the table; FAIRNESS §4 draws the opposite of it.
    Change,
    /// value / baseline (CP Figs 2 to 4 and 6): if less is better, lower bars are better.
    OfBaseline,
}

/// The changes of `runs`, each in its ink, from the study's baseline, by the metrics of its columns. For one log
/// there is a single figure, in which each group is a metric. For several logs there is a figure for each metric, in
/// which each group is a log.
///
/// The change is (value − baseline) / |baseline|, as in the table: below 0 is better where less is better.
pub fn changes(logs: &[OnLog<'_>], runs: &[(Run, Ink)], study: &Study) -> Vec<Figure> {
    let metrics = study.columns.iter().copied().filter(|metric| metric.about().aim != Aim::None);
    figures(ChangeScale::Change, logs, runs, study, &metrics.collect::<Vec<_>>())
}

/// Figures like those of [`changes`], with values as ratios to the baseline: CP draws percent of List-REG, for
/// metrics of which less is better.
pub fn of_baseline(logs: &[OnLog<'_>], runs: &[(Run, Ink)], study: &Study) -> Vec<Figure> {
    let metrics = study.columns.iter().copied().filter(|metric| metric.about().aim == Aim::Low);
    figures(ChangeScale::OfBaseline, logs, runs, study, &metrics.collect::<Vec<_>>())
}

fn figures(
    beside: ChangeScale,
    logs: &[OnLog<'_>],
    runs: &[(Run, Ink)],
    study: &Study,
    metrics: &[Metric],
) -> Vec<Figure> {
    match logs {
        [] => Vec::new(),
        [log] => {
            let groups: Vec<(Metric, &OnLog<'_>)> = metrics.iter().map(|&metric| (metric, log)).collect();
            let names = groups.iter().map(|(metric, _)| metric.about().name.to_owned()).collect();
            vec![figure(beside, beside.title(), "metric", names, &groups, runs, study)]
        }
        _ => {
            let names: Vec<String> = logs.iter().map(|log| short(log.name)).collect();
            let of_metric = |&metric: &Metric| {
                let groups: Vec<_> = logs.iter().map(|log| (metric, log)).collect();
                figure(beside, metric.about().name, "log", names.clone(), &groups, runs, study)
            };
            metrics.iter().map(of_metric).collect()
        }
    }
}

/// The name of a log without the ending that the names of all logs share.
fn short(name: &str) -> String {
    name.split(".swf").next().unwrap_or(name).to_owned()
}

impl ChangeScale {
    fn title(self) -> &'static str {
        match self {
            ChangeScale::Change => "Change from the baseline",
            ChangeScale::OfBaseline => "Share of the baseline",
        }
    }

    fn height(self, log: &OnLog<'_>, run: &Run, metric: Metric, study: &Study) -> Option<f64> {
        let value = |run: &Run| log.reports.iter().find(|report| report.run == *run)?.values.get(&metric).copied();
        let (value, baseline) = (value(run)?, value(&study.baseline_of(run)?)?);
        let height = match self {
            ChangeScale::OfBaseline => value / baseline,
            // a value may be negative, and a smaller value is still a change downwards
            ChangeScale::Change if value == baseline => 0.0,
            ChangeScale::Change => (value - baseline) / baseline.abs(),
        };
        height.is_finite().then_some(height)
    }

    /// The range of an axis for bars from `low` to `high`, and a remark if some bars are cut.
    fn extent(self, low: f64, high: f64) -> (Extent, &'static str) {
        match self {
            ChangeScale::Change if high > HIGHEST_CHANGE => {
                (Extent::Fixed((low * 1.1).min(-0.2), HIGHEST_CHANGE), "bars that reach above +200 % are cut")
            }
            ChangeScale::OfBaseline if high > HIGHEST_RATIO => {
                (Extent::Fixed(low.min(0.0), HIGHEST_RATIO), "bars that reach above 300 % are cut")
            }
            _ => (Extent::DataAndZero, ""),
        }
    }
}

fn figure(
    beside: ChangeScale,
    title: &str,
    axis: &str,
    names: Vec<String>,
    groups: &[(Metric, &OnLog<'_>)],
    runs: &[(Run, Ink)],
    study: &Study,
) -> Figure {
    let width = FILLED / runs.len().max(1) as f64;
    let bars = |(place, run): (usize, &Run)| {
        let bar = |(group, (metric, log)): (usize, &(Metric, &OnLog<'_>))| {
            let height = beside.height(log, run, *metric, study)?;
            let from = group as f64 - FILLED / 2.0 + place as f64 * width;
            Some(Bar { from, to: from + width, height })
        };
        groups.iter().enumerate().filter_map(bar).collect::<Vec<_>>()
    };
    let run_names = run_names(&runs.iter().map(|(run, _)| run).collect::<Vec<_>>());
    let series: Vec<Series> = runs
        .iter()
        .zip(run_names)
        .enumerate()
        .map(|(place, ((run, ink), name))| Series::of_run(name, run, *ink, Data::Bars(bars((place, run)))))
        .collect();
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    let ranges = series.iter().filter_map(|series| series.data.y_range(everywhere, |_| true));
    let (low, high) = ranges.fold((0.0, 0.0), |(low, high): (f64, f64), (l, h)| (low.min(l), high.max(h)));
    let (extent, cut) = beside.extent(low, high);
    let (help, source, y, marks) = match beside {
        ChangeScale::Change => (
            "(value − baseline) / |baseline|, as in the table: downwards is better where less is better, upwards where more \
             is. The paper draws the opposite.",
            "FAIRNESS Figs 4, 6-8",
            "change",
            Vec::new(),
        ),
        ChangeScale::OfBaseline => (
            "value / baseline: the lower, the better.",
            "CP Figs 2-4, 6",
            "of the baseline",
            vec![Mark::Y { at: 1.0, label: "baseline".to_owned() }],
        ),
    };
    Figure {
        kind: "change",
        title: title.to_owned(),
        common: cut.to_owned(),
        help: UnitText::new(help),
        source,
        x: Axis::linear(axis, AxisUnit::Names(names.into()))
            .with_extent(Extent::Fixed(-0.6, groups.len() as f64 - 0.4)),
        y: Axis::linear(y, AxisUnit::Fraction).with_extent(extent),
        series,
        marks,
        empty: "No run has a result together with its baseline".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Curves;

    fn report(scheduler: &str, values: [f64; 2]) -> RunReport {
        RunReport {
            run: Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()),
            jobs: 1,
            values: [(Metric::Aq, values[0]), (Metric::Utilisation, values[1])].into(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            shrink: 1.0,
            saturation: None,
            is_too_short: false,
        }
    }

    fn heights(figure: &Figure) -> Vec<Vec<f64>> {
        let of = |series: &Series| match &series.data {
            Data::Bars(bars) => bars.iter().map(|bar| bar.height).collect(),
            other => panic!("{other:?}"),
        };
        figure.series.iter().map(of).collect()
    }

    #[test]
    fn one_log_is_grouped_by_metric_and_several_by_log() {
        let mut study = Study::first_visit();
        study.baseline = crate::study::Baseline::Scheduler("conservative".parse().unwrap());
        study.columns = vec![Metric::Aq, Metric::Utilisation, Metric::Corrections];
        let all = [report("conservative", [100.0, 0.5]), report("easy", [80.0, 0.6]), report("dc", [150.0, 0.5])];
        let other = [report("conservative", [10.0, 0.5]), report("easy", [90.0, 0.25])];
        let runs: Vec<_> = all[1..].iter().enumerate().map(|(i, r)| (r.run.clone(), Ink::Series(i))).collect();
        let first = OnLog { name: "KTH-SP2.swf.gz", reports: all.iter().collect() };
        let figures = changes(std::slice::from_ref(&first), &runs, &study);
        let [figure] = &figures[..] else { panic!("{}", figures.len()) };
        let rounded = |figure: &Figure| {
            heights(figure).into_iter().map(|bars| bars.into_iter().map(|h| (h * 100.0).round()).collect()).collect()
        };
        let bars: Vec<Vec<f64>> = rounded(figure);
        assert_eq!(bars, [[-20.0, 20.0], [50.0, 0.0]]);
        let second = OnLog { name: "b.swf", reports: other.iter().collect() };
        let figures = changes(&[first, second], &runs, &study);
        assert_eq!(figures.len(), 2, "corrections aim at nothing");
        let waits: Vec<Vec<f64>> = rounded(&figures[0]);
        assert_eq!(waits, [vec![-20.0, 800.0], vec![50.0]], "DC has no result on the second log");
        assert!(figures[0].common.contains("cut") && figures[1].common.is_empty());
        let below = [report("conservative", [-100.0, 0.5]), report("easy", [-120.0, 0.5])];
        let log = OnLog { name: "c", reports: below.iter().collect() };
        let bars: Vec<Vec<f64>> = rounded(&changes(&[log], &runs[..1], &study)[0]);
        assert_eq!(bars, [[-20.0, 0.0]], "less of what is below 0 is less too");
        assert_eq!(figures[0].x.unit, AxisUnit::Names(["KTH-SP2".to_owned(), "b".to_owned()].into()));
    }
    #[test]
    fn of_the_baseline_shares_are_drawn_of_which_less_is_better() {
        let mut study = Study::first_visit();
        study.baseline = crate::study::Baseline::Scheduler("conservative".parse().unwrap());
        study.columns = vec![Metric::Aq, Metric::Utilisation];
        let all = [report("conservative", [100.0, 0.5]), report("easy", [80.0, 0.6]), report("dc", [450.0, 0.5])];
        let runs: Vec<_> = all[1..].iter().enumerate().map(|(i, r)| (r.run.clone(), Ink::Series(i))).collect();
        let log = OnLog { name: "a", reports: all.iter().collect() };
        let figures = of_baseline(&[log], &runs, &study);
        let [figure] = &figures[..] else { panic!("{}", figures.len()) };
        assert_eq!(heights(figure), [[0.8], [4.5]]);
        assert_eq!((figure.y.extent, figure.common.contains("cut")), (Extent::Fixed(0.0, 3.0), true));
        assert!(matches!(figure.marks[..], [Mark::Y { at: 1.0, .. }]));
    }
}
