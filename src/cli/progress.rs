//! How far a long command is, on standard error, where a person looks at it.

use crate::study::format::{duration, whole};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often it is said.
const OFTEN: Duration = Duration::from_millis(200);

/// How far it is. It is said on a terminal only: in a file it would be many lines.
pub(super) struct Progress {
    what: &'static str,
    all: usize,
    begun: Instant,
    is_seen: bool,
    /// How many are done, how much of the work they are, and when that was said last.
    done: Mutex<(usize, f64, Option<Instant>)>,
}

impl Progress {
    /// Nothing is done yet of so many of `what`.
    pub(super) fn of(what: &'static str, all: usize) -> Self {
        let is_seen = io::stderr().is_terminal();
        Progress { what, all, begun: Instant::now(), is_seen, done: Mutex::default() }
    }

    /// One more is done, which was that part of all the work.
    pub(super) fn advance(&self, part: f64) {
        // nobody panics while holding it
        let mut done = self.done.lock().unwrap();
        done.0 += 1;
        done.1 += part;
        if self.is_seen && done.2.is_none_or(|said| said.elapsed() >= OFTEN) {
            done.2 = Some(Instant::now());
            let left = self.begun.elapsed().as_secs_f64() * (1.0 - done.1).max(0.0) / done.1.max(1e-9);
            let (count, all) = (whole(done.0 as i64), whole(self.all as i64));
            // where it is closed, nobody listens
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
