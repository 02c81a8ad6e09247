use super::*;

const CONF: &str = "NodeName=n[1-2]\nPartitionName=batch Nodes=ALL Default=YES\n";

#[test]
fn who_is_held_waits_until_the_log_says_that_nothing_kept_it() {
    let lines = [
        Line { submit: 0, run: 2000, limit: 60, nodes: 2, ..JOB },
        // eligible when the first job has ended
        Line { id: "2", submit: 10, hold: 1000, nodes: 2, ..JOB },
        Line { id: "3", submit: 20, nodes: 2, ..JOB },
        Line { id: "4", submit: 3000, hold: 500, ..JOB },
        Line { id: "5", submit: 3000, ..JOB },
    ];
    let workload = workload(&lines, CONF);
    let starts = starts(&workload, "slurm");
    // it keeps its place in the order of submission
    assert!((2000..2000 + SOON).contains(&starts[1]) && starts[2] >= starts[1] + 100, "{starts:?}");
    assert!((3500..3500 + SOON).contains(&starts[3]), "{starts:?}");
    assert!((3000..3000 + SOON).contains(&starts[4]), "{starts:?}");
    let told = reasons(&workload, 3);
    assert!(told.contains("8 min BeginTime") && !told.contains("Resources"), "{told}");
}
