//! Heterogeneous jobs: what their parts ask for, and that they start together.

use super::*;

/// A job or a part of one: id, partition, submit and run time (s), limit (min), nodes, and the options of its command line.
#[derive(Clone, Copy)]
struct Part<'a>(&'a str, &'a str, Seconds, Seconds, Seconds, u32, &'a str);

/// A site of two partitions of two nodes each.
const TWO: &str = "NodeName=n[1-2] CPUs=4 RealMemory=8000 Feature=new\nNodeName=n[3-4] CPUs=4 RealMemory=8000 Feature=old\n\
    PartitionName=a Nodes=n[1-2] Default=YES OverSubscribe=EXCLUSIVE\nPartitionName=b Nodes=n[3-4] OverSubscribe=EXCLUSIVE\n";

fn workload_of_parts(jobs: &[Part<'_>], conf: &str) -> Workload {
    let moment = |at: Seconds| {
        chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).expect("a year of ours").format("%Y-%m-%dT%H:%M:%S")
    };
    let mut text =
        "JobID|User|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|SubmitLine\n".to_owned();
    for Part(id, partition, submit, run, limit, nodes, options) in jobs {
        let (submit, cpus) = (moment(*submit), 4 * nodes);
        text += &format!(
            "{id}|ann|{partition}|{submit}|{submit}|{run}|{limit}|{nodes}|{cpus}|COMPLETED|sbatch {options} x.sh\n"
        );
    }
    let mut log = reading::read("sacct.txt", text.as_bytes()).expect("a log");
    let site = read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default());
    // bf_hetjob_immediate is not all that Slurm has of it, which is told
    let is_told = |finding: &&packfair::slurm::Finding| finding.words.contains("bf_hetjob_prio");
    assert_eq!(site.findings.iter().find(|finding| !is_told(finding)), None);
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site));
    treatment.apply(&log).expect("it has jobs")
}

fn starts_of(jobs: &[Part<'_>], conf: &str, scheduler: &str) -> Vec<Seconds> {
    let workload = workload_of_parts(jobs, conf);
    let schedule = schedule(&workload, scheduler);
    assert_eq!(packfair::simulation::check(&workload, &schedule), []);
    schedule.starts
}

#[test]
fn parts_wait_each_in_its_partition_and_start_together() {
    let jobs = [
        Part("1", "b", 0, 1000, 20, 2, ""),
        Part("2+0", "a", 10, 500, 10, 1, ""),
        Part("2+1", "b", 10, 500, 10, 1, ""),
        // a node of a is left beside the part, and one of b behind the first job
        Part("3", "a", 20, 3000, 60, 1, ""),
        Part("4", "a", 30, 100, 10, 1, ""),
        Part("5", "b", 40, 100, 10, 1, ""),
    ];
    let starts = starts_of(&jobs, TWO, "slurm");
    let [_, both, beside, behind, other] = starts[..] else { panic!("five jobs: {starts:?}") };
    assert!((1000..1000 + SOON).contains(&both), "once there is room for the second part: {starts:?}");
    assert!(beside < 20 + 2 * SOON, "{starts:?}");
    assert!((both + 500..both + 500 + SOON).contains(&behind), "the node is kept for the first part: {starts:?}");
    assert!((1000..1000 + SOON).contains(&other), "{starts:?}");
}

#[test]
fn each_part_has_its_own_features() {
    let conf = TWO.replace("Nodes=n[1-2] Default=YES", "Nodes=ALL Default=YES");
    let jobs = |options| {
        [
            Part("1", "a", 0, 1000, 20, 1, "-C old"),
            Part("2+0", "a", 10, 500, 10, 2, "-C new"),
            Part("2+1", "a", 10, 500, 10, 1, options),
            Part("3", "a", 20, 100, 10, 1, ""),
        ]
    };
    let starts = starts_of(&jobs("-C old"), &conf, "slurm");
    assert!(starts[1] < 10 + SOON, "three nodes are free: {starts:?}");
    let waits = starts_of(&jobs("-C old --exclusive"), &conf.replace("n[3-4]", "n3"), "slurm");
    assert!((1000..1000 + SOON).contains(&waits[1]), "the only old node is taken: {waits:?}");
}

#[test]
fn main_passes_start_no_parts_and_let_nobody_overtake_them() {
    let jobs = [
        Part("1+0", "a", 5, 500, 10, 1, ""),
        Part("1+1", "b", 5, 500, 10, 1, ""),
        Part("2", "a", 6, 500, 10, 1, ""),
        Part("3", "b", 7, 500, 10, 1, ""),
    ];
    // a cycle an hour; nothing else starts parts
    let conf = format!("SchedulerParameters=bf_interval=3600\n{TWO}");
    let starts = starts_of(&jobs, &conf, "slurm");
    assert!(starts.iter().all(|&start| start <= 2 * 3600 + SOON), "{starts:?}");
    let (parts, others) = (starts[0], &starts[1..]);
    assert!(others.iter().all(|&start| start >= parts), "{starts:?}");
}

#[test]
fn limits_and_licences_hold_for_all_parts_together() {
    let conf = format!("Licenses=matlab:3\n{TWO}");
    let jobs = [
        Part("1", "a", 0, 1000, 20, 1, "-L matlab"),
        Part("2+0", "a", 10, 500, 10, 1, "-L matlab"),
        Part("2+1", "b", 10, 500, 10, 1, "-L matlab:2"),
    ];
    let starts = starts_of(&jobs, &conf, "slurm");
    assert!((1000..1000 + SOON).contains(&starts[1]), "it wants three, and two are left: {starts:?}");
    assert!(starts_of(&jobs, &conf, "slurm:Licenses=matlab:4")[1] < 10 + SOON);
}

#[test]
fn parts_that_could_never_start_together_are_one_job() {
    // each part would have both nodes of a
    let jobs = [Part("1+0", "a", 0, 500, 10, 2, ""), Part("1+1", "a", 0, 500, 10, 2, "")];
    let starts = starts_of(&jobs, TWO, "slurm");
    assert!(starts[0] < SOON, "{starts:?}");
    // and without backfill nothing starts parts
    let jobs = [Part("1+0", "a", 0, 500, 10, 1, ""), Part("1+1", "b", 0, 500, 10, 1, "")];
    assert!(starts_of(&jobs, &format!("SchedulerType=sched/builtin\n{TWO}"), "slurm")[0] < SOON);
}

#[test]
fn any_mixture_of_parts_comes_to_its_end() {
    let mut state = 5_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let conf = TWO.replace("Nodes=n[1-2] Default=YES", "Nodes=n[1-3] Default=YES");
    let parameters =
        ["", "bf_max_job_test=1", "bf_max_job_user_part=1", "bf_yield_interval=1000", "bf_hetjob_immediate"];
    for parameters in parameters {
        let mut ids = Vec::new();
        for job in 1..=40 {
            let parts = 1 + random(3);
            let nodes = if parts == 3 { 1 } else { 1 + random(2) as u32 };
            let id = |part| if parts > 1 { format!("{job}+{part}") } else { job.to_string() };
            ids.extend((0..parts).map(|part| (job, id(part), nodes)));
        }
        let (mut run, mut last) = (0, 0);
        let jobs: Vec<Part<'_>> = ids
            .iter()
            .map(|(job, id, nodes)| {
                if last != *job {
                    (run, last) = (1 + random(2000) as Seconds, *job);
                }
                let partition = ["a", "b", "a,b"][random(3) as usize];
                Part(id, partition, Seconds::from(*job) * 100, run, 34, *nodes, "")
            })
            .collect();
        let starts = starts_of(&jobs, &format!("SchedulerParameters={parameters}\n{conf}"), "slurm");
        assert_eq!(starts.len(), 40);
    }
}
