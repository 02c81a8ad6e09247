//! Power over time, and below it what energy costs and what carbon its making emits.

use super::{Charted, common, series_of};
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Series};
use packfair_engine::metric::{Line, Measure};
use packfair_engine::power::PowerSeries;
use packfair_study::Study;
use packfair_workload::UnitText;

/// What is drawn over time, a line for each run, in the band of its extremes; below it, where they are known, the price
/// of energy and the carbon intensity on the same axis of time. Nothing where no watts are known.
pub fn power(runs: &[Charted<'_>], study: &Study, clock: &AxisClock) -> Vec<Figure> {
    let drawn = drawn(runs, clock);
    if drawn.series.is_empty() {
        return Vec::new();
    }
    let ends = runs.iter().map(|run| &run.report.curves.power).filter(|power| !power.is_empty());
    let ends = ends.map(|power| (power.begin, power.begin + power.step * power.mean.len() as f64));
    let span = ends.reduce(|(from, until), (begin, end)| (f64::min(from, begin), f64::max(until, end)));
    let below = span.into_iter().flat_map(|span| {
        let Measure { prices, intensity, .. } = &study.measure;
        let price = prices.as_deref().and_then(|series| within(series, clock, span)).map(|line| price(line, clock));
        let intensity = intensity.as_deref().and_then(|series| within(series, clock, span));
        price.into_iter().chain(intensity.map(|line| carbon(line, clock)))
    });
    [drawn].into_iter().chain(below).collect()
}

fn price(line: Line, clock: &AxisClock) -> Figure {
    Figure {
        kind: "price",
        title: "Price of energy".to_owned(),
        help: UnitText::new("The price of a MWh over time, as the file of prices says."),
        y: Axis::linear("price of a MWh", AxisUnit::Number("")).with_extent(Extent::DataAndZero),
        ..known("price of a MWh", line, clock)
    }
}

fn carbon(line: Line, clock: &AxisClock) -> Figure {
    Figure {
        kind: "intensity",
        title: "Carbon intensity".to_owned(),
        help: UnitText::new("How much CO2 the making of a kWh emits over time, as the file of intensities says."),
        y: Axis::linear("carbon intensity", AxisUnit::Number("g/kWh")).with_extent(Extent::DataAndZero),
        ..known("carbon intensity", line, clock)
    }
}

/// A figure of a series that is the same for every run.
fn known(name: &str, line: Line, clock: &AxisClock) -> Figure {
    let data = Data::Steps { line, before: None };
    let series = vec![Series { name: name.to_owned(), data, ink: Ink::Rest, run: None }];
    Figure { series, ..drawn(&[], clock) }
}

fn drawn(runs: &[Charted<'_>], axis: &AxisClock) -> Figure {
    let mut series = series_of(runs, |curves| Data::Envelope(curves.power.clone()));
    series.retain(|series| !series.data.is_empty());
    Figure {
        kind: "power",
        title: "Power".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "What machine and jobs draw: the line is the average over each stretch of time, the band reaches from the \
             least to the most.",
        ),
        source: "",
        x: Axis::linear(axis.title(), AxisUnit::Time(axis.clone())),
        y: Axis::linear("power", AxisUnit::Number("kW")).with_extent(Extent::DataAndZero),
        series,
        marks: Vec::new(),
        empty: "No watts of the machine or of its jobs are known".to_owned(),
    }
}

/// The steps of a series within a span; none where nothing is known of it.
fn within(series: &PowerSeries, clock: &AxisClock, (from, until): (f64, f64)) -> Option<Line> {
    let steps = clock.steps(series)?;
    let first = steps.partition_point(|&(at, _)| at as f64 <= from).saturating_sub(1);
    let steps = steps[first..].iter().take_while(|&&(at, _)| (at as f64) < until);
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = steps.map(|&(at, value)| ((at as f64).max(from), value)).unzip();
    // the last value holds on, and an axis reaches as far as the data
    let last = *y.last()?;
    x.push(until);
    y.push(last);
    Some(Line { x, y })
}
