//! Drives the program `packfair` as a person or a script does.
#![cfg(not(target_arch = "wasm32"))]

#[path = "shared/mod.rs"]
mod files;

use packfair::metric::{Counted, Measure, Metric};
use packfair::simulation::Correction;
use packfair::study::{Generated, RunReport, Treatment, execute, export, fair_starts_of};
use packfair::workload::{Seconds, swf};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn packfair(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_packfair")).args(arguments).output().expect("the program starts")
}

fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads all");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The one sentence with which a command refuses what it was given.
fn refusal(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

/// A folder for a test's files, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for files");
        Folder(folder)
    }

    /// A file in it, whether or not it exists.
    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn write(&self, name: &str, content: &[u8]) -> String {
        std::fs::write(self.0.join(name), content).expect("a file is written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // what stays behind lies in target/ and does no harm
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const GENERATED: Generated = Generated::Lublin { jobs: 300, processors: 64, seed: 7 };

/// A generated log, as the program writes it.
fn log() -> Vec<u8> {
    let output = packfair(&["generate", "lublin", "--jobs", "300", "--procs", "64", "--seed", "7"]);
    stdout(&output).as_bytes().to_vec()
}

fn run_json(log: &[u8], arguments: &[&str]) -> Vec<Value> {
    let output = with_input(&[&["run", "-", "--format", "json"], arguments].concat(), log);
    serde_json::from_str(stdout(&output)).expect("JSON")
}

#[test]
fn a_generated_log_is_that_of_the_library() {
    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    let read = swf::read("log", &*log()).unwrap();
    let again = Treatment::default().apply(&read).unwrap();
    assert_eq!((again.requests(), again.runs()), (workload.requests(), workload.runs()));
    assert_eq!(again.machine.processors, 64);
}

#[test]
fn json_has_the_library_s_numbers_in_order() {
    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    let schedulers = ["easy", "saf-justbf", "easy:backfill=sjf,threshold=3600"];
    let arguments = [&["-s"], &schedulers[..], &["-e", "requested", "actual*1.5", "--count", "all"]].concat();
    let runs = run_json(&log(), &arguments);
    let measure = Measure { counted: Counted::All, ..Measure::default() };
    let mut found = runs.iter();
    for scheduler in schedulers {
        for (estimator, k) in [("requested", 1.0), ("actual*1.5", 1.5)] {
            let object = found.next().expect("a run");
            assert_eq!(
                (object["scheduler"].as_str(), object["estimator"].as_str()),
                (Some(scheduler), Some(estimator))
            );
            assert_eq!((object["k"].as_f64(), object["jobs"].as_u64()), (Some(k), Some(300)));
            assert!(object["wall_s"].as_f64().is_some_and(|seconds| seconds > 0.0));
            let run = packfair::study::Run::new(scheduler.parse().unwrap(), estimator.parse().unwrap());
            let report = execute(&run, &workload, Correction::Request, &measure).unwrap().report;
            let metrics = object["metrics"].as_object().expect("metrics");
            assert_eq!(metrics.len(), report.values.len());
            for (metric, value) in &report.values {
                assert_eq!(metrics[&metric.to_string()].as_f64(), Some(*value), "{metric} of {scheduler}");
            }
        }
    }
    assert!(found.next().is_none());
}

#[test]
fn factors_apply_to_estimators_that_name_none() {
    let ran = run_json(&log(), &["-s", "justbf", "-e", "actual", "requested*3", "--k", "0.5,1,2"]);
    let estimators: Vec<&str> = ran.iter().map(|run| run["estimator"].as_str().unwrap()).collect();
    assert_eq!(estimators, ["actual*0.5", "actual", "actual*2", "requested*3"]);

    let many: Vec<String> = (0..101).map(|i| format!("{}", 0.5 + f64::from(i) / 100.0)).collect();
    assert_eq!(run_json(&log(), &["-s", "easy", "-e", "actual", "--k", &many.join(",")]).len(), 101);
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let numbers = |jobs: &str| {
        let mut runs = run_json(&log(), &["-s", "easy", "justbf", "-e", "actual", "requested", "--jobs", jobs]);
        // time is the one thing that differs
        runs.iter_mut().for_each(|run| run["wall_s"] = Value::Null);
        runs
    };
    assert_eq!(numbers("1"), numbers("7"));
}

#[test]
fn tables_come_in_every_form() {
    let form = |format: &str| {
        let arguments =
            ["run", "-", "-s", "justbf", "saf-justbf", "-e", "actual", "--baseline", "justbf", "--columns", "AF,P2SF"];
        let output = with_input(&[&arguments[..], &["--format", format]].concat(), &log());
        stdout(&output).to_owned()
    };
    let table = form("table");
    assert!(table.starts_with("Scheduler   Estimate  "), "{table}");
    assert!(table.contains("\nJustBF *    actual    "));
    assert!(table.ends_with("Change to JustBF with the same estimates. * baseline, absolute values.\n"));
    assert!(
        form("markdown").starts_with("| Scheduler | Estimate | AF (s) | P²SF (s) |\n| --- | --- | ---: | ---: |\n")
    );
    assert!(form("latex").contains("\\begin{tabular}{llrr}"));
    let csv = form("csv");
    assert!(csv.starts_with(
        "scheduler,estimator,k,jobs,AF,AF_change,P2SF,P2SF_change,wall_s,engine,shrink,saturated\njustbf,actual,1,"
    ));
    assert_eq!(csv.lines().count(), 3);
    let json: Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!(json[0]["metrics"].as_object().unwrap().len(), 2, "only the columns asked for");
    assert_eq!(json[0]["changes"]["AF"].as_f64(), Some(0.0));
}

#[test]
fn options_reach_the_simulation() {
    let log = log();
    let metric = |arguments: &[&str], id: &str| {
        let runs = run_json(&log, &[&["-s", "easy", "-e", "actual*0.5"], arguments].concat());
        runs[0]["metrics"][id].as_f64().unwrap()
    };
    let usual = |id: &str| metric(&[], id);
    assert_ne!(metric(&["--shrink", "0.5"], "AF"), usual("AF"));
    assert_ne!(metric(&["--procs", "128"], "AF"), usual("AF"));
    assert_ne!(metric(&["--correction", "incremental"], "corrections"), usual("corrections"));
    assert_ne!(metric(&["--bsld", "60"], "BSLD"), usual("BSLD"));
    assert_eq!(metric(&["--alpha", "1"], "PaSF"), usual("P1SF"));
    assert_ne!(metric(&["--count", "steady"], "AF"), metric(&["--count", "all"], "AF"));
}

#[test]
fn starts_are_written_exactly() {
    let folder = Folder::new("starts");
    let log = folder.write("log.swf", &log());
    let starts = folder.path("new/starts");
    let output = packfair(&["run", &log, "-s", "saf-justbf", "-e", "requested*1.7", "--starts", &starts, "--timing"]);
    stdout(&output);
    let told = text(&output.stderr);
    for what in ["parse", "clean: 300 jobs", "simulate saf-justbf__requested*1.7", "measure  saf-justbf__requested*1.7"]
    {
        assert!(told.contains(what), "{told}");
    }
    let written = std::fs::read(format!("{starts}/saf-justbf__requested-x1.7.csv")).unwrap();
    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    let run = packfair::study::Run::new("saf-justbf".parse().unwrap(), "requested*1.7".parse().unwrap());
    let result = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap();
    assert_eq!(text(&written), text(&export::starts(&workload, &result.schedule)));
}

#[test]
fn fair_start_times_come_where_they_are_asked_for() {
    let folder = Folder::new("fair");
    let log = folder.write("log.swf", &log());
    let starts = folder.path("starts");
    let schedulers = ["-s", "conservative", "saf-justbf", "-e", "requested", "last2"];
    let more = ["--fair-starts", "--starts", &starts, "--format", "json", "--columns", "AF", "--timing"];
    let output = packfair(&[&["run", &log], &schedulers[..], &more].concat());
    let runs: Vec<Value> = serde_json::from_str(stdout(&output)).unwrap();
    let told = text(&output.stderr);
    for run in ["conservative__requested", "saf-justbf__last2"] {
        assert!(told.contains(&format!("fair     {run}")), "{told}");
    }

    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    // in the second, waiting jobs are estimated anew
    for (place, scheduler, estimate) in [(0, "conservative", "requested"), (3, "saf-justbf", "last2")] {
        let run = packfair::study::Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let mut schedule = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().schedule;
        let fair = fair_starts_of(&run, &workload, Correction::Request, &schedule, 0..workload.len()).unwrap();
        schedule.fair = Some(fair);
        let written = std::fs::read(format!("{starts}/{}.csv", run.id())).unwrap();
        assert_eq!(text(&written), text(&export::starts(&workload, &schedule)));
        let report = RunReport::of(run, &workload, &schedule, &Measure::default(), 0.0);
        for metric in Metric::OF_FAIR_STARTS {
            let value = runs[place]["metrics"][metric.about().id].as_f64();
            assert_eq!(value, report.values.get(&metric).copied(), "{metric}");
        }
    }
}

#[test]
fn schedules_are_checked_where_that_is_asked_for() {
    let arguments = ["run", "-", "-s", "easy", "pc", "-e", "requested", "hierarchy", "--check"];
    let output = with_input(&arguments, &log());
    stdout(&output);
    let told = text(&output.stderr);
    for run in ["easy__requested", "easy__hierarchy", "pc__requested", "pc__hierarchy"] {
        assert!(told.contains(&format!("packfair: {run}: valid: every job starts once it is submitted")), "{told}");
        assert!(told.contains(&format!("packfair: {run}: equal to the plain algorithm in all 300 starts")), "{told}");
    }
    assert!(told.contains("by its shadow time") && told.contains("later than guaranteed"), "{told}");
    // the log's own schedule has no plain algorithm; this one uses more processors than there are
    let overfull = b"; MaxProcs: 4\n1 0 0 50 4 -1 -1 4 60 -1 1\n2 0 0 50 4 -1 -1 4 60 -1 1\n";
    let output = with_input(&["run", "-", "-s", "as-logged", "-e", "requested", "--check"], overfull);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("With the start of job 2 at 0 s, 8 of 4 processors are in use."), "{told}");
    assert!(told.contains("1 of 1 schedules are wrong"), "{told}");
}

#[test]
fn a_saved_study_runs_on_a_log_or_generates_its_own() {
    let folder = Folder::new("study");
    let generated = r#"{"generated": {"lublin": {"jobs": 300, "processors": 64, "seed": 7}}}"#;
    let study = |source: &str| {
        format!(
            r#"{{"packfair": 1, "study": {{{source}"schedulers": ["easy", "justbf"], "methods": ["actual"],
            "columns": ["AF"], "baseline": {{"scheduler": "justbf"}}}}}}"#
        )
    };
    let log = folder.write("log.swf", &log());
    let alone = folder.write("alone.json", study(&format!("\"source\": {generated}, ")).as_bytes());
    let bare = folder.write("bare.json", study("").as_bytes());
    let table = |arguments: &[&str]| {
        let output = packfair(&[&["study"], arguments, &["--format", "markdown"]].concat());
        stdout(&output).to_owned()
    };
    let expected = table(&[&alone]);
    assert!(expected.contains("| JustBF \\* | actual |"), "{expected}");
    assert_eq!(table(&[&bare, &log]), expected);

    let trace = r#""source": {"trace": {"name": "other.swf", "fingerprint": "00000000000000000000000000000001"}}, "#;
    let other = folder.write("other.json", study(trace).as_bytes());
    assert!(refusal(&packfair(&["study", &other])).contains("the study is on the log other.swf; give that log"));
    let output = packfair(&["study", &other, &log]);
    assert!(text(&output.stderr).contains("the study was made on another log, other.swf"));
    assert!(output.status.success());
}

#[test]
fn a_summary_says_what_the_log_is_like() {
    let output = with_input(&["summary", "-"], &log());
    let table = stdout(&output);
    assert!(table.contains("300 of 300 in the log") && table.contains("64, from MaxProcs in the header"), "{table}");
    let output = with_input(&["summary", "-", "--format", "json", "--procs", "70"], &log());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(json["summary"]["jobs"].as_u64(), Some(300));
    assert_eq!(json["summary"]["machine"]["processors"].as_u64(), Some(70));
}

#[test]
fn a_log_in_an_archive_is_as_good_as_one_outside() {
    let folder = Folder::new("archive");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [("README.txt", b"A log.\n".as_slice()), ("logs/inner.swf", &log())] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a Vec takes all");
        archive.write_all(content).expect("a Vec takes all");
    }
    let archive = archive.finish().expect("a Vec takes all").into_inner();
    let file = folder.path("logs.zip");
    std::fs::write(&file, &archive).expect("the folder can be written to");
    let plain = with_input(&["summary", "-", "--format", "json"], &log());
    for zipped in
        [packfair(&["summary", &file, "--format", "json"]), with_input(&["summary", "-", "--format", "json"], &archive)]
    {
        let read = |output: &Output| serde_json::from_str::<Value>(stdout(output)).expect("JSON");
        let (plain, zipped) = (read(&plain), read(&zipped));
        assert_eq!(zipped["summary"]["jobs"], plain["summary"]["jobs"]);
        assert_eq!(zipped["account"], plain["account"]);
    }
    std::fs::write(&file, &archive[..archive.len() / 2]).expect("the folder can be written to");
    assert!(refusal(&packfair(&["summary", &file])).contains("the zip archive is damaged"));
}

#[test]
fn a_summary_has_what_a_workload_like_the_log_rests_on() {
    let output = with_input(&["summary", "-"], &log());
    let table = stdout(&output);
    assert!(table.contains("as in Table 2 of DYNP\n") && table.contains("Weibull, gaps > 0 alpha 0."), "{table}");
    let output = with_input(&["summary", "-", "--format", "json"], &log());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(json["summary"]["arrivals"]["jobs"].as_u64(), Some(300));
    let output = with_input(&["summary", "-", "--format", "gaps"], &log());
    assert!(stdout(&output).starts_with("gap,times,share,weibull\n"));
    let output = with_input(&["summary", "-", "--format", "joint"], &log());
    assert!(stdout(&output).starts_with("width,requested,run,jobs\n1,"));
}

#[test]
fn a_log_like_another_is_the_same_each_time() {
    let make = |more: &[&str]| {
        let output = with_input(&[&["generate", "like", "-", "--jobs", "500"], more].concat(), &log());
        stdout(&output).to_owned()
    };
    let made = make(&["--seed", "2"]);
    assert_eq!(made, make(&["--seed", "2"]));
    assert_ne!(made, make(&["--seed", "3"]));
    let jobs = Treatment::default().apply(&swf::read("like", made.as_bytes()).unwrap()).unwrap();
    assert_eq!((jobs.len(), jobs.machine.processors), (500, 64));
    let together = make(&["--p0", "1", "--alpha", "0.35", "--beta", "200"]);
    let jobs = Treatment::default().apply(&swf::read("like", together.as_bytes()).unwrap()).unwrap();
    assert!(jobs.requests().iter().all(|request| request.submit == 0));
}

#[test]
fn the_list_names_every_catalogue() {
    let output = packfair(&["list"]);
    let list = stdout(&output);
    for id in ["saf-justbf", "threshold=", "requested", "P2SF", "metrics-table-2", "incremental", "fairness"] {
        assert!(list.contains(&format!(" {id} ")), "{id}");
    }
}

#[test]
fn bad_input_is_refused_with_one_clear_message() {
    let folder = Folder::new("bad");
    let log = folder.write("log.swf", &log());
    let run = |more: &[&str]| packfair(&[&["run", &log], more].concat());
    let both = ["-s", "easy", "-e", "actual"];
    let refused = |more: &[&str]| refusal(&run(&[&both[..], more].concat())).to_owned();

    assert!(
        refusal(&run(&["-s", "easyy", "-e", "actual"])).contains("there is no scheduler \"easyy\"; there are fcfs,")
    );
    assert!(refusal(&run(&["-s", "list:depth=0", "-e", "actual"])).contains("it takes a whole number from 1"));
    assert!(refusal(&run(&["-s", "easy", "-e", "actual*99"])).contains("it takes a number from 0.1 to 10"));
    assert!(refused(&["--k", "99"]).contains("a factor k is 99; it must be from 0.1 to 10"));
    assert!(refused(&["--shrink", "NaN"]).contains("it takes a number from 0.05 to 20"));
    assert!(refused(&["--correction", "kill"]).contains("there are request, incremental, doubling"));
    assert!(refused(&["--count", "some"]).contains("there are all, metrics, steady"));
    assert!(refused(&["--columns", "AF,XX"]).contains("there is no metric \"XX\""));
    assert!(refused(&["--procs", "0"]).contains("0"));
    assert!(refused(&["--baseline", "fcfs"]).contains("the baseline fcfs with actual is not among the runs"));
    assert!(refused(&["--baseline", "fcf"]).contains("there is no scheduler \"fcf\""));

    let missing = folder.path("missing.swf");
    assert!(refusal(&packfair(&["run", &missing, "-s", "easy", "-e", "actual"])).contains("there is no file "));
    let empty = folder.write("empty.swf", b"");
    assert!(refusal(&packfair(&["summary", &empty])).contains("empty.swf: the file is empty"));
    let study = folder.write("study.json", b"{\"packfair\": 1,\n\"study\": {\"schedulers\": [\"x\"]}}");
    assert!(refusal(&packfair(&["study", &study, &log])).contains("study.json: line 2, column "));
    assert!(refusal(&packfair(&["generate", "lublin", "--jobs", "0", "--procs", "5"])).contains("--jobs 0: it takes"));
    let one = folder.write("one.swf", b"1 0 0 10 1 -1 -1 1 10\n2 60 0 10 1 -1 -1 1 10\n");
    let like = |more: &[&str]| packfair(&[&["generate", "like", &one, "--jobs", "9"], more].concat());
    assert!(refusal(&like(&[])).contains("have 1 different values above 0 s; a Weibull law"));
    assert!(refusal(&like(&["--alpha", "0"])).contains("it takes a number from 0.05 to 20"));
    assert!(refusal(&like(&["--p0", "2"])).contains("it takes a number from 0 to 1"));
    assert!(refusal(&run(&["-s", "dynp-basic:lower=9500", "-e", "actual"])).contains("from 9500, which is lower"));
    assert!(refusal(&run(&["-s", "dynp:policies=", "-e", "actual"])).contains("all, or some of fcfs"));
    assert!(!refused(&["--k", "99"]).contains("panicked"));
}

#[test]
fn whoever_stops_reading_causes_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(["generate", "lublin", "--jobs", "20000", "--procs", "64"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn starts_on_a_real_log_are_the_reference_s() {
    let Some(shared) = files::folder() else { return };
    let folder = Folder::new("gold");
    let log = shared.join("traces/KTH-SP2.swf.gz");
    let starts = folder.path("starts");
    let arguments = ["-s", "easy", "fcfs", "-e", "requested", "--format", "json", "--starts", &starts];
    let output = packfair(&[&["run", log.to_str().expect("UTF-8")], &arguments[..]].concat());
    let results: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(results[0]["jobs"].as_u64(), Some(28_480));
    let workload = files::trace(&shared, "KTH-SP2");
    for run in ["easy__requested", "fcfs__requested"] {
        let gold = files::gold(&shared, &format!("KTH-SP2/{run}"), &workload);
        let mut reader = csv::Reader::from_path(format!("{starts}/{run}.csv")).unwrap();
        let ours: Vec<Seconds> = reader.records().map(|row| row.unwrap()[1].parse().unwrap()).collect();
        assert_eq!(ours, gold.starts, "{run}");
    }
}

#[test]
fn a_log_beyond_the_limits_is_refused_and_the_limit_can_be_raised() {
    let folder = Folder::new("limits");
    let log = folder.write("log.swf", &log());
    let run = |more: &[&str]| packfair(&[&["run", &log, "-s", "easy", "-e", "actual"], more].concat());
    assert!(refusal(&run(&["--max-jobs", "299"])).contains(
        "log.swf: it has more than 299 jobs, which is the limit here; take a part of it, a year say, or raise the \
         limit with --max-jobs"
    ));
    assert!(refusal(&run(&["--max-text", "1000"])).contains("or raise the limit with --max-text"));
    assert!(refusal(&packfair(&["summary", &log, "--max-jobs", "299"])).contains("more than 299 jobs"));
    stdout(&run(&["--max-jobs", "300"]));
}

#[test]
fn run_and_summary_take_the_same_machines() {
    let folder = Folder::new("machines");
    let log = folder.write("log.swf", &log());
    for command in [&["run", &log, "-s", "easy", "-e", "actual"][..], &["summary", &log]] {
        let refused = packfair(&[command, &["--procs", "4294967295"]].concat());
        assert!(refusal(&refused).contains("100000000"), "{}", text(&refused.stderr));
        stdout(&packfair(&[command, &["--procs", "100000000"]].concat()));
    }
}

#[test]
fn a_recorded_schedule_that_cannot_be_is_said() {
    let folder = Folder::new("overfull");
    let jobs: String = (1..=10).map(|n| format!("{n} 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n")).collect();
    let log = folder.write("over.swf", format!("; MaxProcs: 4\n{jobs}").as_bytes());
    let run = |more: &[&str]| packfair(&[&["run", &log, "-s", "as-logged", "-e", "requested"], more].concat());
    let output = run(&[]);
    stdout(&output);
    let said = text(&output.stderr);
    assert!(
        said.contains("at 0 s its jobs 1, 2, 3, 4, 5 and 5 others run on 40 processors, of which there are 4")
            && said.contains("(--procs 40)"),
        "{said}"
    );
    assert_eq!(text(&run(&["--procs", "40"]).stderr), "");
}

#[test]
fn a_file_s_name_reaches_the_terminal_as_text() {
    let folder = Folder::new("names");
    let name = "a\u{1b}[31m\u{202e}.swf";
    let log = folder.write(name, &log());
    let output = packfair(&["summary", &log]);
    assert!(stdout(&output).starts_with("a\u{fffd}[31m\u{fffd}.swf\n"), "{:?}", stdout(&output));
    let empty = folder.write("b\u{1b}.swf", b"");
    assert!(!refusal(&packfair(&["summary", &empty])).contains('\u{1b}'));
    assert!(!text(&packfair(&["run", "x\u{1b}[2J.swf", "-s", "\u{1b}", "-e", "actual"]).stderr).contains('\u{1b}'));
}

/// What only Unix has.
#[cfg(target_os = "linux")]
mod unix {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_cannot_be_printed_is_a_failure() {
        for arguments in [&["--help"][..], &["--version"], &["list"], &["run", "--help"]] {
            let full = File::options().write(true).open("/dev/full").expect("Linux has it");
            let program = Command::new(env!("CARGO_BIN_EXE_packfair"))
                .args(arguments)
                .stdout(full)
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let output = program.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(text(&output.stderr).contains("standard output cannot be written"), "{}", text(&output.stderr));
        }
    }

    #[test]
    fn the_table_is_printed_where_a_file_cannot_be_written() {
        let folder = Folder::new("unwritable");
        let log = folder.write("log.swf", &log());
        let starts = folder.path("starts");
        // a folder stands where a file is to be
        std::fs::create_dir_all(format!("{starts}/easy__requested.csv/x")).unwrap();
        let output = packfair(&["run", &log, "-s", "easy", "fcfs", "-e", "requested", "--starts", &starts]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("EASY") && text(&output.stdout).contains("FCFS"));
        assert!(text(&output.stderr).contains("easy__requested.csv cannot be written: "), "{}", text(&output.stderr));
        assert_eq!(names(&starts), ["easy__requested.csv", "fcfs__requested.csv"]);
        let mode = std::fs::metadata(format!("{starts}/fcfs__requested.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o400, 0o400);
        let output = packfair(&["run", &log, "-s", "easy", "-e", "requested", "--starts", "/proc/foo"]);
        assert!(text(&output.stderr).contains("/proc/foo cannot be written: "), "{}", text(&output.stderr));
    }

    fn names(folder: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn whoever_is_interrupted_says_what_is_whole() {
        for signal in ["-INT", "-TERM"] {
            let folder = Folder::new(&format!("interrupted{signal}"));
            let jobs = packfair(&["generate", "lublin", "--jobs", "30000", "--procs", "128"]).stdout;
            let (log, starts) = (folder.write("log.swf", &jobs), folder.path("starts"));
            let arguments = [
                "run",
                &log,
                "-s",
                "fcfs",
                "pc",
                "-e",
                "requested",
                "--shrink",
                "0.05",
                "--jobs",
                "1",
                "--starts",
                &starts,
            ];
            let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
                .args(arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let first = format!("{starts}/fcfs__requested.csv");
            while !Path::new(&first).exists() {
                assert!(child.try_wait().expect("it can be asked").is_none(), "it has ended before it was interrupted");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(sent.expect("there is kill").success());
            let output = child.wait_with_output().expect("it ends");
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{said}");
            assert!(said.contains("interrupted after 1 of 2 runs; no table was printed. Whole are "), "{said}");
            assert!(said.contains("fcfs__requested.csv; the other files are missing"), "{said}");
            assert_eq!(names(&starts), ["fcfs__requested.csv"]);
            assert_eq!(std::fs::read_to_string(&first).unwrap().lines().count(), 30_001);
        }
    }
}

#[test]
fn shrinking_factors_are_swept() {
    let folder = Folder::new("shrink");
    let trace = folder.write("log.swf", &log());
    let run = |more: &[&str]| {
        let arguments = ["run", &trace, "-s", "easy", "dynp", "-e", "requested", "--columns", "ARTwW,dynp_tries"];
        packfair(&[&arguments[..], more].concat())
    };
    let swept = run(&["--shrink", "1,0.5,0.1", "--format", "json"]);
    let rows: Value = serde_json::from_str(stdout(&swept)).expect("JSON");
    let shrinks: Vec<f64> = (0..6).map(|i| rows[i]["shrink"].as_f64().expect("a factor")).collect();
    assert_eq!(shrinks, [1.0, 0.5, 0.1, 1.0, 0.5, 0.1]);
    // each row is that of a study at its factor alone
    for (i, factor) in ["1", "0.5", "0.1"].into_iter().enumerate() {
        let alone: Value = serde_json::from_str(stdout(&run(&["--shrink", factor, "--format", "json"]))).expect("JSON");
        assert_eq!((&rows[i]["metrics"], &rows[i + 3]["metrics"]), (&alone[0]["metrics"], &alone[1]["metrics"]));
        assert_eq!(rows[i]["saturated"], alone[0]["saturated"]);
    }
    assert!(rows[0]["metrics"].get("dynp_tries").is_none() && rows[3]["metrics"]["dynp_tries"].is_number());
    assert_eq!((&rows[0]["saturated"], &rows[2]["saturated"]), (&Value::Bool(false), &Value::Bool(true)));
    assert!(text(&swept.stderr).contains("easy__requested__shrink0.1: The queue grows to the end"));
    let table = run(&["--shrink", "1,0.1"]);
    assert!(stdout(&table).contains("EASY†"), "{}", stdout(&table));
    assert!(stdout(&table).contains("† The queue grows to the end of the log"));
    for (factors, bad) in [("0", "0"), ("1,-0.5", "-0.5"), ("0.9,x", "x")] {
        let output = run(&[&format!("--shrink={factors}")]);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(&format!("'{bad}'")), "{}", text(&output.stderr));
    }
    let bounds = packfair(&["run", &trace, "-s", "dynp-basic:lower=9,upper=8", "-e", "requested"]);
    assert!(text(&bounds.stderr).contains("a whole number from 9, which is lower"), "{}", text(&bounds.stderr));
    let none = packfair(&["run", &trace, "-s", "dynp:policies=", "-e", "requested"]);
    assert!(text(&none.stderr).contains("all, or some of fcfs"), "{}", text(&none.stderr));
}

#[test]
fn what_has_no_two_gaps_cannot_be_made_like() {
    let input = b"1 0 0 10 1 -1 -1 1 10\n2 5 0 10 1 -1 -1 1 10\n3 10 0 10 1 -1 -1 1 10\n";
    let output = with_input(&["generate", "like", "-", "--jobs", "10"], input);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("1 different values above 0 s"), "{}", text(&output.stderr));
}
