//! Runs that were waiting or under way when the page was left. They start again when the page is loaded again.

use crate::app::remembered;
use crate::app::state::{App, RunSettings};
use crate::app::wording::runs;
use crate::study::Run;
use serde::{Deserialize, Serialize};

/// The storage key of these runs. Each browser tab has its own copy, which survives a reload.
const KEY: &str = "packfair.under-way";

/// Runs that wait or are under way, and their settings.
#[derive(Serialize, Deserialize)]
struct NotedRuns {
    settings: RunSettings,
    runs: Vec<Run>,
}

/// Stores which runs wait or are under way. If nothing can be stored, the user has to press "Run" after a reload.
pub(super) fn note(under_way: Option<(RunSettings, Vec<Run>)>) {
    match under_way {
        Some((settings, runs)) => remembered::set_of_tab(KEY, &NotedRuns { settings, runs }),
        None => remembered::forget_of_tab(KEY),
    }
}

/// The runs that were under way when the page was left, and their settings.
pub(super) fn interrupted() -> Option<(RunSettings, Vec<Run>)> {
    remembered::get_of_tab(KEY).map(|NotedRuns { settings, runs }| (settings, runs))
}

impl App {
    #[inline(never)]
    pub(super) fn say_resumed(self, count: usize) {
        let (were, verb) = if count == 1 { ("was", "starts") } else { ("were", "start") };
        let what = runs(count);
        self.notify(format!("{what} {were} interrupted when the page was left, and {verb} again."), None);
    }
}
