//! A search recommends nothing where nothing is better, and finds what is: the quick form of examples/finds. And the
//! command of a question gives the answer that the question has.

// the programs do more than is checked here
#![allow(dead_code)]

#[path = "../../examples/finds/trial.rs"]
mod trial;

use crate::coverage::law;
use packfair::explore::ExploreQuestion;
use packfair::metric::Metric;
use packfair::study::{Source, Treatment};
use packfair::workload::{Fingerprint, reading};
use std::process::Command;
use trial::World;

#[test]
fn what_is_no_better_is_not_recommended_and_what_is_better_is() {
    let law = law::Law::lublin(0.7);
    let share = |world| trial::share_recommended(&law, world, (20, 8, 24));
    assert_eq!(share(World::NeverApplies), 0.0);
    assert!(share(World::Relabelled(0.05)) < 0.2, "false finds");
    let power = share(World::Better { by: 0.1, noise: 0.02 });
    // 80 % are wanted; logs of 20 weeks give less (docs/explore.md)
    assert!(power >= 0.6, "a gain of 10 % is found in {power:.2} of the logs");
}

#[test]
fn the_copied_command_gives_the_same_answer() {
    let folder = std::env::temp_dir().join(format!("packfair-finds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let made = law::Law::lublin(0.7).log(20, 3, 1);
    let mut bytes = String::from("; MaxProcs: 128\n").into_bytes();
    for job in made.jobs() {
        let request = made.request(job);
        let (number, submit, width) = (request.number, request.submit, request.processors);
        let (run, limit, user) = (made.run(job), request.limit, request.user);
        let line = format!("{number} {submit} -1 {run} {width} -1 -1 {width} {limit} -1 1 {user} -1 -1 -1 -1 -1 -1\n");
        bytes.extend(line.into_bytes());
    }
    std::fs::write(folder.join("log.swf"), &bytes).unwrap();
    let log = reading::read("log.swf".to_owned(), bytes.as_slice()).unwrap();
    let workload = Treatment::default().apply(&log).unwrap();
    let question = ExploreQuestion {
        minimise: vec![Metric::Bsld],
        keep: vec!["max_wait<=60d".parse().unwrap()],
        runs: 40,
        seed: 5,
        repeats: 41,
        ..ExploreQuestion::default()
    };
    let source = Source::Trace { name: "log.swf".into(), fingerprint: Fingerprint(1) };
    let command = format!("{} --format json", question.command(&source, &[]));
    let found = trial::findings(question, &workload, &|run| (run.clone(), 1.0));
    let program = command.replacen("packfair", env!("CARGO_BIN_EXE_packfair"), 1);
    let output = Command::new("sh").arg("-c").arg(&program).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // the command searches again on drawn workloads, which the question alone does not
    let answer = found.answer();
    assert!(told["answer"].as_str().is_some_and(|told| told.starts_with(answer.trim_end_matches('.'))), "{answer}");
    assert!(told["confirmation"]["metrics"]["BSLD"]["change_95"].is_array(), "{}", found.answer());
    assert_eq!(told["recommended"].as_str().map(str::to_owned), found.recommended().map(|member| member.run.id()));
    std::fs::remove_dir_all(&folder).unwrap();
}
