//! A metric against what was swept, a line for each scheduler: distortion factors (METRICS Fig. 4), shrinking factors
//! (DYNP Figs 2 to 8), or a numeric parameter of a scheduler.

use super::{Charted, run_names};
use crate::{Axis, AxisUnit, Data, Figure, Mark, Scale, Series, inks};
use packfair_base::catalogue::{Kind, Parameter, Value};
use packfair_engine::metric::{Line, Metric};
use packfair_schedulers::Policy;
use packfair_study::Run;
use packfair_study::sureness::Repeated;
use packfair_workload::UnitText;

/// What was swept: the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Swept {
    /// The distortion factor k of the estimates.
    Distortion,
    Shrink,
    /// The number of users, as a multiple of the log's.
    Users,
    /// A parameter of a scheduler: its id, label and unit.
    Parameter(&'static str, &'static str, &'static str),
}

/// The figures of all sweeps: for each parameter that was swept, a figure for each of `metrics` that some run has. A
/// figure has a line, in its own colour, for every scheduler (with everything else that can differ) that ran with at
/// least two values. If nothing was swept, a single figure says so.
///
/// If the runs were repeated, each line has a band that contains the repeats.
pub fn sweeps(runs: &[Charted<'_>], metrics: &[Metric], repeated: Option<&Repeated>) -> Vec<Figure> {
    let mut axes = vec![Swept::Distortion, Swept::Shrink, Swept::Users];
    for charted in runs {
        for (parameter, value) in charted.report.run.scheduler.settings().iter() {
            let swept = Swept::Parameter(parameter.id, parameter.name, unit_of(parameter));
            if number(value).is_some() && !axes.contains(&swept) {
                axes.push(swept);
            }
        }
    }
    let of_axis = |swept: &Swept| figures(*swept, runs, metrics, repeated);
    let figures: Vec<Figure> = axes.iter().flat_map(of_axis).collect();
    if figures.is_empty() {
        return metrics.first().map(|&metric| figure(Swept::Distortion, metric, Vec::new())).into_iter().collect();
    }
    figures
}

fn figures(swept: Swept, runs: &[Charted<'_>], metrics: &[Metric], repeated: Option<&Repeated>) -> Vec<Figure> {
    let sweeps = swept.sweeps(runs);
    let names = run_names(&sweeps.iter().map(|sweep| &sweep.rest).collect::<Vec<_>>());
    let inks = inks(&sweeps.iter().map(|sweep| sweep.rest.clone()).collect::<Vec<_>>());
    let of_metric = |metric: &Metric| {
        let series: Vec<Series> = sweeps
            .iter()
            .zip(&names)
            .zip(&inks)
            .filter_map(|((sweep, name), &ink)| {
                let data = sweep.data(*metric, repeated)?;
                Some(Series::of_run(name.clone(), &sweep.runs[0].1.report.run, ink, data))
            })
            .collect();
        (!series.is_empty()).then(|| figure(swept, *metric, series))
    };
    metrics.iter().filter_map(of_metric).collect()
}

/// Runs that differ in the swept parameter only, in ascending order of it.
struct Sweep<'a> {
    rest: Run,
    runs: Vec<(f64, Charted<'a>)>,
}

impl Sweep<'_> {
    fn line(&self, metric: Metric) -> Option<Line> {
        let value = |(x, run): &(f64, Charted<'_>)| Some((*x, *run.report.values.get(&metric)?));
        let (x, y): (Vec<f64>, Vec<f64>) = self.runs.iter().filter_map(value).unzip();
        (x.len() >= 2).then_some(Line { x, y })
    }

    /// The line, with a band if all of its points have repeats.
    fn data(&self, metric: Metric, repeated: Option<&Repeated>) -> Option<Data> {
        let line = self.line(metric)?;
        let measured = self.runs.iter().filter(|(_, run)| run.report.values.contains_key(&metric));
        let bounds = |repeated: &Repeated| {
            let bounds = |(_, run): &(f64, Charted<'_>)| {
                let own = run.report.values.get(&metric)?;
                let bounds = repeated.interval(&run.report.run, metric, *own).ok()?;
                Some((bounds.low, bounds.high))
            };
            measured.map(bounds).collect::<Option<Vec<_>>>()
        };
        Some(match repeated.and_then(bounds) {
            Some(bounds) => {
                let (low, high) = bounds.into_iter().unzip();
                Data::Ranged { line, low, high }
            }
            None => Data::Line(line),
        })
    }
}

impl Swept {
    /// The value of the swept parameter in a run; `None` if it is not a number.
    fn of(self, charted: &Charted<'_>) -> Option<f64> {
        let run = &charted.report.run;
        match self {
            Swept::Distortion => Some(run.estimate.k),
            Swept::Shrink => (!run.scheduler.is_given()).then_some(charted.report.shrink),
            Swept::Users => run.users,
            Swept::Parameter(id, ..) => {
                let settings = run.scheduler.settings().iter();
                number(settings.into_iter().find(|(parameter, _)| parameter.id == id)?.1)
            }
        }
    }

    /// The run without the swept parameter. Runs that differ in nothing else give the same result.
    fn without(self, run: &Run) -> Run {
        let mut rest = run.clone();
        match self {
            Swept::Distortion => rest.estimate.k = 1.0,
            Swept::Shrink => rest.shrink = None,
            Swept::Users => rest.users = None,
            Swept::Parameter(id, ..) => without_setting(&mut rest.scheduler, id),
        }
        rest
    }

    fn sweeps<'a>(self, runs: &[Charted<'a>]) -> Vec<Sweep<'a>> {
        let mut sweeps: Vec<Sweep<'a>> = Vec::new();
        for &charted in runs {
            let Some(x) = self.of(&charted) else { continue };
            let rest = self.without(&charted.report.run);
            match sweeps.iter_mut().find(|sweep| sweep.rest == rest) {
                Some(sweep) => sweep.runs.push((x, charted)),
                None => sweeps.push(Sweep { rest, runs: vec![(x, charted)] }),
            }
        }
        for sweep in &mut sweeps {
            sweep.runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        sweeps.retain(|sweep| sweep.runs.windows(2).any(|pair| pair[0].0 != pair[1].0));
        sweeps
    }
}

/// Sets a parameter to its default. If the other parameters do not allow this, sets it to that end of its range which
/// they always allow.
fn without_setting(policy: &mut Policy, id: &str) {
    let Some((parameter, _)) = policy.settings().iter().find(|(parameter, _)| parameter.id == id) else { return };
    if policy.set(id, &parameter.default().to_string()).is_err() {
        let end = match parameter.kind {
            Kind::Whole { min, .. } => min,
            Kind::AtLeast { max, .. } => max,
            _ => return,
        };
        // if this is refused too, the parameter stays as it is and the run has a line of its own
        let _ = policy.set(id, &end.to_string());
    }
}

fn number(value: Value) -> Option<f64> {
    match value {
        Value::Whole(number) => number.map(|number| number as f64),
        Value::Real(number) => Some(number),
        Value::Choice(_)
        | Value::Written(_)
        | Value::Several(_)
        | Value::File(_)
        | Value::Changes(_)
        | Value::Script(_) => None,
    }
}

fn unit_of(parameter: &Parameter) -> &'static str {
    match parameter.kind {
        Kind::Whole { unit, .. } | Kind::AtLeast { unit, .. } | Kind::Real { unit, .. } => unit,
        Kind::Choice { .. }
        | Kind::Formula { .. }
        | Kind::Several { .. }
        | Kind::Orders { .. }
        | Kind::File
        | Kind::Script
        | Kind::Changes { .. } => "",
    }
}

fn figure(swept: Swept, metric: Metric, series: Vec<Series>) -> Figure {
    let about = metric.about();
    let values = series.iter().flat_map(|series| match &series.data {
        Data::Line(line) | Data::Ranged { line, .. } => line.y.as_slice(),
        _ => &[],
    });
    let y = Axis::of_metric(about.name, metric, values.copied());
    let one = |label: &str| vec![Mark::X { at: 1.0, label: label.to_owned() }];
    let (kind, against, help, source, x, marks) = match swept {
        Swept::Distortion => (
            "distortion",
            "distortion".to_owned(),
            "Every estimate is multiplied by k: left of 1 run times are underestimated, right of 1 overestimated.",
            "METRICS Fig. 4",
            Axis { scale: Scale::Log2, ..Axis::linear("distortion factor k", AxisUnit::Number("")) },
            one("k = 1"),
        ),
        Swept::Shrink => (
            "load",
            "load".to_owned(),
            "Every time between two submissions is multiplied by the shrinking factor: the further left, the more load. \
             Where a run is saturated (the table says so) a value means nothing.",
            "DYNP Figs 2-8",
            Axis::linear("shrinking factor", AxisUnit::Number("")),
            one("as the log"),
        ),
        Swept::Users => (
            "users",
            "the number of users".to_owned(),
            "So many times as many users, with all that they submit. Where they react, throughput grows until the machine is \
             saturated, and not beyond; a replay's queues grow without end.",
            "Shmueli and Feitelson 2009",
            Axis::linear("times as many users", AxisUnit::Number("")),
            one("as the log"),
        ),
        Swept::Parameter(_, name, unit) => (
            "parameter",
            name.to_lowercase(),
            "Runs that differ in nothing else, by that parameter of their scheduler.",
            "",
            Axis::linear(&name.to_lowercase(), AxisUnit::Number(unit)),
            Vec::new(),
        ),
    };
    Figure {
        kind,
        title: format!("{} against {against}", about.name),
        common: String::new(),
        help: UnitText::new(help),
        source,
        x,
        y,
        series,
        marks,
        empty:
            "Nothing was swept: add distortion factors under Estimates, shrinking factors or users under Workload, or the \
                same scheduler with another number; or take the recipe METRICS Fig. 4"
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ink;
    use packfair_engine::metric::Curves;
    use packfair_study::RunReport;
    use packfair_study::sureness::{CarriedIntervals, Interval, Repeats};

    fn report(scheduler: &str, estimate: &str, shrink: f64, bsld: f64) -> RunReport {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        RunReport {
            run: run.at_shrink((shrink != 1.0).then_some(shrink)),
            shrink,
            jobs: 1,
            values: [(Metric::Bsld, bsld)].into_iter().collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        }
    }

    /// The name and the points of a line.
    type NamedLine = (String, Vec<(f64, f64)>);

    fn lines(reports: &[RunReport]) -> Vec<(&'static str, Vec<NamedLine>)> {
        let runs: Vec<Charted<'_>> = reports.iter().map(|report| Charted { report, ink: Ink::Rest }).collect();
        let points = |series: &Series| match &series.data {
            Data::Line(line) => (series.name.clone(), line.x.iter().copied().zip(line.y.iter().copied()).collect()),
            other => panic!("{other:?}"),
        };
        let figures = sweeps(&runs, &[Metric::Bsld, Metric::Af], None);
        figures.iter().map(|figure| (figure.kind, figure.series.iter().map(points).collect())).collect()
    }

    #[test]
    fn a_line_a_scheduler_against_the_load() {
        let reports = [
            report("easy", "actual", 1.0, 10.0),
            report("easy", "actual", 0.8, 30.0),
            report("easy", "actual", 0.9, 20.0),
            report("dynp", "actual", 1.0, 5.0),
            report("dynp", "actual", 0.8, 6.0),
            report("fcfs", "actual", 1.0, 7.0),
        ];
        let easy = vec![(0.8, 30.0), (0.9, 20.0), (1.0, 10.0)];
        let dynp = vec![(0.8, 6.0), (1.0, 5.0)];
        assert_eq!(lines(&reports), [("load", vec![("EASY".to_owned(), easy), ("dynP".to_owned(), dynp)])]);
    }

    #[test]
    fn repeats_make_a_band_around_a_line() {
        let reports = [report("easy", "actual", 1.0, 10.0), report("easy", "actual", 0.8, 30.0)];
        let charted: Vec<Charted<'_>> = reports.iter().map(|report| Charted { report, ink: Ink::Rest }).collect();
        let runs = reports.each_ref().map(|report| report.run.clone());
        let mut carried = CarriedIntervals::of(2);
        for (run, (low, high)) in runs.iter().zip([(8.0, 11.0), (25.0, 36.0)]) {
            carried.add(run, Metric::Bsld, Ok(Interval { low, high }), None);
        }
        let repeated = Repeated::carried(Repeats::of(2), vec![Metric::Bsld], carried);
        let figure = &sweeps(&charted, &[Metric::Bsld], Some(&repeated))[0];
        let (line, low, high) = (Line { x: vec![0.8, 1.0], y: vec![30.0, 10.0] }, vec![25.0, 8.0], vec![36.0, 11.0]);
        assert_eq!(figure.series[0].data, Data::Ranged { line, low, high });
        assert_eq!(figure.series[0].data.y_range((0.0, 2.0), |_| true), Some((8.0, 36.0)));
    }

    #[test]
    fn what_differs_besides_is_another_line() {
        let reports = [
            report("easy", "actual", 1.0, 10.0),
            report("easy", "actual*2", 1.0, 30.0),
            report("easy", "actual", 0.5, 20.0),
            report("easy", "actual*2", 0.5, 40.0),
        ];
        let kinds: Vec<_> = lines(&reports).into_iter().map(|(kind, series)| (kind, series.len())).collect();
        assert_eq!(kinds, [("distortion", 2), ("load", 2)]);
    }

    #[test]
    fn a_parameter_of_a_scheduler_is_swept_too() {
        let reports = [
            report("easy:threshold=60", "actual", 1.0, 1.0),
            report("easy:threshold=3600", "actual", 1.0, 3.0),
            report("easy:backfill=sjf,threshold=60", "actual", 1.0, 2.0),
        ];
        let threshold = vec![(60.0, 1.0), (3600.0, 3.0)];
        assert_eq!(lines(&reports), [("parameter", vec![("EASY".to_owned(), threshold)])]);
        let bounds = [
            report("dynp-basic:lower=100,upper=200", "actual", 1.0, 1.0),
            report("dynp-basic:lower=100,upper=300", "actual", 1.0, 2.0),
            report("dynp-basic:lower=150,upper=300", "actual", 1.0, 4.0),
        ];
        let kinds: Vec<_> = lines(&bounds).into_iter().map(|(kind, series)| (kind, series.len())).collect();
        assert_eq!(kinds, [("parameter", 1), ("parameter", 1)], "each bound by itself");
    }

    #[test]
    fn where_nothing_was_swept_it_says_so() {
        let all = lines(&[report("easy", "actual", 1.0, 1.0), report("dynp", "actual", 1.0, 1.0)]);
        assert_eq!(all, [("distortion", vec![])]);
    }
}
