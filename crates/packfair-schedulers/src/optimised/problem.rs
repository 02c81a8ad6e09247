//! The problem of a round: the profile of the running jobs, and the waiting jobs with their costs.

use super::objective::{Cost, Total};
use packfair_engine::model::Waiting;

/// A waiting job.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Task {
    /// What the job takes of the profile.
    pub demand: Demand,
    /// What the start of the job costs.
    pub cost: Cost,
}

impl Task {
    /// The area r E, processor-seconds.
    #[inline]
    pub fn area(&self) -> f64 {
        f64::from(self.demand.take) * f64::from(self.demand.length)
    }

    /// The initial rise of the cost per second and area. If jobs could be split, the best order would be by falling
    /// density.
    pub fn density(&self) -> f64 {
        self.cost.slope(0) / self.area()
    }
}

impl Default for Demand {
    fn default() -> Self {
        Demand { need: 0, take: 0, length: 1 }
    }
}

/// The problem of a round. Jobs are known by their places in `tasks`.
#[derive(Clone, Copy, Debug)]
pub struct RoundProblem<'a> {
    /// The free processors as running jobs are expected to end; times are relative to now.
    pub base: &'a [FreeStep],
    /// The waiting jobs. Vacant places hold any value.
    pub tasks: &'a [Task],
    /// The part of the objective that no plan changes.
    pub constant: Total,
    /// The fewest processors that any job needs.
    pub narrowest: i32,
    /// Whether a later start never lowers the objective. Lower bounds hold only then.
    pub is_monotone: bool,
}

impl RoundProblem<'_> {
    /// The waiting job at a place.
    #[inline]
    pub fn task(&self, place: u32) -> &Task {
        &self.tasks[place as usize]
    }
}

// The waiting jobs in two orders: that of submission and that of the last plan.

/// The waiting jobs.
#[derive(Clone, Debug, Default)]
pub struct RoundQueue {
    /// The jobs by place. Vacant places hold the job that was last there.
    pub jobs: Vec<Waiting>,
    vacant: Vec<u32>,
    /// Places in the order of submission.
    pub submitted: Vec<u32>,
    /// Places in the order of the last plan, new jobs at the end.
    pub kept: Vec<u32>,
    /// The number of jobs that have arrived since the last plan.
    pub newcomers: usize,
}

impl RoundQueue {
    /// Adds a job to the queue.
    pub fn insert(&mut self, job: Waiting) {
        let place = match self.vacant.pop() {
            Some(place) => {
                self.jobs[place as usize] = job;
                place
            }
            None => {
                self.jobs.push(job);
                self.jobs.len() as u32 - 1
            }
        };
        // a job that was withheld may enter after later ones
        let at = self.submitted.partition_point(|&other| self.jobs[other as usize].job < job.job);
        self.submitted.insert(at, place);
        self.kept.push(place);
        self.newcomers += 1;
    }

    /// Removes the jobs that have started.
    pub fn remove(&mut self, has_started: &[bool]) {
        let vacant = &mut self.vacant;
        self.submitted.retain(|&place| {
            if has_started[place as usize] {
                vacant.push(place);
            }
            !has_started[place as usize]
        });
        self.kept.retain(|&place| !has_started[place as usize]);
    }

    /// Keeps the order of a plan. No job counts as new any more.
    pub fn keep(&mut self, order: &[u32], beyond: &[u32]) {
        self.kept.clear();
        self.kept.extend_from_slice(order);
        self.kept.extend_from_slice(beyond);
        self.newcomers = 0;
    }

    /// Takes over new estimates of waiting jobs, seconds, indexed by log order.
    pub fn reestimate(&mut self, estimates: &[f64]) {
        for &place in &self.submitted {
            let job = &mut self.jobs[place as usize];
            job.estimate = estimates[job.job.index()];
        }
    }
}

// Orders to start from: what lists with backfilling would do.

/// The orders by which waiting jobs are listed. Ties keep the order of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartList {
    /// First come first served (List-REG).
    Fcfs,
    /// Shortest first.
    Sjf,
    /// Smallest area r E first.
    Saf,
    /// Smallest r E² first.
    Spf,
    /// Largest area first.
    Laf,
    /// Widest first.
    Widest,
    /// Steepest rise of cost per area first.
    Density,
}

impl StartList {
    /// All list orders.
    pub const ALL: [StartList; 7] = [
        StartList::Density,
        StartList::Fcfs,
        StartList::Sjf,
        StartList::Saf,
        StartList::Spf,
        StartList::Laf,
        StartList::Widest,
    ];

    /// The value by which the list is sorted, smallest first.
    #[inline]
    fn key(self, problem: &RoundProblem, job: u32) -> f64 {
        let task = problem.task(job);
        let (width, length) = (f64::from(task.demand.take), f64::from(task.demand.length));
        match self {
            StartList::Fcfs => 0.0,
            StartList::Sjf => length,
            StartList::Saf => width * length,
            StartList::Spf => width * length * length,
            StartList::Laf => -width * length,
            StartList::Widest => -width,
            StartList::Density => -task.density(),
        }
    }
}

/// Sorts `submitted`, the jobs in the order of submission, into `order`, the order of a list.
pub fn sort_by_list(
    list: StartList,
    problem: &RoundProblem,
    submitted: &[u32],
    keyed: &mut Vec<(f64, u32)>,
    order: &mut Vec<u32>,
) {
    order.clear();
    if list == StartList::Fcfs {
        order.extend_from_slice(submitted);
        return;
    }
    keyed.clear();
    keyed.extend(submitted.iter().zip(0..).map(|(&job, i)| (list.key(problem, job), i)));
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.extend(keyed.iter().map(|&(_, i)| submitted[i as usize]));
}

// Free processors over time, relative to now: the compact profile that orders are decoded on.
//
// Neighbouring steps have different numbers of free processors, so that equal profiles are equal slices.

/// A step: `free` processors are free from `at` until the next step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeStep {
    /// Seconds from now.
    pub at: i32,
    /// The number of free processors.
    pub free: i32,
}

/// A mark behind the last step: no job begins there.
const END: FreeStep = FreeStep { at: i32::MAX, free: i32::MIN };

/// The latest time at which a running job is taken to end, seconds from now (34 years). As much time is left for all
/// waiting jobs together, so that no sum of times overflows.
pub const LATEST: i32 = 1 << 30;

/// What a job takes of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Processors that must be free throughout.
    pub need: i32,
    /// Processors that the job takes, at most `need`.
    pub take: i32,
    /// How long it takes them, seconds, at least 1.
    pub length: i32,
}

/// Where a job goes in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepFit {
    /// When the job starts, seconds from now.
    pub start: i32,
    /// The index of the step with which it begins.
    first: usize,
    /// The index of the first step that does not begin before its end.
    beyond: usize,
}

/// Builds the profile of running jobs in `steps`. `releases` are what each gives back (seconds from now, processors),
/// soonest first.
pub fn rebuild(steps: &mut Vec<FreeStep>, free: u32, releases: impl Iterator<Item = (i32, u32)>) {
    steps.clear();
    let mut last = FreeStep { at: 0, free: whole(free) };
    for (at, processors) in releases {
        if at > last.at {
            steps.push(last);
            last.at = at;
        }
        last.free = last.free.saturating_add(whole(processors));
    }
    steps.push(last);
    steps.push(END);
}

/// A number of processors, as profiles count them.
pub fn whole(processors: u32) -> i32 {
    i32::try_from(processors).unwrap_or(i32::MAX)
}

/// The earliest place for a job. The job must not need more processors than are free in the last step.
#[inline]
pub fn fit(steps: &[FreeStep], demand: Demand) -> StepFit {
    let Demand { need, length, .. } = demand;
    let mut first = 0;
    'begin: loop {
        while steps[first].free < need {
            first += 1;
        }
        let start = steps[first].at;
        let end = start + length;
        for (beyond, step) in steps.iter().enumerate().skip(first + 1) {
            if step.at >= end {
                return StepFit { start, first, beyond };
            }
            if step.free < need {
                first = beyond + 1;
                continue 'begin;
            }
        }
        // the job ends after all steps begin
        return StepFit { start, first, beyond: steps.len() - 1 };
    }
}

/// Writes `steps`, with a job at its place, into `out`. No job needs less than `narrowest`: where fewer processors are
/// free, none counts as free, and steps before the first start of any job are left out.
#[inline]
pub fn reserve(steps: &[FreeStep], demand: Demand, fit: StepFit, narrowest: i32, out: &mut Vec<FreeStep>) {
    let StepFit { start, first, beyond } = fit;
    let (take, end) = (demand.take, start + demand.length);
    let lowered = |free: i32| if free - take < narrowest { 0 } else { free - take };
    out.clear();
    out.reserve(steps.len() + 2);
    out.extend_from_slice(&steps[..first]);
    let mut last = if first > 0 { steps[first - 1].free } else { 0 };
    for step in &steps[first..beyond] {
        let free = lowered(step.free);
        if free != last {
            out.push(FreeStep { at: step.at, free });
            last = free;
        }
    }
    let before = steps[beyond - 1].free;
    if steps[beyond].at > end {
        out.push(FreeStep { at: end, free: before });
        out.extend_from_slice(&steps[beyond..]);
    } else {
        out.extend_from_slice(&steps[beyond + usize::from(steps[beyond].free == last)..]);
    }
}

/// The earliest start of a job in a profile of running jobs, where the number of free processors only rises.
#[inline]
pub fn earliest(base: &[FreeStep], need: i32) -> i32 {
    base.iter().find(|step| step.free >= need).map_or(i32::MAX, |step| step.at)
}
