//! Runs the same study on several logs.

use crate::app::state::{App, RunSettings};
use crate::app::store;
use crate::run_queue::Event;
use crate::study::{RunReport, Source, Study, Treatment};

/// The settings with which `study` runs on a log. For the log on screen these are the present settings, for any other
/// those with which the page would open it.
fn settings_on(study: &Study, source: &Source) -> RunSettings {
    let mut settings = RunSettings::of(study);
    if settings.source.key() != source.key() {
        settings.treatment = Treatment { cleaning: study.treatment.cleaning, ..Treatment::default() };
        settings.source = source.clone();
    }
    settings
}

impl App {
    pub async fn results_on(self, study: &Study, source: &Source) -> Vec<RunReport> {
        let settings = settings_on(study, source);
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for run in study.runs() {
            let key = settings.key(&run);
            match self.with_backend(|backend| backend.queue.outcome(&key).cloned()) {
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

    /// Opens the logs one after the other, runs the study on each, and then opens the log on screen again.
    pub fn run_on_logs(self, sources: Vec<Source>) {
        self.tell(Event::RunOnLogs(sources));
    }

    /// Stops running the study on several logs, and the runs under way for it.
    pub fn stop_running_on_logs(self) {
        self.tell(Event::RunOnLogsStopped);
    }
}
