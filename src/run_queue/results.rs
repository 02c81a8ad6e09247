//! Rows and results. The rows follow the study; results come from workers, from this session and from the browser's
//! storage.

use super::protocol::{ScheduleKey, Ticket};
use super::repeats::{RepeatsNews, TrialsNews};
use super::{QueueOrder, RunQueue};
use packfair_engine::metric::{Measure, Metric};
use packfair_study::settings::LogFacts;
use packfair_study::{Engine, Rules, Run, RunReport, Source, Study, Treatment};
use packfair_workload::{Account, Fingerprint, Header, Summary};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of results that a session keeps in memory; others can be fetched from the browser's storage.
const MOST_AT_HAND: usize = 24;

impl<B: Clone> RunQueue<B> {
    /// Makes the rows follow the study, each with its latest result.
    pub(super) fn study_changed(&mut self, study: Study) {
        let settings = RunSettings::of(&study);
        let is_changed = self.followed.replace(settings.clone()).as_ref() != Some(&settings);
        self.study = study;
        self.give_up_outdated();
        if self.repeats.is_some() {
            self.tell_repeats(RepeatsNews::StudyChanged);
        }
        if self.trying.is_some() {
            self.tell_trials(TrialsNews::StudyChanged);
        }
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        // a map, because there may be thousands of rows
        let mut known: HashMap<String, RunRow> =
            std::mem::take(&mut self.rows).into_iter().map(|row| (row.run.id(), row)).collect();
        for run in self.study.runs() {
            let old = known.remove(&run.id()).filter(|row| row.run == run);
            let mut row = old.unwrap_or_else(|| RunRow::idle(run));
            // with other settings, the run may end differently
            if is_changed && row.is_given_up() {
                row.status = Status::Idle;
            }
            // no number of one log may appear under the name of another
            let is_of_other_log = |result: &Arc<RunOutcome>| result.settings.source.key() != settings.source.key();
            if row.result.take_if(|result| is_of_other_log(result)).is_some() && !row.is_busy() {
                row.status = Status::Idle;
            }
            if row.result.as_ref().is_some_and(|result| result.settings == settings) {
                // the run that was given up was for other settings
                let has_all = match row.status {
                    Status::Idle => true,
                    // a column that it waited for may be gone
                    Status::Held { .. } => !self.is_shared && !row.lacks_fair_starts(&self.study, &settings),
                    _ => false,
                };
                row.status = if has_all { Status::Done } else { row.status };
            } else {
                let key = settings.key(&row.run);
                match self.outcomes.get(&key) {
                    Some(outcome) => {
                        row.result = Some(outcome.clone());
                        row.status = Status::Done;
                    }
                    None => missing.push((key, row.run.clone())),
                }
            }
            rows.push(row);
        }
        self.rows = rows;
        self.rows_changed = true;
        if missing.is_empty() {
            return self.run_unasked();
        }
        let search = self.number();
        self.recalling = Some(search);
        self.order(QueueOrder::Recall { search, settings, missing });
    }

    /// Replaces the rows by those of a link.
    pub(super) fn show_shared(&mut self, study: Study, reports: Vec<RunReport>) {
        let settings = RunSettings::of(&study);
        for run in self.rows.iter().filter(|row| row.is_busy()).map(|row| row.run.clone()).collect::<Vec<_>>() {
            self.give_up_fair_starts(&run);
            self.drop_tasks(&run);
        }
        // a map, because there may be thousands of results
        let mut reports: HashMap<String, RunReport> =
            reports.into_iter().map(|report| (report.run.id(), report)).collect();
        let rows = study.runs().into_iter().map(|run| {
            let report = reports.remove(&run.id()).filter(|report| report.run == run);
            let outcome = |report| Arc::new(RunOutcome { settings: settings.clone(), report, has_schedule: false });
            let result = report.map(outcome);
            let status = if result.is_some() { Status::Done } else { Status::Idle };
            RunRow { run, status, result }
        });
        self.rows = rows.collect();
        self.rows_changed = true;
        self.study = study;
        self.is_shared = true;
    }

    /// Called when the search for stored results has ended, or has taken too long.
    pub(super) fn recalled(&mut self, search: Ticket) {
        if self.recalling.take_if(|latest| *latest == search).is_some() {
            self.begin_by_itself();
        }
    }

    /// Takes a result that was found in the browser's storage.
    pub(super) fn remembered(&mut self, settings: RunSettings, report: RunReport) {
        let key = settings.key(&report.run);
        // a result computed meanwhile is newer and may contain more; so will one that is being computed
        let is_being_computed = self.tasks().any(|task| task.run == report.run && task.settings == settings);
        if !is_being_computed && !self.outcomes.contains_key(&key) {
            self.take_result(key, settings, report);
            self.let_go_of_results();
        }
    }

    /// Drops the oldest results beyond the limit, except those that are not stored or are shown in a row.
    pub(super) fn let_go_of_results(&mut self) {
        let too_many = self.received.len().saturating_sub(MOST_AT_HAND);
        if too_many == 0 {
            return;
        }
        // a set, because there may be thousands of rows
        let shown: HashSet<*const RunOutcome> =
            self.rows.iter().filter_map(|row| row.result.as_ref()).map(Arc::as_ptr).collect();
        for _ in 0..too_many {
            let Some(key) = self.received.pop_front() else { return };
            let is_shown = |outcome: &Arc<RunOutcome>| shown.contains(&Arc::as_ptr(outcome));
            if self.schedules.contains_key(&key) || self.outcomes.get(&key).is_some_and(is_shown) {
                self.received.push_back(key);
            } else {
                self.outcomes.remove(&key);
            }
        }
    }

    /// Takes a result: keeps it, and shows it in its row.
    pub(super) fn take_result(
        &mut self,
        key: ScheduleKey,
        settings: RunSettings,
        report: RunReport,
    ) -> Arc<RunOutcome> {
        let run = report.run.clone();
        let outcome = Arc::new(RunOutcome { settings, report, has_schedule: true });
        if self.outcomes.insert(key.clone(), outcome.clone()).is_none() {
            self.received.push_back(key);
        }
        let present = RunSettings::of(&self.study);
        self.change_row(&run, |row| {
            let is_better =
                outcome.settings == present || row.result.as_ref().is_none_or(|result| result.settings != present);
            if is_better {
                row.result = Some(outcome.clone());
                row.status = Status::Done;
            }
        });
        self.order(QueueOrder::CompareShared);
        outcome
    }
}

// The rows of the table, and the state of their log.

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
