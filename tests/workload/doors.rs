//! The small inputs beside the repository that are about readers, as far as they are not checked in `reader`: what must be
//! said of them.

use crate::shared;
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute};
use packfair::workload::reading::{Limits, Reader, read, read_by};
use packfair::workload::{ColumnMap, ReadError, Summary};

fn case(name: &str) -> Option<Vec<u8>> {
    let folder = shared::folder()?.join("samples/doors/cases");
    if !folder.is_dir() {
        shared::skipped();
        return None;
    }
    Some(std::fs::read(folder.join(name)).expect("the case is there"))
}

#[test]
fn long_jobs_on_a_young_cluster_count() {
    let Some(bytes) = case("b14-long-jobs-fresh-cluster.psv") else { return };
    let workload = Treatment::default().apply(&read("young", bytes.as_slice()).unwrap()).unwrap();
    let summary = Summary::of(&workload);
    assert_eq!((summary.jobs, summary.counted(), summary.why_none_counts()), (100, 100, None));
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let report = execute(&run, &workload, Correction::default(), &Measure::default()).unwrap().report;
    assert!(report.jobs > 90 && !report.values.is_empty());
}

#[test]
fn a_table_without_names_is_refused_with_what_its_columns_seem_to_hold() {
    let Some(bytes) = case("b17-headerless.psv") else { return };
    let Err(ReadError::Unnamed { guess: Some(guess) }) = read("dump", bytes.as_slice()) else {
        panic!("it is refused with a guess")
    };
    assert_eq!(&*guess, "id=1,submit=3,start=4,end=5,processors=6,user=2");
    let columns = guess.split(',').map(|part| part.parse().unwrap()).collect();
    let log = read_by(Reader::mapped("dump", Limits::default(), ColumnMap { columns }), bytes.as_slice()).unwrap();
    let jobs: Vec<_> = log.records.iter().map(|record| (record.wait, record.run, record.requested)).collect();
    assert_eq!(jobs, [(600, 3_600, 4), (540, 7_200, 8)]);
}

#[test]
fn what_was_not_understood_is_said_with_three_lines_and_going_on_is_a_choice() {
    let Some(bytes) = case("b18-short-rows.psv") else { return };
    let asked = Limits { lost: Limits::LOST_UNASKED, ..Limits::default() };
    let said = read_by(Reader::within("short", asked), bytes.as_slice()).unwrap_err().to_string();
    assert!(said.starts_with("500 of its 1000 records were not understood"), "{said}");
    assert_eq!(said.matches(" reads \"").count(), 3, "{said}");
    let log = read("short", bytes.as_slice()).unwrap();
    assert_eq!((log.jobs(), log.records_read()), (500, 1_000));
    assert!(log.account.in_short(1_000).starts_with("1,000 records: 500 jobs, 500 not understood"));
}
