use super::*;

fn conf(nodes: u32) -> String {
    format!("NodeName=n[1-{nodes}]\nPartitionName=batch Nodes=ALL Default=YES\n")
}

#[test]
fn tasks_start_in_the_order_of_their_numbers() {
    let task = |id| Line { id, ..JOB };
    let workload = workload(&[task("4_2"), task("4_0"), task("4_1"), Line { id: "9", ..JOB }], &conf(1));
    let starts = starts(&workload, "slurm");
    assert!(starts[1] < starts[2] && starts[2] < starts[0] && starts[0] < starts[3], "{starts:?}");
}

#[test]
fn no_more_tasks_run_at_once_than_may_and_nobody_waits_for_them() {
    let ids = ["4_0", "4_1", "4_2", "4_3", "4_4"];
    let mut lines: Vec<Line<'_>> = ids.map(|id| Line { id, run: 300, ..JOB }).to_vec();
    lines.push(Line { id: "4_[5-9%2]", state: "PENDING", ..JOB });
    lines.push(Line { id: "20", submit: 5, ..JOB });
    let limited = workload(&lines, &conf(8));
    let starts_of = starts(&limited, "slurm");
    for &moment in &starts_of[..5] {
        let running = starts_of[..5].iter().filter(|&&start| (start..start + 300).contains(&moment)).count();
        assert!(running <= 2, "{starts_of:?}");
    }
    assert!(starts_of[4] >= 600 && starts_of[4] < 600 + 3 * SOON, "{starts_of:?}");
    assert!(starts_of[5] < SOON, "{starts_of:?}");
    assert!(reasons(&limited, 4).contains("JobArrayTaskLimit"), "{}", reasons(&limited, 4));
    lines.retain(|line| line.state != "PENDING");
    let free = starts(&workload(&lines, &conf(8)), "slurm");
    assert!(free.iter().all(|&start| start < SOON), "{free:?}");
}

#[test]
fn so_many_tasks_of_an_array_have_slots() {
    // the second task would get the node that is free now, but only when the first nodes are given back
    let lines = [
        Line { run: 1000, limit: 17, nodes: 3, ..JOB },
        Line { id: "2_0", submit: 100, nodes: 2, ..JOB },
        Line { id: "2_1", submit: 100, nodes: 2, ..JOB },
        Line { id: "9", submit: 110, run: 2000, limit: 40, ..JOB },
    ];
    let workload = workload(&lines, &conf(4));
    assert!(starts(&workload, "slurm:bf_max_job_array_resv=1")[3] < 110 + SOON);
    assert!(starts(&workload, "slurm")[3] >= 1000);
}
