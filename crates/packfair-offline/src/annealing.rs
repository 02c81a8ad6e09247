//! The search: a waiting job and some jobs that started while it waited are taken out of the schedule and placed again.
//!
//! The search goes through the log from beginning to end, again and again, so that successive changes are near each
//! other in time. A change that makes the objective worse is kept with a probability that falls with the iterations.

use super::problem::{OfflineProblem, OfflineTotal};
use super::search;
use super::search::StartSpans;
use packfair_base::random::Random;
use packfair_schedulers::Profile;
use packfair_workload::Seconds;

/// A job that is taken out, and its starts before and after.
#[derive(Clone, Copy, Debug)]
struct RemovedJob {
    job: u32,
    before: Seconds,
    after: Seconds,
}

/// The state of a search.
#[derive(Clone, Debug)]
pub struct OfflineAnnealing {
    problem: OfflineProblem,
    starts: Vec<Seconds>,
    total: OfflineTotal,
    /// The machine with all jobs at their starts.
    profile: Profile,
    neighbours: StartSpans,
    random: Random,
    /// The jobs that waited when this pass through the log began, in log order.
    waiting: Vec<u32>,
    next: usize,
    iterations: u64,
    budget: u64,
    /// The worsening, in shares of a job, that is now kept with probability 1 / e.
    temperature: f64,
    /// The mean share of a job in the objective of the first schedule.
    share: f64,
    best: Vec<Seconds>,
    best_total: OfflineTotal,
    out: Vec<RemovedJob>,
}

/// The most jobs that are taken out besides the waiting one.
const MOST_OUT: usize = 9;

/// The others start at most this many spans before the span after the waiting job's start.
const SPANS_BACK: usize = 16;

/// The worsening, in shares of a job, that is kept with probability 1 / e: at first, and at last.
const HOT: f64 = 0.1;
const COLD: f64 = 0.0005;

impl OfflineAnnealing {
    /// Begins with a schedule: its starts in log order.
    pub fn new(problem: OfflineProblem, starts: Vec<Seconds>, budget: u64, seed: u64) -> Self {
        let length = search::span(&problem);
        let mut profile = Profile::idle(0.0, problem.processors);
        for (job, &start) in problem.jobs.iter().zip(&starts) {
            job.reserve(&mut profile, start);
        }
        let total = problem.total(&starts);
        OfflineAnnealing {
            neighbours: StartSpans::new(length, &starts),
            share: total.numerator / problem.jobs.len().max(1) as f64,
            best: starts.clone(),
            best_total: total,
            total,
            starts,
            profile,
            problem,
            random: Random::seeded(seed),
            waiting: Vec::new(),
            next: 0,
            iterations: 0,
            budget,
            temperature: HOT,
            out: Vec::new(),
        }
    }

    /// How many iterations are left.
    pub fn left(&self) -> u64 {
        self.budget - self.iterations
    }

    /// The share of the iterations that are made, from 0 to 1.
    pub fn done(&self) -> f64 {
        self.iterations as f64 / self.budget.max(1) as f64
    }

    /// Makes up to this many further iterations.
    pub fn advance(&mut self, iterations: u64) {
        for _ in 0..iterations.min(self.left()) {
            if self.next == self.waiting.len() && !self.begin_pass() {
                // no job waits, so nothing can improve
                self.iterations = self.budget;
                return;
            }
            self.iterations += 1;
            let job = self.waiting[self.next];
            self.next += 1;
            if self.starts[job as usize] > self.problem.jobs[job as usize].submit {
                self.change(job);
            }
        }
        if self.left() == 0 {
            self.keep_best();
        }
    }

    /// The best schedule so far: starts in log order.
    pub fn best(&self) -> &[Seconds] {
        &self.best
    }

    /// Begins another pass through the log. Returns whether any job waits.
    fn begin_pass(&mut self) -> bool {
        self.keep_best();
        let jobs = (0..).zip(&self.starts).zip(&self.problem.jobs);
        self.waiting.clear();
        self.waiting.extend(jobs.filter(|((_, start), job)| **start > job.submit).map(|((number, _), _)| number));
        self.next = 0;
        self.temperature = HOT * libm::pow(COLD / HOT, self.done());
        !self.waiting.is_empty()
    }

    fn keep_best(&mut self) {
        // the sums are computed anew, because the running ones have been rounded many times
        self.total = self.problem.total(&self.starts);
        if self.total.value() < self.best_total.value() {
            self.best_total = self.total;
            self.best.copy_from_slice(&self.starts);
        }
    }

    /// Takes a waiting job and some others out and places them anew. Keeps the change or undoes it.
    fn change(&mut self, job: u32) {
        self.choose(job);
        for taken in &self.out {
            let job = &self.problem.jobs[taken.job as usize];
            job.release(&mut self.profile, taken.before);
        }
        let goal = self.problem.goal;
        let ratio = if goal.is_sum() { 0.0 } else { self.total.value() };
        let limit = self.temperature * self.share * self.random.exponential();
        let mut change = OfflineTotal::default();
        let mut is_other = false;
        for taken in &mut self.out {
            let job = &self.problem.jobs[taken.job as usize];
            taken.after = job.place(&mut self.profile);
            if taken.after != taken.before {
                is_other = true;
                let (before, after) = (taken.before - job.submit, taken.after - job.submit);
                change = change.plus(goal.cost(job, after as f64)).minus(goal.cost(job, before as f64));
            }
        }
        // the quotient falls if this is below 0
        let worse = change.numerator - ratio * change.denominator;
        if worse <= limit {
            if is_other {
                self.total = self.total.plus(change);
                for taken in &self.out {
                    self.starts[taken.job as usize] = taken.after;
                    self.neighbours.change(taken.job, taken.before, taken.after);
                }
            }
            return;
        }
        for taken in &self.out {
            let job = &self.problem.jobs[taken.job as usize];
            job.release(&mut self.profile, taken.after);
        }
        for taken in &self.out {
            let job = &self.problem.jobs[taken.job as usize];
            job.reserve(&mut self.profile, taken.before);
        }
    }

    /// Chooses the jobs that are taken out with a job: some that start while it waits, or soon after. They are listed
    /// in the order in which they are placed again.
    fn choose(&mut self, job: u32) {
        let start = self.starts[job as usize];
        self.out.clear();
        self.out.push(RemovedJob { job, before: start, after: start });
        let last = self.neighbours.span_of(start) + 1;
        let submitted = self.neighbours.span_of(self.problem.jobs[job as usize].submit);
        let first = submitted.max(last.saturating_sub(SPANS_BACK));
        let others = self.random.below(MOST_OUT + 1);
        for _ in 0..others {
            let span = first + self.random.below(last + 1 - first);
            let jobs = self.neighbours.of(span);
            if jobs.is_empty() {
                continue;
            }
            let other = jobs[self.random.below(jobs.len())];
            if self.out.iter().all(|taken| taken.job != other) {
                let before = self.starts[other as usize];
                self.out.push(RemovedJob { job: other, before, after: before });
            }
        }
        if self.random.below(2) == 0 {
            for i in (1..self.out.len()).rev() {
                self.out.swap(i, self.random.below(i + 1));
            }
        } else {
            self.out[1..].sort_by_key(|taken| (taken.before, taken.job));
        }
    }
}
