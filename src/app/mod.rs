//! The page: Leptos components, worker pool, storage. Browser only.
//!
//! Components read the signals of [`state::App`] and call its methods ([`actions`]). The methods tell the run queue
//! ([`crate::run_queue`]) what has happened and carry out its orders: they talk to workers through the [`pool`] and
//! store values through the [`store`]. The worker's side is [`crate::worker`].

mod act;
pub mod actions;
mod arrival;
mod backend;
pub mod built;
pub mod charts;
mod cluster;
pub mod controls;
mod database;
pub mod dialogs;
mod explore;
pub mod fault;
pub mod files;
pub mod late;
mod learn;
mod long_lived;
pub mod notices;
mod paper;
pub mod pool;
mod prelude;
mod questions;
mod remembered;
pub mod restoring;
pub mod results;
pub mod shell;
pub mod state;
pub mod store;
mod taking;
mod virtual_list;
mod when;
pub mod widget;
pub mod wording;
mod writing;

use prelude::*;
use widget::Later;

/// How long to wait for the first value on screen before other files may be loaded, milliseconds.
const PATIENCE: u64 = 5_000;

/// Whether the page is opened at no particular place by somebody who has not asked for anything yet, so that it begins with the
/// first screen. Where it then does not, it waits for its late part.
pub fn is_newcomer() -> bool {
    let is_at_no_place = window().location().hash().is_ok_and(|hash| hash.is_empty());
    // not read, for what reads it may be in the late part
    is_at_no_place && !remembered::has_newest(remembered::STARTED)
}

/// Starts the page's work, and puts the page into the document in the next task: meanwhile the worker is loading, and
/// two short tasks are better than a long one. Calls `then` once the page shows a first value, or after [`PATIENCE`] at
/// the latest, so that until then nothing else takes up the connection. Called once, by the page's `main`.
pub fn mount(then: impl FnOnce() + 'static) {
    leptos::mount::mount_to_body(|| {
        let app = state::App::begin_session();
        provide_context(app);
        provide_context(charts::ShownCharts::default());
        once_shown(app, then);
        view! { <Later><shell::Shell /></Later> }
    });
}

fn once_shown(app: state::App, then: impl FnOnce() + 'static) {
    let then = StoredValue::new_local(Some(then));
    let go = move || {
        if let Some(then) = then.try_update_value(Option::take).flatten() {
            then();
        }
    };
    Effect::new(move |_| {
        if app.rows.with(|rows| rows.iter().any(|row| row.result.is_some())) {
            go();
        }
    });
    set_timeout(go, std::time::Duration::from_millis(PATIENCE));
}
