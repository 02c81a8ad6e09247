//! Memory and disk space that run out, by a shell's `ulimit`: the program gives a message and an exit code, and leaves
//! no incomplete file.

use crate::program::{Folder, log, packfair, stdout, text};
use packfair::study::Study;
use packfair::study::export::write_study;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a shell, after the command `first`.
fn after(first: &str, arguments: &[&str], out: Stdio) -> Output {
    let program = Command::new("sh")
        .args(["-c", &format!("{first} || exit 99; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_packfair")])
        .args(arguments)
        // with a backtrace, Rust's message that memory has run out would wait for itself where memory does not suffice
        // for the backtrace either
        .env("RUST_BACKTRACE", "0")
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    program.wait_with_output().expect("it ends")
}

/// Runs the program with files of at most `blocks` blocks of 512 bytes, as on a disk that is nearly full. The signal
/// that comes with the limit is ignored, so that writing fails as on a full disk.
fn with_blocks(blocks: u32, arguments: &[&str]) -> Output {
    let output = after(&format!("trap '' XFSZ; ulimit -f {blocks}"), arguments, Stdio::piped());
    assert_ne!(output.status.code(), Some(99), "the shell sets no limit: {}", text(&output.stderr));
    output
}

/// All files below a folder, by name, with their lengths.
fn files(folder: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let length = path.metadata().expect("a file").len();
            found.push((path.file_name().expect("a name").to_string_lossy().into_owned(), length));
        }
    }
    found.sort();
    found
}

#[test]
fn starts_that_find_no_room_are_not_there_and_the_table_is() {
    let folder = Folder::new("full-starts");
    let (log, starts) = (folder.write("log.swf", &log()), folder.path("starts"));
    let arguments = ["run", &log, "-s", "easy", "fcfs", "-e", "requested", "--starts", &starts];
    let output = with_blocks(1, &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("EASY") && text(&output.stdout).contains("FCFS"));
    let said = text(&output.stderr);
    assert!(said.contains("__requested.csv cannot be written: ") && said.contains("1 other file"), "{said}");
    assert_eq!(files(Path::new(&starts)), [], "nothing is left behind");
    stdout(&packfair(&arguments));
    assert_eq!(files(Path::new(&starts)).len(), 2);
    // earlier files stay as they are
    let before = files(Path::new(&starts));
    assert_eq!(with_blocks(1, &arguments).status.code(), Some(1));
    assert_eq!(files(Path::new(&starts)), before);
}

#[test]
fn a_part_of_a_study_that_finds_no_room_is_not_there() {
    let folder = Folder::new("full-part");
    let mut study = Study::first_visit();
    study.schedulers = ["easy", "saf-easy"].map(|id| id.parse().unwrap()).into();
    study.baseline = packfair::study::Baseline::None;
    let (study, parts) =
        (folder.write("study.json", write_study(&study).as_bytes()), Path::new(&folder.path("parts")).to_owned());
    std::fs::create_dir(&parts).expect("a folder");
    let path = parts.join("1.part").to_string_lossy().into_owned();
    let arguments = ["study", &study, "--part", "1/1", "--out", &path];
    for blocks in [0, 1, 8] {
        let output = with_blocks(blocks, &arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{blocks} blocks: {said}");
        assert!(said.contains("1.part cannot be written: "), "{blocks} blocks: {said}");
        assert_eq!(files(&parts), [], "{blocks} blocks");
    }
    stdout(&packfair(&arguments));
    // an earlier part stays as it is, and the file for the page is complete or not there
    let before = files(&parts);
    assert_eq!(with_blocks(1, &arguments).status.code(), Some(1));
    assert_eq!(files(&parts), before);
    let page = parts.join("page.json").to_string_lossy().into_owned();
    let collected = with_blocks(1, &["collect", &path, "--page", &page]);
    assert_eq!(collected.status.code(), Some(1), "{}", text(&collected.stderr));
    assert!(text(&collected.stderr).contains("page.json cannot be written: "), "{}", text(&collected.stderr));
    assert_eq!(files(&parts), before);
    stdout(&packfair(&["collect", &path, "--page", &page]));
}

#[test]
fn what_is_printed_into_a_full_file_is_a_failure() {
    let folder = Folder::new("full-output");
    let log = folder.write("log.swf", &log());
    let commands: [&[&str]; 5] = [
        &["convert", &log],
        &["convert", "--anonymise=key", &log],
        &["generate", "lublin", "--jobs", "2000", "--procs", "64"],
        &["run", &log, "-e", "requested", "--format", "json", "-s", "easy", "fcfs", "saf-easy", "justbf"],
        &["summary", &log],
    ];
    for arguments in commands {
        let out = File::create(folder.path("out")).expect("a file is made");
        let output = after("trap '' XFSZ; ulimit -f 1", arguments, out.into());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("standard output cannot be written: "), "{}", text(&output.stderr));
    }
}

/// Only Linux has such a device, and keeps a process within a limit of memory.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_a_failure_of_every_command_that_prints() {
    let folder = Folder::new("full-device");
    let log = folder.write("log.swf", &log());
    let commands: [&[&str]; 4] = [
        &["convert", &log],
        &["generate", "lublin", "--jobs", "10", "--procs", "64"],
        &["run", &log, "-s", "easy", "-e", "requested"],
        &["summary", &log],
    ];
    for arguments in commands {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = after("true", arguments, full.into());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("standard output cannot be written: "), "{}", text(&output.stderr));
    }
}

/// A log of `count` equal jobs, which gzip makes very small.
#[cfg(target_os = "linux")]
fn many_jobs(folder: &Folder, count: usize) -> String {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let some = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n".repeat(10_000);
    for _ in 0..count / 10_000 {
        gzip.write_all(some.as_bytes()).expect("memory takes all");
    }
    folder.write("many.swf.gz", &gzip.finish().expect("memory takes all"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_memory_does_not_hold_is_refused_with_what_to_do() {
    let folder = Folder::new("little-memory");
    let log = many_jobs(&folder, 800_000);
    let starts = folder.path("starts");
    let commands: [&[&str]; 2] =
        [&["run", &log, "-s", "easy", "-e", "requested", "--starts", &starts, "--jobs", "1"], &["convert", &log]];
    for arguments in commands {
        let output = after("ulimit -v 120000", arguments, Stdio::piped());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("there is not enough memory for more than "), "{said}");
        assert!(said.contains("; take a part of it, a year say"), "{said}");
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    }
    assert!(!Path::new(&starts).exists());
}

/// If memory runs out during a simulation the program ends, and the files that it has written before are complete.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out_later_leaves_whole_files_alone() {
    let folder = Folder::new("less-memory");
    let jobs = packfair(&["generate", "lublin", "--jobs", "60000", "--procs", "128"]).stdout;
    let log = folder.write("log.swf", &jobs);
    let mut ends = Vec::new();
    for kib in [40_000, 60_000, 80_000, 100_000] {
        let starts = folder.path(&format!("starts-{kib}"));
        let arguments =
            ["run", &log, "-s", "fcfs", "easy", "-e", "requested", "--starts", &starts, "--jobs", "1", "--shrink", "2"];
        let output = after(&format!("ulimit -c 0; ulimit -v {kib}"), &arguments, Stdio::piped());
        ends.push(output.status.success());
        assert!(output.status.success() || !output.stderr.is_empty(), "{kib}: it says nothing");
        if Path::new(&starts).exists() {
            for (name, _) in files(Path::new(&starts)).iter().filter(|(name, _)| !name.ends_with(".part")) {
                let text = std::fs::read_to_string(Path::new(&starts).join(name)).expect("it can be read");
                assert_eq!(text.lines().count(), 60_001, "{kib}: {name} is cut off");
            }
        }
    }
    assert!(ends.contains(&false), "memory never ran out");
}

#[test]
fn a_log_that_dribbles_in_is_the_same_log() {
    let log = log();
    let expected = crate::program::with_input(&["convert", "-"], &log).stdout;
    let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(["convert", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    log.chunks(7).for_each(|piece| input.write_all(piece).expect("it reads on"));
    drop(input);
    assert!(child.wait_with_output().expect("it ends").stdout == expected);
}
