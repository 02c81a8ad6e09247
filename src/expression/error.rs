//! What is wrong with a formula.

/// Why a text is no formula. Places are counted in characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    #[error("the formula is empty; write one such as (wait/estimate)^3*processors")]
    Empty,
    #[error("the formula has {length} bytes; it may have {}", super::LONGEST)]
    TooLong {
        /// Its length, bytes.
        length: usize,
    },
    #[error("the formula has parts within parts within parts, more than {} deep, at character {place}", super::DEEPEST)]
    TooDeep { place: usize },
    #[error("the formula has too many open parts at once; write what comes last in it first, or make it shorter")]
    TooWide,
    #[error("there is no {given} (character {place}); there is {nearest}")]
    UnknownName {
        /// The name as given.
        given: String,
        place: usize,
        /// What was probably meant.
        nearest: &'static str,
    },
    #[error("{function} (character {place}) takes {takes}, not {given}")]
    Arguments {
        function: &'static str,
        place: usize,
        /// How many it takes, in words.
        takes: &'static str,
        given: usize,
    },
    #[error("there is no unit {given} (character {place}); there are s, min, h, d and w")]
    UnknownUnit {
        /// The unit as given.
        given: String,
        place: usize,
    },
    #[error("at character {place} there is {found}; what should be there is {expected}")]
    Unexpected {
        place: usize,
        found: String,
        /// What would be right.
        expected: &'static str,
    },
}
