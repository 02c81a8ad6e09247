//! The rows of the table, and the state of their log.

use super::protocol::ScheduleKey;
use crate::metric::{Measure, Metric};
use crate::study::settings::LogFacts;
use crate::study::{Engine, Rules, Run, RunReport, Source, Study, Treatment};
use crate::workload::{Account, Fingerprint, Header, Summary};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All settings, besides the run itself, on which a result depends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    pub source: Source,
    pub treatment: Treatment,
    /// What happens when estimates run out, and when jobs are estimated again.
    pub rules: Rules,
    pub measure: Measure,
}

impl RunSettings {
    /// The settings of a study as it stands.
    pub fn of(study: &Study) -> Self {
        RunSettings {
            source: study.source.clone(),
            treatment: study.treatment.clone(),
            rules: study.rules(),
            measure: study.measure.clone(),
        }
    }

    /// The key of the result of `run` with these settings, from this engine. Results stored by another engine are not
    /// found, and are computed again.
    pub fn key(&self, run: &Run) -> ScheduleKey {
        // plain data with text keys can always be written
        let text = serde_json::to_string(&(self, run)).unwrap();
        let digest = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
        format!("{}|{}-{digest:032x}", self.source.key(), Engine::THIS)
    }
}

/// A result, with the settings for which it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    pub settings: RunSettings,
    pub report: RunReport,
    /// Whether the schedule is available, so that jobs, Gantt chart and exports can be shown.
    pub has_schedule: bool,
}

impl RunOutcome {
    /// The treatment of the log before this run was simulated.
    pub fn treatment(&self) -> Treatment {
        self.report.run.treatment(&self.settings.treatment)
    }

    /// Whether the fair start times of the run were computed.
    pub fn has_fair_starts(&self) -> bool {
        self.report.values.contains_key(&Metric::StrictUnfairness)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The run has not been made, or not with the present settings.
    Idle,
    Queued,
    Running {
        completed: usize,
        jobs: usize,
        /// The remaining time, seconds, if it is known.
        left: Option<f64>,
    },
    /// The run takes long, by how far it came, and waits for the user's word.
    Held {
        /// How long it takes, seconds, if that is known.
        seconds: Option<f64>,
    },
    Measuring,
    Done,
    Failed(String),
    Cancelled,
}

/// A row of the table: a run and its status.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    pub run: Run,
    pub status: Status,
    /// The last result, which may be for other settings than the present ones.
    pub result: Option<Arc<RunOutcome>>,
}

impl RunRow {
    /// The row of a run that was never made.
    pub fn idle(run: Run) -> Self {
        RunRow { run, status: Status::Idle, result: None }
    }

    /// Whether the run waits or is under way.
    pub fn is_busy(&self) -> bool {
        matches!(self.status, Status::Queued | Status::Running { .. } | Status::Measuring)
    }

    /// Whether the run does not start by itself: it was cancelled, has failed, or waits for the user's word.
    pub fn is_given_up(&self) -> bool {
        matches!(self.status, Status::Cancelled | Status::Failed(_) | Status::Held { .. })
    }

    /// Whether the result shown is for settings other than the study's.
    pub fn is_stale(&self, study: &Study) -> bool {
        self.result.as_ref().is_some_and(|result| result.settings != RunSettings::of(study))
    }

    /// Whether the run has no result for these settings and is not waiting or under way.
    pub fn is_due(&self, settings: &RunSettings) -> bool {
        !self.is_busy() && self.result.as_ref().is_none_or(|result| result.settings != *settings)
    }

    /// Whether "Run" would start this run.
    pub fn is_pending(&self, study: &Study, settings: &RunSettings) -> bool {
        self.is_due(settings) || self.lacks_fair_starts(study, settings)
    }

    /// Whether a column of `study` needs fair start times that this run lacks and that can be computed.
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

/// The state of the study's log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogState {
    /// No log is loaded (a shared result is shown without its log).
    Absent,
    Loading {
        name: String,
        /// The fraction that has been read, from 0 to 1.
        fraction: f64,
    },
    Failed {
        name: String,
        message: String,
        /// Whether it can be read if the user accepts that many of its records are not understood.
        may_go_on: bool,
    },
    Ready(Arc<DescribedLog>),
}

/// The study's log after its treatment.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedLog {
    /// The summary of the workload after filter and cleaning.
    pub summary: Summary,
    /// The summary without the filter, if there is one.
    pub unfiltered: Option<Box<Summary>>,
    /// What was repaired and dropped.
    pub account: Account,
    pub header: Header,
    pub fingerprint: Option<Fingerprint>,
    /// The number of jobs in the file, before filter and cleaning.
    pub records: usize,
    /// The treatment that was applied. If it differs from the study's, a new description is under way.
    pub treatment: Treatment,
    /// Whether the log is a table, whose columns are known by their names or from the user.
    pub is_table: bool,
}

impl DescribedLog {
    /// The facts about the log that settings may use.
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
