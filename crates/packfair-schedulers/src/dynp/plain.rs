//! dynP as the paper states it, without anything that saves work. The fast schedulers are compared with it.
//!
//! In each round the profile is made of the running jobs, every policy places every waiting job, and qualities are
//! computed from these plans. Only the policy is kept from the round before.

use super::lower_bounds::Bounds;
use super::quality::{Mean, Planned, Quality, combined, counted_processors, running_jobs};
use super::rules::{Counts, DynpRules, FcfsOrder, OF_THE_PAPER, places_of_least};
use crate::Order;
use crate::plain::Profile;
use packfair_base::machine::Placement;
use packfair_engine::model::{Actions, Notes, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_workload::JobId;
use std::cmp::Ordering;

/// How the policy is decided upon.
#[derive(Clone)]
pub(super) enum Rule {
    /// Self-tuning dynP: a comparison of plans.
    Compare(DynpRules),
    /// Basic dynP: the mean estimate.
    Bound(Bounds),
}

/// Self-tuning or basic dynP, without anything that saves work.
#[derive(Clone)]
pub(super) struct PlainDynp {
    rule: Rule,
    policies: Vec<Order>,
    current: usize,
    has_arrival: bool,
    is_whole: bool,
    /// The jobs that waited after the last try, in SJF order; kept only where FCFS takes the queue in that order.
    left: Vec<JobId>,
    counts: Counts,
}

/// Compares two jobs in the order of a policy. Jobs with equal keys keep log order.
fn compare(order: Order, a: &Waiting, b: &Waiting, view: &View) -> Ordering {
    let key = |job: &Waiting| (order.key_in(view, job), job.job);
    // keys are never NaN: estimates are above 0, and a formula's NaN is mapped to the last key
    key(a).partial_cmp(&key(b)).unwrap()
}

/// A waiting job in a plan: when and where it would start.
struct PlannedJob {
    job: Waiting,
    start: f64,
    placement: Placement,
}

impl PlannedJob {
    /// The job as qualities count it.
    fn counted(&self, view: &View) -> Planned {
        let processors = counted_processors(view, self.job.job, self.job.processors);
        Planned { job: Waiting { processors, ..self.job }, start: self.start }
    }
}

/// Makes a plan and returns it in log order. The jobs of a queue are placed one after the other, each as early as the
/// running jobs and the jobs placed before it allow. A job that never fits, as far as is known of the machine, is in no
/// plan.
fn plan(view: &View, queue: Vec<Waiting>) -> Vec<PlannedJob> {
    let now = view.now() as f64;
    let mut profile = Profile::of_running(view);
    let mut planned: Vec<PlannedJob> = Vec::new();
    for job in queue {
        let start = profile.earliest(&job, job.estimate, now);
        let end = start + job.estimate;
        if let Some(placement) = profile.place(&job, start, end) {
            profile.reserve(&job, &placement, start, end);
            planned.push(PlannedJob { job, start, placement });
        }
    }
    planned.sort_by_key(|planned| planned.job.job);
    planned
}

impl PlainDynp {
    pub(super) fn new(rule: Rule) -> Self {
        let (policies, current) = match &rule {
            Rule::Compare(rules) => (rules.policies.clone(), rules.initial()),
            Rule::Bound(_) => (OF_THE_PAPER.to_vec(), 0),
        };
        PlainDynp {
            rule,
            counts: Counts::new(&policies),
            policies,
            current,
            has_arrival: false,
            is_whole: true,
            left: Vec::new(),
        }
    }

    fn queue(&self, policy: usize, mut queue: Vec<Waiting>, view: &View) -> Vec<Waiting> {
        let order = self.policies[policy];
        match &self.rule {
            Rule::Compare(rules) if rules.fcfs != FcfsOrder::Submission && order == Order::Fcfs => {
                let place = |job: &Waiting| self.left.iter().position(|&left| left == job.job);
                // a job that came since the last try has no place, and stands behind the others in log order
                queue.sort_by_key(|job| (place(job).unwrap_or(usize::MAX), job.job));
            }
            _ => queue.sort_by(|a, b| compare(order, a, b, view)),
        }
        queue
    }

    fn plan(&self, policy: usize, view: &View) -> Vec<PlannedJob> {
        plan(view, self.queue(policy, view.waiting().collect(), view))
    }

    fn is_try(&self, view: &View) -> bool {
        let waiting = view.waiting().count();
        match &self.rule {
            Rule::Compare(_) => DynpRules::is_try(waiting),
            Rule::Bound(bounds) => self.has_arrival && bounds.is_try(waiting),
        }
    }

    /// The policy after a try.
    fn decide(&mut self, view: &View) -> usize {
        let (now, running) = (view.now() as f64, running_jobs(view));
        let rules = match &self.rule {
            Rule::Bound(bounds) => return bounds.decide(view.waiting().map(|job| job.estimate), self.current),
            Rule::Compare(rules) => rules,
        };
        let counted = |plan: Vec<PlannedJob>| plan.iter().map(|planned| planned.counted(view)).collect();
        let plans: Vec<Vec<Planned>> =
            (0..self.policies.len()).map(|policy| counted(self.plan(policy, view))).collect();
        let measure = |quality: Quality| -> Vec<Mean> {
            let of = |planned: &Vec<Planned>| {
                if rules.compares_means() {
                    quality.of_all(now, &running, planned, rules.future, self.is_whole)
                } else {
                    quality.of_waiting(now, &running, planned, self.is_whole)
                }
            };
            plans.iter().map(of).collect()
        };
        let mut means = measure(rules.quality);
        if let Some(other) = rules.also {
            means = combined(&means, &measure(other));
        }
        let best = places_of_least(&means, Mean::compare);
        rules.count_case(&best, self.current, || means[0].compare(&means[1]), &mut self.counts);
        rules.decide(&best, self.current, |policy| means[policy], &mut self.counts)
    }
}

impl Scheduler for PlainDynp {
    fn counts_usage(&self) -> bool {
        self.policies.iter().any(|policy| policy.counts_usage())
    }

    fn reads_clock(&self) -> bool {
        self.policies.iter().any(|policy| policy.reads_clock())
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.counts.begin(view.now(), self.current);
        self.has_arrival = true;
        self.is_whole &= job.estimate.fract() == 0.0;
    }

    fn expected(&mut self, _release: Release, end: f64, _view: &View) {
        self.is_whole &= end.fract() == 0.0;
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.is_whole &= view.waiting().all(|job| estimates[job.job.index()].fract() == 0.0);
    }

    fn could_start(&self, view: &View) -> bool {
        self.is_try(view) || view.waiting().any(|job| view.fits_now(job.job, job.processors))
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let backlog = view.waiting().count();
        if backlog == 0 {
            return;
        }
        let is_try = self.is_try(view);
        if is_try {
            let before = self.current;
            self.current = self.decide(view);
            self.counts.decided(view.now(), backlog, before, self.current);
        }
        let mut starting = self.plan(self.current, view);
        starting.retain(|planned| planned.start == view.now() as f64);
        // in the order of the policy, because estimators learn from jobs that end together in the order in which they
        // started
        let jobs: Vec<Waiting> = starting.iter().map(|planned| planned.job).collect();
        let queue = self.queue(self.current, jobs, view);
        starting.sort_by_key(|planned| queue.iter().position(|job| job.job == planned.job.job));
        for PlannedJob { job, placement, .. } in starting {
            actions.start_on(job, Token::default(), placement);
            self.counts.started[self.current] += 1;
        }
        self.has_arrival = false;
        if is_try {
            let by_submission = match &self.rule {
                Rule::Compare(rules) => rules.leaves_submission(self.current),
                Rule::Bound(_) => true,
            };
            let mut sorted: Vec<Waiting> = view.waiting().filter(|job| !queue.contains(job)).collect();
            sorted.sort_by(|a, b| compare(if by_submission { Order::Fcfs } else { Order::Sjf }, a, b, view));
            self.left = sorted.into_iter().map(|job| job.job).collect();
        }
    }

    fn report(&self, notes: &mut Notes) {
        self.counts.report(notes);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let planned = self.plan(self.current, view).into_iter();
        planned.map(|PlannedJob { job, start, .. }| Reservation { job, start }).collect()
    }
}
