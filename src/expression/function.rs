//! The functions of formulas.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The least of its arguments.
    Min,
    /// The largest of its arguments.
    Max,
    /// The value without its sign.
    Abs,
    /// Square root.
    Sqrt,
    /// e to the power of the value.
    Exp,
    /// Natural logarithm.
    Ln,
    /// The first to the power of the second.
    Pow,
    /// The largest whole number that is not above it.
    Floor,
    /// The second where the first is true, else the third.
    If,
}

/// All functions: each with its name, the number of its arguments, and that in words.
pub const FUNCTIONS: &[(Function, &str, std::ops::RangeInclusive<usize>, &str)] = &[
    (Function::Min, "min", 2..=8, "two values or more, up to 8"),
    (Function::Max, "max", 2..=8, "two values or more, up to 8"),
    (Function::Abs, "abs", 1..=1, "one value"),
    (Function::Sqrt, "sqrt", 1..=1, "one value"),
    (Function::Exp, "exp", 1..=1, "one value"),
    (Function::Ln, "ln", 1..=1, "one value"),
    (Function::Pow, "pow", 2..=2, "two values"),
    (Function::Floor, "floor", 1..=1, "one value"),
    (Function::If, "if", 3..=3, "three values: a condition, and what counts if it holds and if not"),
];

impl Function {
    pub(super) fn from_id(id: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|(_, name, ..)| *name == id).map(|(function, ..)| *function)
    }

    /// Its name, the number of its arguments, and that in words.
    pub(super) fn line(self) -> (&'static str, std::ops::RangeInclusive<usize>, &'static str) {
        let line = FUNCTIONS.iter().find(|(function, ..)| *function == self);
        // every function has a line, as a test checks
        line.map_or(("", 0..=0, ""), |(_, name, count, takes)| (*name, count.clone(), *takes))
    }
}
