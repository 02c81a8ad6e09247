//! Plain versions, with which the fast ones are compared.

use super::problem::RoundProblem;
use crate::Profile;

/// The starts of the jobs of an order, each at its earliest in the profile that all schedulers share, and the objective.
pub fn decode(problem: &RoundProblem, order: &[u32]) -> (Vec<i32>, f64) {
    let mut profile = running(problem);
    let mut total = problem.constant;
    let starts = order.iter().map(|&job| {
        let task = problem.task(job);
        let (need, take) = (task.demand.need as u32, task.demand.take as u32);
        let start = profile.earliest(need, f64::from(task.demand.length));
        profile.reserve(start, start + f64::from(task.demand.length), take);
        total = task.cost.add(total, start as i32);
        start as i32
    });
    let starts = starts.collect();
    (starts, total.value())
}

/// The profile of the running jobs alone.
fn running(problem: &RoundProblem) -> Profile {
    // behind the last step stands a mark
    let steps = &problem.base[..problem.base.len() - 1];
    let releases = steps.windows(2).map(|two| (f64::from(two[1].at), (two[1].free - two[0].free) as u32));
    let mut profile = Profile::default();
    profile.begin_with(0.0, steps.last().map_or(0, |step| step.free) as u32, releases);
    profile
}

/// The least objective of all orders, found by decoding each of them.
pub fn least(problem: &RoundProblem, jobs: &[u32]) -> f64 {
    let mut decoder = super::search::Decoder::default();
    let mut starts = Vec::new();
    let mut best = f64::INFINITY;
    permute(&mut jobs.to_vec(), 0, &mut |order| best = best.min(decoder.decode(problem, order, &mut starts).value()));
    best
}

/// The least objective of all orders, each decoded on the plain profile, without anything of the fast version.
pub fn least_plainly(problem: &RoundProblem, jobs: &[u32]) -> f64 {
    let mut best = f64::INFINITY;
    permute(&mut jobs.to_vec(), 0, &mut |order| best = best.min(decode(problem, order).1));
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
