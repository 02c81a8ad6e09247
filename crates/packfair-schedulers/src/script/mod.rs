//! A scheduler that a person has written as a script, in [Rhai](https://rhai.rs).
//!
//! A script has a function `round(view, actions)`, as the plain schedulers have, and optionally `arrived(job, view)`
//! and `completed(job, view)`. It sees what every scheduler sees ([`engine`]) and nothing else: no file, no network, no
//! clock, no random numbers. What it may use is limited ([`engine`]). A mistake of the script is a [`SchedulerFailure`], which
//! names the line and the instant. From then on the script decides nothing, and its run has no result.

mod actions;
mod engine;
mod hosted;
mod jobs;
mod place;
mod profile;
mod shared;

pub use self::actions::{STEPS, Step};
pub use self::engine::{Allowance, MOST_MILLIONS, ScriptWords, USUAL_MILLIONS, WORDS};
pub use self::hosted::{HOSTED, Host, Hosted, HostedCall, HostedMistake, HostedProfile, HostedRound, set_host};
pub use self::shared::{ScriptJob, ScriptJobFacts};

use self::actions::Conduct;
use self::engine::Compiled;
use self::shared::{Present, ScriptDecision};
use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter, Script, Settings};
use packfair_engine::model::{
    Actions, NoteId, Notes, Printed, Release, Scheduler, SchedulerFailure, Usual, View, Waiting,
};
use packfair_workload::Seconds;
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
    build: Some(hosted::build),
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
    conduct: Conduct,
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
            None => Scripted::begin(Err(engine::no_script()), allowance),
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
            conduct: Conduct::default(),
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
        let mut failure = engine::failure(&compiled.name, error, Some(view.now()));
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
            conduct: self.conduct,
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
        self.conduct.arrived();
        self.call(ScriptFunction::Arrived, view, |compiled| Some(shared::waiting(job, view, &compiled.mentions)));
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.conduct.something_happens();
        self.call(ScriptFunction::Completed, view, |compiled| Some(shared::left(release, view, &compiled.mentions)));
    }

    fn killed(&mut self, _release: Release, job: Waiting, view: &View) {
        self.conduct.something_happens();
        self.call(ScriptFunction::Arrived, view, |compiled| Some(shared::waiting(job, view, &compiled.mentions)));
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        if let Some(answer) = self.call(ScriptFunction::Round, view, |_| None) {
            let carried = self.conduct.carry_out(answer, &mut self.kept, actions, self.allowance.of_quiet());
            if let Err(what) = carried {
                self.fail_with(view.now(), what);
            }
        }
    }

    fn capacity_changed(&mut self, _view: &View) {
        self.conduct.something_happens();
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
            notes.set(NoteId::KILLS, self.conduct.kills() as f64);
        }
    }
}

// Example scripts to begin with.

#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub id: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    /// The scheduler of the catalogue that starts every job at the same time as this script, where there is one.
    pub equals: Option<&'static str>,
    pub text: &'static str,
}

/// All examples, the simplest first.
pub const EXAMPLES: &[Example] = &[
    Example {
        id: "fcfs",
        name: "First come, first served",
        help: "nobody starts before an earlier job",
        equals: Some("fcfs"),
        text: include_str!("../../../../examples/scripts/fcfs.rhai"),
    },
    Example {
        id: "aging",
        name: "Greedy with aging",
        help: "short jobs first, and whoever waits gets ahead",
        equals: Some("list:order=formula:wait-4*estimate,blocked=greedy"),
        text: include_str!("../../../../examples/scripts/aging.rhai"),
    },
    Example {
        id: "easy",
        name: "EASY",
        help: "one reservation, for the head of the queue",
        equals: Some("easy"),
        text: include_str!("../../../../examples/scripts/easy.rhai"),
    },
    Example {
        id: "conservative",
        name: "Conservative",
        help: "every job is guaranteed a start when it is submitted",
        equals: Some("conservative"),
        text: include_str!("../../../../examples/scripts/conservative.rhai"),
    },
    Example {
        id: "two-queues",
        name: "Two queues",
        help: "jobs that ask for an hour or less go before all others",
        equals: Some("easy:initial=formula:requested<=1h,backfill=formula:requested<=1h"),
        text: include_str!("../../../../examples/scripts/two-queues.rhai"),
    },
    Example {
        id: "requeue",
        name: "Kill and requeue",
        help: "long jobs make room for short ones that have waited, and wait again",
        equals: None,
        text: include_str!("../../../../examples/scripts/requeue.rhai"),
    },
];
