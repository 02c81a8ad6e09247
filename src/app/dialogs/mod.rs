//! Dialogs about the whole study: recipes, sharing, exports, help.

mod asked;
mod export;
mod help;
mod recipes;

pub use asked::Asked;
pub use export::{CopyButton, ExportLog, ExportMenu, ExportSchedule, Share};
pub use help::{Help, OwnLog, slurm_command};
pub use recipes::{Recipes, RecipesButton};

use crate::app::prelude::*;
use crate::app::writing::ScriptDraft;

/// Which dialogs are open. Provided as context by the page's frame.
#[derive(Clone, Copy, Default)]
pub struct Dialogs {
    pub recipes: RwSignal<bool>,
    /// The link to share.
    pub share: RwSignal<bool>,
    pub schedule: RwSignal<bool>,
    pub log: RwSignal<bool>,
    pub generate: RwSignal<bool>,
    pub own_log: RwSignal<bool>,
    pub help: RwSignal<bool>,
    /// The form for a user's own scheduler, written as a script.
    pub writing: RwSignal<bool>,
    pub draft: RwSignal<ScriptDraft>,
}
