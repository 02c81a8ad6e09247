//! Which jobs wait: the cumulative wait area, METRICS Fig. 3, bottom.

use super::{Charted, NO_RUNS, common, series_of};
use crate::{Axis, AxisUnit, Data, Extent, Figure, Ink, Scale, Series};
use packfair_engine::metric::Line;
use packfair_workload::{Steps, Unit, UnitText};

/// The cumulative wait area against job area, a line for each run.
///
/// `area` is the cumulative fraction of job area. It is drawn as a guide, scaled to the largest wait area: a line above
/// it makes smaller jobs wait more than their share.
pub fn cwa(runs: &[Charted<'_>], area: Option<&Steps>, unit: Unit) -> Figure {
    let mut series = series_of(runs, |curves| Data::Steps { line: curves.cwa.clone(), before: Some(0.0) });
    let top = runs.iter().filter_map(|r| r.report.curves.cwa.y.last()).copied().fold(0.0, f64::max);
    if let Some(area) = area.filter(|_| top > 0.0) {
        let line = Line { x: area.x.clone(), y: area.y.iter().map(|share| share * top).collect() };
        let guide = Data::Steps { line, before: Some(0.0) };
        series.insert(0, Series { name: "job area (scaled)".to_owned(), data: guide, ink: Ink::Guide, run: None });
    }
    Figure {
        kind: "cwa",
        title: "Cumulative wait area".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "Wait of all jobs up to a size, times their width. Where a line is steep, jobs of that size pay; the end is the whole price.",
        ),
        source: "METRICS Fig. 3, bottom",
        x: Axis::log("job area", AxisUnit::Number(unit.seconds())),
        y: Axis::linear("cumulative wait area", AxisUnit::Number(unit.seconds()))
            .with_extent(Extent::DataAndZero)
            .or(Scale::Log),
        series,
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}
