//! Shows the progress of a long command on standard error, if that is a terminal.

use crate::study::format::{duration, whole};
use crate::study::pace;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a command goes on before its progress is shown, and the shortest time between two updates.
const OFTEN: Duration = Duration::from_millis(500);

/// The progress of a command. It is shown on a terminal only, because it would fill a file with lines.
pub(super) struct ProgressLine {
    what: &'static str,
    all: usize,
    begun: Instant,
    is_seen: bool,
    done: Mutex<Done>,
}

struct Done {
    items: usize,
    work: f64,
    /// When this was last shown; at first, when the command began.
    shown: Instant,
}

impl ProgressLine {
    /// The progress of `all` items called `what`, none of which is finished.
    pub(super) fn of(what: &'static str, all: usize) -> Self {
        let (is_seen, begun) = (io::stderr().is_terminal(), Instant::now());
        ProgressLine { what, all, begun, is_seen, done: Mutex::new(Done { items: 0, work: 0.0, shown: begun }) }
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
        if self.is_seen && done.shown.elapsed() >= OFTEN {
            done.shown = Instant::now();
            let left = pace::left(self.begun.elapsed().as_secs_f64(), done.work, self.all as f64);
            let left = left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
            let (count, all) = (whole(done.items as i64), whole(self.all as i64));
            // if standard error is closed, nothing is lost
            let _ = write!(io::stderr(), "\r{count} of {all} {}{left}\x1b[K", self.what);
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_seen {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
