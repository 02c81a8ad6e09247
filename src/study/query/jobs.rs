//! A page of the table of jobs.

use super::row::SimulatedJob;
use super::search::JobSearch;
use super::{Answer, JobColumn, JobField, JobOutcome, JobRow, JobsQuery};
use crate::metric::fair_share::less_than_shares;
use crate::model::Schedule;
use crate::workload::{JobId, Workload};
use rustc_hash::FxHashMap;

/// Most runs that a table of jobs shows side by side.
const MOST_RUNS: usize = 2;

/// A schedule and its workload. Where users reacted, that is the lived workload: the same jobs in another order.
#[derive(Clone, Copy)]
pub(super) struct Scheduled<'a> {
    pub(super) workload: &'a Workload,
    pub(super) schedule: &'a Schedule,
}

/// The page of rows that `query` asks for. `schedules` are those of its runs, where there are any. Jobs are named by
/// their places in the log.
///
/// # Errors
/// A message in words: the search cannot be read, or it needs a schedule that is not here.
pub(super) fn jobs(
    query: &JobsQuery,
    workload: &Workload,
    schedules: &[Option<Scheduled<'_>>],
) -> Result<Answer, String> {
    let search = JobSearch::parse(&query.search, &workload.header)?;
    let schedules = &schedules[..schedules.len().min(MOST_RUNS)];
    let needed = search.runs().max(query.sort.runs());
    if needed > schedules.len() || schedules[..needed].iter().any(Option::is_none) {
        return Err(match needed {
            1 => {
                "Choose a run that has been simulated here: waits and starts are searched and sorted by it.".to_owned()
            }
            _ => "Choose two runs that have been simulated here: this compares their waits.".to_owned(),
        });
    }
    let of_shares = JobField::OF_SHARES.iter().any(|&field| search.looks_at(field) || query.sort.field == field);
    let by_place = |of| if of_shares { ByPlace::of(of).with_shares() } else { ByPlace::of(of) };
    let schedules: Vec<Option<ByPlace<'_>>> = schedules.iter().map(|of| of.map(by_place)).collect();
    let schedules = &schedules[..];
    let mut keys: Vec<(i64, JobId)> = Vec::new();
    for job in workload.jobs() {
        // Only the schedules that search and order look at are needed for all jobs.
        let outcomes = outcomes(job, &schedules[..needed]);
        let row = row(workload, job, &outcomes[..needed]);
        if search.matches(&row) {
            let key = key(query.sort, &row);
            // The largest come first, but equal ones stay in log order.
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

/// The rows from `first` on, in order. The other rows are only partitioned around the page, not sorted.
fn page(keys: &mut [(i64, JobId)], first: usize, count: usize) -> &[(i64, JobId)] {
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

/// How many executions of each job were killed, for jobs with any.
pub(super) fn kills(schedule: &Schedule) -> FxHashMap<JobId, u32> {
    let mut kills = FxHashMap::default();
    for execution in &schedule.killed {
        *kills.entry(execution.job).or_default() += 1;
    }
    kills
}

struct ByPlace<'a> {
    of: Scheduled<'a>,
    /// The job at each place in the log; empty where jobs came in log order.
    jobs: Vec<JobId>,
    kills: FxHashMap<JobId, u32>,
    /// The fair shares of each job less what it got; empty where they are not needed.
    shares: Vec<(f64, f64)>,
}

impl<'a> ByPlace<'a> {
    fn of(of: Scheduled<'a>) -> Self {
        let mut jobs = Vec::new();
        if of.workload.life().is_some() {
            jobs = vec![JobId(0); of.workload.len()];
            of.workload.jobs().for_each(|job| jobs[of.workload.place_in_log(job).index()] = job);
        }
        ByPlace { of, jobs, kills: kills(of.schedule), shares: Vec::new() }
    }

    /// Adds the fair shares, which need a look at the whole schedule.
    fn with_shares(self) -> Self {
        ByPlace { shares: less_than_shares(self.of.workload, self.of.schedule), ..self }
    }

    fn outcome(&self, place: JobId) -> JobOutcome {
        let job = self.jobs.get(place.index()).copied().unwrap_or(place);
        let kills = self.kills.get(&job).copied().unwrap_or(0);
        let share = self.shares.get(job.index()).copied();
        JobOutcome { share, ..JobOutcome::of(self.of.workload, self.of.schedule, job, kills) }
    }
}

fn outcomes(job: JobId, schedules: &[Option<ByPlace<'_>>]) -> [Option<JobOutcome>; MOST_RUNS] {
    let mut outcomes = [None; MOST_RUNS];
    for (outcome, schedule) in outcomes.iter_mut().zip(schedules) {
        *outcome = schedule.as_ref().map(|schedule| schedule.outcome(job));
    }
    outcomes
}

fn row<'a>(workload: &'a Workload, job: JobId, outcomes: &'a [Option<JobOutcome>]) -> SimulatedJob<'a> {
    SimulatedJob { request: workload.request(job), run: workload.run(job), outcomes }
}

/// The number by which a row is sorted; rows without a value come first.
fn key(column: JobColumn, row: &SimulatedJob) -> i64 {
    let Some(value) = column.value_of(row) else { return i64::MIN };
    // The bits of a double are in the order of the numbers if those of negative numbers are flipped, as in
    // `f64::total_cmp`.
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

impl JobRow {
    /// The job's value in a column; `None` where it is not known.
    pub fn value(&self, column: JobColumn) -> Option<f64> {
        column.value_of(&SimulatedJob { request: &self.request, run: self.run, outcomes: &self.outcomes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::testing::workload;
    use crate::workload::Seconds;

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
        let of = |schedule| Some(Scheduled { workload: &workload, schedule });
        match jobs(query, &workload, &[of(&first), of(&second)]).unwrap() {
            Answer::Jobs { matching, rows } => (matching, rows.iter().map(|row| row.request.number).collect()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn jobs_are_sorted_with_ties_in_log_order() {
        assert_eq!(numbers(&query("", JobField::Processors.into(), false)).1, [3, 1, 2, 5, 4]);
        assert_eq!(numbers(&query("", JobField::Processors.into(), true)).1, [4, 2, 5, 1, 3]);
        assert_eq!(numbers(&query("", JobField::Wait.under(0), true)).1, [5, 4, 2, 1, 3]);
        assert_eq!(numbers(&query("", JobField::Difference.into(), false)).1, [4, 1, 2, 3, 5]);
    }

    #[test]
    fn searches_leave_what_matches() {
        assert_eq!(numbers(&query("procs:8", JobField::Number.into(), false)), (2, vec![2, 5]));
        assert_eq!(numbers(&query("diff!=0 wait>90", JobField::Number.into(), true)), (2, vec![5, 4]));
        assert_eq!(numbers(&query("99", JobField::Number.into(), true)), (0, vec![]));
    }

    #[test]
    fn a_page_is_a_part_of_the_whole() {
        let whole = numbers(&query("", JobField::Run.into(), true)).1;
        for first in 0..7 {
            for count in [0, 1, 2, 9, usize::MAX] {
                let page = JobsQuery { first, count, ..query("", JobField::Run.into(), true) };
                let expected: Vec<i64> = whole.iter().copied().skip(first).take(count).collect();
                assert_eq!(numbers(&page), (5, expected), "{count} from {first}");
            }
        }
    }

    #[test]
    fn a_missing_schedule_is_said_only_where_it_is_needed() {
        let workload = workload(10, &[(0, 100, 4)]);
        let unknown = jobs(&query("", JobField::Number.into(), false), &workload, &[None]).unwrap();
        assert!(matches!(unknown, Answer::Jobs { matching: 1, rows } if rows[0].outcomes == [None]));
        assert!(jobs(&query("wait>5", JobField::Number.into(), false), &workload, &[None]).is_err());
        assert!(jobs(&query("", JobField::Wait.under(7), false), &workload, &[None]).is_err());
    }
}
