//! What idles on nodes and no waiting job can use, held against a count that knows nothing of schedulers.

use super::*;
use packfair::metric::{Evaluation, Measure, Metric, StuckBehind};
use std::collections::BTreeSet;

/// A job: partition, submit and run time, seconds, processors, memory (MiB) and GPUs.
#[derive(Clone, Copy)]
struct Wanting(usize, Seconds, Seconds, [u64; 3]);

/// A site of nodes, each a partition of its own, so that it is known where each job runs; and its jobs, which ask for
/// as much time as they take.
fn workload_on_nodes(nodes: &[[u64; 3]], jobs: &[Wanting]) -> Workload {
    let mut conf = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n".to_owned();
    for (at, [cpus, memory, gpus]) in nodes.iter().enumerate() {
        conf += &format!("NodeName=n{at} CPUs={cpus} RealMemory={memory} Gres=gpu:{gpus}\n");
        conf += &format!("PartitionName=p{at} Nodes=n{at} Default={}\n", if at == 0 { "YES" } else { "NO" });
    }
    let moment = |at: Seconds| {
        chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).expect("a year of ours").format("%Y-%m-%dT%H:%M:%S")
    };
    let mut text = "JobID|User|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|ReqTRES\n".to_owned();
    for (id, Wanting(partition, submit, run, [cpus, memory, gpus])) in (1..).zip(jobs) {
        let submit = moment(*submit);
        let gpus = if *gpus > 0 { format!(",gres/gpu={gpus}") } else { String::new() };
        text += &format!(
            "{id}|ann|p{partition}|{submit}|{submit}|{run}|{}|1|{cpus}|COMPLETED|cpu={cpus},mem={memory}M,node=1{gpus}\n",
            run / 60
        );
    }
    let mut log = reading::read("sacct.txt", text.as_bytes()).expect("a log");
    let site = read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default());
    assert_eq!(site.findings, []);
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site));
    treatment.apply(&log).expect("it has jobs")
}

const SHARES: [&str; 3] = ["stranded_processors", "stranded_memory", "stranded_gpus"];

/// The shares of idle processors, memory and GPUs that were stranded, and who was stuck behind what.
fn measured(workload: &Workload, schedule: &Schedule) -> ([Option<f64>; 3], Vec<StuckBehind>) {
    let evaluation = Evaluation::new(workload, schedule, &Measure::default());
    let values = evaluation.values();
    let shares = SHARES.map(|id| values.get(&id.parse::<Metric>().expect("a metric")).copied());
    (shares, evaluation.machine_use().map(|told| told.stuck.clone()).unwrap_or_default())
}

/// The same shares by brute force, from when jobs were submitted, started and ended.
fn counted(nodes: &[[u64; 3]], jobs: &[Wanting], starts: &[Seconds]) -> [f64; 3] {
    let moments: BTreeSet<Seconds> = jobs
        .iter()
        .zip(starts)
        .flat_map(|(Wanting(_, submit, run, _), start)| [*submit, *start, start + run])
        .collect();
    let moments: Vec<Seconds> = moments.into_iter().collect();
    let (mut idle, mut stranded) = ([0.0; 3], [0.0; 3]);
    for span in moments.windows(2) {
        let (at, length) = (span[0], (span[1] - span[0]) as f64);
        let waits = |job: usize| jobs[job].1 <= at && at < starts[job];
        if !(0..jobs.len()).any(waits) {
            continue;
        }
        for (node, all) in nodes.iter().enumerate() {
            let runs = |job: &usize| jobs[*job].0 == node && starts[*job] <= at && at < starts[*job] + jobs[*job].2;
            let mut free = *all;
            for job in (0..jobs.len()).filter(runs) {
                (0..3).for_each(|of| free[of] -= jobs[job].3[of]);
            }
            let waiting: Vec<[u64; 3]> =
                (0..jobs.len()).filter(|&job| waits(job) && jobs[job].0 == node).map(|job| jobs[job].3).collect();
            for of in 0..3 {
                idle[of] += free[of] as f64 * length;
                let meant = waiting.iter().filter(|wants| wants[of] > 0 && wants[of] <= free[of]);
                let fits = |wants: &&[u64; 3]| (0..3).all(|of| wants[of] <= free[of]);
                if meant.clone().next().is_some() && !meant.clone().any(|wants| fits(&wants)) {
                    stranded[of] += free[of] as f64 * length;
                }
            }
        }
    }
    [0, 1, 2].map(|of| stranded[of] / idle[of])
}

#[test]
fn a_few_processors_with_all_memory_strand_the_others() {
    let nodes = [[64, 1000, 0]];
    let jobs = [Wanting(0, 0, 36_000, [3, 1000, 0]), Wanting(0, 600, 3_600, [10, 500, 0])];
    let workload = workload_on_nodes(&nodes, &jobs);
    let schedule = schedule(&workload, "slurm");
    assert!(schedule.starts[1] >= 36_000);
    let ([processors, memory, gpus], stuck) = measured(&workload, &schedule);
    // but for the seconds until the nodes of the first are given back
    assert!(processors.is_some_and(|share| share > 0.99), "{processors:?}");
    assert_eq!((memory, gpus), (Some(0.0), None), "all memory is taken, and there are no GPUs");
    let [StuckBehind { resource, obstacle, nodes, held, processors, .. }] = &stuck[..] else { panic!("{stuck:?}") };
    assert_eq!((resource.as_str(), obstacle.as_str()), ("processors", "memory"));
    let is = |value: &f64, meant: f64| (value - meant).abs() < 1e-9;
    assert!((0.99..1.01).contains(nodes) && is(held, 3.0) && is(processors, 64.0), "{stuck:?}");
}

#[test]
fn whole_nodes_strand_nothing_and_say_nothing() {
    let lines = [Line { run: 5_000, limit: 100, ..JOB }, Line { id: "2", submit: 10, ..JOB }];
    let workload = workload(&lines, "NodeName=n1 CPUs=1\nPartitionName=batch Nodes=ALL Default=YES\n");
    let found = measured(&workload, &schedule(&workload, "slurm"));
    assert_eq!(found, ([None; 3], Vec::new()));
}

#[test]
fn shares_are_those_of_a_count_by_brute_force() {
    let nodes = [[32, 128_000, 4], [64, 64_000, 8], [16, 256_000, 2], [48, 96_000, 0]];
    for seed in 1..=4_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut submit = 0;
        let jobs: Vec<Wanting> = (0..160)
            .map(|_| {
                submit += below(15_000) as Seconds;
                let node = below(4) as usize;
                let [cpus, memory, gpus] = nodes[node];
                let wants = [1 + below(cpus), 1 + below(memory), if gpus > 0 { below(gpus + 1) } else { 0 }];
                Wanting(node, submit, 600 * (20 + below(200)) as Seconds, wants)
            })
            .collect();
        let workload = workload_on_nodes(&nodes, &jobs);
        let schedule = schedule(&workload, "slurm");
        let (shares, stuck) = measured(&workload, &schedule);
        let expected = counted(&nodes, &jobs, &schedule.starts);
        for ((share, expected), id) in shares.into_iter().zip(expected).zip(SHARES) {
            let share = share.expect("jobs waited");
            // The scheduler counts from parts of seconds, and until the epilog has ended.
            assert!((share - expected).abs() < 0.01, "{id}, seed {seed}: {share}, not {expected}");
            assert!(expected > 0.01, "{id}, seed {seed}: nothing is stranded");
        }
        assert!(stuck.iter().all(|one| one.held <= one.processors && one.nodes <= 4.0), "{stuck:?}");
    }
}
