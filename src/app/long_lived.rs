//! Signals that live as long as the page.

use super::prelude::*;
use leptos::reactive::graph::{Observer, Source, Subscriber};

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
