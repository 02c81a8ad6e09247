//! Ticks: the values along an axis that deserve a line and a label.

use super::{AxisUnit, Span, number};

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
