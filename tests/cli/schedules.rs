//! Schedules: starts, fair start times, checks.

use crate::files;
use crate::program::{Folder, GENERATED, log, packfair, stdout, text, with_input};
use packfair::metric::{Measure, Metric};
use packfair::simulation::Correction;
use packfair::study::{RunReport, Treatment, execute, export, fair_starts_of};
use packfair::workload::Seconds;
use serde_json::Value;

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
    // programs are told as well
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
