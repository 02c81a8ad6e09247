//! Which widths, requested times and run times occur together: similar workloads are drawn from these distributions.

use crate::{Axis, AxisUnit, Data, Extent, Figure, FigureBox, Fill, Ink, Series, Shade};
use packfair_workload::like::{Analysis, JointClass};
use packfair_workload::{Unit, UnitText};
use std::collections::BTreeMap;

/// Three heat maps of jobs: width against requested time, width against run time, requested time against run time.
pub fn joint(analysis: &Analysis, unit: Unit) -> [Figure; 3] {
    let all = &analysis.joint;
    let seconds = |title| Axis::log(title, AxisUnit::Duration);
    let width = || Axis::log("width", AxisUnit::Count(unit.plural()));
    let (requested, run) = ("requested time", "run time");
    [
        map("joint-requested", "Width and requested time", seconds(requested), width(), all, |c| {
            (c.requested, c.width)
        }),
        map("joint-run", "Width and run time", seconds(run), width(), all, |c| (c.run, c.width)),
        map("joint-times", "Requested and run time", seconds(run), seconds(requested), all, |c| (c.run, c.requested)),
    ]
}

fn map(
    kind: &'static str,
    title: &str,
    x: Axis,
    y: Axis,
    all: &[JointClass],
    places: fn(&JointClass) -> (u8, u8),
) -> Figure {
    let mut jobs: BTreeMap<(u8, u8), u64> = BTreeMap::new();
    for class in all {
        *jobs.entry(places(class)).or_default() += class.jobs;
    }
    let most = jobs.values().copied().max().unwrap_or(1) as f64;
    // many cells hold one or two jobs, few hold thousands
    let level = |jobs: u64| Shade::Level(libm::log(jobs as f64 + 1.0) / libm::log(most + 1.0));
    let block = |(&(x, y), &jobs): (&(u8, u8), &u64)| FigureBox {
        x: JointClass::bounds(x),
        y: JointClass::bounds(y),
        shade: level(jobs),
        fill: Fill::Solid,
        is_outlined: false,
    };
    let blocks: Vec<FigureBox> = jobs.iter().map(block).collect();
    let extent = |of: fn(&FigureBox) -> (f64, f64)| {
        let low = blocks.iter().map(|block| of(block).0).fold(f64::INFINITY, f64::min);
        let high = blocks.iter().map(|block| of(block).1).fold(0.0, f64::max);
        if blocks.is_empty() { Extent::Data } else { Extent::Fixed(low, high) }
    };
    let (x, y) = (x.with_extent(extent(|block| block.x)), y.with_extent(extent(|block| block.y)));
    let data = Data::Blocks(blocks);
    Figure {
        kind,
        title: title.to_owned(),
        common: String::new(),
        help: UnitText::new(
            "Jobs by classes that reach from a power of two to the next: the stronger the colour, the more. Workloads \
             that are made like this one draw their jobs from the single combinations.",
        ),
        source: "DYNP §4",
        x,
        y,
        series: if jobs.is_empty() {
            Vec::new()
        } else {
            vec![Series { name: "jobs".to_owned(), data, ink: Ink::Plain, run: None }]
        },
        marks: Vec::new(),
        empty: "There are no jobs".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::test_jobs;

    #[test]
    fn each_map_holds_all_jobs() {
        let workload = test_jobs::workload(8, &[(0, 1, 9, 10), (1, 1, 9, 10), (2, 8, 500, 600), (3, 8, 9, 600)]);
        let cells = joint(&Analysis::of(&workload), Unit::Processors).map(|figure| match &figure.series[0].data {
            Data::Blocks(blocks) => blocks.iter().map(|block| (block.x, block.y)).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        });
        let (short, long) = ((8.0, 16.0), (512.0, 1024.0));
        assert_eq!(cells[0], [(short, (1.0, 2.0)), (long, (8.0, 16.0))]);
        assert_eq!(cells[1], [(short, (1.0, 2.0)), (short, (8.0, 16.0)), ((256.0, 512.0), (8.0, 16.0))]);
        assert_eq!(cells[2], [(short, short), (short, long), ((256.0, 512.0), long)]);
    }
}
