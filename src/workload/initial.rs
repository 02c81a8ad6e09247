//! Jobs under way when a log begins: the state in which a simulation finds the machine.
//!
//! A dump of a month has jobs that started before it and end within it. On an empty machine they would start at their
//! submissions, long before the dump, and be gone when it begins.

use super::{Log, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// If no job of a log ends for this long after its first submission, seconds, the log is a dump that begins with jobs
/// under way. On a machine that begins empty a job would have ended by then.
const LONG: Seconds = 86_400;

/// What becomes of jobs that were submitted before the first moment of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InitialJobs {
    /// Jobs that run at that moment hold their processors until they end, as in the log. Jobs that wait then wait from
    /// that moment on. Both are left out of averages.
    Held,
    /// They are ordinary jobs, which arrive when they were submitted.
    Ordinary,
}

crate::named!(InitialJobs, "way of initial jobs", {
    Held => "held", "hold their part of the machine", "";
    Ordinary => "ordinary", "are jobs as all others", "";
});

impl InitialJobs {
    /// The choice that fits a log: held where the log is a dump of a batch system's accounting that begins with jobs
    /// under way.
    pub fn fitting(log: &Log) -> Self {
        let first = log.records.iter().map(|record| record.submit).min().unwrap_or(0);
        let is_dump = !log.beyond.ids.is_empty() && log.tells_starts();
        match first_end(log) {
            // where every job came before that, there is none that could count
            Some(end)
                if is_dump && end - first > LONG && log.records.iter().any(|job| job.submit >= end && job.run > 0) =>
            {
                InitialJobs::Held
            }
            _ => InitialJobs::Ordinary,
        }
    }
}

/// When the first job of a log ends. A dump begins about then: it has no job that ended before.
pub(super) fn first_end(log: &Log) -> Option<Seconds> {
    let ran = log.records.iter().filter(|record| record.run > 0 && record.wait >= 0);
    ran.map(|record| record.submit + record.wait + record.run).min()
}

impl Workload {
    /// Makes the jobs submitted before `moment` the workload's initial state; without `moment`, those submitted before
    /// the first job of `log` ends. `log` is what the workload was made of. Returns how many jobs hold processors at
    /// that moment, and how many wait.
    pub fn begin_at(&mut self, log: &Log, moment: Option<Seconds>) -> (usize, usize) {
        match moment.or_else(|| first_end(log)) {
            Some(moment) => self.take_initial(moment),
            None => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{Counted, Measure};
    use crate::study::{Run, Treatment, execute};
    use crate::workload::reading::read;
    use crate::workload::{Filter, Reason};

    /// A dump that begins on 5 January: jobs 1 and 2 run then, job 3 waits, job 4 comes.
    const DUMP: &str = "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n\
        1|ann|2026-01-01T00:00:00|2026-01-01T12:00:00|345600|8640|4|COMPLETED\n\
        2|ann|2026-01-03T00:00:00|2026-01-04T00:00:00|100000|1667|2|COMPLETED\n\
        3|bob|2026-01-04T23:00:00|2026-01-05T12:00:00|3600|60|4|COMPLETED\n\
        4|bob|2026-01-05T10:00:00|2026-01-05T13:00:00|3600|60|2|COMPLETED\n\
        5|bob|2026-01-05T23:00:00|2026-01-05T23:00:00|3600|60|2|COMPLETED\n";

    /// Submit, run time, request and logged wait.
    type ToldJob = (Seconds, Seconds, Seconds, Option<Seconds>);

    fn jobs(treatment: &Treatment) -> (Vec<ToldJob>, usize) {
        let workload = treatment.apply(&read("dump", DUMP.as_bytes()).unwrap()).unwrap();
        let job = |job| {
            let request = workload.request(job);
            (request.submit, workload.run(job), request.limit, workload.logged_wait(job))
        };
        (workload.jobs().map(job).collect(), workload.initial())
    }

    const DAY: Seconds = 86_400;

    #[test]
    fn what_runs_when_a_dump_begins_holds_its_processors_and_does_not_count() {
        // the first job ends on 5 January at 3:46:40
        let moment = 3 * DAY + 100_000;
        let (all, initial) = jobs(&Treatment::default());
        assert_eq!(initial, 3);
        assert_eq!(all[0], (moment - 1, 4 * DAY + DAY / 2 - moment + 1, 6 * DAY + DAY / 2 - moment + 1, Some(0)));
        assert_eq!(all[1].0, moment - 1);
        assert_eq!(all[2], (moment, 3_600, 3_600, Some(4 * DAY + DAY / 2 - moment)));
        assert_eq!(all[3], (4 * DAY + 36_000, 3_600, 3_600, Some(10_800)));

        let log = read("dump", DUMP.as_bytes()).unwrap();
        let workload = Treatment::default().apply(&log).unwrap();
        assert_eq!(workload.account.count(Reason::UnderWay), 2);
        assert_eq!(workload.account.count(Reason::WaitingAtBegin), 1);
        let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let measure = Measure { counted: Counted::All, ..Measure::default() };
        let result = execute(&run, &workload, crate::simulation::Correction::default(), &measure).unwrap();
        assert_eq!(result.report.jobs, 2, "the others are the initial state");
        assert_eq!(result.schedule.starts[..2], [moment - 1; 2]);
        assert_eq!(result.schedule.starts[2], 4 * DAY + DAY / 2, "as it did, once the machine was free");
    }

    #[test]
    fn it_is_chosen_and_goes_with_a_filter() {
        let ordinary = Treatment { initial: Some(InitialJobs::Ordinary), ..Treatment::default() };
        let (all, initial) = jobs(&ordinary);
        assert_eq!((all[0].0, all[1].0, initial), (0, 2 * DAY, 0));
        let from = Some(4 * DAY + 40_000);
        let filter = Filter { from, ..Filter::default() };
        let held = Treatment { initial: Some(InitialJobs::Held), filter: filter.clone(), ..Treatment::default() };
        let (all, initial) = jobs(&held);
        // the second job has ended by then
        assert_eq!((all.len(), initial), (4, 3));
        assert_eq!(all[0], (4 * DAY + 39_999, 3_201, 3_201 + 2 * DAY, Some(0)));
        assert_eq!([all[1].0, all[2].0], [4 * DAY + 40_000; 2]);
        let (all, _) = jobs(&Treatment { filter, ..ordinary });
        assert_eq!(all.len(), 1);
    }

    #[test]
    fn other_logs_stay_as_they_are() {
        let late = DUMP
            .replace("2026-01-03T00:00:00|2026-01-04T00:00:00|100000", "2026-01-01T00:00:05|2026-01-01T00:00:05|60");
        assert_eq!(InitialJobs::fitting(&read("log", late.as_bytes()).unwrap()), InitialJobs::Ordinary);
        let swf = "; Version: 2.2\n1 0 0 500000 4 -1 -1 4 600000 -1 1\n2 10 0 500000 4 -1 -1 4 600000 -1 1\n";
        assert_eq!(InitialJobs::fitting(&read("log", swf.as_bytes()).unwrap()), InitialJobs::Ordinary);
        assert!(InitialJobs::ALL.into_iter().all(|which| which.id().parse() == Ok(which)));
    }

    #[test]
    fn where_all_jobs_would_be_initial_all_of_them_count() {
        let head = "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n";
        let job = |hour| {
            format!("{hour}|ann|2026-01-01T{hour:02}:00:00|2026-01-01T{hour:02}:00:05|172800|4320|8|COMPLETED\n")
        };
        let young = [head.to_owned(), (0..20).map(job).collect()].concat();
        let workload = Treatment::default().apply(&read("young", young.as_bytes()).unwrap()).unwrap();
        assert_eq!((workload.len(), workload.initial()), (20, 0));
    }

    #[test]
    fn what_had_ended_by_then_is_counted_and_where_that_is_all_it_is_said() {
        // all ran beyond their limits: cut to these, all have ended before the first end in the log
        let beyond = |jobs: &[&str]| {
            let head = "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n";
            read("dump", [head, &jobs.concat()].concat().as_bytes()).unwrap()
        };
        let over = "1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|200000|60|4|COMPLETED\n";
        let within = "2|ann|2026-01-02T00:00:00|2026-01-02T00:00:00|200000|9999|4|COMPLETED\n";
        let held = Treatment { initial: Some(InitialJobs::Held), ..Treatment::default() };
        let workload = held.apply(&beyond(&[over, within])).unwrap();
        assert_eq!((workload.len(), workload.account.count(Reason::EndedBefore)), (1, 1));
        let said = held.apply(&beyond(&[over])).unwrap_err().to_string();
        assert!(
            said.contains("1 line: had ended, by the run time that counts, when the log begins; left out"),
            "{said}"
        );
    }
}
