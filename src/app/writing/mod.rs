//! Schedulers that users write as scripts: the dialog for writing them, and the consent before other people's scripts
//! run.

mod consent;
mod dialog;
mod editor;
mod outcome;
mod trying;

pub use consent::ScriptConsent;
pub use dialog::WriteScript;

use crate::scheduler::Policy;

/// A script that is being written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptDraft {
    pub name: String,
    pub text: String,
    /// The scheduler of the study that the script will replace; `None` to add one.
    pub changed: Option<Policy>,
}

impl ScriptDraft {
    /// A draft for changing a scheduler of the study; `None` if it is not a script.
    pub fn of(policy: &Policy) -> Option<Self> {
        let script = policy.settings().script()?;
        Some(ScriptDraft {
            name: script.name().to_owned(),
            text: script.text().to_owned(),
            changed: Some(policy.clone()),
        })
    }
}
