//! Splits up wide jobs: the widest job becomes narrower, and the area of all jobs stays the same (DYNP §4).

use super::{JobId, Reason, Request, Workload};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Cleaning, Filter, clean, reading};

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
