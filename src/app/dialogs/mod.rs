//! Dialogs about the whole study: recipes, sharing, exports, help.

mod asked;
mod copying;
mod export_log;
mod export_menu;
mod export_schedule;
mod help;
mod own_log;
mod recipes;
mod share;

pub use asked::Asked;
pub use copying::CopyButton;
pub use export_log::ExportLog;
pub use export_menu::ExportMenu;
pub use export_schedule::ExportSchedule;
pub use help::Help;
pub use own_log::{OwnLog, slurm_command};
pub use recipes::{Recipes, RecipesButton};
pub use share::Share;

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
