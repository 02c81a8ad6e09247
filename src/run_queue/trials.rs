//! Trials of remedies for a model that explains little of the log: a run for each remedy, and the offer that results.

use super::background::{BackgroundTask, BackgroundWork, Priority};
use super::row::RunSettings;
use super::{QueueOrder, RunQueue};
use packfair_study::query::{Answer, Query};
use packfair_study::verdict::{Closeness, Offer, Trials, Tried};
use packfair_study::{LogPart, Study};
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
}

pub(super) struct RunningTrials {
    state: TrialsState,
    /// The results that have arrived, by the index of the trial.
    tried: Vec<Option<Tried>>,
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
        }
    }

    /// The state of the trials, once they were asked for.
    pub fn trials(&self) -> Option<&TrialsState> {
        self.trying.as_ref().map(|trying| &trying.state)
    }

    fn begin_trials(&mut self, trials: Arc<Trials>) {
        self.stop_trials();
        let Some(log) = self.open.as_ref().map(|open| open.id) else { return };
        for (place, trial) in trials.trials.iter().enumerate() {
            let (work, treatment) = (BackgroundWork::Trial(place), trial.treatment.clone());
            self.background.add(BackgroundTask { work, log, treatment });
        }
        let count = trials.trials.len();
        let state =
            TrialsState { settings: RunSettings::of(&self.study), trials, done: 0, goes_on: count > 0, offer: None };
        self.trying = Some(Box::new(RunningTrials { state, tried: vec![None; count] }));
        self.order(QueueOrder::ShowTrials);
        self.dispatch();
    }

    /// Stops the trials; no new offer results.
    pub(super) fn stop_trials(&mut self) {
        self.give_up_background(|work| work.priority() == Priority::Trial);
        let Some(trying) = self.trying.as_mut() else { return };
        trying.state.goes_on = false;
        self.order(QueueOrder::ShowTrials);
    }

    /// The question to the worker that makes a trial.
    pub(super) fn trial_query(&self, place: usize) -> Option<Query> {
        let state = &self.trying.as_ref()?.state;
        Some(Query::Measured {
            runs: vec![state.trials.trials.get(place)?.run.clone()],
            rules: state.settings.rules,
            measure: state.settings.measure.clone(),
            metrics: Closeness::METRICS.to_vec(),
            losses: None,
            part: LogPart::First(1.0),
        })
    }

    /// Ends a trial, with its answer or, if it failed, `None`. After the last one, the best is offered.
    pub(super) fn end_trial(&mut self, place: usize, answer: Option<&Answer>) {
        let left = self.background.work().filter(|work| work.priority() == Priority::Trial).count();
        let Some(trying) = self.trying.as_mut() else { return };
        // a worker gives no other answer to this question
        if let Some(Answer::Measured { jobs, values }) = answer {
            let values = values.first().cloned().flatten().unwrap_or_default();
            trying.tried[place] = Closeness::of_measured(&values).map(|closeness| Tried { jobs: *jobs, closeness });
        }
        let state = &mut trying.state;
        state.done = trying.tried.len() - left;
        if left == 0 && state.goes_on {
            state.goes_on = false;
            state.offer = state.trials.offer(&trying.tried);
        }
        self.order(QueueOrder::ShowTrials);
    }
}
