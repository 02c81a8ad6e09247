//! Jobs, and lists of jobs, as a script sees them.

use super::engine::{JOB, JOBS};
use super::shared::{ScriptJob, Shared};
use crate::plain::FreeAmounts;
use packfair_base::machine::{Need, Placement, Shape};
use packfair_engine::model::{View, Waiting};
use packfair_workload::{JobId, Seconds};
use rhai::{Dynamic, Engine, EvalAltResult, FnPtr, INT, NativeCallContext, Position};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone)]
pub(super) struct ScriptJobs {
    jobs: Rc<[ScriptJob]>,
    /// The number of jobs at the beginning that are skipped.
    first: usize,
}

impl ScriptJobs {
    pub(super) fn new(jobs: Rc<[ScriptJob]>) -> Self {
        ScriptJobs { jobs, first: 0 }
    }

    fn all(&self) -> &[ScriptJob] {
        &self.jobs[self.first..]
    }

    fn at(&self, place: INT) -> Dynamic {
        let job = usize::try_from(place).ok().and_then(|place| self.all().get(place));
        job.map_or(Dynamic::UNIT, |job| Dynamic::from(job.clone()))
    }

    fn has(&self, job: JobId) -> bool {
        self.all().iter().any(|other| other.waiting.job == job)
    }
}

impl IntoIterator for ScriptJobs {
    type Item = ScriptJob;
    type IntoIter = JobsIterator;

    fn into_iter(self) -> JobsIterator {
        JobsIterator(self)
    }
}

pub(super) struct JobsIterator(ScriptJobs);

impl Iterator for JobsIterator {
    type Item = ScriptJob;

    fn next(&mut self) -> Option<ScriptJob> {
        let job = self.0.all().first()?.clone();
        self.0.first += 1;
        Some(job)
    }
}

fn call(function: &FnPtr, context: &NativeCallContext, job: &ScriptJob) -> Result<Dynamic, Box<EvalAltResult>> {
    function.call_within_context(context, (job.clone(),))
}

/// A key to sort by. A value that is no number is an error.
fn key(value: &Dynamic) -> Result<f64, Box<EvalAltResult>> {
    let number = value.as_float().or_else(|_| value.as_int().map(|whole| whole as f64));
    let number = number.or_else(|_| value.as_bool().map(|holds| f64::from(u8::from(holds))));
    number.map_err(|what| format!("the key of a job should be a number, and this is a value of type {what}").into())
}

/// Sorts jobs by a key, the smallest first and NaN last. Jobs with equal keys keep their order.
fn sorted(context: &NativeCallContext, jobs: &ScriptJobs, function: &FnPtr) -> Result<ScriptJobs, Box<EvalAltResult>> {
    let mut keyed = Vec::with_capacity(jobs.all().len());
    for job in jobs.all() {
        let key = key(&call(function, context, job)?)?;
        keyed.push((if key.is_nan() { f64::INFINITY } else { key }, job.clone()));
    }
    keyed.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
    Ok(ScriptJobs::new(keyed.into_iter().map(|(_, job)| job).collect()))
}

fn filtered(
    context: &NativeCallContext,
    jobs: &ScriptJobs,
    function: &FnPtr,
) -> Result<ScriptJobs, Box<EvalAltResult>> {
    let mut kept = Vec::new();
    for job in jobs.all() {
        let stays = call(function, context, job)?;
        let stays = stays
            .as_bool()
            .map_err(|what| format!("whether a job stays should be true or false, and this is {what}"))?;
        if stays {
            kept.push(job.clone());
        }
    }
    Ok(ScriptJobs::new(kept.into()))
}

/// Charges the operations of a function that goes through many jobs.
fn charged(shared: &Shared, operations: usize) -> Result<(), Box<EvalAltResult>> {
    if shared.charge(operations as u64) {
        return Err(EvalAltResult::ErrorTerminated(shared.too_much(), Position::NONE).into());
    }
    Ok(())
}

/// Registers the types and their words with the engine.
pub(super) fn register(engine: &mut Engine, shared: &Rc<Shared>) {
    job(engine, shared);
    engine.register_type_with_name::<ScriptJobs>(JOBS.0);
    engine.register_iterator::<ScriptJobs>();
    engine.register_indexer_get(|jobs: &mut ScriptJobs, place: INT| jobs.at(place));
    engine.register_get("len", |jobs: &mut ScriptJobs| jobs.all().len() as INT);
    engine.register_fn("len", |jobs: &mut ScriptJobs| jobs.all().len() as INT);
    engine.register_get("first", |jobs: &mut ScriptJobs| jobs.at(0));
    engine.register_get("last", |jobs: &mut ScriptJobs| jobs.at(jobs.all().len() as INT - 1));
    engine.register_fn("skip", |jobs: &mut ScriptJobs, count: INT| {
        let most = jobs.all().len();
        let skipped = usize::try_from(count).unwrap_or(0).min(most);
        ScriptJobs { first: jobs.first + skipped, ..jobs.clone() }
    });
    let charging = shared.clone();
    engine.register_fn("has", move |jobs: &mut ScriptJobs, job: ScriptJob| {
        charged(&charging, jobs.all().len() / 8)?;
        Ok::<_, Box<EvalAltResult>>(jobs.has(job.waiting.job))
    });
    let charging = shared.clone();
    engine.register_fn("sort_by", move |context: NativeCallContext, jobs: ScriptJobs, function: FnPtr| {
        charged(&charging, jobs.all().len())?;
        sorted(&context, &jobs, &function)
    });
    let charging = shared.clone();
    engine.register_fn("filter", move |context: NativeCallContext, jobs: ScriptJobs, function: FnPtr| {
        charged(&charging, jobs.all().len())?;
        filtered(&context, &jobs, &function)
    });
}

type WholeFact = fn(&ScriptJob) -> INT;

/// Registers the words of a job.
fn job(engine: &mut Engine, shared: &Rc<Shared>) {
    engine.register_type_with_name::<ScriptJob>(JOB.0);
    let whole: [(&str, WholeFact); 13] = [
        ("id", |job| INT::from(job.waiting.job.0)),
        ("number", |job| job.request.number),
        ("submit", |job| job.waiting.submit),
        ("wait", |job| job.start.unwrap_or(job.now) - job.waiting.submit),
        ("processors", |job| INT::from(job.waiting.processors)),
        ("requested", |job| job.request.limit),
        ("user", |job| INT::from(job.request.user)),
        ("group", |job| INT::from(job.request.group)),
        ("executable", |job| INT::from(job.request.executable)),
        ("queue", |job| INT::from(job.request.queue)),
        ("partition", |job| INT::from(job.request.partition)),
        ("class", |job| INT::from(job.is_small)),
        ("now", |job| job.now),
    ];
    for (name, get) in whole {
        engine.register_get(name, move |job: &mut ScriptJob| get(job));
    }
    engine.register_get("estimate", |job: &mut ScriptJob| job.waiting.estimate);
    engine.register_get("area", |job: &mut ScriptJob| job.waiting.area());
    engine.register_get("user_usage", |job: &mut ScriptJob| job.used);
    engine.register_get("account_usage", |job: &mut ScriptJob| job.used_by_account);
    engine.register_get("start", |job: &mut ScriptJob| job.start.map_or(Dynamic::UNIT, Dynamic::from));
    engine.register_get("end", |job: &mut ScriptJob| job.end.map_or(Dynamic::UNIT, Dynamic::from));
    let shared = shared.clone();
    engine.register_get("kept", move |job: &mut ScriptJob| {
        shared.kept.borrow().get(&job.waiting.job.0).map_or(Dynamic::UNIT, |&number| Dynamic::from(number))
    });
    engine.register_fn("==", |a: ScriptJob, b: ScriptJob| a.waiting.job == b.waiting.job);
    engine.register_fn("!=", |a: ScriptJob, b: ScriptJob| a.waiting.job != b.waiting.job);
}

// A machine of cells, for the profiles and starts of scripts.

#[derive(Clone, Debug)]
pub(super) struct JobNeed {
    parts: u32,
    shape: Rc<Shape>,
}

impl JobNeed {
    pub(super) fn need(&self) -> Need<'_> {
        Need { parts: self.parts, shape: &self.shape, number: 0 }
    }
}

#[derive(Debug)]
pub(super) struct PresentCells {
    /// What no job holds, of each resource in each cell.
    idle: Vec<i64>,
    /// The number of resources; the first is processors.
    resources: usize,
    /// The number of cells.
    cells: usize,
    /// What running jobs leave free, if they end when they are expected to.
    profile: FreeAmounts,
    needs: FxHashMap<JobId, JobNeed>,
}

/// What is left of the cells during a round.
#[derive(Clone, Debug)]
pub(super) struct CellsRoom {
    /// What no job holds, of each resource in each cell.
    pub(super) idle: Vec<i64>,
    /// What running jobs, and jobs that start in this round, leave free from now on.
    free: FreeAmounts,
    /// Where the jobs that start now run, if the script has reserved for them.
    pub(super) reserved: FxHashMap<JobId, Placement>,
}

impl PresentCells {
    /// The present state of the cells; none for a machine that is one number of processors.
    pub(super) fn of(view: &View) -> Option<Self> {
        let resources = view.resources()?;
        let mut shapes: FxHashMap<u32, Rc<Shape>> = FxHashMap::default();
        let need = |job| {
            let Need { parts, shape, number } = view.needs().of_waiting(job);
            let shape = shapes.entry(number).or_insert_with(|| Rc::new(shape.clone())).clone();
            JobNeed { parts, shape }
        };
        let waiting: Vec<_> = view.waiting().collect();
        let needs = waiting.iter().map(|job| job.job).zip(waiting.iter().map(need)).collect();
        let cells = view.cluster().map_or(0, |cluster| cluster.cells());
        Some(PresentCells { idle: view.idle(), resources, cells, profile: FreeAmounts::of_running(view), needs })
    }

    /// What running jobs leave free from now on.
    pub(super) fn profile(&self) -> FreeAmounts {
        self.profile.clone()
    }

    /// What a waiting job needs.
    pub(super) fn need(&self, job: JobId) -> Option<&JobNeed> {
        self.needs.get(&job)
    }

    /// The processors among the idle amounts, in all cells together.
    pub(super) fn processors_of(&self, idle: &[i64]) -> u32 {
        // behind the cells there may be a cap of power
        let of_cells = idle.iter().step_by(self.resources).take(self.cells);
        let processors = of_cells.map(|&idle| idle.max(0)).sum::<i64>();
        u32::try_from(processors).unwrap_or(u32::MAX)
    }

    /// The room at the beginning of a round, when no job has started.
    pub(super) fn room(&self) -> CellsRoom {
        CellsRoom { idle: self.idle.clone(), free: self.profile.clone(), reserved: FxHashMap::default() }
    }

    /// Where a waiting job fits from now until its expected end, beside the jobs that have started.
    pub(super) fn fitting(&self, job: &Waiting, room: &CellsRoom, now: Seconds) -> Option<Placement> {
        room.free.place(self.need(job.job)?.need(), now as f64, now as f64 + job.estimate)
    }

    /// Starts a waiting job: at its reserved place, or else where it fits, or else where it can be now although a
    /// change is announced that it runs into. None where it can be nowhere.
    pub(super) fn start(&self, job: &Waiting, room: &mut CellsRoom, now: Seconds) -> Option<Placement> {
        let need = self.need(job.job)?.need();
        let reserved = room.reserved.remove(&job.job).filter(|placement| need.shape.is_free(placement, &room.idle));
        let fitting = || self.fitting(job, room, now).filter(|placement| need.shape.is_free(placement, &room.idle));
        let placement = reserved.or_else(fitting).or_else(|| need.shape.place(need.parts, &room.idle))?;
        need.shape.take(&placement, &mut room.idle, 1);
        room.free.take(need, &placement, now as f64, now as f64 + job.estimate);
        Some(placement)
    }
}
