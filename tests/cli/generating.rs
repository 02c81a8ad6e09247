//! Logs that the program generates.

use crate::program::{GENERATED, log, stdout, text, with_input};
use packfair::study::Treatment;
use packfair::workload::reading;
use std::process::{Command, Stdio};

#[test]
fn a_generated_log_is_that_of_the_library() {
    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    let read = reading::read("log", &*log()).unwrap();
    let again = Treatment::default().apply(&read).unwrap();
    assert_eq!((again.requests(), again.runs()), (workload.requests(), workload.runs()));
    assert_eq!(again.machine.processors, 64);
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
    let jobs = Treatment::default().apply(&reading::read("like", made.as_bytes()).unwrap()).unwrap();
    assert_eq!((jobs.len(), jobs.machine.processors), (500, 64));
    let together = make(&["--p0", "1", "--alpha", "0.35", "--beta", "200"]);
    let jobs = Treatment::default().apply(&reading::read("like", together.as_bytes()).unwrap()).unwrap();
    assert!(jobs.requests().iter().all(|request| request.submit == 0));
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
fn what_has_no_two_gaps_cannot_be_made_like() {
    let input = b"; Version: 2.2\n1 0 0 10 1 -1 -1 1 10\n2 5 0 10 1 -1 -1 1 10\n3 10 0 10 1 -1 -1 1 10\n";
    let output = with_input(&["generate", "like", "-", "--jobs", "10"], input);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("1 different values above 0 s"), "{}", text(&output.stderr));
}
