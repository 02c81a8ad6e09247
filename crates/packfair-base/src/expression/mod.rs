//! Formulas that users write, such as `(wait / estimate)^3 * processors`.
//!
//! A formula is read once ([`Expression`]) into a short program, which is then run for each job. It has no state and no
//! loops, and it computes the same on every machine: sums, products and roots are exact by IEEE 754, and the rest is
//! `libm`'s. True is 1 and false is 0; every number except 0 and NaN counts as true. A division by 0 gives infinity,
//! and 0 / 0 gives NaN, which [`Expression::key`] puts last.

mod parse;
mod program;
mod template;
mod tree;
mod variable;

pub use parse::FormulaError;
pub use program::{Aging, Expression};
pub use template::{OpenNumber, Template, TemplateError};
pub use variable::{FUNCTIONS, Function, VARIABLES, Variable, VariableLine, VariableNeeds};

/// The longest text of a formula, bytes.
pub const LONGEST: usize = 400;

/// How deeply parts of a formula may be nested: parentheses, functions, signs.
pub const DEEPEST: usize = 24;

#[cfg(test)]
mod tests;
