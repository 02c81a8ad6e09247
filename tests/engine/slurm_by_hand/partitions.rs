use super::*;
use packfair::model::NoteId;

const CONF: &str = "NodeName=n[1-6]\nPartitionName=a Nodes=n[1-3] Default=YES\nPartitionName=b Nodes=n[4-6]\n";

#[test]
fn a_job_starts_in_the_first_of_its_partitions_that_has_room() {
    let lines = |partition| {
        [
            Line { partition: "a", run: 1000, limit: 20, nodes: 3, ..JOB },
            Line { id: "2", partition, submit: 10, nodes: 2, ..JOB },
            Line { id: "3", partition: "b", submit: 20, nodes: 1, ..JOB },
        ]
    };
    assert!(starts(&workload(&lines("a"), CONF), "slurm")[1] >= 1000);
    let either = workload(&lines("a,b"), CONF);
    let starts = starts(&either, "slurm");
    assert!(starts[1] < 10 + SOON && starts[2] < 20 + SOON, "{starts:?}");
    assert_eq!(packfair::simulation::check(&either, &schedule(&either, "slurm")), []);
}

#[test]
fn a_job_has_a_slot_in_each_of_its_partitions_unless_one_is_to_do() {
    let lines = [
        Line { partition: "a", run: 1000, limit: 17, nodes: 3, ..JOB },
        Line { id: "2", partition: "b", run: 2000, limit: 34, nodes: 2, ..JOB },
        Line { id: "3", partition: "a,b", submit: 10, limit: 60, nodes: 3, ..JOB },
        // this job would run into the slot in b
        Line { id: "4", partition: "b", submit: 20, run: 2300, limit: 40, ..JOB },
    ];
    let workload = workload(&lines, CONF);
    assert!(starts(&workload, "slurm:bf_one_resv_per_job=yes")[3] < 20 + SOON);
    let both = starts(&workload, "slurm");
    assert!(both[3] >= 1000 && both[3] < 1000 + 2 * SOON, "once it runs in a, b is free again: {both:?}");
}

#[test]
fn a_job_waits_in_those_partitions_that_take_it() {
    let conf =
        "NodeName=n[1-4]\nPartitionName=short Nodes=n[1-2] MaxTime=30 Default=YES\nPartitionName=long Nodes=n[3-4]\n";
    let lines = |limit| {
        [
            Line { partition: "long", run: 1000, limit: 20, nodes: 2, ..JOB },
            Line { id: "2", partition: "short,long", submit: 10, limit, ..JOB },
        ]
    };
    assert!(starts(&workload(&lines(20), conf), "slurm")[1] < 10 + SOON);
    let long = workload(&lines(60), conf);
    let schedule = schedule(&long, "slurm");
    assert!(schedule.starts[1] >= 1000, "{:?}", schedule.starts);
    assert_eq!(schedule.notes.count(NoteId::REFUSED), None, "one of them takes it");
}

#[test]
fn jobs_of_a_partition_go_by_the_association_that_is_for_it() {
    let conf = "AccountingStorageEnforce=associations,limits\nNodeName=n[1-4]\nPartitionName=batch Nodes=n[1-2] Default=YES\n\
        PartitionName=gpu Nodes=n[3-4]\n";
    let assoc = |single: &str| {
        format!("Cluster|Account|User|Partition|Share|MaxJobs\nc|root||||\nc|lab|||1|\nc|lab|ann||1|2\n{single}")
    };
    let job = |id, partition, submit| Line { id, partition, submit, ..JOB };
    let lines = [job("1", "batch", 0), job("2", "batch", 5), job("3", "gpu", 10), job("4", "gpu", 20)];
    let on = |single: &str| workload_of(&lines, &[("slurm.conf", conf), ("assoc.txt", &assoc(single))]);
    let general = starts(&on(""), "slurm");
    assert!(general[1] < 5 + SOON && (100..100 + SOON).contains(&general[2]), "two at a time: {general:?}");
    // one at a time there, whatever runs in the other partition
    let single = on("c|lab|ann|gpu|1|1\n");
    let starts = starts(&single, "slurm");
    assert!(starts[1] < 5 + SOON && starts[2] < 10 + SOON, "{starts:?}");
    assert!((starts[2] + 100..starts[2] + 100 + SOON).contains(&starts[3]), "{starts:?}");
    assert!(reasons(&single, 3).contains("AssocMaxJobsLimit"));
}
