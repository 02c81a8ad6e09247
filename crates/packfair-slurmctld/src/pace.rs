//! Backfill cycles that take time. After bf_yield_interval of work they pause for bf_yield_sleep, during which all else
//! goes on. Without bf_continue a change during a pause ends the cycle. bf_max_time ends it too.

use super::CYCLE_OF_JOB;
use super::Controller;
use super::clock::ClockEvent;
use super::cycle::{Cycle, CycleState, Pace};
use packfair_engine::model::Actions;
use packfair_slurm::{DEFAULT_YIELD_INTERVAL, Site, SlurmParameter};

impl Pace {
    /// The settings of a site; none where no setting makes cycles take time.
    pub(super) fn of(site: &Site, rate: f64) -> Option<Self> {
        let parameter = |parameter| site.parameters.get(parameter);
        let interval = parameter(SlurmParameter::BfYieldInterval);
        if rate <= 0.0 && interval == DEFAULT_YIELD_INTERVAL {
            return None;
        }
        let of_job = if rate > 0.0 { 1.0 / rate } else { CYCLE_OF_JOB };
        let most = match parameter(SlurmParameter::BfMaxTime) {
            0 => parameter(SlurmParameter::BfInterval),
            most => most,
        };
        Some(Pace {
            work: of_job / 2.0,
            interval: interval as f64 / 1e6,
            sleep: parameter(SlurmParameter::BfYieldSleep) as f64 / 1e6,
            most: most.max(1) as f64,
            continues: site.parameters.has(SlurmParameter::BfContinue),
        })
    }
}

impl Controller {
    pub(super) fn course(&self) -> CycleState {
        let all = || self.queue.iter().rev().map(|job| (job.waiting.job, job.turn.entry)).collect();
        CycleState { left: self.pace.map(|_| all()), ..CycleState::default() }
    }

    /// Pauses a cycle, after the time that its work has taken.
    pub(super) fn pause(&mut self, mut cycle: Cycle, at: f64) {
        let Some(pace) = self.pace else { return };
        let course = &mut cycle.course;
        let resumed = at + course.worked + pace.sleep;
        course.seen = self.last_change;
        course.elapsed += pace.sleep;
        (course.pauses, course.worked) = (false, 0.0);
        self.paused = Some(Box::new(cycle));
        self.clock.at(resumed, ClockEvent::Resume);
    }

    /// Goes on with a cycle after a pause, or ends it. Returns how many jobs it has tested; none if it pauses again.
    pub(super) fn resume(&mut self, at: f64, actions: &mut Actions) -> Option<i64> {
        let cycle = self.paused.take()?;
        let continues = self.pace.is_some_and(|pace| pace.continues);
        if !continues && self.last_change != cycle.course.seen {
            return Some(0);
        }
        self.go_on(*cycle, at, actions)
    }
}
