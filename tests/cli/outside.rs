//! Schedules and metrics, checked by a program that has no code in common with this one: `scripts/check-outside`.

use crate::program::{Folder, packfair, stdout, text};
use std::path::Path;
use std::process::{Command, Output};

/// The output of the checker; none where there is no Python.
fn checked(log: &str, results: &str, starts: &str) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-outside");
    match Command::new("python3").arg(script).args([log, results, starts]).output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("skipped: no python3 ({error})");
            None
        }
    }
}

#[test]
fn another_program_comes_to_the_same_values_and_finds_no_fault() {
    let folder = Folder::new("outside");
    for (seed, jobs, processors) in [("1", "400", "16"), ("2", "700", "64"), ("3", "300", "5")] {
        let swf = packfair(&["generate", "lublin", "--jobs", jobs, "--procs", processors, "--seed", seed]);
        let log = folder.write(&format!("log-{seed}.swf"), stdout(&swf).as_bytes());
        let starts = folder.path(&format!("starts-{seed}"));
        let schedulers = [
            "fcfs",
            "easy",
            "laf-justbf",
            "saf-aggressive",
            "conservative",
            "dc",
            "dynp",
            "opt-bsld",
            "classes:by=all",
        ];
        let rest =
            ["-e", "requested", "actual*0.5", "hierarchy", "--clean", "raw", "--count", "all", "--format", "json"];
        let output = packfair(&[&["run", &log, "-s"], &schedulers[..], &rest, &["--starts", &starts]].concat());
        let results = folder.write(&format!("results-{seed}.json"), stdout(&output).as_bytes());
        let Some(said) = checked(&log, &results, &starts) else { return };
        assert!(said.status.success(), "{}{}", text(&said.stdout), text(&said.stderr));
        assert!(
            text(&said.stdout).contains("27 runs") && text(&said.stdout).contains("0 faults"),
            "{}",
            text(&said.stdout)
        );
        // the checker can fail: a forged job starts together with the first
        let file = Path::new(&starts).join("easy__requested.csv");
        let forged: String = std::fs::read_to_string(&file)
            .unwrap()
            .lines()
            .map(|line| match line.split_once(',') {
                Some((job, rest)) if job != "job" => format!("{job},0,{}\n", rest.split_once(',').unwrap().1),
                _ => format!("{line}\n"),
            })
            .collect();
        std::fs::write(&file, forged).unwrap();
        let said = checked(&log, &results, &starts).unwrap();
        assert_eq!(said.status.code(), Some(1));
        let told = text(&said.stdout);
        for fault in ["and is submitted at", "processors are in use at once", "easy__requested: AF is"] {
            assert!(told.contains(fault), "{fault}: {told}");
        }
    }
}
