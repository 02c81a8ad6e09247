//! Ticks of logarithmic axes.

use super::tick::{Tick, Ticks, log_label, multiples, nice_step};
use super::{AxisUnit, Span};
use crate::order;

/// Spans of time that are round to a person, seconds.
const ROUND_DURATIONS: [f64; 12] =
    [0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 86_400.0, 864_000.0, 8_640_000.0, 86_400_000.0];

/// Spans of time that are nearly as round, where an axis has no three of those: the most welcome first, seconds.
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

/// Changes that are round to a person, the most welcome first.
const ROUND_CHANGES: [f64; 18] =
    [0.0, 1.0, -0.5, 10.0, 100.0, 1000.0, -0.9, -0.99, 2.0, 5.0, 20.0, 50.0, 200.0, 500.0, 0.5, -0.2, -0.8, 0.2];

/// As many decades as a person takes in at a glance with their minor ticks.
const MINOR_ROOM: f64 = 24.0;

/// Powers of ten, with 2 to 9 times these as minor ticks; 1, 2, 5 times these where decades are few.
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

/// Round spans of time, each as far from the others as its label needs; finer ones where there are no three.
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
    order::sort_by(&mut major, |a, b| a.value.total_cmp(&b.value));
    Ticks { major, minor: Vec::new() }
}

/// Round changes to a baseline, no change first, each with the room that its label needs.
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
    order::sort_by(&mut major, |a, b| a.value.total_cmp(&b.value));
    Ticks { major, minor: Vec::new() }
}

/// Powers of two; their square roots too (as 0.7, 1.4, ...) where there is room.
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
        // 7/5 instead of the square root of two: what is written is where it stands
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

/// Evenly spaced round values, for a stretch so short that it holds no two powers.
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
