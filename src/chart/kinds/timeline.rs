//! Queue and utilisation over time.

use super::policies::bands;
use super::{Charted, NO_RUNS, common, series_of};
use crate::chart::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Mark, Scale, Series, Span, reduce_envelope};
use crate::metric::{Curves, Envelope, Line};

/// Offered load jumps with every submission; over stretches of this many to the whole it says something.
const LOAD_STRETCHES: usize = 50;

/// Utilisation jumps between nothing and everything; in this many bins its average is a line.
const UTILISATION_BINS: usize = 160;

/// Offered load above this is cut, so that utilisation remains readable.
const MOST_LOAD: f64 = 1.5;

fn time(clock: &AxisClock) -> Axis {
    Axis::linear(clock.title(), AxisUnit::Time(clock.clone()))
}

/// Waiting jobs over time, a line a run in the band of its extremes.
pub fn queue_jobs(runs: &[Charted<'_>], clock: &AxisClock) -> Figure {
    Figure {
        kind: "queue",
        title: "Queue".to_owned(),
        common: common(runs),
        help: "Jobs waiting: the line is the average over each stretch of time, the band reaches from the fewest to the most. \
               At the foot, of schedulers that change it: the policy in force.",
        source: "CP Fig. 5",
        x: time(clock),
        y: Axis::linear("waiting jobs", AxisUnit::Count("jobs")).with_extent(Extent::DataAndZero).or(Scale::Log),
        series: with_bands(runs, with_counted(runs, |curves| &curves.queue_jobs, |curves| &curves.counted_jobs)),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// Width of the waiting jobs over time; `processors` is the machine's size.
pub fn queue_width(runs: &[Charted<'_>], clock: &AxisClock, processors: u32) -> Figure {
    Figure {
        kind: "queue-width",
        title: "Width of the queue".to_owned(),
        common: common(runs),
        help: "Processors that waiting jobs ask for; above the line of the machine's size they cannot all start at once.",
        source: "CP Fig. 5",
        x: time(clock),
        y: Axis::linear("waiting processors", AxisUnit::Count("processors"))
            .with_extent(Extent::DataAndZero)
            .or(Scale::Log),
        series: with_counted(runs, |curves| &curves.queue_width, |curves| &curves.counted_width),
        marks: vec![Mark::Y { at: f64::from(processors), label: "machine".to_owned() }],
        empty: NO_RUNS.to_owned(),
    }
}

/// Share of the machine in use over time, a line a run, and the load that submissions offer.
pub fn utilisation(runs: &[Charted<'_>], clock: &AxisClock) -> Figure {
    let mut series = series_of(runs, |curves| Data::Envelope(calmed(&curves.utilisation)));
    let mut top: f64 = 1.0;
    // the same for every run: it depends on submissions alone
    if let Some(offered) = runs.first().map(|r| &r.report.curves.offered).filter(|line| !line.x.is_empty()) {
        let data = Data::Steps { line: smoothed(offered), before: None };
        let (_, peak) = data.y_range((f64::NEG_INFINITY, f64::INFINITY), |_| true).unwrap_or_default();
        top = peak.clamp(1.0, MOST_LOAD);
        series.insert(0, Series { name: "offered load".to_owned(), data, ink: Ink::Guide, run: None });
    }
    Figure {
        kind: "utilisation",
        title: "Utilisation".to_owned(),
        common: common(runs),
        help: "Share of processors in use, averaged over stretches of time. Offered load is what was submitted meanwhile. At \
               the foot, of schedulers that change it: the policy in force.",
        source: "CP §3.1",
        x: time(clock),
        y: Axis::linear("busy processors", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, top)),
        series: with_bands(runs, series),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// A series a run, and of the first where a group alone counts what is of that group.
fn with_counted(runs: &[Charted<'_>], all: fn(&Curves) -> &Envelope, counted: fn(&Curves) -> &Envelope) -> Vec<Series> {
    let mut series = series_of(runs, |curves| Data::Envelope(all(curves).clone()));
    let of_group = runs.first().map(|run| counted(&run.report.curves)).filter(|counted| !counted.mean.is_empty());
    if let Some((Envelope { begin, step, mean, .. }, first)) = of_group.zip(series.first()) {
        let line = Line { x: (0..mean.len()).map(|bin| begin + bin as f64 * step).collect(), y: mean.clone() };
        let name = format!("of which count, {}", first.name);
        series.push(Series { name, data: Data::Steps { line, before: None }, ink: Ink::Guide, run: None });
    }
    series
}

/// Series with the bands of policies behind them.
fn with_bands(runs: &[Charted<'_>], series: Vec<Series>) -> Vec<Series> {
    bands(runs).into_iter().chain(series).collect()
}

/// The average of `envelope` in so few bins that it can be followed. Within a bin utilisation reaches from nothing to
/// everything almost always, so extremes would say nothing.
fn calmed(envelope: &Envelope) -> Envelope {
    let end = envelope.begin + envelope.step * envelope.mean.len() as f64;
    let span = Span::new(Scale::Linear, envelope.begin, end);
    let joined = reduce_envelope(envelope, &span, UTILISATION_BINS);
    Envelope { low: joined.mean.clone(), high: joined.mean.clone(), ..joined }
}

/// The average of `line`, whose points lie evenly, over stretches of several points each.
fn smoothed(line: &Line) -> Line {
    let every = line.x.len().div_ceil(LOAD_STRETCHES).max(1);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    Line { x: line.x.iter().copied().step_by(every).collect(), y: line.y.chunks(every).map(mean).collect() }
}
