//! Results of runs: their numbers, forms and order.

use crate::program::{Folder, GENERATED, log, packfair, refusal, run_json, stdout, text, with_input};
use packfair::metric::{Counted, Measure};
use packfair::simulation::Correction;
use packfair::study::{Treatment, execute};
use serde_json::Value;

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
fn jobs_of_one_user_alone_count_if_asked() {
    let of = |only: &str| {
        let ran = run_json(&log(), &["-s", "easy", "-e", "requested", "--count", "all", "--only", only]);
        (ran[0]["jobs"].as_u64().expect("a number"), ran[0]["metrics"]["AF"].as_f64())
    };
    let widths: Vec<(u64, Option<f64>)> =
        [1, 2, 3, 5, 9, 17, 33, 65].map(|width| of(&format!("width={width}"))).to_vec();
    assert_eq!(widths.iter().map(|(jobs, _)| jobs).sum::<u64>(), 300);
    assert!(widths.iter().all(|(jobs, response)| (*jobs == 0) == response.is_none()));
    let refused = with_input(&["run", "-", "-s", "easy", "-e", "actual", "--only", "colour=3"], &log());
    assert!(refusal(&refused).contains("--only colour=3: it takes one of partition, queue"));
}

#[test]
fn priority_weights_are_taken_from_the_command_line() {
    let awf = |weights: &[&str]| {
        let arguments = [&["-s", "easy", "-e", "requested"], weights].concat();
        run_json(&log(), &arguments)[0]["metrics"]["AWF"].as_f64().expect("a number")
    };
    let usual = awf(&[]);
    assert_eq!(awf(&["--weights", "runtime=0:1,width=1:1"]), usual);
    assert_ne!(awf(&["--weights", "width=1:5"]), usual);
    assert_eq!(
        awf(&["--weights", "width=64:2,width=1:5"]),
        awf(&["--weights", "width=64:2", "--weights", "width=1:5"])
    );
    for (weights, why) in [
        ("width=64", "--weights width=64: it takes a group, a colon and its weight, as in user=ann:3"),
        ("colour=3:1", "it takes one of partition, queue"),
        ("width=64:-1", "it takes a weight from 0 to 1000000 behind width=33:"),
    ] {
        let refused = with_input(&["run", "-", "-s", "easy", "-e", "actual", "--weights", weights], &log());
        assert!(refusal(&refused).contains(why), "{}", refusal(&refused));
    }
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
        // only the run's own time differs
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
    assert!(table.starts_with("Scheduler    Estimate  "), "{table}");
    assert!(table.contains("\nJustBF *(†)  actual    "));
    assert!(table.contains("Change to JustBF with the same estimates. * baseline, absolute values.\n"));
    let (_, words) = table.trim_end().rsplit_once('\n').unwrap();
    assert!(words.contains("SAF-JustBF") && words.ends_with('.'), "the table in words comes last: {words}");
    assert!(
        form("markdown").starts_with("| Scheduler | Estimate | AF (s) | P²SF (s) |\n| --- | --- | ---: | ---: |\n")
    );
    assert!(form("latex").contains("\\begin{tabular}{llrr}"));
    let csv = form("csv");
    assert!(csv.starts_with(
        "scheduler,estimator,k,jobs,AF,AF_change,P2SF,P2SF_change,wall_s,engine,shrink,saturated,log,fingerprint,version,overfull,failed,account\njustbf,actual,1,"
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
    assert!(expected.contains("| JustBF \\*(†) | actual |"), "{expected}");
    assert_eq!(table(&[&bare, &log]), expected);

    let trace = r#""source": {"trace": {"name": "other.swf", "fingerprint": "00000000000000000000000000000001"}}, "#;
    let other = folder.write("other.json", study(trace).as_bytes());
    assert!(
        refusal(&packfair(&["study", &other]))
            .contains("the study is about the log other.swf; give the path of that log")
    );
    let output = packfair(&["study", &other, &log]);
    assert!(text(&output.stderr).contains("the study was made on another log, other.swf"));
    assert!(output.status.success());
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let log = log();
    let metrics = |threads: &str| -> Vec<Value> {
        let schedulers = ["-s", "easy", "conservative", "saf-justbf", "-e", "requested", "hierarchy", "--fair-starts"];
        let runs = run_json(&log, &[&schedulers[..], &["--jobs", threads]].concat());
        runs.iter().map(|run| run["metrics"].clone()).collect()
    };
    assert_eq!(metrics("1"), metrics("4"));
}
