//! Forecasts of a queue: when one job starts, and what becomes of the machine.

use super::NO_RUNS;
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Mark, Series};
use packfair_engine::metric::Line;
use packfair_when::{Forecast, JobTold, MachineCourse};
use packfair_workload::{Seconds, UnitText};

/// The chance that a job has started, by the time; nothing where nothing is told of it.
pub fn start_chances(told: Option<(&JobTold, &Forecast)>, now: Seconds, clock: &AxisClock) -> Figure {
    let fan = told.map(|(told, _)| told.fan.as_slice()).unwrap_or_default();
    let steps = fan.len().saturating_sub(1).max(1) as f64;
    let at = |seconds: Seconds| (now + seconds) as f64;
    let line = Line {
        x: fan.iter().map(|&seconds| at(seconds)).collect(),
        y: (0..fan.len()).map(|place| place as f64 / steps).collect(),
    };
    let points = told.map(|(_, told)| [(told.p10, "10 %"), (told.p50, "median"), (told.p90, "90 %")]);
    let mark = |(seconds, label): (Seconds, &str)| Mark::X { at: at(seconds), label: label.to_owned() };
    Figure {
        kind: "start-chances",
        title: told.map_or_else(String::new, |(told, _)| format!("When job {} starts", told.job)),
        common: String::new(),
        help: UnitText::new(
            "The chance that it has started by a time, over all futures, as the weeks before have calibrated them.",
        ),
        source: "",
        x: Axis::linear("time", AxisUnit::Time(clock.clone())),
        y: Axis::linear("has started", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series: vec![Series { name: "chance".to_owned(), data: Data::Line(line), ink: Ink::Plain, run: None }],
        marks: points.into_iter().flatten().map(mark).collect(),
        empty: NO_RUNS.to_owned(),
    }
}

/// How many jobs wait in the next days, with the band in which 80 % of the futures lie.
pub fn queue_ahead(course: &MachineCourse, now: Seconds, clock: &AxisClock) -> Figure {
    Figure {
        kind: "queue-ahead",
        title: "Jobs that wait".to_owned(),
        help: UnitText::new("Median of the futures, and the band in which 80 % of them lie."),
        ..ahead(course, &course.queue, now, clock, Axis::linear("jobs", AxisUnit::Count("jobs")))
    }
}

/// How much of the machine is free in the next days.
pub fn free_ahead(course: &MachineCourse, now: Seconds, clock: &AxisClock, unit: &'static str) -> Figure {
    Figure {
        kind: "free-ahead",
        title: format!("Free {unit}"),
        help: UnitText::new(
            "{Units} that no job holds: median of the futures, and the band in which 80 % of them lie.",
        ),
        ..ahead(course, &course.free, now, clock, Axis::linear("free", AxisUnit::Count(unit)))
    }
}

fn ahead(course: &MachineCourse, bands: &[[f64; 3]], now: Seconds, clock: &AxisClock, y: Axis) -> Figure {
    let x = course.times.iter().map(|&seconds| (now + seconds) as f64).collect();
    let of = |place: usize| bands.iter().map(|band| band[place]).collect::<Vec<f64>>();
    let data = Data::Ranged { line: Line { x, y: of(1) }, low: of(0), high: of(2) };
    Figure {
        kind: "ahead",
        title: String::new(),
        common: String::new(),
        help: UnitText::new(""),
        source: "",
        x: Axis::linear("time", AxisUnit::Time(clock.clone())),
        y: y.with_extent(Extent::DataAndZero),
        series: vec![Series { name: "median".to_owned(), data, ink: Ink::Plain, run: None }],
        marks: Vec::new(),
        empty: "The machine's next days are told once all futures are drawn.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_next_days_have_a_band_and_a_job_its_points() {
        let course = MachineCourse {
            times: vec![0, 10_800],
            queue: vec![[1.0, 2.0, 4.0], [0.0, 1.0, 5.0]],
            free: vec![[0.0; 3]; 2],
            processors: 8,
        };
        let figure = queue_ahead(&course, 100, &AxisClock::ELAPSED);
        let Data::Ranged { line, low, high } = &figure.series[0].data else { panic!("{figure:?}") };
        assert_eq!((line.x.as_slice(), line.y.as_slice()), ([100.0, 10_900.0].as_slice(), [2.0, 1.0].as_slice()));
        assert_eq!((low.as_slice(), high.as_slice()), ([1.0, 0.0].as_slice(), [4.0, 5.0].as_slice()));
        assert_eq!(free_ahead(&course, 0, &AxisClock::ELAPSED, "nodes").title, "Free nodes");
    }
}
