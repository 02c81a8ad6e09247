//! When a machine was down, as far as its log lets one guess.

use super::{Seconds, Workload};

/// The shortest stretch that counts, seconds.
const AT_LEAST: Seconds = 3600;

/// Stretches of at least an hour in which, by the log's own starts, jobs waited but none ran. Each is a pair of times:
/// from when nothing ran and a job waited, to the next start. Empty where the log does not tell every start.
pub fn down_times(workload: &Workload) -> Vec<(Seconds, Seconds)> {
    let times = |job| {
        let (submit, wait) = (workload.request(job).submit, workload.logged_wait(job)?);
        Some((submit + wait, submit, submit + wait + workload.run(job)))
    };
    // in the order of their starts
    let Some(mut jobs) = workload.jobs().map(times).collect::<Option<Vec<_>>>() else { return Vec::new() };
    jobs.sort_unstable();
    // for each job, the first submission of those that start then or later: that job waits at least until then
    let mut earliest = vec![Seconds::MAX; jobs.len()];
    let mut first = Seconds::MAX;
    for (place, &(_, submit, _)) in jobs.iter().enumerate().rev() {
        first = first.min(submit);
        earliest[place] = first;
    }
    let mut found = Vec::new();
    let mut idle_since = Seconds::MAX;
    for (&(start, _, end), waiting_since) in jobs.iter().zip(earliest) {
        let from = idle_since.max(waiting_since);
        if idle_since < start && start.saturating_sub(from) >= AT_LEAST {
            found.push((from, start));
        }
        idle_since = if idle_since == Seconds::MAX { end } else { idle_since.max(end) };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};

    /// The down times of jobs with these submissions, waits and run times.
    fn down(jobs: &[(i64, i64, i64)]) -> Vec<(Seconds, Seconds)> {
        let line = |(n, (submit, wait, run)): (i32, &(i64, i64, i64))| {
            format!("{n} {submit} {wait} {run} 1 -1 -1 1 100000 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
        };
        let text: String = (1..).zip(jobs).map(line).collect();
        let log = reading::read("log", text.as_bytes()).unwrap();
        down_times(&clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap())
    }

    #[test]
    fn nothing_runs_though_somebody_waits() {
        assert_eq!(down(&[(0, 0, 100), (50, 5_000, 100)]), [(100, 5_050)]);
        assert_eq!(down(&[(0, 0, 100), (2_000, 3_600, 100)]), [(2_000, 5_600)], "nobody waited before");
        assert_eq!(down(&[(0, 0, 100), (50, 3_649, 100)]), [], "below an hour");
        assert_eq!(down(&[(0, 0, 100), (9_000, 0, 100)]), [], "nobody waits");
        assert_eq!(down(&[(0, 0, 9_000), (50, 8_000, 100)]), [], "one runs");
        assert_eq!(
            down(&[(0, 0, 100), (50, 9_000, 10), (60, 5_000, 10)]),
            [(100, 5_060), (5_070, 9_050)],
            "who started later waited"
        );
        assert_eq!(
            down(&[(0, 0, 100), (50, 5_000, 100), (60, -1, 10)]),
            [],
            "one whose start is not told may have run"
        );
    }
}
