//! What a script sees and what it answers, in one place that all functions of its engine share.

use super::jobs::{CellsRoom, PresentCells};
use packfair_base::machine::Placement;
use packfair_engine::model::{NoteId, Printed, Release, SchedulerFailure, View, Waiting};
use packfair_workload::{JobId, Request, Seconds};
use rhai::Dynamic;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A job as a script sees it.
#[derive(Debug)]
pub struct ScriptJobFacts {
    pub(super) waiting: Waiting,
    pub(super) request: Request,
    /// When the job started, if it runs.
    pub(super) start: Option<Seconds>,
    /// When the job is expected to end, if it runs.
    pub(super) end: Option<f64>,
    pub(super) now: Seconds,
    pub(super) is_small: bool,
    /// What the user of the job has had of the machine, processor-seconds.
    pub(super) used: f64,
    /// What the account of the job has had of the machine, processor-seconds.
    pub(super) used_by_account: f64,
}

/// A job as the engine passes it to a script.
pub type ScriptJob = Arc<ScriptJobFacts>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    pub(super) running: bool,
    pub(super) usage: bool,
    pub(super) clock: bool,
    pub(super) kill: bool,
}

impl Mentions {
    /// All that a view can have: where it is not known beforehand what is asked of it.
    pub(super) const ALL: Mentions = Mentions { running: true, usage: true, clock: true, kill: true };

    /// The mentions in the text of a script. Words in comments count too; then a part is made in vain.
    pub(super) fn of(text: &str) -> Self {
        let says = |word: &str| text.contains(word);
        Mentions {
            running: says("running") || says("profile") || says("kill"),
            usage: says("usage"),
            clock: says("hour") || says("weekday"),
            kill: says("kill"),
        }
    }
}

/// The facts of a waiting job.
pub(super) fn waiting(job: Waiting, view: &View, mentions: &Mentions) -> ScriptJob {
    facts(job, None, None, view, mentions)
}

/// The facts of a job that has ended or runs.
pub(super) fn left(release: Release, view: &View, mentions: &Mentions) -> ScriptJob {
    running(release, None, view, mentions)
}

fn running(release: Release, start: Option<Seconds>, view: &View, mentions: &Mentions) -> ScriptJob {
    let submit = view.request(release.job).submit;
    let estimate = start.map_or(0.0, |start| release.at - start as f64);
    let job = Waiting { job: release.job, submit, processors: release.processors, estimate };
    facts(job, start, Some(release.at), view, mentions)
}

fn facts(job: Waiting, start: Option<Seconds>, end: Option<f64>, view: &View, mentions: &Mentions) -> ScriptJob {
    let (used, used_by_account) =
        if mentions.usage { (view.used(job.job), view.used_by_account(job.job)) } else { (0.0, 0.0) };
    let is_small = view.present_class(job.job).is_small();
    let request = view.request(job.job).clone();
    Arc::new(ScriptJobFacts { waiting: job, request, start, end, now: view.now(), is_small, used, used_by_account })
}

/// The present, as a script sees it.
#[derive(Debug, Default)]
pub(super) struct Present {
    pub(super) now: Seconds,
    pub(super) free: u32,
    pub(super) processors: u32,
    pub(super) waiting: Rc<[ScriptJob]>,
    pub(super) running: Rc<[ScriptJob]>,
    pub(super) hour: u8,
    pub(super) weekday: u8,
    /// The cells, where the machine is more than one number of processors.
    pub(super) cells: Option<PresentCells>,
}

impl Present {
    pub(super) fn of(view: &View, mentions: &Mentions) -> Self {
        let mut runners: Vec<ScriptJob> = Vec::new();
        if mentions.running {
            let started = view.running.started();
            runners.extend(started.map(|(release, start)| running(release, Some(start), view, mentions)));
            runners.sort_unstable_by_key(|job| job.waiting.job);
        }
        Present {
            now: view.now(),
            free: view.free(),
            processors: view.processors(),
            waiting: view.waiting().map(|job| waiting(job, view, mentions)).collect(),
            running: runners.into(),
            hour: view.hour(),
            weekday: view.weekday(),
            cells: PresentCells::of(view),
        }
    }

    /// The place of a waiting job among the waiting jobs, and its facts.
    pub(super) fn waiting(&self, job: JobId) -> Option<(usize, &ScriptJob)> {
        let place = self.waiting.binary_search_by_key(&job, |job| job.waiting.job).ok()?;
        Some((place, &self.waiting[place]))
    }

    /// The facts of a running job.
    pub(super) fn running(&self, job: JobId) -> Option<&ScriptJob> {
        let place = self.running.binary_search_by_key(&job, |job| job.waiting.job).ok()?;
        Some(&self.running[place])
    }
}

/// What a script has decided in a round.
#[derive(Debug, Default)]
pub(super) struct ScriptDecision {
    pub(super) free: u32,
    /// What is free in the cells, where there are any.
    pub(super) room: Option<CellsRoom>,
    /// The jobs that start, and where.
    pub(super) starts: Vec<(Waiting, Placement)>,
    /// For each waiting job, whether it is among `starts`; empty as long as none is.
    pub(super) is_started: Vec<bool>,
    pub(super) kills: Vec<JobId>,
    pub(super) wake: Option<Seconds>,
    pub(super) notes: Vec<(NoteId, JobId, Seconds)>,
}

/// What the engine's functions and the scheduler share. All copies of a scheduler use the same: only one of them is
/// called at a time, and it brings its own state.
#[derive(Debug, Default)]
pub struct Shared {
    pub(super) present: RefCell<Present>,
    pub(super) answer: RefCell<ScriptDecision>,
    pub(super) kept: RefCell<FxHashMap<u32, f64>>,
    /// The operations of the present call so far.
    spent: Cell<u64>,
    limit: Cell<u64>,
    pub(super) printed: RefCell<Printed>,
    pub(super) failed: RefCell<Option<SchedulerFailure>>,
}

impl Shared {
    pub(super) fn begin(&self, present: Present, kept: FxHashMap<u32, f64>, limit: u64) {
        let room = present.cells.as_ref().map(PresentCells::room);
        *self.answer.borrow_mut() = ScriptDecision { free: present.free, room, ..ScriptDecision::default() };
        *self.present.borrow_mut() = present;
        *self.kept.borrow_mut() = kept;
        self.allow(limit);
    }

    /// Allows this many further operations.
    pub(super) fn allow(&self, limit: u64) {
        self.spent.set(0);
        self.limit.set(limit);
    }

    /// Ends a call. Returns the answer, the numbers kept for jobs, and how many operations the call took.
    pub(super) fn end(&self) -> (ScriptDecision, FxHashMap<u32, f64>, u64) {
        // a round costs something even where the script does nothing
        (self.answer.take(), self.kept.take(), self.spent.get() + 10)
    }

    /// Counts operations. Returns whether there are now too many.
    #[inline]
    pub(super) fn charge(&self, operations: u64) -> bool {
        let spent = self.spent.get() + operations;
        self.spent.set(spent);
        spent > self.limit.get()
    }

    /// The limit of operations of the present call.
    pub(super) fn limit(&self) -> u64 {
        self.limit.get()
    }

    pub(super) fn print(&self, text: &str) {
        self.printed.borrow_mut().push(self.present.borrow().now, text);
    }
}

impl Shared {
    /// The message that a call has taken too many operations.
    pub(super) fn too_much(&self) -> Dynamic {
        format!("this has taken more than {} operations; is there a loop without an end?", self.limit()).into()
    }
}
