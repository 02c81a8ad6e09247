//! Results of the same study on several logs.

use crate::app::state::{App, Basis, LogState};
use crate::app::store;
use crate::study::{RunReport, Source, Study, Treatment};
use gloo::timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How often it is looked whether all runs on a log have ended, milliseconds.
const LOOK_MS: u32 = 150;

/// A log is done once nothing has been under way for so many looks: results that are remembered come
/// from the database.
const QUIET_LOOKS: usize = 4;

/// The settings with which `study` runs on a log: those that are on screen, or those with which the page
/// would open it.
fn basis_on(study: &Study, source: &Source) -> Basis {
    let mut basis = Basis::of(study);
    if basis.source.key() != source.key() {
        basis.treatment = Treatment { cleaning: study.treatment.cleaning, ..Treatment::default() };
        basis.source = source.clone();
    }
    basis
}

impl App {
    /// What came out of the study's runs on a log, as far as it is remembered.
    pub async fn results_on(self, study: &Study, source: &Source) -> Vec<RunReport> {
        let basis = basis_on(study, source);
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for run in study.runs() {
            let key = basis.key(&run);
            match self.with_engine(|engine| engine.outcomes.get(&key).cloned()) {
                Some(outcome) => found.push(outcome.report.clone()),
                None => missing.push(key),
            }
        }
        if !missing.is_empty() {
            let stored = store::reports(missing).await.unwrap_or_default();
            found.extend(stored.into_iter().map(|(_, report)| report));
        }
        found
    }

    /// Opens one log after the other, runs the study on each, and comes back to the log on screen.
    pub fn run_on_logs(self, sources: Vec<Source>) {
        if self.touring.get_untracked() {
            return;
        }
        self.touring.set(true);
        let home = self.study.get_untracked().source;
        spawn_local(async move {
            for source in sources {
                if !self.touring.get_untracked() {
                    break;
                }
                if source.key() != self.study.get_untracked().source.key() {
                    self.with_engine(|engine| engine.run_when_described = true);
                    self.open(source.clone());
                } else {
                    self.run_all();
                }
                self.until_quiet(&source).await;
            }
            self.touring.set(false);
            if self.study.get_untracked().source.key() != home.key() {
                self.open(home);
            }
        });
    }

    /// Waits until all runs on a log have ended; or until it cannot be opened, or nobody wants it.
    async fn until_quiet(self, source: &Source) {
        let mut quiet = 0;
        while quiet < QUIET_LOOKS && self.touring.get_untracked() {
            TimeoutFuture::new(LOOK_MS).await;
            let is_open = self.with_engine(|engine| {
                let is_this = engine.open.as_ref().is_some_and(|open| open.source.key() == source.key());
                is_this && engine.loading.is_none() && engine.describing.is_none() && !engine.run_when_described
            });
            let state = self.log.get_untracked();
            match state {
                LogState::Failed { .. } => return,
                LogState::Ready(_) if is_open && !self.rows.with_untracked(|rows| rows.iter().any(|r| r.is_busy())) => {
                    quiet += 1;
                }
                _ => quiet = 0,
            }
        }
    }
}
