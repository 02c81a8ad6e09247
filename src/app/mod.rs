//! The page and its workers: Leptos components, worker pool, storage. Browser only.
//!
//! Components read the signals of [`state::App`] and call its methods ([`actions`]); these talk to
//! workers through the [`pool`] and remember through the [`store`]. A worker's side is [`worker`].

pub mod controls;
pub mod dialogs;
pub mod files;
pub mod notices;
pub mod actions;
mod engine;
mod envelope;
pub mod pool;
pub mod protocol;
pub mod results;
pub mod shell;
pub mod state;
mod virtual_list;
pub mod widget;
pub mod wording;
pub mod store;
pub mod worker;
