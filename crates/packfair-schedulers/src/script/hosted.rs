//! Schedulers that a person has written in another language, for a program that embeds the engine and runs that language
//! itself. They have the words of scripts, and each decision is checked as theirs are.
//!
//! Such a scheduler is a script whose first line begins with [`HOSTED`], and so it has an id, a row and a place in links
//! like any other. Its text is only for people: what is called is what the program has under this text.

use super::actions::{ActionsHandle, Conduct};
use super::engine::{Allowance, USUAL_MILLIONS};
use super::profile::ProfileHandle;
use super::shared::{Mentions, Present, ScriptJob, ScriptJobFacts, Shared};
use super::{ScriptDecision, Scripted, engine, shared};
use packfair_base::catalogue::{Script, Settings};
use packfair_engine::model::{Actions, NoteId, Notes, Release, Scheduler, SchedulerFailure, View, Waiting};
use packfair_engine::simulation::Driven;
use packfair_workload::Seconds;
use rhai::EvalAltResult;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::OnceLock;

/// How the first line of a script in another language begins.
pub const HOSTED: &str = "#!";

/// Makes a scheduler of a script; none if the program has nothing under its text.
pub type Host = fn(&'static Script) -> Option<Box<dyn Hosted>>;

static HOST: OnceLock<Host> = OnceLock::new();

/// Tells how scripts in another language are run. The first host stays.
pub fn set_host(host: Host) {
    HOST.get_or_init(|| host);
}

/// What a scheduler is called for.
#[derive(Clone, Debug)]
pub enum HostedCall {
    /// Jobs may be started and killed.
    Round,
    /// A job has arrived, perhaps anew because it was killed.
    Arrived(ScriptJob),
    /// A job has completed.
    Completed(ScriptJob),
}

/// A mistake of such a scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedMistake {
    /// The line at fault, counted from 1.
    pub line: Option<u32>,
    /// What is wrong, as a sentence without its full stop.
    pub what: String,
}

/// A scheduler of the program that embeds the engine.
pub trait Hosted {
    /// Whether it wants to be told of jobs that arrive and complete.
    fn listens(&self) -> bool;

    /// Calls it.
    ///
    /// # Errors
    /// It makes a mistake, after which it is called no more.
    fn call(&mut self, call: &HostedCall, round: &HostedRound) -> Result<(), HostedMistake>;

    /// A copy with a state of its own, which goes on in another way.
    fn copy(&self) -> Box<dyn Hosted>;
}

/// What such a scheduler sees and decides during a call. Errors are sentences without their full stop.
#[derive(Clone)]
pub struct HostedRound(Rc<Shared>);

/// When how many processors will be free, for reservations.
pub struct HostedProfile(ProfileHandle);

fn said(error: Box<EvalAltResult>) -> String {
    engine::said(&error)
}

impl HostedRound {
    /// The present, seconds of the log.
    pub fn now(&self) -> Seconds {
        self.0.present.borrow().now
    }

    /// The idle processors at the beginning of the round.
    pub fn free(&self) -> u32 {
        self.0.present.borrow().free
    }

    /// All processors.
    pub fn processors(&self) -> u32 {
        self.0.present.borrow().processors
    }

    /// The waiting jobs, in log order.
    pub fn waiting(&self) -> Rc<[ScriptJob]> {
        self.0.present.borrow().waiting.clone()
    }

    /// The running jobs, in log order.
    pub fn running(&self) -> Rc<[ScriptJob]> {
        self.0.present.borrow().running.clone()
    }

    /// The hour of the day, 0 to 23, in the log's zone.
    pub fn hour(&self) -> u8 {
        self.0.present.borrow().hour
    }

    /// The day of the week, 1 (Monday) to 7, in the log's zone; 0 where it is unknown.
    pub fn weekday(&self) -> u8 {
        self.0.present.borrow().weekday
    }

    /// The profile that running jobs leave.
    ///
    /// # Errors
    /// It would be too large.
    pub fn profile(&self) -> Result<HostedProfile, String> {
        ProfileHandle::of(&self.0).map(HostedProfile).map_err(said)
    }

    /// The processors that are left beside the jobs started in this round.
    pub fn left(&self) -> u32 {
        self.0.answer.borrow().free
    }

    /// Whether a waiting job could start now.
    pub fn fits(&self, job: &ScriptJob) -> bool {
        self.actions().fits(job)
    }

    /// Starts a waiting job.
    ///
    /// # Errors
    /// It does not wait, or does not fit.
    pub fn start(&self, job: &ScriptJob) -> Result<(), String> {
        self.actions().start(job).map_err(said)
    }

    /// Kills a running job, which waits again.
    ///
    /// # Errors
    /// It does not run, or has started at this instant.
    pub fn kill(&self, job: &ScriptJob) -> Result<(), String> {
        self.actions().kill(job).map_err(said)
    }

    /// Asks for a round at a time that is yet to come.
    ///
    /// # Errors
    /// It has come already.
    pub fn wake_at(&self, at: f64) -> Result<(), String> {
        self.actions().wake_at(&at.into()).map_err(said)
    }

    /// Remembers a number of a waiting job.
    ///
    /// # Errors
    /// The job does not wait.
    pub fn keep(&self, job: &ScriptJob, number: f64) -> Result<(), String> {
        self.actions().keep(job, &number.into()).map_err(said)
    }

    /// The number that is remembered of a waiting job.
    pub fn kept(&self, job: &ScriptJob) -> Option<f64> {
        self.0.kept.borrow().get(&job.waiting.job.0).copied()
    }

    /// Notes a value of a job.
    ///
    /// # Errors
    /// There is no such note.
    pub fn note(&self, note: &str, job: &ScriptJob, value: f64) -> Result<(), String> {
        self.actions().note(note, job, &value.into()).map_err(said)
    }

    fn actions(&self) -> ActionsHandle {
        ActionsHandle(self.0.clone())
    }
}

impl HostedProfile {
    /// The first time from which a job fits for its estimate; infinity where it never does.
    ///
    /// # Errors
    /// The job does not wait.
    pub fn earliest(&self, job: &ScriptJob) -> Result<f64, String> {
        self.0.earliest(job).map_err(said)
    }

    /// Whether a job fits from a time on for its estimate.
    ///
    /// # Errors
    /// The job does not wait.
    pub fn fits(&self, job: &ScriptJob, at: f64) -> Result<bool, String> {
        self.0.fits(job, &at.into()).map_err(said)
    }

    /// Reserves for a job what it needs for its estimate.
    ///
    /// # Errors
    /// It does not fit there, or has a reservation already.
    pub fn reserve(&self, job: &ScriptJob, at: f64) -> Result<(), String> {
        self.0.reserve(job, &at.into()).map_err(said)
    }

    /// Gives the reservation of a job back.
    ///
    /// # Errors
    /// It has none.
    pub fn release(&self, job: &ScriptJob) -> Result<(), String> {
        self.0.release(job).map_err(said)
    }

    /// The processors that are free at a time.
    ///
    /// # Errors
    /// The time is no number.
    pub fn free_at(&self, at: f64) -> Result<i64, String> {
        self.0.free_at(&at.into()).map_err(said)
    }
}

impl ScriptJobFacts {
    /// Its place in the log, from 0.
    pub fn id(&self) -> u32 {
        self.waiting.job.0
    }

    /// What was known of it at its submission.
    pub fn request(&self) -> &packfair_workload::Request {
        &self.request
    }

    /// How long it waits, or has waited, seconds.
    pub fn wait(&self) -> Seconds {
        self.start.unwrap_or(self.now) - self.waiting.submit
    }

    /// The processors it takes.
    pub fn processors(&self) -> u32 {
        self.waiting.processors
    }

    /// Its estimated run time, seconds.
    pub fn estimate(&self) -> f64 {
        self.waiting.estimate
    }

    /// Processors times estimate.
    pub fn area(&self) -> f64 {
        self.waiting.area()
    }

    /// Whether a classifier takes it for small.
    pub fn is_small(&self) -> bool {
        self.is_small
    }

    /// When it started, where it runs.
    pub fn start(&self) -> Option<Seconds> {
        self.start
    }

    /// When it is expected to end, where it runs.
    pub fn end(&self) -> Option<f64> {
        self.end
    }

    /// The processor-seconds that its user has had, half of them forgotten every 7 days.
    pub fn user_usage(&self) -> f64 {
        self.used
    }

    /// The processor-seconds that its account has had, half of them forgotten every 7 days.
    pub fn account_usage(&self) -> f64 {
        self.used_by_account
    }
}

/// The scheduler of a script in whichever language.
pub(super) fn build(settings: &Settings) -> Box<dyn Driven> {
    match settings.script() {
        Some(script) if script.text().starts_with(HOSTED) => Box::new(HostedScheduler::of(script)),
        _ => Box::new(Scripted::of(settings)),
    }
}

struct HostedScheduler {
    name: &'static str,
    scheduler: Option<Box<dyn Hosted>>,
    shared: Rc<Shared>,
    kept: FxHashMap<u32, f64>,
    conduct: Conduct,
    failure: Option<SchedulerFailure>,
}

impl HostedScheduler {
    fn of(script: &'static Script) -> Self {
        let scheduler = HOST.get().and_then(|host| host(script));
        let language = script.text().lines().next().unwrap_or_default().trim_start_matches(HOSTED).trim();
        let failure = scheduler.is_none().then(|| SchedulerFailure {
            name: script.name().to_owned(),
            line: None,
            at: None,
            what: format!(
                "it is written in {language}, and is not here; run it where it was written, with its scheduler"
            ),
        });
        HostedScheduler {
            name: script.name(),
            scheduler,
            shared: Rc::default(),
            kept: FxHashMap::default(),
            conduct: Conduct::default(),
            failure,
        }
    }

    fn call(&mut self, call: &HostedCall, view: &View) -> Option<ScriptDecision> {
        let scheduler = self.scheduler.as_mut().filter(|_| self.failure.is_none())?;
        self.shared.begin(Present::of(view, &Mentions::ALL), std::mem::take(&mut self.kept), u64::MAX);
        let outcome = scheduler.call(call, &HostedRound(self.shared.clone()));
        let (answer, kept, _) = self.shared.end();
        // who has kept the view finds nothing in it any more
        *self.shared.present.borrow_mut() = Present::default();
        self.kept = kept;
        match outcome {
            Ok(()) => Some(answer),
            Err(HostedMistake { line, what }) => {
                self.fail(line, view.now(), what);
                None
            }
        }
    }

    fn tell(&mut self, view: &View, call: impl FnOnce() -> HostedCall) {
        if self.scheduler.as_ref().is_some_and(|scheduler| scheduler.listens()) {
            self.call(&call(), view);
        }
    }

    fn fail(&mut self, line: Option<u32>, at: Seconds, what: String) {
        let failure = SchedulerFailure { name: self.name.to_owned(), line, at: Some(at), what };
        self.shared.failed.borrow_mut().get_or_insert_with(|| failure.clone());
        self.failure = Some(failure);
    }
}

impl Clone for HostedScheduler {
    fn clone(&self) -> Self {
        HostedScheduler {
            name: self.name,
            scheduler: self.scheduler.as_ref().map(|scheduler| scheduler.copy()),
            shared: self.shared.clone(),
            kept: self.kept.clone(),
            conduct: self.conduct,
            failure: self.failure.clone(),
        }
    }
}

/// What is asked of the view is not known beforehand, so it has all.
impl Scheduler for HostedScheduler {
    fn counts_usage(&self) -> bool {
        true
    }

    fn kills(&self) -> bool {
        true
    }

    fn reads_clock(&self) -> bool {
        true
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.conduct.arrived();
        self.tell(view, || HostedCall::Arrived(shared::waiting(job, view, &Mentions::ALL)));
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.conduct.something_happens();
        self.tell(view, || HostedCall::Completed(shared::left(release, view, &Mentions::ALL)));
    }

    fn killed(&mut self, _release: Release, job: Waiting, view: &View) {
        self.conduct.something_happens();
        self.tell(view, || HostedCall::Arrived(shared::waiting(job, view, &Mentions::ALL)));
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let Some(answer) = self.call(&HostedCall::Round, view) else { return };
        let most_quiet = Allowance::of_millions(USUAL_MILLIONS).of_quiet();
        if let Err(what) = self.conduct.carry_out(answer, &mut self.kept, actions, most_quiet) {
            self.fail(None, view.now(), what);
        }
    }

    fn capacity_changed(&mut self, _view: &View) {
        self.conduct.something_happens();
    }

    fn may_fail(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<SchedulerFailure> {
        self.failure.clone().or_else(|| self.shared.failed.borrow().clone())
    }

    fn report(&self, notes: &mut Notes) {
        if self.conduct.kills() > 0 {
            notes.set(NoteId::KILLS, self.conduct.kills() as f64);
        }
    }
}
