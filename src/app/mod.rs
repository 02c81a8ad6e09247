//! The page and its workers: Leptos components, worker pool, storage. Browser only.
//!
//! Components read the signals of [`state::App`] and call its methods ([`actions`]); these tell the
//! run queue what has happened ([`crate::run_queue`]) and carry out its orders: they talk to workers through the [`pool`]
//! and remember through the [`store`]. A worker's side is [`worker`].

pub mod actions;
mod arrival;
mod backend;
pub mod built;
pub mod charts;
pub mod controls;
mod database;
pub mod dialogs;
mod envelope;
mod explore;
pub mod fault;
pub mod files;
pub mod late;
mod long_lived;
pub mod notices;
pub mod pool;
mod prelude;
mod remembered;
pub mod restoring;
pub mod results;
pub mod shell;
pub mod state;
pub mod store;
mod virtual_list;
pub mod widget;
pub mod wording;
pub mod worker;
mod writing;

use prelude::*;
use widget::Later;

/// Begins the page's work, and puts the page into the document in the task after this one: the worker is on its
/// way meanwhile, and two short tasks are better than a long one. Called once, by the page's `main`.
pub fn mount() {
    leptos::mount::mount_to_body(|| {
        provide_context(state::App::begin_session());
        provide_context(charts::ShownCharts::default());
        view! { <Later><shell::Shell /></Later> }
    });
}
