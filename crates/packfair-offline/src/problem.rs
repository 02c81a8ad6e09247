//! All jobs of a workload as one problem.

use packfair_schedulers::Profile;
use packfair_workload::{Seconds, Workload};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A job of the problem. Times are seconds from the first submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineJob {
    pub submit: Seconds,
    /// How long it takes its processors, seconds: its run time, at least 1.
    pub length: Seconds,
    /// Processors r, as the profile counts them.
    pub processors: u32,
    /// Processors r, as objectives count them.
    pub width: f64,
    /// Run time D, seconds.
    pub run: f64,
}

impl OfflineJob {
    /// Reserves for the job at its earliest time, and returns that.
    pub fn place(&self, profile: &mut Profile) -> Seconds {
        let start = profile.earliest_after(self.submit as f64, self.processors, self.length as f64) as Seconds;
        self.reserve(profile, start);
        start
    }

    /// Reserves for the job at `start`.
    pub fn reserve(&self, profile: &mut Profile, start: Seconds) {
        profile.reserve(start as f64, (start + self.length) as f64, self.processors);
    }

    /// Gives back what was reserved for the job at `start`.
    pub fn release(&self, profile: &mut Profile, start: Seconds) {
        profile.release(start as f64, (start + self.length) as f64, self.processors);
    }
}

/// The jobs, the machine and the objective.
#[derive(Clone, Debug)]
pub struct OfflineProblem {
    /// The time of the first submission, on the workload's clock.
    pub origin: Seconds,
    pub processors: u32,
    pub jobs: Vec<OfflineJob>,
    pub goal: OfflineGoal,
}

impl OfflineProblem {
    pub fn new(workload: &Workload, goal: OfflineGoal) -> Self {
        let requests = workload.requests();
        let origin = requests.iter().map(|request| request.submit).min().unwrap_or(0);
        let job = |(request, &run): (&packfair_workload::Request, &Seconds)| OfflineJob {
            submit: request.submit - origin,
            length: run.max(1),
            processors: request.processors,
            width: f64::from(request.processors),
            run: run as f64,
        };
        let jobs = requests.iter().zip(workload.runs()).map(job).collect();
        OfflineProblem { origin, processors: workload.machine.processors, jobs, goal }
    }

    /// What a job adds to the total if it starts at `start`.
    #[inline]
    pub fn cost(&self, job: u32, start: Seconds) -> OfflineTotal {
        let job = &self.jobs[job as usize];
        self.goal.cost(job, (start - job.submit) as f64)
    }

    pub fn total(&self, starts: &[Seconds]) -> OfflineTotal {
        let costs = (0..).zip(starts).map(|(job, &start)| self.cost(job, start));
        costs.fold(OfflineTotal::default(), OfflineTotal::plus)
    }
}

// What an off-line schedule minimises: a metric of METRICS §III over all jobs.

/// The objective of a whole schedule (CP §2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfflineGoal {
    /// Bounded slowdown: the mean of max(1, F / max(10, D)).
    Bsld,
    /// The average response time: the mean of F.
    Af,
    /// The area-weighted response time: Σ r D F / Σ r D.
    Awf,
    /// Level-2 priority-weighted specific response time: 3/4 Σ r (F⁴ - Q⁴) / Σ r (F³ - Q³).
    P2sf,
}

/// The bound of slowdowns: every job counts as if it ran at least this long, seconds.
pub const BOUND: f64 = 10.0;

/// The numerator and denominator of a metric, for one job or for several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfflineTotal {
    /// The sum that is divided.
    pub numerator: f64,
    /// The sum by which it is divided.
    pub denominator: f64,
}

impl OfflineTotal {
    pub fn value(self) -> f64 {
        self.numerator / self.denominator
    }

    /// The sum of two totals.
    pub fn plus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator + other.numerator, denominator: self.denominator + other.denominator }
    }

    /// The difference of two totals.
    pub fn minus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator - other.numerator, denominator: self.denominator - other.denominator }
    }
}

impl OfflineGoal {
    /// What a job adds to the total if it waits `wait` seconds.
    #[inline]
    pub fn cost(self, job: &OfflineJob, wait: f64) -> OfflineTotal {
        let (r, run) = (job.width, job.run);
        let response = wait + run;
        let (numerator, denominator) = match self {
            OfflineGoal::Bsld => ((response / run.max(BOUND)).max(1.0), 1.0),
            OfflineGoal::Af => (response, 1.0),
            OfflineGoal::Awf => (r * run * response, r * run),
            // computed as factors, so that nothing cancels
            OfflineGoal::P2sf => (
                0.75 * r * run * (response + wait) * (response * response + wait * wait),
                r * run * (response * response + response * wait + wait * wait),
            ),
        };
        OfflineTotal { numerator, denominator }
    }

    /// Whether the denominator is the same in every schedule.
    pub fn is_sum(self) -> bool {
        self != OfflineGoal::P2sf
    }

    /// The best on-line scheduler that there is for the same objective.
    pub fn online(self) -> &'static str {
        match self {
            OfflineGoal::Bsld => "optimised:objective=weighted,wb=1,wf=0.01",
            OfflineGoal::Af => "opt-af",
            OfflineGoal::Awf => "opt-awf",
            OfflineGoal::P2sf => "optimised:objective=p2sf-sum",
        }
    }
}

// Lower bounds of an objective, which no schedule of the workload falls below.

/// The best known lower bound for the objective; NaN where there are no jobs.
pub fn lower_bound(problem: &OfflineProblem) -> f64 {
    match problem.goal {
        OfflineGoal::P2sf => least_quotient(problem),
        _ => without_waits(problem).max(by_busy_time(problem)),
    }
}

/// The objective if each job waits as long as `wait` says, in seconds.
fn with_waits(problem: &OfflineProblem, wait: impl Fn(&OfflineJob) -> f64) -> f64 {
    let costs = problem.jobs.iter().map(|job| problem.goal.cost(job, wait(job)));
    costs.fold(OfflineTotal::default(), OfflineTotal::plus).value()
}

/// The bound from each job alone: none waits.
fn without_waits(problem: &OfflineProblem) -> f64 {
    with_waits(problem, |_| 0.0)
}

/// The bound from each job alone, with the waits that make the quotient least, since a wait raises the denominator too.
/// It is the λ for which the least value of Σ numerator - λ Σ denominator is 0, found by Dinkelbach's method.
fn least_quotient(problem: &OfflineProblem) -> f64 {
    let mut value = without_waits(problem);
    // the value falls with each step, and stops to fall after some steps
    for _ in 0..64 {
        // the metric has a factor 3/4, which λ has not
        let less = with_waits(problem, |job| cheapest_wait(job.run, value / 0.75));
        if less >= value {
            break;
        }
        value = less;
    }
    // a margin for the rounding of the sums
    value * (1.0 - 1e-9)
}

/// The wait Q at which (F⁴ - Q⁴) - λ (F³ - Q³) is least, with F = Q + D. There its derivative, D (12 Q² + (12 D - 6 λ)
/// Q + 4 D² - 3 λ D), is 0 and rises.
fn cheapest_wait(run: f64, lambda: f64) -> f64 {
    let (half, constant) = (6.0 * run - 3.0 * lambda, run * (4.0 * run - 3.0 * lambda));
    let root = half * half - 12.0 * constant;
    if root <= 0.0 { 0.0 } else { ((-half + root.sqrt()) / 12.0).max(0.0) }
}

/// A job with processor-seconds left to process.
#[derive(Clone, Copy, Debug, PartialEq)]
struct UncutJob {
    /// The weight for each processor-second.
    density: f64,
    weight: f64,
    area: f64,
    left: f64,
    job: usize,
}

impl Eq for UncutJob {}

impl PartialOrd for UncutJob {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UncutJob {
    fn cmp(&self, other: &Self) -> Ordering {
        self.density.total_cmp(&other.density).then(other.job.cmp(&self.job))
    }
}

/// The bound from mean busy times, with preemption. Jobs are divisible and get the whole machine one after the other;
/// at each time the submitted job with the greatest weight for its area runs. No schedule has a smaller sum of the
/// weighted mean times M of the jobs' processor-seconds, and a job that runs without interruption completes at M + D /
/// 2.
fn by_busy_time(problem: &OfflineProblem) -> f64 {
    let machine = f64::from(problem.processors);
    let weight = |job: &OfflineJob| match problem.goal {
        OfflineGoal::Bsld => 1.0 / job.run.max(BOUND),
        OfflineGoal::Awf => job.width * job.run,
        OfflineGoal::Af | OfflineGoal::P2sf => 1.0,
    };
    let mut order: Vec<usize> = (0..problem.jobs.len()).collect();
    order.sort_by_key(|&job| problem.jobs[job].submit);
    let mut arrivals = order.into_iter().peekable();
    let mut uncut: BinaryHeap<UncutJob> = BinaryHeap::new();
    let (mut now, mut sum, mut denominator) = (0.0_f64, 0.0, 0.0);
    loop {
        if uncut.is_empty() {
            let Some(&next) = arrivals.peek() else { break };
            now = now.max(problem.jobs[next].submit as f64);
        }
        while let Some(number) = arrivals.next_if(|&job| problem.jobs[job].submit as f64 <= now) {
            let job = &problem.jobs[number];
            let (weight, area) = (weight(job), job.width * job.run);
            denominator += problem.goal.cost(job, 0.0).denominator;
            // F = M + D / 2 - s; a job without area takes no time
            sum += weight * (job.run / 2.0 - if area > 0.0 { job.submit as f64 } else { 0.0 });
            if area > 0.0 {
                uncut.push(UncutJob { density: weight / area, weight, area, left: area, job: number });
            }
        }
        let Some(mut first) = uncut.pop() else { continue };
        let next = arrivals.peek().map_or(f64::INFINITY, |&job| problem.jobs[job].submit as f64);
        let takes = first.left / machine;
        let part = takes.min(next - now);
        sum += first.weight * (part * machine / first.area) * (now + part / 2.0);
        if takes > part {
            first.left -= part * machine;
            uncut.push(first);
            now = next;
        } else {
            now += part;
        }
    }
    // a margin for the rounding of the sums
    sum / denominator * (1.0 - 1e-9)
}
