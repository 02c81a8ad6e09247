//! Plain versions, with which the search and its profile are compared: all orders are tried, and free processors are
//! counted for each second.

use super::problem::OfflineProblem;
use crate::workload::Seconds;

/// The free processors at each second.
pub struct PlainProfile {
    processors: i32,
    free: Vec<i32>,
}

impl PlainProfile {
    pub fn idle(processors: i32) -> Self {
        PlainProfile { processors, free: Vec::new() }
    }

    /// The earliest time, at `from` or later, from which this many processors are free for `length` seconds.
    pub fn earliest(&self, from: Seconds, processors: i32, length: Seconds) -> Seconds {
        let is_free = |at: &Seconds| {
            let level = |second: Seconds| self.free.get(second as usize).copied().unwrap_or(self.processors);
            (*at..at + length).all(|second| level(second) >= processors)
        };
        (from..).find(is_free).expect("beyond all jobs the machine is idle")
    }

    /// Adds `by` to the free processors from `begin` to before `end`.
    pub fn raise(&mut self, begin: Seconds, end: Seconds, by: i32) {
        if self.free.len() < end as usize {
            self.free.resize(end as usize, self.processors);
        }
        self.free[begin as usize..end as usize].iter_mut().for_each(|free| *free += by);
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
            let job = &problem.jobs[number];
            starts[number] = profile.earliest(job.submit, job.processors, job.length);
            profile.raise(starts[number], starts[number] + job.length, -job.processors);
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
