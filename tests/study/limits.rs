//! Each limit on input, at its edge: input at the limit is taken, and one more is refused with a message.

use packfair::expression::{self, Expression};
use packfair::machine::{MOST_CELLS, MOST_CHANGES, Machine, MachineDescription};
use packfair::metric::{CountedGroup, GroupWeight, Metric};
use packfair::study::export::{read_study, write_study};
use packfair::study::limits::*;
use packfair::study::link::{self, LinkError, SharedStudy, SharedWorkload};
use packfair::study::sureness::Repeats;
use packfair::study::{Generated, Run, Source, Study};
use packfair::workload::reading::{Limits, Reader, read_by};
use packfair::workload::{Fingerprint, Header, MachineSource, ReadError};

/// Asserts that a changed study is accepted as it is, also as a file.
fn taken(what: &str, change: impl Fn(&mut Study)) {
    let mut study = Study::first_visit();
    change(&mut study);
    let checked = study.clone().checked().unwrap_or_else(|problems| panic!("{what}: {problems:?}"));
    let again = read_study(&write_study(&checked), &checked.source).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(again, checked, "{what}");
}

/// Asserts that a changed study is refused, with a message that says what is allowed.
fn refused(what: &str, change: impl Fn(&mut Study)) {
    let mut study = Study::first_visit();
    change(&mut study);
    let problems = study.clone().checked().expect_err(what);
    assert!(problems.iter().all(|problem| !problem.message.is_empty()), "{what}: {problems:?}");
    assert!(read_study(&write_study(&study), &study.source).is_err(), "{what}");
}

/// The next smaller and the next larger number.
fn beyond(number: f64) -> [f64; 2] {
    [number.next_down(), number.next_up()]
}

#[test]
fn a_study_at_each_limit_is_taken_and_one_above_is_refused() {
    type SetReal = fn(&mut Study, f64);
    let reals: [(&str, std::ops::RangeInclusive<f64>, SetReal); 9] = [
        ("shrink", SHRINK_RANGE, |study, factor| study.treatment.shrink = factor),
        ("further shrinks", SHRINK_RANGE, |study, factor| study.shrinks = vec![factor]),
        ("users", USERS_RANGE, |study, factor| study.treatment.users = factor),
        ("further users", USERS_RANGE, |study, factor| study.users = vec![factor]),
        ("bound", BOUND_RANGE, |study, bound| study.measure.bsld_bound = bound),
        ("bound of the width-weighted slowdown", BOUND_RANGE, |study, bound| study.measure.sldww_bound = bound),
        ("alpha", ALPHA_RANGE, |study, alpha| study.measure.alpha = alpha),
        ("norm", NORM_RANGE, |study, norm| study.measure.norm = norm),
        ("weight", WEIGHT_RANGE, |study, weight| {
            let group = CountedGroup::read("user=1", &Header::default()).expect("a group");
            study.measure.weights = vec![GroupWeight { group, weight }];
        }),
    ];
    for (what, range, set) in reals {
        let (first, last) = (*range.start(), *range.end());
        [first, last].into_iter().for_each(|value| taken(what, |study| set(study, value)));
        [beyond(first)[0], beyond(last)[1], f64::NAN]
            .into_iter()
            .for_each(|value| refused(what, |study| set(study, value)));
    }

    let machines = |count: usize| {
        move |study: &mut Study| {
            let what_if = |more: usize| format!("nodes=+{more}").parse().expect("a what-if");
            study.what_ifs = (1..count).map(what_if).collect();
        }
    };
    taken("machines", machines(MOST_MACHINES));
    refused("machines", machines(MOST_MACHINES + 1));
    let processors = |size| move |study: &mut Study| study.treatment.processors = Some(size);
    [1, *PROCESSOR_RANGE.end()].into_iter().for_each(|size| taken("processors", processors(size)));
    [0, *PROCESSOR_RANGE.end() + 1].into_iter().for_each(|size| refused("processors", processors(size)));

    let announced = |before| {
        move |study: &mut Study| {
            let cells = serde_json::json!({"cells": [{"name": "c", "nodes": 64, "node": {"processors": 1}}]});
            study.treatment.machine = Some(serde_json::from_value(cells).expect("a machine"));
            study.treatment.announced = Some(before);
        }
    };
    [*ANNOUNCED_RANGE.start(), *ANNOUNCED_RANGE.end()]
        .into_iter()
        .for_each(|before| taken("announced", announced(before)));
    refused("announced", announced(*ANNOUNCED_RANGE.end() + 1));

    let generated = |jobs, processors| {
        move |study: &mut Study| study.source = Source::Generated(Generated::Lublin { jobs, processors, seed: 1 })
    };
    let (most, widest) = (*GENERATED_RANGE.end(), *GENERATED_PROCESSORS.end());
    [(1, 1), (most, widest)].into_iter().for_each(|(jobs, size)| taken("generated", generated(jobs, size)));
    let outside = [(0, 1), (most + 1, 1), (1, 0), (1, widest + 1)];
    outside.into_iter().for_each(|(jobs, size)| refused("generated", generated(jobs, size)));

    let from = |time| move |study: &mut Study| study.treatment.filter.from = Some(time);
    [*TIME_RANGE.start(), *TIME_RANGE.end()].into_iter().for_each(|time| taken("from", from(time)));
    [*TIME_RANGE.start() - 1, *TIME_RANGE.end() + 1].into_iter().for_each(|time| refused("from", from(time)));

    // 4 schedulers with 2 estimators and `count` factors
    let factors = |count: usize| {
        move |study: &mut Study| study.distortions = (0..count).map(|i| 0.5 + i as f64 / 1_000.0).collect()
    };
    taken("runs", factors(MOST_RUNS / 4));
    refused("runs", factors(MOST_RUNS / 4 + 1));
    let removed = |count: usize| {
        move |study: &mut Study| {
            let of = |i: usize| {
                Run::new("easy".parse().unwrap(), format!("actual*{}", 1.0 + i as f64 / 1e3).parse().unwrap())
            };
            study.removed = (0..count).map(of).collect();
        }
    };
    taken("removed", removed(MOST_RUNS));
    refused("removed", removed(MOST_RUNS + 1));

    let repeats = |count| move |study: &mut Study| study.repeats = Some(Repeats::of(count));
    [*REPEAT_RANGE.start(), *REPEAT_RANGE.end()].into_iter().for_each(|count| taken("repeats", repeats(count)));
    [*REPEAT_RANGE.start() - 1, *REPEAT_RANGE.end() + 1]
        .into_iter()
        .for_each(|count| refused("repeats", repeats(count)));
    // 8 times 25 runs are repeated
    let repeated = |count| {
        move |study: &mut Study| {
            factors(50)(study);
            study.repeats = Some(Repeats::of(count));
        }
    };
    taken("runs of all repeats", repeated(MOST_REPEATED as u32 / 200));
    refused("runs of all repeats", repeated(MOST_REPEATED as u32 / 200 + 1));

    let named = |count| move |study: &mut Study| study.treatment.filter.users = (0..count as i32).collect();
    taken("users", named(MOST_NAMED));
    refused("users", named(MOST_NAMED + 1));

    let called = |length: usize| {
        move |study: &mut Study| {
            study.source = Source::Trace { name: "ä".repeat(length), fingerprint: Fingerprint(1) };
        }
    };
    taken("name", called(LONGEST_NAME));
    refused("name", called(LONGEST_NAME + 1));

    taken("columns", |study| study.columns = Metric::ALL.to_vec());
    let mut study = Study::first_visit();
    study.columns = Metric::ALL.iter().copied().chain([Metric::ALL[0]]).collect();
    assert_eq!(study.columns.len(), MOST_COLUMNS + 1);
    assert!(study.check().is_err());
}

#[test]
fn a_study_file_is_read_up_to_its_limit_and_a_message_is_short() {
    let study = Study::first_visit();
    let padded = |length: usize| {
        let text = write_study(&study);
        let spaces = " ".repeat(length - text.len());
        text + spaces.as_str()
    };
    assert_eq!(read_study(&padded(LARGEST_STUDY), &study.source), Ok(study.clone()));
    assert!(read_study(&padded(LARGEST_STUDY + 1), &study.source).unwrap_err().to_string().contains("at most"));
    let unknown = format!("{{\"packfair\":1,\"study\":{{\"schedulers\":[\"{}\"]}}}}", "x".repeat(100_000));
    let message = read_study(&unknown, &study.source).unwrap_err().to_string();
    assert!(message.len() <= LONGEST_MESSAGE + 100, "{} bytes", message.len());
}

fn shared(jobs: u64) -> SharedStudy {
    let study = Study::first_visit();
    let workload = SharedWorkload {
        name: "a log".to_owned(),
        jobs: jobs as usize,
        machine: packfair::workload::Machine { processors: 4, source: MachineSource::Given },
        jobs_by_area: Default::default(),
        area_by_area: Default::default(),
        clock: None,
    };
    SharedStudy {
        study,
        workload,
        runs: Vec::new(),
        charted: Vec::new(),
        engine: None,
        repeated: None,
        sender_view: None,
    }
}

#[test]
fn a_link_at_each_limit_is_read_and_one_above_is_not() {
    let link = link::encode(&shared(MOST_JOBS)).expect("so many jobs can be");
    assert_eq!(link::decode(&link).map(|shared| shared.workload.jobs as u64), Ok(MOST_JOBS));
    assert!(matches!(link::encode(&shared(MOST_JOBS + 1)), Err(LinkError::TooMany { what: "jobs", .. })));
    // the length in characters, without surrounding spaces
    let text = |length: usize| format!("v1.{}", "A".repeat(length - 3));
    assert_ne!(link::decode(&text(LONGEST_LINK)), Err(LinkError::TooLarge));
    assert_eq!(link::decode(&text(LONGEST_LINK + 1)), Err(LinkError::TooLarge));
    // the length of the unpacked bytes
    let sealed = |bytes: usize| link::unpack(&link::pack(&vec![0; bytes])).map(|data| data.len());
    let most = MOST_LINKED_BYTES as usize;
    assert_eq!((sealed(most), sealed(most + 1)), (Ok(most), Err(LinkError::TooLarge)));
}

#[test]
fn a_log_at_its_limits_is_read_and_one_above_is_refused() {
    let text = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n".repeat(50);
    let read = |jobs, bytes| {
        read_by(Reader::within("a log", Limits { jobs, text: bytes, ..Limits::default() }), text.as_bytes())
    };
    let bytes = text.len() as u64;
    assert_eq!(read(50, bytes).map(|log| log.records.len()), Ok(50));
    assert_eq!(read(49, bytes).unwrap_err(), ReadError::TooManyJobs { most: 49 });
    assert_eq!(read(50, bytes - 1).unwrap_err(), ReadError::TooMuchText { most: bytes - 1 });
}

#[test]
fn a_formula_at_its_limits_is_read_and_one_above_is_refused() {
    let long = |length: usize| format!("1{}", "+1".repeat((length - 1) / 2)).parse::<Expression>();
    let odd = expression::LONGEST - 1 + expression::LONGEST % 2;
    assert!(long(odd).is_ok());
    let message = long(expression::LONGEST + 1 + expression::LONGEST % 2).unwrap_err().to_string();
    assert!(message.contains("400"), "{message}");
    let deep = |depth: usize| format!("{}wait{}", "(".repeat(depth), ")".repeat(depth)).parse::<Expression>();
    assert!(deep(expression::DEEPEST - 1).is_ok() && deep(expression::DEEPEST + 2).is_err());
}

#[test]
fn a_machine_at_its_limits_is_taken_and_one_above_is_refused() {
    let machine = |cells: usize, changes: usize| -> Result<Machine, String> {
        let cells: Vec<_> = (0..cells)
            .map(|cell| serde_json::json!({"name": format!("c{cell}"), "nodes": 2, "node": {"processors": 1}}))
            .collect();
        let change = |at: usize| serde_json::json!({"from": 10 * at, "until": 10 * at + 5, "cell": "c0", "nodes": -1});
        let changes: Vec<_> = (0..changes).map(change).collect();
        let described: MachineDescription =
            serde_json::from_value(serde_json::json!({"cells": cells, "changes": changes})).expect("a description");
        described.machine(|_| Err("no clock".to_owned())).map_err(|error| error.to_string())
    };
    assert!(machine(MOST_CELLS, 0).is_ok() && machine(1, MOST_CHANGES).is_ok());
    assert!(machine(MOST_CELLS + 1, 0).unwrap_err().contains("give at most 1000"));
    assert!(machine(1, MOST_CHANGES + 1).unwrap_err().contains("give at most 100000"));
}

/// Limits that are tested elsewhere: the file that does.
const ELSEWHERE: [(&str, &str); 6] = [
    ("MOST_POINTS", "crates/packfair-study/src/link/line.rs"),
    ("LARGEST_DESCRIPTION", "tests/cli/refusals.rs"),
    ("LARGEST_SERIES", "tests/cli/refusals.rs"),
    ("MOST_RECENT", "src/app/actions/session.rs"),
    ("LONGEST_REMEMBERED", "src/app/remembered.rs"),
    ("LONGEST_SESSION", "tests/browser/limits.rs"),
];

#[test]
fn every_limit_is_tried_at_its_edge() {
    let here = include_str!("limits.rs").split("const ELSEWHERE").next().unwrap_or_default();
    let limits = include_str!("../../crates/packfair-study/src/limits.rs");
    let names = limits.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    for name in names {
        let is_elsewhere = ELSEWHERE.iter().any(|(other, file)| {
            *other == name && std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file).is_file()
        });
        assert!(here.contains(name) || is_elsewhere, "{name} is tried nowhere");
    }
}
