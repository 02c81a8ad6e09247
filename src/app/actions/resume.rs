//! Runs that were under way when the page was left: they go on when it comes back.

use crate::app::remembered;
use crate::app::state::{App, RunSettings};
use crate::app::wording::runs;
use crate::study::Run;
use serde::{Deserialize, Serialize};

/// Under which they are noted. A tab of the browser has its own, which a reload leaves alone.
const KEY: &str = "packfair.under-way";

/// Runs that wait or go on, and with which settings.
#[derive(Serialize, Deserialize)]
struct NotedRuns {
    settings: RunSettings,
    runs: Vec<Run>,
}

/// Notes what waits or goes on. Where nothing can be noted, a reload leaves it to a press of "Run".
pub(super) fn note(under_way: Option<(RunSettings, Vec<Run>)>) {
    match under_way {
        Some((settings, runs)) => remembered::set_of_tab(KEY, &NotedRuns { settings, runs }),
        None => remembered::forget_of_tab(KEY),
    }
}

/// What was under way when the page was left.
pub(super) fn interrupted() -> Option<(RunSettings, Vec<Run>)> {
    remembered::get_of_tab(KEY).map(|NotedRuns { settings, runs }| (settings, runs))
}

impl App {
    /// Says that so many runs begin again.
    #[inline(never)]
    pub(super) fn say_gone_on(self, count: usize) {
        let (were, verb) = if count == 1 { ("was", "goes") } else { ("were", "go") };
        let what = runs(count);
        self.notify(format!("{what} {were} under way when the page was left, and {verb} on from the beginning."), None);
    }
}
