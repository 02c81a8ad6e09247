//! The repeats of a study: given to workers one by one, after all other runs, and put together.
//!
//! A worker makes the workload of a repeat itself, from the study's, and returns metrics and, for charts, points of
//! distributions. The repeats are therefore paired, and take little memory. Values that have arrived are kept when
//! repeats are stopped and when runs are added to the study.

use super::encoded::Encoded;
use super::protocol::{LogId, RepeatTask, Ticket, ToWorker};
use super::row::RunSettings;
use super::{Attachment, QueueOrder, RunQueue, WorkerId};
use crate::machine::WhatIf;
use crate::metric::JobDistribution;
use crate::study::sureness::{Repeated, RepeatedLoads, RepeatedRun, Repeats, repeatable};
use crate::study::{Run, Study, Treatment, pace};
use std::collections::{HashMap, HashSet};
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
    Idle,
    Carried(Box<Repeated>),
    /// A repeat has arrived: its values, encoded.
    Received(Ticket, Encoded<Vec<RepeatedRun>>),
    /// A worker could not carry out its task, and why. `None`: the workload could not be made.
    Failed(Option<Ticket>, String),
}

pub(super) struct Repeating {
    state: RepeatsState,
    /// The log of the repeats; `None` if a link carries them.
    log: Option<LogId>,
    runs: Vec<Run>,
    /// The repeats that no worker has yet, each with the runs that lack it, those of one machine at a time; the next one
    /// last.
    waiting: Vec<(u32, Vec<Run>)>,
    running: HashMap<Ticket, (u32, Vec<Run>, WorkerId)>,
    /// When making repeats began, and when they were last shown, milliseconds of the page's clock.
    begun: f64,
    shown: f64,
    /// How many tasks there were at the beginning: repeats on a machine.
    wanted: usize,
}

impl Repeating {
    /// The number of repeats of which some runs have not arrived.
    fn unfinished(&self) -> usize {
        let waiting = self.waiting.iter().map(|(repeat, _)| *repeat);
        let running = self.running.values().map(|(repeat, ..)| *repeat);
        waiting.chain(running).collect::<HashSet<u32>>().len()
    }
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
            RepeatsNews::Idle => self.dispatch_repeats(),
            RepeatsNews::Carried(repeated) => self.show_carried(*repeated),
            RepeatsNews::Received(ticket, values) => self.take_repeat(ticket, &values),
            RepeatsNews::Failed(ticket, message) => self.fail_repeats(ticket, message),
        }
    }

    /// The state of the study's repeats, once they were asked for.
    pub fn repeats(&self) -> Option<&RepeatsState> {
        self.repeats.as_ref().map(|repeating| &repeating.state)
    }

    /// Whether some repeats have no worker yet.
    pub(super) fn has_repeats_waiting(&self) -> bool {
        self.repeats.as_ref().is_some_and(|repeating| !repeating.waiting.is_empty())
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
            let shares = machines.iter().rev().map(on).filter(|runs| !runs.is_empty());
            shares.map(|runs| (repeat, runs)).collect::<Vec<_>>()
        };
        let waiting: Vec<_> = (0..repeats.count).rev().flat_map(missing).collect();
        let state = RepeatsState {
            settings,
            done: repeated.complete(),
            repeated: Arc::new(repeated),
            goes_on: !waiting.is_empty(),
            left: None,
            failed: None,
            by_itself: self.study.repeats.is_none(),
        };
        let (running, wanted, begun) = (HashMap::new(), waiting.len(), self.now);
        let log = Some(log);
        self.repeats = Some(Box::new(Repeating { state, log, runs, waiting, running, begun, shown: begun, wanted }));
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
        // without a log; they are made again once there is one
        let log = None;
        let (runs, waiting, running) = (self.study.repeated_runs(), Vec::new(), HashMap::new());
        let (begun, shown, wanted) = (self.now, self.now, 0);
        self.repeats = Some(Box::new(Repeating { state, log, runs, waiting, running, begun, shown, wanted }));
        self.order(QueueOrder::ShowRepeats);
    }

    /// The repeats of the present study, if they have all metrics that its columns need.
    fn present_repeats(&self, repeats: &Repeats) -> Option<Repeated> {
        let state = self.repeats().filter(|state| state.repeated.repeats == *repeats && state.is_of(&self.study))?;
        let has = repeatable(&self.study.columns).iter().all(|metric| state.repeated.metrics.contains(metric));
        has.then(|| (*state.repeated).clone())
    }

    /// Stops making repeats; values that have arrived are kept.
    fn stop_repeats(&mut self) {
        let Some(repeating) = self.repeats.as_mut() else { return };
        repeating.waiting.clear();
        repeating.state.goes_on = false;
        let mut running: Vec<(Ticket, WorkerId)> =
            repeating.running.drain().map(|(ticket, (.., worker))| (ticket, worker)).collect();
        running.sort_unstable();
        for (ticket, worker) in running {
            self.send(worker, ToWorker::Cancel { ticket });
        }
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

    /// Gives repeats to idle workers, once all other runs have one.
    fn dispatch_repeats(&mut self) {
        if !self.waiting.is_empty() || self.has_trials_waiting() {
            return;
        }
        while let Some(repeating) = self.repeats.as_ref().filter(|repeating| !repeating.waiting.is_empty()) {
            let next = repeating.waiting.last().and_then(|(_, runs)| runs.first());
            let what_if = next.and_then(|run| run.what_if.clone());
            let treatment = Treatment { shrink: 1.0, what_if, ..repeating.state.settings.treatment.clone() };
            let Some(log) = repeating.log else { return };
            let Some(worker) = self.runner_for(log, treatment.clone()) else { return };
            self.give_workload_of(worker, log, treatment.clone());
            let ticket = self.number();
            let loads = RepeatedLoads::of(&self.study);
            let Some(repeating) = self.repeats.as_mut() else { return };
            let Some((repeat, runs)) = repeating.waiting.pop() else { return };
            let RepeatsState { settings, repeated, .. } = &repeating.state;
            let RunSettings { rules, measure, .. } = settings.clone();
            let metrics = repeated.metrics.clone();
            repeating.running.insert(ticket, (repeat, runs.clone(), worker));
            let repeats = repeated.repeats;
            let distributions = JobDistribution::ALL.to_vec();
            let task = RepeatTask { repeats, repeat, loads, runs, metrics, distributions, rules, measure };
            let task = Encoded::of(&task);
            self.send_with(worker, ToWorker::Repeat { ticket, log, treatment, task }, Attachment::Nothing);
        }
    }

    fn take_repeat(&mut self, ticket: Ticket, values: &Encoded<Vec<RepeatedRun>>) {
        let now = self.now;
        // a worker gives no other answer; values that could not be read would be missing, and be made again
        let values = values.decode().unwrap_or_default();
        if let Some(repeating) = self.repeats.as_mut()
            && let Some((repeat, runs, _)) = repeating.running.remove(&ticket)
        {
            let unfinished = repeating.unfinished();
            let state = &mut repeating.state;
            let repeated = Arc::make_mut(&mut state.repeated);
            for (run, of_run) in runs.iter().zip(values) {
                repeated.set_with_counts(run, repeat, of_run);
            }
            let left = repeating.waiting.len() + repeating.running.len();
            let made = repeating.wanted.saturating_sub(left);
            state.done = state.repeated.repeats.count as usize - unfinished;
            let spent = (now - repeating.begun) / 1_000.0;
            state.left = pace::left(spent, made as f64, repeating.wanted as f64);
            state.goes_on = left > 0;
            if left == 0 || now - repeating.shown >= SHOWN_EVERY {
                repeating.shown = now;
                self.order(QueueOrder::ShowRepeats);
            }
        }
    }

    fn fail_repeats(&mut self, ticket: Option<Ticket>, message: String) {
        let is_at = |repeating: &Repeating| match ticket {
            Some(ticket) => repeating.running.contains_key(&ticket),
            None => repeating.state.goes_on,
        };
        if self.repeats.as_deref().is_some_and(is_at) {
            self.stop_repeats();
            if let Some(repeating) = self.repeats.as_mut() {
                repeating.state.failed = Some(message);
            }
        }
    }
}
