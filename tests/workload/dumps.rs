//! The output of a real Slurm, and what is read from each line of it.
//!
//! `tests/data/slurm/` has the jobs of an hour of Slurm 22.05 on a small machine, as `sacct` prints them, with other names:
//! plain ones, with steps, arrays, failed, timed out, cancelled before and after their start, requeued, suspended, held,
//! dependent, heterogeneous, on whole nodes, without limit, and still running.

use packfair::workload::reading::read;
use packfair::workload::{Log, Reason};

/// Number, submit, wait, run, processors, limit, status.
type Seen = (i64, i64, i64, i64, i32, i64, i32);

const JOBS: [Seen; 19] = [
    (1, 0, 0, 4, 4, 300, 1),
    (2, 0, 0, 4, 2, 300, 1),
    // its name has a bar in it
    (3, 0, 0, 3, 1, 300, 1),
    (5, 0, 0, 2, 1, 300, 0),
    (6, 0, 0, 72, 1, 60, 0),
    // cancelled while it ran
    (7, 0, 0, 7, 8, 600, 5),
    // put back into the queue, and further down run again
    (8, 0, 0, 11, 1, 300, 0),
    // ran for 9 s of 13: it was suspended meanwhile
    (9, 0, 0, 9, 1, 300, 1),
    // held for 11 s
    (12, 0, 11, 2, 1, 300, 1),
    // an array, of which two ran at a time
    (10, 0, 0, 4, 2, 300, 1),
    (11, 0, 0, 4, 2, 300, 1),
    (4, 0, 4, 3, 2, 300, 1),
    // heterogeneous: 2 processors and 4
    (14, 1, 1, 3, 6, 300, 1),
    // after another had failed
    (16, 1, 2, 1, 1, 300, 1),
    // two whole nodes of 8
    (18, 1, 6, 2, 16, 300, 1),
    // without limit
    (19, 1, 2, 2, 1, -1, 1),
    // cancelled before its start
    (20, 1, -1, 0, 32, 300, 5),
    // still runs
    (21, 1, 2, -1, 1, 1_800, -1),
    (8, 11, 151, 20, 1, 300, 1),
];

fn log(name: &str) -> Log {
    let file = std::fs::read(format!("{}/tests/data/slurm/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a fixture");
    read(name, file.as_slice()).expect("a log")
}

fn seen(log: &Log) -> Vec<Seen> {
    let seen = log.records.iter();
    seen.map(|r| (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time, r.status)).collect()
}

#[test]
fn every_line_of_sacct_is_read_as_it_was() {
    let log = log("sacct.txt");
    assert_eq!(seen(&log), JOBS);
    let count = |reason| log.account.count(reason);
    assert_eq!((count(Reason::PartOfJob), count(Reason::StillRunning), count(Reason::DelimiterInText)), (1, 1, 1));
    assert_eq!(log.account.dropped(), 2);
    assert_eq!(
        (log.names.users.as_slice(), log.names.groups.as_slice()),
        (&["ann".to_owned()][..], &["phys".to_owned()][..])
    );
    // of a name with delimiters the beginning is kept
    assert_eq!(log.names.executables[2], "a");
    assert_eq!(log.header.unix_start(), Some(1_795_401_919));
    // the times when jobs became eligible: a held one, one of an array, a dependent one
    let eligible: Vec<i64> = [8, 11, 13].map(|at: usize| log.beyond.eligible[at]).to_vec();
    assert_eq!(eligible, [11, 4, 2]);
    assert_eq!([0, 12, 14].map(|at: usize| log.beyond.nodes[at]), [1, 3, 2]);
}

#[test]
fn steps_are_left_out() {
    let log = log("steps.txt");
    assert_eq!(seen(&log), JOBS);
    assert_eq!(log.account.count(Reason::JobStep), 20);
}

#[test]
fn json_says_the_same() {
    let log = log("sacct.json");
    let both = [3, 6, 7, 8, 9, 11, 14, 20, 21];
    let mut expected: Vec<Seen> = JOBS.into_iter().filter(|job| both.contains(&job.0)).collect();
    let mut told = seen(&log);
    expected.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, expected);
    assert_eq!(log.account.count(Reason::StillRunning), 1);
}

#[test]
fn a_table_of_fixed_width_is_told_how_to_be_made() {
    let file =
        std::fs::read(format!("{}/tests/data/slurm/fixed-width.txt", env!("CARGO_MANIFEST_DIR"))).expect("a fixture");
    let said = read("fixed", file.as_slice()).unwrap_err().to_string();
    assert!(said.contains("Make it again with -P: TZ=UTC sacct -a -X -D -P"), "{said}");
}
