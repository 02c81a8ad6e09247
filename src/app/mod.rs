//! The page: Leptos components, worker pool, storage. Browser only.
//!
//! Components read the signals of [`state::App`] and call its methods ([`actions`]). The methods tell the run queue
//! ([`crate::run_queue`]) what has happened and carry out its orders: they talk to workers through the [`pool`] and
//! store values through the [`store`]. The worker's side is [`crate::worker`].

pub mod actions;
mod arrival;
pub mod built;
pub mod charts;
mod cluster;
pub mod controls;
pub mod dialogs;
mod explore;
pub mod files;
pub mod late;
mod learn;
pub mod notices;
pub mod pool;
mod prelude;
pub mod remembered;
pub mod results;
pub mod shell;
pub mod state;
pub mod store;
mod virtual_list;
mod when;
pub mod widget;
mod writing;

use leptos::reactive::graph::{Observer, Source, Subscriber};
use prelude::*;
use std::sync::Arc;
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

// Signals that live as long as the page.

/// A signal that lives as long as the page, while its readers come and go.
///
/// Leptos keeps a subscriber entry for each reader as long as the signal lives, even if the reader's view is gone. A
/// page that is used for a long time would hold hundreds of thousands of them.
pub trait LongLived<T> {
    /// Changes the value, and drops all subscribers. Readers that still exist are notified first, and subscribe again
    /// when they read.
    fn change(self, change: impl FnOnce(&mut T));

    /// Sets the value, and drops all subscribers like [`LongLived::change`].
    fn renew(self, value: T);

    /// Drops all subscribers without a change of the value, for signals that seldom change. Readers that still exist
    /// are notified first, and subscribe again when they read.
    fn forget_readers(self);
}

impl<T: Send + Sync + 'static> LongLived<T> for RwSignal<T> {
    fn change(self, change: impl FnOnce(&mut T)) {
        self.update(change);
        self.clear_subscribers();
    }

    fn renew(self, value: T) {
        self.change(|held| *held = value);
    }

    fn forget_readers(self) {
        self.notify();
        self.clear_subscribers();
    }
}

/// A memo of signals that live longer than the view in which this is called. Once that view is gone, the signals no
/// longer hold it as a subscriber.
///
/// Views that are made again and again, for each row, log or run, read long-lived signals through such memos.
pub fn while_shown<T: PartialEq + Send + Sync + 'static>(read: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    Memo::new(move |_| {
        if let Some(reader) = Observer::get() {
            on_cleanup(move || reader.clear_sources(&reader));
        }
        read()
    })
}

// Actions that are kept until the user asks for them.

/// The action of a message's button. It is freed with its message; a `Callback` made in an event handler never is.
pub type Act = Arc<dyn Fn() + Send + Sync>;
