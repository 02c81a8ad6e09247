//! The reservation of one job while it waited.

use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Mark, Series};
use packfair_engine::metric::Line;
use packfair_engine::simulation::Reserved;
use packfair_workload::{Seconds, UnitText};

/// The wait that the job's reservation promised, from each round that changed it until the job started at `start`; and
/// its final wait. `submit` is the submit time.
pub fn reservation(course: &[Reserved], submit: Seconds, start: Seconds, clock: &AxisClock) -> Figure {
    // a time without a reservation interrupts the line
    let mut stretches: Vec<Line> = Vec::new();
    let mut held: Option<f64> = None;
    for (i, reserved) in course.iter().enumerate() {
        let until = course.get(i + 1).map_or(start, |next| next.at) as f64;
        let Some(begin) = reserved.start else {
            held = None;
            continue;
        };
        let after = begin - submit as f64;
        if held.is_none() {
            stretches.push(Line::default());
        }
        if let Some(line) = stretches.last_mut() {
            line.x.extend([reserved.at as f64, until]);
            line.y.extend([after, after]);
        }
        held = Some(after);
    }
    let wait = (start - submit) as f64;
    let (low, high) = stretches.iter().flat_map(|line| &line.y).fold((wait, wait), |(l, h), &y| (l.min(y), h.max(y)));
    let air = ((high - low) / 8.0).max(1.0);
    let series =
        |line| Series { name: "reserved start".to_owned(), data: Data::Line(line), ink: Ink::Plain, run: None };
    Figure {
        kind: "reservation",
        title: "Reserved start".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "How long after its submission the job was to start, as the scheduler saw it in each round while the job waited.",
        ),
        source: "FAIRNESS §2",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone()))
            .with_extent(Extent::Fixed(submit as f64, start as f64)),
        y: Axis::linear("start, after submission", AxisUnit::Duration)
            .with_extent(Extent::Fixed(low - air, high + air)),
        series: stretches.into_iter().map(series).collect(),
        marks: vec![Mark::Y { at: wait, label: "it started".to_owned() }],
        empty: "It had no reservation while it waited".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_without_a_reservation_part_the_line() {
        let at = |at, start| Reserved { at, start };
        let course = [at(10, Some(50.0)), at(20, Some(40.0)), at(25, None), at(30, Some(35.0))];
        let figure = reservation(&course, 5, 33, &AxisClock::ELAPSED);
        let lines: Vec<_> = figure
            .series
            .iter()
            .map(|series| match &series.data {
                Data::Line(line) => (line.x.clone(), line.y.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        let first = (vec![10.0, 20.0, 20.0, 25.0], vec![45.0, 45.0, 35.0, 35.0]);
        assert_eq!(lines, [first, (vec![30.0, 33.0], vec![30.0, 30.0])]);
    }
}
