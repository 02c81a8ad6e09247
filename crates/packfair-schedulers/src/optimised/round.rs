//! The rounds of a simulation: which jobs wait, what is kept from round to round, and which jobs start.

use super::family::{RoundExplanation, explain};
use super::objective::{Objective, Subject, Submitted, Total};
use super::plan::{Effort, Horizon, PlannedStarts, Planner};
use super::problem::{self, Demand, FreeStep, LATEST, RoundProblem, RoundQueue, Task, whole};
use packfair_engine::model::Waiting;
use packfair_workload::{JobId, Seconds};

/// Processors that stay free when a long job starts, for short jobs that may arrive (proposed in CP §5.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The share of the machine, from 0 to 1, rounded up to whole processors.
    pub share: f64,
    /// Jobs with a longer estimate than this are long, seconds.
    pub over: f64,
}

/// What is kept from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptOrder {
    /// Nothing: every round begins with the order of submission.
    Nothing,
    /// The order of the last plan, new jobs at its end.
    Order,
}

/// How rounds plan: the settings of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldRule {
    /// What is minimised.
    pub objective: Objective,
    /// Which jobs are held back.
    pub hold: Hold,
    /// Which order is kept from round to round.
    pub kept: KeptOrder,
    /// How much is spent on a plan.
    pub effort: Effort,
}

/// The state of the cluster at a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The present instant.
    pub now: Seconds,
    /// Idle processors.
    pub free: u32,
    /// The size of the machine R, in processors.
    pub processors: u32,
}

/// The rounds of a simulation, with what is kept from one to the next.
#[derive(Clone, Debug)]
pub struct Rounds {
    rule: HoldRule,
    queue: RoundQueue,
    submitted: Submitted,
    /// The number of rounds so far.
    number: u64,
    horizon: Horizon,
    /// The planned jobs, in the order of submission.
    planned: Vec<u32>,
    base: Vec<FreeStep>,
    tasks: Vec<Task>,
    planner: Planner,
    starts_now: Vec<bool>,
}

impl Rounds {
    /// Rounds with an empty queue.
    pub fn new(rule: HoldRule) -> Self {
        Rounds {
            rule,
            queue: RoundQueue::default(),
            submitted: Submitted::default(),
            number: 0,
            horizon: Horizon::default(),
            planned: Vec::new(),
            base: Vec::new(),
            tasks: Vec::new(),
            planner: Planner::default(),
            starts_now: Vec::new(),
        }
    }

    /// Adds a job that is submitted to the queue.
    pub fn submit(&mut self, job: Waiting) {
        self.submitted.add(f64::from(job.processors), job.estimate.max(1.0));
        self.queue.insert(job);
    }

    /// Takes over new estimates of waiting jobs, seconds, indexed by log order.
    pub fn reestimate(&mut self, estimates: &[f64]) {
        self.queue.reestimate(estimates);
    }

    /// Whether any job is narrow enough to start now.
    pub fn could_start(&self, moment: Moment) -> bool {
        let mut waiting = self.queue.submitted.iter().map(|&place| &self.queue.jobs[place as usize]);
        waiting.any(|job| self.rule.hold.need(job, moment.processors) <= moment.free)
    }

    /// Decides one round: plans, and passes the jobs that start now to `start`, in the order of submission. `releases`
    /// are the expected ends of the running jobs with their processors, the soonest first.
    pub fn round(&mut self, moment: Moment, releases: impl Iterator<Item = (f64, u32)>, start: impl FnMut(Waiting)) {
        self.number += 1;
        if self.could_start(moment) {
            self.plan(moment, releases);
            self.carry_out(start);
        }
    }

    /// Makes a plan, which [`Rounds::carry_out`] then carries out.
    fn plan(&mut self, moment: Moment, releases: impl Iterator<Item = (f64, u32)>) {
        let (base, tasks) = (&mut self.base, &mut self.tasks);
        let constant = prepare(&self.rule, &self.queue, &self.submitted, moment, releases, base, tasks);
        let Rounds { rule, queue, horizon, planned, base, tasks, planner, starts_now, .. } = self;
        horizon.choose(&queue.kept, queue.newcomers, rule.effort.depth, |job| tasks[job as usize].density());
        planned.clear();
        if horizon.beyond.is_empty() {
            planned.extend_from_slice(&queue.submitted);
        } else {
            planned.extend_from_slice(&horizon.planned);
            planned.sort_unstable_by_key(|&place| queue.jobs[place as usize].job);
        }
        let problem = problem(rule, base, tasks, &queue.submitted, constant);
        let first = match rule.kept {
            KeptOrder::Nothing => &planned[..],
            KeptOrder::Order => &horizon.planned[..],
        };
        planner.plan(&problem, planned, first, &rule.effort, self.number);
        if rule.effort.starts == PlannedStarts::Whole && !horizon.beyond.is_empty() {
            planner.widen(&problem, &queue.submitted, &horizon.beyond);
            horizon.beyond.clear();
        }
        starts_now.clear();
        starts_now.resize(tasks.len(), false);
        let mut free = whole(moment.free);
        for (&place, &start) in planner.order().iter().zip(planner.starts()) {
            if start == 0 {
                starts_now[place as usize] = true;
                free -= tasks[place as usize].demand.take;
            }
        }
        if horizon.beyond.iter().any(|&place| tasks[place as usize].demand.need <= free) {
            planner.besides(&problem, &horizon.beyond, |place| starts_now[place as usize] = true);
        }
    }

    fn carry_out(&mut self, mut start: impl FnMut(Waiting)) {
        for &place in &self.queue.submitted {
            if self.starts_now[place as usize] {
                start(self.queue.jobs[place as usize]);
            }
        }
        self.queue.keep(self.planner.order(), &self.horizon.beyond);
        self.queue.remove(&self.starts_now);
    }

    /// The present queue with planned starts, seconds from now, in the order of the last plan.
    pub fn planned(&self, moment: Moment, releases: impl Iterator<Item = (f64, u32)>) -> Vec<(Waiting, i32)> {
        let (mut base, mut tasks) = (Vec::new(), Vec::new());
        let constant = prepare(&self.rule, &self.queue, &self.submitted, moment, releases, &mut base, &mut tasks);
        let problem = problem(&self.rule, &base, &tasks, &self.queue.submitted, constant);
        let mut starts = Vec::new();
        super::search::Decoder::default().decode(&problem, &self.queue.kept, &mut starts);
        let job = |&place: &u32| self.queue.jobs[place as usize];
        self.queue.kept.iter().map(job).zip(starts).collect()
    }

    /// Why a waiting job has not started, by the order of the last plan; none where the job does not wait.
    pub fn explain(
        &self,
        job: JobId,
        moment: Moment,
        releases: impl Iterator<Item = (f64, u32)>,
    ) -> Option<RoundExplanation> {
        let (mut base, mut tasks) = (Vec::new(), Vec::new());
        let constant = prepare(&self.rule, &self.queue, &self.submitted, moment, releases, &mut base, &mut tasks);
        let problem = problem(&self.rule, &base, &tasks, &self.queue.submitted, constant);
        let place = self.queue.submitted.iter().find(|&&place| self.queue.jobs[place as usize].job == job)?;
        explain(&problem, self.rule.objective, &self.queue.kept, *place)
    }
}

impl Hold {
    /// The number of processors that must be free for a job to start.
    fn need(self, job: &Waiting, processors: u32) -> u32 {
        if self.share == 0.0 || job.estimate <= self.over {
            return job.processors;
        }
        let held = (self.share * f64::from(processors)).ceil() as u32;
        // a job that needs the whole machine must not be held back for ever
        job.processors.saturating_add(held).min(processors)
    }
}

/// Makes the profile of the running jobs, and the tasks of the waiting ones. Returns the part of the objective that no
/// plan changes.
fn prepare(
    rule: &HoldRule,
    queue: &RoundQueue,
    submitted: &Submitted,
    moment: Moment,
    releases: impl Iterator<Item = (f64, u32)>,
    base: &mut Vec<FreeStep>,
    tasks: &mut Vec<Task>,
) -> Total {
    let now = moment.now as f64;
    let until = |end: f64| (end - now).ceil().clamp(1.0, f64::from(LATEST)) as i32;
    problem::rebuild(base, moment.free, releases.map(|(end, processors)| (until(end), processors)));
    // even run one after the other, all jobs end before the latest time
    let longest = f64::from(LATEST / i32::try_from(queue.submitted.len() + 1).unwrap_or(LATEST));
    tasks.resize(queue.jobs.len(), Task::default());
    let subject = |job: &Waiting| Subject {
        processors: f64::from(job.processors),
        estimate: job.estimate.ceil().clamp(1.0, longest),
        wait: (moment.now - job.submit) as f64,
    };
    for &place in &queue.submitted {
        let job = &queue.jobs[place as usize];
        let subject = subject(job);
        let need = whole(rule.hold.need(job, moment.processors));
        tasks[place as usize] = Task {
            demand: Demand { need, take: whole(job.processors), length: subject.estimate as i32 },
            cost: rule.objective.cost(subject, submitted),
        };
    }
    rule.objective.constant(queue.submitted.iter().map(|&place| subject(&queue.jobs[place as usize])))
}

fn problem<'a>(
    rule: &HoldRule,
    base: &'a [FreeStep],
    tasks: &'a [Task],
    waiting: &[u32],
    constant: Total,
) -> RoundProblem<'a> {
    let narrowest = waiting.iter().map(|&place| tasks[place as usize].demand.need).min().unwrap_or(1);
    RoundProblem { base, tasks, constant, narrowest, is_monotone: rule.objective.is_monotone() }
}
