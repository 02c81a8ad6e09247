//! Logs in other formats than SWF.

use crate::files;
use crate::program::{Folder, packfair, refusal, stdout, text};
use packfair::workload::reading;
use serde_json::Value;

/// Two months of a cluster with two nodes of 4 processors; job 2 is in both.
const JANUARY: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n\
    1|1|ann|lab|short|q|2026-01-05T10:00:00|2026-01-05T10:00:00|2026-01-05T10:00:00|600|60|1|4|COMPLETED\n\
    2|2|bob|lab|long|q|2026-01-05T10:01:00|2026-01-05T10:09:00|2026-01-05T10:10:00||60|2|8|RUNNING\n";
const FEBRUARY: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n\
    2|2|bob|lab|long|q|2026-01-05T10:01:00|2026-01-05T10:09:00|2026-01-05T10:10:00|900|60|2|8|COMPLETED\n\
    3|3|ann|lab|short|q|2026-02-01T00:00:00|2026-02-01T00:00:00|2026-02-01T00:00:00|60|60|1|4|FAILED\n";

fn summary(arguments: &[&str]) -> Value {
    let output = packfair(&[&["summary"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(stdout(&output)).expect("JSON")
}

#[test]
fn months_of_sacct_are_one_log_on_a_machine_of_the_right_size() {
    let folder = Folder::new("sacct");
    let (january, february) = (folder.write("1.txt", JANUARY.as_bytes()), folder.write("2.txt", FEBRUARY.as_bytes()));
    let told = summary(&[&january, &february]);
    assert_eq!(told["summary"]["jobs"], 3);
    assert_eq!(told["summary"]["machine"]["processors"], 2, "nodes, for every job takes whole ones");
    let told = summary(&[&february, &january, "--unit", "processors", "--users", "bob"]);
    assert_eq!((&told["summary"]["jobs"], &told["summary"]["machine"]["processors"]), (&1.into(), &8.into()));
    let output = packfair(&[
        "run",
        &january,
        &february,
        "-s",
        "as-logged",
        "easy",
        "-e",
        "requested",
        "--since",
        "eligible",
        "--columns",
        "max_wait",
        "--count",
        "all",
        "--format",
        "json",
    ]);
    let runs: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(runs[0]["metrics"]["max_wait"], 60.0, "what it waited once it was eligible");
    assert!(
        refusal(&packfair(&["summary", &january, "--unit", "gpus"])).contains("does not say how many gpus a job took")
    );
    assert!(refusal(&packfair(&["summary", &january, "--users", "eve"])).contains("the log has no such user"));
}

#[test]
fn any_format_becomes_swf_with_names_or_without() {
    let folder = Folder::new("convert");
    let (january, february) = (folder.write("1.txt", JANUARY.as_bytes()), folder.write("2.txt", FEBRUARY.as_bytes()));
    let output = packfair(&["convert", &january, &february]);
    let log = reading::read("x.swf", output.stdout.as_slice()).unwrap();
    assert_eq!((log.records.len(), log.header.unix_start()), (3, Some(1_767_607_200)));
    let told = text(&output.stderr);
    assert!(!told.contains("still running") && told.contains("the same job again"), "it has ended in February: {told}");

    let users = |path: &str, key: &str| {
        let output = packfair(&["convert", path, &format!("--anonymise={key}")]);
        let log = reading::read("x.swf", output.stdout.as_slice()).unwrap();
        log.records.iter().map(|record| record.user).collect::<Vec<_>>()
    };
    // ann is in both, first and last
    assert_eq!(users(&january, "k")[0], users(&february, "k")[1]);
    assert_ne!(users(&january, "k")[0], users(&january, "l")[0]);
    let output = packfair(&["convert", &january, "--anonymise"]);
    assert!(text(&output.stderr).contains("need the same key: --anonymise="), "{}", text(&output.stderr));
}

#[test]
fn samples_of_real_clusters_are_read() {
    let Some(folder) = files::folder() else { return };
    let path = |name: &str| folder.join("samples").join(name).display().to_string();
    let jobs = |name: &str| summary(&[&path(name), "--clean", "raw"])["summary"]["jobs"].as_u64().unwrap();
    assert!(jobs("sacct/xdmod-layout.psv") > 3_000);
    assert_eq!(jobs("sacct/sacct_simple.log"), 4);
    assert!(jobs("sacct/slurm2sql-test-data1.csv") > 0);
    assert!(jobs("batsim/workload.json") > 100);
    assert!(jobs("batsim/medium_late.json") > 100);
    assert!(jobs("batsim/evalys-jobs.csv") > 100);
    let refused = packfair(&["summary", &path("sacct/columns-missing.csv")]);
    let said = refusal(&refused);
    assert!(said.contains("columns are missing") && said.contains("TZ=UTC sacct"), "{said}");
}

#[test]
fn who_waited_how_long_is_told_by_group_as_logged_and_with_each_scheduler() {
    let folder = Folder::new("grouped");
    let february = folder.write("2.txt", FEBRUARY.as_bytes());
    let run = |more: &[&str]| {
        let output = packfair(&[&["run", &february, "-s", "easy", "-e", "requested", "--count", "all"], more].concat());
        stdout(&output).to_owned()
    };
    let csv = run(&["--by", "partition,user", "--sort", "wait_max", "--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("by,group,scheduler,estimator,jobs,wait_mean,wait_median,wait_p90,wait_p95,wait_max,"),
        "{csv}"
    );
    assert!(lines[1].starts_with("partition,long,as-logged,requested,1,540,540,540,540,540,1.6,"), "{csv}");
    assert_eq!(lines.len(), 1 + 2 * 4, "two partitions, two users, as logged and with EASY: {csv}");
    // the same for spreadsheets, as there is no name that a spreadsheet takes for a formula
    assert_eq!(run(&["--by", "partition,user", "--sort", "wait_max", "--format", "spreadsheet"]), csv);
    let formula = folder.write("formula.txt", FEBRUARY.replace("ann", "=cmd").as_bytes());
    let of = |format| {
        let arguments =
            ["run", &formula, "-s", "easy", "-e", "requested", "--by", "user", "--count", "all", "--format", format];
        stdout(&packfair(&arguments)).to_owned()
    };
    assert!(of("csv").contains("\nuser,=cmd,") && of("spreadsheet").contains("\nuser,'=cmd,"), "{}", of("spreadsheet"));
    let table = run(&["--by", "hour"]);
    assert!(
        table.contains("No row schedules as this cluster did. EASY with requested estimates comes nearest to the log."),
        "{table}"
    );
    assert!(table.contains("Hour of submission  00:00"), "{table}");
    let json: Value = serde_json::from_str(&run(&["--by", "account", "--format", "json"])).expect("JSON");
    assert_eq!(
        (&json[0]["group"], &json[0]["jobs"], &json[1]["near_log_5min"]),
        (&"lab".into(), &2.into(), &0.5.into())
    );
}

#[test]
fn what_the_columns_of_a_table_are_can_be_said() {
    let folder = Folder::new("columns");
    let named = "nr;wann;Dauer;Kerne;wer;Grenze\n1;05.01.2026 10:00;1,5;4;ann;60\n2;05.01.2026 10:30;2;8;bob;90\n";
    let table = folder.write("jobs.csv", named.replace("1,5", "1.5").as_bytes());
    let map = "submit=wann:%d.%m.%Y %H:%M,run=Dauer:min,processors=Kerne,user=5,limit=Grenze:min,id=nr";
    let told = summary(&[&table, "--columns", map]);
    assert_eq!((&told["summary"]["jobs"], &told["summary"]["span"]["last_submit"]), (&2.into(), &1_800.into()));
    assert_eq!(told["summary"]["top_users"][0]["name"], "bob");
    assert_eq!(told["summary"]["limits"]["quantiles"]["max"], 5_400.0);
    let nameless = folder.write("plain.tsv", b"1700000000\t60\t4\n1700000100\t60\t8\n");
    let output = packfair(&["convert", &nameless, "--columns", "submit=1,run=2,processors=3"]);
    let log = reading::read("x.swf", output.stdout.as_slice()).unwrap();
    assert_eq!(
        log.records.iter().map(|r| (r.submit, r.run, r.requested)).collect::<Vec<_>>(),
        [(0, 60, 4), (100, 60, 8)]
    );
    let run = ["run", &nameless, "-s", "fcfs", "-e", "actual", "--format", "csv"];
    let output = packfair(&[&run[..], &["--columns", "AF,submit=1,run=2,processors=3", "--count", "all"]].concat());
    assert!(stdout(&output).starts_with("scheduler,estimator,k,jobs,AF,"), "{}", stdout(&output));
    let output = packfair(&["summary", &table, "--columns", "submit=when,run=Dauer"]);
    let refused = refusal(&output);
    assert!(refused.contains("columns are missing: \"when\"") && refused.contains("nr, wann, Dauer"), "{refused}");
    assert!(refusal(&packfair(&["summary", &table, "--columns", "start"])).contains("FIELD=COLUMN"));
}

#[test]
fn a_directory_and_an_archive_of_days_are_one_log() {
    let folder = Folder::new("days");
    folder.write("1.txt", JANUARY.as_bytes());
    folder.write("2.txt", FEBRUARY.as_bytes());
    folder.write("notes.md", b"what is in here\n");
    let directory = folder.path("");
    let output = packfair(&["summary", &directory, "--format", "json"]);
    let told: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(told["summary"]["jobs"], 3);
    assert!(text(&output.stderr).contains("notes.md") && text(&output.stderr).contains("the file is left out"));
}

#[test]
fn swf_names_the_one_dependency_that_ended_last() {
    let folder = Folder::new("dependencies");
    let dump = "JobID|JobIDRaw|User|JobName|Submit|Eligible|Start|ElapsedRaw|NCPUS|State|Dependency\n\
        1|1|ann|a|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:00|100|1|COMPLETED|\n\
        2|2|ann|a|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:00|50|1|COMPLETED|\n\
        3|3|ann|b|2026-01-01T00:03:00|2026-01-01T00:03:00|2026-01-01T00:03:00|10|1|COMPLETED|afterok:1:2\n\
        4|4|ann|b|2026-01-01T00:03:05|2026-01-01T00:03:10|2026-01-01T00:03:10|10|1|COMPLETED|afterany:3\n\
        5|5|ann|c|2026-01-01T00:04:00|2026-01-01T00:04:00|2026-01-01T00:04:00|10|1|COMPLETED|afterany:77\n";
    let dump = folder.write("sacct.txt", dump.as_bytes());
    let output = packfair(&["convert", &dump]);
    let log = reading::read("x.swf", output.stdout.as_slice()).unwrap();
    let after: Vec<_> = log.records.iter().map(|record| (record.number, record.preceding, record.think)).collect();
    // the last one comes after a missing job; the one before was submitted while the other job ran
    assert_eq!(after, [(1, -1, -1), (2, -1, -1), (3, 1, 80), (4, 3, -1), (5, -1, -1)]);

    let output = packfair(&["summary", &dump]);
    let said = text(&output.stdout);
    assert!(said.contains("2 jobs come after others; they are submitted when the log says"), "{said}");
    let output = packfair(&["summary", &dump, "--feedback", "stated"]);
    let said = text(&output.stdout);
    assert!(!said.contains("submitted when the log says"), "{said}");
    assert!(said.contains("Stated dependencies"), "{said}");
}

#[test]
fn what_columns_are_can_be_said_of_records_and_of_packed_tables() {
    use std::io::Write as _;
    let folder = Folder::new("columns-of-records");
    let limits = r#"[{"id": 1, "submit": 1767607200, "run": 60, "limit": 15, "cores": 4}]"#;
    let records = folder.write("jobs.json", limits.as_bytes());
    let limit = |arguments: &[&str]| {
        let output = packfair(&[&["convert"], arguments].concat());
        reading::read("x.swf", output.stdout.as_slice()).map(|log| log.records[0].requested_time)
    };
    assert_eq!(limit(&[&records]).unwrap(), 15);
    assert_eq!(limit(&[&records, "--columns", "limit=limit:min"]).unwrap(), 900);
    let refused = refusal(&packfair(&["summary", &records, "--columns", "submit=when"])).to_owned();
    assert!(refused.contains("columns are missing: \"when\"") && refused.contains("cores, id, limit"), "{refused}");

    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("jobs.csv", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"nr,wann,Dauer,Kerne\n1,1767607200,2,4\n").unwrap();
    let packed = folder.write("jobs.zip", &zip.finish().unwrap().into_inner());
    let told = summary(&[&packed, "--columns", "submit=wann,run=Dauer:h,processors=Kerne"]);
    assert_eq!(told["summary"]["jobs"], 1);
}
