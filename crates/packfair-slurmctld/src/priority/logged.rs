//! The priorities that jobs would have had at their submission if they ran as the log says. These can be compared with
//! the priorities that Slurm gave them, whatever the simulation does otherwise. sacct tells the priority at submission.

use super::{Factors, UsageShares};
use crate::job::JobState;
use crate::room::Nodes;
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
    /// Bills a job's usage since usage was last counted.
    fn bill(&mut self, job: &JobState, start: Seconds, until: Seconds) {
        let span = (until - start.max(self.counted)).max(0) as f64;
        if let Some(association) = job.association.filter(|_| span > 0.0) {
            self.shares.add(association, span * libm::pow(self.plan.decay(), span) * job.billing);
        }
    }

    /// Does all recurring calculations up to a moment.
    fn weigh_until(&mut self, now: Seconds, jobs: &[JobState], ran: &[(JobId, Seconds, Seconds)]) {
        while self.next <= now {
            let at = self.next;
            self.shares.begin();
            self.shares.decay(libm::pow(self.plan.decay(), (at - self.counted) as f64));
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
    let mut job =
        JobState::new(waiting, (&at.asks(id.index()), at.partition(request)), (request, id), (at, nodes), 1.0);
    job.eligible = Some(request.submit + at.hold(id.index()));
    job
}

/// Usage that is older than this many of its half lives has no weight.
const FORGOTTEN: i64 = 30;

/// What each association, and all below it, used by jobs that started and ended at these moments: billed
/// processor-seconds, as they count at a moment, before which usage has decayed and after which it will have. Empty where
/// usage decides on nothing, because there is no site or it has no priority/multifactor.
pub fn usage_as_logged(
    workload: &Workload,
    ran: impl Iterator<Item = (JobId, Seconds, Seconds)>,
    at: Seconds,
) -> Vec<f64> {
    let Some(jobs) = workload.site().filter(|jobs| jobs.site.priority.is_multifactor) else { return Vec::new() };
    let site: &Site = &jobs.site;
    let nodes = Nodes::of(site).wanted_by(jobs.option_kinds(), site);
    let mut shares = UsageShares::of(&site.accounts, &site.priority);
    let forgotten = site.priority.half_life.map_or(Seconds::MAX, |half| half.saturating_mul(FORGOTTEN));
    for (id, start, end) in ran.filter(|&(_, start, end)| start < end && at - end <= forgotten) {
        let request = workload.request(id);
        if let Some(association) = jobs.association(request, jobs.partition(request)) {
            let billing = job_of(workload, id, (jobs, &nodes)).billing;
            shares.add(association, billing * worth(&site.priority, at - start, at - end));
        }
    }
    shares.usage
}

/// What the time from `since` to `until` seconds before a moment counts at it, seconds.
fn worth(plan: &PriorityPlan, since: Seconds, until: Seconds) -> f64 {
    if plan.half_life.is_none() {
        return (since - until) as f64;
    }
    // the integral of the decay
    let rate = -libm::log(plan.decay());
    (libm::exp(-rate * until as f64) - libm::exp(-rate * since as f64)) / rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};
    use packfair_workload::{Cleaning, Filter, clean, reading};

    /// Two users of one account, whose jobs run at different times, at a site with this half-life.
    fn workload(half_life: &str) -> Workload {
        let conf = format!(
            "PriorityType=priority/multifactor\nPriorityWeightFairshare=10\nPriorityDecayHalfLife={half_life}\n\
             NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n"
        );
        let assoc = "Cluster|Account|User|Share|ParentName\nc|root|||\nc|a||1|root\nc|a|ann|1|\nc|a|bob|1|\n";
        let mut text = "JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Partition\n".to_owned();
        for (id, user, day, cpus) in [(1, "ann", 1, 4), (2, "bob", 2, 2), (3, "ann", 3, 1)] {
            let start = format!("2026-01-{day:02}T00:00:00");
            text += &format!("{id}|{user}|a|{start}|{start}|10000|600|{cpus}|COMPLETED|p\n");
        }
        let files = [("slurm.conf", conf.as_str()), ("assoc.txt", assoc)];
        let files = files.map(|(name, text)| SiteFile { name, content: text.as_bytes() });
        let mut log = reading::read("sacct.txt", text.as_bytes()).unwrap();
        log.site = Some(std::sync::Arc::new(read_site(&files, Version::default())));
        let mut workload = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
        let site = log.site.clone().unwrap();
        workload.take_site(&site, &log, None);
        workload
    }

    fn ran(workload: &Workload) -> Vec<(JobId, Seconds, Seconds)> {
        workload.jobs().map(|job| (job, workload.request(job).submit, workload.request(job).submit + 10_000)).collect()
    }

    #[test]
    fn without_decay_usage_is_what_was_held_and_accounts_have_it_too() {
        let workload = workload("0");
        let used = usage_as_logged(&workload, ran(&workload).into_iter(), 0);
        // root, the account, ann, bob
        assert_eq!(used, [70_000.0, 70_000.0, 50_000.0, 20_000.0]);
    }

    #[test]
    fn usage_is_what_slurms_recurring_calculation_comes_to() {
        let workload = workload("1-0");
        let ran = ran(&workload);
        let at = &workload.site().unwrap().site;
        let nodes = Nodes::of(at);
        let jobs: Vec<JobState> =
            ran.iter().map(|&(id, ..)| job_of(&workload, id, (workload.site().unwrap(), &nodes))).collect();
        let first = ran[0].1;
        let mut course = LoggedPriorities {
            plan: &at.priority,
            shares: UsageShares::of(&at.accounts, &at.priority),
            counted: first,
            next: first,
            present: Vec::new(),
        };
        for (one, &(_, start, end)) in ran.iter().enumerate() {
            course.weigh_until(start, &jobs, &ran);
            course.present.push(one);
            course.weigh_until(end, &jobs, &ran);
            course.present.clear();
            course.bill(&jobs[one], start, end);
        }
        let now = first + 4 * 86_400;
        course.weigh_until(now, &jobs, &ran);
        let used = usage_as_logged(&workload, ran.into_iter(), now);
        for (own, plain) in used.iter().zip(&course.shares.usage) {
            assert!((own / plain - 1.0).abs() < 0.01 && *own > 0.0, "{used:?} {:?}", course.shares.usage);
        }
    }
}
