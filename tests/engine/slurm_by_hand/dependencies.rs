use super::*;

const CONF: &str = "NodeName=n[1-4]\nPartitionName=batch Nodes=ALL Default=YES\n";

#[test]
fn jobs_start_once_what_they_come_after_is_over() {
    let workload = workload(
        &[
            Line { id: "1", name: "chain", run: 1000, limit: 20, ..JOB },
            Line { id: "2", submit: 10, after: "afterok:1", ..JOB },
            Line { id: "3", submit: 20, after: "after:1+5", ..JOB },
            Line { id: "4", name: "chain", submit: 30, after: "singleton", ..JOB },
            Line { id: "5", submit: 40, run: 200, state: "FAILED", ..JOB },
            Line { id: "6", submit: 50, after: "afterok:2?afternotok:5", ..JOB },
            // by the log it ran, although the job that it depends on did not succeed
            Line { id: "7", submit: 60, after: "afterok:5", ..JOB },
            Line { id: "8", submit: 70, after: "afterany:2:3:99", ..JOB },
        ],
        CONF,
    );
    let starts = starts(&workload, "slurm");
    let is_soon = |job: usize, after: Seconds| {
        assert!((after..after + SOON).contains(&starts[job]), "job {job} after {after}: {starts:?}");
    };
    is_soon(0, 0);
    let end = starts[0] + 1000;
    is_soon(1, end);
    is_soon(2, starts[0] + 300);
    is_soon(3, end);
    is_soon(4, 40);
    let failed = starts[4] + 200;
    is_soon(5, failed);
    is_soon(6, failed);
    is_soon(7, starts[1] + 100);
    let told = reasons(&workload, 1);
    assert!(told.contains("Dependency") && !told.contains("Resources"), "{told}");
}

#[test]
fn nodes_of_what_a_job_comes_after_are_free_first() {
    let lines = [Line { run: 600, ..JOB }, Line { id: "2", submit: 10, after: "afterany:1", ..JOB }];
    let workload = workload(&lines, CONF);
    let starts = starts(&workload, "slurm:epilog=100");
    assert!(starts[1] >= starts[0] + 650, "the epilog takes half of it at least: {starts:?}");
}

#[test]
fn who_is_not_eligible_grows_no_older() {
    let conf = format!(
        "PriorityType=priority/multifactor\nPriorityWeightAge=100000\nPriorityMaxAge=1:00:00\nPriorityCalcPeriod=1\n{CONF}"
    );
    let lines = |after| {
        [
            Line { run: 2500, limit: 50, ..JOB },
            Line { id: "2", run: 3000, limit: 50, nodes: 3, ..JOB },
            Line { id: "3", submit: 10, nodes: 4, after, ..JOB },
            Line { id: "4", submit: 1000, nodes: 4, ..JOB },
        ]
    };
    let held = starts(&workload(&lines("afterany:1"), &conf), "slurm");
    let free = starts(&workload(&lines(""), &conf), "slurm");
    assert!(held[3] < held[2], "eligible for longer: {held:?}");
    assert!(free[2] < free[3], "submitted sooner: {free:?}");
}

#[test]
fn who_is_preempted_is_not_over() {
    let conf = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n[1-4]\n\
                PartitionName=batch Nodes=ALL Default=YES\nPartitionName=urgent Nodes=ALL PriorityTier=10\n";
    let lines = [
        Line { run: 1000, limit: 20, nodes: 4, ..JOB },
        Line { id: "2", submit: 10, after: "afterany:1", ..JOB },
        Line { id: "3", submit: 300, run: 500, nodes: 4, partition: "urgent", ..JOB },
    ];
    let workload = workload(&lines, conf);
    let schedule = schedule(&workload, "slurm");
    assert_eq!(schedule.killed.len(), 1);
    let again = schedule.starts[0];
    assert!(again >= 800 && schedule.starts[1] >= again + 1000, "{:?}", schedule.starts);
}

#[test]
fn dependencies_hold_without_files_of_a_site_too() {
    let text =
        "; MaxProcs: 4\n1 0 0 600 1 -1 -1 1 600 -1 1 1 1 1 1 1 -1 -1\n2 9 0 60 1 -1 -1 1 60 -1 1 1 1 1 1 1 1 5\n";
    let log = reading::read("log.swf", text.as_bytes()).expect("a log");
    let workload = Treatment::default().apply(&log).expect("it has jobs");
    let starts = starts(&workload, "slurm");
    assert!(starts[1] >= starts[0] + 600, "{starts:?}");
}
