//! Limits on how many jobs may wait or run: by the log the jobs ran, so those that would have been refused are counted.

use super::*;
use packfair::model::NoteId;

const CONF: &str = "AccountingStorageEnforce=limits\nNodeName=n[1-4]\nPartitionName=batch Nodes=ALL Default=YES\n";

/// How many of four jobs of one user would be refused: they are submitted at once, and nobody ends before.
fn refused(assoc: &str) -> Option<f64> {
    let job = |id| Line { id, run: 1000, limit: 20, ..JOB };
    let lines = ["1", "2", "3", "4"].map(job);
    let assoc = format!("Cluster|Account|User|Share|GrpSubmit|MaxSubmit\nc|root||1||\n{assoc}");
    let workload = workload_of(&lines, &[("slurm.conf", CONF), ("assoc", &assoc)]);
    schedule(&workload, "slurm").notes.count(NoteId::REFUSED)
}

#[test]
fn a_user_s_own_limit_counts_their_jobs() {
    assert_eq!(refused("c|a||1||\nc|a|ann|1||\n"), None);
    assert_eq!(refused("c|a||1||\nc|a|ann|1||3\n"), Some(1.0));
}

#[test]
fn an_account_hands_its_limit_of_a_user_down() {
    assert_eq!(refused("c|a||1||2\nc|a|ann|1||\n"), Some(2.0));
    assert_eq!(refused("c|a||1||2\nc|a|ann|1||3\n"), Some(1.0), "the nearest one counts");
}

#[test]
fn an_account_s_limit_of_all_counts_all_below_it() {
    assert_eq!(refused("c|a||1|1|\nc|a|ann|1||\n"), Some(3.0));
}
