//! Studies in parts: whoever computes which part, what they come to is printed as by a single process.

use crate::program::{Folder, packfair, refusal, stdout, text};
use packfair::catalogue::Script;
use packfair::scheduler::Policy;
use packfair::study::export::write_study;
use packfair::study::sureness::Repeats;
use packfair::study::{Baseline, Study};
use packfair::workload::Resampling;

/// A study of 4 runs, which are repeated on 6 workloads.
fn repeated() -> Study {
    let mut study = Study::first_visit();
    study.schedulers = ["easy", "saf-easy"].map(|id| id.parse().unwrap()).into();
    study.baseline = Baseline::Scheduler("easy".parse().unwrap());
    study.repeats = Some(Repeats { way: Resampling::Shake, ..Repeats::of(6) });
    study
}

fn written(folder: &Folder, name: &str, study: &Study) -> String {
    folder.write(name, write_study(study).as_bytes())
}

/// Computes all parts of a study, and returns their files.
fn parts(folder: &Folder, arguments: &[&str], of: usize) -> Vec<String> {
    let compute = |number: usize| {
        let path = folder.path(&format!("{number}-of-{of}.part"));
        let part = format!("{number}/{of}");
        let more = ["--part", part.as_str(), "--out", &path, "--jobs", "1"];
        let output = packfair(&[&["study"], arguments, &more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
        path
    };
    (1..=of).map(compute).collect()
}

fn collect(parts: &[String], more: &[&str]) -> std::process::Output {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    packfair(&[&["collect"], &parts[..], more].concat())
}

/// What is printed without the time that runs took, which is no result.
fn results_of(output: &std::process::Output) -> Vec<Vec<String>> {
    let printed = text(&output.stdout);
    if printed.lines().next().is_some_and(|heading| heading.contains(",wall_s")) {
        let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(printed.as_bytes());
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let time = rows[0].iter().position(|heading| heading == "wall_s");
        let kept = |row: &csv::StringRecord| {
            row.iter().enumerate().filter(|(at, _)| Some(*at) != time).map(|(_, cell)| cell.to_owned()).collect()
        };
        return rows.iter().map(kept).collect();
    }
    let cells =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    let lines = printed.lines().filter(|line| !line.contains("\"wall_s\":"));
    let mut lines: Vec<Vec<String>> = lines.map(cells).collect();
    if lines.first().and_then(|heading| heading.last()).is_some_and(|heading| heading == "run") {
        lines.iter_mut().take_while(|line| !line.is_empty()).for_each(|line| drop(line.pop()));
    }
    lines
}

#[test]
fn parts_come_to_what_a_single_process_prints() {
    let folder = Folder::new("spread");
    let study = written(&folder, "study.json", &repeated());
    let one = parts(&folder, &[&study], 1);
    // more parts than there is to compute: some are empty
    let (few, many) = (parts(&folder, &[&study], 3), parts(&folder, &[&study], 12));
    let mut turned = few.clone();
    turned.reverse();
    for format in ["table", "csv", "json", "spreadsheet", "markdown", "latex"] {
        let alone = packfair(&["study", &study, "--format", format, "--matters", "fairness"]);
        for parts in [&one, &few, &turned, &many] {
            let collected = collect(parts, &["--format", format, "--matters", "fairness"]);
            assert!(collected.status.success() && alone.status.success(), "{}", text(&collected.stderr));
            assert_eq!(results_of(&collected), results_of(&alone), "{format}, {} parts", parts.len());
        }
    }
    let page = |parts: &[String], name: &str| {
        let path = folder.path(name);
        stdout(&collect(parts, &["--page", &path]));
        std::fs::read(&path).unwrap()
    };
    assert_eq!(page(&one, "one.json"), page(&many, "many.json"));
    // the same part has the same bytes, whoever computes it
    let before = std::fs::read(&few[1]).unwrap();
    stdout(&packfair(&["study", &study, "--part", "2/3", "--out", &few[1], "--jobs", "2"]));
    assert!(std::fs::read(&few[1]).unwrap() == before);
}

#[test]
fn a_folder_stands_for_the_parts_in_it() {
    let folder = Folder::new("spread-folder");
    let study = written(&folder, "study.json", &repeated());
    let all = parts(&folder, &[&study], 2);
    folder.write("slurm-1.log", b"not a part");
    assert_eq!(stdout(&packfair(&["collect", &folder.path("")])), stdout(&collect(&all, &[])));
    let empty = Folder::new("spread-empty");
    assert!(refusal(&packfair(&["collect", &empty.path("")])).contains("no name in this folder ends in .part"));
}

#[test]
fn draws_and_answers_of_a_slurm_site_are_those_of_a_single_process() {
    let folder = Folder::new("spread-site");
    let mut study = Study::first_visit();
    let ids = ["slurm", "slurm:bf_max_job_test=1", "slurm:PriorityWeightJobSize=1000"];
    study.schedulers = ids.map(|id| id.parse().unwrap()).into();
    study.methods.truncate(1);
    study.baseline = Baseline::Scheduler("slurm".parse().unwrap());
    study.repeats = Some(Repeats { way: Resampling::Draws, ..Repeats::of(4) });
    let study = written(&folder, "study.json", &study);
    let alone = packfair(&["study", &study]);
    assert!(stdout(&alone).contains("What if ") && stdout(&alone).contains("Certainty: "), "{}", text(&alone.stdout));
    let collected = collect(&parts(&folder, &[&study], 3), &[]);
    assert!(collected.status.success(), "{}", text(&collected.stderr));
    assert_eq!(results_of(&collected), results_of(&alone));
}

#[test]
fn several_logs_are_several_tables_and_failures_have_reasons() {
    let folder = Folder::new("spread-logs");
    let mut study = Study::first_visit();
    study.schedulers = vec!["easy".parse().unwrap()];
    study.methods.truncate(1);
    study.baseline = Baseline::None;
    let study = written(&folder, "study.json", &study);
    let log = |seed: &str| {
        let swf = packfair(&["generate", "lublin", "--jobs", "100", "--procs", "16", "--seed", seed]);
        folder.write(&format!("log-{seed}.swf"), stdout(&swf).as_bytes())
    };
    let (one, two) = (log("1"), log("2"));
    assert!(refusal(&packfair(&["study", &study, &one, &two])).contains("several logs need --part"));
    let all = parts(&folder, &[&study, &one, &two], 2);
    let collected = collect(&all, &["--format", "csv"]);
    let rows: Vec<&str> = stdout(&collected).lines().collect();
    assert!(rows[0].starts_with("log,scheduler,estimator") && rows.len() == 1 + 2, "{rows:?}");
    assert!(rows[1].starts_with("log-1.swf,easy") && rows[2].starts_with("log-2.swf,easy"), "{rows:?}");
    stdout(&collect(&all, &["--page", &folder.path("page.json")]));
    let pages = ["page-1.json", "page-2.json"].map(|name| std::fs::read_to_string(folder.path(name)).unwrap());
    assert!(pages[0].contains("log-1.swf") && pages[1].contains("log-2.swf"));
    // parts of the same study on other logs are not joined with these
    let other = folder.path("other.part");
    stdout(&packfair(&["study", &study, &one, "--part", "2/2", "--out", &other]));
    let refused = collect(&[all[0].clone(), other], &[]);
    assert!(refusal(&refused).contains("a study on different logs"), "{}", text(&refused.stderr));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = Folder::new("spread-refused");
    let study = written(&folder, "study.json", &repeated());
    for part in ["0/3", "4/3", "x"] {
        let output = packfair(&["study", &study, "--part", part]);
        assert!(refusal(&output).contains("it takes the number of a part and the number of all parts: 3/20"), "{part}");
    }
    assert!(refusal(&packfair(&["study", &study, "--out", "x"])).contains("--part"));
    assert!(refusal(&packfair(&["study", &study, "--part", "1/2", "--starts", "x"])).contains("cannot be used with"));
    let all = parts(&folder, &[&study], 4);
    let refused = |parts: &[&String], words: &str| {
        let parts: Vec<String> = parts.iter().map(|part| (*part).clone()).collect();
        let output = collect(&parts, &[]);
        assert!(refusal(&output).contains(words), "{words}: {}", text(&output.stderr));
    };
    refused(&[&all[1]], "parts 1, 3-4 of 4 are missing; compute each of them with packfair study ... --part 1/4");
    refused(&[&all[0], &all[1], &all[3]], "part 3 of 4 is missing; compute it with");
    refused(&[&all[0], &all[1], &all[1], &all[2], &all[3]], "both are part 2 of 4; leave out one of them");
    let other = parts(&folder, &[&study], 2);
    refused(&[&all[0], &other[1]], "one is of 4 parts, the other of 2; give the parts of one division");
    let mut fewer = repeated();
    fewer.repeats = Some(Repeats { way: Resampling::Shake, ..Repeats::of(5) });
    let fewer = written(&folder, "fewer.json", &fewer);
    let of_fewer = folder.path("fewer.part");
    stdout(&packfair(&["study", &fewer, "--part", "2/4", "--out", &of_fewer]));
    refused(&[&all[0], &of_fewer, &all[2], &all[3]], "parts of different studies");
    refused(&[&study], "this is no part of a study; packfair study STUDY --part I/N writes one");
    refused(&[&folder.path("none")], "there is no file");
}

#[test]
fn parts_that_are_damaged_or_of_another_engine_are_refused() {
    let folder = Folder::new("spread-damaged");
    let study = written(&folder, "study.json", &repeated());
    let whole = std::fs::read_to_string(&parts(&folder, &[&study], 1)[0]).unwrap();
    let refused = |text_of_part: &str, words: &str| {
        let path = folder.write("bad.part", text_of_part.as_bytes());
        let output = collect(&[path], &[]);
        assert!(refusal(&output).contains(words), "{words}: {}", text(&output.stderr));
    };
    let damaged = "this part is damaged: it was cut short or changed; compute it again";
    refused(&whole[..whole.len() / 2], damaged);
    refused(&whole[..whole.len() - 1], damaged);
    refused(&whole[..30], damaged);
    refused(&whole.replacen("0.", "9.", 1), damaged);
    refused("", "this is no part of a study");
    refused(&whole.replacen("packfair part 1", "packfair part 2", 1), "another version of Packfair computed this part");
    // a part of another engine is whole
    let (_, data) = whole.split_once('\n').unwrap();
    let data = data.strip_suffix('\n').unwrap();
    let engine = packfair::study::Engine::THIS.0;
    let data = data.replacen(&format!("\"engine\":{engine}"), &format!("\"engine\":{}", engine ^ 1), 1);
    let sum = xxhash_rust::xxh3::xxh3_128(data.as_bytes());
    refused(&format!("packfair part 1 {sum:032x}\n{data}\n"), "another version of Packfair computed this part");
}

#[test]
fn a_part_is_named_after_its_study_where_it_is_computed() {
    let folder = Folder::new("spread-named");
    let study = written(&folder, "mine.json", &repeated());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(["study", &study, "--part", "2/9"])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains("part 2 of 9 is written to mine.2-of-9.part"), "{}", text(&output.stderr));
    assert!(std::fs::exists(folder.path("mine.2-of-9.part")).unwrap());
}

#[test]
fn runs_that_fail_are_said_by_their_part_and_by_all() {
    let folder = Folder::new("spread-failed");
    let mut study = Study::first_visit();
    let script = Script::new("stops", "fn round(view, actions) {\n    throw \"no more\";\n}\n").unwrap();
    study.schedulers = vec![Policy::of_script(script), "easy".parse().unwrap()];
    study.methods.truncate(1);
    study.baseline = Baseline::None;
    let study = written(&folder, "study.json", &study);
    let alone = packfair(&["study", &study]);
    assert_eq!(alone.status.code(), Some(1), "{}", text(&alone.stderr));
    let path = |number: usize| folder.path(&format!("{number}.part"));
    let part = |number: usize| packfair(&["study", &study, "--part", &format!("{number}/2"), "--out", &path(number)]);
    let (one, two) = (part(1), part(2));
    assert_eq!((one.status.code(), two.status.code()), (Some(1), Some(0)), "{}", text(&one.stderr));
    let collected = collect(&[path(1), path(2)], &[]);
    assert_eq!(collected.status.code(), Some(1));
    assert_eq!(results_of(&collected), results_of(&alone));
    for output in [&one, &collected] {
        assert!(text(&output.stderr).contains("failed: "), "{}", text(&output.stderr));
    }
}
