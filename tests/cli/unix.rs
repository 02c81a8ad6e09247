//! What only Unix has: device files, modes of files, signals.

use crate::program::{Folder, log, packfair, text};
#[cfg(target_os = "linux")]
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_a_failure() {
    for arguments in [&["--help"][..], &["--version"], &["list"], &["run", "--help"]] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let program = Command::new(env!("CARGO_BIN_EXE_packfair"))
            .args(arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = program.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("standard output cannot be written"), "{}", text(&output.stderr));
    }
}

#[test]
fn the_table_is_printed_where_a_file_cannot_be_written() {
    let folder = Folder::new("unwritable");
    let log = folder.write("log.swf", &log());
    let starts = folder.path("starts");
    // a folder is in the place of a file
    std::fs::create_dir_all(format!("{starts}/easy__requested.csv/x")).unwrap();
    let output = packfair(&["run", &log, "-s", "easy", "fcfs", "-e", "requested", "--starts", &starts]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("EASY") && text(&output.stdout).contains("FCFS"));
    assert!(text(&output.stderr).contains("easy__requested.csv cannot be written: "), "{}", text(&output.stderr));
    assert_eq!(names(&starts), ["easy__requested.csv", "fcfs__requested.csv"]);
    let mode = std::fs::metadata(format!("{starts}/fcfs__requested.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o400, 0o400);
    // nor can there be a folder below a device
    let output = packfair(&["run", &log, "-s", "easy", "-e", "requested", "--starts", "/dev/null/foo"]);
    assert!(text(&output.stderr).contains("/dev/null/foo cannot be written: "), "{}", text(&output.stderr));
}

fn names(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

#[test]
fn whoever_is_interrupted_says_what_is_whole() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new(&format!("interrupted{signal}"));
        let jobs = packfair(&["generate", "lublin", "--jobs", "10000", "--procs", "128"]).stdout;
        let (log, starts) = (folder.write("log.swf", &jobs), folder.path("starts"));
        let arguments = [
            "run",
            &log,
            "-s",
            "fcfs",
            "pc",
            "-e",
            "requested",
            "--shrink",
            "0.05",
            "--jobs",
            "1",
            "--starts",
            &starts,
        ];
        let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let first = format!("{starts}/fcfs__requested.csv");
        while !Path::new(&first).exists() {
            assert!(child.try_wait().expect("it can be asked").is_none(), "it has ended before it was interrupted");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("there is kill").success());
        let output = child.wait_with_output().expect("it ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("interrupted after 1 of 2 runs; no table was printed. Complete: "), "{said}");
        assert!(said.contains("fcfs__requested.csv; the other files are missing"), "{said}");
        assert_eq!(names(&starts), ["fcfs__requested.csv"]);
        assert_eq!(std::fs::read_to_string(&first).unwrap().lines().count(), 10_001);
    }
}
