//! The plan of one policy.

use super::crowd::Crowd;
use super::floors::Floors;
use super::quality::Quality;
use super::steps::Steps;
use crate::model::Waiting;
use crate::scheduler::Order;
use crate::scheduler::order::Key;
use crate::workload::Seconds;

/// A waiting job in the order of a policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: Key,
    pub(super) job: Waiting,
    /// Its planned start, where it is placed.
    pub(super) begin: f64,
    /// What the jobs before it amount to, where it is placed.
    before: Tally,
}

/// What jobs that are placed amount to: the part of a quality that differs between plans.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Weighted starts summed up, or the latest end; meaningless where times are fractions of seconds.
    pub(super) amount: i128,
    /// Weights summed up.
    pub(super) weight: u64,
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
pub(super) struct Plan {
    pub(super) order: Order,
    /// The waiting jobs in its order. The first `placed` of them have their starts.
    pub(super) queue: Vec<Entry>,
    pub(super) placed: usize,
    /// What those amount to.
    pub(super) tally: Tally,
    /// The running jobs, and those that are placed.
    steps: Steps,
    /// What the steps were when fewer jobs were placed, the fewest first; none where none were.
    marks: Vec<Mark>,
    /// Marks that were given up; kept for their memory.
    spare: Vec<Steps>,
    /// Whether the steps, and those of the marks, are those of the running jobs as they are.
    pub(super) stands: bool,
    /// None of those that are placed begins before.
    earliest: f64,
}

/// What the profile of a plan was when fewer jobs were placed.
#[derive(Clone, Debug)]
struct Mark {
    placed: usize,
    steps: Steps,
}

/// So many jobs at least are placed between two marks.
const MARK_EVERY: usize = 4;

/// So many times as far apart as they are from each other marks may be from the beginning: where a plan is taken back,
/// that part of it is placed anew in vain.
const MARKS: usize = 8;

/// What is left of a plan is bounded by jobs that can be split only where so many wait: a bound takes a while, too.
const WORTH_BOUNDING: usize = 64;

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

impl Plan {
    pub(super) fn new(order: Order) -> Self {
        Plan {
            order,
            queue: Vec::new(),
            placed: 0,
            tally: Tally::default(),
            steps: Steps::default(),
            marks: Vec::new(),
            spare: Vec::new(),
            stands: false,
            earliest: f64::INFINITY,
        }
    }

    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) {
        let key = self.order.key(&job, now);
        let place = self.queue.partition_point(|entry| (entry.key, entry.job.job) < (key, job.job));
        self.keep(place);
        self.queue.insert(place, Entry { key, job, begin: f64::INFINITY, before: Tally::default() });
    }

    /// Of the jobs that are placed, at most the first `count` stay so.
    fn keep(&mut self, count: usize) {
        if count >= self.placed {
            return;
        }
        while let Some(mark) = self.marks.pop_if(|mark| mark.placed > count) {
            self.spare.push(mark.steps);
        }
        match self.marks.last() {
            Some(mark) => {
                self.steps.copy_from(&mark.steps);
                self.placed = mark.placed;
                self.tally = self.queue[mark.placed].before;
            }
            None => self.give_up(),
        }
    }

    /// Nothing stands that was placed.
    pub(super) fn give_up(&mut self) {
        self.spare.extend(self.marks.drain(..).map(|mark| mark.steps));
        (self.placed, self.tally, self.stands, self.earliest) = (0, Tally::default(), false, f64::INFINITY);
    }

    /// Keeps what the steps are now, if the last mark is some way off.
    fn mark(&mut self) {
        let last = self.marks.last().map_or(0, |mark| mark.placed);
        if self.placed >= last + MARK_EVERY.max(last / MARKS) {
            let mut steps = self.spare.pop().unwrap_or_default();
            steps.copy_from(&self.steps);
            self.marks.push(Mark { placed: self.placed, steps });
        }
    }

    /// Brings it up to the present: what was placed stays so, as long as it would be placed the same.
    pub(super) fn prepare(&mut self, base: &Steps, now: f64) {
        self.catch_up(now);
        if !self.stands {
            self.steps.copy_from(base);
            self.stands = true;
        }
    }

    /// The same, unless nothing stands that was placed.
    pub(super) fn catch_up(&mut self, now: f64) {
        if self.stands && self.earliest < now {
            // who was to start then, and did not, for another policy ruled, may start now
            if let Some(missed) = self.queue[..self.placed].iter().position(|entry| entry.begin < now) {
                self.keep(missed);
            }
            self.earliest = now;
        }
        self.steps.advance(now);
    }

    /// Places jobs until the end, or as `until` says. Whether nothing is left that could matter.
    pub(super) fn extend(&mut self, quality: Quality, until: Until, waiting: &Crowd) -> bool {
        let mut frontier = self.steps.first_with(0, waiting.narrowest);
        let mut floors = Floors::new(self.order, self.queue.len() - self.placed);
        let mut bounded = if self.queue.len() < WORTH_BOUNDING { usize::MAX } else { self.queue.len() / 8 };
        while let Some(entry) = self.queue.get(self.placed) {
            let job = entry.job;
            match until {
                Until::End => {}
                Until::NobodyStarts if frontier > 0 => return true,
                Until::NobodyStarts => {}
                Until::Worse(than) => {
                    if self.is_worse(quality, than, self.steps.time(frontier), waiting) {
                        return false;
                    }
                    if self.placed >= bounded {
                        if self.must_become_worse(than, waiting) {
                            return false;
                        }
                        let next = bounded.max(self.placed) * 4;
                        bounded = if next < self.queue.len() { next } else { usize::MAX };
                    }
                }
            }
            self.mark();
            let from = floors.below(&job).max(frontier);
            let placed = self.steps.place(from, job.processors, job.estimate);
            floors.placed(&job, placed);
            let entry = &mut self.queue[self.placed];
            (entry.begin, entry.before) = (placed.begin, self.tally);
            self.tally = self.tally.with(quality, &job, placed.begin);
            self.earliest = self.earliest.min(placed.begin);
            self.placed += 1;
            frontier = self.steps.first_with(frontier, waiting.narrowest);
        }
        true
    }

    /// Whether the plan is worse than one that amounts to `than`, as whoever is left starts at `room` or later.
    #[inline]
    fn is_worse(&self, quality: Quality, than: i128, room: f64, waiting: &Crowd) -> bool {
        let rest = match quality {
            Quality::Makespan => 0,
            _ => i128::from(waiting.weight - self.tally.weight) * i128::from(room as i64),
        };
        self.tally.amount + rest > than
    }

    /// Whether the plan must become worse than one that amounts to `than`: weighted by width, whoever is left waits at
    /// least as long as jobs that can be split at will.
    fn must_become_worse(&self, than: i128, waiting: &Crowd) -> bool {
        let Some(next) = self.queue.get(self.placed).filter(|_| waiting.weighs_by_width) else { return false };
        let (order, now) = (self.order, self.steps.time(0));
        let is_left = |job: &&Waiting| (order.key(job, now as Seconds), job.job) >= (next.key, next.job.job);
        let left = waiting.by_estimate.iter().filter(is_left).map(|job| (job.estimate, job.processors));
        // far more than what is rounded
        let waits = self.steps.least_waits(left) * (1.0 - 1e-9) - 1.0;
        let rest = i128::from(waiting.weight - self.tally.weight) * i128::from(now as i64);
        self.tally.amount + rest + waits as i128 > than
    }

    /// Jobs have started at `now`, all of which fit beside the running jobs.
    pub(super) fn remove(&mut self, started: &[Waiting], quality: Quality, now: f64) {
        let has_started = |entry: &Entry| started.iter().any(|job| job.job == entry.job.job);
        if self.stands {
            let is_elsewhere = |entry: &Entry| entry.begin != now && has_started(entry);
            if let Some(first) = self.queue[..self.placed].iter().position(is_elsewhere) {
                self.keep(first);
                self.steps.advance(now);
            }
        }
        if self.stands {
            for job in started {
                let place = self.queue[..self.placed].iter().position(|entry| entry.job.job == job.job);
                let end = now + job.estimate;
                let beyond = self.marks.partition_point(|mark| mark.placed <= place.unwrap_or(usize::MAX));
                // before it is placed, it must fit beside those that are
                let fits = self.marks[..beyond].iter_mut().all(|mark| {
                    mark.steps.advance(now);
                    mark.steps.take_now(end, job.processors)
                });
                self.stands &= fits && (place.is_some() || self.steps.take_now(end, job.processors));
            }
        }
        if !self.stands {
            self.give_up();
        }
        let mut places = self.queue[..self.placed].iter().zip(0..).filter(|(entry, _)| has_started(entry));
        for mark in self.marks.iter_mut().rev() {
            let before = mark.placed;
            mark.placed -= places.clone().filter(|(_, place)| *place < before).count();
        }
        debug_assert!(places.all(|(entry, _)| entry.begin == now));
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
    pub(super) fn sort(&mut self, now: Seconds) {
        for entry in &mut self.queue {
            entry.key = self.order.key(&entry.job, now);
        }
        // keys are never NaN, for estimates are above 0
        self.queue.sort_unstable_by(|a, b| (a.key, a.job.job).partial_cmp(&(b.key, b.job.job)).unwrap());
    }
}
