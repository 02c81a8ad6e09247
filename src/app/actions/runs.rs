//! Starting and stopping runs.

use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome, RunRow, RunSettings};
use crate::metric::Metric;
use crate::run_queue::Event;
use crate::study::Run;
use std::sync::Arc;

impl App {
    /// Starts all runs that have no result for the present settings.
    pub fn run_all(self) {
        self.tell(Event::RunAll);
    }

    pub fn run_one(self, run: Run) {
        self.tell(Event::RunOne(run));
    }

    pub fn cancel(self, run: Run) {
        self.tell(Event::Cancel(run));
    }

    pub fn cancel_all(self) {
        self.tell(Event::CancelAll);
    }

    /// The number of runs that "Run" would start.
    pub fn pending(self) -> usize {
        self.study.with(|study| {
            let settings = RunSettings::of(study);
            self.rows.with(|rows| rows.iter().filter(|row| row.is_pending(study, &settings)).count())
        })
    }

    /// Whether any run waits or runs.
    pub fn is_busy(self) -> bool {
        self.rows.with(|rows| rows.iter().any(RunRow::is_busy))
    }

    /// The results shown that are not stale, in the table's order.
    pub fn results(self) -> Vec<Arc<RunOutcome>> {
        if self.is_between_logs() {
            return Vec::new();
        }
        let settings = self.study.with(RunSettings::of);
        let fresh = |row: &RunRow| row.result.clone().filter(|result| result.settings == settings);
        self.rows.with(|rows| rows.iter().filter_map(fresh).collect())
    }

    /// Whether a log other than the study's is being read, or could not be read. Results are then hidden: numbers of
    /// one log must not appear under the name of another.
    pub fn is_between_logs(self) -> bool {
        self.log.with(|log| match log {
            LogState::Loading { name, .. } | LogState::Failed { name, .. } => {
                self.study.with(|study| study.source.name() != *name)
            }
            LogState::Ready(_) | LogState::Absent => false,
        })
    }

    /// Shows the columns that need fair start times, and computes the fair start times of all runs. Runs without a
    /// result are made first.
    pub fn compute_all_fair_starts(self) {
        self.show_unfairness();
        self.run_all();
    }

    /// Computes the fair start times of a run that has a result, and shows the columns that need them.
    pub fn compute_fair_starts(self, run: Run) {
        self.show_unfairness();
        self.tell(Event::FairStartsWanted(run));
    }

    /// Why fair start times of this run cannot be computed now; `None` if they can.
    pub fn no_fair_starts(self, run: &Run) -> Option<String> {
        if let Err(why) = run.check_fair_starts() {
            return Some(why.to_string());
        }
        let settings = self.study.with(RunSettings::of);
        let result = self.rows.with(|rows| rows.iter().find(|row| row.run == *run).and_then(|row| row.result.clone()));
        match result.filter(|result| result.settings == settings && result.has_schedule) {
            None => Some("Run it first.".to_owned()),
            Some(result) if result.has_fair_starts() => Some("They are computed already.".to_owned()),
            Some(_) => None,
        }
    }

    fn show_unfairness(self) {
        self.edit(|study| {
            for metric in Metric::UNFAIRNESS {
                if !study.columns.contains(&metric) {
                    study.columns.push(metric);
                }
            }
        });
    }
}
