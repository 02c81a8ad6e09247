//! Weights that adapt: each day what was planned for in the last two weeks is tried again with other weights, and those that
//! served a metric best are planned by from then on.
//!
//! A trial knows what a person at the machine knew: of the jobs submitted in these two weeks, how long those ran that have
//! ended, and of all others their estimates. It begins with an empty machine, plans by lists alone, and draws no random
//! number, so that a run comes out the same every time.

use super::objective::{Objective, Weights};
use super::plan::{Effort, PlannedStarts};
use super::round::{HoldRule, Moment, Rounds};
use super::running::ExpectedEnds;
use crate::model::{Release, Token, Waiting};
use crate::workload::{JobId, Seconds};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// From one trial to the next, seconds.
const EACH: Seconds = 86_400;

/// How far trials look back, seconds.
const BACK: Seconds = 14 * 86_400;

/// Fewer jobs than this say nothing.
const LEAST: usize = 50;

/// Jobs that a round of a trial plans.
const DEPTH: usize = 32;

/// The bound of slowdowns, seconds.
const BOUND: f64 = 10.0;

/// What shall be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// BSLD.
    Bsld,
    /// AF.
    Af,
    /// AWF.
    Awf,
    /// P²SF.
    P2sf,
    /// All four: their product.
    All,
}

const fn weights(slowdown: f64, response: f64, area: f64) -> Weights {
    Weights { slowdown, response, area, ..Weights::AF }
}

/// What is planned for in `opt-bsld-af`.
const BSLD_AF: Weights = weights(1.0, 0.01, 0.0);
/// What is planned for in `opt-bsld-area`.
const BSLD_AREA: Weights = weights(1.0, 0.01, 0.05);
/// What is planned for in `opt-af-area`.
const AF_AREA: Weights = weights(0.0, 1.0, 0.05);
/// What is planned for in `opt-awf-fade`: a start 72 h ahead counts half.
const AWF_FADE: Weights = Weights { fade: 1.0 / 259_200.0, ..Weights::AWF };
/// What is planned for in `opt-awf-age`.
const AWF_AGE: Weights = Weights { age: 0.1, ..Weights::AWF };
/// What is planned for in `opt-balanced`.
const BALANCED: Weights = Weights { age_squared: 4.0, fade: 1.0 / 259_200.0, ..weights(0.0, 1.0, 0.5) };
/// The same with slowdowns in place of response times.
const BALANCED_SLOWDOWN: Weights = Weights { age_squared: 4.0, fade: 1.0 / 259_200.0, ..weights(1.0, 0.1, 0.5) };

impl Goal {
    /// The goal of a setting's value; none where nothing adapts.
    pub fn of(id: &str) -> Option<Goal> {
        match id {
            "bsld" => Some(Goal::Bsld),
            "af" => Some(Goal::Af),
            "awf" => Some(Goal::Awf),
            "p2sf" => Some(Goal::P2sf),
            "all" => Some(Goal::All),
            _ => None,
        }
    }

    /// What is planned for, as candidates; the first until something is known.
    pub fn candidates(self) -> &'static [Objective] {
        use Objective::{P2sfSum, Weighted};
        match self {
            Goal::Bsld => &[Weighted(BSLD_AF), Weighted(BSLD_AREA), Weighted(AF_AREA)],
            Goal::Af => &[Weighted(Weights::AF), Weighted(AF_AREA), Weighted(BSLD_AREA)],
            Goal::Awf => &[Weighted(AWF_AGE), Weighted(AWF_FADE), Weighted(Weights::AWF)],
            Goal::P2sf => &[P2sfSum, Weighted(AWF_AGE), Weighted(BALANCED)],
            Goal::All => &[Weighted(BALANCED), Weighted(BALANCED_SLOWDOWN), Weighted(AF_AREA)],
        }
    }
}

/// A job of the last two weeks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PastJob {
    job: Waiting,
    /// How long it ran; none where it has not ended.
    run: Option<Seconds>,
}

/// What adapts.
#[derive(Clone, Debug)]
pub struct Adaptive {
    goal: Goal,
    /// By submission.
    past: VecDeque<PastJob>,
    /// The number of the first of them, counted from the first job.
    first: usize,
    /// The number of each waiting or running job, and when it started.
    known: FxHashMap<JobId, (usize, Option<Seconds>)>,
    /// When the next trial is due.
    next: Option<Seconds>,
    /// The place of the candidate that is planned by.
    chosen: usize,
    /// How often another one was chosen.
    changes: u64,
}

impl Adaptive {
    /// Before the first job.
    pub fn new(goal: Goal) -> Self {
        Adaptive {
            goal,
            past: VecDeque::new(),
            first: 0,
            known: FxHashMap::default(),
            next: None,
            chosen: 0,
            changes: 0,
        }
    }

    /// What is planned for.
    pub fn objective(&self) -> Objective {
        self.goal.candidates()[self.chosen]
    }

    /// How often that became another one.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// A job is submitted.
    pub fn submitted(&mut self, job: Waiting) {
        self.known.insert(job.job, (self.first + self.past.len(), None));
        self.past.push_back(PastJob { job, run: None });
    }

    /// A job starts.
    pub fn started(&mut self, job: JobId, now: Seconds) {
        if let Some((_, start)) = self.known.get_mut(&job) {
            *start = Some(now);
        }
    }

    /// A job ends.
    pub fn completed(&mut self, job: JobId, now: Seconds) {
        if let Some((number, Some(start))) = self.known.remove(&job)
            && let Some(past) = number.checked_sub(self.first).and_then(|place| self.past.get_mut(place))
        {
            past.run = Some(now - start);
        }
    }

    /// Whether what is planned for has become another one: a trial is made where it is due.
    pub fn adapt(&mut self, now: Seconds, rule: &HoldRule, processors: u32) -> bool {
        let next = *self.next.get_or_insert(now + EACH);
        if now < next {
            return false;
        }
        // days without jobs have no trial
        self.next = Some(now + EACH - (now - next) % EACH);
        while self.past.front().is_some_and(|past| past.job.submit < now - BACK) {
            self.past.pop_front();
            self.first += 1;
        }
        if self.past.len() < LEAST {
            return false;
        }
        let effort = Effort { starts: PlannedStarts::Lists, depth: DEPTH, budget: 0, ..rule.effort };
        let served = self.goal.candidates().iter().map(|&objective| {
            let rule = HoldRule { objective, effort, ..*rule };
            self.goal.of_trial(&self.trial(rule, processors))
        });
        // of equals the first
        let best = served.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place);
        let has_changed = best != self.chosen;
        self.changes += u64::from(has_changed);
        self.chosen = best;
        has_changed
    }

    /// What would have become of the jobs, planned by a rule on an empty machine.
    fn trial(&self, rule: HoldRule, processors: u32) -> Vec<TrialJob> {
        let mut rounds = Rounds::new(rule);
        let mut expected = ExpectedEnds::default();
        // when each running job ends, and the place of it
        let mut ends: BinaryHeap<Reverse<(Seconds, usize)>> = BinaryHeap::new();
        let mut expected_of: Vec<f64> = vec![0.0; self.past.len()];
        let mut free = processors;
        let mut outcomes = Vec::with_capacity(self.past.len());
        let mut arriving = self.past.iter().enumerate().peekable();
        let mut starting = Vec::new();
        loop {
            let arrival = arriving.peek().map(|(_, past)| past.job.submit);
            let end = ends.peek().map(|Reverse((end, _))| *end);
            let Some(now) = arrival.into_iter().chain(end).min() else { break };
            while let Some((place, past)) = arriving.next_if(|(_, past)| past.job.submit == now) {
                rounds.submit(Waiting { job: JobId(place as u32), ..past.job });
            }
            while ends.peek().is_some_and(|Reverse((end, _))| *end == now)
                && let Some(Reverse((_, place))) = ends.pop()
            {
                let processors = self.past[place].job.processors;
                let job = JobId(place as u32);
                expected.remove(Release { at: expected_of[place], job, processors, token: Token::default() });
                free += processors;
            }
            let moment = Moment { now, free, processors };
            rounds.round(moment, expected.releases(), |job| starting.push(job));
            for job in starting.drain(..) {
                let place = job.job.index();
                // what has not ended runs for as long as is believed
                let run = self.past[place].run.unwrap_or(job.estimate.ceil() as Seconds).max(1);
                expected_of[place] = now as f64 + job.estimate;
                expected.insert(expected_of[place], job.job, job.processors);
                ends.push(Reverse((now + run, place)));
                free -= job.processors;
                outcomes.push(TrialJob { processors: job.processors, wait: now - job.submit, run });
            }
        }
        outcomes
    }
}

/// What became of a job in a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TrialJob {
    processors: u32,
    wait: Seconds,
    run: Seconds,
}

impl Goal {
    /// How well jobs are served, the less the better: the metric over all of them, of all four the sum of their logarithms.
    fn of_trial(self, jobs: &[TrialJob]) -> f64 {
        let mean = |of: &dyn Fn(&TrialJob) -> (f64, f64)| {
            let (sum, weight) = jobs.iter().map(of).fold((0.0, 0.0), |(sum, weight), (of, by)| (sum + of, weight + by));
            sum / weight
        };
        let times = |job: &TrialJob| {
            let (wait, run) = (job.wait as f64, job.run as f64);
            (f64::from(job.processors), wait, run, wait + run)
        };
        match self {
            Goal::Bsld => mean(&|job| {
                let (_, _, run, response) = times(job);
                ((response / run.max(BOUND)).max(1.0), 1.0)
            }),
            Goal::Af => mean(&|job| (times(job).3, 1.0)),
            Goal::Awf => mean(&|job| {
                let (width, _, run, response) = times(job);
                (width * run * response, width * run)
            }),
            Goal::P2sf => mean(&|job| {
                let (width, wait, run, response) = times(job);
                // F⁴ - Q⁴ and F³ - Q³ by factors
                let numerator = width * run * (response + wait) * (response * response + wait * wait);
                (numerator, width * run * (response * response + response * wait + wait * wait))
            }),
            Goal::All => {
                let four = [Goal::Bsld, Goal::Af, Goal::Awf, Goal::P2sf];
                four.iter().map(|goal| libm::log(goal.of_trial(jobs))).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::optimised::round::{Hold, KeptOrder};

    fn rule(objective: Objective) -> HoldRule {
        HoldRule {
            objective,
            hold: Hold { share: 0.0, over: 600.0 },
            kept: KeptOrder::Order,
            effort: Effort { starts: PlannedStarts::Lists, depth: 64, window: 30, budget: 500, seed: 1 },
        }
    }

    fn waiting(job: u32, submit: Seconds, processors: u32, estimate: f64) -> Waiting {
        Waiting { job: JobId(job), submit, processors, estimate }
    }

    #[test]
    fn metrics_of_a_trial_are_those_computed_by_hand() {
        let jobs = [TrialJob { processors: 2, wait: 10, run: 20 }, TrialJob { processors: 1, wait: 0, run: 5 }];
        assert_eq!(Goal::Bsld.of_trial(&jobs), (1.5 + 1.0) / 2.0);
        assert_eq!(Goal::Af.of_trial(&jobs), (30.0 + 5.0) / 2.0);
        assert_eq!(Goal::Awf.of_trial(&jobs), (40.0 * 30.0 + 5.0 * 5.0) / 45.0);
        let (above, below) = (2.0 * (810_000.0 - 10_000.0) + 625.0, 2.0 * (27_000.0 - 1_000.0) + 125.0);
        assert!((Goal::P2sf.of_trial(&jobs) - above / below).abs() < 1e-9);
        let product: f64 =
            [Goal::Bsld, Goal::Af, Goal::Awf, Goal::P2sf].iter().map(|goal| goal.of_trial(&jobs)).product();
        assert!((Goal::All.of_trial(&jobs) - libm::log(product)).abs() < 1e-9);
    }

    #[test]
    fn a_trial_runs_what_has_ended_for_as_long_as_it_ran_and_the_others_for_as_long_as_is_believed() {
        let mut adaptive = Adaptive::new(Goal::Af);
        // of four processors each takes all: the first ran for 10 of 50 s, the second waits
        adaptive.submitted(waiting(7, 0, 4, 50.0));
        adaptive.started(JobId(7), 3);
        adaptive.submitted(waiting(8, 4, 4, 30.0));
        adaptive.completed(JobId(7), 13);
        adaptive.submitted(waiting(9, 60, 1, 5.0));
        let trial = adaptive.trial(rule(Objective::Weighted(Weights::AF)), 4);
        let job = |processors, wait, run| TrialJob { processors, wait, run };
        assert_eq!(trial, [job(4, 0, 10), job(4, 6, 30), job(1, 0, 5)]);
    }

    #[test]
    fn what_served_best_is_planned_by_from_the_next_day_on() {
        // every 100 s a wide long job and a narrow short one, on a machine that is full: what counts is who goes first
        let mut adaptive = Adaptive::new(Goal::Bsld);
        for i in 0..200_i64 {
            let (long, short) = (2 * i as u32, 2 * i as u32 + 1);
            adaptive.submitted(waiting(long, 100 * i, 4, 150.0));
            adaptive.submitted(waiting(short, 100 * i, 1, 10.0));
        }
        assert!(!adaptive.adapt(20_000, &rule(Objective::Bsld), 4), "the first day has no trial");
        assert_eq!(adaptive.objective(), Goal::Bsld.candidates()[0]);
        let before = adaptive.clone();
        adaptive.adapt(20_000 + EACH, &rule(Objective::Bsld), 4);
        let of = |place: usize| {
            let effort = Effort { depth: DEPTH, budget: 0, ..rule(Objective::Bsld).effort };
            let rule = HoldRule { effort, ..rule(Goal::Bsld.candidates()[place]) };
            Goal::Bsld.of_trial(&adaptive.trial(rule, 4))
        };
        let values = [of(0), of(1), of(2)];
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(of(adaptive.chosen), least, "{values:?}");
        // the same is known to a copy, and it chooses the same
        let mut copy = before;
        copy.adapt(20_000 + EACH, &rule(Objective::Bsld), 4);
        assert_eq!(copy.chosen, adaptive.chosen);
        // two weeks later all is forgotten
        assert!(!adaptive.adapt(20_000 + 20 * EACH, &rule(Objective::Bsld), 4));
        assert!(adaptive.past.is_empty());
    }
}
