//! The plans of all policies. From round to round they keep the starts that would be planned in the same way again.
//!
//! By definition each round makes every plan anew. Four observations save most of that work and change no outcome:
//! - Neighbours in a queue that have the same width and estimate (a batch, [`super::queue`]) are interchangeable. Those
//!   that begin together are placed together. Where requests are few round numbers, a queue of thousands of jobs has
//!   some dozens of batches in an order by estimate.
//! - If jobs end as expected, what is planned still holds. A job that arrives changes nothing for the jobs before it in
//!   an order. A job that starts changes no plan that also starts it now, or that has room for it beside the placed
//!   jobs.
//! - A plan that changes is cut back to a mark, a copy with fewer jobs placed, and made anew from there.
//! - A plan is made only as far as it matters: until it is known to be worse than another, or, once it is chosen, until
//!   no other job can start now.

use super::plan::{Backlog, Plan, Until};
use super::quality::{Planned, Quality};
use super::queue::{PolicyQueue, rank_of};
use super::rules::FcfsOrder;
use super::steps::FreeSteps;
use crate::model::{Release, Reservation, Token, View, Waiting};
use crate::scheduler::timetable::{Completion, Timetable};
use crate::scheduler::{Order, Profile};

/// From how many jobs on a queue is treated as long.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongFrom {
    pub(super) effort: usize,
    /// For what is remembered of jobs that were placed ([`super::lower_bounds`]).
    pub(super) bounds: usize,
}

impl LongFrom {
    /// What was measured to be fast.
    pub(super) const USUAL: LongFrom = LongFrom { effort: 64, bounds: 256 };
}

/// The plans of all policies, with the waiting jobs.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    quality: Quality,
    plans: Vec<Plan>,
    timetable: Timetable,
    /// What the running jobs leave.
    base: FreeSteps,
    base_is_current: bool,
    now: f64,
    backlog: Backlog,
    /// Whether all times so far were whole seconds.
    is_whole: bool,
    started: Vec<Waiting>,
    long: LongFrom,
}

impl Plans {
    /// Plans without running or waiting jobs.
    pub(super) fn new(policies: &[Order], quality: Quality, fcfs: FcfsOrder, long: LongFrom) -> Self {
        let plan = |&order: &Order| {
            let queue = PolicyQueue::new(order);
            let keeps_left = fcfs != FcfsOrder::Submission && order == Order::Fcfs;
            Plan::new(if keeps_left { queue.in_left_order() } else { queue }, long.bounds)
        };
        Plans {
            quality,
            plans: policies.iter().map(plan).collect(),
            timetable: Timetable::default(),
            base: FreeSteps::default(),
            base_is_current: false,
            now: f64::NEG_INFINITY,
            backlog: Backlog { weight: 0, narrowest: u32::MAX },
            is_whole: true,
            started: Vec::new(),
            long,
        }
    }

    /// How many jobs wait.
    pub(super) fn waiting(&self) -> usize {
        self.plans[0].queue.len()
    }

    pub(super) fn queue(&self, policy: usize) -> impl Iterator<Item = Waiting> + '_ {
        self.plans[policy].queue.from(0)
    }

    /// Whether all times so far were whole seconds.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Adds a job that has arrived to the queues.
    pub(super) fn arrived(&mut self, job: Waiting, view: &View) {
        self.is_whole &= job.estimate.fract() == 0.0;
        self.backlog.weight += u64::from(self.quality.weight(job.processors));
        for plan in &mut self.plans {
            plan.insert(job, view);
        }
    }

    /// Takes up that a running job has ended.
    pub(super) fn completed(&mut self, release: &Release, now: f64) {
        if self.timetable.completed(release, now) == Completion::Unexpected {
            self.timetable.give_back(release.at, release.processors);
        }
        if release.at != now {
            self.forget();
        }
    }

    /// Notes that a running job is now expected to end at `end`.
    pub(super) fn expected(&mut self, release: &Release, end: f64) {
        self.is_whole &= end.fract() == 0.0;
        self.timetable.expected(release, end);
        self.forget();
    }

    fn forget(&mut self) {
        self.base_is_current = false;
        self.plans.iter_mut().for_each(Plan::drop_all);
    }

    /// Takes over new estimates of waiting jobs, indexed by log order.
    pub(super) fn reestimated(&mut self, estimates: &[f64], view: &View) {
        for plan in &mut self.plans {
            plan.reestimated(estimates, view);
        }
        let queue = &self.plans[0].queue;
        self.is_whole &= queue.from(0).all(|job| job.estimate.fract() == 0.0);
    }

    /// Begins a round.
    pub(super) fn open(&mut self, view: &View) {
        self.now = view.now() as f64;
        if self.base_is_current {
            self.base.advance(self.now);
        } else {
            self.base.read(self.timetable.open(view));
            self.base_is_current = true;
        }
        debug_assert_eq!(self.base.free_now(), view.free());
        for plan in self.plans.iter_mut().filter(|plan| plan.queue.order().depends_on_now()) {
            plan.sort(view);
        }
        let batches = self.plans.iter().map(|plan| plan.queue.batches()).min_by_key(|batches| batches.len());
        let widths = batches.into_iter().flatten().map(|batch| batch.processors);
        self.backlog.narrowest = widths.min().unwrap_or(u32::MAX);
    }

    /// Sorts policies into the order in which their plans are best made. The current policy comes first, because its
    /// plan is most likely the best. In a long queue policies with the fewest batches come first, because the plans of
    /// the others may then be cut short.
    pub(super) fn sort_by_effort(&self, policies: &mut [usize], current: usize) {
        let is_long = self.waiting() >= self.long.effort;
        policies.sort_unstable_by_key(|&policy| {
            let batches = if is_long { self.plans[policy].queue.batches().len() } else { 0 };
            (batches, policy != current, policy)
        });
    }

    /// The part of a quality that differs between plans, for a policy's plan: the sum of weighted starts, or the
    /// makespan, in whole seconds. None where it is worse than `best`. Only valid where all times are whole seconds.
    pub(super) fn amount(&mut self, policy: usize, best: Option<i128>) -> Option<i128> {
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, self.now);
        let until = best.map_or(Until::End, Until::Worse);
        if !plan.extend(self.quality, until, self.backlog) {
            return None;
        }
        Some(match self.quality {
            Quality::Makespan => plan.tally.amount.max(self.base.end() as i128),
            _ => plan.tally.amount,
        })
    }

    pub(super) fn plan(&mut self, policy: usize) -> Vec<Planned> {
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, self.now);
        plan.extend(self.quality, Until::End, self.backlog);
        let begins = plan.planned().flat_map(|(_, start)| std::iter::repeat_n(start.begin, start.jobs as usize));
        let mut planned: Vec<Planned> =
            plan.queue.from(0).zip(begins).map(|(job, start)| Planned { job, start }).collect();
        planned.sort_unstable_by_key(|planned| planned.job.job);
        planned
    }

    /// Carries out the plan of a policy: gives the jobs that start now to `start`. Returns how many these are.
    pub(super) fn carry_out(&mut self, policy: usize, view: &View, mut start: impl FnMut(Waiting, Token)) -> usize {
        if self.backlog.narrowest > self.base.free_now() {
            return 0;
        }
        let (quality, now) = (self.quality, self.now);
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, now);
        plan.extend(quality, Until::AllStarted, self.backlog);
        let mut started = std::mem::take(&mut self.started);
        started.clear();
        for (place, start) in plan.planned().filter(|(_, start)| start.begin == now) {
            started.extend(plan.queue.from(place).take(start.jobs as usize));
        }
        for &job in &started {
            self.backlog.weight -= u64::from(quality.weight(job.processors));
            start(job, self.timetable.start(now + job.estimate, job.processors, view));
            self.base_is_current &= self.base.take_now(now + job.estimate, job.processors);
        }
        if !started.is_empty() {
            for plan in &mut self.plans {
                plan.catch_up(now);
                started.iter().for_each(|job| plan.remove(job, quality, view));
            }
        }
        self.started = started;
        self.started.len()
    }

    /// Ends a try, after the jobs that start have left the queues.
    pub(super) fn leave_sorted(&mut self, by_submission: bool, view: &View) {
        self.plans.iter_mut().for_each(|plan| plan.leave_sorted(by_submission, view));
    }

    /// The planned starts of the jobs that wait after a round, in the order of a policy, for a person to look at.
    pub(super) fn reservations(&self, policy: usize, view: &View) -> Vec<Reservation> {
        let mut queue: Vec<Waiting> = self.queue(policy).collect();
        let order = self.plans[policy].queue.order();
        if order.depends_on_now() {
            queue.sort_by_cached_key(|job| rank_of(order, job, view));
        }
        let mut profile = Profile::of(view);
        let mut reserve = |job: Waiting| Reservation { job, start: profile.place(job.processors, job.estimate).0 };
        queue.into_iter().map(&mut reserve).collect()
    }
}
