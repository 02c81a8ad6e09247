//! Schedules and estimates that come from files.

use crate::program::{Folder, log, packfair, refusal, stdout, text};
use serde_json::Value;

fn json(arguments: &[&str]) -> Vec<Value> {
    serde_json::from_str(stdout(&packfair(&[arguments, &["--format", "json"]].concat()))).expect("JSON")
}

#[test]
fn a_schedule_that_packfair_wrote_is_a_row_with_the_same_numbers() {
    let folder = Folder::new("external-schedule");
    let (log, starts) = (folder.write("log.swf", &log()), folder.path("starts"));
    stdout(&packfair(&["run", &log, "-s", "saf-easy", "-e", "requested", "--starts", &starts]));
    let file = format!("{starts}/saf-easy__requested.csv=theirs");
    let runs = json(&["run", &log, "-s", "saf-easy", "-e", "requested", "--schedule", &file, "--check"]);
    assert_eq!(runs.len(), 2);
    for metric in ["AF", "AWF", "BSLD", "P2SF"] {
        assert_eq!(runs[0]["metrics"][metric], runs[1]["metrics"][metric], "{metric}");
    }
    let told = packfair(&["run", &log, "--schedule", &file]);
    assert!(stdout(&told).contains("theirs"), "{}", stdout(&told));
}

#[test]
fn estimates_of_a_file_are_an_estimator() {
    let folder = Folder::new("external-estimates");
    let (log, starts) = (folder.write("log.swf", &log()), folder.path("starts"));
    stdout(&packfair(&["run", &log, "-s", "easy", "-e", "requested*1.7", "--starts", &starts]));
    let file = format!("{starts}/easy__requested-x1.7.csv=theirs");
    let runs = json(&["run", &log, "-s", "easy", "-e", "requested*1.7", "--estimates", &file]);
    assert_eq!(runs.len(), 2);
    let of_file =
        runs.iter().find(|run| run["estimator"].as_str().unwrap_or_default().starts_with("external:file=theirs@"));
    assert_eq!(of_file.expect("a row of the file")["metrics"]["AF"], runs[0]["metrics"]["AF"]);
}

#[test]
fn what_is_no_schedule_of_the_log_is_refused_with_the_job_and_why() {
    let folder = Folder::new("external-refused");
    let log = folder.write("log.swf", b"; MaxProcs: 4\n1 0 0 100 4 -1 -1 4 200 -1 1\n2 10 90 50 4 -1 -1 4 60 -1 1\n");
    let refused = |name: &str, content: &str, option: &str| {
        let file = folder.write(name, content.as_bytes());
        refusal(&packfair(&["run", &log, option, &file, "-s", "easy", "-e", "requested"])).to_owned()
    };
    let early = refused("early.csv", "job,start\n1,0\n2,99\n", "--schedule");
    assert!(
        early.contains("early is no schedule of this workload. With the start of job 2 at 99 s, 8 of 4"),
        "{early}"
    );
    let other = refused("other.csv", "job,start\n71,0\n", "--schedule");
    assert!(other.contains("other has none of the log's jobs"), "{other}");
    let none = refused("none.csv", "job,start\n1,0\n", "--estimates");
    assert!(none.contains("none.csv has no estimates of jobs"), "{none}");
    let absent = refusal(&packfair(&["run", &log, "--schedule", "nowhere.csv"])).to_owned();
    assert!(absent.contains("there is no file nowhere.csv"), "{absent}");
    let fine = folder.write("fine.csv", b"job,start\n1,0\n2,100\n");
    // where no estimates are named, they are the requested times
    let without = json(&["run", &log, "-s", "easy", "--schedule", &fine]);
    let estimators: Vec<_> = without.iter().map(|run| run["estimator"].as_str()).collect();
    assert!(estimators.contains(&Some("requested")), "{estimators:?}");
}

#[test]
fn a_study_says_which_files_it_needs() {
    let folder = Folder::new("external-study");
    let log = folder.write("log.swf", &log());
    let starts = folder.path("starts");
    stdout(&packfair(&["run", &log, "-s", "easy", "-e", "requested", "--starts", &starts]));
    let file = format!("{starts}/easy__requested.csv");
    let id = json(&["run", &log, "--schedule", &file])[0]["scheduler"].as_str().expect("an id").to_owned();
    let study = folder.write(
        "study.json",
        format!("{{\"packfair\":1,\"study\":{{\"schedulers\":[\"{id}\"],\"methods\":[\"requested\"]}}}}").as_bytes(),
    );
    let missing = packfair(&["study", &study, &log]);
    let said = refusal(&missing);
    assert!(said.contains("The file easy_requested (") && said.contains("give it again, with --schedule"), "{said}");
    assert!(text(&packfair(&["study", &study, &log, "--schedule", &file]).stdout).contains("easy_requested"));
}
