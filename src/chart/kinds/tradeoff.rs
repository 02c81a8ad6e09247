//! Packing against fairness: a point a run, and the runs that no other beats in both.

use super::{Charted, NO_RUNS, common, run_names};
use crate::chart::{Axis, Data, Figure, Ink, Mark, Scale, Series, Spot, Unit};
use crate::metric::{Line, Metric};
use crate::order;
use crate::study::{Run, Study};

/// AWF (packing) to the right, `fairness` (P²SF, or an average unfairness) up, as change to the study's baseline where
/// it has one, else in seconds. In both less is better; the dotted line is the Pareto front.
///
/// A baseline that is perfectly fair allows no change in percent: then values are shown.
pub fn tradeoff(runs: &[Charted<'_>], study: &Study, fairness: Metric) -> Figure {
    let values = |run: &Run| {
        let report = runs.iter().find(|r| r.report.run == *run)?.report;
        Some((*report.values.get(&Metric::Awf)?, *report.values.get(&fairness)?))
    };
    let relative = |run: &Run| {
        let ((x, y), (x0, y0)) = (values(run)?, values(&study.baseline_of(run)?)?);
        Some((x / x0, y / y0)).filter(|(x, y)| x.is_finite() && y.is_finite() && *x > 0.0 && *y > 0.0)
    };
    let is_zero = |run: &Run| values(run).is_some_and(|(_, y)| y == 0.0);
    let is_relative = runs.iter().any(|r| relative(&r.report.run).is_some())
        && !(fairness != Metric::P2sf && runs.iter().any(|r| is_zero(&r.report.run)));
    let place = |run: &Run| if is_relative { relative(run) } else { values(run) };
    let names = run_names(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>());
    let mut series = Vec::new();
    let mut points = Vec::new();
    for (run, name) in runs.iter().zip(names) {
        let Some((x, y)) = place(&run.report.run) else { continue };
        points.push((x, y));
        let spot = Spot { x, y, name: name.clone() };
        series.push(Series::of_run(name, &run.report.run, run.ink, Data::Spots(vec![spot])));
    }
    let front = front(points);
    // the chosen runs lie before the others
    order::sort_by(&mut series, |a, b| (a.ink != Ink::Rest).cmp(&(b.ink != Ink::Rest)));
    if front.x.len() > 1 {
        let data = Data::Steps { line: front, before: None };
        series.insert(0, Series { name: "Pareto front".to_owned(), data, ink: Ink::Guide, run: None });
    }
    let axis = |metric: Metric, what: &str| {
        let about = metric.about();
        match is_relative {
            // ratios, by their logarithm: half and double are equally far from the baseline
            true => Axis::log(&format!("change of {} ({what})", about.name), Unit::Change).or(Scale::Linear),
            false => Axis::linear(&format!("{} ({what})", about.name), Unit::Number(about.unit)).or(Scale::Log),
        }
    };
    let baseline =
        || vec![Mark::X { at: 1.0, label: "baseline".to_owned() }, Mark::Y { at: 1.0, label: String::new() }];
    Figure {
        kind: "tradeoff",
        title: "Packing against fairness".to_owned(),
        common: common(runs),
        help: "Less is better in both: down is fairer, left is better packed. No run beats those on the dotted line in both.",
        source: if fairness == Metric::P2sf { "METRICS §III, §IV" } else { "METRICS §III; FAIRNESS §3.1" },
        x: axis(Metric::Awf, "packing"),
        y: axis(fairness, "fairness"),
        series,
        marks: if is_relative { baseline() } else { Vec::new() },
        empty: NO_RUNS.to_owned(),
    }
}

/// The points that no other point is below and left of, from left to right.
fn front(mut points: Vec<(f64, f64)>) -> Line {
    order::sort_by(&mut points, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut front = Line::default();
    for (x, y) in points {
        if front.y.last().is_none_or(|&lowest| y < lowest) {
            front.x.push(x);
            front.y.push(y);
        }
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_the_points_that_none_beats() {
        let line = front(vec![(3.0, 1.0), (1.0, 5.0), (2.0, 5.0), (2.0, 3.0), (4.0, 1.0), (1.0, 6.0)]);
        assert_eq!((line.x, line.y), (vec![1.0, 2.0, 3.0], vec![5.0, 3.0, 1.0]));
    }
}
