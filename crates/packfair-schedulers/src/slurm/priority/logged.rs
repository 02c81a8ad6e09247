//! The priorities that jobs would have had at their submission if they ran as the log says. These can be compared with
//! the priorities that Slurm gave them, whatever the simulation does otherwise. sacct tells the priority at submission.

use super::{Factors, UsageShares};
use crate::slurm::job::JobState;
use crate::slurm::room::Nodes;
use packfair_engine::model::Waiting;
use packfair_slurm::{PriorityPlan, Site};
use packfair_workload::{JobId, JobSite, Seconds, Workload};

/// A kind of event that the log tells of a job, in the order in which events count within a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Ended,
    Submitted,
}

/// The state of usage and weights as the log is followed.
struct LoggedPriorities<'a> {
    plan: &'a PriorityPlan,
    shares: UsageShares,
    counted: Seconds,
    /// When usage is counted next.
    next: Seconds,
    /// The jobs that wait or run, by their places.
    present: Vec<usize>,
}

impl LoggedPriorities<'_> {
    fn decay(&self) -> f64 {
        self.plan.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }

    /// Bills a job's usage since usage was last counted.
    fn bill(&mut self, job: &JobState, start: Seconds, until: Seconds) {
        let span = (until - start.max(self.counted)).max(0) as f64;
        if let Some(association) = job.association.filter(|_| span > 0.0) {
            self.shares.add(association, span * libm::pow(self.decay(), span) * job.billing);
        }
    }

    /// Does all recurring calculations up to a moment.
    fn weigh_until(&mut self, now: Seconds, jobs: &[JobState], ran: &[(JobId, Seconds, Seconds)]) {
        while self.next <= now {
            let at = self.next;
            self.shares.begin();
            self.shares.decay(libm::pow(self.decay(), (at - self.counted) as f64));
            let mut present = std::mem::take(&mut self.present);
            if self.shares.is_classic() {
                // it looks at the usage of users who wait in between
                present.sort_unstable_by_key(|&one| ran[one].0);
            }
            for &one in &present {
                match (ran[one].1 <= at, jobs[one].association) {
                    (true, _) => self.bill(&jobs[one], ran[one].1, at),
                    (false, Some(association)) => self.shares.settle(association),
                    (false, None) => {}
                }
            }
            self.present = present;
            self.counted = at;
            self.next = at + self.plan.calc_period.max(1);
            self.shares.calculate();
        }
    }

    fn priority(&mut self, job: &JobState, factors: &Factors, site: &Site, now: Seconds) -> f64 {
        job.association.into_iter().for_each(|association| self.shares.settle(association));
        factors.priority(job, site, &self.shares, now)
    }
}

/// The priorities at submission of jobs that started and ended at these moments, in their order. Empty where all jobs
/// have the same priority, because there is no site or it has no priority/multifactor. When the controller was started
/// is not known: calculations recur every PriorityCalcPeriod from the first submission on.
pub fn priorities_as_logged(workload: &Workload, ran: &[(JobId, Seconds, Seconds)]) -> Vec<f64> {
    let Some(at) = workload.site() else { return Vec::new() };
    let site: &Site = &at.site;
    let first = workload.requests().first().map_or(0, |request| request.submit);
    if !site.priority.is_multifactor {
        return Vec::new();
    }
    let nodes = Nodes::of(site).wanted_by(at.option_kinds(), site);
    let jobs: Vec<JobState> = ran.iter().map(|&(id, ..)| job_of(workload, id, (at, &nodes))).collect();
    let factors = Factors::of(site, None);
    let shares = UsageShares::of(&site.accounts, &site.priority);
    let mut course =
        LoggedPriorities { plan: &site.priority, shares, counted: first, next: first, present: Vec::new() };
    let mut found = vec![0.0; ran.len()];
    let moments = |(one, &(id, start, end)): (usize, &(JobId, Seconds, Seconds))| {
        let submit = workload.request(id).submit;
        [(submit, What::Submitted, one), (end.max(start).max(submit), What::Ended, one)]
    };
    let mut moments: Vec<(Seconds, What, usize)> = ran.iter().enumerate().flat_map(moments).collect();
    // a job that ends as it is submitted has to be there first
    let submit = |one: usize| workload.request(ran[one].0).submit;
    moments.sort_unstable_by_key(|&(at, what, one)| (at, what == What::Ended && submit(one) >= at, what, one));
    for (now, what, one) in moments {
        course.weigh_until(now, &jobs, ran);
        match what {
            What::Submitted => {
                found[one] = course.priority(&jobs[one], &factors, site, now);
                course.present.push(one);
            }
            What::Ended => {
                course.present.retain(|&other| other != one);
                course.bill(&jobs[one], ran[one].1, now);
            }
        }
    }
    found
}

/// A job of a workload as it is when it becomes eligible.
fn job_of(workload: &Workload, id: JobId, (at, nodes): (&JobSite, &Nodes)) -> JobState {
    let request = workload.request(id);
    let waiting =
        Waiting { job: id, submit: request.submit, processors: request.processors, estimate: request.limit as f64 };
    let mut job = JobState::new(waiting, at.partition(request), (request, id), (at, nodes), 1.0);
    job.eligible = Some(request.submit + at.hold(id.index()));
    job
}

/// Usage that is older than this many of its half lives has no weight.
const FORGOTTEN: i64 = 30;

/// What each association, and all below it, has used by `now`, if jobs started and ended at these moments: billed
/// processor-seconds, decayed. Empty where usage decides on nothing, because there is no site or it has no
/// priority/multifactor.
pub fn usage_as_logged(
    workload: &Workload,
    ran: impl Iterator<Item = (JobId, Seconds, Seconds)>,
    now: Seconds,
) -> Vec<f64> {
    let Some(at) = workload.site().filter(|at| at.site.priority.is_multifactor) else { return Vec::new() };
    let site: &Site = &at.site;
    let nodes = Nodes::of(site).wanted_by(at.option_kinds(), site);
    let half_life = site.priority.half_life;
    let mut shares = UsageShares::of(&site.accounts, &site.priority);
    for (id, start, end) in ran {
        let (since, until) = ((now - start).max(0), (now - end).max(0));
        let Some(association) = at.association(workload.request(id)) else { continue };
        if since == until || half_life.is_some_and(|half| until > half.saturating_mul(FORGOTTEN)) {
            continue;
        }
        // the integral of the decay over the time that it ran
        let seconds = match half_life {
            None => (since - until) as f64,
            Some(half) => {
                let rate = -libm::log(1.0 - 0.693 / half as f64);
                (libm::exp(-rate * until as f64) - libm::exp(-rate * since as f64)) / rate
            }
        };
        shares.add(association, seconds * job_of(workload, id, (at, &nodes)).billing);
    }
    shares.usage
}
