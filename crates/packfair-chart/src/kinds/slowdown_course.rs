//! Bounded slowdown over time: cumulative, and by month (CLASSIFY Figs 6, 7).

use super::{Classed, NO_CLASSES, series_of_classed};
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure};
use packfair_engine::metric::ClassCourse;
use packfair_workload::UnitText;

/// The sum of the bounded slowdowns of all completed jobs, a line for each run. Where a line is steep, jobs suffer.
pub fn cumulative_slowdown(runs: &[Classed<'_>], clock: &AxisClock) -> Figure {
    figure(
        runs,
        clock,
        ("cumulative-slowdown", "Bounded slowdown, summed up", "CLASSIFY Fig. 6"),
        "The bounded slowdowns of all jobs that have completed by then: where a line is steep, jobs suffer.",
        |course| Data::Line(course.cumulative.clone()),
    )
}

/// The average bounded slowdown of the jobs submitted in each month, a line for each run.
pub fn monthly_slowdown(runs: &[Classed<'_>], clock: &AxisClock) -> Figure {
    figure(
        runs,
        clock,
        ("monthly-slowdown", "Bounded slowdown by month", "CLASSIFY Fig. 7"),
        "Average of the jobs submitted in each month, from its first submission on; of every 30 days where the log has no \
         dates.",
        |course| {
            let mut line = course.months.clone();
            // the last month extends to the end of the cumulative curve
            if let (Some(&last), Some(&end)) = (line.y.last(), course.cumulative.x.last()) {
                line.x.push(end);
                line.y.push(last);
            }
            Data::Steps { line, before: None }
        },
    )
}

fn figure(
    runs: &[Classed<'_>],
    clock: &AxisClock,
    (kind, title, source): (&'static str, &'static str, &'static str),
    help: &'static str,
    data: fn(&ClassCourse) -> Data,
) -> Figure {
    let (series, common) = series_of_classed(runs, data);
    Figure {
        kind,
        title: title.to_owned(),
        common,
        help: UnitText::new(help),
        source,
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear(
            if kind == "monthly-slowdown" { "BSLD" } else { "sum of bounded slowdowns" },
            AxisUnit::Number(""),
        )
        .with_extent(Extent::DataAndZero),
        series,
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ink;
    use packfair_engine::metric::Line;
    use packfair_study::Run;

    #[test]
    fn the_last_month_goes_on_to_the_last_completion() {
        let course = ClassCourse {
            cumulative: Line { x: vec![1.0, 90.0], y: vec![1.0, 3.0] },
            months: Line { x: vec![0.0, 50.0], y: vec![1.0, 2.0] },
            ..ClassCourse::default()
        };
        let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let runs = [Classed { run: &run, ink: Ink::Series(0), course: &course }];
        let months = monthly_slowdown(&runs, &AxisClock::ELAPSED);
        let line = Line { x: vec![0.0, 50.0, 90.0], y: vec![1.0, 2.0, 2.0] };
        assert_eq!(months.series[0].data, Data::Steps { line, before: None });
        assert_eq!(
            cumulative_slowdown(&runs, &AxisClock::ELAPSED).series[0].data,
            Data::Line(course.cumulative.clone())
        );
    }
}
