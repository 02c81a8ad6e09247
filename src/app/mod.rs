//! The page and its workers: Leptos components, worker pool, storage. Browser only.

pub mod controls;
pub mod dialogs;
pub mod files;
pub mod notices;
pub mod protocol;
pub mod results;
pub mod shell;
pub mod state;
mod virtual_list;
pub mod widget;
pub mod wording;
