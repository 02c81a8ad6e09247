//! Ticks of logarithmic axes.

use super::axis_ticks::{Tick, Ticks, log_label, multiples, nice_step};
use super::{AxisUnit, Span};

/// Round durations, seconds.
const ROUND_DURATIONS: [f64; 12] =
    [0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 86_400.0, 864_000.0, 8_640_000.0, 86_400_000.0];

/// Less round durations, for an axis that contains fewer than three round ones; the preferred first, seconds.
const FINER_DURATIONS: [f64; 18] = [
    1_728_000.0,
    172_800.0,
    432_000.0,
    4_320_000.0,
    21_600.0,
    43_200.0,
    7_200.0,
    1_800.0,
    300.0,
    120.0,
    1_200.0,
    30.0,
    20.0,
    5.0,
    2.0,
    0.5,
    0.2,
    0.05,
];

/// Round changes, the preferred first.
const ROUND_CHANGES: [f64; 18] =
    [0.0, 1.0, -0.5, 10.0, 100.0, 1000.0, -0.9, -0.99, 2.0, 5.0, 20.0, 50.0, 200.0, 500.0, 0.5, -0.2, -0.8, 0.2];

/// The space that a decade needs before it gets minor ticks, pixels.
const MINOR_ROOM: f64 = 24.0;

/// Ticks at powers of ten, with 2 to 9 times these as minor ticks. If the decades are few, there are labels between the
/// powers too.
pub fn decades(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Ticks {
    let decades = (span.to() / span.from()).log10();
    let each = pixels / decades;
    let (first, last) = (span.from().log10().floor() as i32, span.to().log10().ceil() as i32);
    let factors: &[f64] = match each / room {
        share if share >= 4.0 => &[1.0, 2.0, 5.0],
        share if share >= 2.2 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let every = (room / each).ceil().max(1.0) as i32;
    let powers = || (first..=last).map(|e| (e, 10f64.powi(e)));
    let candidates =
        powers().filter(|(e, _)| e.rem_euclid(every) == 0).flat_map(|(_, p)| factors.iter().map(move |f| f * p));
    let inside: Vec<f64> = candidates.filter(|&v| within(span, v)).collect();
    if inside.len() < 2 {
        return between(span, unit, pixels, room);
    }
    let major = inside.iter().map(|&v| Tick::new(v, log_label(unit, v, span.to()))).collect();
    let minor = match each {
        each if each >= MINOR_ROOM => powers().flat_map(|(_, p)| (2..=9).map(move |f| f64::from(f) * p)).collect(),
        _ if every > 1 => powers().map(|(_, p)| p).collect(),
        _ => Vec::new(),
    };
    Ticks { major, minor: without(minor, &inside, span) }
}

/// Ticks at round durations, each far enough from the others for its label; at less round ones if there are fewer than
/// three.
pub fn durations(span: &Span, pixels: f64, room: f64) -> Ticks {
    let mut major: Vec<Tick> = Vec::new();
    let take = |major: &mut Vec<Tick>, value: f64| {
        let is_apart = |tick: &Tick| (span.place(value) - span.place(tick.value)).abs() * pixels >= room * 0.75;
        if within(span, value) && major.iter().all(is_apart) {
            major.push(Tick::new(value, AxisUnit::Duration.tick(value, value, value)));
        }
    };
    ROUND_DURATIONS.into_iter().for_each(|value| take(&mut major, value));
    if major.len() < 3 {
        FINER_DURATIONS.into_iter().for_each(|value| take(&mut major, value));
    }
    if major.len() < 2 {
        return between(span, &AxisUnit::Duration, pixels, room);
    }
    major.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ticks { major, minor: Vec::new() }
}

/// Ticks at round changes against a baseline. No change comes first; each has enough space for its label.
pub fn changes(span: &Span, pixels: f64, room: f64) -> Ticks {
    let mut major: Vec<Tick> = Vec::new();
    for change in ROUND_CHANGES {
        let ratio = 1.0 + change;
        let apart = |tick: &Tick| (span.place(ratio) - span.place(tick.value)).abs() * pixels;
        if within(span, ratio) && major.iter().all(|tick| apart(tick) >= room * 0.85) {
            major.push(Tick::new(
                ratio,
                AxisUnit::Change.tick(ratio, if change == 0.0 { 1.0 } else { change.abs() }, ratio),
            ));
        }
    }
    if major.len() < 2 {
        return between(span, &AxisUnit::Change, pixels, room);
    }
    major.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ticks { major, minor: Vec::new() }
}

/// Ticks at powers of two and, if there is space, between them (0.7, 1.4, ...).
pub fn doublings(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Ticks {
    let octaves = (span.to() / span.from()).log2();
    let each = pixels / octaves;
    let every = (room / each).ceil().max(1.0) as i32;
    let (first, last) = (span.from().log2().floor() as i32, span.to().log2().ceil() as i32);
    let mut major = Vec::new();
    for exponent in first..=last {
        let power = 2f64.powi(exponent);
        if exponent.rem_euclid(every) == 0 && within(span, power) {
            major.push(Tick::new(power, unit.tick(power, power, power)));
        }
        // 7/5 instead of the square root of two, so that the tick lies exactly where its label says
        let between = power * 1.4;
        if each >= room * 2.0 && within(span, between) {
            major.push(Tick::new(between, unit.tick(between, between / 7.0, between)));
        }
    }
    if major.len() < 2 {
        return self::between(span, unit, pixels, room);
    }
    Ticks { major, minor: Vec::new() }
}

/// Evenly spaced round values, for a range so short that it contains no two powers.
fn between(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Ticks {
    let most = (pixels / room).clamp(2.0, 6.0) as usize;
    let step = nice_step(span.to() - span.from(), most);
    let shifted = Span::new(super::Scale::Linear, span.from() - unit.origin(), span.to() - unit.origin());
    let values = multiples(&shifted, step).into_iter().map(|v| v + unit.origin()).filter(|&v| v > 0.0);
    Ticks { major: values.map(|v| Tick::new(v, unit.tick(v, step, span.to()))).collect(), minor: Vec::new() }
}

fn within(span: &Span, value: f64) -> bool {
    (-1e-9..=1.0 + 1e-9).contains(&span.place(value)) && value > 0.0
}

fn without(minor: Vec<f64>, major: &[f64], span: &Span) -> Vec<f64> {
    let is_new = |v: &f64| !major.iter().any(|m| (m / v - 1.0).abs() < 1e-9);
    minor.into_iter().filter(|&v| within(span, v)).filter(is_new).collect()
}
