//! Why a command has no result.

use crate::Failure;

/// Why a command has no result, as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The input cannot be used.
    #[error("{0}")]
    Input(String),
    /// There is no such option.
    #[error("there is no option {name}{}", .like.as_ref().map(|like| format!("; perhaps {like} is meant")).unwrap_or_default())]
    Unknown {
        /// The option that was given.
        name: String,
        /// One with a similar name.
        like: Option<String>,
    },
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

impl Refusal {
    /// What a command line does and a program in its place cannot do.
    pub(super) fn not_here() -> Self {
        Refusal::Input("this is for the command line alone".to_owned())
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped => Refusal::Stopped,
            other => Refusal::Input(other.to_string()),
        }
    }
}
