//! Rows and results. The rows follow the study; results come from workers, from this session and from the browser's
//! storage.

use super::protocol::{ScheduleKey, Ticket};
use super::repeats::RepeatsNews;
use super::row::{RunOutcome, RunRow, RunSettings, Status};
use super::trials::TrialsNews;
use super::{QueueOrder, RunQueue};
use crate::study::{RunReport, Study};
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
