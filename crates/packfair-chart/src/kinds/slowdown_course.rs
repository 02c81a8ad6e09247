//! Bounded slowdown over time: cumulative, and by month (CLASSIFY Figs 6, 7).

use super::{Classed, NO_CLASSES, series_of_classed};
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, FigureBox, Fill, Ink, Series, Shade};
use packfair_engine::metric::{ClassCourse, WaitCell};
use packfair_study::format;
use packfair_workload::{Unit, UnitText};

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

// Heat maps of waits by width and requested time.

/// The longest of the median waits of the classes, seconds.
pub fn longest_median(cells: &[WaitCell]) -> f64 {
    cells.iter().map(|cell| cell.median).fold(0.0, f64::max)
}

/// A heat map of jobs by width and requested time: the stronger the colour, the longer the median wait. The strongest
/// colour stands for `longest` (seconds), so that maps side by side can be compared.
pub fn wait_map(of: &str, cells: &[WaitCell], longest: f64, unit: Unit) -> Figure {
    // on a logarithmic scale from minutes to days
    let level = |wait: f64| Shade::Level(libm::log(wait + 60.0) / libm::log(longest + 60.0));
    let block = |cell: &WaitCell| FigureBox {
        x: WaitCell::bounds(cell.limit),
        y: WaitCell::bounds(cell.width),
        shade: if cell.median > 0.0 { level(cell.median) } else { Shade::Level(0.0) },
        fill: Fill::Solid,
        is_outlined: false,
    };
    Figure {
        title: format!("Median wait, {of}"),
        common: if longest > 0.0 { format!("strongest colour: {}", format::span(longest)) } else { String::new() },
        help: UnitText::new(
            "Jobs by width and requested time, in classes that reach from a power of two to the next: the stronger the \
             colour, the longer the median wait of the class. All maps share one scale.",
        ),
        ..map("median wait", cells.iter().map(block).collect(), unit)
    }
}

/// How much longer the median job of a class waits than in the base, seconds; `None` if the class is missing in one of
/// the two.
pub fn longer_by(cell: &WaitCell, base: &[WaitCell]) -> Option<f64> {
    let base = base.iter().find(|base| (base.limit, base.width) == (cell.limit, cell.width))?;
    Some(cell.median - base.median)
}

/// A heat map of the change of the median wait against a baseline: one colour for shorter waits, one for longer ones.
/// The strongest stands for `most` (seconds), so that maps side by side can be compared.
pub fn wait_change_map(of: &str, beside: &str, cells: &[WaitCell], base: &[WaitCell], most: f64, unit: Unit) -> Figure {
    let block = |cell: &WaitCell| {
        let longer = longer_by(cell, base)?;
        // on a logarithmic scale from minutes to days
        let level = libm::log(longer.abs() / 60.0 + 1.0) / libm::log(most.max(60.0) / 60.0 + 1.0);
        Some(FigureBox {
            x: WaitCell::bounds(cell.limit),
            y: WaitCell::bounds(cell.width),
            shade: Shade::Change(if longer < 0.0 { -level } else { level }),
            fill: Fill::Solid,
            is_outlined: false,
        })
    };
    Figure {
        title: format!("Median wait, {of}, less that of {beside}"),
        common: format!("strongest colours: {} shorter, or longer", format::span(most)),
        help: UnitText::new(
            "Jobs by width and requested time, in classes that reach from a power of two to the next: blue where the \
             median job of the class waits shorter, orange where it waits longer. All maps share one scale.",
        ),
        ..map("difference of median waits", cells.iter().filter_map(block).collect(), unit)
    }
}

/// A figure of boxes by width and requested time.
fn map(name: &str, blocks: Vec<FigureBox>, unit: Unit) -> Figure {
    let extent = |of: fn(&FigureBox) -> (f64, f64)| {
        let low = blocks.iter().map(|block| of(block).0).fold(f64::INFINITY, f64::min);
        let high = blocks.iter().map(|block| of(block).1).fold(0.0, f64::max);
        if blocks.is_empty() { Extent::Data } else { Extent::Fixed(low, high) }
    };
    let x = Axis::log("requested time", AxisUnit::Duration).with_extent(extent(|block| block.x));
    let y = Axis::log("width", AxisUnit::Count(unit.plural())).with_extent(extent(|block| block.y));
    let is_empty = blocks.is_empty();
    let series = Series { name: name.to_owned(), data: Data::Blocks(blocks), ink: Ink::Plain, run: None };
    Figure {
        kind: "wait-map",
        title: String::new(),
        common: String::new(),
        help: UnitText::new(""),
        source: "",
        x,
        y,
        series: if is_empty { Vec::new() } else { vec![series] },
        marks: Vec::new(),
        empty: "No job's wait is known".to_owned(),
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

#[cfg(test)]
mod wait_map_tests {
    use super::*;

    #[test]
    fn the_longest_wait_has_the_strongest_colour() {
        let cell = |limit, width, median| WaitCell { limit, width, jobs: 1, median };
        let figure = wait_map("EASY", &[cell(6, 0, 0.0), cell(12, 3, 3_600.0)], 3_600.0, Unit::Processors);
        let Data::Blocks(blocks) = &figure.series[0].data else { panic!("{figure:?}") };
        assert_eq!(blocks.iter().map(|block| block.shade).collect::<Vec<_>>(), [Shade::Level(0.0), Shade::Level(1.0)]);
        assert_eq!((blocks[1].x, blocks[1].y), ((4_096.0, 8_192.0), (8.0, 16.0)));
        assert!(wait_map("EASY", &[], 0.0, Unit::Processors).series.is_empty());
    }

    #[test]
    fn a_change_has_its_sign_in_its_colour() {
        let cell = |limit, median| WaitCell { limit, width: 0, jobs: 1, median };
        let base = [cell(6, 100.0), cell(7, 7_200.0), cell(9, 5.0)];
        let cells = [cell(6, 7_300.0), cell(7, 0.0), cell(8, 1.0)];
        let figure = wait_change_map("SAF", "EASY", &cells, &base, 7_200.0, Unit::Processors);
        let Data::Blocks(blocks) = &figure.series[0].data else { panic!("{figure:?}") };
        let shades: Vec<Shade> = blocks.iter().map(|block| block.shade).collect();
        assert_eq!(shades, [Shade::Change(1.0), Shade::Change(-1.0)], "what one of them lacks is not compared");
        assert_eq!(longer_by(&cells[2], &base), None);
    }
}
