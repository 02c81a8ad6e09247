//! Self-tuning dynP: in every round the plans of all policies are compared, and the best is carried out (DYNP §3.2).

use super::plans::{LongFrom, Plans};
use super::quality::{Amount, Mean, Quality, combined, running_jobs};
use super::rules::{Counts, DynpRules, FcfsOrder, places_of_least};
use packfair_engine::model::{Actions, Notes, Release, Reservation, Scheduler, View, Waiting};
use std::cmp::Ordering;

/// The fast scheduler of self-tuning dynP.
#[derive(Clone)]
pub(super) struct SelfTuning {
    rules: DynpRules,
    plans: Plans,
    /// The place of the policy in force.
    current: usize,
    counts: Counts,
    /// The places of the policies whose plans are best; kept for its memory.
    best: Vec<usize>,
    /// The places of all policies, in the order in which their plans are made.
    sequence: Vec<usize>,
}

impl SelfTuning {
    pub(super) fn new(rules: DynpRules, long: LongFrom) -> Self {
        SelfTuning {
            plans: Plans::new(&rules.policies, rules.quality, rules.fcfs, long),
            current: rules.initial(),
            counts: Counts::new(&rules.policies),
            best: Vec::new(),
            sequence: (0..rules.policies.len()).collect(),
            rules,
        }
    }

    /// Compares plans, and takes the policy that the decider chooses.
    fn tune(&mut self, view: &View) {
        let before = self.current;
        if self.rules.compares_means() || !self.plans.is_whole() {
            self.tune_by_means(view);
        } else {
            self.tune_by_integers();
        }
        let backlog = self.plans.waiting();
        self.counts.decided(view.now(), backlog, before, self.current);
    }

    /// Compares whole plans by their means.
    fn tune_by_means(&mut self, view: &View) {
        let (now, running) = (view.now() as f64, running_jobs(view));
        let DynpRules { quality, also, future, .. } = self.rules;
        let (compares_means, is_whole) = (self.rules.compares_means(), self.plans.is_whole());
        let plans: Vec<_> = (0..self.rules.policies.len()).map(|policy| self.plans.plan(policy)).collect();
        let measure = |quality: Quality| -> Vec<Mean> {
            let plans = plans.iter();
            if compares_means {
                plans.map(|planned| quality.of_all(now, &running, planned, future, is_whole)).collect()
            } else {
                plans.map(|planned| quality.of_waiting(now, &running, planned, is_whole)).collect()
            }
        };
        let mut means = measure(quality);
        if let Some(other) = also {
            means = combined(&means, &measure(other));
        }
        let best = places_of_least(&means, Mean::compare);
        self.rules.count_case(&best, self.current, || means[0].compare(&means[1]), &mut self.counts);
        self.current = self.rules.decide(&best, self.current, |policy| means[policy], &mut self.counts);
    }

    /// Compares plans by integer sums, and makes each plan only until it is known to be worse than another.
    fn tune_by_integers(&mut self) {
        let SelfTuning { rules, plans, current, counts, best, sequence } = self;
        let mut least = None;
        best.clear();
        plans.sort_by_effort(sequence, *current);
        for &policy in sequence.iter() {
            let Some(amount) = plans.amount(policy, least) else { continue };
            match least.map_or(Ordering::Less, |least| amount.cmp(&least)) {
                Ordering::Less => {
                    best.clear();
                    least = Some(amount);
                }
                Ordering::Equal => {}
                Ordering::Greater => continue,
            }
            best.push(policy);
        }
        best.sort_unstable();
        let fcfs_with_sjf = || {
            let [fcfs, sjf] = [0, 1];
            let other = plans.amount(sjf, None);
            plans.amount(fcfs, other).map_or(Ordering::Greater, |amount| Some(amount).cmp(&other))
        };
        rules.count_case(best, *current, fcfs_with_sjf, counts);
        // without slackness `decide` does not compare means
        let unknown = Mean { amount: Amount::Whole(0), by: 1 };
        *current = rules.decide(best, *current, |_| unknown, counts);
    }
}

impl Scheduler for SelfTuning {
    fn counts_usage(&self) -> bool {
        self.rules.counts_usage()
    }

    fn reads_clock(&self) -> bool {
        self.rules.reads_clock()
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.counts.begin(view.now(), self.current);
        self.plans.arrived(job, view);
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.plans.completed(&release, view.now() as f64);
    }

    fn expected(&mut self, release: Release, end: f64, _view: &View) {
        self.plans.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.plans.reestimated(estimates, view);
    }

    fn could_start(&self, view: &View) -> bool {
        DynpRules::is_try(self.plans.waiting()) || self.plans.queue(0).any(|job| job.processors <= view.free())
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        if self.plans.waiting() == 0 {
            return;
        }
        self.plans.open(view);
        let is_try = DynpRules::is_try(self.plans.waiting());
        if is_try {
            self.tune(view);
        }
        let started = self.plans.carry_out(self.current, view, |job, token| actions.start(job, token));
        self.counts.started[self.current] += started as u64;
        if is_try && self.rules.fcfs != FcfsOrder::Submission {
            self.plans.leave_sorted(self.rules.leaves_submission(self.current), view);
        }
    }

    fn report(&self, notes: &mut Notes) {
        self.counts.report(notes);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.plans.reservations(self.current, view)
    }
}
