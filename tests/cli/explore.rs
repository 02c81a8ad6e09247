//! The search for settings that no others beat.

use crate::program::{Folder, log, packfair, refusal, stdout, text};
use packfair::study::export::write_study;
use packfair::study::{Generated, Source, Study};
use packfair::workload::Fingerprint;
use serde_json::Value;

#[test]
fn settings_are_chosen_on_one_part_and_judged_on_the_other() {
    let folder = Folder::new("explore");
    let log = folder.write("log.swf", &log());
    let explore = |more: &[&str]| {
        let arguments = ["explore", &log, "--minimise", "AF,P2SF", "--runs", "60", "--seed", "3"];
        packfair(&[&arguments[..], more].concat())
    };
    let json: Value = serde_json::from_str(stdout(&explore(&["--format", "json"]))).unwrap();
    assert_eq!((&json["tried"], &json["baseline"]["scheduler"]), (&60.into(), &"easy".into()));
    assert_eq!(
        ["choose", "select", "confirm"].iter().map(|part| json["jobs"][part].as_u64().unwrap()).sum::<u64>(),
        300
    );
    let front = json["front"].as_array().unwrap();
    assert!(!front.is_empty());
    for member in front {
        assert!(member["held"].is_boolean() && member["verdict"].is_string());
        for part in ["choose", "select"] {
            assert!(member[part]["AF"].is_f64() && member[part]["P2SF"].is_f64(), "{member}");
        }
    }

    let table = explore(&[]);
    let table = stdout(&table);
    assert!(
        table.contains("easy__requested ") && table.contains("  baseline") && table.contains("P²SF, select (h)"),
        "{table}"
    );
    assert!(table.contains("60 settings were tried on the 150 jobs submitted first"), "{table}");
    assert!(table.contains("beaten by no other"), "{table}");

    let csv = |more: &[&str]| stdout(&explore(&[&["--format", "csv"], more].concat())).to_owned();
    let one = csv(&["--jobs", "1"]);
    assert_eq!(one, csv(&["--jobs", "4"]), "whatever the number of threads");
    assert!(one.starts_with("scheduler,estimator,held,AF,AF_select,P2SF,P2SF_select\n"), "{one}");
    assert_eq!(one.lines().count(), front.len() + 2);
}

#[test]
fn bounds_families_and_estimates_are_those_asked_for() {
    let folder = Folder::new("explore-bounds");
    let log = folder.write("log.swf", &log());
    let explore = |more: &[&str]| {
        packfair(&[&["explore", &log, "--minimise", "AF", "--runs", "40", "--format", "json"][..], more].concat())
    };
    let output = explore(&[
        "--keep",
        "max_wait<=1000d",
        "--families",
        "pc,dc",
        "--estimators",
        "actual,requested",
        "--k",
        "1,2",
    ]);
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    let best = &json["front"][0];
    assert!(best["scheduler"].as_str().unwrap().starts_with(['p', 'd']), "{best}");
    assert!(best["choose"]["max_wait"].is_f64());
    let none = packfair(&["explore", &log, "--minimise", "AF", "--runs", "40", "--keep", "max_wait<=1s"]);
    assert!(stdout(&none).contains("None of them keeps Max wait ≤"), "{}", text(&none.stdout));
    let gentle = explore(&["--keep", "loss(width)<=10%"]);
    let gentle: Value = serde_json::from_str(stdout(&gentle)).unwrap();
    assert_eq!(gentle["baseline"]["choose"]["loss(width)"], 0.0);
    for member in gentle["front"].as_array().unwrap() {
        assert!(member["choose"]["loss(width)"].as_f64().unwrap() <= 0.1, "{member}");
    }
    let few = explore(&["--families", "conservative"]);
    assert!(text(&few.stderr).contains("there are no more settings after 2 of 40 runs"), "{}", text(&few.stderr));
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let folder = Folder::new("explore-refused");
    let log = folder.write("log.swf", &log());
    let refused = |more: &[&str]| refusal(&packfair(&[&["explore", &log][..], more].concat())).to_owned();
    assert!(refused(&[]).contains("--minimise"));
    assert!(refused(&["--minimise", "XX"]).contains("there is no metric \"XX\""));
    assert!(refused(&["--minimise", "corrections"]).contains("neither much nor little"));
    let af = |more: &[&str]| refused(&[&["--minimise", "AF"], more].concat());
    assert!(af(&["--keep", "max_wait<2d"]).contains("a bound looks like max_wait<=2d"));
    assert!(af(&["--share", "0.95"]).contains("from 0.5 to 0.8"));
    assert!(af(&["--runs", "0"]).contains("from 1 to 100000"));
    assert!(
        af(&["--families", "eassy"]).contains("there is no family \"eassy\" to look through; there are list, easy")
    );
    assert!(af(&["--baseline", "eassy"]).contains("there is no scheduler \"eassy\""));
    assert!(af(&["--baseline", "as-logged"]).contains("the baseline cannot be measured: The log does not tell"));
    let one = folder.write("one.swf", b"; Version: 2.2\n1 0 0 10 1 -1 -1 1 10\n");
    let few = refusal(&packfair(&["explore", &one, "--minimise", "AF"])).to_owned();
    assert!(few.contains("too few jobs"), "{few}");
}

/// A log on 10 processors. On each of `days` days a long and a short job wait for a third, so that shortest first is better;
/// `others` further jobs have the machine to themselves. The days are `apart` from each other.
fn with_waits(days: usize, apart: usize, others: usize) -> Vec<u8> {
    let mut jobs: Vec<(usize, usize, usize, usize)> = Vec::new();
    for day in 0..days {
        let begin = day * apart * 86_400;
        let (long, short) = (18_000 + day * 7_919 % 18_000, 30 + day * 31 % 60);
        jobs.extend([(begin, 3_600, 10, 1), (begin + 60, long, 10, 1), (begin + 120, short, 10, 1)]);
        let of_day = others / days + usize::from(day < others % days);
        jobs.extend((0..of_day).map(|other| (begin + 50_000 + 60 * other, 5, 1, 2 + other % 5)));
    }
    jobs.sort_unstable();
    let line = |(number, (submit, run, width, user)): (usize, &(usize, usize, usize, usize))| {
        let number = number + 1;
        format!("{number} {submit} -1 {run} {width} -1 -1 {width} {run} -1 1 {user} -1 -1 -1 -1 -1 -1\n")
    };
    let lines: String = jobs.iter().enumerate().map(line).collect();
    format!("; MaxProcs: 10\n{lines}").into_bytes()
}

#[test]
fn of_few_jobs_or_few_that_wait_nothing_is_recommended() {
    let folder = Folder::new("explore-few");
    let answer = |name: &str, log: &[u8]| {
        let log = folder.write(name, log);
        let searched = ["explore", &log, "--minimise", "BSLD", "--runs", "32", "--searches", "2", "--format", "json"];
        let json: Value = serde_json::from_str(stdout(&packfair(&searched))).unwrap();
        (json["recommended"].is_string(), json["answer"].as_str().unwrap().replace('\u{202f}', " "))
    };
    // on each of 91 days three jobs, of which two wait
    let (is_taken, few) = answer("few.swf", &with_waits(91, 2, 999 - 3 * 91));
    assert!(!is_taken, "{few}");
    assert!(
        few.starts_with("Stay with EASY: 999 jobs are too few to tell which settings are better; 1,000 are"),
        "{few}"
    );
    let (is_taken, enough) = answer("enough.swf", &with_waits(91, 2, 1_000 - 3 * 91));
    assert!(!is_taken, "{enough}");
    assert!(
        enough.starts_with("Stay with EASY: 182 jobs wait under EASY, which are too few to tell; 200 are the least"),
        "{enough}"
    );
    let (is_taken, many) = answer("many.swf", &with_waits(140, 1, 840));
    assert!(is_taken && many.starts_with("Take EASY, "), "{many}");
    assert!(many.contains("Of 2 searches on workloads drawn from the log, "), "{many}");
}

#[test]
fn a_study_says_what_no_option_does() {
    let folder = Folder::new("explore-study");
    let af = |name: &str, shrink: f64| {
        let mut study = Study::on(Source::Generated(Generated::Lublin { jobs: 300, processors: 64, seed: 3 }));
        study.treatment.shrink = shrink;
        let file = folder.write(name, write_study(&study).as_bytes());
        let asked = ["explore", "--study", &file, "--minimise", "AF", "--runs", "32", "--format", "json"];
        let json: Value = serde_json::from_str(stdout(&packfair(&asked))).unwrap();
        json["baseline"]["choose"]["AF"].as_f64().unwrap()
    };
    assert!(af("usual.json", 1.0) < af("loaded.json", 0.5), "under twice the load jobs wait longer");
    let source = Source::Trace { name: "mine.swf".into(), fingerprint: Fingerprint(1) };
    let file = folder.write("trace.json", write_study(&Study::on(source)).as_bytes());
    let missing = refusal(&packfair(&["explore", "--study", &file, "--minimise", "AF"])).to_owned();
    assert!(missing.contains("the study is about the log mine.swf; give the path of that log"), "{missing}");
}
