//! What wrong estimates do: a metric against the distortion factor k, METRICS Fig. 4.

use super::Charted;
use super::names::run_names;
use crate::chart::{Axis, Data, Figure, Ink, Mark, Scale, Series, Unit};
use crate::estimator::{Estimate, Method};
use crate::metric::{Line, Metric};
use crate::order;
use crate::scheduler::Policy;
use crate::study::Run;

/// One figure for each of `metrics` that some run has, each with a line for every scheduler and method that ran
/// with two factors or more, inked in the order in which they come. Where nothing was swept, a single figure says so.
pub fn distortion(runs: &[Charted<'_>], metrics: &[Metric]) -> Vec<Figure> {
    let swept = sweeps(runs);
    if swept.is_empty() {
        return metrics.first().map(|&metric| figure(metric, Vec::new())).into_iter().collect();
    }
    let firsts: Vec<Run> = swept
        .iter()
        .map(|sweep| Run { scheduler: sweep.scheduler.clone(), estimate: Estimate::of(sweep.method.clone()) })
        .collect();
    let names = run_names(&firsts.iter().collect::<Vec<_>>());
    let of_metric = |metric: &Metric| {
        let series: Vec<Series> = swept
            .iter()
            .zip(&names)
            .enumerate()
            .filter_map(|(ink, (sweep, name))| {
                let line = sweep.line(*metric)?;
                Some(Series::of_run(name.clone(), &sweep.runs[0].report.run, Ink::Series(ink), Data::Line(line)))
            })
            .collect();
        (!series.is_empty()).then(|| figure(*metric, series))
    };
    metrics.iter().filter_map(of_metric).collect()
}

/// A scheduler and a method with the runs at different factors, ascending.
struct Sweep<'a> {
    scheduler: &'a Policy,
    method: &'a Method,
    runs: Vec<Charted<'a>>,
}

impl Sweep<'_> {
    fn line(&self, metric: Metric) -> Option<Line> {
        let value = |run: &Charted<'_>| Some((run.report.run.estimate.k, *run.report.values.get(&metric)?));
        let (x, y): (Vec<f64>, Vec<f64>) = self.runs.iter().filter_map(value).unzip();
        (x.len() >= 2).then_some(Line { x, y })
    }
}

fn sweeps<'a>(runs: &[Charted<'a>]) -> Vec<Sweep<'a>> {
    let mut sweeps: Vec<Sweep<'a>> = Vec::new();
    for &charted in runs {
        let run = &charted.report.run;
        let method = &run.estimate.method;
        match sweeps.iter_mut().find(|s| s.method == method && *s.scheduler == run.scheduler) {
            Some(sweep) => sweep.runs.push(charted),
            None => sweeps.push(Sweep { scheduler: &run.scheduler, method, runs: vec![charted] }),
        }
    }
    sweeps.retain(|sweep| sweep.runs.len() >= 2);
    for sweep in &mut sweeps {
        order::sort_by(&mut sweep.runs, |a, b| a.report.run.estimate.k.total_cmp(&b.report.run.estimate.k));
    }
    sweeps
}

fn figure(metric: Metric, series: Vec<Series>) -> Figure {
    let about = metric.about();
    Figure {
        kind: "distortion",
        title: format!("{} against distortion", about.name),
        common: String::new(),
        help: "Every estimate is multiplied by k: left of 1 run times are underestimated, right of 1 overestimated.",
        source: "METRICS Fig. 4",
        x: Axis { scale: Scale::Log2, ..Axis::linear("distortion factor k", Unit::Number("")) },
        y: Axis::linear(about.name, Unit::Number(about.unit)),
        series,
        marks: vec![Mark::X { at: 1.0, label: "k = 1".to_owned() }],
        empty: "No scheduler ran with two or more distortion factors: add some under Estimates, or take the recipe METRICS Fig. 4"
            .to_owned(),
    }
}
