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
use crate::timetable::{Completion, Timetable};
use crate::{Order, Profile};
use packfair_engine::model::{Release, Reservation, Token, View, Waiting};

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

// The profile of a plan: the free processors from now on, as two columns of steps.
//
// Plans are made anew all the time and searched from their beginning. Their profiles are too short for an index to
// pay.

/// Where equal jobs were placed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedJobs {
    /// When they begin, seconds.
    pub(super) begin: f64,
    /// How many jobs were placed.
    pub(super) jobs: u32,
    pub(super) first: usize,
}

/// A step function of free processors over [now, infinity). Times strictly increase, the first is now; in the last
/// step all processors are free.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSteps {
    times: Vec<f64>,
    /// How many processors are free in each step.
    free: Vec<u32>,
}

impl FreeSteps {
    /// Copies the profile of the running jobs, whose levels are not below 0.
    pub(super) fn read(&mut self, profile: &Profile) {
        self.times.clear();
        self.free.clear();
        for (time, free) in profile.steps() {
            self.times.push(time);
            self.free.push(free);
        }
    }

    /// Copies another profile.
    pub(super) fn copy_from(&mut self, other: &FreeSteps) {
        self.times.clone_from(&other.times);
        self.free.clone_from(&other.free);
    }

    /// Drops the steps before `now`.
    pub(super) fn advance(&mut self, now: f64) {
        let past = self.times.iter().take_while(|time| **time <= now).count();
        if past > 1 {
            self.times.drain(..past - 1);
            self.free.drain(..past - 1);
        }
        if let Some(first) = self.times.first_mut() {
            *first = now;
        }
    }

    #[inline]
    pub(super) fn time(&self, place: usize) -> f64 {
        self.times[place]
    }

    /// The processors that are free now.
    #[inline]
    pub(super) fn free_now(&self) -> u32 {
        self.free[0]
    }

    /// When the last step begins: from then on all processors are free.
    pub(super) fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The place of the first step at `from` or later with at least `processors` free.
    #[inline]
    pub(super) fn first_with(&self, from: usize, processors: u32) -> usize {
        // nearly always this is one of the first steps
        if self.free[from] >= processors {
            from
        } else {
            from + 1 + first(&self.free[from + 1..], |free| free >= processors)
        }
    }

    #[inline]
    pub(super) fn place_at(&self, from: usize, time: f64) -> usize {
        from + first(&self.times[from..], |begin| begin >= time)
    }

    /// Places the first of `most` equal jobs, and the others that can begin together with it. Each takes `processors`
    /// for `duration` seconds, from the first time at which they are free for so long. The caller knows that this time
    /// is not before the step at the place `from`.
    #[inline]
    pub(super) fn place(&mut self, from: usize, processors: u32, duration: f64, most: u32) -> PlacedJobs {
        let mut begin = self.first_with(from, processors);
        let mut after = begin + 1;
        loop {
            after = self.place_at(after, self.times[begin] + duration);
            let narrow = begin + 1 + first(&self.free[begin + 1..after], |free| free < processors);
            if narrow == after {
                break;
            }
            begin = self.first_with(narrow + 1, processors);
            after = after.max(begin + 1);
        }
        let jobs = match most {
            1 => 1,
            _ => most.min(self.free[begin..after].iter().fold(u32::MAX, |least, &free| least.min(free)) / processors),
        };
        let first = begin;
        let begin = self.times[first];
        self.take(first, after, begin + duration, processors * jobs);
        PlacedJobs { begin, jobs, first }
    }

    /// Takes `processors` from the step at the place `first` up to the time `end`. The step at the place `after` begins
    /// at `end`, or is inserted there.
    #[inline]
    fn take(&mut self, first: usize, after: usize, end: f64, processors: u32) {
        if self.times.get(after).is_none_or(|time| *time != end) {
            self.times.insert(after, end);
            self.free.insert(after, self.free[after - 1]);
        }
        for free in &mut self.free[first..after] {
            *free -= processors;
        }
    }

    /// Takes `processors` from now until `end` if they are free throughout. Returns whether they are.
    pub(super) fn take_now(&mut self, end: f64, processors: u32) -> bool {
        let until = self.times.iter().position(|time| *time >= end).unwrap_or(self.times.len());
        let fits = self.free[..until].iter().all(|free| *free >= processors);
        if fits && until > 0 {
            self.take(0, until, end, processors);
        }
        fits
    }
}

/// The place of the first value for which `holds` is true; the number of values if there is none.
#[inline]
fn first<T: Copy>(values: &[T], holds: impl Fn(T) -> bool) -> usize {
    values.iter().position(|&value| holds(value)).unwrap_or(values.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &FreeSteps) -> Vec<(f64, u32)> {
        of.times.iter().copied().zip(of.free.iter().copied()).collect()
    }

    fn running() -> FreeSteps {
        let mut steps = FreeSteps::default();
        let mut profile = Profile::idle(8.0, 8);
        profile.reserve_until(30.0, 4);
        profile.reserve_until(32.0, 3);
        steps.read(&profile);
        steps
    }

    #[test]
    fn jobs_take_the_first_time_at_which_they_fit() {
        let mut profile = running();
        assert_eq!(steps(&profile), [(8.0, 1), (30.0, 5), (32.0, 8)]);
        let mut begin = |processors, duration| profile.place(0, processors, duration, 1).begin;
        assert_eq!([begin(3, 30.0), begin(3, 40.0), begin(6, 20.0), begin(1, 22.0)], [30.0, 32.0, 72.0, 8.0]);
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 2), (32.0, 2), (60.0, 5), (72.0, 2), (92.0, 8)]);
    }

    #[test]
    fn equal_jobs_are_placed_together() {
        let mut profile = running();
        let placed = profile.place(0, 2, 30.0, 4);
        assert_eq!((placed.begin, placed.jobs), (30.0, 2), "5 processors are free");
        let placed = profile.place(placed.first, 2, 30.0, 2);
        assert_eq!((placed.begin, placed.jobs), (32.0, 2));
        assert_eq!(steps(&profile), [(8.0, 1), (30.0, 1), (32.0, 0), (60.0, 4), (62.0, 8)]);
    }

    #[test]
    fn a_job_starts_now_only_where_it_fits() {
        let mut profile = running();
        profile.place(0, 3, 30.0, 1);
        let before = steps(&profile);
        assert!(!profile.take_now(40.0, 2));
        assert_eq!(steps(&profile), before);
        assert!(profile.take_now(40.0, 1));
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 1), (32.0, 4), (40.0, 5), (60.0, 8)]);
    }

    #[test]
    fn past_steps_are_dropped() {
        let mut profile = running();
        profile.advance(30.0);
        assert_eq!(steps(&profile), [(30.0, 5), (32.0, 8)]);
        profile.advance(31.0);
        assert_eq!((profile.free_now(), profile.end(), profile.first_with(0, 6)), (5, 32.0, 1));
    }
}
