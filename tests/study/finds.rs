//! A search recommends nothing where nothing is better, and finds what is: the quick form of examples/finds. And the
//! command of a question gives the answer that the question has.

// the programs do more than is checked here
#![allow(dead_code)]

#[path = "../../examples/finds/trial.rs"]
mod trial;

use crate::coverage::law;
use packfair::explore::{ExploreQuestion, SearchedLog};
use packfair::metric::Metric;
use packfair::study::{Source, Study, export};
use packfair::workload::reading;
use std::process::Command;
use trial::World;

#[test]
fn what_is_no_better_is_not_recommended_and_what_is_better_is() {
    let worlds = [World::NeverApplies, World::Relabelled(0.05), World::Better { by: 0.1, noise: 0.02 }];
    let shares = trial::shares_recommended(&law::Law::lublin(0.7), &worlds, (32, 8, 24));
    let [nothing, relabelled, power] = shares[..] else { panic!("{shares:?}") };
    assert_eq!(nothing, 0.0);
    assert!(relabelled < 0.2, "false finds");
    assert!(power >= 0.8, "a gain of 10 % is found in {power:.2} of the logs");
}

type Set = (&'static str, fn(&mut Study));

/// What a person may set besides the question, one of each kind.
const SET: &[Set] = &[
    ("as usual", |_| {}),
    ("treated and counted otherwise", |study| {
        study.treatment.cleaning = "raw".parse().unwrap();
        study.treatment.processors = Some(120);
        study.treatment.filter.from = Some(14 * 86_400);
        study.treatment.filter.users = (1..=39).collect();
        study.measure.counted = "all".parse().unwrap();
        study.measure.bsld_bound = 60.0;
        study.correction = "doubling".parse().unwrap();
        study.what_ifs = vec!["nodes=+16".parse().unwrap()];
    }),
    ("by rules and under a load that have no option", |study| {
        study.treatment.shrink = 0.9;
        study.reestimation = Some("round".parse().unwrap());
    }),
    ("with users who react", |study| {
        study.treatment.feedback.feedback = "sessions".parse().unwrap();
        study.treatment.feedback.gap = Some(30);
    }),
];

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
        // users react to waits, so the log tells them
        let line = format!("{number} {submit} 0 {run} {width} -1 -1 {width} {limit} -1 1 {user} -1 -1 -1 -1 -1 -1\n");
        bytes.extend(line.into_bytes());
    }
    std::fs::write(folder.join("log.swf"), &bytes).unwrap();
    let log = reading::read("log.swf".to_owned(), bytes.as_slice()).unwrap();
    let question = ExploreQuestion {
        minimise: vec![Metric::Bsld],
        keep: vec!["max_wait<=60d".parse().unwrap()],
        runs: 40,
        seed: 5,
        repeats: 41,
        ..ExploreQuestion::default()
    };
    for (name, set) in SET {
        let mut study = Study::on(Source::Trace { name: "log.swf".into(), fingerprint: log.fingerprint });
        set(&mut study);
        let on = SearchedLog::of(&study);
        // searches on drawn workloads take long, and tell nothing of the command
        let command = format!("{} --format json --searches 0", question.command(&on));
        assert_eq!(command.contains("study.json"), on.needs_study(), "{name}: {command}");
        study.schedulers = vec![question.baseline.scheduler.clone()];
        std::fs::write(folder.join("study.json"), export::write_study(&study)).unwrap();
        let workload = study.treatment.apply(&log).unwrap();
        let lab = trial::Lab::new(&workload, study.rules(), &study.measure);
        let found = trial::findings(question.clone(), &lab, &|run| (run.clone(), 1.0));
        let program = command.replacen("packfair", env!("CARGO_BIN_EXE_packfair"), 1);
        let output = Command::new("sh").arg("-c").arg(&program).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["answer"].as_str(), Some(found.answer().as_str()), "{name}: {command}");
        let values = |values: &[Option<f64>]| values.iter().map(|value| serde_json::json!(value)).collect::<Vec<_>>();
        let baseline = [&told["baseline"]["choose"]["BSLD"], &told["baseline"]["choose"]["max_wait"]];
        assert_eq!(baseline.map(Clone::clone).to_vec(), values(&found.baseline.choose), "{name}: {command}");
        assert_eq!(told["front"].as_array().map(Vec::len), Some(found.front.len()), "{name}: {command}");
        assert_eq!(told["recommended"].as_str().map(str::to_owned), found.recommended().map(|member| member.run.id()));
        let interval = &told["confirmation"]["metrics"]["BSLD"]["change_95"];
        assert!(*name != "as usual" || interval.is_array(), "{}", found.answer());
        let machines = told["machines"].as_array().map_or(0, Vec::len);
        assert_eq!(machines, study.what_ifs.len(), "{name}: {command}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
