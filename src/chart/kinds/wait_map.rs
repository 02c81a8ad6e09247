//! Who waits how long: width against requested time.

use crate::chart::{Axis, AxisUnit, Data, Extent, Figure, FigureBox, Fill, Ink, Series, Shade};
use crate::metric::WaitCell;
use crate::study::format;

/// The longest median wait of the classes, seconds.
pub fn longest_median(cells: &[WaitCell]) -> f64 {
    cells.iter().map(|cell| cell.median).fold(0.0, f64::max)
}

/// A heat map of jobs by width and requested time: the stronger the colour, the longer the median wait. The strongest
/// stands for `longest`, seconds, so that maps beside each other can be compared.
pub fn wait_map(of: &str, cells: &[WaitCell], longest: f64) -> Figure {
    // from minutes to days
    let level = |wait: f64| Shade::Level(libm::log(wait + 60.0) / libm::log(longest + 60.0));
    let block = |cell: &WaitCell| FigureBox {
        x: WaitCell::bounds(cell.limit),
        y: WaitCell::bounds(cell.width),
        shade: if cell.median > 0.0 { level(cell.median) } else { Shade::Level(0.0) },
        fill: Fill::Solid,
        is_outlined: false,
    };
    let blocks: Vec<FigureBox> = cells.iter().map(block).collect();
    let extent = |of: fn(&FigureBox) -> (f64, f64)| {
        let low = blocks.iter().map(|block| of(block).0).fold(f64::INFINITY, f64::min);
        let high = blocks.iter().map(|block| of(block).1).fold(0.0, f64::max);
        if blocks.is_empty() { Extent::Data } else { Extent::Fixed(low, high) }
    };
    let x = Axis::log("requested time", AxisUnit::Duration).with_extent(extent(|block| block.x));
    let y = Axis::log("width", AxisUnit::Count("processors")).with_extent(extent(|block| block.y));
    let series = Series { name: "median wait".to_owned(), data: Data::Blocks(blocks), ink: Ink::Plain, run: None };
    Figure {
        kind: "wait-map",
        title: format!("Median wait, {of}"),
        common: if longest > 0.0 { format!("strongest colour: {}", format::span(longest)) } else { String::new() },
        help: "Jobs by width and requested time, in classes that reach from a power of two to the next: the stronger the \
               colour, the longer the median wait of the class. All maps share one scale.",
        source: "",
        x,
        y,
        series: if cells.is_empty() { Vec::new() } else { vec![series] },
        marks: Vec::new(),
        empty: "No job's wait is known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_has_the_strongest_colour() {
        let cell = |limit, width, median| WaitCell { limit, width, jobs: 1, median };
        let figure = wait_map("EASY", &[cell(6, 0, 0.0), cell(12, 3, 3_600.0)], 3_600.0);
        let Data::Blocks(blocks) = &figure.series[0].data else { panic!("{figure:?}") };
        assert_eq!(blocks.iter().map(|block| block.shade).collect::<Vec<_>>(), [Shade::Level(0.0), Shade::Level(1.0)]);
        assert_eq!((blocks[1].x, blocks[1].y), ((4_096.0, 8_192.0), (8.0, 16.0)));
        assert!(wait_map("EASY", &[], 0.0).series.is_empty());
    }
}
