//! The search for an off-line schedule: the on-line schedule first, then the annealing.

use super::annealing::OfflineAnnealing;
use super::problem::{self, OfflineGoal, OfflineProblem};
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::model::{NoteId, Schedule};
use packfair_engine::simulation::{Correction, Options, Progress, Simulation};
use packfair_schedulers::{Policy, Profile};
use packfair_workload::{Seconds, Workload};

/// What is minimised, and how long the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfflineRule {
    goal: OfflineGoal,
    /// Changes that are tried for each job of the workload.
    iterations: u64,
    seed: u64,
}

impl OfflineRule {
    /// The rule of a policy; none where the policy is not off-line.
    pub fn of(policy: &Policy) -> Option<Self> {
        if !policy.is_offline() {
            return None;
        }
        let settings = policy.settings();
        let whole = |id| settings.whole(id).unwrap_or_default() as u64;
        let goal = match settings.choice("objective") {
            "bsld" => OfflineGoal::Bsld,
            "awf" => OfflineGoal::Awf,
            "p2sf" => OfflineGoal::P2sf,
            _ => OfflineGoal::Af,
        };
        Some(OfflineRule { goal, iterations: whole("iterations"), seed: whole("seed") })
    }
}

/// The number of changes in a step of [`OfflineSearch::advance`]. They take about as long as an instant of a
/// simulation.
const STEP: u64 = 16;

/// The share of a search that the on-line schedule counts as, for progress.
const FIRST: f64 = 0.03;

/// A search for an off-line schedule that can be advanced bit by bit.
pub struct OfflineSearch<'a> {
    rule: OfflineRule,
    workload: &'a Workload,
    stage: OfflineStage<'a>,
}

enum OfflineStage<'a> {
    /// The simulation of the on-line schedule, with which the search may begin; none once it is done.
    OnLine(Option<Box<Simulation<'a>>>),
    Improving(Box<OfflineAnnealing>),
}

impl<'a> OfflineSearch<'a> {
    /// A search that has not done anything yet.
    pub fn begin(rule: OfflineRule, workload: &'a Workload) -> Self {
        OfflineSearch { rule, workload, stage: OfflineStage::OnLine(Some(Box::new(online(rule.goal, workload)))) }
    }

    /// Goes on by up to this many steps.
    pub fn advance(&mut self, steps: usize) -> Progress {
        match &mut self.stage {
            OfflineStage::OnLine(simulation) => {
                let is_there = |simulation: &mut Box<Simulation>| simulation.advance(steps).is_done();
                if let Some(online) = simulation.take_if(is_there) {
                    self.improve(online.finish());
                    if steps == usize::MAX {
                        return self.advance(steps);
                    }
                }
            }
            OfflineStage::Improving(annealing) => annealing.advance((steps as u64).saturating_mul(STEP)),
        }
        self.progress()
    }

    /// How far the search has come, counted in jobs of the workload.
    fn progress(&self) -> Progress {
        let jobs = self.workload.len();
        let share = match &self.stage {
            OfflineStage::OnLine(simulation) => {
                let completed = simulation.as_ref().map_or(0, |simulation| simulation.progress().completed);
                FIRST * completed as f64 / jobs.max(1) as f64
            }
            OfflineStage::Improving(annealing) if annealing.left() == 0 => {
                return Progress { completed: jobs, jobs };
            }
            OfflineStage::Improving(annealing) => FIRST + (1.0 - FIRST) * annealing.done(),
        };
        Progress { completed: ((share * jobs as f64) as usize).min(jobs.saturating_sub(1)), jobs }
    }

    /// Begins to improve the better of the on-line schedule and the one that places all jobs in one profile.
    fn improve(&mut self, online: Schedule) {
        let problem = OfflineProblem::new(self.workload, self.rule.goal);
        let online: Vec<Seconds> = online.starts.iter().map(|start| start - problem.origin).collect();
        let starts = better(&problem, online);
        let iterations = self.rule.iterations.saturating_mul(self.workload.len() as u64);
        let annealing = OfflineAnnealing::new(problem, starts, iterations, self.rule.seed);
        self.stage = OfflineStage::Improving(Box::new(annealing));
    }

    /// Searches to the end. Returns the best schedule, with a lower bound of its objective as a note.
    pub fn finish(mut self) -> Schedule {
        self.advance(usize::MAX);
        let origin = self.workload.requests().iter().map(|request| request.submit).min().unwrap_or(0);
        let starts = match &self.stage {
            OfflineStage::Improving(annealing) => annealing.best().iter().map(|start| start + origin).collect(),
            // the search has not begun to improve, so there are no jobs
            OfflineStage::OnLine(_) => Vec::new(),
        };
        let mut schedule = Schedule {
            estimates: self.workload.runs().iter().map(|&run| run as f64).collect(),
            corrections: vec![0; self.workload.len()],
            ..Schedule::of_starts(self.workload, starts)
        };
        let problem = OfflineProblem::new(self.workload, self.rule.goal);
        let bound = problem::lower_bound(&problem);
        // where no job takes any time, there is no area to weigh by
        if bound.is_finite() {
            schedule.notes.set(NoteId::LOWER_BOUND, bound);
        }
        schedule
    }
}

/// The simulation of the on-line scheduler for the same objective, given the run times, before the first job arrives.
fn online(goal: OfflineGoal, workload: &Workload) -> Simulation<'_> {
    // a test of this module builds each of them
    let policy: Policy = goal.online().parse().unwrap_or_else(|e| panic!("{e}"));
    let scheduler = policy.build().unwrap_or_else(|| panic!("{} decides", goal.online()));
    let usual = policy.usual(false);
    let options =
        Options { correction: Correction::default(), reestimation: usual.reestimation, trigger: usual.trigger };
    Simulation::new(workload, scheduler, Estimate::of(Method::actual()).build(workload), options)
}

// The schedule to begin with: all jobs are placed in one order in one profile.

/// About how many jobs are submitted in a span.
const JOBS_TO_A_SPAN: Seconds = 8;

/// The length of the spans in which jobs are listed by their starts, seconds.
pub fn span(problem: &OfflineProblem) -> Seconds {
    let jobs = problem.jobs.len().max(1) as Seconds;
    let last = problem.jobs.iter().map(|job| job.submit + job.length).max().unwrap_or(1);
    // so that all jobs, run one after the other, take about four spans for each job at most
    let work = problem.jobs.iter().fold(0, |sum: Seconds, job| sum.saturating_add(job.length));
    (last / jobs * JOBS_TO_A_SPAN).max(work / jobs / 4).max(1)
}

/// The starts of all jobs in log order, when they are placed one after the other at their earliest times in the order
/// of r D² (that of List-SPF).
pub fn by_area_and_run(problem: &OfflineProblem) -> Vec<Seconds> {
    let key = |&job: &u32| {
        let job = &problem.jobs[job as usize];
        job.width * job.run * job.run
    };
    let mut order: Vec<u32> = (0..problem.jobs.len() as u32).collect();
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    in_order(problem, &order)
}

/// The starts of all jobs in log order, when they are placed at their earliest times in this order.
pub fn in_order(problem: &OfflineProblem, order: &[u32]) -> Vec<Seconds> {
    let mut profile = Profile::idle(0.0, problem.processors);
    let mut starts = vec![0; problem.jobs.len()];
    for &number in order {
        starts[number as usize] = problem.jobs[number as usize].place(&mut profile);
    }
    starts
}

/// The better of these starts and those of [`by_area_and_run`].
pub fn better(problem: &OfflineProblem, online: Vec<Seconds>) -> Vec<Seconds> {
    let placed = by_area_and_run(problem);
    if problem.total(&placed).value() < problem.total(&online).value() { placed } else { online }
}

// Which jobs start near a time.

/// Jobs by their starts, in spans of equal length.
#[derive(Clone, Debug)]
pub struct StartSpans {
    length: Seconds,
    spans: Vec<Vec<u32>>,
    places: Vec<u32>,
}

impl StartSpans {
    pub fn new(length: Seconds, starts: &[Seconds]) -> Self {
        let mut spans = StartSpans { length: length.max(1), spans: Vec::new(), places: vec![0; starts.len()] };
        for (job, &start) in (0..).zip(starts) {
            spans.insert(job, start);
        }
        spans
    }

    /// The number of the span in which a time lies.
    pub fn span_of(&self, at: Seconds) -> usize {
        (at / self.length) as usize
    }

    pub fn of(&self, span: usize) -> &[u32] {
        self.spans.get(span).map_or(&[], Vec::as_slice)
    }

    /// Moves a job from one start to another.
    pub fn change(&mut self, job: u32, from: Seconds, to: Seconds) {
        if self.span_of(from) == self.span_of(to) {
            return;
        }
        let (span, place) = (self.span_of(from), self.places[job as usize]);
        self.spans[span].swap_remove(place as usize);
        if let Some(&moved) = self.spans[span].get(place as usize) {
            self.places[moved as usize] = place;
        }
        self.insert(job, to);
    }

    fn insert(&mut self, job: u32, start: Seconds) {
        let span = self.span_of(start);
        if self.spans.len() <= span {
            self.spans.resize_with(span + 1, Vec::new);
        }
        self.places[job as usize] = self.spans[span].len() as u32;
        self.spans[span].push(job);
    }
}
