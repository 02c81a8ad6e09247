//! Formulas that are offered by name.

use crate::expression::{Expression, Template};

/// A formula with a name. Where a formula is a value, its id is a short way to write it with its usual numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaPreset {
    /// Stable id.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The formula with letters for its numbers, and the numbers that a search tries for them (a [`Template`]).
    pub template: &'static str,
    /// The usual numbers, in the order of their letters.
    pub usual: &'static [f64],
}

impl FormulaPreset {
    /// The formula with open numbers.
    ///
    /// # Panics
    /// If it cannot be read, which is a mistake in its entry.
    pub fn open(&self) -> Template {
        self.template.parse().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    /// The formula with its usual numbers.
    ///
    /// # Panics
    /// As [`FormulaPreset::open`].
    pub fn formula(&self) -> &'static Expression {
        self.open().filled(self.usual).unwrap_or_else(|error| panic!("{}: {error}", self.id)).kept()
    }
}
