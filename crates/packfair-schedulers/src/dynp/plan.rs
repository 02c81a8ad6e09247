//! The plan of one policy.

use super::lower_bounds::LowerBounds;
use super::plans::FreeSteps;
use super::quality::Quality;
use super::queue::{Batch, PolicyQueue};
use packfair_engine::model::{View, Waiting};

/// Equal jobs that are planned to begin together.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedStart {
    pub(super) begin: f64,
    pub(super) jobs: u32,
}

/// The part of a quality that differs between plans, summed over the placed jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The sum of weighted starts, or the latest end, seconds. It has no meaning where times are fractions of seconds.
    pub(super) amount: i128,
    weight: u64,
}

impl Tally {
    #[inline]
    fn with(self, quality: Quality, batch: &Batch, start: PlannedStart) -> Tally {
        if quality == Quality::Makespan {
            return Tally { amount: self.amount.max((start.begin + batch.estimate) as i128), ..self };
        }
        let weight = u64::from(quality.weight(batch.processors)) * u64::from(start.jobs);
        Tally {
            amount: self.amount + i128::from(weight) * i128::from(start.begin as i64),
            weight: self.weight + weight,
        }
    }

    /// The tally without a job that starts now. A latest end stays: the job runs now, so its end still counts.
    fn without(self, quality: Quality, processors: u32, now: f64) -> Tally {
        if quality == Quality::Makespan {
            return self;
        }
        let weight = quality.weight(processors);
        let amount = self.amount - i128::from(weight) * i128::from(now as i64);
        Tally { amount, weight: self.weight - u64::from(weight) }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The waiting jobs in the order of the policy. The first `placed` of them have starts.
    pub(super) queue: PolicyQueue,
    placed: usize,
    /// The starts of the placed jobs, in the order of the queue.
    starts: Vec<PlannedStart>,
    /// The placed jobs' part of the quality.
    pub(super) tally: Tally,
    /// The profile of the running and the placed jobs.
    steps: FreeSteps,
    /// Copies of the plan with fewer jobs placed, the fewest first; none has no job placed.
    marks: Vec<PlanCopy>,
    /// Profiles of former marks; kept for their memory.
    spare: Vec<FreeSteps>,
    lower_bounds: LowerBounds,
    /// Whether the profile, and those of the marks, are based on the jobs that run at present.
    is_current: bool,
    /// No placed job begins before this time.
    earliest: f64,
}

#[derive(Clone, Debug)]
struct PlanCopy {
    placed: usize,
    starts: usize,
    tally: Tally,
    steps: FreeSteps,
}

/// The least number of starts between two marks.
const MARK_EVERY: usize = 8;

/// A plan grows by one part in this many from one mark to the next. So when a plan is cut back, at most that part of
/// what could have stayed is placed again.
const MARKS: usize = 8;

/// What all plans of a round have in common: sums over the waiting jobs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backlog {
    /// The sum of the weights of the waiting jobs.
    pub(super) weight: u64,
    /// The width of the narrowest waiting job.
    pub(super) narrowest: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Until {
    End,
    /// Until it is known to be worse than a plan with this amount.
    Worse(i128),
    /// Until no other job can start now.
    AllStarted,
}

impl Plan {
    pub(super) fn new(queue: PolicyQueue, worth: usize) -> Self {
        Plan {
            queue,
            placed: 0,
            starts: Vec::new(),
            tally: Tally::default(),
            steps: FreeSteps::default(),
            marks: Vec::new(),
            spare: Vec::new(),
            lower_bounds: LowerBounds::new(worth),
            is_current: false,
            earliest: f64::INFINITY,
        }
    }

    /// A job enters the queue.
    pub(super) fn insert(&mut self, job: Waiting, view: &View) {
        let stay = self.queue.insert(job, self.queue.rank(&job, view));
        self.keep(stay);
    }

    /// Cuts the plan back to at most its first `count` jobs.
    fn keep(&mut self, count: usize) {
        if count < self.placed {
            let marks = self.marks.partition_point(|mark| mark.placed <= count);
            self.back_to(marks);
        }
    }

    /// Cuts the plan back to the last of the first `marks` marks.
    fn back_to(&mut self, marks: usize) {
        self.spare.extend(self.marks.drain(marks..).map(|mark| mark.steps));
        match self.marks.last() {
            Some(mark) => {
                self.steps.copy_from(&mark.steps);
                self.starts.truncate(mark.starts);
                (self.placed, self.tally) = (mark.placed, mark.tally);
            }
            None => self.drop_all(),
        }
    }

    pub(super) fn drop_all(&mut self) {
        self.spare.extend(self.marks.drain(..).map(|mark| mark.steps));
        self.starts.clear();
        (self.placed, self.tally, self.is_current, self.earliest) = (0, Tally::default(), false, f64::INFINITY);
    }

    /// Makes a mark if enough was placed since the last one.
    #[inline]
    fn mark(&mut self) {
        let last = self.marks.last().map_or(0, |mark| mark.starts);
        if self.starts.len() >= last + MARK_EVERY.max(last / MARKS) {
            let mut steps = self.spare.pop().unwrap_or_default();
            steps.copy_from(&self.steps);
            self.marks.push(PlanCopy { placed: self.placed, starts: self.starts.len(), tally: self.tally, steps });
        }
    }

    /// Brings the plan up to the present. Jobs stay placed where a new plan would place them in the same way.
    pub(super) fn prepare(&mut self, base: &FreeSteps, now: f64) {
        self.catch_up(now);
        if !self.is_current {
            self.steps.copy_from(base);
            self.is_current = true;
        }
    }

    /// [`Plan::prepare`], except that a plan that was dropped stays empty.
    pub(super) fn catch_up(&mut self, now: f64) {
        if self.is_current && self.earliest < now {
            // another policy was in force, so a job that was to start then did not: it may start now
            let missed = self.planned().find(|(_, start)| start.begin < now);
            if let Some((place, _)) = missed {
                self.keep(place);
            }
            self.earliest = now;
        }
        self.steps.advance(now);
    }

    /// The planned starts, each with its first job's place in the queue.
    pub(super) fn planned(&self) -> impl Iterator<Item = (usize, PlannedStart)> + '_ {
        self.starts.iter().scan(0, |place, &start| {
            let at = *place;
            *place += start.jobs as usize;
            Some((at, start))
        })
    }

    /// Places jobs as far as `until` says. Returns false where the plan is known to be worse.
    pub(super) fn extend(&mut self, quality: Quality, until: Until, backlog: Backlog) -> bool {
        let mut frontier = self.steps.first_with(0, backlog.narrowest);
        self.lower_bounds.clear(self.queue.len() - self.placed);
        let (mut at, mut before) = self.queue.position(self.placed);
        while let Some(&batch) = self.queue.batches().get(at) {
            match until {
                Until::End => {}
                Until::AllStarted if frontier > 0 => return true,
                Until::AllStarted => {}
                Until::Worse(than) => {
                    if self.is_worse(quality, than, self.steps.time(frontier), backlog) {
                        return false;
                    }
                }
            }
            self.mark();
            let Batch { processors, estimate, jobs } = batch;
            let from = self.lower_bounds.below(&batch, &self.steps, frontier);
            let placed = self.steps.place(from, processors, estimate, jobs - before);
            self.lower_bounds.placed(&batch, placed);
            let start = PlannedStart { begin: placed.begin, jobs: placed.jobs };
            self.starts.push(start);
            self.tally = self.tally.with(quality, &batch, start);
            self.earliest = self.earliest.min(placed.begin);
            self.placed += placed.jobs as usize;
            before += placed.jobs;
            if before == jobs {
                (at, before) = (at + 1, 0);
            }
            frontier = self.steps.first_with(frontier, backlog.narrowest);
        }
        true
    }

    /// Whether the plan is worse than one with the amount `than`, given that no job that is not yet placed starts
    /// before `soonest`.
    #[inline]
    fn is_worse(&self, quality: Quality, than: i128, soonest: f64, backlog: Backlog) -> bool {
        let others = match quality {
            Quality::Makespan => 0,
            _ => i128::from(backlog.weight - self.tally.weight) * i128::from(soonest as i64),
        };
        self.tally.amount + others > than
    }

    /// Removes a job that starts now from the queue.
    pub(super) fn remove(&mut self, job: &Waiting, quality: Quality, view: &View) {
        let now = view.now() as f64;
        let place = self.queue.place_of(self.queue.rank(job, view));
        let Some(at) = self.queue.batch_at(place) else { return };
        let end = self.queue.end_of(at);
        if self.is_current {
            let of_batch = self.planned().zip(0..).skip_while(|((place, _), _)| *place < at.first);
            let mut of_batch = of_batch.take_while(|((place, _), _)| *place < end);
            let planned =
                of_batch.find(|((_, start), _)| start.begin == now).map(|((place, _), number)| (place, number));
            drop(of_batch);
            match planned {
                Some((place, number)) => self.carry_out(number, place, job, quality, now),
                None => {
                    // equal jobs are interchangeable, so the last of them is taken to be gone
                    self.keep(end - 1);
                    self.take_out_of_turn(job, now);
                }
            }
        }
        self.queue.remove(place, at);
    }

    /// Starts a job as planned. `number` is that of its planned start, `place` the place in the queue of that start's
    /// first job.
    fn carry_out(&mut self, number: usize, place: usize, job: &Waiting, quality: Quality, now: f64) {
        self.starts[number].jobs -= 1;
        let is_over = self.starts[number].jobs == 0;
        if is_over {
            self.starts.remove(number);
        }
        for mark in &mut self.marks {
            if mark.placed > place {
                mark.placed -= 1;
                mark.starts -= usize::from(is_over);
                mark.tally = mark.tally.without(quality, job.processors, now);
            } else {
                mark.steps.advance(now);
                let fits = mark.steps.take_now(now + job.estimate, job.processors);
                debug_assert!(fits, "it was placed beside more jobs than these");
            }
        }
        self.placed -= 1;
        self.tally = self.tally.without(quality, job.processors, now);
    }

    /// Starts a job that was planned for later, or not yet. The plan is cut back to where the job fits beside the
    /// placed jobs.
    fn take_out_of_turn(&mut self, job: &Waiting, now: f64) {
        if !self.is_current {
            return;
        }
        let end = now + job.estimate;
        let fitting = self.marks.iter_mut().position(|mark| {
            mark.steps.advance(now);
            !mark.steps.take_now(end, job.processors)
        });
        self.steps.advance(now);
        if let Some(fitting) = fitting {
            self.back_to(fitting);
        } else if !self.steps.take_now(end, job.processors) {
            self.back_to(self.marks.len());
        }
    }

    /// Takes over new estimates of waiting jobs, indexed by log order.
    pub(super) fn reestimated(&mut self, estimates: &[f64], view: &View) {
        if self.queue.reestimated(estimates) {
            self.sort(view);
        }
    }

    /// Brings the order of the queue up to date.
    pub(super) fn sort(&mut self, view: &View) {
        self.drop_all();
        self.queue.sort(view);
    }

    /// Ends a try, at which the queue was sorted by SJF, or by submission. If the plan takes the queue in the order
    /// that this leaves, the plan is cut back to the jobs that keep their places.
    pub(super) fn leave_sorted(&mut self, by_submission: bool, view: &View) {
        let stay = self.queue.leave_sorted(by_submission, view);
        self.keep(stay);
    }
}
