//! A page of the table of jobs.

use super::field::{FieldKind, FieldOf};
use super::search::{CLASSES, JobSearch};
use super::{Answer, JobColumn, JobField, JobOutcome, JobRow, JobsQuery};
use crate::format::exact;
use packfair_engine::metric::fairness::less_than_shares;
use packfair_engine::model::Schedule;
use packfair_workload::{JobId, Request, Seconds, Workload};
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

// A job as searches and sorting see it, without formatting or copying.

#[derive(Clone, Copy)]
pub(super) struct SimulatedJob<'a> {
    pub(super) request: &'a Request,
    /// Actual run time D.
    pub(super) run: Seconds,
    /// The job's outcome under each run of the question, where it is known.
    pub(super) outcomes: &'a [Option<JobOutcome>],
}

impl SimulatedJob<'_> {
    pub(super) fn outcome(&self, run: usize) -> Option<JobOutcome> {
        self.outcomes.get(run).copied().flatten()
    }

    pub(super) fn wait(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.wait())
    }
}

// The jobs of a schedule as a file, with every field that is known.

/// CSV with a line for each job, in log order. Fields are headed by their ids and are exact; times are on the clock of
/// the log's file; users, groups and so on have the names that they have there. A field that no job has is left out.
pub(super) fn jobs_file(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let columns = job_values(workload, Some(schedule));
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = out.write_record(columns.iter().map(|column| column.id));
    for row in 0..workload.len() {
        let _ = out.write_record(columns.iter().map(|column| column.values.text(row)));
    }
    out.into_inner().unwrap_or_default()
}

/// A field of all jobs of a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct JobValues {
    /// The field.
    pub field: JobField,
    /// The name of the column: the field's first id.
    pub id: &'static str,
    /// A value for each job, in log order.
    pub values: FieldValues,
}

/// The values of a field; none where a job has none.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValues {
    /// Whole numbers; moments are on the clock of the log's file.
    Whole(Vec<Option<i64>>),
    /// Other numbers.
    Real(Vec<Option<f64>>),
    /// NameTexts, and numbers without a name.
    Text(Vec<Option<String>>),
}

impl FieldValues {
    /// The value of a job as a program reads it; empty where there is none.
    fn text(&self, row: usize) -> String {
        match self {
            FieldValues::Whole(values) => values[row].map(|value| value.to_string()),
            FieldValues::Real(values) => values[row].map(exact),
            FieldValues::Text(values) => values[row].clone(),
        }
        .unwrap_or_default()
    }
}

/// The fields of all jobs, in log order: what the log tells and, with a schedule, what became of them. A field that no
/// job has is left out.
pub fn job_values(workload: &Workload, schedule: Option<&Schedule>) -> Vec<JobValues> {
    let rows = rows(workload, schedule);
    let asked = |field: &&JobField| match field.about().of {
        FieldOf::Job => true,
        FieldOf::Run => schedule.is_some(),
        FieldOf::Both => false,
    };
    let columns = JobField::ALL.iter().filter(asked).map(|field| field.under(0));
    let columns = columns.filter(|&column| rows.iter().any(|row| row.value(column).is_some()));
    let of = |column: JobColumn| JobValues {
        field: column.field,
        id: column.field.about().ids[0],
        values: values(column, &rows, workload),
    };
    columns.map(of).collect()
}

fn rows(workload: &Workload, schedule: Option<&Schedule>) -> Vec<JobRow> {
    let known = schedule.map(|schedule| (schedule, kills(schedule), less_than_shares(workload, schedule)));
    let outcome = |job: JobId| {
        let (schedule, kills, shares) = known.as_ref()?;
        let outcome = JobOutcome::of(workload, schedule, job, kills.get(&job).copied().unwrap_or(0));
        Some(JobOutcome { share: Some(shares[job.index()]), ..outcome })
    };
    let row = |job: JobId| JobRow {
        job,
        request: workload.request(job).clone(),
        run: workload.run(job),
        outcomes: vec![outcome(job)],
    };
    workload.jobs().map(row).collect()
}

fn values(column: JobColumn, rows: &[JobRow], workload: &Workload) -> FieldValues {
    let all = || rows.iter().map(|row| row.value(column));
    match column.field.about().kind {
        FieldKind::Moment => {
            FieldValues::Whole(all().map(|value| Some(workload.own_time(value? as Seconds))).collect())
        }
        FieldKind::Class => {
            FieldValues::Text(all().map(|value| Some(CLASSES[usize::from(value? > 0.0)].to_owned())).collect())
        }
        FieldKind::Named(label) => {
            let mut names: FxHashMap<i64, String> = FxHashMap::default();
            let mut name = |value: f64| {
                let look_up =
                    || workload.header.name_of(label, value as i64).map_or_else(|| exact(value), str::to_owned);
                names.entry(value as i64).or_insert_with(look_up).clone()
            };
            FieldValues::Text(all().map(|value| value.map(&mut name)).collect())
        }
        _ if all().flatten().all(|value| value.fract() == 0.0 && value.abs() < MOST_EXACT) => {
            FieldValues::Whole(all().map(|value| value.map(|value| value as i64)).collect())
        }
        _ => FieldValues::Real(all().collect()),
    }
}

/// Below it whole numbers are exact.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::Seconds;
    use packfair_workload::testing::workload;

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

#[cfg(test)]
mod file_tests {
    use super::*;
    use packfair_engine::classifier::{Because, KnownClasses, Vote};
    use packfair_engine::model::{Class, Execution, KilledBy, NoteId, SizeClass};
    use packfair_workload::testing::workload;

    #[test]
    fn a_job_has_a_line_with_all_that_is_known_of_it() {
        let workload = workload(10, &[(0, 100, 4), (5, 50, 8)]);
        let plain = Schedule { estimates: vec![100.0, 60.0], ..Schedule::of_starts(&workload, vec![0, 100]) };
        let text = |schedule: &Schedule| String::from_utf8(jobs_file(&workload, schedule)).unwrap();
        let told = text(&plain);
        let heading = told.lines().next().unwrap();
        assert!(heading.starts_with("job,submit,procs,limit,run,user,"), "{heading}");
        assert!(heading.ends_with("start,wait,killed,response,slowdown,estimate,equal_share,width_share"), "{heading}");
        assert!(told.lines().nth(2).unwrap().contains(",100,95,0,145,2.9,60,190,253.3333"), "{told}");

        let mut classed = plain;
        classed.classes = vec![SizeClass { class: Class::Small, divider: Some(40) }; 2];
        let same = KnownClasses { latest: [None; 3], known: 0, small: 0 };
        let vote = Because::Vote(Vote { small: 0.75, trees_for: 15, trees: 20, same });
        classed.notes.set_of_jobs(NoteId::BECAUSE, vec![vote.noted(), Because::EveryJob.noted()]);
        classed.killed.push(Execution { job: JobId(1), start: 60, end: 100, by: KilledBy::Scheduler });
        let told = text(&classed);
        assert!(told.lines().next().unwrap().contains("class,votes,divider,killed"), "{told}");
        assert!(told.lines().nth(1).unwrap().contains(",small,0.75,40,0,"), "{told}");
        assert!(told.lines().nth(2).unwrap().contains(",small,,40,1,"), "{told}");
    }
}
