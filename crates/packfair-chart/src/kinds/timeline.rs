//! Queue and utilisation over time.

use super::by_policy::bands;
use super::{Charted, NO_RUNS, common, series_of};
use crate::{
    Axis, AxisClock, AxisUnit, Data, Extent, Figure, Ink, Mark, Scale, Series, Span, Stretch, reduce_envelope,
};
use packfair_engine::metric::{Curves, Envelope, Line, Measure};
use packfair_engine::power::PowerSeries;
use packfair_study::Study;
use packfair_workload::{Seconds, Steps, Unit, UnitText};

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

// The distribution of jobs and of work over job areas: METRICS Fig. 3, top.

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

// The times when the machine seems to have been down, at the foot of a chart over time.

/// Adds to a chart over time the stretches in which the machine seems to have been down, above its other bands.
pub fn with_down_times(mut figure: Figure, down: &[(Seconds, Seconds)]) -> Figure {
    if down.is_empty() || figure.series.is_empty() {
        return figure;
    }
    let lanes_of = |series: &Series| match &series.data {
        Data::Band { lanes, .. } => lanes.len(),
        _ => 0,
    };
    let lane = figure.series.iter().map(lanes_of).max().unwrap_or(0);
    let stretch = |&(from, until): &(Seconds, Seconds)| Stretch { x: (from as f64, until as f64), lane };
    let data = Data::Band { stretches: down.iter().map(stretch).collect(), lanes: vec!["machine".to_owned()] };
    let name = "nothing ran though jobs waited, as logged: down, it seems".to_owned();
    figure.series.insert(0, Series { name, data, ink: Ink::Rest, run: None });
    figure
}

// Which jobs wait: the cumulative wait area, METRICS Fig. 3, bottom.

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

// Power over time, and below it what energy costs and what carbon its making emits.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxisClock;
    use crate::kinds::{Charted, queue_jobs};
    use packfair_engine::metric::Measure;
    use packfair_engine::simulation::Correction;
    use packfair_study::{Run, execute};
    use packfair_workload::testing;

    #[test]
    fn a_band_tells_when_the_machine_was_down() {
        let workload = testing::jobs(4, &[(0, 4, 10, 20), (1, 4, 10, 20)]);
        let run = Run::new("easy".parse().unwrap(), "actual".parse().unwrap());
        let report = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().report;
        let figure = queue_jobs(&[Charted { report: &report, ink: Ink::Series(0) }], &AxisClock::ELAPSED);
        assert_eq!(with_down_times(figure.clone(), &[]), figure);
        let with = with_down_times(figure.clone(), &[(5, 9)]);
        assert_eq!(with.series.len(), figure.series.len() + 1);
        let Data::Band { stretches, .. } = &with.series[0].data else { panic!("{with:?}") };
        assert_eq!(stretches, &[Stretch { x: (5.0, 9.0), lane: 0 }]);
    }
}
