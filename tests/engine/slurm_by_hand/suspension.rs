use super::*;
use packfair::metric::{Evaluation, Measure, Metric};
use packfair::model::Suspension;
use packfair::simulation::check;

/// A site of nodes of one processor, with a partition of a higher tier.
fn conf(mode: &str, of_batch: &str) -> String {
    format!(
        "PreemptType=preempt/partition_prio\nPreemptMode={mode}\nNodeName=n[1-4]\n\
         PartitionName=batch Nodes=ALL Default=YES {of_batch}\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
    )
}

/// The schedule of the family, which must be one.
fn checked(workload: &Workload) -> Schedule {
    let schedule = schedule(workload, "slurm");
    assert_eq!(check(workload, &schedule), []);
    schedule
}

const WIDE: Line<'static> = Line { run: 1000, limit: 20, nodes: 4, ..JOB };
const URGENT: Line<'static> = Line { id: "2", partition: "urgent", submit: 200, run: 300, nodes: 2, ..JOB };

#[test]
fn who_is_suspended_goes_on_once_the_preemptor_has_ended() {
    let suspends = workload(&[WIDE, URGENT], &conf("SUSPEND,GANG", ""));
    let schedule = checked(&suspends);
    let (start, end) = (schedule.starts[1], schedule.ends[1]);
    assert!((200..200 + SOON).contains(&start) && end == start + 300, "{start} {end}");
    assert!(schedule.starts[0] < SOON && schedule.killed.is_empty(), "its first start stands: {:?}", schedule.starts);
    assert_eq!(schedule.suspended, [Suspension { job: JobId(0), from: start, until: end }]);
    assert_eq!(schedule.ends[0], schedule.starts[0] + 1000 + 300);

    // processors count once, where only times are added up and where they are followed
    let measured = Evaluation::new(&suspends, &schedule, &Measure::default());
    let makespan = (schedule.ends[0] - suspends.requests()[0].submit) as f64;
    let work = 4.0 * 1000.0 + 2.0 * 300.0;
    let is = |metric, value: f64| {
        let found = measured.value(metric).expect("a value");
        assert!((found - value).abs() < 1e-9, "{metric:?}: {found} instead of {value}");
    };
    is(Metric::Utilisation, work / (4.0 * makespan));
    let busy = measured.curves().utilisation;
    let most = busy.high.iter().copied().fold(0.0, f64::max);
    let area: f64 = busy.mean.iter().map(|share| share * 4.0 * busy.step).sum();
    assert!(most <= 1.0 && (area - work).abs() < 1e-6 * work, "{most} {area}");
}

#[test]
fn the_mode_says_what_becomes_of_preempted_jobs() {
    let what = |mode: &str, of_batch: &str| {
        let schedule = checked(&workload(&[WIDE, URGENT], &conf(mode, of_batch)));
        (schedule.killed.len(), schedule.suspended.len(), schedule.starts[1] < 300)
    };
    assert_eq!(what("SUSPEND,GANG", ""), (0, 1, true));
    assert_eq!(what("REQUEUE", ""), (1, 0, true));
    assert_eq!(what("OFF", ""), (0, 0, false));
    assert_eq!(what("SUSPEND,GANG", "PreemptMode=OFF"), (0, 0, false));
    assert_eq!(what("SUSPEND,GANG", "PreemptMode=REQUEUE"), (1, 0, true));
}

#[test]
fn a_suspended_job_keeps_its_nodes_from_jobs_of_its_tier() {
    let lines = [
        WIDE,
        URGENT,
        Line { id: "3", submit: 250, nodes: 1, ..JOB },
        // on the nodes that the first does not have
        Line { id: "4", partition: "urgent", submit: 300, run: 400, nodes: 2, ..JOB },
    ];
    let schedule = checked(&workload(&lines, &conf("SUSPEND,GANG", "")));
    assert!((300..300 + SOON).contains(&schedule.starts[3]), "{:?}", schedule.starts);
    let first = Suspension { job: JobId(0), from: schedule.starts[1], until: schedule.ends[3] };
    assert_eq!(schedule.suspended, [first], "both have to be over");
    assert!(schedule.starts[2] >= schedule.ends[0], "{:?} {:?}", schedule.starts, schedule.ends);
}

#[test]
fn who_is_suspended_itself_lets_others_go_on() {
    let conf = "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nNodeName=n[1-2]\n\
                PartitionName=batch Nodes=n1 Default=YES\nPartitionName=mid Nodes=ALL PriorityTier=5\n\
                PartitionName=urgent Nodes=n2 PriorityTier=10\n";
    let lines = [
        Line { run: 1000, limit: 20, ..JOB },
        Line { id: "2", partition: "mid", submit: 200, run: 600, limit: 20, nodes: 2, ..JOB },
        Line { id: "3", partition: "urgent", submit: 400, run: 200, ..JOB },
    ];
    let schedule = checked(&workload(&lines, conf));
    let mid = (schedule.starts[1], schedule.ends[1]);
    let urgent = (schedule.starts[2], schedule.ends[2]);
    assert!(mid.0 < urgent.0 && urgent.1 < mid.1, "{mid:?} {urgent:?}");
    let mut suspended: Vec<_> = schedule.suspended.iter().map(|one| (one.job.0, one.from, one.until)).collect();
    suspended.sort_unstable();
    assert_eq!(suspended, [(0, mid.0, urgent.0), (0, urgent.1, mid.1), (1, urgent.0, urgent.1)]);
    assert_eq!(mid.1, mid.0 + 600 + 200);
}

#[test]
fn who_fits_beside_the_others_suspends_nobody() {
    let lines = [Line { nodes: 2, ..WIDE }, URGENT];
    let schedule = checked(&workload(&lines, &conf("SUSPEND,GANG", "")));
    assert!(schedule.suspended.is_empty() && schedule.starts[1] < 200 + SOON, "{:?}", schedule.starts);
}

#[test]
fn a_node_that_fails_kills_who_is_suspended_on_it() {
    let moment = |at: i64| chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).unwrap().format("%Y-%m-%dT%H:%M:%S");
    let events = format!(
        "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\nc|n4|{}|{}|DOWN|board|root\n",
        moment(350),
        moment(900)
    );
    let conf = "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nNodeName=n[1-4]\n\
                PartitionName=batch Nodes=ALL Default=YES\nPartitionName=urgent Nodes=n[1-2] PriorityTier=10\n";
    let workload = workload_of(&[WIDE, URGENT], &[("slurm.conf", conf), ("events", &events)]);
    let schedule = checked(&workload);
    let (killed, suspended) = (&schedule.killed[..], &schedule.suspended[..]);
    assert!(matches!(killed, [one] if one.job == JobId(0) && (350..=352).contains(&one.end)), "{killed:?}");
    assert!(
        matches!(suspended, [one] if one.until == killed[0].end && one.from == schedule.starts[1]),
        "{suspended:?}"
    );
    assert!(schedule.starts[0] >= 900 && schedule.ends[0] == schedule.starts[0] + 1000, "it runs anew, all of it");
}

/// Jobs of three tiers that come and go at random, on nodes of a number of processors.
fn drawn(seed: u64, processors: u32, more: &str) -> Workload {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let conf = format!(
        "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nNodeName=n[1-6] CPUs={processors}\n\
         PartitionName=batch Nodes=ALL Default=YES {more}\nPartitionName=mid Nodes=n[2-6] PriorityTier=5 {more}\n\
         PartitionName=urgent Nodes=n[1-4] PriorityTier=10 {more}\n"
    );
    let ids: Vec<String> = (1..=60).map(|id| id.to_string()).collect();
    let mut submit = 0;
    let lines: Vec<Line<'_>> = ids
        .iter()
        .map(|id| {
            submit += random(150) as Seconds;
            let run = random(900) as Seconds;
            let nodes = 1 + random(u64::from(4 * processors)) as u32;
            let partition = ["batch", "batch", "mid", "urgent"][random(4) as usize];
            Line { id, partition, submit, run, limit: run / 60 + 1 + random(10) as Seconds, nodes, ..JOB }
        })
        .collect();
    workload(&lines, &conf)
}

#[test]
fn no_processor_has_two_running_jobs_and_everybody_runs_for_all_their_time() {
    let mut most = 0;
    for (processors, more) in [(1, ""), (4, ""), (4, "OverSubscribe=EXCLUSIVE")] {
        for seed in 0..8 {
            let workload = drawn(seed, processors, more);
            let schedule = checked(&workload);
            // second by second, apart from the check that the engine brings
            let changes = |job: JobId| {
                let (start, end) = (schedule.start(job), schedule.end(job));
                let own = schedule.suspended.iter().filter(move |one| one.job == job);
                let away: Seconds = own.clone().map(|one| one.until - one.from).sum();
                assert_eq!(end - start - away, workload.run(job), "job {job:?} of {seed}");
                let width = i64::from(workload.request(job).processors);
                let pauses = own.flat_map(move |one| [(one.from, -width), (one.until, width)]);
                pauses.chain([(start, width), (end, -width)])
            };
            let mut all: Vec<(Seconds, i64)> = workload.jobs().flat_map(changes).collect();
            all.sort_unstable();
            let mut busy = 0;
            for (at, change) in all {
                busy += change;
                assert!(busy <= i64::from(6 * processors), "{busy} at {at} of {seed}");
            }
            most += schedule.suspended.len();
        }
    }
    assert!(most > 200, "{most}");
}

#[test]
fn usage_is_billed_from_start_to_end() {
    let third = Line { id: "3", submit: 1500, run: 60, ..JOB };
    let start = |minutes: u32| {
        let conf = format!(
            "PriorityType=priority/multifactor\nPriorityDecayHalfLife=0\nAccountingStorageEnforce=limits\n{}",
            conf("SUSPEND,GANG", "")
        );
        let shares = format!("Cluster|Account|User|Share|GrpTRESMins\nc|lab||1|cpu={minutes}\nc|lab|ann|1|\n");
        let workload = workload_of(&[WIDE, URGENT, third], &[("slurm.conf", &conf), ("assoc.txt", &shares)]);
        checked(&workload).starts[2]
    };
    // 4 processors for 1300 s, of which 300 s suspended, and 2 for 300 s: 97 processor-minutes in place of 77
    assert!(start(120) < 1500 + SOON);
    assert!(start(92) > 86_400);
}

#[test]
fn the_lowest_tier_is_suspended_where_that_is_enough() {
    // a main pass looks for them; backfill takes the nodes that are best without all of them
    let main_alone = "SchedulerType=sched/builtin\nPartitionName=mid Nodes=ALL PriorityTier=5\n";
    let conf = conf("SUSPEND,GANG", "") + main_alone;
    let lines = [
        Line { partition: "mid", run: 1000, limit: 20, nodes: 2, ..JOB },
        Line { id: "2", submit: 10, run: 1000, limit: 20, nodes: 2, ..JOB },
        Line { id: "3", ..URGENT },
    ];
    let who = |nodes: u32| {
        let mut lines = lines;
        lines[2].nodes = nodes;
        let mut jobs: Vec<u32> =
            checked(&workload(&lines, &conf)).suspended.iter().map(|suspension| suspension.job.0).collect();
        jobs.sort_unstable();
        jobs
    };
    // the first nodes are those of the middle tier
    assert_eq!(who(2), [1]);
    assert_eq!(who(3), [0, 1]);
}
