//! What the safeguard of CLASSIFY §5.2 guarantees, checked from the outside.

use super::fault::Fault;
use crate::model::{Class, Schedule};
use packfair_workload::{Seconds, Workload};

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
    use crate::model::{Execution, KilledBy, SizeClass};
    use packfair_workload::JobId;
    use packfair_workload::test_jobs;

    #[test]
    fn who_outlives_the_divider_is_killed_once_and_nobody_else() {
        let workload = test_jobs::workload(4, &[(0, 1, 50, 90), (0, 1, 10, 90), (0, 1, 10, 90)]);
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
