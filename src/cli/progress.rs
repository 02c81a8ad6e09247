//! Shows the progress of a long command on standard error, if that is a terminal.

use crate::study::format::{duration, whole};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The shortest time between two updates.
const OFTEN: Duration = Duration::from_millis(200);

/// The progress of a command. It is shown on a terminal only, because it would fill a file with lines.
pub(super) struct Progress {
    what: &'static str,
    all: usize,
    begun: Instant,
    is_seen: bool,
    /// The number of finished items, the fraction of the work that they were, and when this was last shown.
    done: Mutex<(usize, f64, Option<Instant>)>,
}

impl Progress {
    /// The progress of `all` items called `what`, none of which is finished.
    pub(super) fn of(what: &'static str, all: usize) -> Self {
        let is_seen = io::stderr().is_terminal();
        Progress { what, all, begun: Instant::now(), is_seen, done: Mutex::default() }
    }

    /// Counts one more finished item, which was this fraction of the whole work.
    pub(super) fn advance(&self, part: f64) {
        // no thread panics while holding the lock
        let mut done = self.done.lock().unwrap();
        done.0 += 1;
        done.1 += part;
        if self.is_seen && done.2.is_none_or(|said| said.elapsed() >= OFTEN) {
            done.2 = Some(Instant::now());
            let left = self.begun.elapsed().as_secs_f64() * (1.0 - done.1).max(0.0) / done.1.max(1e-9);
            let (count, all) = (whole(done.0 as i64), whole(self.all as i64));
            // if standard error is closed, nothing is lost
            let _ = write!(io::stderr(), "\r{count} of {all} {}, {} left\x1b[K", self.what, duration(left));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_seen {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
