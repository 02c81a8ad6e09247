//! Cleaning profiles: from a log's records to the jobs of a workload.

mod error;

pub use error::CleanError;

use super::under_way::EndedRecords;
use super::{
    Account, Filter, Log, MOST_PROCESSORS, Machine, MachineSource, Reason, Record, Request, Seconds, Workload,
    data_set_of,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A cleaning profile: a named choice of what is repaired and dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cleaning {
    /// The cleaning of METRICS §V and CP §4.
    #[default]
    Metrics,
    /// The cleaning of FAIRNESS §4. Jobs may outlive their requests, and take as many processors as they requested.
    Fairness,
    /// Only what cannot be simulated is dropped.
    Raw,
    /// As [`Cleaning::Fairness`], with run times cut to the requests: no job outlives its request, as the paper
    /// assumes.
    FairnessCut,
    /// As [`Cleaning::Fairness`], with requests raised to the run times.
    FairnessRaised,
    /// As [`Cleaning::Fairness`], on the processors that jobs used, as the paper assumes.
    FairnessUsed,
    /// As [`Cleaning::Fairness`], with run times cut to the requests, on the processors used.
    FairnessCutUsed,
    /// As [`Cleaning::Fairness`], with requests raised to the run times, on the processors used.
    FairnessRaisedUsed,
}

/// What becomes of a job that ran longer than it requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overrun {
    Kept,
    /// Its run time is cut to the request.
    Cut,
    /// Its request is raised to the run time.
    Raised,
}

packfair_base::named!(Cleaning, "cleaning", {
    Metrics => "metrics", "As METRICS", "As METRICS §V: jobs that ran for no time or on no processors are dropped, run times \
        are cut to the requested time";
    Fairness => "fairness", "As FAIRNESS", "As FAIRNESS §4: partial executions and jobs cancelled before they ran are \
        dropped, jobs of no run time are kept";
    FairnessCut => "fairness-cut", "As FAIRNESS, run times cut", "As FAIRNESS §4, and run times are cut to the requested \
        time: nobody outlives it";
    FairnessRaised => "fairness-raised", "As FAIRNESS, requests raised", "As FAIRNESS §4, and requested times are raised \
        to the run times";
    FairnessUsed => "fairness-used", "As FAIRNESS, processors used", "As FAIRNESS §4, on the processors that jobs used \
        rather than those requested";
    FairnessCutUsed => "fairness-cut-used", "As FAIRNESS, run times cut, processors used", "As FAIRNESS §4, run times cut \
        to the requested time, on the processors used: the paper's premises";
    FairnessRaisedUsed => "fairness-raised-used", "As FAIRNESS, requests raised, processors used", "As FAIRNESS §4, \
        requested times raised to the run times, on the processors used";
    Raw => "raw", "Raw", "Only what cannot be simulated is dropped: jobs of unknown run time or width";
});

impl Cleaning {
    /// Whether jobs are dropped by their status (FAIRNESS §4).
    fn drops_by_status(self) -> bool {
        !matches!(self, Cleaning::Metrics | Cleaning::Raw)
    }

    fn overrun(self) -> Overrun {
        match self {
            Cleaning::Metrics | Cleaning::FairnessCut | Cleaning::FairnessCutUsed => Overrun::Cut,
            Cleaning::FairnessRaised | Cleaning::FairnessRaisedUsed => Overrun::Raised,
            Cleaning::Fairness | Cleaning::FairnessUsed | Cleaning::Raw => Overrun::Kept,
        }
    }

    /// Whether a job takes the processors that it was given rather than those that it requested.
    pub(super) fn takes_used(self) -> bool {
        matches!(self, Cleaning::FairnessUsed | Cleaning::FairnessCutUsed | Cleaning::FairnessRaisedUsed)
    }
}

/// Takes the jobs that `filter` lets through, cleans them as `cleaning` says, and sorts them into log order. The
/// machine has `processors`; where none are given, its size is the header's `MaxProcs` or `MaxNodes` (unless jobs are wider), the most
/// processors that jobs held at once by the log's own starts, or the width of the log's widest job.
///
/// The workload's account holds what reading the log noted, then what filtering and cleaning did; repairs are counted
/// only for jobs that are kept.
///
/// # Errors
/// If no job is left, or the machine would have no processors or too many.
pub fn clean(log: &Log, filter: &Filter, cleaning: Cleaning, processors: Option<u32>) -> Result<Workload, CleanError> {
    if processors == Some(0) {
        return Err(CleanError::NoProcessors);
    }
    if let Some(processors) = processors.filter(|&processors| processors > MOST_PROCESSORS) {
        return Err(CleanError::TooManyProcessors(processors));
    }
    let records = log.ended();
    let machine = machine(log, &records, filter, cleaning, processors);
    let sieve = filter.sieve();
    let mut workload = Workload::empty(log.name.clone(), machine, log.named_header());
    let mut account = Account::default();
    for (index, record) in records.all().enumerate() {
        let work = record.work_of(record.run);
        // what still ran stands in the account of the log
        let is_noted = records.is_running(index);
        if !sieve.takes(&record) {
            if !is_noted {
                account.note_work(Reason::Filtered, record.line, work);
            }
            continue;
        }
        let cleaned = cleaning.clean(&record).and_then(|cleaned| {
            if cleaned.request.processors > machine.processors { Err(Reason::WiderThanMachine) } else { Ok(cleaned) }
        });
        match cleaned {
            Ok(Cleaned { request, run, repairs }) => {
                repairs.into_iter().flatten().for_each(|reason| account.note(reason, record.line));
                workload.push(request, run, record.wait, index as u32);
            }
            Err(_) if is_noted => {}
            Err(reason) => account.note_work(reason, record.line, work),
        }
    }
    if workload.is_empty() {
        return Err(CleanError::NothingLeft { records: log.records.len(), account });
    }
    workload.account = log.account.followed_by(&account);
    workload.set_own_zero(log.own_zero);
    workload.set_still_running(log.beyond.still_running.iter().map(|running| running.record).collect());
    workload.take_queued(log);
    workload.sort();
    Ok(workload)
}

/// The machine that a log ran on. The widest job is looked for in the whole log, so that a filter does not change the
/// machine. A partition is a machine of its own: the header tells the size of all partitions together.
fn machine(log: &Log, ended: &EndedRecords<'_>, filter: &Filter, cleaning: Cleaning, given: Option<u32>) -> Machine {
    let sieve = Filter { partitions: filter.partitions.clone(), ..Filter::default() }.sieve();
    let records = || ended.all_given().filter(|record| sieve.takes(record));
    let widest = || {
        let widths = records().filter_map(|record| cleaning.clean(&record).ok());
        let possible = widths.map(|cleaned| cleaned.request.processors).filter(|&width| width <= MOST_PROCESSORS);
        possible.max().unwrap_or(1)
    };
    let taken = || taken_at_once(records(), cleaning).filter(|(most, _)| *most >= widest());
    let is_part = log.records.iter().any(|record| !sieve.takes(record));
    let (processors, source) = if let Some(processors) = given {
        (processors, MachineSource::Given)
    } else if let Some((most, at)) = is_part.then(taken).flatten() {
        (most, MachineSource::TakenAtOnce { at })
    } else if let (Some(_), Some(processors)) = (data_set_of(&log.header), log.header.processors("MaxProcs")) {
        (processors, MachineSource::DataSet)
    } else if let Some(processors) = log.header.processors("MaxProcs") {
        (processors, MachineSource::MaxProcs)
    } else if let Some(processors) = log.header.processors("MaxNodes").filter(|&nodes| nodes >= widest()) {
        // where jobs are wider, they are not counted in nodes
        (processors, MachineSource::MaxNodes)
    } else {
        taken().map_or_else(
            || (widest(), MachineSource::WidestJob),
            |(most, at)| (most, MachineSource::TakenAtOnce { at }),
        )
    };
    Machine { processors, source }
}

/// The most processors that jobs held at once by the log's own starts, and the first time when they did. None where the
/// starts of most jobs are unknown, or the result is above [`MOST_PROCESSORS`]. At an instant jobs end before others
/// start.
fn taken_at_once<'a>(records: impl Iterator<Item = Cow<'a, Record>>, cleaning: Cleaning) -> Option<(u32, Seconds)> {
    let mut changes: Vec<(Seconds, i64)> = Vec::new();
    let mut known = 0_usize;
    let mut jobs = 0_usize;
    for record in records {
        let Ok(cleaned) = cleaning.clean(&record) else { continue };
        jobs += 1;
        if record.wait < 0 || record.run <= 0 {
            continue;
        }
        known += 1;
        let (start, width) = (record.submit + record.wait, i64::from(cleaned.request.processors));
        changes.extend([(start, width), (start + record.run, -width)]);
    }
    if known == 0 || 2 * known < jobs {
        return None;
    }
    // ends, which are negative, come first
    changes.sort_unstable();
    let (mut held, mut most, mut at) = (0, 0, 0);
    for (time, change) in changes {
        held += change;
        if held > most {
            (most, at) = (held, time);
        }
    }
    let most = u32::try_from(most).ok().filter(|&most| most <= MOST_PROCESSORS)?;
    Some((most, at))
}

/// A job as it is simulated, and what was repaired of it.
struct Cleaned {
    request: Request,
    run: Seconds,
    repairs: [Option<Reason>; 3],
}

impl Cleaning {
    /// Whether it drops a record.
    pub(super) fn drops(self, record: &Record) -> bool {
        self.clean(record).is_err()
    }

    /// The job of a record, or why it is dropped.
    fn clean(self, record: &Record) -> Result<Cleaned, Reason> {
        match self {
            Cleaning::Metrics if record.run <= 0 && record.wait < 0 && record.status == 5 => {
                return Err(Reason::CancelledUnstarted);
            }
            Cleaning::Metrics if record.run <= 0 => return Err(Reason::NoRunTime),
            _ if self.drops_by_status() && (2..=4).contains(&record.status) => return Err(Reason::PartialExecution),
            _ if self.drops_by_status() && record.status == 5 && record.run <= 0 => {
                return Err(Reason::CancelledUnstarted);
            }
            _ if record.run < 0 => return Err(Reason::NoRunTime),
            _ => {}
        }
        // a request of no time is none: logs write 0 for "no limit" as well as -1
        let limit = Some(record.requested_time).filter(|&limit| limit > 0);
        let (run, limit) = match (limit, self.overrun()) {
            (Some(limit), Overrun::Cut) => (record.run.min(limit), Some(limit)),
            (Some(limit), Overrun::Raised) => (record.run, Some(limit.max(record.run))),
            (limit, _) => (record.run, limit),
        };
        // at least 1 in each case, so the sign is no loss
        let requested = Some(record.requested).filter(|&width| width > 0).map(i32::unsigned_abs);
        let allocated = Some(record.allocated).filter(|&width| width > 0).map(i32::unsigned_abs);
        let (first, other) = if self.takes_used() { (allocated, requested) } else { (requested, allocated) };
        let processors = first.or(other).ok_or(Reason::NoProcessors)?;
        let request = Request {
            number: record.number,
            submit: record.submit,
            processors,
            limit: limit.unwrap_or(run).max(1),
            user: record.user,
            group: record.group,
            executable: record.executable,
            queue: record.queue,
            partition: record.partition,
        };
        let repairs = [
            match limit {
                Some(limit) if limit > record.requested_time => Some(Reason::RaisedToRun),
                _ => (run < record.run).then_some(Reason::CutToRequest),
            },
            first.is_none().then_some(Reason::ProcessorsFilled),
            limit.is_none().then_some(Reason::NoRequestedTime),
        ];
        Ok(Cleaned { request, run, repairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading;

    fn log(text: &str) -> Log {
        // lines that are short are of SWF where it has its header
        reading::read("test", format!("{text}\n; Version: 2.2\n").as_bytes()).unwrap()
    }

    fn cleaned(text: &str, cleaning: Cleaning) -> Workload {
        clean(&log(text), &Filter::default(), cleaning, None).unwrap()
    }

    /// Number, submit, D, r and L of each job.
    fn jobs(workload: &Workload) -> Vec<(i64, Seconds, Seconds, u32, Seconds)> {
        let job = |job| {
            let request = workload.request(job);
            (request.number, request.submit, workload.run(job), request.processors, request.limit)
        };
        workload.jobs().map(job).collect()
    }

    /// Fields: number submit wait run allocated cpu memory requested requested-time memory status.
    const DIRTY: &str = "\
        ; MaxProcs: 16\n\
        1 0 -1 100 4 -1 -1 8 200 -1 1\n\
        2 1 -1 300 4 -1 -1 8 200 -1 1\n\
        3 2 -1 0 4 -1 -1 8 200 -1 0\n\
        4 3 -1 -1 4 -1 -1 8 200 -1 5\n\
        5 4 -1 50 -1 -1 -1 0 200 -1 1\n\
        6 5 -1 50 4 -1 -1 -1 200 -1 1\n\
        7 6 -1 50 4 -1 -1 8 -1 -1 1\n\
        8 7 -1 50 4 -1 -1 17 200 -1 1\n\
        9 8 -1 50 4 -1 -1 8 200 -1 3\n\
        10 9 -1 0 4 -1 -1 8 -1 -1 5\n\
        11 10 -1 0 4 -1 -1 8 -1 -1 1\n";

    #[test]
    fn the_header_tells_the_size_of_all_partitions_and_not_of_one() {
        let job = |n: i64, partition: i32, wait: i64| {
            format!("{n} 0 {wait} 10 4 -1 -1 4 10 -1 1 1 1 1 1 {partition} -1 -1\n")
        };
        let machine = |wait: i64, partitions: &[i32]| {
            let jobs: String = [(1, 1), (2, 1), (3, 2)].map(|(n, partition)| job(n, partition, wait)).concat();
            let filter = Filter { partitions: partitions.to_vec(), ..Filter::default() };
            let machine =
                clean(&log(&format!("; MaxProcs: 64\n{jobs}")), &filter, Cleaning::Metrics, None).unwrap().machine;
            (machine.processors, machine.source)
        };
        assert_eq!(machine(0, &[]), (64, MachineSource::MaxProcs));
        assert_eq!(machine(0, &[1, 2]), (64, MachineSource::MaxProcs), "these are all");
        assert_eq!(machine(0, &[1]), (8, MachineSource::TakenAtOnce { at: 0 }));
        assert_eq!(machine(-1, &[1]), (64, MachineSource::MaxProcs), "nothing better is known");
    }

    #[test]
    fn a_number_of_nodes_is_no_size_where_jobs_are_wider() {
        let jobs = "1 0 0 10 4 -1 -1 4 10 -1 1\n2 0 0 10 4 -1 -1 4 10 -1 1\n";
        let machine = |nodes: u32| {
            let log = log(&format!("; MaxNodes: {nodes}\n{jobs}"));
            let machine = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap().machine;
            (machine.processors, machine.source)
        };
        assert_eq!(machine(4), (4, MachineSource::MaxNodes));
        assert_eq!(machine(2), (8, MachineSource::TakenAtOnce { at: 0 }));
    }

    #[test]
    fn no_machine_is_larger_than_there_can_be() {
        let job = "1 0 0 10 4 -1 -1 4 10 -1 1\n";
        let sized = |header: &str, given| {
            let log = log(&format!("{header}{job}2 1 0 10 2000000000 -1 -1 2000000000 10 -1 1\n"));
            clean(&log, &Filter::default(), Cleaning::Metrics, given).map(|workload| workload.machine)
        };
        let machine = |processors, source| Ok(Machine { processors, source });
        assert_eq!(sized("; MaxProcs: 100000000\n", None), machine(100_000_000, MachineSource::MaxProcs));
        assert_eq!(sized("; MaxProcs: 4294967295\n", None), machine(4, MachineSource::WidestJob));
        assert_eq!(sized("; MaxProcs: 4294967295\n; MaxNodes: 9\n", None), machine(9, MachineSource::MaxNodes));
        let refused = sized("", Some(u32::MAX)).unwrap_err().to_string();
        assert_eq!(refused, "a machine of 4294967295 processors is larger than is simulated; give at most 100000000");
    }

    #[test]
    fn long_lists_of_users_are_looked_up() {
        let lines: String = (0..100).map(|n| format!("{n} {n} 0 10 1 -1 -1 1 10 -1 1 {n}\n")).collect();
        let users: Vec<i32> = (0..10_000).rev().filter(|n| n % 7 != 0).flat_map(|n| [n, n]).collect();
        let filter = Filter { users, ..Filter::default() };
        let workload = clean(&log(&format!("; Version: 2.2\n{lines}")), &filter, Cleaning::Metrics, None).unwrap();
        assert_eq!(workload.len(), (0..100).filter(|n| n % 7 != 0).count());
    }

    #[test]
    fn metrics_follows_its_order() {
        let workload = cleaned(DIRTY, Cleaning::Metrics);
        let expected =
            [(1, 0, 100, 8, 200), (2, 1, 200, 8, 200), (6, 5, 50, 4, 200), (7, 6, 50, 8, 50), (9, 8, 50, 8, 200)];
        assert_eq!(jobs(&workload), expected);
        let count = |reason| workload.account.count(reason);
        assert_eq!((count(Reason::NoRunTime), count(Reason::CancelledUnstarted)), (2, 2));
        assert_eq!(count(Reason::CutToRequest), 1);
        assert_eq!(count(Reason::NoProcessors), 1);
        assert_eq!(count(Reason::ProcessorsFilled), 1);
        assert_eq!(count(Reason::NoRequestedTime), 1);
        assert_eq!(count(Reason::WiderThanMachine), 1);
        assert_eq!(count(Reason::FewerFields), 11);
        assert_eq!(workload.machine, Machine { processors: 16, source: MachineSource::MaxProcs });
    }

    #[test]
    fn fairness_drops_by_status_and_keeps_jobs_of_no_run_time() {
        let workload = cleaned(DIRTY, Cleaning::Fairness);
        let expected = [
            (1, 0, 100, 8, 200),
            (2, 1, 300, 8, 200),
            (3, 2, 0, 8, 200),
            (6, 5, 50, 4, 200),
            (7, 6, 50, 8, 50),
            (11, 10, 0, 8, 1),
        ];
        assert_eq!(jobs(&workload), expected);
        let count = |reason| workload.account.count(reason);
        assert_eq!(count(Reason::PartialExecution), 1);
        assert_eq!(count(Reason::CancelledUnstarted), 2);
        assert_eq!(count(Reason::NoRunTime), 0);
    }

    #[test]
    fn fairness_has_three_ways_with_overruns_and_two_with_widths() {
        let all = jobs(&cleaned(DIRTY, Cleaning::FairnessCut));
        assert_eq!(all.len(), 6);
        assert_eq!(all[1], (2, 1, 200, 8, 200), "its 300 s are cut");
        let raised = cleaned(DIRTY, Cleaning::FairnessRaised);
        assert_eq!(jobs(&raised)[1], (2, 1, 300, 8, 300));
        assert_eq!(raised.account.count(Reason::RaisedToRun), 1);
        assert_eq!(jobs(&cleaned(DIRTY, Cleaning::FairnessUsed))[1], (2, 1, 300, 4, 200), "on 4, of 8 requested");
        // a job that is wider than the machine by its request alone is kept
        let cut = cleaned(DIRTY, Cleaning::FairnessCutUsed);
        assert_eq!(jobs(&cut)[1], (2, 1, 200, 4, 200));
        assert!(jobs(&cut).contains(&(8, 7, 50, 4, 200)));
        assert_eq!(jobs(&cleaned(DIRTY, Cleaning::FairnessRaisedUsed))[1], (2, 1, 300, 4, 300));
    }

    #[test]
    fn fairness_drops_unknown_run_times() {
        let workload = cleaned("1 0 -1 -1 1 -1 -1 1 10 -1 1\n2 0 -1 0 1 -1 -1 1 10 -1 1", Cleaning::Fairness);
        assert_eq!(jobs(&workload), [(2, 0, 0, 1, 10)]);
        assert_eq!(workload.account.count(Reason::NoRunTime), 1);
    }

    #[test]
    fn raw_drops_only_what_cannot_be_simulated() {
        let workload = cleaned(DIRTY, Cleaning::Raw);
        let numbers: Vec<i64> = workload.requests().iter().map(|request| request.number).collect();
        assert_eq!(numbers, [1, 2, 3, 6, 7, 9, 10, 11]);
        assert_eq!(jobs(&workload)[1], (2, 1, 300, 8, 200));
        assert_eq!(workload.account.dropped(), 3);
    }

    #[test]
    fn filters_before_cleaning() {
        let text =
            "1 5 0 10 1 0 0 1 10 0 1 7 1 1 1 2\n2 6 0 0 1 0 0 1 10 0 1 8 1 1 1 2\n3 7 0 10 1 0 0 1 10 0 1 8 1 1 2 2";
        let taken = |filter: Filter| {
            let workload = clean(&log(text), &filter, Cleaning::Metrics, None)?;
            let numbers: Vec<i64> = workload.requests().iter().map(|request| request.number).collect();
            Ok::<_, CleanError>((numbers, workload.account.count(Reason::Filtered)))
        };
        let users = Filter { users: vec![8], ..Filter::default() };
        assert_eq!(taken(users), Ok((vec![3], 1)));
        assert_eq!(taken(Filter { queues: vec![1], ..Filter::default() }), Ok((vec![1], 1)));
        assert_eq!(taken(Filter { partitions: vec![2], ..Filter::default() }), Ok((vec![1, 3], 0)));
        assert_eq!(taken(Filter { from: Some(6), ..Filter::default() }), Ok((vec![3], 1)));
        assert_eq!(taken(Filter { until: Some(7), ..Filter::default() }), Ok((vec![1], 1)));
        let error = taken(Filter { until: Some(5), ..Filter::default() }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no job of 3 is left: 3 lines: outside the chosen filter; left out (lines 1, 2, 3)"
        );
    }

    #[test]
    fn finds_the_machine() {
        let jobs = "1 0 0 10 4 0 0 4 10\n2 0 0 0 64 0 0 64 10\n3 9 0 10 8 0 0 8 10\n";
        let machine = |head: &str, given| {
            let late = Filter { until: Some(5), ..Filter::default() };
            clean(&log(&format!("{head}{jobs}")), &late, Cleaning::Metrics, given).unwrap().machine
        };
        let of = |processors, source| Machine { processors, source };
        assert_eq!(machine("; MaxNodes: 5\n; MaxProcs: 6\n", None), of(6, MachineSource::MaxProcs));
        assert_eq!(machine("; MaxNodes: 15\n; MaxProcs: -1\n", None), of(15, MachineSource::MaxNodes));
        // nodes of several processors each, which are fewer than a job holds
        assert_eq!(machine("; MaxNodes: 5\n", None), of(12, MachineSource::TakenAtOnce { at: 9 }));
        // the most processors held at once by all jobs, whatever the filter
        assert_eq!(machine("", None), of(12, MachineSource::TakenAtOnce { at: 9 }));
        assert_eq!(machine("; MaxProcs: 6\n", Some(4)), of(4, MachineSource::Given));
        assert_eq!(clean(&log(jobs), &Filter::default(), Cleaning::Metrics, Some(0)), Err(CleanError::NoProcessors));
        let apart = "1 0 0 10 4 0 0 4 10 0 1 1 1 1 1 1\n2 0 0 10 64 0 0 64 10 0 1 1 1 1 1 2\n";
        let small = Filter { partitions: vec![1], ..Filter::default() };
        let machine = clean(&log(apart), &small, Cleaning::Metrics, None).unwrap().machine;
        assert_eq!(machine, of(4, MachineSource::TakenAtOnce { at: 0 }), "a partition is a machine of its own");
    }

    #[test]
    fn sorts_by_submit_and_then_by_line() {
        let workload = cleaned("3 9 0 1 1\n1 5 0 1 1\n4 9 0 1 1\n2 5 0 1 1\n", Cleaning::Metrics);
        let numbers: Vec<i64> = workload.requests().iter().map(|request| request.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        assert_eq!(workload.jobs().map(|job| workload.record(job)).collect::<Vec<_>>(), [1, 3, 0, 2]);
    }

    #[test]
    fn ids_are_read_back() {
        for cleaning in Cleaning::ALL {
            assert_eq!(cleaning.id().parse(), Ok(cleaning));
        }
        let error = "clean".parse::<Cleaning>().unwrap_err();
        assert!(
            error.to_string().starts_with("there is no cleaning \"clean\"; there are metrics, fairness, fairness-cut")
        );
        let text = |cleaning: Cleaning| serde_json::to_string(&cleaning).unwrap();
        for cleaning in Cleaning::ALL {
            assert_eq!(text(cleaning), format!("\"{}\"", cleaning.id()), "studies name it as people do");
        }
    }
}
