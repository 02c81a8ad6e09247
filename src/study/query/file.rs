//! The jobs of a schedule as a file, with every field that is known.

use super::field::{FieldKind, FieldOf, JobColumn, JobField};
use super::jobs::kills;
use super::search::CLASSES;
use super::{JobOutcome, JobRow};
use crate::metric::fair_share::less_than_shares;
use crate::model::Schedule;
use crate::study::format::exact;
use crate::workload::{Seconds, Workload};
use rustc_hash::FxHashMap;

/// CSV with a line for each job, in log order. Fields are headed by their ids and are exact; times are on the clock of
/// the log's file; users, groups and so on have the names that they have there. A field that no job has is left out.
pub(super) fn jobs_file(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let (kills, shares) = (kills(schedule), less_than_shares(workload, schedule));
    let rows: Vec<JobRow> = workload
        .jobs()
        .map(|job| JobRow {
            job,
            request: workload.request(job).clone(),
            run: workload.run(job),
            outcomes: vec![Some(JobOutcome {
                share: Some(shares[job.index()]),
                ..JobOutcome::of(workload, schedule, job, kills.get(&job).copied().unwrap_or(0))
            })],
        })
        .collect();
    let fields = JobField::ALL.iter().filter(|field| field.about().of != FieldOf::Both);
    let columns = fields.map(|field| field.under(0));
    let columns: Vec<JobColumn> =
        columns.filter(|&column| rows.iter().any(|row| row.value(column).is_some())).collect();
    let mut names = NameTexts::default();
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = out.write_record(columns.iter().map(|column| column.field.about().ids[0]));
    for row in &rows {
        let _ = out.write_record(columns.iter().map(|&column| text(column, row, workload, &mut names)));
    }
    out.into_inner().unwrap_or_default()
}

/// The names of users, groups and so on, each looked up once.
type NameTexts = FxHashMap<(&'static str, i64), String>;

/// A value as a program reads it; empty where there is none.
fn text(column: JobColumn, row: &JobRow, workload: &Workload, names: &mut NameTexts) -> String {
    let Some(value) = row.value(column) else { return String::new() };
    match column.field.about().kind {
        FieldKind::Moment => workload.own_time(value as Seconds).to_string(),
        FieldKind::Class => CLASSES[usize::from(value > 0.0)].to_owned(),
        FieldKind::Named(label) => {
            let name = || workload.header.name_of(label, value as i64).map_or_else(|| exact(value), str::to_owned);
            names.entry((label, value as i64)).or_insert_with(name).clone()
        }
        _ => exact(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::{Because, KnownClasses, Vote};
    use crate::model::{Class, Execution, KilledBy, NoteId, SizeClass};
    use crate::study::testing::workload;
    use crate::workload::JobId;

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
