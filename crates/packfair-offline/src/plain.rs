//! Plain versions, with which the search and the profile are compared: all orders are tried, and free processors are
//! counted for each second.

use super::problem::{OfflineJob, OfflineProblem};
use packfair_workload::Seconds;

/// The free processors at each second.
pub struct PlainProfile {
    processors: u32,
    free: Vec<u32>,
}

impl PlainProfile {
    pub fn idle(processors: u32) -> Self {
        PlainProfile { processors, free: Vec::new() }
    }

    /// Places a job at its earliest time, and returns that.
    pub fn place(&mut self, job: &OfflineJob) -> Seconds {
        let is_free = |at: &Seconds| {
            let level = |second: Seconds| self.free.get(second as usize).copied().unwrap_or(self.processors);
            (*at..at + job.length).all(|second| level(second) >= job.processors)
        };
        let begin = (job.submit..).find(is_free).expect("beyond all jobs the machine is idle");
        let end = (begin + job.length) as usize;
        if self.free.len() < end {
            self.free.resize(end, self.processors);
        }
        self.free[begin as usize..end].iter_mut().for_each(|free| *free -= job.processors);
        begin
    }

    /// Takes a job out that was placed at `begin`.
    pub fn release(&mut self, job: &OfflineJob, begin: Seconds) {
        self.free[begin as usize..(begin + job.length) as usize].iter_mut().for_each(|free| *free += job.processors);
    }
}

/// The least objective over all orders in which the jobs are placed at their earliest times. If an objective never
/// falls with a later start, no schedule is better.
pub fn least(problem: &OfflineProblem) -> f64 {
    let mut order: Vec<usize> = (0..problem.jobs.len()).collect();
    let mut best = f64::INFINITY;
    each_order(&mut order, 0, &mut |order| {
        let mut profile = PlainProfile::idle(problem.processors);
        let mut starts = vec![0; order.len()];
        for &number in order {
            starts[number] = profile.place(&problem.jobs[number]);
        }
        best = best.min(problem.total(&starts).value());
    });
    best
}

fn each_order(order: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == order.len() {
        return visit(order);
    }
    for i in from..order.len() {
        order.swap(from, i);
        each_order(order, from + 1, visit);
        order.swap(from, i);
    }
}
