//! Schedules: starts, fair start times, checks.

use crate::files;
use crate::program::{Folder, GENERATED, log, packfair, stdout, text, with_input};
use flate2::read::GzDecoder;
use packfair::metric::{Measure, Metric};
use packfair::simulation::Correction;
use packfair::study::{RunReport, Treatment, execute, export, fair_starts_of};
use packfair::workload::Seconds;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};

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
    // in the second run, waiting jobs are estimated anew
    for (place, scheduler, estimate) in [(0, "conservative", "requested"), (3, "saf-justbf", "last2")] {
        let run = packfair::study::Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let mut schedule = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().schedule;
        let fair = fair_starts_of(&run, &workload, Correction::Request, &schedule, 0..workload.len()).unwrap();
        schedule.fair = Some(fair);
        let written = std::fs::read(format!("{starts}/{}.csv", run.id())).unwrap();
        assert_eq!(text(&written), text(&export::starts(&workload, &schedule)));
        let report = RunReport::of(run, &workload, &schedule, &Measure::default(), 0.0);
        for metric in Metric::UNFAIRNESS {
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
    assert!(
        text(&output.stdout).contains("As logged‡") && text(&output.stdout).contains("‡ The log's own schedule takes")
    );
    // formats for programs tell it, too
    let flags = |more: &[&str]| {
        let json: Value = serde_json::from_str(stdout(&run(&[more, &["--format", "json"]].concat()))).unwrap();
        let csv = run(&[more, &["--format", "csv"]].concat());
        let row = csv::Reader::from_reader(&csv.stdout[..]).deserialize().next().unwrap().unwrap();
        let row: std::collections::HashMap<String, String> = row;
        (json[0]["overfull"].as_bool().unwrap(), row["overfull"].clone())
    };
    assert_eq!(flags(&[]), (true, "true".to_owned()));
    assert_eq!(flags(&["--procs", "40"]), (false, "false".to_owned()));
    assert_eq!(text(&run(&["--procs", "40"]).stderr), "");
}

#[test]
fn schedules_are_written_in_every_form_with_the_times_of_the_log() {
    let folder = Folder::new("starts-as");
    // a log with Unix times and a header that says 0
    let first = 1_767_607_200;
    let job = |number: i64, after: i64, run: i64| {
        format!("{number} {} -1 {run} 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n", first + after)
    };
    let log = ["; MaxProcs: 4\n; UnixStartTime: 0\n".to_owned(), job(1, 0, 50), job(2, 10, 60)].concat();
    let (log, starts) = (folder.write("log.swf", log.as_bytes()), folder.path("starts"));
    let arguments =
        ["run", &log, "-s", "easy", "-e", "requested", "--starts", &starts, "--starts-as", "starts,jobs,swf"];
    stdout(&packfair(&arguments));
    let read = |name: &str| std::fs::read_to_string(format!("{starts}/{name}")).unwrap();
    assert_eq!(read("easy__requested.csv"), format!("job,start,estimate\n1,{first},100\n2,{},100\n", first + 50));
    assert!(read("easy__requested_jobs.csv").contains(&format!(",{},60,{},", first + 50, first + 110)));
    assert!(read("easy__requested.swf").contains(&format!("; UnixStartTime: {first}\n")));
    let written = std::fs::read_dir(&starts).unwrap().count();
    assert_eq!(written, 3, "nobody was killed");
    for name in ["easy__requested.csv", "easy__requested_jobs.csv", "easy__requested.swf"] {
        let file = format!("{starts}/{name}");
        let output =
            packfair(&["run", &log, "--schedule", &file, "--columns", "AQ", "--count", "all", "--format", "json"]);
        let runs: Vec<Value> = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(runs[0]["metrics"]["AQ"], 20.0, "{name}");
    }
}

#[test]
fn executions_that_were_killed_have_a_file_of_their_own() {
    let Some(shared) = files::folder() else { return };
    let folder = Folder::new("killed");
    let file = File::open(shared.join("traces/KTH-SP2.swf.gz")).expect("the log is there");
    let lines = BufReader::new(GzDecoder::new(file)).lines().map(|line| line.expect("text") + "\n");
    // its first months have such executions
    let log = folder.write("log.swf", lines.take(8_000).collect::<String>().as_bytes());
    let starts = folder.path("starts");
    let run = ["run", &log, "-s", "fcfs-ci", "-e", "requested", "--starts", &starts, "--format", "json"];
    let output = packfair(&[&run[..], &["--columns", "kills", "--count", "all"]].concat());
    let runs: Vec<Value> = serde_json::from_str(stdout(&output)).unwrap();
    let killed = std::fs::read_to_string(format!("{starts}/fcfs-ci__requested_killed.csv")).unwrap();
    assert!(killed.starts_with("job,start,end,why\n"), "{killed}");
    assert!(killed.lines().count() > 10, "{killed}");
    assert_eq!(killed.lines().count() as f64 - 1.0, runs[0]["metrics"]["kills"].as_f64().unwrap());
    for line in killed.lines().skip(1) {
        let times: Vec<i64> = line.split(',').skip(1).take(2).map(|time| time.parse().unwrap()).collect();
        assert!(times[0] < times[1] && line.ends_with(",classified as small and ran past the divider"), "{line}");
    }
}
