//! What is wrong with a formula.

/// Why a text is no formula. Places are counted in characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// The formula is empty.
    #[error("the formula is empty; write one such as (wait/estimate)^3*processors")]
    Empty,
    /// It is too long.
    #[error("the formula has {length} bytes; it may have {}", super::LONGEST)]
    TooLong {
        /// Its length, bytes.
        length: usize,
    },
    /// Its parts are nested too deeply.
    #[error("the formula has parts within parts within parts, more than {} deep, at character {place}", super::DEEPEST)]
    TooDeep {
        /// The place.
        place: usize,
    },
    /// It would need too many values at once.
    #[error("the formula has too many open parts at once; write what comes last in it first, or make it shorter")]
    TooWide,
    /// A name is neither a variable nor a function.
    #[error("there is no {given} (character {place}); there is {nearest}")]
    UnknownName {
        /// The name as given.
        given: String,
        /// Where it begins.
        place: usize,
        /// What was probably meant.
        nearest: &'static str,
    },
    /// A function has another number of arguments.
    #[error("{function} (character {place}) takes {takes}, not {given}")]
    Arguments {
        /// Its name.
        function: &'static str,
        /// Where it begins.
        place: usize,
        /// How many it takes, in words.
        takes: &'static str,
        /// How many it was given.
        given: usize,
    },
    /// A number has an unknown unit.
    #[error("there is no unit {given} (character {place}); there are s, min, h, d and w")]
    UnknownUnit {
        /// The unit as given.
        given: String,
        /// Where it begins.
        place: usize,
    },
    /// Something else is expected at a place.
    #[error("at character {place} there is {found}; what should be there is {expected}")]
    Unexpected {
        /// The place.
        place: usize,
        /// What is there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
}
