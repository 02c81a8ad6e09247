//! Runs that were under way when the page was left: they go on when it comes back.

use crate::app::prelude::*;
use crate::app::state::{App, Basis, Row};
use crate::app::wording::runs;
use crate::study::Run;
use gloo::storage::{SessionStorage, Storage};
use serde::{Deserialize, Serialize};

/// Under which they are noted. A tab of the browser has its own, which a reload leaves alone.
const KEY: &str = "packfair.under-way";

/// Runs that wait or go on, and with which settings.
#[derive(Serialize, Deserialize)]
struct UnderWay {
    basis: Basis,
    runs: Vec<Run>,
}

impl App {
    /// Notes what waits or goes on.
    pub(super) fn note_under_way(self) {
        let basis = Basis::of(&self.study.get_untracked());
        let runs: Vec<Run> = self.with_engine(|engine| {
            let present = engine.tasks().filter(|task| task.basis == basis);
            present.map(|task| task.run.clone()).collect()
        });
        // where nothing can be noted, a reload leaves what was under way to a press of "Run"
        if runs.is_empty() {
            SessionStorage::delete(KEY);
        } else {
            let _ = SessionStorage::set(KEY, UnderWay { basis, runs });
        }
    }

    /// Forgets them once nothing waits or goes on.
    pub(super) fn note_the_end(self) {
        if self.with_engine(|engine| engine.tasks().next().is_none()) {
            SessionStorage::delete(KEY);
        }
    }

    /// Takes up what was under way when the page was left, once its log is here again.
    pub(super) fn go_on(self) {
        let Ok(before) = SessionStorage::get::<UnderWay>(KEY) else { return };
        let basis = Basis::of(&self.study.get_untracked());
        if before.basis != basis {
            return;
        }
        let is_due = |row: &Row| row.is_due(&basis) && before.runs.contains(&row.run);
        let due: Vec<Run> = self.rows.get_untracked().into_iter().filter(is_due).map(|row| row.run).collect();
        if due.is_empty() {
            return;
        }
        let (what, verb) = (runs(due.len()), if due.len() == 1 { "goes" } else { "go" });
        let were = if due.len() == 1 { "was" } else { "were" };
        self.notify(format!("{what} {were} under way when the page was left, and {verb} on from the beginning."), None);
        self.enqueue(due);
    }
}
