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
        // this job fits only once the first is over; a main pass looks at no job of its partition behind it
        Line { id: "3", partition: "urgent", submit: 200, nodes: 4, ..JOB },
        Line { id: "4", partition: "urgent", submit: 300, nodes: 2, ..JOB },
    ];
    let off = schedule(&workload(&lines, &conf("OFF")), "slurm");
    assert!(off.starts[3] >= 2000 && off.killed.is_empty(), "{:?}", off.starts);
    let requeues = workload(&lines, &conf("REQUEUE"));
    let on = schedule(&requeues, "slurm");
    assert!((300..300 + 2 * SOON).contains(&on.starts[3]), "{:?}", on.starts);
    assert_eq!(on.killed.iter().filter(|killed| killed.start < 300).count(), 1);
    assert_eq!(packfair::simulation::check(&requeues, &on), []);
}

#[test]
fn a_partition_may_say_itself_what_becomes_of_its_jobs() {
    let killed = |mode: &str, of_batch: &str| {
        let conf = format!(
            "PreemptType=preempt/partition_prio\nPreemptMode={mode}\nNodeName=n[1-4]\n\
             PartitionName=batch Nodes=ALL Default=YES {of_batch}\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
        );
        let lines =
            [Line { run: 2000, limit: 34, nodes: 4, ..JOB }, Line { id: "2", partition: "urgent", submit: 200, ..JOB }];
        schedule(&workload(&lines, &conf), "slurm").killed.len()
    };
    assert_eq!((killed("REQUEUE", ""), killed("REQUEUE", "PreemptMode=OFF")), (1, 0));
    assert_eq!((killed("OFF", ""), killed("OFF", "PreemptMode=CANCEL")), (0, 1));
}

#[test]
fn nobody_preempts_a_job_that_has_just_started() {
    let start = |exempt: &str, qos: &str| {
        let conf = format!(
            "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n{exempt}NodeName=n[1-4]\n\
             PartitionName=batch Nodes=ALL Default=YES QOS=spared\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
        );
        let qos = format!("Name|Priority|PreemptExemptTime\nnormal|0|\nspared|0|{qos}\n");
        let lines =
            [Line { run: 2000, limit: 34, nodes: 4, ..JOB }, Line { id: "2", partition: "urgent", submit: 200, ..JOB }];
        schedule(&workload_of(&lines, &[("slurm.conf", &conf), ("qos", &qos)]), "slurm").starts[1]
    };
    assert!(start("", "") < 200 + 2 * SOON);
    assert!((900..900 + 2 * SOON).contains(&start("PreemptExemptTime=15:00\n", "")));
    assert!((1200..1200 + 2 * SOON).contains(&start("PreemptExemptTime=15:00\n", "00:20:00")), "the QOS decides");
    assert!(start("PreemptExemptTime=-1\n", "") < 200 + 2 * SOON);
}

/// A simulation on two nodes, of which the second is away from second 500 to 900.
fn failing(state: &str, conf: &str) -> Schedule {
    let moment = |at: i64| chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).unwrap().format("%Y-%m-%dT%H:%M:%S");
    let events = format!(
        "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\nc|n2|{}|{}|{state}|board|root\n",
        moment(500),
        moment(900)
    );
    let conf = format!("{conf}NodeName=n[1-2]\nPartitionName=batch Nodes=ALL Default=YES\n");
    let lines = [Line { run: 1000, limit: 30, ..JOB }, Line { id: "2", submit: 5, run: 1000, limit: 30, ..JOB }];
    let workload = workload_of(&lines, &[("slurm.conf", &conf), ("events", &events)]);
    let schedule = schedule(&workload, "slurm");
    assert_eq!(packfair::simulation::check(&workload, &schedule), []);
    schedule
}

#[test]
fn who_runs_on_a_node_that_fails_is_killed_and_waits_again() {
    let failed = failing("DOWN", "");
    assert_eq!(failed.killed.len(), 1, "the other node is up: {:?}", failed.killed);
    let killed = &failed.killed[0];
    assert!((5..5 + SOON).contains(&killed.start) && (500..=502).contains(&killed.end), "{killed:?}");
    // both nodes are taken or away until the second comes back; when it failed, no job waited
    assert!((900..900 + SOON).contains(&failed.starts[1]), "{:?}", failed.starts);
    let drained = failing("DRAIN", "");
    assert!(drained.killed.is_empty() && drained.starts[1] < 5 + SOON, "who runs on a node that is drained runs on");
    let kept = failing("DOWN", "JobRequeue=0\n");
    assert!(kept.killed.is_empty(), "it does not wait again, and by the log it was over then");
}
