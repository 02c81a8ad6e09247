//! The repeats of a study: given to workers one by one, and put together.
//!
//! A worker makes the workload of a repeat itself, from the study's, and returns metrics and, for charts, points of
//! distributions. The repeats are therefore paired, and take little memory. Values that have arrived are kept when
//! repeats are stopped and when runs are added to the study.

use super::protocol::{Encoded, RepeatTask};
use super::results::RunSettings;
use super::workers::{BackgroundTask, BackgroundWork, Priority};
use super::{QueueOrder, RunQueue};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::JobDistribution;
use packfair_study::query::{Answer, Query};
use packfair_study::sureness::{Repeated, RepeatedLoads, RepeatedRun, Repeats, repeatable};
use packfair_study::verdict::{Closeness, Offer, Trials, Tried};
use packfair_study::{LogPart, Run, Study, Treatment, pace};
use std::collections::HashSet;
use std::sync::Arc;

/// The shortest time between two updates on screen while repeats arrive, milliseconds.
const SHOWN_EVERY: f64 = 400.0;

/// The state of the repeats of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct RepeatsState {
    pub settings: RunSettings,
    pub repeated: Arc<Repeated>,
    pub done: usize,
    pub goes_on: bool,
    /// The remaining time, seconds, if it is known.
    pub left: Option<f64>,
    /// Why repeats cannot be made, for the user; `None` if they can.
    pub failed: Option<String>,
    /// Whether repeats are made although the study does not ask for them.
    pub by_itself: bool,
}

impl RepeatsState {
    /// Whether these are repeats of the study as it stands.
    pub fn is_of(&self, study: &Study) -> bool {
        let is_asked_for = match study.repeats {
            Some(repeats) => !self.by_itself && repeats == self.repeated.repeats,
            None => self.by_itself,
        };
        is_asked_for && self.settings == RunSettings::of(study)
    }

    /// Whether these are repeats of the study and there are enough of them to show. Repeats that nobody asked for are
    /// shown only when all are done, so that sentences do not change again and again.
    pub fn is_told(&self, study: &Study) -> bool {
        self.done >= 2 && !(self.by_itself && self.done < self.repeated.repeats.count as usize) && self.is_of(study)
    }
}

pub(super) enum RepeatsNews {
    /// The user wants repeats; these, if the study asks for none.
    Wanted(Option<Repeats>),
    /// The user no longer wants repeats.
    Stopped,
    StudyChanged,
    Carried(Box<Repeated>),
}

pub(super) struct Repeating {
    state: RepeatsState,
    runs: Vec<Run>,
    /// When making repeats began, and when they were last shown, milliseconds of the page's clock.
    begun: f64,
    shown: f64,
    /// How many tasks there were at the beginning: repeats on a machine.
    wanted: usize,
}

impl<B: Clone> RunQueue<B> {
    /// Handles news about repeats. This is the only entry to the code in this file, so that the page can load the code
    /// later (scripts/split); no first view needs it.
    #[inline(never)]
    pub(super) fn tell_repeats(&mut self, news: RepeatsNews) {
        match news {
            RepeatsNews::Wanted(by_itself) => self.begin_repeats(by_itself),
            RepeatsNews::Stopped => self.stop_repeats(),
            RepeatsNews::StudyChanged => self.give_up_other_repeats(),
            RepeatsNews::Carried(repeated) => self.show_carried(*repeated),
        }
    }

    /// The state of the study's repeats, once they were asked for.
    pub fn repeats(&self) -> Option<&RepeatsState> {
        self.repeats.as_ref().map(|repeating| &repeating.state)
    }

    /// Starts making the missing repeats of the study.
    fn begin_repeats(&mut self, by_itself: Option<Repeats>) {
        self.stop_repeats();
        let open = self.open.as_ref().filter(|open| open.source.key() == self.study.source.key()).map(|open| open.id);
        let (Some(repeats), Some(log)) = (self.study.repeats.or(by_itself), open) else { return };
        let (runs, metrics) = (self.study.repeated_runs(), repeatable(&self.study.columns));
        let settings = RunSettings::of(&self.study);
        let mut repeated = self.present_repeats(&repeats).unwrap_or_else(|| Repeated::new(repeats, metrics, &[]));
        repeated.add(&runs);
        let machines = self.study.all_machines();
        let missing = |repeat: u32| {
            let missing = repeated.missing(&runs, repeat);
            let on = |what_if: &Option<WhatIf>| -> Vec<Run> {
                missing.iter().filter(|run| run.what_if == *what_if).cloned().collect()
            };
            let on = |what_if: &Option<WhatIf>| (what_if.clone(), on(what_if));
            let shares = machines.iter().map(on).filter(|(_, runs)| !runs.is_empty());
            shares.map(|(what_if, runs)| (what_if, BackgroundWork::Repeat(repeat, runs))).collect::<Vec<_>>()
        };
        let tasks: Vec<_> = (0..repeats.count).flat_map(missing).collect();
        let state = RepeatsState {
            settings,
            done: repeated.complete(),
            repeated: Arc::new(repeated),
            goes_on: !tasks.is_empty(),
            left: None,
            failed: None,
            by_itself: self.study.repeats.is_none(),
        };
        let (wanted, begun) = (tasks.len(), self.now);
        for (what_if, work) in tasks {
            let treatment = Treatment { shrink: 1.0, what_if, ..state.settings.treatment.clone() };
            self.background.add(BackgroundTask { work, log, treatment });
        }
        self.repeats = Some(Box::new(Repeating { state, runs, begun, shown: begun, wanted }));
        self.order(QueueOrder::ShowRepeats);
        self.dispatch();
    }

    /// Shows the intervals of a link, which are about the study as it stands.
    fn show_carried(&mut self, repeated: Repeated) {
        self.stop_repeats();
        let state = RepeatsState {
            settings: RunSettings::of(&self.study),
            done: repeated.complete(),
            repeated: Arc::new(repeated),
            goes_on: false,
            left: None,
            failed: None,
            by_itself: self.study.repeats.is_none(),
        };
        // they are made again once there is a log
        let (runs, begun, shown, wanted) = (self.study.repeated_runs(), self.now, self.now, 0);
        self.repeats = Some(Box::new(Repeating { state, runs, begun, shown, wanted }));
        self.order(QueueOrder::ShowRepeats);
    }

    /// The repeats of the present study, if they have all metrics that its columns need.
    fn present_repeats(&self, repeats: &Repeats) -> Option<Repeated> {
        let state = self.repeats().filter(|state| state.repeated.repeats == *repeats && state.is_of(&self.study))?;
        let has = repeatable(&self.study.columns).iter().all(|metric| state.repeated.metrics.contains(metric));
        has.then(|| (*state.repeated).clone())
    }

    /// Stops making repeats; values that have arrived are kept.
    pub(super) fn stop_repeats(&mut self) {
        self.give_up_background(|work| work.priority() == Priority::Repeat);
        let Some(repeating) = self.repeats.as_mut() else { return };
        repeating.state.goes_on = false;
        self.order(QueueOrder::ShowRepeats);
    }

    /// Called when the study has changed: drops repeats with other settings.
    fn give_up_other_repeats(&mut self) {
        let Some(repeating) = &self.repeats else { return };
        if !repeating.state.is_of(&self.study) {
            self.stop_repeats();
            self.repeats = None;
            self.order(QueueOrder::ShowRepeats);
        } else if repeating.runs != self.study.repeated_runs() && repeating.state.goes_on {
            let same = repeating.state.repeated.repeats;
            self.begin_repeats(Some(same));
        }
    }

    /// The task of the worker that makes this repeat of these runs.
    pub(super) fn repeat_task(&self, repeat: u32, runs: &[Run]) -> Option<Encoded<RepeatTask>> {
        let RepeatsState { settings, repeated, .. } = &self.repeats.as_ref()?.state;
        let RunSettings { rules, measure, .. } = settings.clone();
        Some(Encoded::of(&RepeatTask {
            repeats: repeated.repeats,
            repeat,
            loads: RepeatedLoads::of(&self.study),
            runs: runs.to_vec(),
            metrics: repeated.metrics.clone(),
            distributions: JobDistribution::ALL.to_vec(),
            rules,
            measure,
        }))
    }

    /// Takes the values of a repeat of these runs.
    pub(super) fn take_repeat(&mut self, repeat: u32, runs: &[Run], values: &Encoded<Vec<RepeatedRun>>) {
        let now = self.now;
        // a worker gives no other answer; values that could not be read would be missing, and be made again
        let values = values.decode().unwrap_or_default();
        let left = self.background.work().filter_map(|work| match work {
            BackgroundWork::Repeat(repeat, _) => Some(*repeat),
            _ => None,
        });
        let left: Vec<u32> = left.collect();
        let Some(repeating) = self.repeats.as_mut() else { return };
        let state = &mut repeating.state;
        let repeated = Arc::make_mut(&mut state.repeated);
        for (run, of_run) in runs.iter().zip(values) {
            repeated.set_with_counts(run, repeat, of_run);
        }
        let made = repeating.wanted.saturating_sub(left.len());
        let unfinished: HashSet<&u32> = left.iter().collect();
        state.done = state.repeated.repeats.count as usize - unfinished.len();
        let spent = (now - repeating.begun) / 1_000.0;
        state.left = pace::left(spent, made as f64, repeating.wanted as f64);
        state.goes_on = !left.is_empty();
        if left.is_empty() || now - repeating.shown >= SHOWN_EVERY {
            repeating.shown = now;
            self.order(QueueOrder::ShowRepeats);
        }
    }

    pub(super) fn fail_repeats(&mut self, message: &str) {
        self.stop_repeats();
        if let Some(repeating) = self.repeats.as_mut() {
            repeating.state.failed = Some(message.to_owned());
        }
    }
}

// Trials of remedies for a model that explains little of the log: a run for each remedy, and the offer that results.

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
