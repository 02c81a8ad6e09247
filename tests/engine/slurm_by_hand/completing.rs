use super::*;

/// An epilog after which nodes are free 50 to 150 s after their job has ended.
const SLOW: &str = "slurm:epilog=100";

#[test]
fn nothing_starts_while_a_job_is_completing_for_so_long() {
    let conf = |more: &str| {
        format!(
            "{more}NodeName=n[1-4]\nPartitionName=batch Nodes=n[1-2] Default=YES\nPartitionName=other Nodes=n[3-4]\n"
        )
    };
    let start_of = |partition, more: &str| {
        let lines = [Line { run: 600, ..JOB }, Line { id: "2", partition, submit: 610, ..JOB }];
        let starts = starts(&workload(&lines, &conf(more)), SLOW);
        assert!(starts[0] < 8, "{starts:?}");
        starts[1] - starts[0]
    };
    // a node is free in each partition
    for partition in ["batch", "other"] {
        assert!(start_of(partition, "") < 625, "{partition}");
        assert!(start_of(partition, "CompleteWait=200\n") >= 650, "{partition}");
    }
    assert!((621..650).contains(&start_of("other", "CompleteWait=20\nSchedulerParameters=bf_interval=1\n")));
    let by_partition = "CompleteWait=200\nSchedulerType=sched/builtin\nSchedulerParameters=reduce_completing_frag\n";
    assert!(start_of("batch", by_partition) >= 650);
    assert!(start_of("other", by_partition) < 625);
}
