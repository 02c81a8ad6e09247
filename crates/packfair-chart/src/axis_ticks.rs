//! The ticks of an axis, whatever its scale and unit.

use super::{AxisUnit, number, tick_log, tick_time};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged, ReversibleRanged};
use std::ops::Range;

/// How often ticks are sought that are twice as close, where an axis would have fewer than two.
const CLOSER: i32 = 6;

/// The ticks of an axis of `pixels` length whose labels need about `room` pixels each. An axis of numbers has two labels at
/// least, since one tells no scale.
pub fn ticks(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Ticks {
    if let AxisUnit::Names(names) = unit {
        return named(span, names, pixels, room);
    }
    let mut found = numbered(span, unit, pixels, room);
    let mut closer = 0;
    while found.major.len() < 2 && closer < CLOSER {
        closer += 1;
        let mut all = numbered(span, unit, pixels, room / 2f64.powi(closer)).major;
        // of more than have room, those at the ends; the last one says its day or year if it is another one
        if all.len() >= 2 {
            let under = all[1..].iter().rev().find_map(|tick| tick.under.clone());
            all.drain(1..all.len() - 1);
            all[1].under = under;
            found.major = all;
        }
    }
    if found.major.len() < 2 {
        let (length, largest) = (span.to() - span.from(), span.from().abs().max(span.to().abs()));
        let exact = |value| Tick::new(value, unit.tick(value, length / 10.0, largest));
        found.major = [span.from(), span.to()].map(exact).into();
    }
    found
}

fn numbered(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Ticks {
    let most = (pixels / room.max(1.0)).clamp(2.0, 30.0) as usize;
    match (span.scale(), unit) {
        (Scale::Linear, AxisUnit::Time(clock)) => tick_time::of_clock(span, clock, most),
        (Scale::Linear, AxisUnit::Duration) => tick_time::of_duration(span, most),
        (Scale::Linear, _) => linear(span, unit, most),
        (Scale::Log, AxisUnit::Change) => tick_log::changes(span, pixels, room),
        (Scale::Log, AxisUnit::Duration) => tick_log::durations(span, pixels, room),
        (Scale::Log, _) => tick_log::decades(span, unit, pixels, room),
        (Scale::Log2, _) => tick_log::doublings(span, unit, pixels, room),
    }
}

/// Values that divide a span evenly on its scale, at most `most`.
pub fn values(span: &Span, most: usize) -> Vec<f64> {
    let unit = AxisUnit::Number("");
    let found = ticks(span, &unit, most.max(2) as f64, 1.0).major;
    found.into_iter().take(most).map(|tick| tick.value).collect()
}

fn linear(span: &Span, unit: &AxisUnit, most: usize) -> Ticks {
    let mut step = nice_step(span.to() - span.from(), most);
    if unit.is_whole() {
        step = step.max(1.0);
    }
    let largest = span.from().abs().max(span.to().abs());
    let shifted = span.shifted(-unit.origin());
    let values = multiples(&shifted, step).into_iter().map(|v| v + unit.origin());
    let major = values.map(|v| Tick::new(v, unit.tick(v, step, largest))).collect();
    Ticks { major, minor: Vec::new() }
}

/// Every how many of the names has room, if each may take `most` pixels and is `letters` long at most.
fn every(span: &Span, pixels: f64, most: f64, letters: usize) -> usize {
    let each = pixels * (span.place(1.0) - span.place(0.0)).abs();
    // names of one or two letters need less space than numbers
    let needed = most.min(letters as f64 * 7.0 + 6.0);
    (needed / each.max(0.1)).ceil().max(1.0) as usize
}

/// Whether the names have too little room beside each other, and nobody could tell those that were left out. Then ticks
/// have the numbers of the names, from 1.
pub fn are_numbered(span: &Span, names: &[String], pixels: f64, room: f64) -> bool {
    !are_classes(names) && every(span, pixels, room, longest(names)) > 1
}

/// Whether all names begin with a digit, as those of classes do: `1`, `2`, `3–4`. What lies between two of them is clear.
fn are_classes(names: &[String]) -> bool {
    names.iter().all(|name| name.starts_with(|c: char| c.is_ascii_digit()))
}

fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(1)
}

fn named(span: &Span, names: &[String], pixels: f64, room: f64) -> Ticks {
    let is_numbered = are_numbered(span, names, pixels, room);
    let letters = if is_numbered { names.len().to_string().len() } else { longest(names) };
    let every = every(span, pixels, room, letters);
    let label = |place: usize, name: &String| if is_numbered { (place + 1).to_string() } else { name.clone() };
    let shown = names.iter().enumerate().filter(|(place, _)| place % every == 0 && span.contains(*place as f64));
    Ticks { major: shown.map(|(place, name)| Tick::new(place as f64, label(place, name))).collect(), minor: Vec::new() }
}

/// The range widened to the next ticks on both sides, so that the axis ends at labelled values.
pub fn rounded(span: &Span, unit: &AxisUnit, pixels: f64, room: f64) -> Span {
    if span.scale() != Scale::Linear || matches!(unit, AxisUnit::Time(_) | AxisUnit::Names(_)) {
        return *span;
    }
    let most = (pixels / room.max(1.0)).clamp(2.0, 30.0) as usize;
    let length = span.to() - span.from();
    let mut step = match unit {
        AxisUnit::Duration => tick_time::nice_duration(length, most),
        _ => nice_step(length, most),
    };
    if unit.is_whole() {
        step = step.max(1.0);
    }
    let slack = length * 1e-9;
    let origin = unit.origin();
    let below = ((span.from() - origin + slack) / step).floor() * step + origin;
    let above = ((span.to() - origin - slack) / step).ceil() * step + origin;
    Span::new(span.scale(), below, above)
}

/// Plotters' view of the range: positions outside are moved to its ends, so that nothing is drawn beyond them.
impl Ranged for Span {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let place = self.place(*value).clamp(0.0, 1.0);
        (f64::from(limit.0) + place * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        values(self, hint.max_num_points())
    }

    fn range(&self) -> Range<f64> {
        self.from()..self.to()
    }
}

impl ReversibleRanged for Span {
    fn unmap(&self, input: i32, limit: (i32, i32)) -> Option<f64> {
        let length = f64::from(limit.1 - limit.0);
        (length != 0.0).then(|| self.value(f64::from(input - limit.0) / length))
    }
}

// Ticks: the values along an axis that deserve a line and a label.

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub label: String,
    /// The text below the label: the year or day to which this tick and those after it belong.
    pub under: Option<String>,
}

/// All ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// The ticks with labels and grid lines.
    pub major: Vec<Tick>,
    /// The ticks without labels.
    pub minor: Vec<f64>,
}

impl Tick {
    /// A tick without text below the label.
    pub fn new(value: f64, label: String) -> Self {
        Tick { value, label, under: None }
    }
}

/// The smallest step that is 1, 2 or 5 times a power of ten and divides `length` into at most `most` parts.
pub fn nice_step(length: f64, most: usize) -> f64 {
    let raw = length / most.max(1) as f64;
    let magnitude = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * magnitude >= raw * (1.0 - 1e-9)).unwrap_or(10.0);
    factor * magnitude
}

pub fn multiples(span: &Span, step: f64) -> Vec<f64> {
    let slack = (span.to() - span.from()) * 1e-9;
    let first = ((span.from() - slack) / step).ceil();
    let count = ((span.to() + slack) / step).floor() - first + 1.0;
    // more ticks than any axis can hold: the step is too small for the precision of the values
    if !(0.0..=1000.0).contains(&count) {
        return Vec::new();
    }
    (0..count as usize).map(|i| (first + i as f64) * step).collect()
}

/// The label of a tick on a logarithmic axis.
pub fn log_label(unit: &AxisUnit, value: f64, largest: f64) -> String {
    match unit {
        // many digits are easier to read as a power, and all labels should have the same form
        AxisUnit::Number(_) | AxisUnit::Count(_) if largest >= 1e7 || value < 1e-3 => number::power(value),
        _ => unit.tick(value, value, value),
    }
}

// Scales: from values to positions along an axis, and back.

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// By their logarithm, with ticks at powers of ten.
    Log,
    /// By their logarithm, with ticks at powers of two and between.
    Log2,
}

impl Scale {
    /// Whether only values above 0 have a position on the scale.
    pub fn is_logarithmic(self) -> bool {
        self != Scale::Linear
    }
}

/// A range of values along an axis: `from < to`, both finite, and both above 0 if the scale is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Span {
    /// The range from `from` to `to`, adjusted so that it can be drawn: ends that are not finite are replaced, an empty
    /// range is widened, and values not above 0 are cut on a logarithmic scale.
    pub fn new(scale: Scale, from: f64, to: f64) -> Self {
        let finite = |v: f64, instead: f64| if v.is_finite() { v.clamp(-1e300, 1e300) } else { instead };
        let (from, to) = (finite(from, 0.0), finite(to, 1.0));
        let (from, to) = if from <= to { (from, to) } else { (to, from) };
        if scale.is_logarithmic() {
            let to = if to > 0.0 { to.max(1e-290) } else { 1.0 };
            let from = if from > 0.0 { from.max(1e-300) } else { to / 1000.0 };
            // a ratio of 1.0001 is the narrowest range whose ticks differ
            return if to / from > 1.0001 {
                Span { scale, from, to }
            } else {
                Span { scale, from: from / 2.0, to: to * 2.0 }
            };
        }
        let resolution = from.abs().max(to.abs()) * 1e-12;
        if to - from > resolution {
            Span { scale, from, to }
        } else {
            let half = if from == 0.0 { 0.5 } else { from.abs() * 0.5 };
            Span { scale, from: from - half, to: to + half }
        }
    }

    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The smallest value.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// The largest value.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// The range shifted along a linear scale.
    pub fn shifted(&self, by: f64) -> Self {
        Span::new(self.scale, self.from + by, self.to + by)
    }

    /// Whether `value` lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// The position of `value`: 0 at the smallest value, 1 at the largest, outside these beyond the range. Values
    /// without a place on a logarithmic scale (0 and below) and NaN are at 0.
    pub fn place(&self, value: f64) -> f64 {
        let place = match self.scale {
            Scale::Linear => (value - self.from) / (self.to - self.from),
            Scale::Log | Scale::Log2 if value > 0.0 => (value / self.from).ln() / (self.to / self.from).ln(),
            Scale::Log | Scale::Log2 => 0.0,
        };
        if place.is_nan() { 0.0 } else { place }
    }

    /// The value at a position; the inverse of [`Span::place`].
    pub fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.from + place * (self.to - self.from),
            Scale::Log | Scale::Log2 => self.from * (place * (self.to / self.from).ln()).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, from: f64, to: f64, unit: &AxisUnit) -> Vec<String> {
        ticks(&Span::new(scale, from, to), unit, 500.0, 60.0).major.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn names_that_have_no_room_get_numbers() {
        let names: Vec<String> = (1..=21).map(|place| format!("feature {place}")).collect();
        let span = Span::new(Scale::Linear, -1.0, 21.0);
        let labels = |pixels: f64| -> Vec<String> {
            let unit = AxisUnit::Names(names.clone().into());
            ticks(&span, &unit, pixels, 60.0).major.into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(labels(2_000.0), names);
        assert_eq!(labels(480.0)[19..], ["20", "21"], "all of them");
        assert_eq!(labels(300.0)[..3], ["1", "3", "5"]);
    }

    #[test]
    fn of_classes_that_have_no_room_some_are_named() {
        let names = ["1", "2", "3–4", "5–8", "9–16", "17–32", "33–64", "65–128"].map(str::to_owned);
        let (span, unit) = (Span::new(Scale::Linear, -0.5, 7.5), AxisUnit::Names(names.to_vec().into()));
        let labels: Vec<String> = ticks(&span, &unit, 250.0, 58.0).major.into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["1", "3–4", "9–16", "33–64"]);
    }

    #[test]
    fn linear_ticks_are_round_and_few() {
        assert_eq!(labels(Scale::Linear, 0.0, 87.0, &AxisUnit::Count("jobs")), ["0", "20", "40", "60", "80"]);
        assert_eq!(
            labels(Scale::Linear, 0.0, 1.0, &AxisUnit::Fraction),
            ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
        );
        assert_eq!(labels(Scale::Linear, 0.0, 2.0, &AxisUnit::Count("jobs")), ["0", "1", "2"]);
        assert_eq!(
            labels(Scale::Linear, 0.5, 2.0, &AxisUnit::Change),
            ["−40 %", "−20 %", "0 %", "+20 %", "+40 %", "+60 %", "+80 %", "+100 %"]
        );
    }

    #[test]
    fn log_ticks_are_decades_or_finer() {
        assert_eq!(labels(Scale::Log, 1.0, 1e4, &AxisUnit::Number("")), ["1", "10", "100", "1,000", "10k"]);
        assert_eq!(labels(Scale::Log, 1e2, 1e6, &AxisUnit::Number("")), ["100", "1,000", "10k", "100k", "1M"]);
        assert_eq!(
            labels(Scale::Log, 1.0, 90_000.0, &AxisUnit::Duration),
            ["1 s", "10 s", "1 min", "10 min", "1 h", "1 d"]
        );
        let days = 86_400.0;
        assert_eq!(
            labels(Scale::Log, 1.5 * days, 70.0 * days, &AxisUnit::Duration),
            ["2 d", "5 d", "10 d", "20 d", "50 d"]
        );
        let changes = labels(Scale::Log, 0.7, 30.0, &AxisUnit::Change);
        assert_eq!(changes, ["0 %", "+100 %", "+200 %", "+500 %", "+1,000 %", "+2,000 %"]);
        assert_eq!(labels(Scale::Log2, 0.5, 2.0, &AxisUnit::Number("")), ["0.5", "0.7", "1", "1.4", "2"]);
    }

    #[test]
    fn a_stretch_between_two_round_values_has_two_labels() {
        let clock = || AxisUnit::Time(super::super::AxisClock::ELAPSED);
        let day = 86_400.0;
        // from a minute after a day's beginning to a minute before that of the next but one
        for (from, to, unit) in [(60.0, 2.0 * day - 60.0, clock()), (0.3, 1.7, AxisUnit::Count("jobs"))] {
            for pixels in [120.0, 200.0, 320.0, 500.0] {
                let found = ticks(&Span::new(Scale::Linear, from, to), &unit, pixels, 76.0).major;
                assert!(found.len() >= 2, "{unit:?} on {pixels}: {found:?}");
                let tells = |tick: &Tick| tick.under.is_some() || tick.label != found[0].label;
                assert!(found[1..].iter().any(tells), "{unit:?} on {pixels}: {found:?}");
            }
        }
    }

    #[test]
    fn any_stretch_has_ticks_and_not_too_many() {
        for scale in [Scale::Linear, Scale::Log, Scale::Log2] {
            for unit in [
                AxisUnit::Number(""),
                AxisUnit::Count("jobs"),
                AxisUnit::Duration,
                AxisUnit::Fraction,
                AxisUnit::Time(super::super::AxisClock::ELAPSED),
            ] {
                for (from, to) in
                    [(1.0, 1.01), (0.0, 1e-9), (1e-30, 1e30), (-1e18, 1e18), (1e15, 1e15 + 1.0), (3.0, 3.5)]
                {
                    let span = Span::new(scale, from, to);
                    let found = ticks(&span, &unit, 500.0, 50.0);
                    assert!(found.major.len() >= 2, "{scale:?} {unit:?} {from} {to}: one label tells no scale");
                    assert!(found.major.len() <= 12, "{scale:?} {unit:?} {from} {to}: {}", found.major.len());
                    assert!(found.minor.len() <= 400);
                    assert!(found.major.iter().all(|t| t.value.is_finite()));
                }
            }
        }
    }
}

#[cfg(test)]
mod span_tests {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        for span in
            [Span::new(Scale::Linear, -3.0, 9.0), Span::new(Scale::Log, 2.0, 1e9), Span::new(Scale::Log2, 0.5, 2.0)]
        {
            for i in 0..=20 {
                let place = f64::from(i) / 20.0;
                assert!((span.place(span.value(place)) - place).abs() < 1e-12, "{span:?} {place}");
            }
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_made_drawable() {
        for scale in [Scale::Linear, Scale::Log, Scale::Log2] {
            for (from, to) in [
                (0.0, 0.0),
                (5.0, 5.0),
                (f64::NAN, f64::INFINITY),
                (f64::NEG_INFINITY, f64::INFINITY),
                (-4.0, -2.0),
                (9.0, 1.0),
                (f64::MIN, f64::MAX),
                (f64::MIN_POSITIVE, f64::MIN_POSITIVE),
            ] {
                let span = Span::new(scale, from, to);
                assert!(span.from() < span.to() && span.place(span.value(0.5)).is_finite(), "{scale:?} {from} {to}");
                assert!(!scale.is_logarithmic() || span.from() > 0.0);
            }
        }
    }
}
