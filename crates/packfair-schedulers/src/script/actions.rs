//! What a script decides in a round. Each decision is checked as it is made.

use super::engine::{ACTIONS, MOST_KILLS};
use super::shared::{ScriptDecision, ScriptJob, Shared};
use packfair_base::machine::Placement;
use packfair_engine::model::{Actions, NoteId, Token};
use packfair_workload::Seconds;
use rhai::{Dynamic, Engine, EvalAltResult, INT};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The handle by which the engine passes the actions of a round to a script.
#[derive(Clone)]
pub(super) struct ActionsHandle(pub(super) Rc<Shared>);

type ActionResult = Result<(), Box<EvalAltResult>>;

/// How messages name a job.
pub(super) fn named(job: &ScriptJob) -> String {
    format!("job {} (number {} in the log)", job.waiting.job.0, job.request.number)
}

impl ActionsHandle {
    pub(super) fn start(&self, job: &ScriptJob) -> ActionResult {
        let (present, mut answer) = (self.0.present.borrow(), self.0.answer.borrow_mut());
        let Some((place, waiting)) = present.waiting(job.waiting.job) else {
            return Err(format!("{} does not wait, and cannot be started", named(job)).into());
        };
        if answer.is_started.get(place).copied().unwrap_or_default() {
            return Err(format!("{} was started already in this round", named(job)).into());
        }
        let waiting = waiting.waiting;
        let (needs, free) = (waiting.processors, answer.free);
        let (cells, now) = (present.cells.as_ref(), present.now);
        let answer = &mut *answer;
        let placement = match cells.zip(answer.room.as_mut()) {
            None if needs > free => None,
            None => {
                answer.free -= needs;
                Some(Placement::of_one_cell(needs))
            }
            Some((cells, room)) => {
                let placement = cells.start(&waiting, room, now);
                answer.free = cells.processors_of(&room.idle);
                placement
            }
        };
        let Some(placement) = placement else {
            let what = if cells.is_some() {
                format!(
                    "{} needs {needs} processors in cells that it may use, and they are not free; ask actions.fits(job) first",
                    named(job)
                )
            } else {
                format!("{} needs {needs} processors, and {free} are free", named(job))
            };
            return Err(what.into());
        };
        if answer.is_started.is_empty() {
            answer.is_started = vec![false; present.waiting.len()];
        }
        answer.is_started[place] = true;
        answer.starts.push((waiting, placement));
        Ok(())
    }

    /// Whether a waiting job could start now, beside the jobs started in this round and before what is announced of the
    /// machine.
    pub(super) fn fits(&self, job: &ScriptJob) -> bool {
        let (present, answer) = (self.0.present.borrow(), self.0.answer.borrow());
        match present.cells.as_ref().zip(answer.room.as_ref()) {
            None => job.waiting.processors <= answer.free,
            Some((cells, room)) => cells.fitting(&job.waiting, room, present.now).is_some(),
        }
    }

    pub(super) fn kill(&self, job: &ScriptJob) -> ActionResult {
        let (present, mut answer) = (self.0.present.borrow(), self.0.answer.borrow_mut());
        let Some(running) = present.running(job.waiting.job) else {
            return Err(format!("{} does not run, and cannot be killed", named(job)).into());
        };
        if running.start == Some(present.now) {
            return Err(
                format!("{} has started at this instant; it can be killed from the next one on", named(job)).into()
            );
        }
        if answer.kills.contains(&job.waiting.job) {
            return Err(format!("{} was killed already in this round", named(job)).into());
        }
        answer.kills.push(job.waiting.job);
        Ok(())
    }

    pub(super) fn wake_at(&self, at: &Dynamic) -> ActionResult {
        let at = moment(at)?;
        let now = self.0.present.borrow().now;
        if at <= now as f64 {
            return Err(format!("it asks to be called at {at}, and it is {now} already").into());
        }
        // an instant is a whole second; an infinite time needs no call
        if at.is_finite() {
            let at = at.ceil() as Seconds;
            let wake = &mut self.0.answer.borrow_mut().wake;
            *wake = Some(wake.map_or(at, |before| before.min(at)));
        }
        Ok(())
    }

    pub(super) fn keep(&self, job: &ScriptJob, number: &Dynamic) -> ActionResult {
        let number = moment(number)?;
        if self.0.present.borrow().waiting(job.waiting.job).is_none() {
            return Err(format!("{} does not wait; a number is kept of waiting jobs", named(job)).into());
        }
        self.0.kept.borrow_mut().insert(job.waiting.job.0, number);
        Ok(())
    }

    pub(super) fn note(&self, note: &str, job: &ScriptJob, value: &Dynamic) -> ActionResult {
        if note != NoteId::PROMISE.0 {
            let promise = NoteId::PROMISE.0;
            return Err(format!(
                "there is no note \"{note}\"; there is \"{promise}\", the start that a job is guaranteed"
            )
            .into());
        }
        let value = moment(value)?;
        if value.is_finite() {
            self.0.answer.borrow_mut().notes.push((NoteId::PROMISE, job.waiting.job, value as Seconds));
        }
        Ok(())
    }
}

/// Reads a time or another number, whole or not.
pub(super) fn moment(value: &Dynamic) -> Result<f64, Box<EvalAltResult>> {
    let number = value.as_float().or_else(|_| value.as_int().map(|whole| whole as f64));
    match number {
        Ok(number) if !number.is_nan() => Ok(number),
        Ok(_) => Err("this should be a number, and is none (0/0)".into()),
        Err(what) => Err(format!("this should be a number, and is a value of type {what}").into()),
    }
}

/// Registers the type and its words with the engine.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<ActionsHandle>(ACTIONS.0);
    engine.register_get("free", |actions: &mut ActionsHandle| INT::from(actions.0.answer.borrow().free));
    engine.register_fn("fits", |actions: &mut ActionsHandle, job: ScriptJob| actions.fits(&job));
    engine.register_fn("start", |actions: &mut ActionsHandle, job: ScriptJob| actions.start(&job));
    engine.register_fn("kill", |actions: &mut ActionsHandle, job: ScriptJob| actions.kill(&job));
    engine.register_fn("wake_at", |actions: &mut ActionsHandle, at: Dynamic| actions.wake_at(&at));
    engine.register_fn("keep", |actions: &mut ActionsHandle, job: ScriptJob, number: Dynamic| {
        actions.keep(&job, &number)
    });
    engine.register_fn("note", |actions: &mut ActionsHandle, note: &str, job: ScriptJob, value: Dynamic| {
        actions.note(note, &job, &value)
    });
}

// How to write a scheduler as a script, in five steps. The page shows them, and each can be tried.

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What the step is about.
    pub name: &'static str,
    /// The explanation.
    pub help: &'static str,
    /// The script of the step.
    pub text: &'static str,
}

/// All steps.
pub const STEPS: &[Step] = &[
    Step {
        name: "Start what waits.",
        help: "A round is called whenever a job arrives or ends. It goes through who waits, in the order of submission, and starts \
               what fits.",
        text: "fn round(view, actions) {
    for job in view.waiting {
        if !actions.fits(job) {
            return;
        }
        actions.start(job);
    }
}
",
    },
    Step {
        name: "Let others pass.",
        help: "Whoever does not fit is left out instead of ending the round: more is in use, but wide jobs may starve.",
        text: "fn round(view, actions) {
    for job in view.waiting {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Choose an order.",
        help: "The smallest key comes first. A key is made of what is known of a job; constants stand outside functions.",
        text: "const AGE = 0.5;

fn round(view, actions) {
    for job in view.waiting.sort_by(|job| job.estimate - AGE * job.wait) {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Reserve.",
        help: "The profile says when how many processors will be free. Who has a reservation is not delayed by others.",
        text: "fn round(view, actions) {
    let profile = view.profile();
    for job in view.waiting {
        let start = profile.earliest(job);
        profile.reserve(job, start);
        if start <= view.now {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Remember, and look.",
        help: "What is kept in `this` is there in the next round. What is printed is shown here, with its instant.",
        text: "fn arrived(job, view) {
    if this.longest == () || view.queue_length > this.longest {
        this.longest = view.queue_length;
        print(`${this.longest} jobs wait`);
    }
}

fn round(view, actions) {
    for job in view.waiting {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
];

// What a person's own scheduler does to a run, in whatever language it is written, and whether it goes on for ever.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conduct {
    /// The number of rounds in a row in which nothing has happened.
    quiet: u32,
    kills: u64,
    arrived: u64,
}

impl Conduct {
    pub(super) fn kills(self) -> u64 {
        self.kills
    }

    pub(super) fn something_happens(&mut self) {
        self.quiet = 0;
    }

    pub(super) fn arrived(&mut self) {
        self.something_happens();
        self.arrived += 1;
    }

    /// Carries out what was decided in a round.
    ///
    /// # Errors
    /// Rounds or kills come to no end.
    pub(super) fn carry_out(
        &mut self,
        answer: ScriptDecision,
        kept: &mut FxHashMap<u32, f64>,
        actions: &mut Actions,
        most_quiet: u32,
    ) -> Result<(), String> {
        let is_quiet = answer.starts.is_empty() && answer.kills.is_empty();
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        self.kills += answer.kills.len() as u64;
        for (job, placement) in answer.starts {
            kept.remove(&job.job.0);
            actions.start_on(job, Token::default(), placement);
        }
        answer.kills.into_iter().for_each(|job| actions.kill(job));
        answer.notes.into_iter().for_each(|(note, job, value)| actions.note(note, job, value));
        if let Some(at) = answer.wake {
            actions.wake_at(at);
        }
        if self.quiet > most_quiet {
            return Err(format!("it has asked to be called again {most_quiet} times while nothing happened"));
        }
        if self.kills > MOST_KILLS * self.arrived {
            return Err(format!("it has killed more than {MOST_KILLS} times as many jobs as there are"));
        }
        Ok(())
    }
}
