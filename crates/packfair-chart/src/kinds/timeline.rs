//! Queue and utilisation over time.

use super::policies::bands;
use super::{Charted, NO_RUNS, common, series_of};
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Mark, Scale, Series, Span, reduce_envelope};
use packfair_engine::metric::{Curves, Envelope, Line};
use packfair_workload::{Unit, UnitText};

/// The number of stretches over which offered load is averaged, because it jumps with every submission.
const LOAD_STRETCHES: usize = 50;

/// The number of bins in which utilisation is averaged, so that its jumps between 0 and 1 become a line.
const UTILISATION_BINS: usize = 160;

/// The highest offered load that is drawn; more is cut, so that utilisation remains readable.
const MOST_LOAD: f64 = 1.5;

fn time(clock: &AxisClock) -> Axis {
    Axis::linear(clock.title(), AxisUnit::Time(clock.clone()))
}

/// The number of waiting jobs over time: a line for each run, in the band of its extremes.
pub fn queue_jobs(runs: &[Charted<'_>], clock: &AxisClock) -> Figure {
    Figure {
        kind: "queue",
        title: "Queue".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "Jobs waiting: the line is the average over each stretch of time, the band reaches from the fewest to the most. \
             At the foot, of schedulers that change it: the policy in force.",
        ),
        source: "CP Fig. 5",
        x: time(clock),
        y: Axis::linear("waiting jobs", AxisUnit::Count("jobs")).with_extent(Extent::DataAndZero).or(Scale::Log),
        series: with_bands(runs, with_counted(runs, |curves| &curves.queue_jobs, |curves| &curves.counted_jobs)),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// The width of the waiting jobs over time; `processors` is the size of the machine, counted in `unit`.
pub fn queue_width(runs: &[Charted<'_>], clock: &AxisClock, processors: u32, unit: Unit) -> Figure {
    Figure {
        kind: "queue-width",
        title: "Width of the queue".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "{Units} that waiting jobs ask for; above the line of the machine's size they cannot all start at once.",
        ),
        source: "CP Fig. 5",
        x: time(clock),
        y: Axis::linear(&format!("waiting {}", unit.plural()), AxisUnit::Count(unit.plural()))
            .with_extent(Extent::DataAndZero)
            .or(Scale::Log),
        series: with_counted(runs, |curves| &curves.queue_width, |curves| &curves.counted_width),
        marks: vec![Mark::Y { at: f64::from(processors), label: "machine".to_owned() }],
        empty: NO_RUNS.to_owned(),
    }
}

/// The share of the machine in use over time, a line for each run, and the offered load.
pub fn utilisation(runs: &[Charted<'_>], clock: &AxisClock, unit: Unit) -> Figure {
    let mut series = series_of(runs, |curves| Data::Envelope(calmed(&curves.utilisation)));
    let mut top: f64 = 1.0;
    // the same for every run: it depends on submissions only
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
        help: UnitText::new(
            "Share of {units} in use, averaged over stretches of time. Offered load is what was submitted meanwhile. \
             At the foot, of schedulers that change it: the policy in force.",
        ),
        source: "CP §3.1",
        x: time(clock),
        y: Axis::linear(&format!("busy {}", unit.plural()), AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, top)),
        series: with_bands(runs, series),
        marks: Vec::new(),
        empty: NO_RUNS.to_owned(),
    }
}

/// A series for each run and, if only one group of jobs counts, a series of that group for the first run.
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

/// Adds the bands of policies behind the series.
fn with_bands(runs: &[Charted<'_>], series: Vec<Series>) -> Vec<Series> {
    bands(runs).into_iter().chain(series).collect()
}

/// The average of `envelope` in fewer bins, so that the eye can follow it. Within such a bin, utilisation nearly always
/// reaches from 0 to 1, so its extremes would say nothing.
fn calmed(envelope: &Envelope) -> Envelope {
    let end = envelope.begin + envelope.step * envelope.mean.len() as f64;
    let span = Span::new(Scale::Linear, envelope.begin, end);
    let joined = reduce_envelope(envelope, &span, UTILISATION_BINS);
    Envelope { low: joined.mean.clone(), high: joined.mean.clone(), ..joined }
}

/// Averages `line`, whose points are evenly spaced, over several points each.
fn smoothed(line: &Line) -> Line {
    let every = line.x.len().div_ceil(LOAD_STRETCHES).max(1);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    Line { x: line.x.iter().copied().step_by(every).collect(), y: line.y.chunks(every).map(mean).collect() }
}
