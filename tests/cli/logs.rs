//! Summaries of logs, and how logs are read.

use crate::program::{Folder, log, packfair, refusal, stdout, text, with_input};
use serde_json::Value;
use std::io::Write;
use std::process::Output;

#[test]
fn a_summary_says_what_the_log_is_like() {
    let output = with_input(&["summary", "-"], &log());
    let table = stdout(&output);
    assert!(table.contains("300 of 300 in the log") && table.contains("64, from MaxProcs in the header"), "{table}");
    let output = with_input(&["summary", "-", "--format", "json", "--procs", "70"], &log());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(json["summary"]["jobs"].as_u64(), Some(300));
    assert_eq!(json["summary"]["machine"]["processors"].as_u64(), Some(70));
}

#[test]
fn a_log_in_an_archive_is_as_good_as_one_outside() {
    let folder = Folder::new("archive");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [("README.txt", b"A log.\n".as_slice()), ("logs/inner.swf", &log())] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a Vec takes all");
        archive.write_all(content).expect("a Vec takes all");
    }
    let archive = archive.finish().expect("a Vec takes all").into_inner();
    let file = folder.path("logs.zip");
    std::fs::write(&file, &archive).expect("the folder can be written to");
    let plain = with_input(&["summary", "-", "--format", "json"], &log());
    for zipped in
        [packfair(&["summary", &file, "--format", "json"]), with_input(&["summary", "-", "--format", "json"], &archive)]
    {
        let read = |output: &Output| serde_json::from_str::<Value>(stdout(output)).expect("JSON");
        let (plain, zipped) = (read(&plain), read(&zipped));
        assert_eq!(zipped["summary"]["jobs"], plain["summary"]["jobs"]);
        assert_eq!(zipped["account"], plain["account"]);
    }
    std::fs::write(&file, &archive[..archive.len() / 2]).expect("the folder can be written to");
    assert!(refusal(&packfair(&["summary", &file])).contains("the zip archive is damaged"));
}

#[test]
fn a_summary_has_what_a_workload_like_the_log_rests_on() {
    let output = with_input(&["summary", "-"], &log());
    let table = stdout(&output);
    assert!(table.contains("as in Table 2 of DYNP\n") && table.contains("Weibull, gaps > 0 alpha 0."), "{table}");
    let output = with_input(&["summary", "-", "--format", "json"], &log());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(json["summary"]["arrivals"]["jobs"].as_u64(), Some(300));
    let output = with_input(&["summary", "-", "--format", "gaps"], &log());
    assert!(stdout(&output).starts_with("gap,times,share,weibull\n"));
    let output = with_input(&["summary", "-", "--format", "joint"], &log());
    assert!(stdout(&output).starts_with("width,requested,run,jobs\n1,"));
}

#[test]
fn the_partitions_of_a_log_are_a_machine() {
    let folder = Folder::new("partitions");
    let line = |number: usize, submit: usize, processors: usize, partition: usize| {
        format!("{number} {submit} 0 100 {processors} -1 -1 {processors} 200 -1 1 1 1 1 1 {partition} -1 -1\n")
    };
    let lines = [line(1, 0, 4, 1), line(2, 10, 2, 1), line(3, 20, 8, 2), line(4, 500, 3, 2)].concat();
    let log = folder.write("log.swf", format!("; MaxProcs: 12\n; Partition: 2 wide\n{lines}").as_bytes());
    let told = packfair(&["summary", &log, "--format", "machine"]);
    assert_eq!(
        stdout(&told).lines().next(),
        Some(
            "# together they are 14 processors, more than the 12 of the log's machine: some share nodes, or changed size; put shared nodes into a cell of their own"
        )
    );
    let machine = folder.write("machine.toml", &told.stdout);
    let run = packfair(&["run", &log, "--machine", &machine, "-s", "easy", "-e", "requested"]);
    let said = stdout(&run);
    for part in ["cell 1", "cell wide", "partition wide"] {
        assert!(said.contains(part), "{said}");
    }
    let none = folder.write("none.swf", "1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1\n".as_bytes());
    let refused = packfair(&["summary", &none, "--format", "machine"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the log names no partitions"), "{}", text(&refused.stderr));
}

#[test]
fn run_and_summary_take_the_same_machines() {
    let folder = Folder::new("machines");
    let log = folder.write("log.swf", &log());
    for command in [&["run", &log, "-s", "easy", "-e", "actual"][..], &["summary", &log]] {
        let refused = packfair(&[command, &["--procs", "4294967295"]].concat());
        assert!(refusal(&refused).contains("100000000"), "{}", text(&refused.stderr));
        stdout(&packfair(&[command, &["--procs", "100000000"]].concat()));
    }
}

#[test]
fn a_log_beyond_the_limits_is_refused_and_the_limit_can_be_raised() {
    let folder = Folder::new("limits");
    let log = folder.write("log.swf", &log());
    let run = |more: &[&str]| packfair(&[&["run", &log, "-s", "easy", "-e", "actual"], more].concat());
    assert!(refusal(&run(&["--max-jobs", "299"])).contains(
        "log.swf: it has more than 299 jobs, which is the limit here; take a part of it, a year say, or raise the \
         limit with --max-jobs"
    ));
    assert!(refusal(&run(&["--max-text", "1000"])).contains("or raise the limit with --max-text"));
    assert!(refusal(&packfair(&["summary", &log, "--max-jobs", "299"])).contains("more than 299 jobs"));
    stdout(&run(&["--max-jobs", "300"]));
}

#[test]
fn a_file_s_name_reaches_the_terminal_as_text() {
    let folder = Folder::new("names");
    let name = "a\u{1b}[31m\u{202e}.swf";
    let log = folder.write(name, &log());
    let output = packfair(&["summary", &log]);
    assert!(stdout(&output).starts_with("a\u{fffd}[31m\u{fffd}.swf\n"), "{:?}", stdout(&output));
    let empty = folder.write("b\u{1b}.swf", b"");
    assert!(!refusal(&packfair(&["summary", &empty])).contains('\u{1b}'));
    assert!(!text(&packfair(&["run", "x\u{1b}[2J.swf", "-s", "\u{1b}", "-e", "actual"]).stderr).contains('\u{1b}'));
}

#[test]
fn a_site_of_which_only_processors_are_known_may_have_a_million() {
    let folder = Folder::new("plain-site");
    let log = folder.write("log.swf", &log());
    let run = |processors: &str| packfair(&["run", &log, "-s", "slurm", "-e", "requested", "--procs", processors]);
    stdout(&run("100000"));
    let refused = run("100000000");
    let said = text(&refused.stderr);
    assert!(said.contains("without slurm.conf each processor is a node") && said.contains("1000000"), "{said}");
    assert!(!refused.status.success());
}
