//! Signals that live as long as the page.

use super::prelude::*;
use leptos::reactive::graph::{Observer, Source, Subscriber};

/// A signal that lives as long as the page, and whose readers come and go.
///
/// Leptos keeps a note of each reader for as long as the signal lives, also of one whose view is gone. A page in use for
/// long would hold hundreds of thousands.
pub trait LongLived<T> {
    /// Changes its value, and forgets who has read it. Who is still there has been told, and reads it again.
    fn change(self, change: impl FnOnce(&mut T));

    /// Gives it another value, in the same way.
    fn renew(self, value: T);

    /// Forgets who has read it, as it is: for one that seldom changes. Who is still there reads it again.
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

/// A memo of what lives longer than the view this is called in. What it reads forgets it once that view is gone.
///
/// Views that are made anew again and again, with every row, log or run, read through these.
pub fn while_shown<T: PartialEq + Send + Sync + 'static>(read: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    Memo::new(move |_| {
        if let Some(reader) = Observer::get() {
            on_cleanup(move || reader.clear_sources(&reader));
        }
        read()
    })
}
