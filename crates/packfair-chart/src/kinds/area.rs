//! The distribution of jobs and of work over job areas: METRICS Fig. 3, top.

use crate::{Axis, AxisUnit, Data, Extent, Figure, Ink, Series};
use packfair_engine::metric::Line;
use packfair_workload::{Steps, Unit, UnitText};

/// The cumulative fractions of jobs and of job area, against job area.
pub fn area_distribution(jobs: &Steps, area: &Steps, unit: Unit) -> Figure {
    let steps = |name: &str, curve: &Steps, ink| Series {
        name: name.to_owned(),
        data: Data::Steps { line: Line { x: curve.x.clone(), y: curve.y.clone() }, before: Some(0.0) },
        ink: Ink::Series(ink),
        run: None,
    };
    Figure {
        kind: "area",
        title: "Jobs and work by job area".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "How far to the right the line of work lies of the line of jobs is how much few large jobs weigh.",
        ),
        source: "METRICS Fig. 3, top",
        x: Axis::log("job area", AxisUnit::Number(unit.seconds())),
        y: Axis::linear("cumulative fraction", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series: vec![steps("jobs", jobs, 0), steps("job area", area, 1)],
        marks: Vec::new(),
        empty: "The workload has no jobs".to_owned(),
    }
}
