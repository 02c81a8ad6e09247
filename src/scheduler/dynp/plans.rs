//! The plans of all policies, kept from round to round as far as they would be made the same again.
//!
//! By definition each round makes every plan anew. These observations save most of that and change nothing:
//! - Where nothing happened but what was expected, jobs would be placed where they are. A job that arrives changes
//!   nothing for those before it in an order; one that starts is taken into the plans of the other policies as it is
//!   where they would start it too, or where it fits beside what they have placed.
//! - Whether a plan is worse than another is often known before it is finished: those who are left start when there
//!   is room for the narrowest of them, or later.
//! - Once it is decided which plan is carried out, only who starts now is of interest.

use super::quality::{Held, Planned, Quality};
use super::steps::Steps;
use crate::scheduler::order::Key;
use crate::scheduler::Order;
use crate::model::{Reservation, View, Waiting};
use crate::workload::{JobId, Seconds};

/// A waiting job in the order of a policy.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    job: Waiting,
    /// Its planned start, where it is placed.
    begin: f64,
    /// What the jobs before it amount to, where it is placed.
    before: Tally,
}

/// What jobs that are placed amount to: the part of a quality that differs between plans.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Weighted starts summed up, or the latest end; meaningless where times are fractions of seconds.
    amount: i128,
    /// Weights summed up.
    weight: u64,
}

impl Tally {
    #[inline]
    fn with(self, quality: Quality, job: &Waiting, begin: f64) -> Tally {
        if quality == Quality::Makespan {
            return Tally { amount: self.amount.max((begin + job.estimate) as i128), ..self };
        }
        let weight = quality.weight(job.processors);
        let amount = self.amount + i128::from(i64::from(weight) * begin as i64);
        Tally { amount, weight: self.weight + u64::from(weight) }
    }
}

/// The plan of one policy.
#[derive(Clone, Debug)]
struct Plan {
    order: Order,
    /// The waiting jobs in its order. The first `placed` of them have their starts.
    queue: Vec<Entry>,
    placed: usize,
    /// What those amount to.
    tally: Tally,
    /// The running jobs, and those that are placed.
    steps: Steps,
    /// Whether the steps are those of the running jobs as they are.
    stands: bool,
    /// None of those that are placed begins before.
    earliest: f64,
}

/// How far a plan is to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Until {
    /// To its end.
    End,
    /// Until it is known to be worse than a plan that amounts to so much.
    Worse(i128),
    /// Until nobody else can start now.
    NobodyStarts,
}

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
    /// Weights of all waiting jobs summed up.
    weight: u64,
    /// Width of the narrowest waiting job, at the present round.
    narrowest: u32,
    /// Whether all times so far were whole seconds.
    is_whole: bool,
    /// Kept for its memory.
    started: Vec<Waiting>,
}

impl Plan {
    fn new(order: Order) -> Self {
        Plan {
            order,
            queue: Vec::new(),
            placed: 0,
            tally: Tally::default(),
            steps: Steps::default(),
            stands: false,
            earliest: f64::INFINITY,
        }
    }

    fn insert(&mut self, job: Waiting, now: Seconds) {
        let key = self.order.key(&job, now);
        let place = self.queue.partition_point(|entry| (entry.key, entry.job.job) < (key, job.job));
        self.keep(place);
        self.queue.insert(place, Entry { key, job, begin: f64::INFINITY, before: Tally::default() });
    }

    /// Of the jobs that are placed, only the first `count` stay so.
    fn keep(&mut self, count: usize) {
        if count >= self.placed {
            return;
        }
        if self.stands {
            for entry in self.queue[count..self.placed].iter().rev() {
                self.steps.give_back(entry.begin, entry.begin + entry.job.estimate, entry.job.processors);
            }
        }
        self.tally = self.queue[count].before;
        self.placed = count;
    }

    /// Brings it up to the present: what was placed stays so, as long as it would be placed the same.
    fn prepare(&mut self, base: &Steps, now: f64) {
        if !self.stands {
            self.steps.copy_from(base);
            (self.placed, self.tally, self.stands, self.earliest) = (0, Tally::default(), true, f64::INFINITY);
        } else {
            self.catch_up(now);
        }
    }

    /// The same, for one that stands.
    fn catch_up(&mut self, now: f64) {
        self.steps.advance(now);
        if self.earliest < now {
            // who was to start then, and did not, for another policy ruled, may start now
            if let Some(missed) = self.queue[..self.placed].iter().position(|entry| entry.begin < now) {
                self.keep(missed);
            }
            self.earliest = now;
        }
    }

    /// Places jobs until the end, or as `until` says. Whether nothing is left that could matter.
    fn extend(&mut self, quality: Quality, until: Until, weight: u64, narrowest: u32) -> bool {
        let mut frontier = self.steps.first_with(0, narrowest);
        // the last one, and where it begins
        let mut last: Option<(Waiting, usize)> = None;
        while let Some(entry) = self.queue.get_mut(self.placed) {
            let room = self.steps.time(frontier);
            match until {
                Until::End => {}
                Until::NobodyStarts if frontier > 0 => return true,
                Until::NobodyStarts => {}
                Until::Worse(than) if quality == Quality::Makespan => {
                    if self.tally.amount > than {
                        return false;
                    }
                }
                Until::Worse(than) => {
                    let rest = (weight - self.tally.weight) as i64;
                    if self.tally.amount + i128::from(rest * room as i64) > than {
                        return false;
                    }
                }
            }
            let job = entry.job;
            let from = match last {
                Some((last, place)) if job.processors >= last.processors && job.estimate >= last.estimate => place,
                _ => frontier,
            };
            let first = self.steps.place(from.max(frontier), job.processors, job.estimate);
            let begin = self.steps.time(first);
            (entry.begin, entry.before) = (begin, self.tally);
            self.tally = self.tally.with(quality, &job, begin);
            self.earliest = self.earliest.min(begin);
            self.placed += 1;
            frontier = self.steps.first_with(frontier, narrowest);
            last = Some((job, first));
        }
        true
    }

    /// Jobs have started at `now`, all of which fit beside the running jobs.
    fn remove(&mut self, started: &[Waiting], quality: Quality, now: f64) {
        let has_started = |entry: &Entry| started.iter().any(|job| job.job == entry.job.job);
        if self.stands {
            let is_elsewhere = |entry: &Entry| entry.begin != now && has_started(entry);
            if let Some(first) = self.queue[..self.placed].iter().position(is_elsewhere) {
                self.keep(first);
            }
            let planned = &self.queue[..self.placed];
            let others = started.iter().filter(|job| planned.iter().all(|entry| entry.job.job != job.job));
            for job in others {
                self.stands = self.stands && self.steps.take_now(now + job.estimate, job.processors);
            }
        }
        let (mut place, placed) = (0, self.placed);
        let (mut tally, mut gone) = (Tally::default(), 0);
        self.queue.retain_mut(|entry| {
            let stays = !has_started(entry);
            if place < placed {
                if stays {
                    entry.before = tally;
                    tally = tally.with(quality, &entry.job, entry.begin);
                } else {
                    gone += 1;
                }
            }
            place += 1;
            stays
        });
        self.placed -= gone;
        self.tally = tally;
    }

    /// Brings keys and order up to date.
    fn sort(&mut self, now: Seconds) {
        for entry in &mut self.queue {
            entry.key = self.order.key(&entry.job, now);
        }
        // keys are never NaN, for estimates are above 0
        self.queue.sort_unstable_by(|a, b| (a.key, a.job.job).partial_cmp(&(b.key, b.job.job)).unwrap());
    }
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
            weight: 0,
            narrowest: u32::MAX,
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
        self.weight += u64::from(self.quality.weight(job.processors));
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
        for plan in &mut self.plans {
            plan.stands = false;
        }
    }

    /// Waiting jobs were estimated anew, in log order.
    pub(super) fn reestimated(&mut self, estimates: &[f64], now: Seconds) {
        for plan in &mut self.plans {
            let mut changed = false;
            for entry in &mut plan.queue {
                let estimate = estimates[entry.job.job.index()];
                changed |= estimate != entry.job.estimate;
                self.is_whole &= estimate.fract() == 0.0;
                entry.job.estimate = estimate;
            }
            if changed {
                plan.stands = false;
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
        self.narrowest = self.queue(0).map(|job| job.processors).min().unwrap_or(u32::MAX);
        for plan in self.plans.iter_mut().filter(|plan| plan.order.depends_on_now()) {
            plan.sort(now);
            plan.stands = false;
        }
    }

    /// What the plan of a policy amounts to: the sum of weighted starts, or the makespan, as integers. None where it
    /// is worse than `best`. Only where all times are whole seconds.
    pub(super) fn amount(&mut self, policy: usize, best: Option<i128>) -> Option<i128> {
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, self.now);
        let until = best.map_or(Until::End, Until::Worse);
        if !plan.extend(self.quality, until, self.weight, self.narrowest) {
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
        plan.extend(self.quality, Until::End, self.weight, self.narrowest);
        let mut planned: Vec<Planned> =
            plan.queue.iter().map(|entry| Planned { job: entry.job, start: entry.begin }).collect();
        planned.sort_unstable_by_key(|planned| planned.job.job);
        let mut running = self.running.clone();
        running.sort_unstable_by_key(|held| held.job);
        (running, planned)
    }

    /// Carries out the plan of a policy: gives the jobs that start now to `start`. How many they are.
    pub(super) fn carry_out(&mut self, policy: usize, mut start: impl FnMut(Waiting)) -> usize {
        if self.narrowest > self.base.free_now() {
            return 0;
        }
        let (quality, now) = (self.quality, self.now);
        let plan = &mut self.plans[policy];
        plan.prepare(&self.base, now);
        plan.extend(quality, Until::NobodyStarts, self.weight, self.narrowest);
        let mut started = std::mem::take(&mut self.started);
        started.clear();
        started.extend(plan.queue[..plan.placed].iter().filter(|entry| entry.begin == now).map(|entry| entry.job));
        for &job in &started {
            start(job);
            let Waiting { job, submit, processors, estimate, .. } = job;
            self.hold(Held { job, submit: submit as f64, end: now + estimate, processors });
            self.base_stands &= self.base.take_now(now + estimate, processors);
            self.weight -= u64::from(quality.weight(processors));
        }
        if !started.is_empty() {
            for plan in &mut self.plans {
                if plan.stands {
                    plan.catch_up(now);
                }
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
        let mut reserve = |job: Waiting| {
            let place = steps.place(0, job.processors, job.estimate);
            Reservation { job, start: steps.time(place) }
        };
        queue.into_iter().map(&mut reserve).collect()
    }
}
