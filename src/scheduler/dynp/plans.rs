//! The plans of all policies, kept from round to round as far as they would be made the same again.
//!
//! By definition each round makes every plan anew. These observations save most of that and change nothing:
//! - Where nothing happened but what was expected, jobs would be placed where they are. A job that arrives changes
//!   nothing for those before it in an order; one that starts is taken into the plans of the other policies as it is
//!   where they would start it too, or where it fits beside what they have placed.
//! - Whether a plan is worse than another is often known before it is finished, for those who are left wait at least as
//!   long as jobs would that can be split at will.
//! - A plan is taken back to one of its marks, where its profile was copied, and made on from there.
//! - Once it is decided which plan is carried out, only who starts now is of interest.

use super::crowd::Crowd;
use super::plan::{Plan, Until};
use super::quality::{Held, Planned, Quality};
use super::steps::Steps;
use crate::model::{Reservation, View, Waiting};
use crate::scheduler::Order;
use crate::workload::{JobId, Seconds};

/// The plans of all policies, and what they are made of.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    quality: Quality,
    plans: Vec<Plan>,
    /// The soonest expected end first.
    running: Vec<Held>,
    /// The running jobs alone.
    base: Steps,
    base_stands: bool,
    now: f64,
    waiting: Crowd,
    /// Whether all times so far were whole seconds.
    is_whole: bool,
    /// Kept for its memory.
    started: Vec<Waiting>,
}

impl Plans {
    /// Nobody runs, nobody waits.
    pub(super) fn new(policies: &[Order], quality: Quality) -> Self {
        Plans {
            quality,
            plans: policies.iter().map(|&order| Plan::new(order)).collect(),
            running: Vec::new(),
            base: Steps::default(),
            base_stands: false,
            now: f64::NEG_INFINITY,
            waiting: Crowd::new(quality),
            is_whole: true,
            started: Vec::new(),
        }
    }

    /// How many jobs wait.
    pub(super) fn waiting(&self) -> usize {
        self.plans[0].queue.len()
    }

    /// The waiting jobs in the order of a policy.
    pub(super) fn queue(&self, policy: usize) -> impl Iterator<Item = Waiting> + '_ {
        self.plans[policy].queue.iter().map(|entry| entry.job)
    }

    /// Whether all times so far were whole seconds.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// A job enters the queue.
    pub(super) fn arrived(&mut self, job: Waiting, now: Seconds) {
        self.is_whole &= job.estimate.fract() == 0.0;
        self.waiting.insert(job, self.quality);
        for plan in &mut self.plans {
            plan.insert(job, now);
        }
    }

    /// A running job that was expected to end at `end` has ended.
    pub(super) fn completed(&mut self, job: JobId, end: f64, now: f64) {
        if let Some(place) = self.place_of(job, end) {
            self.running.remove(place);
        }
        if end != now {
            self.forget();
        }
    }

    /// A running job that was expected to end at `before` is now expected to at `after`.
    pub(super) fn expected(&mut self, job: JobId, before: f64, after: f64) {
        self.is_whole &= after.fract() == 0.0;
        if let Some(place) = self.place_of(job, before) {
            let held = self.running.remove(place);
            self.hold(Held { end: after, ..held });
        }
        self.forget();
    }

    fn place_of(&self, job: JobId, end: f64) -> Option<usize> {
        let first = self.running.partition_point(|held| held.end < end);
        self.running[first..].iter().position(|held| held.job == job).map(|place| first + place)
    }

    fn hold(&mut self, held: Held) {
        let place = self.running.partition_point(|other| other.end <= held.end);
        self.running.insert(place, held);
    }

    /// What is planned does not hold any more.
    fn forget(&mut self) {
        self.base_stands = false;
        self.plans.iter_mut().for_each(Plan::give_up);
    }

    /// Waiting jobs were estimated anew, in log order.
    pub(super) fn reestimated(&mut self, estimates: &[f64], now: Seconds) {
        self.waiting.reestimated(estimates);
        for plan in &mut self.plans {
            let mut changed = false;
            for entry in &mut plan.queue {
                let estimate = estimates[entry.job.job.index()];
                changed |= estimate != entry.job.estimate;
                self.is_whole &= estimate.fract() == 0.0;
                entry.job.estimate = estimate;
            }
            if changed {
                plan.give_up();
                plan.sort(now);
            }
        }
    }

    /// A round begins, with so many processors free.
    pub(super) fn open(&mut self, now: Seconds, free: u32) {
        self.now = now as f64;
        if self.base_stands {
            self.base.advance(self.now);
        } else {
            let releases = self.running.iter().map(|held| (held.end, held.processors));
            self.base.rebuild(self.now, free, releases);
            self.base_stands = true;
        }
        debug_assert_eq!(self.base.free_now(), free);
        self.waiting.narrowest = self.queue(0).map(|job| job.processors).min().unwrap_or(u32::MAX);
        for plan in self.plans.iter_mut().filter(|plan| plan.order.depends_on_now()) {
            plan.give_up();
            plan.sort(now);
        }
    }

    /// What the plan of a policy amounts to: the sum of weighted starts, or the makespan, as integers. None where it
    /// is worse than `best`. Only where all times are whole seconds.
    pub(super) fn amount(&mut self, policy: usize, best: Option<i128>) -> Option<i128> {
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, self.now);
        let until = best.map_or(Until::End, Until::Worse);
        if !plan.extend(self.quality, until, &self.waiting) {
            return None;
        }
        Some(match self.quality {
            Quality::Makespan => plan.tally.amount.max(self.base.end() as i128),
            _ => plan.tally.amount,
        })
    }

    /// The running jobs and the whole plan of a policy, each in log order.
    pub(super) fn plan(&mut self, policy: usize) -> (Vec<Held>, Vec<Planned>) {
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, self.now);
        plan.extend(self.quality, Until::End, &self.waiting);
        let mut planned: Vec<Planned> =
            plan.queue.iter().map(|entry| Planned { job: entry.job, start: entry.begin }).collect();
        planned.sort_unstable_by_key(|planned| planned.job.job);
        let mut running = self.running.clone();
        running.sort_unstable_by_key(|held| held.job);
        (running, planned)
    }

    /// Carries out the plan of a policy: gives the jobs that start now to `start`. How many they are.
    pub(super) fn carry_out(&mut self, policy: usize, mut start: impl FnMut(Waiting)) -> usize {
        if self.waiting.narrowest > self.base.free_now() {
            return 0;
        }
        let (quality, now) = (self.quality, self.now);
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, now);
        plan.extend(quality, Until::NobodyStarts, &self.waiting);
        let mut started = std::mem::take(&mut self.started);
        started.clear();
        started.extend(plan.queue[..plan.placed].iter().filter(|entry| entry.begin == now).map(|entry| entry.job));
        for &job in &started {
            start(job);
            self.waiting.remove(&job, quality);
            let Waiting { job, submit, processors, estimate, .. } = job;
            self.hold(Held { job, submit: submit as f64, end: now + estimate, processors });
            self.base_stands &= self.base.take_now(now + estimate, processors);
        }
        if !started.is_empty() {
            for plan in &mut self.plans {
                plan.catch_up(now);
                plan.remove(&started, quality, now);
            }
        }
        self.started = started;
        self.started.len()
    }

    /// The plan of a policy, in its order, for a person to look at: of the jobs that wait after a round.
    pub(super) fn reservations(&self, policy: usize, view: &View) -> Vec<Reservation> {
        let mut queue: Vec<Waiting> = self.queue(policy).collect();
        let order = self.plans[policy].order;
        if order.depends_on_now() {
            queue.sort_by(|a, b| {
                let key = |job: &Waiting| (order.key(job, view.now()), job.job);
                key(a).partial_cmp(&key(b)).unwrap() // keys are never NaN, for estimates are above 0
            });
        }
        let mut steps = Steps::default();
        let releases = view.releases().into_iter().map(|release| (release.at, release.processors));
        steps.rebuild(view.now() as f64, view.free(), releases);
        let mut reserve = |job: Waiting| Reservation { job, start: steps.place(0, job.processors, job.estimate).begin };
        queue.into_iter().map(&mut reserve).collect()
    }
}
