//! Why a text is not an entry of a catalogue, or not a value of a parameter.

use super::ScriptError;
use crate::expression::FormulaError;

/// Why a text is not an id, or not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownId {
    /// No entry has this id.
    #[error("there is no {what} \"{given}\"; there are {known}")]
    Entry {
        /// Scheduler, estimator, metric, ...
        what: &'static str,
        /// The text as given.
        given: String,
        /// What would be right.
        known: String,
    },
    /// A parameter's value is not one it takes.
    #[error("{parameter} of {of} cannot be \"{given}\"; it takes {takes}")]
    Value {
        /// The entry.
        of: String,
        /// The parameter's id.
        parameter: String,
        /// The text as given.
        given: String,
        /// What would be right.
        takes: String,
    },
    /// A formula that cannot be read.
    #[error("{parameter} of {of}: {why}")]
    Formula {
        /// The entry.
        of: String,
        /// The parameter's id.
        parameter: String,
        /// What is wrong, and where.
        why: FormulaError,
    },
    /// A text that is no script.
    #[error("{of}: {why}")]
    Script {
        /// The entry.
        of: String,
        /// What is wrong, and what to do.
        why: ScriptError,
    },
    /// Values that are each right make no sense together.
    #[error("{of}: {why}")]
    Together {
        /// The entry.
        of: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// Settings were given to a preset, which has none of its own.
    #[error("{preset} takes no settings, for it is a name for some: {means}; change these")]
    Preset {
        /// The preset's id.
        preset: &'static str,
        /// What it stands for.
        means: &'static str,
    },
    /// The text cannot be read at all.
    #[error("\"{given}\" cannot be read; it should look like {like}")]
    Form {
        /// The text as given.
        given: String,
        /// An example.
        like: &'static str,
    },
}

impl UnknownId {
    /// No entry of `entries` has the id `given`.
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
