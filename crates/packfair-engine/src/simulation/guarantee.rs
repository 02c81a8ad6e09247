//! Checks from the outside of what schedulers guarantee. Each check knows the rule and the schedule, and nothing of how
//! a scheduler makes it.
//!
//! All checks expect a schedule in which [`check`](super::check) finds nothing.

use super::check::{Fault, StartRule};
use crate::model::{Class, NoteId, Schedule};
use packfair_workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// FCFS without backfilling: jobs start in log order, each as soon as the one before it has started
/// and its processors are free. Together with the workload this leaves one schedule only.
pub fn check_fcfs(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut running = BinaryHeap::new();
    let mut free = workload.machine.processors;
    let mut before: Option<(JobId, Seconds)> = None;
    for job in workload.jobs() {
        let (request, start) = (workload.request(job), schedule.start(job));
        if let Some((earlier, earlier_start)) = before.filter(|&(_, earlier_start)| start < earlier_start) {
            let earlier = workload.request(earlier).number;
            faults.push(Fault::OutOfOrder { job: request.number, start, earlier, earlier_start });
            continue;
        }
        let mut due = before.map_or(request.submit, |(_, earlier)| earlier.max(request.submit));
        while let Some(&Reverse((end, processors))) = running.peek() {
            if end > due && free >= request.processors {
                break;
            }
            due = due.max(end);
            free += processors;
            running.pop();
        }
        if start > due {
            faults.push(Fault::Late { job: request.number, start, due, rule: StartRule::FirstAndFits });
        }
        free -= request.processors;
        running.push(Reverse((schedule.end(job), request.processors)));
        before = Some((job, start));
    }
    faults
}

/// EASY with the queue in log order (any backfill order). Once all jobs before it have started, a job has a reservation
/// at its shadow time: the time by which the estimated ends of the jobs that then run give it its processors. No job
/// that starts afterwards may delay it.
///
/// This is a promise only as long as no job outlives its estimate. If a job that ran before this job's start did, this
/// job is not checked. Estimates are those made at submission; where waiting jobs are estimated anew, this check says
/// nothing.
pub fn check_easy(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    let mut by_start: Vec<JobId> = workload.jobs().collect();
    by_start.sort_by_key(|&job| (schedule.start(job), job));
    let outlived = Outlived::new(workload, schedule, &by_start);
    let mut faults = Vec::new();
    let mut running: Vec<JobId> = Vec::new();
    let mut entered = 0;
    let mut others_started = Seconds::MIN;
    for head in workload.jobs() {
        let (request, start) = (workload.request(head), schedule.start(head));
        let first_since = request.submit.max(others_started);
        others_started = others_started.max(start);
        if start <= first_since {
            continue;
        }
        // jobs that started when it became the head, but are after it in the log, started after its reservation was
        // made
        let precedes = |job: JobId| (schedule.start(job), job) < (first_since, head);
        while by_start.get(entered).is_some_and(|&job| precedes(job)) {
            running.push(by_start[entered]);
            entered += 1;
        }
        running.retain(|&job| schedule.end(job) > first_since);
        if outlived.any_within(first_since, start) {
            continue;
        }
        let due = shadow_time(workload, schedule, &running, request.processors).unwrap_or(first_since as f64);
        if start as f64 > due {
            let due = libm::ceil(due) as Seconds;
            faults.push(Fault::Late { job: request.number, start, due, rule: StartRule::ReservedAsHead });
        }
    }
    faults
}

/// When `processors` will be free if the running jobs end as estimated; none if they are free already.
fn shadow_time(workload: &Workload, schedule: &Schedule, running: &[JobId], processors: u32) -> Option<f64> {
    let release =
        |&job: &JobId| (schedule.start(job) as f64 + schedule.estimate(job), workload.request(job).processors);
    let mut releases: Vec<(f64, u32)> = running.iter().map(release).collect();
    releases.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = workload.machine.processors - releases.iter().map(|&(_, processors)| processors).sum::<u32>();
    if free >= processors {
        return None;
    }
    let last = releases.iter().find(|(_, released)| {
        free += released;
        free >= processors
    });
    last.map(|&(at, _)| at)
}

/// The jobs that outlived their estimates: their starts, ascending, each with the latest end of such a job so far.
struct Outlived(Vec<(Seconds, Seconds)>);

impl Outlived {
    fn new(workload: &Workload, schedule: &Schedule, by_start: &[JobId]) -> Self {
        let mut latest = Seconds::MIN;
        let outlived = by_start.iter().filter(|&&job| workload.run(job) as f64 > schedule.estimate(job));
        let outlived = outlived.map(|&job| {
            latest = latest.max(schedule.end(job));
            (schedule.start(job), latest)
        });
        Outlived(outlived.collect())
    }

    /// Whether a job that outlived its estimate runs at some time in [from, until).
    fn any_within(&self, from: Seconds, until: Seconds) -> bool {
        let started = self.0.partition_point(|&(start, _)| start < until);
        started > 0 && self.0[started - 1].1 > from
    }
}

/// Backfilling with a reservation for every job in log order (Conservative, JustBF), where estimates
/// are exact and no job runs for less than a second: a job starts at the earliest time from its
/// submission on at which its processors are free for all its run time, given only the jobs before
/// it in the log. Together with the workload this leaves one schedule only.
///
/// For such estimates no round changes what an earlier one planned, so the two schedulers agree.
pub fn check_earliest_fit(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    let mut faults = Vec::new();
    // by how much the number of processors in use changes, by the jobs so far
    let mut changes: BTreeMap<Seconds, i64> = BTreeMap::new();
    for job in workload.jobs() {
        let (request, start) = (workload.request(job), schedule.start(job));
        let (processors, run) = (i64::from(request.processors), workload.run(job));
        // changes in the past matter only as a sum
        let past: i64 = changes.range(..=request.submit).map(|(_, change)| change).sum();
        changes = changes.split_off(&(request.submit + 1));
        changes.insert(request.submit, past);
        let due = earliest_fit(&changes, i64::from(workload.machine.processors) - processors, request.submit, run);
        if start > due {
            faults.push(Fault::Late { job: request.number, start, due, rule: StartRule::LeavesEarlierJobsAlone });
        }
        *changes.entry(start).or_default() += processors;
        *changes.entry(schedule.end(job)).or_default() -= processors;
    }
    faults
}

/// The first time from `from` on from which at most `limit` processors are in use for `run` seconds.
fn earliest_fit(changes: &BTreeMap<Seconds, i64>, limit: i64, from: Seconds, run: Seconds) -> Seconds {
    let (mut used, mut candidate) = (0, from);
    for (&at, change) in changes {
        if used <= limit && at >= candidate + run {
            break;
        }
        let fitted = used <= limit;
        used += change;
        if used <= limit && !fitted {
            candidate = candidate.max(at);
        }
    }
    candidate
}

/// Conservative backfilling: a job is promised a start at its submission and never starts later, as long as no job
/// outlives its estimate. If any does, this check says nothing.
///
/// The promise itself depends on plans that a schedule does not show. What can be said from outside is weaker: the
/// promise is at the latest when all jobs submitted before have ended, running jobs by their estimates and waiting jobs
/// by their own promises. Jobs and plans begin at whole seconds: a fractional estimate takes up the second in which it
/// ends.
pub fn check_conservative(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    if workload.jobs().any(|job| workload.run(job) as f64 > schedule.estimate(job)) {
        return Vec::new();
    }
    let planned = |job: JobId| libm::ceil(schedule.estimate(job)) as Seconds;
    let mut faults = Vec::new();
    // (completion, estimated end by promise) of the jobs that have not completed yet
    let mut present: Vec<(Seconds, Seconds, JobId)> = Vec::new();
    for job in workload.jobs() {
        let (request, start) = (workload.request(job), schedule.start(job));
        // a job that takes no time ends after the jobs that were submitted with it have arrived
        let is_present = |completion: Seconds, other: JobId| {
            completion > request.submit || completion == request.submit && workload.run(other) == 0
        };
        present.retain(|&(completion, _, other)| is_present(completion, other));
        let promised_end = |&(_, promised, other): &(Seconds, Seconds, JobId)| {
            let began = schedule.start(other);
            if began < request.submit { began + planned(other) } else { promised }
        };
        let due = present.iter().map(promised_end).fold(request.submit, Seconds::max);
        if start > due {
            faults.push(Fault::Late { job: request.number, start, due, rule: StartRule::PromisedAtSubmission });
        }
        present.push((schedule.end(job), due + planned(job), job));
    }
    faults
}

/// Guaranteed starts: no job starts later than it was guaranteed at its submission. If guarantees were made anew,
/// because jobs outlived their estimates, this check says nothing.
pub fn check_promises(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    if schedule.notes.count(NoteId::REMADE).is_some_and(|remade| remade > 0.0) {
        return Vec::new();
    }
    let late = |job: JobId| {
        let due = schedule.notes.of_job(NoteId::PROMISE, job)?;
        let (job, start) = (workload.request(job).number, schedule.start(job));
        (start > due).then_some(Fault::Late { job, start, due, rule: StartRule::Guaranteed })
    };
    workload.jobs().filter_map(late).collect()
}

// What the safeguard of CLASSIFY §5.2 guarantees, checked from the outside.

/// Checks that each job that was classified as small and runs for longer than its divider is killed once, when it has run
/// for that long, and that no other job is killed. Expects a schedule in which [`check`](super::check) finds nothing.
pub fn check_safeguard(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    let mut faults = Vec::new();
    for job in workload.jobs() {
        let taken = schedule.classes.get(job.index()).copied().unwrap_or_default();
        let due = taken.divider.filter(|&divider| taken.class == Class::Small && workload.run(job) > divider);
        let killed: Vec<Seconds> = schedule.killed_of(job).map(|killed| killed.end - killed.start).collect();
        if !killed.iter().copied().eq(due) {
            faults.push(Fault::Killed { job: workload.request(job).number, runs: killed.len(), due });
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing::jobs as workload;

    /// Jobs as (submit, processors, run time, estimate). The second is the head from 2 on, the third may backfill, the
    /// fourth would delay the head, and the fifth is short enough to go before all that wait.
    const JOBS: [(Seconds, u32, Seconds, Seconds); 5] =
        [(0, 2, 10, 10), (2, 4, 5, 5), (3, 2, 7, 7), (3, 2, 8, 8), (4, 4, 1, 1)];

    fn schedule(starts: &[Seconds]) -> Schedule {
        let estimates = JOBS.iter().map(|job| job.3 as f64).collect();
        Schedule { estimates, ..Schedule::of_starts(&workload(4, &JOBS), starts.to_vec()) }
    }

    fn said(faults: Vec<Fault>) -> Vec<String> {
        faults.iter().map(Fault::to_string).collect()
    }

    #[test]
    fn fcfs_is_in_order_and_never_waits_in_vain() {
        let workload = workload(4, &JOBS);
        assert_eq!(said(check_fcfs(&workload, &schedule(&[0, 10, 15, 15, 23]))), [""; 0]);
        assert_eq!(
            said(check_fcfs(&workload, &schedule(&[0, 10, 3, 15, 23]))),
            ["Job 3 starts at 3 s, before job 2 at 10 s, which is before it in the log."]
        );
        assert_eq!(
            said(check_fcfs(&workload, &schedule(&[0, 10, 15, 16, 24]))),
            ["Job 4 starts at 16 s instead of 15 s at the latest: it was first in the queue and fitted."]
        );
    }

    #[test]
    fn the_head_of_easy_starts_by_its_shadow_time() {
        let workload = workload(4, &JOBS);
        assert_eq!(said(check_easy(&workload, &schedule(&[0, 10, 3, 15, 23]))), [""; 0]);
        assert_eq!(
            said(check_easy(&workload, &schedule(&[0, 11, 16, 3, 23]))),
            [
                "Job 2 starts at 11 s instead of 10 s at the latest: as the first of the queue it had a reservation there."
            ]
        );
        let mut outlived = schedule(&[0, 11, 16, 3, 23]);
        outlived.estimates[3] = 7.0;
        assert_eq!(said(check_easy(&workload, &outlived)), [""; 0], "job 4 outlived its estimate");
    }

    #[test]
    fn with_exact_estimates_each_job_starts_at_its_earliest_fit() {
        let workload = workload(4, &JOBS);
        assert_eq!(said(check_earliest_fit(&workload, &schedule(&[0, 10, 3, 15, 23]))), [""; 0]);
        let late = said(check_earliest_fit(&workload, &schedule(&[0, 10, 15, 15, 23])));
        assert_eq!(
            late,
            ["Job 3 starts at 15 s instead of 3 s at the latest: it fitted there without moving any job before it in \
              the log."]
        );
    }

    #[test]
    fn conservative_keeps_its_promises() {
        let workload = workload(4, &JOBS);
        assert_eq!(said(check_conservative(&workload, &schedule(&[0, 10, 3, 15, 23]))), [""; 0]);
        let faults = check_conservative(&workload, &schedule(&[0, 11, 16, 3, 23]));
        let late = |job, start, due| Fault::Late { job, start, due, rule: StartRule::PromisedAtSubmission };
        assert_eq!(faults, [late(2, 11, 10), late(3, 16, 15), late(5, 23, 22)]);
        assert_eq!(
            faults[0].to_string(),
            "Job 2 starts at 11 s instead of 10 s at the latest: every job before it was promised to have ended by then."
        );
    }
}

#[cfg(test)]
mod safeguard_tests {
    use super::*;
    use crate::model::{Execution, KilledBy, SizeClass};
    use packfair_workload::JobId;
    use packfair_workload::testing;

    #[test]
    fn who_outlives_the_divider_is_killed_once_and_nobody_else() {
        let workload = testing::jobs(4, &[(0, 1, 50, 90), (0, 1, 10, 90), (0, 1, 10, 90)]);
        let mut schedule = Schedule::of_starts(&workload, vec![10, 0, 0]);
        let small = SizeClass { class: Class::Small, divider: Some(10) };
        schedule.classes = vec![small, small, SizeClass::default()];
        let killed = |job, end| Execution { job: JobId(job), start: 0, end, by: KilledBy::Scheduler };
        schedule.killed = vec![killed(0, 10)];
        assert_eq!(check_safeguard(&workload, &schedule), []);
        schedule.killed = vec![killed(0, 9), killed(1, 5)];
        let found: Vec<String> = check_safeguard(&workload, &schedule).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "Job 1 was killed 1 times, but it is to be killed once, after 10 s.",
                "Job 2 was killed 1 times, but it is to be killed never.",
            ]
        );
    }
}
