//! Values that are a formula with numbers in it, such as a queue order with exponents.

use std::fmt;

const MOST_NUMBERS: usize = 3;

/// A formula in which some numbers are open. As text: its id and the numbers, joined by `_` (`index_3_3_-1`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    pub id: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    /// Its numbers, in the order in which they are written; at most three.
    pub numbers: &'static [FormulaNumber],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaNumber {
    /// Its letter or word in help and messages.
    pub id: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    pub min: f64,
    pub max: f64,
    /// The step: values are multiples of it. It is a whole number or a negative power of two, so that multiples are
    /// exact.
    pub step: f64,
    pub default: f64,
    /// Unit, empty where it has none.
    pub unit: &'static str,
}

/// A formula with its numbers, all within their ranges.
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    pub formula: &'static Formula,
    numbers: [f64; MOST_NUMBERS],
}

impl PartialEq for Filled {
    fn eq(&self, other: &Self) -> bool {
        self.formula.id == other.formula.id && self.numbers() == other.numbers()
    }
}

impl FormulaNumber {
    pub fn takes(&self, value: f64) -> bool {
        (self.min..=self.max).contains(&value) && (value / self.step).fract() == 0.0
    }

    /// The values that it takes, in words.
    pub fn range(&self) -> String {
        let FormulaNumber { min, max, step, unit, .. } = self;
        let space = if unit.is_empty() { "" } else { " " };
        if *step == 1.0 {
            format!("a whole number from {min} to {max}{space}{unit}")
        } else {
            format!("a number from {min} to {max}{space}{unit} in steps of {step}")
        }
    }
}

impl Formula {
    /// The formula with these numbers; `None` where there are too few or too many, or one is out of range.
    pub fn filled(&'static self, numbers: &[f64]) -> Option<Filled> {
        let fits = numbers.len() == self.numbers.len()
            && self.numbers.iter().zip(numbers).all(|(number, &value)| number.takes(value));
        let mut filled = Filled { formula: self, numbers: [0.0; MOST_NUMBERS] };
        fits.then(|| {
            for (place, value) in filled.numbers.iter_mut().zip(numbers) {
                *place = value + 0.0; // -0 becomes 0
            }
            filled
        })
    }

    pub fn defaults(&'static self) -> Filled {
        let mut filled = Filled { formula: self, numbers: [0.0; MOST_NUMBERS] };
        for (place, number) in filled.numbers.iter_mut().zip(self.numbers) {
            *place = number.default;
        }
        filled
    }

    /// Reads the formula's id with numbers; `None` where the text is another, or a number is out of range.
    pub(super) fn parse(&'static self, text: &str) -> Option<Filled> {
        let numbers = text.strip_prefix(self.id)?.strip_prefix('_')?;
        let numbers: Option<Vec<f64>> = numbers.split('_').map(|number| number.parse().ok()).collect();
        self.filled(&numbers?)
    }

    /// How the formula is written, and the ranges of its numbers, in words.
    pub(super) fn takes(&self) -> String {
        let letters: String = self.numbers.iter().map(|number| format!("_{}", number.id)).collect();
        let ranges: Vec<String> =
            self.numbers.iter().map(|number| format!("{} {}", number.id, number.range())).collect();
        format!("{}{letters} ({})", self.id, ranges.join(", "))
    }
}

impl Filled {
    pub fn numbers(&self) -> &[f64] {
        &self.numbers[..self.formula.numbers.len()]
    }
}

impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.formula.id)?;
        self.numbers().iter().try_for_each(|number| write!(f, "_{number}"))
    }
}
