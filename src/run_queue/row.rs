//! The rows of the table, and what is known of the log that they are on.

use super::protocol::ScheduleKey;
use crate::metric::{Measure, Metric};
use crate::study::settings::LogFacts;
use crate::study::{Engine, Rules, Run, RunReport, Source, Study, Treatment};
use crate::workload::{Account, Fingerprint, Header, Summary};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All settings besides the run itself that a result depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// The log.
    pub source: Source,
    /// What was done to it.
    pub treatment: Treatment,
    /// What became of estimates that ran out, and when jobs were estimated anew.
    pub rules: Rules,
    /// Which jobs counted, and how.
    pub measure: Measure,
}

impl RunSettings {
    /// Of a study as it stands.
    pub fn of(study: &Study) -> Self {
        RunSettings {
            source: study.source.clone(),
            treatment: study.treatment.clone(),
            rules: study.rules(),
            measure: study.measure.clone(),
        }
    }

    /// Identifies the result of `run` with these settings, by this engine: what another one stored is not found, and
    /// computed again.
    pub fn key(&self, run: &Run) -> ScheduleKey {
        // plain data under keys that are text, so this does not fail
        let text = serde_json::to_string(&(self, run)).unwrap();
        let digest = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
        format!("{}|{}-{digest:032x}", self.source.key(), Engine::THIS)
    }
}

/// A result and what it is the result of.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// The settings it was made with.
    pub settings: RunSettings,
    /// What came out.
    pub report: RunReport,
    /// Whether the schedule is at hand, so that jobs, Gantt and exports can be shown.
    pub has_schedule: bool,
}

impl RunOutcome {
    /// What was done to the log before it was simulated.
    pub fn treatment(&self) -> Treatment {
        self.report.run.treatment(&self.settings.treatment)
    }

    /// Whether its fair start times were computed.
    pub fn has_fair_starts(&self) -> bool {
        self.report.values.contains_key(&Metric::StrictUnfairness)
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Not run yet, or not with the present settings.
    Idle,
    /// Waits for a worker.
    Queued,
    /// A worker runs it.
    Running {
        /// Jobs completed.
        completed: usize,
        /// Jobs in all.
        jobs: usize,
        /// Seconds left, where that can be told.
        left: Option<f64>,
    },
    /// A worker has simulated it and measures its schedule.
    Measuring,
    /// It has ended and its result is there.
    Done,
    /// It failed, and why.
    Failed(String),
    /// It was stopped.
    Cancelled,
}

/// A row of the table: a run and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Which run.
    pub run: Run,
    /// How far it is.
    pub status: Status,
    /// The last result, which may be for other settings than the present ones.
    pub result: Option<Arc<RunOutcome>>,
}

impl RunRow {
    /// Of a run that was never run.
    pub fn idle(run: Run) -> Self {
        RunRow { run, status: Status::Idle, result: None }
    }

    /// Whether it waits or runs.
    pub fn is_busy(&self) -> bool {
        matches!(self.status, Status::Queued | Status::Running { .. } | Status::Measuring)
    }

    /// Whether the result shown is for other settings than the study's.
    pub fn is_stale(&self, study: &Study) -> bool {
        self.result.as_ref().is_some_and(|result| result.settings != RunSettings::of(study))
    }

    /// Whether it has no result for these settings and no worker is to make one.
    pub fn is_due(&self, settings: &RunSettings) -> bool {
        !self.is_busy() && self.result.as_ref().is_none_or(|result| result.settings != *settings)
    }

    /// Whether a press of "Run" does something for it.
    pub fn is_pending(&self, study: &Study, settings: &RunSettings) -> bool {
        self.is_due(settings) || self.lacks_fair_starts(study, settings)
    }

    /// Whether a column of `study` shows what takes fair start times, and they can be computed and are not.
    pub fn lacks_fair_starts(&self, study: &Study, settings: &RunSettings) -> bool {
        study.asks_for_fair_starts()
            && !self.is_busy()
            && self.run.check_fair_starts().is_ok()
            && self.result.as_ref().is_some_and(|result| {
                result.settings == *settings
                    && result.has_schedule
                    && result.report.jobs > 0
                    && !result.has_fair_starts()
            })
    }
}

/// How far the study's log is.
#[derive(Clone, Debug, PartialEq)]
pub enum LogState {
    /// Nothing is loaded (a shared result is shown without its log).
    Absent,
    /// It is being read or made.
    Loading {
        /// Its name.
        name: String,
        /// From 0 to 1.
        fraction: f64,
    },
    /// It cannot be used, and why.
    Failed {
        /// Its name.
        name: String,
        /// For a person.
        message: String,
    },
    /// It is there.
    Ready(Arc<DescribedLog>),
}

/// The study's log, cleaned.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedLog {
    /// What the workload is like after filter and cleaning.
    pub summary: Summary,
    /// What it would be like without the filter, where there is one.
    pub unfiltered: Option<Box<Summary>>,
    /// What was repaired and dropped.
    pub account: Account,
    /// The log's header.
    pub header: Header,
    /// Of the log's content.
    pub fingerprint: Option<Fingerprint>,
    /// Jobs as read, before filter and cleaning.
    pub records: usize,
    /// What was done to it: where this differs from the study's, a new description is under way.
    pub treatment: Treatment,
    /// Whether it is a table, whose columns were told by their names or by a person.
    pub is_table: bool,
}

impl DescribedLog {
    /// What settings may know of it.
    pub fn facts(&self) -> LogFacts<'_> {
        LogFacts {
            header: Some(&self.header),
            clock: Some(&self.summary.clock),
            summary: Some(&self.summary),
            unfiltered: self.unfiltered.as_deref(),
            partitions: &[],
        }
    }
}
