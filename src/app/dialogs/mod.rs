//! What is done with the whole study: recipes, sharing, exports, help.

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
pub use own_log::OwnLog;
pub use recipes::{Recipes, RecipesButton};
pub use share::Share;

use crate::app::prelude::*;
use crate::app::writing::ScriptDraft;

/// Which dialogs are open. Provided as context by the page's frame.
#[derive(Clone, Copy, Default)]
pub struct Dialogs {
    /// Studies of the papers, and those before.
    pub recipes: RwSignal<bool>,
    /// The link.
    pub share: RwSignal<bool>,
    /// A run's schedule as a file.
    pub schedule: RwSignal<bool>,
    /// The log as a file.
    pub log: RwSignal<bool>,
    /// A workload to generate.
    pub generate: RwSignal<bool>,
    /// How to come by a log.
    pub own_log: RwSignal<bool>,
    /// What this is.
    pub help: RwSignal<bool>,
    /// A scheduler of one's own, as a script.
    pub writing: RwSignal<bool>,
    /// The script that is being written.
    pub draft: RwSignal<ScriptDraft>,
}
