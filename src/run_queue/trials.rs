//! Trials of remedies for a model that explains little of the log: a run for each remedy, given to runners after all
//! runs of the table and before repeats, and the offer that results.

use super::protocol::{LogId, Ticket, ToWorker};
use super::row::RunSettings;
use super::{QueueOrder, RunQueue, WorkerId};
use crate::study::query::{Answer, Query};
use crate::study::verdict::{Closeness, Offer, Trial, Trials, Tried};
use crate::study::{LogPart, Run, Study, Treatment};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub struct TrialsState {
    pub settings: RunSettings,
    pub trials: Arc<Trials>,
    pub done: usize,
    pub goes_on: bool,
    /// The remedy to offer; `None` if nothing is better, or if the trials were stopped.
    pub offer: Option<Offer>,
}

impl TrialsState {
    /// Whether these are trials for the study as it stands.
    pub fn is_of(&self, study: &Study) -> bool {
        self.settings == RunSettings::of(study) && study.partitions.is_empty()
    }
}

pub(super) enum TrialsNews {
    Wanted(Arc<Trials>),
    /// The user no longer wants trials.
    Stopped,
    StudyChanged,
    Idle,
    Received(Ticket, Answer),
    /// A worker could not carry out this trial.
    Failed(Ticket),
    /// The workload of this treatment could not be made.
    Unmade(Treatment),
}

pub(super) struct RunningTrials {
    state: TrialsState,
    log: LogId,
    /// The indices of the trials that no worker has yet, the next one last.
    waiting: Vec<usize>,
    running: HashMap<Ticket, (usize, WorkerId)>,
    /// The results that have arrived, by the index of the trial.
    tried: Vec<Option<Tried>>,
}

impl RunningTrials {
    /// Whether this is the ticket of a trial under way.
    pub(super) fn is_at(&self, ticket: Ticket) -> bool {
        self.running.contains_key(&ticket)
    }

    /// Whether the next trial waits for the workload of this treatment.
    pub(super) fn awaits(&self, treatment: &Treatment) -> bool {
        self.waiting.last().is_some_and(|&place| self.state.trials.trials[place].treatment == *treatment)
    }
}

impl<B: Clone> RunQueue<B> {
    /// Handles news about trials. This is the only entry to the code in this file, as it is for repeats, so that the
    /// page can load the code later (scripts/split).
    #[inline(never)]
    pub(super) fn tell_trials(&mut self, news: TrialsNews) {
        match news {
            TrialsNews::Wanted(trials) => self.begin_trials(trials),
            TrialsNews::Stopped => self.stop_trials(),
            TrialsNews::StudyChanged => {
                if self.trials().is_some_and(|state| !state.is_of(&self.study)) {
                    self.stop_trials();
                    self.trying = None;
                }
            }
            TrialsNews::Idle => self.dispatch_trials(),
            TrialsNews::Received(ticket, answer) => self.take_trial(ticket, &answer),
            TrialsNews::Failed(ticket) => self.end_trial(ticket, None),
            TrialsNews::Unmade(treatment) => self.skip_trials(&treatment),
        }
    }

    /// The state of the trials, once they were asked for.
    pub fn trials(&self) -> Option<&TrialsState> {
        self.trying.as_ref().map(|trying| &trying.state)
    }

    /// Whether some trials have no worker yet.
    pub(super) fn has_trials_waiting(&self) -> bool {
        self.trying.as_ref().is_some_and(|trying| !trying.waiting.is_empty())
    }

    fn begin_trials(&mut self, trials: Arc<Trials>) {
        self.stop_trials();
        let Some(log) = self.open.as_ref().map(|open| open.id) else { return };
        let count = trials.trials.len();
        let state =
            TrialsState { settings: RunSettings::of(&self.study), trials, done: 0, goes_on: count > 0, offer: None };
        let (waiting, running, tried) = ((0..count).rev().collect(), HashMap::new(), vec![None; count]);
        self.trying = Some(Box::new(RunningTrials { state, log, waiting, running, tried }));
        self.order(QueueOrder::ShowTrials);
        self.dispatch();
    }

    /// Stops the trials; no new offer results.
    fn stop_trials(&mut self) {
        let Some(trying) = self.trying.as_mut() else { return };
        trying.waiting.clear();
        trying.state.goes_on = false;
        let mut running: Vec<(Ticket, WorkerId)> =
            trying.running.drain().map(|(ticket, (_, worker))| (ticket, worker)).collect();
        running.sort_unstable();
        for (ticket, worker) in running {
            self.send(worker, ToWorker::Cancel { ticket });
        }
        self.order(QueueOrder::ShowTrials);
    }

    /// Gives trials to idle runners, once all runs have one.
    fn dispatch_trials(&mut self) {
        if !self.waiting.is_empty() {
            return;
        }
        // the log may have been opened again
        if self.trying.as_ref().map(|trying| trying.log) != self.open.as_ref().map(|open| open.id) {
            return self.stop_trials();
        }
        while let Some(trying) = self.trying.as_ref() {
            let Some(&place) = trying.waiting.last() else { return };
            let Trial { treatment, run, .. } = trying.state.trials.trials[place].clone();
            let RunSettings { rules, measure, .. } = trying.state.settings.clone();
            let log = trying.log;
            let Some(worker) = self.runner_for(log, treatment.clone()) else { return };
            self.give_workload_of(worker, log, treatment.clone());
            let ticket = self.number();
            let Some(trying) = self.trying.as_mut() else { return };
            trying.waiting.pop();
            trying.running.insert(ticket, (place, worker));
            let query = Query::Measured {
                runs: vec![run],
                rules,
                measure,
                metrics: Closeness::METRICS.to_vec(),
                losses: None,
                part: LogPart::First(1.0),
            };
            let schedules: Vec<(Run, String)> = Vec::new();
            self.send(worker, ToWorker::Ask { ticket, log, treatment, schedules, query });
        }
    }

    fn take_trial(&mut self, ticket: Ticket, answer: &Answer) {
        // a worker gives no other answer to this question
        let Answer::Measured { jobs, values } = answer else { return };
        let values = values.first().cloned().flatten().unwrap_or_default();
        let tried = Closeness::of_measured(&values).map(|closeness| Tried { jobs: *jobs, closeness });
        self.end_trial(ticket, tried);
    }

    /// Ends a trial, with its result or, if it failed, `None`.
    fn end_trial(&mut self, ticket: Ticket, tried: Option<Tried>) {
        let Some(trying) = self.trying.as_mut() else { return };
        let Some((place, _)) = trying.running.remove(&ticket) else { return };
        trying.tried[place] = tried;
        self.count_trials();
    }

    /// Ends trials whose workload cannot be made, without a result.
    fn skip_trials(&mut self, treatment: &Treatment) {
        let Some(trying) = self.trying.as_mut() else { return };
        let trials = trying.state.trials.clone();
        trying.waiting.retain(|&place| trials.trials[place].treatment != *treatment);
        self.count_trials();
    }

    /// Counts the trials that have ended; after the last one, the best is offered.
    fn count_trials(&mut self) {
        let Some(trying) = self.trying.as_mut() else { return };
        let left = trying.waiting.len() + trying.running.len();
        let state = &mut trying.state;
        state.done = trying.tried.len() - left;
        if left == 0 && state.goes_on {
            state.goes_on = false;
            state.offer = state.trials.offer(&trying.tried);
        }
        self.order(QueueOrder::ShowTrials);
    }
}
