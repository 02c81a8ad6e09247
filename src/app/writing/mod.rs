//! Schedulers that a person writes as scripts: the dialog in which that is done, and the question before those of others run.

mod consent;
mod dialog;
mod editor;
mod outcome;
mod trying;

pub use consent::{OfferedScripts, ScriptConsent};
pub use dialog::WriteScript;

use crate::scheduler::Policy;

/// A script as it is being written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptDraft {
    /// What it is called.
    pub name: String,
    /// What it says.
    pub text: String,
    /// The scheduler of the study whose place it takes; none: it becomes one more.
    pub changed: Option<Policy>,
}

impl ScriptDraft {
    /// To change a scheduler of the study, where it is a script.
    pub fn of(policy: &Policy) -> Option<Self> {
        let script = policy.settings().script()?;
        Some(ScriptDraft {
            name: script.name().to_owned(),
            text: script.text().to_owned(),
            changed: Some(policy.clone()),
        })
    }
}
