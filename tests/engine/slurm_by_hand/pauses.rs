use super::*;

/// The jobs of a site with four nodes. The second job waits for all of them, and of the others only the last can be
/// backfilled.
fn lines() -> Vec<Line<'static>> {
    let mut lines =
        vec![Line { run: 3000, limit: 60, ..JOB }, Line { id: "2", submit: 1, run: 3000, limit: 60, nodes: 4, ..JOB }];
    let ids = ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    // too long to be backfilled, except for the last
    lines.extend(ids.map(|id| Line { id, submit: 100, run: 3000, limit: 120, nodes: 3, ..JOB }));
    lines.push(Line { id: "13", submit: 101, run: 60, limit: 5, ..JOB });
    lines
}

fn last_start(parameters: &str, scheduler: &str, more: &[Line<'static>]) -> Seconds {
    let words = if parameters.is_empty() { String::new() } else { format!("SchedulerParameters={parameters}\n") };
    let conf = format!("{words}NodeName=n[1-4]\nPartitionName=batch Nodes=ALL Default=YES\n");
    let lines: Vec<Line<'static>> = lines().into_iter().chain(more.iter().copied()).collect();
    starts(&workload(&lines, &conf), scheduler)[12]
}

#[test]
fn a_cycle_takes_its_time() {
    let at_once = last_start("", "slurm", &[]);
    assert!(at_once < 101 + SOON, "{at_once}");
    assert_eq!(last_start("bf_yield_sleep=9000000", "slurm", &[]), at_once, "without a pause nothing sleeps");
    // twelve jobs of 8 s each before the one that starts, with a pause after each
    let slow = last_start("bf_continue,bf_max_time=600,bf_yield_interval=1000000", "slurm:rate=0.125", &[]);
    assert!(slow > at_once + 90, "{slow} after {at_once}");
    let cut = last_start("bf_continue,bf_max_time=20,bf_yield_interval=1000000", "slurm:rate=0.125", &[]);
    assert!(cut >= 3000, "no cycle comes so far: {cut}");
}

#[test]
fn a_change_in_a_pause_ends_a_cycle_that_does_not_continue() {
    let conf = "bf_max_time=600,bf_yield_interval=1000000";
    // main passes note anew each minute why jobs wait, which is a change
    let over = last_start(conf, "slurm:rate=0.125", &[]);
    let on = last_start(&format!("bf_continue,{conf}"), "slurm:rate=0.125", &[]);
    assert!(on < 400 && over >= 3000, "{on}, {over}");
}
