//! The reservation profile of a script.

use super::actions::{moment, named};
use super::engine::PROFILE;
use super::shared::{Present, ScriptJob, Shared};
use crate::Profile;
use crate::plain::FreeAmounts;
use packfair_base::machine::Placement;
use packfair_workload::JobId;
use rhai::{Dynamic, Engine, EvalAltResult, INT, Position};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What is free from now on, for either kind of machine.
enum Free {
    /// The profile of a machine that is one number of processors.
    Processors(Profile),
    /// What is free in the cells of a machine.
    Cells(FreeAmounts),
}

/// A reservation: when it begins and ends, and in which cells it is.
struct Reserved {
    begin: f64,
    end: f64,
    placement: Placement,
}

/// What is free from now on, and what the script has reserved.
struct ScriptProfile {
    free: Free,
    /// The reservations by job.
    reserved: FxHashMap<JobId, Reserved>,
    /// The number of steps, or a lower bound of it.
    steps: u64,
    shared: Rc<Shared>,
}

type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

impl ScriptProfile {
    /// The profile that running jobs leave if they end as expected.
    fn of(shared: &Rc<Shared>) -> ScriptResult<Self> {
        let present = shared.present.borrow();
        let (free, steps) = match &present.cells {
            None => of_processors(&present),
            Some(cells) => {
                let profile = cells.profile();
                let steps = profile.steps().count() as u64;
                (Free::Cells(profile), steps)
            }
        };
        drop(present);
        let profile = ScriptProfile { free, reserved: FxHashMap::default(), steps, shared: shared.clone() };
        profile.charge(steps)?;
        Ok(profile)
    }

    fn charge(&self, operations: u64) -> ScriptResult<()> {
        if self.shared.charge(operations) {
            return Err(EvalAltResult::ErrorTerminated(self.shared.too_much(), Position::NONE).into());
        }
        Ok(())
    }

    /// Charges the operations of one search.
    fn charge_search(&self) -> ScriptResult<()> {
        let each = match &self.free {
            Free::Processors(_) => 8,
            // each step is looked at from the beginning
            Free::Cells(_) => 1,
        };
        self.charge(1 + self.steps / each)
    }

    fn now(&self) -> f64 {
        self.shared.present.borrow().now as f64
    }

    /// The first time from which a job fits for as long as its estimate; infinity where it never does.
    fn earliest(&mut self, job: &ScriptJob) -> ScriptResult<f64> {
        self.charge_search()?;
        let now = self.now();
        match &mut self.free {
            Free::Processors(profile) => Ok(profile.earliest(job.waiting.processors, job.waiting.estimate)),
            Free::Cells(free) => {
                let present = self.shared.present.borrow();
                let need = present.cells.as_ref().and_then(|cells| cells.need(job.waiting.job));
                let need = need.ok_or_else(|| waits_no_more(job))?;
                Ok(free.earliest(need.need(), job.waiting.estimate, now))
            }
        }
    }

    /// Where a job fits from `at` on for as long as its estimate; none if it does not.
    fn place(&mut self, job: &ScriptJob, at: f64) -> ScriptResult<Option<Placement>> {
        self.charge_search()?;
        if at < self.now() || !at.is_finite() {
            return Ok(None);
        }
        let (processors, end) = (job.waiting.processors, at + job.waiting.estimate);
        match &mut self.free {
            Free::Processors(profile) => {
                Ok(profile.has_free(at, end, processors).then(|| Placement::of_one_cell(processors)))
            }
            Free::Cells(free) => {
                let present = self.shared.present.borrow();
                let need = present.cells.as_ref().and_then(|cells| cells.need(job.waiting.job));
                let need = need.ok_or_else(|| waits_no_more(job))?;
                Ok(free.place(need.need(), at, end))
            }
        }
    }

    /// Whether a job fits from `at` on for as long as its estimate.
    fn fits(&mut self, job: &ScriptJob, at: &Dynamic) -> ScriptResult<bool> {
        let at = moment(at)?;
        Ok(self.place(job, at)?.is_some())
    }

    fn reserve(&mut self, job: &ScriptJob, at: &Dynamic) -> ScriptResult<()> {
        if self.reserved.contains_key(&job.waiting.job) {
            return Err(format!("{} has a reservation already; release it first", named(job)).into());
        }
        let begin = moment(at)?;
        if begin == f64::INFINITY && matches!(self.free, Free::Cells(_)) {
            // a job that never fits in cells, as far as is known, gets a reservation that takes nothing
            let placement = Placement::default();
            self.reserved.insert(job.waiting.job, Reserved { begin, end: begin, placement });
            return Ok(());
        }
        let Some(placement) = self.place(job, begin)? else {
            return Err(format!("{} cannot have a reservation at {begin}: it does not fit there", named(job)).into());
        };
        let end = begin + job.waiting.estimate;
        if begin == self.now()
            && let Some(room) = &mut self.shared.answer.borrow_mut().room
        {
            room.reserved.insert(job.waiting.job, placement.clone());
        }
        self.change(job, &placement, (begin, end), true);
        self.reserved.insert(job.waiting.job, Reserved { begin, end, placement });
        self.steps += 2;
        Ok(())
    }

    fn release(&mut self, job: &ScriptJob) -> ScriptResult<()> {
        self.charge_search()?;
        let Some(Reserved { begin, end, placement }) = self.reserved.remove(&job.waiting.job) else {
            return Err(format!("{} has no reservation", named(job)).into());
        };
        self.change(job, &placement, (begin, end), false);
        Ok(())
    }

    /// Takes what a job holds out of the profile, or gives it back.
    fn change(&mut self, job: &ScriptJob, placement: &Placement, (begin, end): (f64, f64), is_taken: bool) {
        match &mut self.free {
            Free::Processors(profile) if is_taken => profile.reserve(begin, end, job.waiting.processors),
            Free::Processors(profile) => profile.release(begin, end, job.waiting.processors),
            Free::Cells(free) => {
                let present = self.shared.present.borrow();
                // a job with a reservation has a place, and so a known need
                let Some(need) = present.cells.as_ref().and_then(|cells| cells.need(job.waiting.job)) else { return };
                if is_taken {
                    free.take(need.need(), placement, begin, end);
                } else {
                    free.give_back(need.need(), placement, begin, end);
                }
            }
        }
    }

    /// The number of processors that are free at a time.
    fn free_at(&self, at: &Dynamic) -> ScriptResult<INT> {
        let at = moment(at)?.max(self.now());
        self.charge_search()?;
        match &self.free {
            Free::Processors(profile) => {
                let (least, _) = profile.levels_within(at, at.next_up()).unwrap_or_default();
                Ok(INT::from(least))
            }
            Free::Cells(free) => {
                let present = self.shared.present.borrow();
                let level = free.steps().take_while(|&(time, _)| time <= at).last();
                let processors = present.cells.as_ref().zip(level).map(|(cells, (_, free))| cells.processors_of(free));
                Ok(INT::from(processors.unwrap_or(0)))
            }
        }
    }
}

/// The profile that running jobs leave of one number of processors, and its number of steps.
fn of_processors(present: &Present) -> (Free, u64) {
    let now = present.now as f64;
    let running = present.running.iter().filter_map(|job| Some((job.end?, job.waiting.processors)));
    let steps = running.clone().filter(|&(end, _)| end > now).count() as u64 + 1;
    let mut profile = Profile::default();
    profile.begin_with(now, present.processors, running);
    (Free::Processors(profile), steps)
}

fn waits_no_more(job: &ScriptJob) -> Box<EvalAltResult> {
    format!("{} does not wait, and where it would fit in cells is not known", named(job)).into()
}

/// A profile as scripts hold it. All copies of the handle share one profile.
#[derive(Clone)]
pub(super) struct ProfileHandle(Rc<RefCell<ScriptProfile>>);

impl ProfileHandle {
    /// The profile that running jobs leave if they end as expected.
    pub(super) fn of(shared: &Rc<Shared>) -> ScriptResult<Self> {
        Ok(ProfileHandle(Rc::new(RefCell::new(ScriptProfile::of(shared)?))))
    }

    pub(super) fn earliest(&self, job: &ScriptJob) -> ScriptResult<f64> {
        self.0.borrow_mut().earliest(job)
    }

    pub(super) fn fits(&self, job: &ScriptJob, at: &Dynamic) -> ScriptResult<bool> {
        self.0.borrow_mut().fits(job, at)
    }

    pub(super) fn reserve(&self, job: &ScriptJob, at: &Dynamic) -> ScriptResult<()> {
        self.0.borrow_mut().reserve(job, at)
    }

    pub(super) fn release(&self, job: &ScriptJob) -> ScriptResult<()> {
        self.0.borrow_mut().release(job)
    }

    pub(super) fn free_at(&self, at: &Dynamic) -> ScriptResult<INT> {
        self.0.borrow().free_at(at)
    }
}

/// Registers the type and its words with the engine.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<ProfileHandle>(PROFILE.0);
    engine.register_fn("earliest", |of: &mut ProfileHandle, job: ScriptJob| of.earliest(&job));
    engine.register_fn("fits", |of: &mut ProfileHandle, job: ScriptJob, at: Dynamic| of.fits(&job, &at));
    engine.register_fn("reserve", |of: &mut ProfileHandle, job: ScriptJob, at: Dynamic| of.reserve(&job, &at));
    engine.register_fn("release", |of: &mut ProfileHandle, job: ScriptJob| of.release(&job));
    engine.register_fn("free_at", |of: &mut ProfileHandle, at: Dynamic| of.free_at(&at));
}
