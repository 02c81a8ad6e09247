//! Fair starts of a queue that is served in order (FAIRNESS §5). They need no simulation without further arrivals.

use crate::model::View;
use crate::workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When the processors of a machine become free: times in whole seconds, and how many at each.
struct NodeTimes(BinaryHeap<Reverse<(Seconds, u32)>>);

impl NodeTimes {
    fn new(processors: u32, now: Seconds, running: impl Iterator<Item = (Seconds, u32)>) -> Self {
        let mut times: BinaryHeap<_> = running.map(|(end, width)| Reverse((end.max(now), width))).collect();
        let used: u32 = times.iter().map(|Reverse((_, width))| width).sum();
        times.push(Reverse((now, processors.saturating_sub(used))));
        NodeTimes(times)
    }

    /// Gives a job the processors that become free first, for `length` seconds. It starts once it has all of them, and
    /// not before `earliest`. Returns its start.
    fn take(&mut self, processors: u32, length: Seconds, earliest: Seconds) -> Seconds {
        let (mut start, mut taken) = (earliest, 0);
        while taken < processors {
            // no job is wider than the machine
            let Some(Reverse((free, width))) = self.0.pop() else { break };
            start = start.max(free);
            taken += width;
            if let Some(rest) = taken.checked_sub(processors).filter(|&rest| rest > 0) {
                self.0.push(Reverse((free, rest)));
                taken = processors;
            }
        }
        self.0.push(Reverse((start + length, processors)));
        start
    }
}

/// The hybrid fair start (Leung et al. 2010, which FAIRNESS §5 cites) of a job of `processors` that arrives now, at the
/// end of the queue of `view`.
///
/// In order of arrival, the waiting jobs and then this one get the processors with the earliest estimated completion
/// times, which then move on. So a job may overtake one that waits for more processors, but holes are not used.
/// `has_ended` tells which jobs have ended although the view still holds them as running. Estimated ends are rounded up
/// to whole seconds. A job that has outlived its estimate is taken to end now.
pub(super) fn hybrid_fair_start(view: &View, processors: u32, has_ended: impl Fn(JobId) -> bool) -> Seconds {
    let now = view.now();
    let running = view.running().filter(|release| !has_ended(release.job));
    let running = running.map(|release| (libm::ceil(release.at) as Seconds, release.processors));
    let mut times = NodeTimes::new(view.processors(), now, running);
    for job in view.waiting() {
        times.take(job.processors, libm::ceil(job.estimate) as Seconds, now);
    }
    times.take(processors, 0, now)
}

/// The scheduler-independent fair starts (Srinivasan et al. 2002, which FAIRNESS §5 cites) of the jobs of a workload,
/// one after the other: the start if all jobs had been scheduled by Conservative until a job arrived, and first come
/// first served without backfilling from then on. Run times are the actual ones.
#[derive(Clone)]
pub(super) struct IndependentStarts<'a> {
    workload: &'a Workload,
    starts: Vec<Seconds>,
    /// The job that was asked for last. `open` are the jobs before it that had not completed then, in order of arrival.
    next: JobId,
    open: Vec<JobId>,
}

impl<'a> IndependentStarts<'a> {
    /// A search that was asked for no job yet. `starts` are those that Conservative gives the jobs.
    pub(super) fn new(workload: &'a Workload, starts: Vec<Seconds>) -> Self {
        IndependentStarts { workload, starts, next: JobId(0), open: Vec::new() }
    }

    /// The fair start of a job, which must arrive after all jobs that were asked for before.
    pub(super) fn of(&mut self, job: JobId) -> Seconds {
        let (workload, starts) = (self.workload, &self.starts);
        let now = workload.request(job).submit;
        self.open.extend((self.next.0..job.0).map(JobId));
        self.next = job;
        let is_running = |job: JobId| {
            let start = starts[job.index()];
            start < now && now < start + workload.run(job)
        };
        // a job that starts at this instant does so after the arrival, so it still waits
        let is_waiting = |job: JobId| starts[job.index()] >= now;
        self.open.retain(|&job| is_running(job) || is_waiting(job));
        let running = self.open.iter().filter(|&&job| is_running(job));
        let running = running.map(|&job| (starts[job.index()] + workload.run(job), workload.request(job).processors));
        let mut times = NodeTimes::new(workload.machine.processors, now, running);
        let mut last = now;
        for &waiting in self.open.iter().filter(|&&job| is_waiting(job)) {
            last = times.take(workload.request(waiting).processors, workload.run(waiting), last);
        }
        times.take(workload.request(job).processors, 0, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_taken_in_the_order_in_which_they_become_free() {
        // 4 processors: 2 are free from 0 on, 1 from 5, 1 from 9
        let mut times = NodeTimes::new(4, 0, [(9, 1), (5, 1)].into_iter());
        assert_eq!(times.take(3, 10, 0), 5, "two that are free, and the one of 5");
        assert_eq!(times.take(1, 1, 0), 9, "it cannot use the hole before 5");
        assert_eq!(times.take(1, 1, 0), 10);
        assert_eq!(times.take(4, 1, 0), 15);
        // not before the job that came earlier
        let mut in_order = NodeTimes::new(4, 0, [(9, 3)].into_iter());
        let first = in_order.take(2, 5, 0);
        assert_eq!((first, in_order.take(1, 1, first)), (9, 9));
    }

    #[test]
    fn a_job_waits_for_all_before_it_whatever_the_scheduler_makes_of_them() {
        // submit, processors, run, request
        let jobs = [(0, 3, 10, 10), (1, 4, 10, 10), (2, 1, 3, 3), (3, 1, 2, 2)];
        let workload = super::super::test_jobs::workload(4, &jobs);
        // Conservative backfills the third job at 2, and the fourth at 5
        let starts = [0, 10, 2, 5];
        let mut found = IndependentStarts::new(&workload, starts.to_vec());
        // without backfilling from its arrival on, the third job starts behind the second, at 20; so does the fourth
        // beside it, because the third runs when it arrives
        assert_eq!([0, 1, 2, 3].map(|job| found.of(JobId(job))), [0, 10, 20, 20]);
        // the same where the jobs before it are not asked for
        assert_eq!(IndependentStarts::new(&workload, starts.to_vec()).of(JobId(3)), 20);
    }
}
