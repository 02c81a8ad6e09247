//! What features were worth to a learned classifier, week by week (CLASSIFY Fig. 5).

use super::{Classed, NO_CLASSES, run_names};
use crate::chart::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Series};

/// Gini importances by week, a line a feature, of the first run that has any.
pub fn importances(runs: &[Classed<'_>], clock: &AxisClock) -> Figure {
    let first = runs.iter().find(|run| !run.course.importances.is_empty());
    let lines = first.map(|run| &run.course.importances[..]).unwrap_or_default();
    let one = |(place, (name, line)): (usize, &(String, crate::metric::Line))| Series {
        name: name.clone(),
        data: Data::Line(line.clone()),
        ink: Ink::Series(place),
        run: None,
    };
    Figure {
        kind: "importances",
        title: "What classes are learned from".to_owned(),
        common: first.map(|run| run_names(&[run.run]).concat()).unwrap_or_default(),
        help: "Gini importance in the forest of each week, of the features that matter most. u user, L requested time, q \
               processors, d day of the week.",
        source: "CLASSIFY Fig. 5",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear("importance", AxisUnit::Fraction).with_extent(Extent::DataAndZero),
        series: lines.iter().enumerate().map(one).collect(),
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{ClassCourse, Line};
    use crate::study::Run;

    #[test]
    fn the_first_run_with_trees_is_told_of() {
        let line = |y| Line { x: vec![0.0], y: vec![y] };
        let course = ClassCourse {
            importances: vec![("L".into(), line(0.5)), ("q".into(), line(0.1))],
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
    }
}
