//! Plain versions, with which the fast ones are compared.

use super::problem::RoundProblem;
use super::steps::Demand;

/// A profile as plain data: the running jobs alone, and for each placed job when it runs and how wide it is.
pub struct PlainOptimised<'a> {
    problem: &'a RoundProblem<'a>,
    placed: Vec<(i32, i32, i32)>,
}

impl<'a> PlainOptimised<'a> {
    /// The profile of the running jobs alone.
    pub fn new(problem: &'a RoundProblem<'a>) -> Self {
        PlainOptimised { problem, placed: Vec::new() }
    }

    fn free(&self, at: i32) -> i32 {
        let base = self.problem.base.iter().rev().find(|step| step.at <= at).map_or(0, |step| step.free);
        let taken = self.placed.iter().filter(|&&(start, end, _)| (start..end).contains(&at)).map(|placed| placed.2);
        base - taken.sum::<i32>()
    }

    /// The earliest start of a job: now, or when another job starts or ends.
    pub fn earliest(&self, demand: Demand) -> i32 {
        let last = self.problem.base.len() - 1;
        let releases = self.problem.base[..last].iter().map(|step| step.at);
        let changes: Vec<i32> = releases.chain(self.placed.iter().flat_map(|&(start, end, _)| [start, end])).collect();
        let fits = |&start: &i32| {
            let mut within = changes.iter().copied().filter(|&at| (start..start + demand.length).contains(&at));
            self.free(start) >= demand.need && within.all(|at| self.free(at) >= demand.need)
        };
        changes.iter().copied().filter(fits).min().unwrap()
    }

    /// The starts of the jobs of an order, and the objective.
    pub fn decode(problem: &'a RoundProblem<'a>, order: &[u32]) -> (Vec<i32>, f64) {
        let mut plain = PlainOptimised::new(problem);
        let mut total = problem.constant;
        let starts = order.iter().map(|&job| {
            let task = problem.task(job);
            let start = plain.earliest(task.demand);
            plain.placed.push((start, start + task.demand.length, task.demand.take));
            total = task.cost.add(total, start);
            start
        });
        let starts = starts.collect();
        (starts, total.value())
    }
}

/// The least objective of all orders, found by decoding each of them.
pub fn least(problem: &RoundProblem, jobs: &[u32]) -> f64 {
    let mut decoder = super::decode::Decoder::default();
    let mut starts = Vec::new();
    let mut best = f64::INFINITY;
    permute(&mut jobs.to_vec(), 0, &mut |order| best = best.min(decoder.decode(problem, order, &mut starts).value()));
    best
}

/// The least objective of all orders, each decoded on the plain profile, without anything of the fast version.
pub fn least_plainly(problem: &RoundProblem, jobs: &[u32]) -> f64 {
    let mut best = f64::INFINITY;
    permute(&mut jobs.to_vec(), 0, &mut |order| best = best.min(PlainOptimised::decode(problem, order).1));
    best
}

fn permute(jobs: &mut [u32], from: usize, visit: &mut impl FnMut(&[u32])) {
    if from == jobs.len() {
        return visit(jobs);
    }
    for i in from..jobs.len() {
        jobs.swap(from, i);
        permute(jobs, from + 1, visit);
        jobs.swap(from, i);
    }
}
