use super::*;

#[test]
fn backfill_preempts_for_who_delays_nobody() {
    let conf = |mode: &str| {
        format!(
            "PreemptType=preempt/partition_prio\nPreemptMode={mode}\nNodeName=n[1-4]\n\
             PartitionName=batch Nodes=ALL Default=YES\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
        )
    };
    let lines = [
        Line { partition: "urgent", run: 2000, limit: 34, ..JOB },
        Line { id: "2", run: 3000, limit: 60, nodes: 3, ..JOB },
        // it fits only once the first is over: in a main pass nobody of its partition is looked at behind it
        Line { id: "3", partition: "urgent", submit: 200, nodes: 4, ..JOB },
        Line { id: "4", partition: "urgent", submit: 300, nodes: 2, ..JOB },
    ];
    let off = schedule(&workload(&lines, &conf("OFF")), "slurm");
    assert!(off.starts[3] >= 2000 && off.killed.is_empty(), "{:?}", off.starts);
    let requeues = workload(&lines, &conf("REQUEUE"));
    let on = schedule(&requeues, "slurm");
    assert!((300..300 + 2 * SOON).contains(&on.starts[3]), "{:?}", on.starts);
    assert_eq!(on.killed.iter().filter(|killed| killed.start < 300).count(), 1);
    assert_eq!(crate::simulation::check(&requeues, &on), []);
}
