//! Backfill cycles that take time. After bf_yield_interval of work they pause for bf_yield_sleep, during which all else
//! goes on. Without bf_continue a change during a pause ends the cycle. bf_max_time ends it too.

use super::CYCLE_OF_JOB;
use super::Controller;
use super::backfill::Cycle;
use super::clock::Event;
use super::job::Job;
use crate::model::Actions;
use crate::slurm::{DEFAULT_YIELD_INTERVAL, Parameter, Site};
use crate::workload::{JobId, Seconds};

/// The settings of these times, seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The work between two looks at the clock. Slurm looks at it twice for each job.
    work: f64,
    interval: f64,
    sleep: f64,
    most: f64,
    /// Whether a cycle goes on although something has changed in a pause.
    continues: bool,
}

impl Pace {
    /// The settings of a site; none where no setting makes cycles take time.
    pub(super) fn of(site: &Site, rate: f64) -> Option<Self> {
        let parameter = |parameter| site.parameters.get(parameter);
        let interval = parameter(Parameter::BfYieldInterval);
        if rate <= 0.0 && interval == DEFAULT_YIELD_INTERVAL {
            return None;
        }
        let of_job = if rate > 0.0 { 1.0 / rate } else { CYCLE_OF_JOB };
        let most = match parameter(Parameter::BfMaxTime) {
            0 => parameter(Parameter::BfInterval),
            most => most,
        };
        Some(Pace {
            work: of_job / 2.0,
            interval: interval as f64 / 1e6,
            sleep: parameter(Parameter::BfYieldSleep) as f64 / 1e6,
            most: most.max(1) as f64,
            continues: site.parameters.has(Parameter::BfContinue),
        })
    }
}

/// How much time a cycle has used, and which jobs it has left.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// The entries of the queue at the beginning of the cycle that are left, the last first. None where the cycle takes
    /// no time, because then the queue stays as it is.
    left: Option<Vec<(JobId, u32)>>,
    /// The time of work since the last pause, and the time of the whole cycle, seconds.
    worked: f64,
    elapsed: f64,
    /// How often the clock was looked at for the next job.
    looked: u8,
    pauses: bool,
    /// When something last changed, as of the beginning of the pause.
    seen: Seconds,
}

impl Course {
    /// The place of the next job in the queue. Jobs that have started during a pause are skipped.
    pub(super) fn next(&mut self, place: usize, queue: &[Job]) -> Option<usize> {
        let Some(left) = &mut self.left else { return Some(place).filter(|&place| place < queue.len()) };
        while let Some(&next) = left.last() {
            if let Some(at) = queue.iter().position(|job| (job.waiting.job, job.partition) == next) {
                return Some(at);
            }
            left.pop();
        }
        None
    }

    /// Whether the cycle pauses or ends before its next job. If not, the job counts as taken.
    pub(super) fn stops(&mut self, pace: Pace) -> bool {
        while self.looked < 2 {
            if self.elapsed >= pace.most {
                self.left = Some(Vec::new());
                return true;
            }
            self.looked += 1;
            self.worked += pace.work;
            self.elapsed += pace.work;
            if self.worked >= pace.interval {
                self.pauses = true;
                return true;
            }
        }
        self.looked = 0;
        self.left.iter_mut().for_each(|left| {
            left.pop();
        });
        false
    }

    /// Whether the cycle is to pause.
    pub(super) fn is_pausing(&self) -> bool {
        self.pauses
    }
}

impl Controller {
    /// The course of a cycle that begins.
    pub(super) fn course(&self) -> Course {
        let all = || self.queue.iter().rev().map(|job| (job.waiting.job, job.partition)).collect();
        Course { left: self.pace.map(|_| all()), ..Course::default() }
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
        self.clock.at(resumed, Event::Resume);
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
