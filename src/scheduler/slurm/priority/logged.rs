//! The priorities that jobs would have had at their submission if they ran as the log says. These can be compared with
//! the priorities that Slurm gave them, whatever the simulation does otherwise. sacct tells the priority at submission.

use super::{Factors, Shares};
use crate::model::Waiting;
use crate::scheduler::slurm::job::Job;
use crate::slurm::{PriorityPlan, Site};
use crate::workload::{JobId, Seconds, Workload};

/// A kind of event that the log tells of a job, in the order in which events count within a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Ended,
    Submitted,
    Started,
}

/// The state of usage and weights as the log is followed.
struct Course<'a> {
    plan: &'a PriorityPlan,
    shares: Shares,
    counted: Seconds,
    /// When usage is counted next.
    next: Seconds,
    /// The jobs that run, by their places.
    running: Vec<usize>,
}

impl Course<'_> {
    fn decay(&self) -> f64 {
        self.plan.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }

    /// Bills a job's usage since usage was last counted.
    fn bill(&mut self, job: &Job, start: Seconds, until: Seconds) {
        let span = (until - start.max(self.counted)).max(0) as f64;
        if let Some(association) = job.association.filter(|_| span > 0.0) {
            self.shares.add(association, span * libm::pow(self.decay(), span) * job.billing);
        }
    }

    /// Does all recurring calculations up to a moment.
    fn weigh_until(&mut self, now: Seconds, jobs: &[Job], ran: &[(JobId, Seconds, Seconds)]) {
        while self.next <= now {
            let at = self.next;
            self.shares.decay(libm::pow(self.decay(), (at - self.counted) as f64));
            let running = std::mem::take(&mut self.running);
            running.iter().for_each(|&one| self.bill(&jobs[one], ran[one].1, at));
            self.running = running;
            self.counted = at;
            self.next = at + self.plan.calc_period.max(1);
            self.shares.calculate(self.plan);
        }
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
    let job = |&(id, ..): &(JobId, Seconds, Seconds)| {
        let request = workload.request(id);
        let waiting =
            Waiting { job: id, submit: request.submit, processors: request.processors, estimate: request.limit as f64 };
        let partition = at.partition(request);
        let mut job = Job::new(waiting, partition, (request, id), at, 1.0);
        job.eligible = Some(request.submit + at.hold(id.index()));
        job
    };
    let jobs: Vec<Job> = ran.iter().map(job).collect();
    let factors = Factors::of(site, None);
    let mut shares = Shares::of(&site.accounts);
    shares.calculate(&site.priority);
    let mut course = Course { plan: &site.priority, shares, counted: first, next: first, running: Vec::new() };
    let mut found = vec![0.0; ran.len()];
    let moments = |(one, &(id, start, end)): (usize, &(JobId, Seconds, Seconds))| {
        let submit = workload.request(id).submit;
        [(submit, What::Submitted, one), (start.max(submit), What::Started, one), (end.max(start), What::Ended, one)]
    };
    let mut moments: Vec<(Seconds, What, usize)> = ran.iter().enumerate().flat_map(moments).collect();
    // a job that ends as it starts has to start first
    moments.sort_unstable_by_key(|&(at, what, one)| (at, what == What::Ended && ran[one].1 == at, what, one));
    for (now, what, one) in moments {
        course.weigh_until(now, &jobs, ran);
        match what {
            What::Submitted => found[one] = factors.priority(&jobs[one], site, &course.shares, now),
            What::Started => course.running.push(one),
            What::Ended => {
                course.running.retain(|&other| other != one);
                course.bill(&jobs[one], ran[one].1, now);
            }
        }
    }
    found
}
