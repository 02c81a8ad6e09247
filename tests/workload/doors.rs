//! The small inputs beside the repository that are about readers, as far as they are not checked in `reader`: what must be
//! said of them.

use crate::shared;
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute};
use packfair::workload::reading::{Limits, Reader, read, read_by};
use packfair::workload::{ColumnMap, ReadError, Reason, Summary};

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

/// A log of 100 jobs of four processors, of which every tenth asked for two, in each format that tells both.
fn of_two_widths() -> Vec<(&'static str, String)> {
    let asked = |at: u32| if at.is_multiple_of(10) { 2 } else { 4 };
    let rows = |row: &dyn Fn(u32, u32) -> String| (0..100).map(|at| row(at, 1_767_225_600 + at)).collect::<String>();
    let usage = ["0.5"; 19].join(" ");
    vec![
        ("SWF", rows(&|at, _| format!("{} {at} 10 60 4 -1 -1 {} 600 -1 1 1 1 1 1 1 -1 -1\n", at + 1, asked(at)))),
        (
            "sacct",
            "JobID|Submit|Start|End|NCPUS|ReqCPUS|State\n".to_owned()
                + rows(&|at, submit| {
                    format!("{}|{submit}|{}|{}|4|{}|COMPLETED\n", at + 1, submit + 10, submit + 70, asked(at))
                })
                .as_str(),
        ),
        (
            "sacct --json",
            rows(&|at, submit| {
                format!(
                    r#"{{"job_id": {}, "time": {{"submission": {submit}, "start": {}, "elapsed": 60}}, "state": {{"current": "COMPLETED"}},
                    "tres": {{"allocated": [{{"type": "cpu", "count": 4}}], "requested": [{{"type": "cpu", "count": {}}}]}}}}"#,
                    at + 1,
                    submit + 10,
                    asked(at)
                )
            }),
        ),
        (
            "PBS",
            rows(&|at, submit| {
                format!(
                    "01/01/2026 12:00:00;E;{}.host;user=ann ctime={submit} start={} end={} exec_host=n1/0-3 Resource_List.ncpus={}\n",
                    at + 1,
                    submit + 10,
                    submit + 70,
                    asked(at)
                )
            }),
        ),
        (
            "LSF",
            rows(&|at, submit| {
                format!(
                    "\"JOB_FINISH\" \"10.1\" {} {} 1000 33554434 {} {submit} 0 0 {} \"ann\" \"normal\" \"\" \"\" \"\" \"login\" \
                     \"/home\" \"\" \"out\" \"\" \"file\" 0 4 \"n1\" \"n1\" \"n1\" \"n1\" 64 60.0 \"fit\" \"run\" {usage} \"\" \"lab\" 0 4 \
                     \"\" \"\" 0\n",
                    submit + 70,
                    at + 1,
                    asked(at),
                    submit + 10
                )
            }),
        ),
        (
            "Grid Engine",
            rows(&|at, submit| {
                let mut fields = vec!["0".to_owned(); 45];
                for (place, value) in [
                    (5, (at + 1).to_string()),
                    (8, submit.to_string()),
                    (9, (submit + 10).to_string()),
                    (10, (submit + 70).to_string()),
                    (34, "4".to_owned()),
                    (39, format!("-l h_rt=600 -pe mpi {}", asked(at))),
                    (41, "NONE".to_owned()),
                ] {
                    fields[place] = value;
                }
                fields.join(":") + "\n"
            }),
        ),
        (
            "table",
            "id,submit,start,end,cores,cores_req\n".to_owned()
                + rows(&|at, submit| format!("{},{submit},{},{},4,{}\n", at + 1, submit + 10, submit + 70, asked(at)))
                    .as_str(),
        ),
        (
            "table of nodes",
            "id;submit;start;end;nodes;req_nodes\n".to_owned()
                + rows(&|at, submit| format!("{};{submit};{};{};4;{}\n", at + 1, submit + 10, submit + 70, asked(at)))
                    .as_str(),
        ),
        (
            "HTCondor",
            rows(&|at, submit| {
                format!(
                    "ClusterId = {}\nProcId = 0\nJobStatus = 4\nQDate = {submit}\nJobStartDate = {}\nCompletionDate = {}\n\
                     CpusProvisioned = 4\nRequestCpus = {}\n\n",
                    at + 1,
                    submit + 10,
                    submit + 70,
                    asked(at)
                )
            }),
        ),
    ]
}

#[test]
fn widths_that_differ_are_told_in_every_format_that_has_both() {
    for (name, text) in of_two_widths() {
        let log = read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = [Reason::WidthsDiffer, Reason::HeldOtherWidth].map(|reason| log.account.count(reason));
        assert_eq!((log.jobs(), told[0] + told[1]), (100, 10), "{name}: {}", log.account.in_words());
        assert_eq!(log.account.works(), Some((24_000, 22_800)), "{name}");
        let workload = Treatment::default().apply(&log).unwrap();
        assert!(Summary::of(&workload).both_utilisations(&log.account).is_some(), "{name}");
    }
}

#[test]
fn a_row_is_a_copy_only_if_it_is_equal_in_all_that_was_read() {
    let names = "JobIDRaw|User|Submit|Start|End|NCPUS|TimelimitRaw|State\n";
    let row = |id: &str, user: &str, start: u32, end: &str, limit: u32, state: &str| {
        format!("{id}|{user}|2026-01-01T00:00:00|2026-01-01T00:{start:02}:00|{end}|4|{limit}|{state}\n")
    };
    let end = "2026-01-01T01:00:00";
    let done = row("7", "ann", 10, end, 60, "COMPLETED");
    let seen = |rows: &[String]| {
        let log = read("sacct", (names.to_owned() + rows.concat().as_str()).as_bytes()).unwrap();
        let told = [Reason::Repeated, Reason::SharedId, Reason::StillRunning].map(|reason| log.account.count(reason));
        (log.jobs(), told)
    };
    assert_eq!(seen(&[done.clone(), done.clone()]), (1, [1, 0, 0]));
    // another user, another limit
    assert_eq!(seen(&[done.clone(), row("7", "bob", 10, end, 60, "COMPLETED")]), (2, [0, 1, 0]));
    assert_eq!(seen(&[done.clone(), row("7", "ann", 10, end, 90, "COMPLETED")]), (2, [0, 1, 0]));
    // it ran when the first dump was made, or was put back and runs again
    assert_eq!(seen(&[row("7", "ann", 10, "Unknown", 60, "RUNNING"), done.clone()]), (1, [1, 0, 0]));
    assert_eq!(seen(&[row("7", "ann", 5, "Unknown", 60, "RUNNING"), done.clone()]), (1, [1, 0, 0]));
    let again = row("7", "ann", 30, "Unknown", 60, "RUNNING");
    assert_eq!(seen(&[done.clone(), again]), (1, [0, 1, 1]));
    // tasks that share an id: every row is a job, also two that are equal
    let table = |ids: [&str; 4]| {
        let times = [10, 10, 20, 30];
        let rows = ids
            .iter()
            .zip(times)
            .map(|(id, start)| format!("{id},2026-01-01 00:00:00,2026-01-01 00:{start}:00,2026-01-01 01:00:00,4\n"));
        let log =
            read("t.csv", ("id,submit,start,end,cores\n".to_owned() + rows.collect::<String>().as_str()).as_bytes())
                .unwrap();
        (log.jobs(), log.account.count(Reason::Repeated), log.account.count(Reason::SharedId))
    };
    assert_eq!(table(["7", "7", "7", "8"]), (4, 0, 2));
    assert_eq!(table(["7", "7", "8", "9"]), (3, 1, 0));
    assert_eq!(table(["7_1", "7_1", "7_1", "8"]), (3, 1, 1), "ids tell tasks apart");
}

#[test]
fn a_negative_wait_or_run_time_is_told_and_never_cut_in_silence() {
    let rows = |wait: &str, run: &str| format!("1,2026-01-01 00:00:00,{wait},{run},4\n2,2026-01-01 00:00:01,5,60,4\n");
    let told = |wait: &str, run: &str| {
        let log =
            read("t.csv", ("id,submit,wait,run,cores\n".to_owned() + rows(wait, run).as_str()).as_bytes()).unwrap();
        [Reason::StartsBeforeSubmit, Reason::EndsBeforeStart].map(|reason| log.account.count(reason))
    };
    assert_eq!(
        [told("-3600", "60"), told("5", "-7"), told("-1", "60"), told("-1", "-1")],
        [[1, 0], [0, 1], [0, 0], [0, 0]]
    );
}

#[test]
fn what_means_nothing_is_unknown_in_every_format() {
    for nothing in
        ["4294967294", "4294967295", "18446744073709551614", "18446744073709551615", "9223372036854775807", "-1"]
    {
        let texts = [
            format!(
                "; Version: 2.2\n1 0 {nothing} 60 4 -1 {nothing} 4 {nothing} {nothing} 1 {nothing} 1 1 1 1 -1 -1\n"
            ),
            format!(
                "JobIDRaw|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|ReqMem|UID|State\n\
                 1|2026-01-01T00:00:00|{nothing}|60|{nothing}|4|{nothing}M|{nothing}|COMPLETED\n"
            ),
            format!(
                r#"{{"job_id": 1, "time": {{"submission": 1767225600, "start": {nothing}, "elapsed": 60, "limit": {nothing}}},
                "state": {{"current": ["COMPLETED"]}}, "tres": {{"allocated": [{{"type": "cpu", "count": 4}}, {{"type": "mem", "count": {nothing}}}]}}}}"#
            ),
            format!(
                "01/01/2026 12:00:00;E;1.host;user={nothing} ctime=1767225600 start={nothing} end=1767225670 \
                 Resource_List.walltime={nothing} Resource_List.ncpus=4 Resource_List.mem={nothing}kb\n"
            ),
            format!("id,submit,start,run,limit,cores,user\n1,2026-01-01 00:00:00,{nothing},60,{nothing},4,{nothing}\n"),
            format!(
                "{{\"id\": 1, \"submit\": 1767225600, \"start\": {nothing}, \"run\": 60, \"limit\": {nothing}, \"cores\": 4, \"user\": \"{nothing}\"}}\n{}",
                "{\"id\": 2, \"submit\": 1767225600, \"start\": {\"set\": false, \"infinite\": false, \"number\": 5}, \"run\": 60, \
                 \"limit\": {\"set\": true, \"infinite\": true, \"number\": 7}, \"cores\": 4}\n"
            ),
        ];
        for text in texts {
            let log = read("log", text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            for record in &log.records {
                assert_eq!((record.wait, record.requested_time, record.user), (-1, -1, -1), "{text}");
            }
            assert!(log.beyond.memory.iter().all(|&memory| memory < 0), "{text}");
            assert_eq!(log.account.count(Reason::OutOfRange), 0, "{text}");
        }
    }
}
