//! Who looks on while a command works: it is told how far the work has come, and may stop it.

use packfair_study::format::{duration, whole};
use packfair_study::pace;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Looks on while a command works. Threads tell it in any order.
pub trait Watch: Sync {
    /// So much of the work is done.
    fn come(&self, step: &Step);

    /// This part of the work has ended; another may follow.
    fn ended(&self) {}

    /// Whether the work is to stop. What was computed so far may be lost.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Called where work goes on with what is known after it was stopped.
    fn goes_on(&self) {}
}

/// How far a part of the work has come.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What is counted: runs, repeats.
    pub what: &'static str,
    /// The number of items that are finished.
    pub items: usize,
    /// The work that is done, in items; it counts those that go on.
    pub work: f64,
    /// The number of all items.
    pub all: usize,
    /// How long this part of the work has taken so far.
    pub took: Duration,
}

/// How long a command goes on before its progress is shown, and the shortest time between two updates.
const OFTEN: Duration = Duration::from_millis(500);

/// Shows the progress on standard error, if that is a terminal: it would fill a file with lines.
pub(super) struct OnTerminal {
    is_seen: bool,
    shown: Mutex<Instant>,
}

impl OnTerminal {
    pub(super) fn new() -> Self {
        OnTerminal { is_seen: io::stderr().is_terminal(), shown: Mutex::new(Instant::now()) }
    }
}

impl Watch for OnTerminal {
    fn come(&self, step: &Step) {
        if !self.is_seen {
            return;
        }
        // no thread panics while holding the lock
        let mut shown = self.shown.lock().unwrap();
        if shown.elapsed() < OFTEN {
            return;
        }
        *shown = Instant::now();
        let left = pace::left(step.took.as_secs_f64(), step.work, step.all as f64);
        let left = left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
        let (count, all) = (whole(step.items as i64), whole(step.all as i64));
        // if standard error is closed, nothing is lost
        let _ = write!(io::stderr(), "\r{count} of {all} {}{left}\x1b[K", step.what);
    }

    fn ended(&self) {
        if self.is_seen {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
