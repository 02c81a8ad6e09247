//! Studies spread over processes: whatever is killed, the report is that of a single process.

use crate::program::{Folder, packfair, refusal, stdout, text};
use packfair::study::Study;
use packfair::study::export::write_study;
use packfair::study::sureness::Repeats;
use packfair::workload::Resampling;
use std::path::Path;
use std::process::{Command, Stdio};

/// A study of 4 runs, which are repeated on 6 workloads.
fn study(folder: &Folder) -> String {
    let mut study = Study::first_visit();
    study.schedulers = ["easy", "saf-easy"].map(|id| id.parse().unwrap()).into();
    study.baseline = packfair::study::Baseline::Scheduler("easy".parse().unwrap());
    study.repeats = Some(Repeats { way: Resampling::Shake, ..Repeats::of(6) });
    folder.write("study.json", write_study(&study).as_bytes())
}

/// The files that `packfair collect` writes.
fn reports(folder: &str) -> Vec<Vec<u8>> {
    stdout(&packfair(&["collect", folder]));
    let read =
        |name: &str| std::fs::read(Path::new(folder).join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    ["report.txt", "report.csv", "report.json", "results.json"].map(read).into()
}

fn files(folder: &str, part: &str) -> usize {
    std::fs::read_dir(Path::new(folder).join(part)).unwrap().count()
}

#[test]
fn the_draws_of_slurm_are_those_of_a_single_process() {
    let folder = Folder::new("spread-draws");
    let mut study = Study::first_visit();
    study.schedulers = vec!["slurm".parse().unwrap()];
    study.methods.truncate(1);
    study.distortions = vec![1.0];
    study.baseline = packfair::study::Baseline::None;
    study.repeats = Some(Repeats { way: Resampling::Draws, ..Repeats::of(4) });
    let study = folder.write("study.json", write_study(&study).as_bytes());
    let into = folder.path("into");
    stdout(&packfair(&["study", &study, "--into", &into, "--jobs", "2"]));
    let intervals = |text: &str| -> Vec<String> {
        let mut lines = csv::Reader::from_reader(text.as_bytes());
        let bounds = |heading: &str| heading.ends_with("_low") || heading.ends_with("_high");
        let heading = lines.headers().unwrap().clone();
        let row = lines.records().next().unwrap().unwrap();
        heading.iter().zip(&row).filter(|(heading, _)| bounds(heading)).map(|(_, value)| value.to_owned()).collect()
    };
    let alone = packfair(&["study", &study, "--format", "csv"]);
    let alone = intervals(stdout(&alone));
    assert!(alone.len() > 2 && alone[0] != alone[1], "the draws differ: {alone:?}");
    assert_eq!(intervals(text(&reports(&into)[1])), alone);
}

#[test]
fn shares_processes_and_interruptions_come_to_the_same_report() {
    let folder = Folder::new("spread");
    let study = study(&folder);
    let one = folder.path("one");
    let output = packfair(&["study", &study, "--into", &one, "--jobs", "2"]);
    assert!(output.status.success() && text(&output.stderr).contains("28 runs computed; 28 of 28 have results"));
    let expected = reports(&one);
    assert!(text(&expected[0]).contains("95 % intervals, from 6 workloads with shaken submit times"));

    let shared = folder.path("shared");
    for part in ["3/3", "1/3"] {
        stdout(&packfair(&["study", &study, "--into", &shared, "--part", part]));
    }
    // the message says what is missing, and the report has the rest
    let partial = packfair(&["collect", &shared]);
    assert_eq!(partial.status.code(), Some(1));
    assert!(text(&partial.stderr).contains("is missing: no process has finished it"), "{}", text(&partial.stderr));
    assert!(text(&partial.stdout).contains("EASY"));
    // an incomplete file counts as missing, whatever left it there
    let results = Path::new(&shared).join("results");
    let damaged = std::fs::read_dir(&results).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&damaged, "").unwrap();
    let before = files(&shared, "results") - 1;
    // several processes at once, one of which is killed
    let mut killed = Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(["study", &study, "--into", &shared])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(30));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packfair"));
        command.args(["study", &study, "--into", &shared, "--jobs", "1"]).stderr(Stdio::piped()).spawn().unwrap()
    };
    let processes = [start(), start()];
    let mut computed = 0;
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stderr).to_owned();
        let number = said.lines().last().and_then(|line| line.split_whitespace().nth(1)).unwrap();
        computed += number.parse::<usize>().unwrap_or_else(|_| panic!("{said}"));
    }
    assert!(computed <= 28 - before, "nothing is computed twice: {computed} after {before}");
    assert_eq!(files(&shared, "results"), 28);
    assert_eq!(reports(&shared), expected);
    // all is there: nothing is left to do
    let again = packfair(&["study", &study, "--into", &shared]);
    assert!(text(&again.stderr).contains("0 runs computed; 28 of 28 have results"), "{}", text(&again.stderr));
}

#[test]
fn several_logs_are_several_tables_and_failures_have_reasons() {
    let folder = Folder::new("spread-logs");
    let mut study = Study::first_visit();
    study.schedulers = ["easy", "as-logged"].map(|id| id.parse().unwrap()).into();
    study.methods.truncate(1);
    study.baseline = packfair::study::Baseline::None;
    let study = folder.write("study.json", write_study(&study).as_bytes());
    let log = |seed: &str| {
        let swf = packfair(&["generate", "lublin", "--jobs", "100", "--procs", "16", "--seed", seed]);
        folder.write(&format!("log-{seed}.swf"), stdout(&swf).as_bytes())
    };
    let (one, two) = (log("1"), log("2"));
    let without_starts =
        folder.write("unknown.swf", b"; Version: 2.2\n1 0 -1 50 4 -1 -1 4 60\n2 60 -1 50 4 -1 -1 4 60\n");
    let into = folder.path("into");
    assert!(refusal(&packfair(&["study", &study, &one, &two])).contains("several logs need --into DIR"));
    let output = packfair(&["study", &study, &one, &two, &without_starts, "--into", &into]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let collected = packfair(&["collect", &into, "--format", "csv"]);
    assert_eq!(collected.status.code(), Some(1));
    assert!(text(&collected.stderr).contains("on unknown.swf failed: The log does not tell when its jobs started"));
    let rows: Vec<&str> = text(&collected.stdout).lines().collect();
    assert!(rows[0].starts_with("log,scheduler,estimator") && rows.len() == 1 + 3, "{rows:?}");
    assert!(rows[1].starts_with("log-1.swf,easy") && rows[3].starts_with("unknown.swf,easy"), "{rows:?}");
    // the folder belongs to these logs
    let other = packfair(&["study", &study, &one, "--into", &into]);
    assert!(refusal(&other).contains("holds the results of other logs"));
}

#[test]
fn what_cannot_be_spread_is_said() {
    let folder = Folder::new("spread-refused");
    let study = study(&folder);
    assert!(refusal(&packfair(&["collect", &folder.path("none")])).contains("is not the folder of a study"));
    for part in ["0/3", "4/3", "x"] {
        let output = packfair(&["study", &study, "--into", &folder.path("into"), "--part", part]);
        assert!(
            refusal(&output).contains("it takes the number of a share and the number of all shares: 3/20"),
            "{part}"
        );
    }
    assert!(refusal(&packfair(&["study", &study, "--part", "1/3"])).contains("--into"));
    stdout(&packfair(&["study", &study, "--into", &folder.path("into")]));
    let other = folder.write("other.json", write_study(&Study::first_visit()).as_bytes());
    let output = packfair(&["study", &other, "--into", &folder.path("into")]);
    assert!(refusal(&output).contains("holds the results of another study; give another folder"));
}

#[test]
fn a_script_for_slurm_is_kept_and_only_written_where_that_is_asked_for() {
    let folder = Folder::new("spread-script");
    let (study, into) = (study(&folder), folder.path("into"));
    let output =
        packfair(&["study", &study, "--into", &into, "--slurm", "--dry-run", "--tasks", "3", "--partition", "short"]);
    assert!(stdout(&output).starts_with("sbatch "), "{}", text(&output.stdout));
    let script = std::fs::read_to_string(Path::new(&into).join("slurm.sh")).unwrap();
    assert!(script.contains("#SBATCH --array=1-3\n") && script.contains("#SBATCH --partition=short\n"), "{script}");
    assert!(script.contains("--part \"$SLURM_ARRAY_TASK_ID/3\""), "{script}");
    // runs what the tasks of the array job do
    for part in ["1/3", "2/3", "3/3"] {
        stdout(&packfair(&["study", &study, "--into", &into, "--part", part]));
    }
    assert_eq!(reports(&into).len(), 4);
}

#[test]
fn results_that_are_damaged_or_of_other_runs_are_computed_again() {
    let folder = Folder::new("spread-damaged");
    let (study, into) = (study(&folder), folder.path("into"));
    stdout(&packfair(&["study", &study, "--into", &into]));
    let expected = reports(&into);
    let mut results: Vec<_> = std::fs::read_dir(Path::new(&into).join("results")).unwrap().flatten().collect();
    results.sort_by_key(|result| result.path());
    let path = |place: usize| results[place].path();
    let content = |place: usize| std::fs::read(path(place)).unwrap();
    // files that are cut, zeroed, of another run, and with another value
    let (cut, zeroed, of_another, whole) = (content(0), content(1), content(3), content(4));
    std::fs::write(path(0), &cut[..cut.len() / 2]).unwrap();
    std::fs::write(path(1), vec![0; zeroed.len()]).unwrap();
    std::fs::write(path(2), of_another).unwrap();
    let forged = String::from_utf8(whole).unwrap().replacen("0.", "9.", 1);
    std::fs::write(path(4), forged).unwrap();
    let collected = packfair(&["collect", &into]);
    assert_eq!(collected.status.code(), Some(1));
    let said = text(&collected.stderr);
    assert_eq!(said.matches("its result is damaged, or of another run").count(), 4, "{said}");
    let again = packfair(&["study", &study, "--into", &into]);
    let said = text(&again.stderr);
    assert!(said.contains("4 results are damaged, or of other runs; they are computed again"), "{said}");
    assert!(said.contains("4 runs computed; 28 of 28 have results"), "{said}");
    assert_eq!(reports(&into), expected);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_claim_empties_nothing() {
    let folder = Folder::new("spread-link");
    let (study, into) = (study(&folder), folder.path("into"));
    stdout(&packfair(&["study", &study, "--into", &into]));
    let result = std::fs::read_dir(Path::new(&into).join("results")).unwrap().flatten().next().unwrap().path();
    let id = result.file_stem().unwrap().to_str().unwrap().to_owned();
    std::fs::remove_file(&result).unwrap();
    let precious = folder.write("precious.txt", b"kept");
    std::os::unix::fs::symlink(&precious, Path::new(&into).join("claims").join(id)).unwrap();
    assert!(refusal(&packfair(&["study", &study, "--into", &into])).contains("is a symbolic link"));
    assert_eq!(std::fs::read(&precious).unwrap(), b"kept");
}
