//! Machines of cells and calendars of changes, from files.

use crate::program::{Folder, packfair, refusal, stdout, text};
use serde_json::Value;

/// A log that begins 2001-01-01 00:00 UTC. Each job takes four processors for 50 s.
const LOG: &str = "; UnixStartTime: 978307200\n; TimeZoneString: UTC\n; MaxProcs: 4\n\
    1 0 0 50 4 -1 -1 4 60 -1 1 3 1 1 1 1 -1 -1\n\
    2 10 0 50 4 -1 -1 4 60 -1 1 5 1 1 2 1 -1 -1\n\
    3 20 0 50 4 -1 -1 4 60 -1 1 3 1 1 2 2 -1 -1\n";

const MACHINE: &str = "[[cells]]\nname = \"a\"\nnodes = 2\nnode = { processors = 2 }\n\
    [[cells]]\nname = \"b\"\nnodes = 1\nnode = { processors = 4, gpus = 1 }\n\
    [[partitions]]\nname = \"1\"\ncells = [\"a\", \"b\"]\n\
    [[changes]]\nfrom = 100\nuntil = \"2001-01-01 00:10\"\ncell = \"a\"\nnodes = -1\nwhat = \"kill\"\n";

/// The arguments of `packfair run`.
fn arguments<'a>(log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", log, "-s", "easy", "-e", "requested", "--count", "all", "--check"], more].concat()
}

#[test]
fn a_machine_is_read_and_the_table_says_who_ran_plainly() {
    let folder = Folder::new("machine");
    let log = folder.write("log.swf", LOG.as_bytes());
    let machine = folder.write("machine.toml", MACHINE.as_bytes());
    let output = packfair(&arguments(&log, &["-s", "conservative", "--machine", &machine]));
    assert!(stdout(&output).contains("Simulated plainly, which takes longer"), "{}", text(&output.stdout));
    let json = packfair(&arguments(&log, &["--machine", &machine, "--format", "json"]));
    let told: Value = serde_json::from_str(stdout(&json)).expect("JSON");
    // the third job is of partition 2, which does not exist
    assert_eq!(told[0]["jobs"].as_u64(), Some(2), "{told}");
    let refused = packfair(&["run", &log, "-s", "opt-balanced", "-e", "requested", "--machine", &machine]);
    assert!(refusal(&refused).contains("Take one of List, EASY, Conservative, PC, DC"), "{}", text(&refused.stderr));
}

#[test]
fn a_table_of_changes_moves_starts_and_says_what_is_wrong_with_it() {
    let folder = Folder::new("changes");
    let log = folder.write("log.swf", LOG.as_bytes());
    let starts = folder.path("starts");
    let table =
        |rows: &str| folder.write("changes.csv", format!("from,until,nodes,cell,announced,what\n{rows}").as_bytes());
    let changes = table("2001-01-01 00:01,200,-4,,0,drain\n");
    stdout(&packfair(&arguments(&log, &["--changes", &changes, "--starts", &starts])));
    let told = std::fs::read_to_string(format!("{starts}/easy__requested.csv")).expect("the starts");
    // the second job would run into the window, from 60 to 200
    assert!(told.contains("200") && told.contains("250"), "{told}");
    let said = |rows: &str| {
        let changes = table(rows);
        refusal(&packfair(&arguments(&log, &["--changes", &changes]))).to_owned()
    };
    assert!(said("5,9,x,,,\n").contains("line 2: nodes is \"x\"; give how many are fewer (-4) or more (4)"));
    assert!(
        said("5,9,-1,gpu,,\n")
            .contains("change 1 names the cell \"gpu\", but there is none of that name; there are machine")
    );
    assert!(said("9,5,-1,,,\n").contains("change 1 ends at 5 s, but begins at 9 s"));
    assert!(said("5,9,-5,,,\n").contains("leave cell \"machine\" with -1 nodes"));
    assert!(said("soon,9,-1,,,\n").contains("from of change 1 is \"soon\", which is no moment: it takes a date"));
    assert!(said("5,9,-1,,,stop\n").contains("line 2: what is \"stop\"; it is drain or kill"));
}

#[test]
fn a_file_that_is_no_machine_says_where_it_is_wrong() {
    let folder = Folder::new("no-machine");
    let log = folder.write("log.swf", LOG.as_bytes());
    let said = |machine: &str| {
        let machine = folder.write("machine.toml", machine.as_bytes());
        refusal(&packfair(&arguments(&log, &["--machine", &machine]))).to_owned()
    };
    assert!(said(&MACHINE.replace("nodes = 2", "nodes = 0")).contains("machine.toml: cell \"a\" has 0 nodes"));
    assert!(said("cells = 3").contains("line 1"), "{}", said("cells = 3"));
    assert!(said("[[cells]]\nnam = \"a\"\n").contains("unknown field `nam`"));
    assert!(said("").contains("machine.toml: it says nothing of a machine; give [[cells]] or [[changes]]"));
}

#[test]
fn a_study_file_carries_the_machine_and_what_is_otherwise_on_it() {
    let folder = Folder::new("machine-study");
    let log = folder.write("log.swf", LOG.as_bytes());
    let study = r#"{"packfair": 1, "study": {"schedulers": ["easy"], "methods": ["requested"],
        "treatment": {"machine": {"cells": [{"name": "a", "nodes": 2, "node": {"processors": 4}}],
            "changes": [{"from": "2001-01-01 00:00:05", "until": 30, "nodes": -1, "announced": 0}]}},
        "what_ifs": ["nodes=+1"]}}"#;
    let study = folder.write("study.json", study.as_bytes());
    let told: Value =
        serde_json::from_str(stdout(&packfair(&["study", &study, &log, "--format", "json"]))).expect("JSON");
    let rows = told.as_array().expect("a list");
    assert_eq!(rows.len(), 2, "{told}");
    assert_eq!((rows[0]["what_if"].as_str(), rows[1]["what_if"].as_str()), (None, Some("nodes=+1")));
}

#[test]
fn what_ifs_are_rows_and_the_sentence_says_what_they_are_worth() {
    let folder = Folder::new("what-if");
    let made = packfair(&["generate", "lublin", "--jobs", "2000", "--procs", "128", "--seed", "1"]);
    let log = folder.write("log.swf", &made.stdout);
    let more = ["--machine-plus", "nodes=+32", "--machine-plus", "nodes=-8 from=1000 until=9000 announced=0"];
    let run = ["run", &log, "-s", "easy", "easy-sjbf", "-e", "requested", "--matters", "response", "--shrink", "1.2"];
    let output = packfair(&[&run[..], &more].concat());
    let told = stdout(&output);
    assert!(told.contains("With 32 more nodes, response time of EASY (requested) is"), "{told}");
    assert!(told.contains("With 8 fewer nodes from 1000 until 9000, response time of"), "{told}");
    assert!(told.contains("Windows: node-hours that idle"), "{told}");
    let repeated = packfair(&[&run[..], &more[..2], &["--repeats", "5", "--resample", "shake"]].concat());
    let told = stdout(&repeated);
    assert!(told.contains("With 32 more nodes, response time of EASY (requested) is"), "{told}");
    assert!(told.contains("on repeats)"), "{told}");
    let csv = packfair(&[&run[..], &more, &["--format", "csv"]].concat());
    let csv = stdout(&csv);
    assert!(csv.lines().next().is_some_and(|heading| heading.ends_with("failed,what_if,account")), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.contains(",nodes=+32,")).count(), 2, "{csv}");
    let search = ["explore", &log, "--minimise", "AF", "--runs", "6", "--machine-plus", "nodes=+32"];
    let told = packfair(&search);
    assert!(stdout(&told).contains("With 32 more nodes, AF of EASY is better by"), "{}", text(&told.stdout));
    let said = |what: &str| refusal(&packfair(&[&run[..], &["--machine-plus", what]].concat())).to_owned();
    assert!(said("nodes=many").contains("give how many nodes are more (+20) or fewer (-20)"));
    assert!(
        said("nodes=+1 cell=gpu").contains("names the cell \"gpu\", but there is none of that name; there are machine")
    );
}

#[test]
fn events_of_a_site_are_a_calendar() {
    let folder = Folder::new("events");
    let log = folder.write("log.swf", LOG.as_bytes());
    let events = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n\
        c|n1|2001-01-01T00:00:05|2001-01-01T00:01:40|DOWN|power|root\n";
    let events = folder.write("events.txt", events.as_bytes());
    let starts = folder.path("starts");
    stdout(&packfair(&arguments(&log, &["--changes", &events, "--starts", &starts])));
    // a processor of four goes at 5 s, which kills the first job, and is back at 100
    let killed = std::fs::read_to_string(format!("{starts}/easy__requested_killed.csv")).expect("who was killed");
    assert!(killed.contains("1,0,5"), "{killed}");
    let told = std::fs::read_to_string(format!("{starts}/easy__requested.csv")).expect("the starts");
    assert!(told.contains("1,100"), "{told}");
}
