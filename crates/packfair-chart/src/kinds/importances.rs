//! How much features mattered to a learned classifier, week by week (CLASSIFY Fig. 5).

use super::{Classed, NO_CLASSES, run_names};
use crate::{Axis, AxisClock, AxisUnit, BoxPlot, Data, Extent, Figure, Ink, Series};
use packfair_workload::UnitText;

/// The Gini importances by week, a line for each feature, of the first run that has any.
pub fn importances(runs: &[Classed<'_>], clock: &AxisClock) -> Figure {
    let first = runs.iter().find(|run| !run.course.importances.is_empty());
    let lines = first.map(|run| &run.course.importances[..]).unwrap_or_default();
    let one = |(place, (name, line)): (usize, &(String, packfair_engine::metric::Line))| Series {
        name: name.clone(),
        data: Data::Line(line.clone()),
        ink: Ink::Series(place),
        run: None,
    };
    Figure {
        kind: "importances",
        title: "What classes are learned from".to_owned(),
        common: first.map(|run| run_names(&[run.run]).concat()).unwrap_or_default(),
        help: UnitText::new(
            "Gini importance in the forest of each week, of the features that matter most. u user, L requested time, q \
             {units}, d day of the week.",
        ),
        source: "CLASSIFY Fig. 5",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear("importance", AxisUnit::Fraction).with_extent(Extent::DataAndZero),
        series: lines.iter().enumerate().map(one).collect(),
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

/// The spread of each feature's Gini importance over the weeks, a box plot for each feature, of the first run that has
/// any.
pub fn importance_boxes(runs: &[Classed<'_>]) -> Figure {
    let first = runs.iter().find(|run| !run.course.spreads.is_empty());
    let spreads = first.map(|run| &run.course.spreads[..]).unwrap_or_default();
    let at = |(place, (_, spread)): (usize, &(String, packfair_engine::metric::Quartiles))| BoxPlot {
        from: place as f64 - HALF,
        to: place as f64 + HALF,
        spread: *spread,
    };
    let plots: Vec<BoxPlot> = spreads.iter().enumerate().map(at).collect();
    let names: Vec<String> = spreads.iter().map(|(name, _)| name.clone()).collect();
    let extent = Extent::Fixed(-1.0, names.len() as f64);
    let series = Series { name: "importance".to_owned(), data: Data::BoxPlots(plots), ink: Ink::Plain, run: None };
    Figure {
        kind: "importance-boxes",
        title: "What features are worth".to_owned(),
        common: first.map(|run| run_names(&[run.run]).concat()).unwrap_or_default(),
        help: UnitText::new(
            "Gini importance over the weeks: the box has the middle half of them, the line in it the median, and whiskers \
             reach to the farthest within one and a half times the box. u user, L requested time, q {units}, d day of \
             the week.",
        ),
        source: "CLASSIFY Fig. 5",
        x: Axis::linear("feature", AxisUnit::Names(names.into())).with_extent(extent),
        y: Axis::linear("importance", AxisUnit::Fraction).with_extent(Extent::DataAndZero),
        series: if spreads.is_empty() { Vec::new() } else { vec![series] },
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

/// Half the width of a box, as a fraction of its place.
const HALF: f64 = 0.35;

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::{ClassCourse, Line, Quartiles};
    use packfair_study::Run;

    #[test]
    fn the_first_run_with_trees_is_told_of() {
        let line = |y| Line { x: vec![0.0], y: vec![y] };
        let course = ClassCourse {
            importances: vec![("L".into(), line(0.5)), ("q".into(), line(0.1))],
            spreads: ["q", "L"].map(|name| (name.to_owned(), Quartiles::of(vec![0.25, 0.75]).unwrap())).into(),
            ..ClassCourse::default()
        };
        let bare = ClassCourse::default();
        let run = |id: &str| Run::new(id.parse().unwrap(), "requested".parse().unwrap());
        let (easy, learned) = (run("easy"), run("fcfs-ci"));
        let of = |run, course| Classed { run, ink: Ink::Plain, course };
        let figure = importances(&[of(&easy, &bare), of(&learned, &course)], &AxisClock::ELAPSED);
        assert_eq!(figure.common, "FCFS-CI");
        assert_eq!(figure.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["L", "q"]);
        assert!(importances(&[of(&easy, &bare)], &AxisClock::ELAPSED).series.is_empty());
        let boxes = importance_boxes(&[of(&easy, &bare), of(&learned, &course)]);
        assert_eq!((boxes.common.as_str(), boxes.series.len(), boxes.series[0].data.len()), ("FCFS-CI", 1, 2));
        assert_eq!(boxes.series[0].data.x_range(|_| true), Some((-HALF, 1.0 + HALF)));
        assert_eq!(boxes.to_csv().lines().nth(2), Some("\"importance, quartiles\",-0.35,0.35,0.5,0.375,0.625"));
        assert!(importance_boxes(&[of(&easy, &bare)]).series.is_empty());
    }
}
