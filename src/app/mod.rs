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

/// How long a first value may be waited for before the line is for whatever else there is, ms.
const PATIENCE: u64 = 5_000;

/// Begins the page's work, and puts the page into the document in the task after this one: the worker is on its
/// way meanwhile, and two short tasks are better than a long one. Calls `then` once the page shows a first value, for until
/// then the line to the host is for that, or at the latest after [`PATIENCE`]. Called once, by the page's `main`.
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
