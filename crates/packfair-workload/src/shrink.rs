//! The shrinking factor: another load from the same jobs (DYNP §5).

use super::{CleanError, JobId, Reason, Record, Request, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Multiplies every inter-arrival time by `factor`: 0.8 gives 25 % more load.
///
/// The first job keeps its submit time. Each submit time is rounded by itself from its exact distance to the first
/// (half up), so that rounding does not add up over the log. The factor is the decimal number that it is written as,
/// 0.8 exactly 4/5: at high load a difference of one second changes whole schedules.
///
/// # Errors
/// If the factor is not a number from 0.001 to 1000.
pub fn shrink(workload: &mut Workload, factor: f64) -> Result<(), CleanError> {
    if !(LEAST..=LARGEST_FACTOR).contains(&factor) {
        return Err(CleanError::Shrink(factor.to_string()));
    }
    let Some(first) = workload.requests().first().map(|request| request.submit) else { return Ok(()) };
    if factor == 1.0 {
        return Ok(());
    }
    let shrinking = Shrinking { first, ratio: Ratio::of(factor) };
    let before: Vec<Seconds> = workload.requests().iter().map(|request| request.submit).collect();
    let submits: Vec<Seconds> = before.iter().map(|&submit| shrinking.moved(submit)).collect();
    workload.set_submits(&submits);
    // think times of users who react shrink by the same factor
    workload.shrink_reactions(shrinking, before);
    workload.set_shrunk(factor);
    Ok(())
}

// How the time of a log becomes that of a shrunk one, in exact fractions.

/// The smallest shrinking factor.
pub(crate) const LEAST: f64 = 0.001;

/// The largest shrinking factor.
pub(crate) const LARGEST_FACTOR: f64 = 1000.0;

/// How the time of a log has become that of a shrunk one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shrinking {
    /// When the first job is submitted, in the log as in the shrunk one.
    first: Seconds,
    ratio: Ratio,
}

impl Shrinking {
    /// The time in the shrunk log of `time` in the log, which is not before the first job.
    pub(crate) fn moved(self, time: Seconds) -> Seconds {
        self.first + self.ratio.times(time - self.first)
    }

    /// The time in the log of `time` in the shrunk log.
    pub(crate) fn unmoved(self, time: Seconds) -> Seconds {
        self.first + self.ratio.inverse().times(time - self.first)
    }

    /// How long `seconds` of the log last in the shrunk log, seconds.
    pub(crate) fn lasting(self, seconds: Seconds) -> Seconds {
        self.ratio.times(seconds)
    }
}

/// A factor as an exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// The shortest decimal number that is read as this factor, which is in range.
    fn of(factor: f64) -> Ratio {
        let text = factor.to_string(); // never with an exponent
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = whole.bytes().chain(fraction.bytes()).map(|digit| i128::from(digit - b'0'));
        // at most 17 digits are significant, and at most 3 zeros stand before them
        let numerator = digits.fold(0, |number, digit| number * 10 + digit);
        Ratio { numerator, denominator: 10_i128.pow(fraction.len() as u32) }
    }

    fn inverse(self) -> Ratio {
        Ratio { numerator: self.denominator, denominator: self.numerator }
    }

    /// The product with a distance that is not negative, rounded half up.
    fn times(self, distance: Seconds) -> Seconds {
        let Ratio { numerator, denominator } = self;
        match i128::from(distance).checked_mul(2 * numerator) {
            Some(twice) => ((twice + denominator) / (2 * denominator)) as Seconds,
            // at such distances single seconds do not matter
            None => (distance as f64 * (numerator as f64 / denominator as f64)) as Seconds,
        }
    }
}

// Splits up wide jobs: the widest job becomes narrower, and the area of all jobs stays the same (DYNP §4).

/// The most jobs that may result: as many as a page reads of a log.
const MOST: u64 = 8_000_000;

/// Why jobs cannot be split up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSplit {
    #[error("jobs of no processors do not run; let the widest job have at least 1")]
    NoWidth,
    #[error("{0} jobs would come of it, and at most {most} are simulated; let the widest job be wider", most = MOST)]
    TooMany(u64),
    #[error("jobs that ask for parts of cells are not split up; leave the machine's cells out, or the widest job")]
    Cells,
}

/// The workload with every job that is wider than `widest` split up into as few jobs as can be, none of which is wider.
///
/// The paper names neither the number nor the widths of the parts, only that the area stays. The widths of a job's
/// parts differ by at most 1, the wider parts first. Each part has the job's submission, run time, request and user,
/// and, because they are one job in the log, its number and its line.
///
/// # Errors
/// If `widest` is 0, or there would be more jobs than are simulated.
pub fn split(workload: &Workload, widest: u32) -> Result<Workload, NoSplit> {
    if widest == 0 {
        return Err(NoSplit::NoWidth);
    }
    let parts = |job: JobId| workload.request(job).processors.div_ceil(widest).max(1);
    let count: u64 = workload.jobs().map(|job| u64::from(parts(job))).sum();
    if count > MOST {
        return Err(NoSplit::TooMany(count));
    }
    let mut narrow = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
    narrow.account = workload.account.clone();
    narrow.set_counting(workload.counting().clone());
    narrow.set_cluster(workload.cluster().cloned());
    narrow.take_still_running_of(workload);
    let mut of: Vec<JobId> = Vec::with_capacity(count as usize);
    for job in workload.jobs() {
        let (request, parts) = (workload.request(job), parts(job));
        let record = workload.record(job);
        if parts > 1 {
            narrow.account.note(Reason::SplitUp, 0);
        }
        let wait = workload.logged_wait(job).unwrap_or(-1);
        for part in 0..parts {
            let wider = u32::from(part < request.processors % parts);
            let processors = request.processors / parts + wider;
            narrow.push(Request { processors, ..request.clone() }, workload.run(job), wait, record as u32);
            of.push(job);
        }
    }
    narrow.take_site_of(workload, &of);
    narrow.react_like(workload);
    Ok(narrow)
}

// The filter of a log: which of its jobs are taken.

/// Which of a log's jobs are taken; empty lists and missing bounds take all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Only jobs submitted at this time of the log or later.
    pub from: Option<Seconds>,
    /// Only jobs submitted before this time of the log.
    pub until: Option<Seconds>,
    pub users: Vec<i32>,
    pub queues: Vec<i32>,
    pub partitions: Vec<i32>,
}

impl Filter {
    /// The filter in the form that decides about jobs. It is made once for a log, and finds a number in time that
    /// hardly grows with the length of the lists.
    pub(super) fn sieve(&self) -> Sieve {
        Sieve {
            from: self.from.unwrap_or(Seconds::MIN),
            until: self.until,
            users: TakenNumbers::of(&self.users),
            queues: TakenNumbers::of(&self.queues),
            partitions: TakenNumbers::of(&self.partitions),
        }
    }
}

/// A filter in the form that decides about single jobs.
pub(super) struct Sieve {
    from: Seconds,
    until: Option<Seconds>,
    users: TakenNumbers,
    queues: TakenNumbers,
    partitions: TakenNumbers,
}

impl Sieve {
    pub(super) fn takes(&self, record: &Record) -> bool {
        record.submit >= self.from
            && self.until.is_none_or(|until| record.submit < until)
            && self.users.take(record.user)
            && self.queues.take(record.queue)
            && self.partitions.take(record.partition)
    }
}

/// The numbers that are taken, in order. An empty list takes all.
struct TakenNumbers(Vec<i32>);

impl TakenNumbers {
    fn of(list: &[i32]) -> Self {
        let mut numbers = list.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        TakenNumbers(numbers)
    }

    fn take(&self, number: i32) -> bool {
        self.0.is_empty() || self.0.binary_search(&number).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};

    fn workload(submits: &[Seconds]) -> Workload {
        let lines = submits.iter().map(|submit| format!("1 {submit} 0 10 1 -1 -1 1 10\n")).collect::<String>();
        let text = format!("; Version: 2.2\n{lines}");
        let log = reading::read("test", text.as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap()
    }

    fn submits(workload: &Workload) -> Vec<Seconds> {
        workload.requests().iter().map(|request| request.submit).collect()
    }

    #[test]
    fn multiplies_distances_to_the_first() {
        let mut jobs = workload(&[1000, 1001, 1002, 1003, 1010]);
        shrink(&mut jobs, 0.5).unwrap();
        assert_eq!(submits(&jobs), [1000, 1001, 1001, 1002, 1005]);
    }

    #[test]
    fn rounds_exact_products_half_up() {
        // 31.5, 59.5 and 115.5; as products of doubles they are a little less
        let mut jobs = workload(&[0, 45, 85, 165]);
        shrink(&mut jobs, 0.7).unwrap();
        assert_eq!(submits(&jobs), [0, 32, 60, 116]);
        let mut jobs = workload(&[7, 57, 97]);
        shrink(&mut jobs, 1.15).unwrap();
        assert_eq!(submits(&jobs), [7, 65, 111]);
        let mut jobs = workload(&[0, 1, 2, 3, 1_000_000_000]);
        shrink(&mut jobs, 0.333_333_333_333_333_3).unwrap();
        assert_eq!(submits(&jobs), [0, 0, 1, 1, 333_333_333]);
        let mut jobs = workload(&[0, 3]);
        shrink(&mut jobs, 1000.0).unwrap();
        assert_eq!(submits(&jobs), [0, 3000]);
    }

    #[test]
    fn does_not_drift() {
        let every_second: Vec<Seconds> = (0..10_001).collect();
        let mut jobs = workload(&every_second);
        shrink(&mut jobs, 0.7).unwrap();
        assert_eq!(submits(&jobs)[10_000], 7000);
        assert!(submits(&jobs).is_sorted());
    }

    #[test]
    fn refuses_what_is_no_factor() {
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1001.0] {
            let mut jobs = workload(&[0, 10]);
            assert!(matches!(shrink(&mut jobs, factor), Err(CleanError::Shrink(_))), "{factor}");
        }
    }
}

#[cfg(test)]
mod split_tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};

    fn workload() -> Workload {
        let line = |(number, submit, run, width): (i64, i64, i64, u32)| {
            format!("{number} {submit} 5 {run} {width} -1 -1 {width} 1000 -1 1 7 1 1 1 1 -1 -1\n")
        };
        let jobs = [(1, 0, 50, 64), (2, 10, 600, 65), (3, 20, 70, 200), (4, 30, 80, 1)];
        let log = reading::read("log", jobs.map(line).concat().as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(256)).unwrap()
    }

    #[test]
    fn wide_jobs_become_narrow_ones_of_the_same_area() {
        let workload = workload();
        let narrow = split(&workload, 64).unwrap();
        let told: Vec<(i64, i64, u32, i64)> = narrow
            .jobs()
            .map(|job| {
                let request = narrow.request(job);
                (request.number, request.submit, request.processors, narrow.run(job))
            })
            .collect();
        let expected = [
            (1, 0, 64, 50),
            (2, 10, 33, 600),
            (2, 10, 32, 600),
            (3, 20, 50, 70),
            (3, 20, 50, 70),
            (3, 20, 50, 70),
            (3, 20, 50, 70),
            (4, 30, 1, 80),
        ];
        assert_eq!(told, expected);
        let area = |workload: &Workload| workload.jobs().map(|job| workload.area(job)).sum::<f64>();
        assert_eq!(area(&narrow), area(&workload));
        assert_eq!(narrow.account.count(Reason::SplitUp), 2);
        assert_eq!(narrow.logged_wait(JobId(2)), Some(5));
    }

    #[test]
    fn nothing_is_split_that_is_narrow_enough_and_too_much_is_refused() {
        let workload = workload();
        assert_eq!(split(&workload, 200).unwrap().requests(), workload.requests());
        assert_eq!(split(&workload, 1).unwrap().len(), 64 + 65 + 200 + 1);
        assert_eq!(split(&workload, 0).unwrap_err(), NoSplit::NoWidth);
    }
}
