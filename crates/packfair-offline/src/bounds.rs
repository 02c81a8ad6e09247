//! Lower bounds of an objective, which no schedule of the workload falls below.

use super::goal::{BOUND, OfflineGoal, OfflineTotal};
use super::problem::{OfflineJob, OfflineProblem};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

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
