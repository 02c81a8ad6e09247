//! Weights that adapt. Each day a trial schedules the jobs of the last two weeks again with several candidate weights.
//! The weights that served the goal best are planned by from then on.
//!
//! A trial knows what a person at the machine knew: the run times of jobs that have ended, and the estimates of all
//! others. It begins with an empty machine, plans by lists alone, and draws no random numbers, so that a run comes out
//! the same every time.

use super::objective::{Objective, Weights};
use super::plan::{Effort, PlannedStarts};
use super::round::{HoldRule, Moment, Rounds};
use packfair_engine::model::{Release, Token, Waiting};
use crate::expected_ends::{ExpectedEnds, RunningEnd};
use packfair_workload::{JobId, Seconds};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The time from one trial to the next, seconds.
const EACH: Seconds = 86_400;

/// How far trials look back, seconds.
const BACK: Seconds = 14 * 86_400;

/// The fewest jobs for which a trial is made.
const LEAST: usize = 50;

/// The number of jobs that a round of a trial plans.
const DEPTH: usize = 32;

/// The bound of slowdowns in trials, seconds.
const BOUND: f64 = 10.0;

/// The metric that the weights shall serve.
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
    /// The product of all four.
    All,
}

const fn weights(slowdown: f64, response: f64, area: f64) -> Weights {
    Weights { slowdown, response, area, ..Weights::AF }
}

/// The weights of the preset `opt-bsld-af`.
const BSLD_AF: Weights = weights(1.0, 0.01, 0.0);
/// The weights of the preset `opt-bsld-area`.
const BSLD_AREA: Weights = weights(1.0, 0.01, 0.05);
/// The weights of the preset `opt-af-area`.
const AF_AREA: Weights = weights(0.0, 1.0, 0.05);
/// The weights of the preset `opt-awf-fade`: a start 72 h ahead counts half.
const AWF_FADE: Weights = Weights { fade: 1.0 / 259_200.0, ..Weights::AWF };
/// The weights of the preset `opt-awf-age`.
const AWF_AGE: Weights = Weights { age: 0.1, ..Weights::AWF };
/// The weights of the preset `opt-balanced`.
const BALANCED: Weights = Weights { age_squared: 4.0, fade: 1.0 / 259_200.0, ..weights(0.0, 1.0, 0.5) };
/// The weights of [`BALANCED`] with slowdowns in place of response times.
const BALANCED_SLOWDOWN: Weights = Weights { age_squared: 4.0, fade: 1.0 / 259_200.0, ..weights(1.0, 0.1, 0.5) };

impl Goal {
    /// The goal that a setting's value names; none where weights do not adapt.
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

    /// The candidate objectives. The first is planned by until a trial was made.
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

/// A job that was submitted in the last two weeks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PastJob {
    job: Waiting,
    /// The run time, seconds; none where the job has not ended.
    run: Option<Seconds>,
}

/// The state of the adaptation: the jobs of the last two weeks and the chosen candidate.
#[derive(Clone, Debug)]
pub struct Adaptive {
    goal: Goal,
    /// The jobs of the last two weeks, by submission.
    past: VecDeque<PastJob>,
    /// The number of the first of these jobs, counted from the first submission.
    first: usize,
    /// The number of each waiting or running job, and its start if it has one.
    known: FxHashMap<JobId, (usize, Option<Seconds>)>,
    /// When the next trial is due.
    next: Option<Seconds>,
    /// The place of the chosen candidate.
    chosen: usize,
    /// How often another candidate was chosen.
    changes: u64,
}

impl Adaptive {
    /// The state before the first job.
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

    /// The objective of the chosen candidate.
    pub fn objective(&self) -> Objective {
        self.goal.candidates()[self.chosen]
    }

    /// How often another candidate was chosen.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Notes that a job is submitted.
    pub fn submitted(&mut self, job: Waiting) {
        self.known.insert(job.job, (self.first + self.past.len(), None));
        self.past.push_back(PastJob { job, run: None });
    }

    /// Notes that a job starts.
    pub fn started(&mut self, job: JobId, now: Seconds) {
        if let Some((_, start)) = self.known.get_mut(&job) {
            *start = Some(now);
        }
    }

    /// Notes that a job ends.
    pub fn completed(&mut self, job: JobId, now: Seconds) {
        if let Some((number, Some(start))) = self.known.remove(&job)
            && let Some(past) = number.checked_sub(self.first).and_then(|place| self.past.get_mut(place))
        {
            past.run = Some(now - start);
        }
    }

    /// Makes a trial if one is due. Returns whether another candidate was chosen.
    pub fn adapt(&mut self, now: Seconds, rule: &HoldRule, processors: u32) -> bool {
        let next = *self.next.get_or_insert(now + EACH);
        if now < next {
            return false;
        }
        // there are no trials for days without jobs
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
        // the first of equal candidates
        let best = served.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place);
        let has_changed = best != self.chosen;
        self.changes += u64::from(has_changed);
        self.chosen = best;
        has_changed
    }

    /// Schedules the past jobs by a rule on an empty machine. Returns what became of them.
    fn trial(&self, rule: HoldRule, processors: u32) -> Vec<TrialJob> {
        let mut rounds = Rounds::new(rule);
        let mut expected = ExpectedEnds::default();
        // when each running job ends, and its place in `past`
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
                expected.completed(&Release { at: expected_of[place], job, processors, token: Token::default() });
                free += processors;
            }
            let moment = Moment { now, free, processors };
            rounds.round(moment, expected.releases(), |job| starting.push(job));
            for job in starting.drain(..) {
                let place = job.job.index();
                // a job that has not ended runs for its estimate
                let run = self.past[place].run.unwrap_or(job.estimate.ceil() as Seconds).max(1);
                expected_of[place] = now as f64 + job.estimate;
                expected.started(RunningEnd { at: expected_of[place], job: job.job, held: job.processors });
                ends.push(Reverse((now + run, place)));
                free -= job.processors;
                outcomes.push(TrialJob { processors: job.processors, wait: now - job.submit, run });
            }
        }
        outcomes
    }
}

/// The outcome of a job in a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TrialJob {
    processors: u32,
    wait: Seconds,
    run: Seconds,
}

impl Goal {
    /// How well the jobs are served, lower is better: the metric over all jobs, or the sum of the logarithms of all
    /// four.
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
    use crate::optimised::round::{Hold, KeptOrder};

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
        // each job takes all four processors: the first ran for 10 of 50 s, the second waits
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
        // every 100 s a wide long and a narrow short job arrive on a full machine, so what matters is which goes first
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
        // a copy with the same knowledge chooses the same candidate
        let mut copy = before;
        copy.adapt(20_000 + EACH, &rule(Objective::Bsld), 4);
        assert_eq!(copy.chosen, adaptive.chosen);
        // two weeks later all jobs are forgotten
        assert!(!adaptive.adapt(20_000 + 20 * EACH, &rule(Objective::Bsld), 4));
        assert!(adaptive.past.is_empty());
    }
}
