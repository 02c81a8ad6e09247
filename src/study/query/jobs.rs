//! A page of the table of jobs.

use super::row::SimulatedJob;
use super::search::Search;
use super::{Answer, JobColumn, JobOutcome, JobRow, JobsQuery};
use crate::model::Schedule;
use crate::workload::{JobId, Seconds, Workload};

/// How many runs a table of jobs shows side by side.
const MOST_RUNS: usize = 2;

/// The page of `query`; `schedules` are those of its runs, where there are any.
///
/// # Errors
/// In words: a search that is not understood, or one that needs a schedule which is not here.
pub(super) fn jobs(query: &JobsQuery, workload: &Workload, schedules: &[Option<&Schedule>]) -> Result<Answer, String> {
    let search = Search::parse(&query.search, &workload.header)?;
    let schedules = &schedules[..schedules.len().min(MOST_RUNS)];
    let needed = search.runs().max(query.sort.runs());
    if needed > schedules.len() || schedules[..needed].contains(&None) {
        return Err(match needed {
            1 => {
                "Choose a run that has been simulated here: waits and starts are searched and sorted by it.".to_owned()
            }
            _ => "Choose two runs that have been simulated here: this compares their waits.".to_owned(),
        });
    }
    let mut keys: Vec<(Seconds, JobId)> = Vec::new();
    for job in workload.jobs() {
        let outcomes = outcomes(job, schedules);
        let row = row(workload, job, &outcomes[..schedules.len()]);
        if search.matches(&row) {
            let key = key(query.sort, &row);
            // the largest first, but equal ones in log order still
            keys.push((if query.descending { !key } else { key }, job));
        }
    }
    let matching = keys.len();
    let page = page(&mut keys, query.first, query.count);
    let rows = page.iter().map(|&(_, job)| JobRow {
        job,
        request: workload.request(job).clone(),
        run: workload.run(job),
        outcomes: outcomes(job, schedules)[..schedules.len()].to_vec(),
    });
    Ok(Answer::Jobs { matching, rows: rows.collect() })
}

/// The rows from `first` on, in order; the others are only divided into before and after.
fn page(keys: &mut [(Seconds, JobId)], first: usize, count: usize) -> &[(Seconds, JobId)] {
    let first = first.min(keys.len());
    let end = first.saturating_add(count).min(keys.len());
    if first == end {
        return &[];
    }
    if end < keys.len() {
        keys.select_nth_unstable(end);
    }
    let upto_end = &mut keys[..end];
    upto_end.select_nth_unstable(first);
    let page = &mut upto_end[first..];
    page.sort_unstable();
    page
}

fn outcomes(job: JobId, schedules: &[Option<&Schedule>]) -> [Option<JobOutcome>; MOST_RUNS] {
    let mut outcomes = [None; MOST_RUNS];
    for (outcome, schedule) in outcomes.iter_mut().zip(schedules) {
        *outcome = schedule.map(|schedule| JobOutcome::of(schedule, job));
    }
    outcomes
}

fn row<'a>(workload: &'a Workload, job: JobId, outcomes: &'a [Option<JobOutcome>]) -> SimulatedJob<'a> {
    SimulatedJob { request: workload.request(job), run: workload.run(job), outcomes }
}

/// What a row is sorted by; rows of which that is not known come first.
fn key(column: JobColumn, row: &SimulatedJob) -> Seconds {
    match column {
        JobColumn::Number => row.request.number,
        JobColumn::Submit => row.request.submit,
        JobColumn::Processors => i64::from(row.request.processors),
        JobColumn::Limit => row.request.limit,
        JobColumn::Run => row.run,
        JobColumn::User => i64::from(row.request.user),
        JobColumn::Wait(run) => row.wait(run).unwrap_or(Seconds::MIN),
        JobColumn::Difference => row.difference().unwrap_or(Seconds::MIN),
        JobColumn::Delay(run) => row.outcome(run).and_then(|o| o.delay()).unwrap_or(Seconds::MIN),
        JobColumn::StrictUnfairness(run) => {
            row.outcome(run).and_then(|o| o.strict_unfairness()).unwrap_or(Seconds::MIN)
        }
        JobColumn::RelaxedUnfairness(run) => {
            row.outcome(run).and_then(|o| o.relaxed_unfairness()).unwrap_or(Seconds::MIN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::testing::workload;

    fn schedule(workload: &Workload, starts: &[Seconds]) -> Schedule {
        Schedule { estimates: vec![60.0; starts.len()], ..Schedule::of_starts(workload, starts.to_vec()) }
    }

    fn query(search: &str, sort: JobColumn, descending: bool) -> JobsQuery {
        JobsQuery { search: search.to_owned(), sort, descending, first: 0, count: 100, runs: Vec::new() }
    }

    fn numbers(query: &JobsQuery) -> (usize, Vec<i64>) {
        let workload = workload(10, &[(0, 100, 4), (1, 50, 8), (2, 50, 2), (3, 10, 10), (4, 70, 8)]);
        let (first, second) =
            (schedule(&workload, &[0, 100, 2, 150, 160]), schedule(&workload, &[0, 100, 2, 200, 150]));
        match jobs(query, &workload, &[Some(&first), Some(&second)]).unwrap() {
            Answer::Jobs { matching, rows } => (matching, rows.iter().map(|row| row.request.number).collect()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn jobs_are_sorted_with_ties_in_log_order() {
        assert_eq!(numbers(&query("", JobColumn::Processors, false)).1, [3, 1, 2, 5, 4]);
        assert_eq!(numbers(&query("", JobColumn::Processors, true)).1, [4, 2, 5, 1, 3]);
        assert_eq!(numbers(&query("", JobColumn::Wait(0), true)).1, [5, 4, 2, 1, 3]);
        assert_eq!(numbers(&query("", JobColumn::Difference, false)).1, [5, 1, 2, 3, 4]);
    }

    #[test]
    fn searches_leave_what_matches() {
        assert_eq!(numbers(&query("procs:8", JobColumn::Number, false)), (2, vec![2, 5]));
        assert_eq!(numbers(&query("diff!=0 wait>90", JobColumn::Number, true)), (2, vec![5, 4]));
        assert_eq!(numbers(&query("99", JobColumn::Number, true)), (0, vec![]));
    }

    #[test]
    fn a_page_is_a_part_of_the_whole() {
        let whole = numbers(&query("", JobColumn::Run, true)).1;
        for first in 0..7 {
            for count in [0, 1, 2, 9, usize::MAX] {
                let page = JobsQuery { first, count, ..query("", JobColumn::Run, true) };
                let expected: Vec<i64> = whole.iter().copied().skip(first).take(count).collect();
                assert_eq!(numbers(&page), (5, expected), "{count} from {first}");
            }
        }
    }

    #[test]
    fn a_missing_schedule_is_said_only_where_it_is_needed() {
        let workload = workload(10, &[(0, 100, 4)]);
        let unknown = jobs(&query("", JobColumn::Number, false), &workload, &[None]).unwrap();
        assert!(matches!(unknown, Answer::Jobs { matching: 1, rows } if rows[0].outcomes == [None]));
        assert!(jobs(&query("wait>5", JobColumn::Number, false), &workload, &[None]).is_err());
        assert!(jobs(&query("", JobColumn::Wait(7), false), &workload, &[None]).is_err());
    }
}
