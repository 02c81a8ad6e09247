//! Machines of cells and calendars of changes, from files.

use crate::program::{Folder, packfair, refusal, stdout, text};
use serde_json::Value;

/// Begins 2001-01-01 00:00 UTC; each of four processors for 50 s.
const LOG: &str = "; UnixStartTime: 978307200\n; TimeZoneString: UTC\n; MaxProcs: 4\n\
    1 0 0 50 4 -1 -1 4 60 -1 1 3 1 1 1 1 -1 -1\n\
    2 10 0 50 4 -1 -1 4 60 -1 1 5 1 1 2 1 -1 -1\n\
    3 20 0 50 4 -1 -1 4 60 -1 1 3 1 1 2 2 -1 -1\n";

const MACHINE: &str = "[[cells]]\nname = \"a\"\nnodes = 2\nnode = { processors = 2 }\n\
    [[cells]]\nname = \"b\"\nnodes = 1\nnode = { processors = 4, gpus = 1 }\n\
    [[partitions]]\nname = \"1\"\ncells = [\"a\", \"b\"]\n\
    [[changes]]\nfrom = 100\nuntil = \"2001-01-01 00:10\"\ncell = \"a\"\nnodes = -1\nwhat = \"kill\"\n";

/// What is asked of `packfair run`.
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
    // the third is of partition 2, which there is not
    assert_eq!(told[0]["jobs"].as_u64(), Some(2), "{told}");
    let refused = packfair(&["run", &log, "-s", "dynp", "-e", "requested", "--machine", &machine]);
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
    // the second would run into the window, from 60 to 200
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
