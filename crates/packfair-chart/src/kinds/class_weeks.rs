//! How the jobs of each week were classified (CLASSIFY Fig. 4).

use super::{Classed, NO_CLASSES, series_of_classed};
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure};
use packfair_engine::metric::{Line, WeekOfClasses};
use packfair_workload::UnitText;

/// A rate of the jobs of a week, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// The share of jobs that were classified correctly.
    Accuracy,
    /// The share of small jobs among those classified as small.
    Precision,
    /// The share of small jobs that were classified as small.
    Recall,
    /// The share of all jobs that were small and classified as large.
    FalseLarge,
    /// The share of all jobs that were large and classified as small.
    FalseSmall,
}

impl Rate {
    fn of(self, week: &WeekOfClasses) -> Option<f64> {
        match self {
            Rate::Accuracy => week.accuracy,
            Rate::Precision => week.precision,
            Rate::Recall => week.recall,
            Rate::FalseLarge => week.false_large,
            Rate::FalseSmall => week.false_small,
        }
    }

    fn name(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Rate::Accuracy => ("class-accuracy", "Accuracy of classes", "jobs classified correctly"),
            Rate::Precision => {
                ("class-precision", "Precision of classes", "small jobs among those classified as small")
            }
            Rate::Recall => ("class-recall", "Recall of classes", "small jobs that were classified as small"),
            Rate::FalseLarge => ("class-false-large", "False large", "small jobs classified as large, of all jobs"),
            Rate::FalseSmall => ("class-false-small", "False small", "large jobs classified as small, of all jobs"),
        }
    }
}

/// A rate by the week in which jobs were submitted, a line for each run.
pub fn class_weeks(runs: &[Classed<'_>], rate: Rate, clock: &AxisClock) -> Figure {
    let (series, common) = series_of_classed(runs, |course| {
        let known = course.weeks.iter().filter_map(|week| Some((week.begin as f64, rate.of(week)?)));
        let (x, y) = known.unzip();
        Data::Line(Line { x, y })
    });
    let (kind, title, y) = rate.name();
    // errors are rare: on an axis up to 1, they could not be distinguished
    let is_error = matches!(rate, Rate::FalseLarge | Rate::FalseSmall);
    let extent = if is_error { Extent::DataAndZero } else { Extent::Fixed(0.0, 1.0) };
    Figure {
        kind,
        title: title.to_owned(),
        common,
        help: UnitText::new(
            "Of the jobs submitted in each week. Jobs of the first week are not classified: nothing is known then.",
        ),
        source: "CLASSIFY Fig. 4",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear(y, AxisUnit::Fraction).with_extent(extent),
        series,
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ink;
    use packfair_engine::metric::ClassCourse;
    use packfair_study::Run;

    #[test]
    fn weeks_without_a_value_are_left_out_and_so_are_runs_without_classes() {
        let week = |begin, precision| WeekOfClasses {
            begin,
            accuracy: Some(0.5),
            precision,
            recall: None,
            false_large: None,
            false_small: None,
        };
        let course = ClassCourse { weeks: vec![week(7, Some(0.25)), week(14, None)], ..ClassCourse::default() };
        let (run, none) = (Run::new("fcfs-ci".parse().unwrap(), "requested".parse().unwrap()), ClassCourse::default());
        let runs = [&course, &none].map(|course| Classed { run: &run, ink: Ink::Series(0), course });
        let figure = class_weeks(&runs, Rate::Precision, &AxisClock::ELAPSED);
        assert_eq!(figure.series.len(), 1);
        assert_eq!(figure.series[0].data, Data::Line(Line { x: vec![7.0], y: vec![0.25] }));
        assert_eq!(class_weeks(&runs, Rate::Accuracy, &AxisClock::ELAPSED).series[0].data.len(), 2);
        assert!(class_weeks(&runs, Rate::Recall, &AxisClock::ELAPSED).series.is_empty());
    }
}
