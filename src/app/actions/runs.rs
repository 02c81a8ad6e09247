//! Starting and stopping runs.

use crate::app::notices::runs;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome, RunRow, RunSettings, Status};
use crate::app::{explore, remembered};
use crate::run_queue::{Event, RunQueue, SearchNews};
use packfair_engine::metric::Metric;
use packfair_study::sureness::Repeats;
use packfair_study::verdict::{Fit, Offer, Trials};
use packfair_study::{Run, Study, models, pace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wasm_bindgen::JsValue;

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

// Repeating the study.

impl App {
    /// Makes the missing repeats: those that the study asks for or, if it asks for none, `by_itself`.
    #[inline(never)]
    pub fn want_repeats(self, by_itself: Option<Repeats>) {
        self.tell(Event::RepeatsWanted(by_itself));
    }

    #[inline(never)]
    pub fn stop_repeats(self) {
        self.tell(Event::RepeatsStopped);
    }
}

// Trials of remedies, for a study whose model explains little of the log.

impl App {
    /// The trials that are due for the study as it stands, once all its runs have ended; `None` if its fit is good.
    pub fn trials_due(self) -> Option<Trials> {
        let outcomes = self.results();
        let reports = || outcomes.iter().map(|outcome| &outcome.report);
        let fit = self.study.with(|study| Fit::of(models(study, reports())))?;
        let overfull = reports().find_map(|report| report.overfull.as_ref());
        self.log.with(|log| match log {
            LogState::Ready(described) => {
                self.study.with(|study| Trials::of(study, &described.facts(), &fit, overfull))
            }
            _ => None,
        })
    }

    /// Starts the trials in the background.
    pub fn want_trials(self, trials: Trials) {
        self.tell(Event::TrialsWanted(Arc::new(trials)));
    }

    pub fn stop_trials(self) {
        self.tell(Event::TrialsStopped);
    }

    /// Applies an offered remedy to the study. The user can undo this.
    pub fn take_offer(self, offer: Offer) {
        let before = self.study.get_untracked();
        let what = format!("{}: the study is run so now.", offer.remedy.name());
        self.edit(move |study| offer.remedy.apply(study));
        self.run_all();
        let undo: crate::app::state::Act = Arc::new(move || {
            let Study { treatment, partitions, schedulers, .. } = before.clone();
            self.edit(move |study| {
                study.treatment = treatment;
                study.partitions = partitions;
                study.schedulers = schedulers;
            });
        });
        self.notify(what, Some(undo));
    }
}

// The search among settings (Explore), which the run queue drives.

impl App {
    pub fn search(self, event: Event<JsValue>) {
        self.tell(event);
    }

    pub(super) fn tell_search(self, news: SearchNews) {
        explore::hear(self, news);
    }

    pub fn with_queue<T>(self, look: impl FnOnce(&RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| look(&backend.queue))
    }

    /// Changes the run queue by a call that returns no orders.
    pub fn with_queue_mut<T>(self, act: impl FnOnce(&mut RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| act(&mut backend.queue))
    }
}

// How long runs take, by what they were measured to take.

impl App {
    /// How long the runs that "Run" would start take, seconds; `None` while one of them has not been tried.
    pub fn seconds_pending(self) -> Option<f64> {
        let study = self.study.read();
        let settings = RunSettings::of(&study);
        self.seconds_held(|row| row.is_pending(&study, &settings))
    }

    /// How long it takes to compute the results of a link again, seconds; `None` while one of them has not been tried.
    pub fn seconds_unchecked(self) -> Option<f64> {
        self.seconds_held(|row| self.is_unchecked(row))
    }

    /// How long the runs of these rows take, by how far they came before they were held.
    fn seconds_held(self, is_meant: impl Fn(&RunRow) -> bool) -> Option<f64> {
        let seconds = |row: &RunRow| match row.status {
            Status::Held { seconds } => seconds,
            _ => None,
        };
        let each: Option<Vec<f64>> =
            self.rows.with(|rows| rows.iter().filter(|row| is_meant(row)).map(seconds).collect());
        Some(pace::together(each?, self.at_a_time()))
    }

    /// How long `count` repeats of all runs take, seconds, by what the runs took; `None` while one has no result.
    #[inline(never)]
    pub fn seconds_repeats(self, count: usize) -> Option<f64> {
        let (runs, results) = (self.study.with(Study::repeated_runs), self.results());
        let of_run =
            |run: &Run| results.iter().find(|outcome| outcome.report.run == *run).map(|of| pace::again(&of.report));
        let once = runs.iter().map(of_run).sum::<Option<f64>>()?;
        Some(once * count as f64 / self.at_a_time() as f64)
    }

    /// How long the trials take, seconds, by what the run that they are made with took; `None` if it has no result.
    pub fn seconds_trials(self, trials: &Trials) -> Option<f64> {
        let run = self.results().into_iter().find(|outcome| trials.is_tried_with(&outcome.report.run))?;
        Some(trials.seconds(pace::again(&run.report)) / self.at_a_time() as f64)
    }

    fn at_a_time(self) -> usize {
        self.with_backend(|backend| backend.queue.most_runners()).max(1)
    }
}

// Runs that were waiting or under way when the page was left. They start again when the page is loaded again.

/// The storage key of these runs. Each browser tab has its own copy, which survives a reload.
const KEY: &str = "packfair.under-way";

/// Runs that wait or are under way, and their settings.
#[derive(Serialize, Deserialize)]
struct NotedRuns {
    settings: RunSettings,
    runs: Vec<Run>,
}

/// Stores which runs wait or are under way. If nothing can be stored, the user has to press "Run" after a reload.
pub(super) fn note_under_way(under_way: Option<(RunSettings, Vec<Run>)>) {
    match under_way {
        Some((settings, runs)) => remembered::set_of_tab(KEY, &NotedRuns { settings, runs }),
        None => remembered::forget_of_tab(KEY),
    }
}

/// The runs that were under way when the page was left, and their settings.
pub(super) fn interrupted_runs() -> Option<(RunSettings, Vec<Run>)> {
    remembered::get_of_tab(KEY).map(|NotedRuns { settings, runs }| (settings, runs))
}

impl App {
    #[inline(never)]
    pub(super) fn say_resumed(self, count: usize) {
        let (were, verb) = if count == 1 { ("was", "starts") } else { ("were", "start") };
        let what = runs(count);
        self.notify(format!("{what} {were} interrupted when the page was left, and {verb} again."), None);
    }
}
