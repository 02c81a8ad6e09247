//! The schedule to begin with: all jobs are placed in one order in one profile.

use super::problem::OfflineProblem;
use packfair_schedulers::Profile;
use packfair_workload::Seconds;

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
