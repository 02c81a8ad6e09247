//! A scheduler that a person has written as a script, in [Rhai](https://rhai.rs).
//!
//! A script has a function `round(view, actions)`, as the plain schedulers have, and optionally `arrived(job, view)`
//! and `completed(job, view)`. It sees what every scheduler sees ([`words`]) and nothing else: no file, no network, no
//! clock, no random numbers. What it may use is limited ([`limits`]). A mistake of the script is a [`SchedulerFailure`], which
//! names the line and the instant. From then on the script decides nothing, and its run has no result.

mod actions;
mod arithmetic;
mod cells;
mod engine;
mod examples;
mod jobs;
mod limits;
mod mistake;
mod place;
mod profile;
mod shared;
mod steps;
mod words;

pub use self::examples::{EXAMPLES, Example};
pub use self::limits::{Allowance, MOST_MILLIONS, USUAL_MILLIONS};
pub use self::steps::{STEPS, Step};
pub use self::words::{ScriptWords, WORDS};

use self::engine::Compiled;
use self::limits::MOST_KILLS;
use self::shared::{Present, ScriptDecision};
use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use crate::catalogue::{Entry, Kind, Parameter, Script, Settings};
use crate::model::{
    Actions, NoteId, Notes, Printed, Release, Scheduler, SchedulerFailure, Token, Usual, View, Waiting,
};
use crate::workload::Seconds;
use rhai::{Dynamic, EvalAltResult, Map};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "script",
        name: "Script",
        help: "a scheduler of your own, written as a script",
        source: "a person's own",
        parameters: &[
            Parameter { id: "code", name: "Script", help: "what it does in each round", kind: Kind::Script },
            Parameter {
                id: "limit",
                name: "Operations of a round",
                help: "a script that takes more in one round is stopped; in all it may take a thousand times as many",
                kind: Kind::Whole { min: 1, max: MOST_MILLIONS, default: Some(USUAL_MILLIONS), unit: "million" },
            },
        ],
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| Box::new(Scripted::of(settings))),
    on_cells: None,
    classifier: None,
    plain: None,
    applies: ANY_CELLS,
    plain_applies: NO_CELLS,
};

/// A scheduler that runs a script.
pub struct Scripted {
    compiled: Result<Rc<Compiled>, SchedulerFailure>,
    /// The value that the script keeps from one call to the next: `this`.
    state: Dynamic,
    /// The number that the script keeps for each job: `job.kept`.
    kept: FxHashMap<u32, f64>,
    allowance: Allowance,
    /// The number of rounds in a row in which nothing has happened.
    quiet: u32,
    kills: u64,
    arrived: u64,
    failure: Option<SchedulerFailure>,
}

impl Scripted {
    /// The scheduler of these settings. If its script cannot be read, it has already failed.
    #[inline(never)]
    fn of(settings: &Settings) -> Self {
        let allowance = Allowance::of_millions(settings.whole("limit").unwrap_or(USUAL_MILLIONS));
        match settings.script() {
            Some(script) => Scripted::within(allowance, script),
            // the catalogue accepts no settings without a script
            None => Scripted::begin(Err(mistake::no_script()), allowance),
        }
    }

    /// A scheduler whose script may take this many million operations in a round.
    pub fn new(script: &Script, millions: i64) -> Self {
        Scripted::within(Allowance::of_millions(millions), script)
    }

    pub fn within(allowance: Allowance, script: &Script) -> Self {
        Scripted::begin(engine::compile(script, allowance).map(Rc::new), allowance)
    }

    fn begin(compiled: Result<Rc<Compiled>, SchedulerFailure>, allowance: Allowance) -> Self {
        Scripted {
            failure: compiled.as_ref().err().cloned(),
            compiled,
            state: Map::new().into(),
            kept: FxHashMap::default(),
            allowance,
            quiet: 0,
            kills: 0,
            arrived: 0,
        }
    }

    /// Calls a function of the script, if it has this function and has not failed.
    fn call(
        &mut self,
        function: ScriptFunction,
        view: &View,
        job: impl FnOnce(&Compiled) -> Option<shared::ScriptJob>,
    ) -> Option<ScriptDecision> {
        if self.failure.is_some() {
            return None;
        }
        let compiled = self.compiled.as_ref().ok()?.clone();
        if !compiled.has(function) {
            return None;
        }
        let job = job(&compiled);
        compiled.shared.begin(
            Present::of(view, &compiled.mentions),
            std::mem::take(&mut self.kept),
            self.allowance.of_call(),
        );
        let outcome = compiled.call(function, &mut self.state, job.clone());
        let (answer, kept, spent) = compiled.shared.end();
        self.kept = kept;
        let outcome = outcome.map_err(|error| self.failed_in(&compiled, (function, job), view, &error));
        let outcome =
            outcome.and_then(|()| self.allowance.take(spent).map_err(|what| compiled.failure(Some(view.now()), what)));
        match outcome {
            Ok(()) => Some(answer),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    /// Describes a call that went wrong as a failure.
    #[cold]
    fn failed_in(
        &self,
        compiled: &Compiled,
        (function, job): (ScriptFunction, Option<shared::ScriptJob>),
        view: &View,
        error: &EvalAltResult,
    ) -> SchedulerFailure {
        let mut failure = mistake::failure(&compiled.name, error, Some(view.now()));
        if place::is_forgotten(error) {
            let present = Present::of(view, &compiled.mentions);
            compiled.shared.begin(present, self.kept.clone(), self.allowance.of_call());
            failure.line = compiled.line_of_limit(function, &self.state, job, error);
            compiled.shared.end();
        }
        failure
    }

    fn fail(&mut self, failure: SchedulerFailure) {
        if let Ok(compiled) = &self.compiled {
            compiled.shared.failed.borrow_mut().get_or_insert_with(|| failure.clone());
        }
        self.failure = Some(failure);
    }

    fn fail_with(&mut self, at: Seconds, what: String) {
        if let Ok(compiled) = &self.compiled {
            let failure = compiled.failure(Some(at), what);
            self.fail(failure);
        }
    }

    /// Carries out what the script has decided in a round.
    fn answer(&mut self, answer: ScriptDecision, view: &View, actions: &mut Actions) {
        let is_quiet = answer.starts.is_empty() && answer.kills.is_empty();
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        self.kills += answer.kills.len() as u64;
        for (job, placement) in answer.starts {
            self.kept.remove(&job.job.0);
            actions.start_on(job, Token::default(), placement);
        }
        answer.kills.into_iter().for_each(|job| actions.kill(job));
        answer.notes.into_iter().for_each(|(note, job, value)| actions.note(note, job, value));
        if let Some(at) = answer.wake {
            actions.wake_at(at);
        }
        let quiet = self.allowance.of_quiet();
        if self.quiet > quiet {
            self.fail_with(view.now(), format!("it has asked to be called again {quiet} times while nothing happened"));
        }
        if self.kills > MOST_KILLS * self.arrived {
            self.fail_with(view.now(), format!("it has killed more than {MOST_KILLS} times as many jobs as there are"));
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptFunction {
    Round,
    Arrived,
    Completed,
}

impl ScriptFunction {
    const ALL: [ScriptFunction; 3] = [ScriptFunction::Round, ScriptFunction::Arrived, ScriptFunction::Completed];

    fn name(self) -> &'static str {
        match self {
            ScriptFunction::Round => "round",
            ScriptFunction::Arrived => "arrived",
            ScriptFunction::Completed => "completed",
        }
    }
}

/// A copy has a state of its own and the allowance of a whole run, because a fork goes on for as long as a run may.
impl Clone for Scripted {
    fn clone(&self) -> Self {
        Scripted {
            compiled: self.compiled.clone(),
            // without closures all values are trees, so the copy shares nothing with the original
            state: self.state.clone(),
            kept: self.kept.clone(),
            allowance: self.allowance.anew(),
            quiet: self.quiet,
            kills: self.kills,
            arrived: self.arrived,
            failure: self.failure.clone(),
        }
    }
}

impl Scheduler for Scripted {
    fn counts_usage(&self) -> bool {
        self.compiled.as_ref().is_ok_and(|compiled| compiled.mentions.usage)
    }

    fn kills(&self) -> bool {
        self.compiled.as_ref().is_ok_and(|compiled| compiled.mentions.kill)
    }

    fn reads_clock(&self) -> bool {
        self.compiled.as_ref().is_ok_and(|compiled| compiled.mentions.clock)
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.quiet = 0;
        self.arrived += 1;
        self.call(ScriptFunction::Arrived, view, |compiled| Some(shared::waiting(job, view, &compiled.mentions)));
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.quiet = 0;
        self.call(ScriptFunction::Completed, view, |compiled| Some(shared::left(release, view, &compiled.mentions)));
    }

    fn killed(&mut self, _release: Release, job: Waiting, view: &View) {
        self.quiet = 0;
        self.call(ScriptFunction::Arrived, view, |compiled| Some(shared::waiting(job, view, &compiled.mentions)));
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        if let Some(answer) = self.call(ScriptFunction::Round, view, |_| None) {
            self.answer(answer, view, actions);
        }
    }

    fn capacity_changed(&mut self, _view: &View) {
        self.quiet = 0;
    }

    fn may_fail(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<SchedulerFailure> {
        let of_copies = || self.compiled.as_ref().ok()?.shared.failed.borrow().clone();
        self.failure.clone().or_else(of_copies)
    }

    fn printed(&self) -> Printed {
        self.compiled.as_ref().map_or_else(|_| Printed::default(), |compiled| compiled.shared.printed.borrow().clone())
    }

    fn report(&self, notes: &mut Notes) {
        if self.kills() {
            notes.set(NoteId::KILLS, self.kills as f64);
        }
    }
}
