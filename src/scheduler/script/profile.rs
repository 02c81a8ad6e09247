//! The reservation profile of a script.

use super::actions::{moment, named};
use super::engine::too_much;
use super::shared::{Job, Shared};
use super::words::PROFILE;
use crate::scheduler::Profile;
use rhai::{Dynamic, Engine, EvalAltResult, INT, Position};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What is free from now on, and what the script has reserved.
struct ScriptProfile {
    profile: Profile,
    /// From when until when which job has a reservation.
    reserved: FxHashMap<u32, (f64, f64)>,
    /// How many steps it has, or fewer.
    steps: u64,
    shared: Rc<Shared>,
}

impl ScriptProfile {
    /// What running jobs leave free, if they end when they are expected to.
    fn of(shared: &Rc<Shared>) -> Result<Self, Box<EvalAltResult>> {
        let present = shared.present.borrow();
        let now = present.now as f64;
        // whoever is expected to have ended does not hold anything any more
        let holds = |job: &&Job| job.end.is_some_and(|end| end > now);
        let mut releases: Vec<(f64, u32)> =
            present.running.iter().filter(holds).map(|job| (job.end.unwrap_or(now), job.waiting.processors)).collect();
        releases.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let held: u32 = releases.iter().map(|&(_, processors)| processors).sum();
        let mut profile = Profile::default();
        let steps = releases.len() as u64 + 1;
        profile.rebuild(now, present.processors - held, releases.into_iter());
        drop(present);
        let profile = ScriptProfile { profile, reserved: FxHashMap::default(), steps, shared: shared.clone() };
        profile.charge(steps)?;
        Ok(profile)
    }

    fn charge(&self, operations: u64) -> Result<(), Box<EvalAltResult>> {
        if self.shared.charge(operations) {
            return Err(EvalAltResult::ErrorTerminated(too_much(&self.shared), Position::NONE).into());
        }
        Ok(())
    }

    fn now(&self) -> f64 {
        self.shared.present.borrow().now as f64
    }

    /// The first time from which a job fits for its estimate; infinity where it never does.
    fn earliest(&mut self, job: &Job) -> Result<f64, Box<EvalAltResult>> {
        self.charge(1 + self.steps / 8)?;
        Ok(self.profile.earliest(job.waiting.processors, job.waiting.estimate))
    }

    /// Whether it fits from then on.
    fn fits(&mut self, job: &Job, at: &Dynamic) -> Result<bool, Box<EvalAltResult>> {
        let at = moment(at)?;
        self.charge(1 + self.steps / 8)?;
        Ok(at >= self.now()
            && at.is_finite()
            && self.profile.has_free(at, at + job.waiting.estimate, job.waiting.processors))
    }

    fn reserve(&mut self, job: &Job, at: &Dynamic) -> Result<(), Box<EvalAltResult>> {
        if self.reserved.contains_key(&job.waiting.job.0) {
            return Err(format!("{} has a reservation already; release it first", named(job)).into());
        }
        if !self.fits(job, at)? {
            let at = moment(at)?;
            return Err(format!("{} cannot have a reservation at {at}: it does not fit there", named(job)).into());
        }
        let begin = moment(at)?;
        let end = begin + job.waiting.estimate;
        self.profile.reserve(begin, end, job.waiting.processors);
        self.reserved.insert(job.waiting.job.0, (begin, end));
        self.steps += 2;
        Ok(())
    }

    fn release(&mut self, job: &Job) -> Result<(), Box<EvalAltResult>> {
        self.charge(1 + self.steps / 8)?;
        let Some((begin, end)) = self.reserved.remove(&job.waiting.job.0) else {
            return Err(format!("{} has no reservation", named(job)).into());
        };
        self.profile.release(begin, end, job.waiting.processors);
        Ok(())
    }

    /// How many processors are free at a time.
    fn free_at(&self, at: &Dynamic) -> Result<INT, Box<EvalAltResult>> {
        let at = moment(at)?.max(self.now());
        self.charge(1 + self.steps / 8)?;
        let (least, _) = self.profile.levels_within(at, at.next_up()).unwrap_or_default();
        Ok(INT::from(least))
    }
}

/// A profile as scripts hold it: whoever it is handed to reserves in the same one.
#[derive(Clone)]
pub(super) struct ProfileHandle(Rc<RefCell<ScriptProfile>>);

impl ProfileHandle {
    /// What running jobs leave free, if they end when they are expected to.
    pub(super) fn of(shared: &Rc<Shared>) -> Result<Self, Box<EvalAltResult>> {
        Ok(ProfileHandle(Rc::new(RefCell::new(ScriptProfile::of(shared)?))))
    }
}

/// Registers it.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<ProfileHandle>(PROFILE.0);
    engine.register_fn("earliest", |of: &mut ProfileHandle, job: Job| of.0.borrow_mut().earliest(&job));
    engine.register_fn("fits", |of: &mut ProfileHandle, job: Job, at: Dynamic| of.0.borrow_mut().fits(&job, &at));
    engine.register_fn("reserve", |of: &mut ProfileHandle, job: Job, at: Dynamic| of.0.borrow_mut().reserve(&job, &at));
    engine.register_fn("release", |of: &mut ProfileHandle, job: Job| of.0.borrow_mut().release(&job));
    engine.register_fn("free_at", |of: &mut ProfileHandle, at: Dynamic| of.0.borrow().free_at(&at));
}
