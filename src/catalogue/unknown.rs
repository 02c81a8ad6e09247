//! Why a text is not an entry of a catalogue, or not a value of a parameter.

use super::ScriptError;
use crate::expression::FormulaError;

/// Why a text is not an id, or not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownId {
    #[error("there is no {what} \"{given}\"; there are {known}")]
    Entry {
        what: &'static str,
        /// The text as given.
        given: String,
        /// What would be right.
        known: String,
    },
    #[error("{parameter} of {of} cannot be \"{given}\"; it takes {takes}")]
    Value {
        of: String,
        parameter: String,
        /// The text as given.
        given: String,
        /// What would be right.
        takes: String,
    },
    #[error("{parameter} of {of}: {why}")]
    Formula {
        of: String,
        parameter: String,
        /// What is wrong, and where.
        why: FormulaError,
    },
    #[error("{of}: {why}")]
    Script { of: String, why: ScriptError },
    #[error("{of}: {why}")]
    Together { of: String, why: String },
    #[error("{preset} takes no settings, for it is a name for some: {means}; change these")]
    Preset { preset: &'static str, means: &'static str },
    #[error("\"{given}\" cannot be read; it should look like {like}")]
    Form {
        /// The text as given.
        given: String,
        like: &'static str,
    },
}

impl UnknownId {
    pub fn entry(what: &'static str, given: &str, known: impl Iterator<Item = &'static str>) -> Self {
        UnknownId::Entry { what, given: shortened(given), known: known.collect::<Vec<_>>().join(", ") }
    }
}

/// How much of a wrong text is shown, characters.
const SHOWN: usize = 40;

/// The beginning of a text, for a message.
pub fn shortened(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
