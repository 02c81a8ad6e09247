//! The jobs of a schedule as a file, with every field that is known.

use super::field::{FieldKind, FieldOf, JobColumn, JobField};
use super::jobs::kills;
use super::search::CLASSES;
use super::{JobOutcome, JobRow};
use crate::format::exact;
use packfair_engine::metric::fair_share::less_than_shares;
use packfair_engine::model::Schedule;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;

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
