//! Counts how far a command has come, for who looks on.

use super::watch::{Step, Watch};
use std::sync::Mutex;
use std::time::Instant;

/// The progress of a part of a command.
pub(super) struct ProgressLine<'a> {
    what: &'static str,
    all: usize,
    begun: Instant,
    done: Mutex<Done>,
    watch: &'a dyn Watch,
}

struct Done {
    items: usize,
    work: f64,
}

impl<'a> ProgressLine<'a> {
    /// The progress of `all` items called `what`, none of which is finished.
    pub(super) fn of(what: &'static str, all: usize, watch: &'a dyn Watch) -> Self {
        ProgressLine { what, all, begun: Instant::now(), done: Mutex::new(Done { items: 0, work: 0.0 }), watch }
    }

    /// Counts one more finished item, of which this fraction was not yet counted by [`ProgressLine::advance`].
    pub(super) fn finish(&self, part: f64) {
        self.count(1, part);
    }

    /// Counts this fraction of an item that goes on.
    pub(super) fn advance(&self, part: f64) {
        self.count(0, part);
    }

    fn count(&self, items: usize, part: f64) {
        // no thread panics while holding the lock
        let mut done = self.done.lock().unwrap();
        done.items += items;
        done.work += part;
        let Done { items, work } = *done;
        self.watch.come(&Step { what: self.what, items, work, all: self.all, took: self.begun.elapsed() });
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        self.watch.ended();
    }
}
