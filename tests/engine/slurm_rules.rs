//! Rules of the family `slurm` that its recorded runs do not have: limits, memory, preemption, partitions made by a
//! what-if, reasons, and backfill cycles that are skipped because they would find what the last one found.

use crate::shared;
use packfair::model::Schedule;
use packfair::simulation::ReasonSearch;
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{JobId, Log, Workload, lublin, reading};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// A workload on a site of these files.
fn workload(log: Log, files: &[(&str, &str)]) -> Workload {
    let files: Vec<SiteFile<'_>> =
        files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    let site = read_site(&files, Version::default());
    assert_eq!(site.findings, []);
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    treatment.apply(&Log { site: Some(Arc::new(site)), ..log }).expect("it has jobs")
}

/// Jobs as sacct has them: user, account, QOS, partition, submit and run in seconds, limit in minutes, nodes, processors,
/// memory in MiB.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str, i64, i64, i64, u32, u32, u32);

fn sacct(rows: &[Row<'_>]) -> Log {
    let begin = 1_767_607_200;
    let moment = |at: i64| chrono::DateTime::from_timestamp(begin + at, 0).unwrap().format("%Y-%m-%dT%H:%M:%S");
    let mut text =
        "JobIDRaw|User|Account|QOS|Partition|Submit|Start|End|TimelimitRaw|NNodes|NCPUS|ReqMem|State\n".to_owned();
    for (number, (user, account, qos, partition, submit, run, limit, nodes, cpus, memory)) in (1..).zip(rows) {
        let (submit, end) = (moment(*submit), moment(submit + run));
        writeln!(
            text,
            "{number}|{user}|{account}|{qos}|{partition}|{submit}|{submit}|{end}|{limit}|{nodes}|{cpus}|{memory}M|COMPLETED"
        )
        .unwrap();
    }
    reading::read("sacct.txt", text.as_bytes()).expect("a log")
}

fn run(workload: &Workload, scheduler: &str) -> Schedule {
    let run = Run::new(scheduler.parse().expect("a scheduler"), "requested".parse().unwrap());
    run.simulation(workload, Rules::default()).expect("it decides").finish()
}

/// The starts of the jobs, on the log's clock.
fn starts(workload: &Workload, scheduler: &str) -> Vec<i64> {
    run(workload, scheduler).starts
}

const NODES: &str = "NodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=batch Nodes=ALL Default=YES\n";

#[test]
fn cycles_that_find_the_same_again_are_left_out_and_nothing_changes() {
    // a limit on the remaining time of running jobs (GrpTRESRunMins) makes Slurm run every cycle; no job is of that QOS
    let every = [("qos", "Name|Priority|GrpTRESRunMins\nnobody|0|cpu=1000000000\n")];
    for (seed, (more, scheduler)) in [
        ("", "slurm"),
        ("SchedulerParameters=bf_window=60,bf_max_job_test=7", "slurm"),
        ("SchedulerParameters=bf_max_job_user=2,bf_interval=60,bf_max_job_start=1", "slurm"),
        ("PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=5000\nPriorityMaxAge=6:00:00", "slurm"),
        ("SchedulerParameters=bf_window=600,bf_resolution=300", "slurm:version=26.05"),
        ("OverTimeLimit=1\nSchedulerParameters=bf_window_linear=600", "slurm:limits=0.5"),
    ]
    .into_iter()
    .enumerate()
    {
        let conf = |enforced: &str| {
            format!("{more}\n{enforced}\nNodeName=n[1-64]\nPartitionName=batch Nodes=ALL Default=YES\n")
        };
        let log = || lublin(600, 64, 11 + seed as u64);
        let (seldom, each) = (conf(""), conf("AccountingStorageEnforce=limits"));
        let kept = workload(log(), &[("slurm.conf", &seldom)]);
        let all = workload(log(), &[("slurm.conf", &each), every[0]]);
        for seed in 1..=3 {
            let scheduler = match scheduler.split_once(':') {
                Some((family, settings)) => format!("{family}:seed={seed},{settings}"),
                None => format!("{scheduler}:seed={seed}"),
            };
            assert_eq!(starts(&kept, &scheduler), starts(&all, &scheduler), "{more} {scheduler}");
        }
    }
}

#[test]
fn memory_is_a_resource_where_slurm_counts_it() {
    let job = |submit, memory| ("ann", "a", "", "batch", submit, 600, 10, 1, 1, memory);
    let log = || sacct(&[job(0, 900), job(10, 900), job(20, 900), job(30, 900), job(40, 200), job(50, 100)]);
    let conf = |counts: &str| format!("SelectType=select/cons_tres\nSelectTypeParameters={counts}\n{NODES}");
    let without = starts(&workload(log(), &[("slurm.conf", &conf("CR_Core"))]), "slurm");
    let with = starts(&workload(log(), &[("slurm.conf", &conf("CR_Core_Memory"))]), "slurm");
    assert!(without.iter().all(|&start| start < 120), "{without:?}");
    assert!(with[4] >= 600, "200 MiB fit beside none of the others: {with:?}");
    assert!(with[5] < 120, "100 MiB do, in backfill: {with:?}");
}

#[test]
fn limits_hold_under_their_names_and_what_would_be_refused_is_counted() {
    let qos =
        "Name|Priority|MaxJobsPU|MaxTRESPU|MaxWall|MaxSubmitPU\nfew|0|1|||\nnarrow|0||cpu=8||\nshort|0|||00:05:00|1\n";
    let conf = format!("AccountingStorageEnforce=limits,qos\n{NODES}");
    let job = |qos, submit, cpus| ("ann", "a", qos, "batch", submit, 600, 10, 1, cpus, 0);
    let rows = [
        job("few", 0, 1),
        job("few", 5, 1),
        job("narrow", 0, 6),
        job("narrow", 5, 6),
        job("short", 0, 1),
        job("short", 5, 1),
    ];
    let workload = workload(sacct(&rows), &[("slurm.conf", &conf), ("qos", qos)]);
    let schedule = run(&workload, "slurm");
    let of = |submit: i64, cpus: u32, last: bool| {
        let is_it = |job: &JobId| workload.request(*job).submit == submit && workload.request(*job).processors == cpus;
        let found: Vec<JobId> = workload.jobs().filter(is_it).collect();
        *if last { found.last() } else { found.first() }.unwrap()
    };
    let narrow = of(5, 6, false);
    assert!(schedule.starts[narrow.index()] >= 600, "{:?}", schedule.starts);
    let few = of(5, 1, false);
    assert!(schedule.starts[few.index()] >= 600, "{:?}", schedule.starts);
    assert!(schedule.starts[of(5, 1, true).index()] < 120, "it is refused, but by the log it ran");
    // both are longer than MaxWall, and the second exceeds MaxSubmit
    assert_eq!(schedule.notes.count(packfair::model::NoteId::REFUSED), Some(2.0));
    let told = |job: JobId| {
        let run = Run::new("slurm".parse().unwrap(), "requested".parse().unwrap());
        let mut search =
            ReasonSearch::begin(run.simulation(&workload, Rules::default()).unwrap(), job).expect("reasons");
        loop {
            if let Some(found) = search.advance(1000) {
                return found.map(|(_, words)| words).unwrap_or_default();
            }
        }
    };
    assert!(told(narrow).contains("QOSMaxCpuPerUserLimit"), "{}", told(narrow));
    assert!(told(few).contains("QOSMaxJobsPerUserLimit"), "{}", told(few));
}

#[test]
fn use_over_time_is_limited_while_it_has_not_decayed() {
    let qos = "Name|Priority|GrpTRESMins\nsmall|0|cpu=60\n";
    let conf = format!(
        "AccountingStorageEnforce=limits\nPriorityType=priority/multifactor\nPriorityDecayHalfLife=1:00:00\n\
         PriorityCalcPeriod=1\n{NODES}"
    );
    let job = |submit, run| ("ann", "a", "small", "batch", submit, run, 60, 1, 8, 0);
    let workload = workload(sacct(&[job(0, 1200), job(2000, 60)]), &[("slurm.conf", &conf), ("qos", qos)]);
    let starts = starts(&workload, "slurm");
    // 160 processor-minutes, of which 60 are left after some 85 minutes
    assert!((4_500..7_500).contains(&starts[1]), "{starts:?}");
}

#[test]
fn who_is_preempted_is_killed_and_waits_again() {
    let conf = |mode: &str| {
        format!(
            "PreemptType=preempt/partition_prio\nPreemptMode={mode}\nNodeName=n[1-4] CPUs=8\n\
             PartitionName=batch Nodes=ALL Default=YES\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
        )
    };
    let job = |partition, submit, nodes| ("ann", "a", "", partition, submit, 3000, 60, nodes, nodes * 8, 0);
    let log = || sacct(&[job("batch", 0, 2), job("batch", 0, 2), job("urgent", 300, 2)]);
    let off = run(&workload(log(), &[("slurm.conf", &conf("OFF"))]), "slurm");
    assert!(off.starts[2] >= 3000 && off.killed.is_empty(), "{:?}", off.starts);
    let requeued = workload(log(), &[("slurm.conf", &conf("REQUEUE"))]);
    let on = run(&requeued, "slurm");
    assert!((300..400).contains(&on.starts[2]), "{:?}", on.starts);
    assert_eq!(on.killed.len(), 1);
    let again = on.starts.iter().filter(|&&start| start >= 3000).count();
    assert_eq!(again, 1, "the one that was killed starts when another ends: {:?}", on.starts);
    assert_eq!(packfair::simulation::check(&requeued, &on), []);
}

#[test]
fn a_qos_says_itself_what_becomes_of_its_jobs() {
    let conf = |mode: &str| {
        format!(
            "PriorityType=priority/multifactor\nPriorityWeightJobSize=1000\nAccountingStorageEnforce=qos\n\
             PreemptType=preempt/qos\nPreemptMode={mode}\nNodeName=n[1-4] CPUs=8\n\
             PartitionName=batch Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE\n"
        )
    };
    let killed = |mode: &str, of_low: &str, of_high: &str, second: (&str, u32)| {
        let job = |qos, submit, nodes| ("ann", "a", qos, "batch", submit, 3000, 60, nodes, nodes * 8, 0);
        let log = sacct(&[job("low", 0, 3), job(second.0, 300, second.1)]);
        let qos = format!("Name|Priority|Preempt|PreemptMode\nlow|0||{of_low}\nhigh|10|low|{of_high}\n");
        let workload = workload(log, &[("slurm.conf", &conf(mode)), ("qos", &qos)]);
        let schedule = run(&workload, "slurm");
        assert_eq!(packfair::simulation::check(&workload, &schedule), []);
        schedule.killed.len()
    };
    let wide = ("high", 4);
    assert_eq!(killed("REQUEUE", "cluster", "cluster", wide), 1);
    assert_eq!((killed("OFF", "cluster", "cluster", wide), killed("OFF", "cancel", "cluster", wide)), (0, 1));
    // of one QOS only who has the higher priority, where either says so
    assert_eq!(killed("REQUEUE", "cluster", "cluster", ("low", 4)), 0);
    assert_eq!(killed("REQUEUE", "within,requeue", "cluster", ("low", 4)), 1);
    assert_eq!(killed("REQUEUE,WITHIN", "cluster", "cluster", ("low", 4)), 1);
    assert_eq!(killed("REQUEUE,WITHIN", "cluster", "cluster", ("low", 2)), 0, "a smaller job has the lower priority");
    let narrow = ("high", 2);
    assert_eq!(killed("REQUEUE", "cluster", "cluster", narrow), 1);
    assert_eq!(killed("REQUEUE", "cluster", "priority", narrow), 0);
    assert_eq!(killed("REQUEUE,PRIORITY", "cluster", "cluster", narrow), 0);
    assert_eq!(killed("REQUEUE,PRIORITY", "cluster", "cluster", wide), 1);
}

#[test]
fn a_partition_that_a_change_makes_takes_the_jobs_that_it_allows() {
    let conf = format!("ClusterName=c\n{NODES}");
    let job = |submit, limit, nodes| ("ann", "a", "", "batch", submit, 60 * limit, limit, nodes, nodes * 8, 0);
    // the machine is full for ten hours when a short one comes, behind a wide one
    let log = sacct(&[job(0, 600, 3), job(0, 600, 1), job(100, 600, 4), job(200, 10, 1)]);
    let workload = workload(log, &[("slurm.conf", &conf)]);
    assert!(starts(&workload, "slurm")[3] >= 36_000);
    let changed = "slurm:partition.batch.Nodes=n[1-3],partition.debug.Nodes=n4,partition.debug.MaxTime=30";
    assert!(starts(&workload, changed)[3] < 300, "{:?}", starts(&workload, changed));
}

#[test]
fn nothing_that_a_file_says_makes_a_simulation_go_on_for_ever() {
    let job = |submit, nodes| ("ann", "a", "", "batch", submit, 600, 10, nodes, nodes * 8, 0);
    let log = || sacct(&[job(0, 2), job(10, 4)]);
    for (conf, qos) in [
        ("NodeName=n[1-4] CPUs=8\nPartitionName=batch Nodes=ALL Default=YES State=DOWN\n", ""),
        ("NodeName=n[1-4] CPUs=8\nPartitionName=batch Nodes=n1 Default=YES\n", ""),
        (
            "AccountingStorageEnforce=limits\nNodeName=n[1-4] CPUs=8\nPartitionName=batch Nodes=ALL Default=YES QOS=none\n",
            "Name|Priority|GrpTRESMins\nnone|0|cpu=0\n",
        ),
    ] {
        let files = [("slurm.conf", conf), ("qos", qos)];
        let files = if qos.is_empty() { &files[..1] } else { &files[..] };
        let workload = workload(log(), files);
        assert!(starts(&workload, "slurm").iter().all(|&start| start >= 0), "{conf}");
    }
}

#[test]
fn a_limit_of_nodes_counts_a_node_once_for_all_jobs_of_its_group() {
    let conf = format!("AccountingStorageEnforce=limits,qos\nSelectType=select/cons_tres\n{NODES}");
    let job = |submit, cpus| ("ann", "a", "small", "batch", submit, 3600, 120, 1, cpus, 0);
    let rows = [job(0, 2), job(60, 2), job(120, 8)];
    for limit in ["GrpTRES", "MaxTRESPU", "MaxTRESPA"] {
        let qos = format!("Name|Priority|{limit}\nsmall|0|node=1\n");
        let starts = starts(&workload(sacct(&rows), &[("slurm.conf", &conf), ("qos", &qos)]), "slurm");
        assert!(starts[1] < 130, "it has room beside the first: {limit} {starts:?}");
        assert!(starts[2] >= 3600, "it would need another node: {limit} {starts:?}");
    }
}

/// The starts of the jobs of a log on a site, whatever is found in its files. `announced`: how long before they begin
/// reservations are known of which no file tells it, seconds.
fn starts_on(log: Log, files: &[(String, Vec<u8>)], announced: Option<u64>) -> Vec<i64> {
    let files: Vec<SiteFile<'_>> = files.iter().map(|(name, content)| SiteFile { name, content }).collect();
    let site = read_site(&files, Version::default());
    let treatment = Treatment { site: site.files.clone(), announced, ..Treatment::default() };
    starts(&treatment.apply(&Log { site: Some(Arc::new(site)), ..log }).expect("it has jobs"), "slurm")
}

/// The log of a case in a folder, and the files of its site.
fn case(folder: &Path) -> (Log, Vec<(String, Vec<u8>)>) {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        files.push((name, std::fs::read(&path).expect("the file can be read")));
    }
    let at = files.iter().position(|(name, _)| name == "sacct.txt").expect("a log");
    let (name, log) = files.swap_remove(at);
    (reading::read(&name, log.as_slice()).expect("a log"), files)
}

const HOUR: i64 = 3600;

#[test]
fn a_reservation_of_unknown_age_is_known_from_the_first_job_on_unless_it_is_said_when() {
    let job = |submit, limit| ("ann", "a", "normal", "batch", submit, 600, limit, 1, 8, 0);
    // half a day before the window, and an hour before it with limits just below and above an hour
    let rows = [job(0, 10 * 1440), job(11 * HOUR, 59), job(11 * HOUR, 61)];
    let shown =
        "ReservationName=m StartTime=2026-01-05T22:00:00 EndTime=2026-01-06T04:00:00 Nodes=n[1-4]\n   Users=root\n";
    let told = shown.replace("Users=root", "Users=root CreationTime=2026-01-05T21:00:00");
    let starts = |reservations: &str, announced| {
        let files = [("slurm.conf", NODES), ("reservations", reservations)];
        starts_on(sacct(&rows), &files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())), announced)
    };
    let (begin, end) = (12 * HOUR, 18 * HOUR);
    for known in [starts(shown, None), starts(shown, Some(7 * 86_400)), starts(shown, Some(86_400))] {
        assert!(known[0] >= end && known[1] < begin && known[2] >= end, "{known:?}");
    }
    for late in [starts(shown, Some(3600)), starts(&told, None), starts(&told, Some(7 * 86_400))] {
        assert!(late[0] < HOUR && late[1] < begin && late[2] >= end, "nobody knew of it at first: {late:?}");
    }
    let never = starts(shown, Some(0));
    assert!(never.iter().all(|&start| start < begin), "{never:?}");
}

#[test]
fn the_small_sites_start_as_they_should() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("samples/doors/cases");
    if !folder.is_dir() {
        return shared::skipped();
    }
    let (log, files) = case(&folder.join("maint"));
    let starts = starts_on(log, &files, None);
    let (begin, end) = (10 * HOUR, 22 * HOUR);
    assert!(starts[0] >= end && starts[1] < begin && starts[2] >= end && starts[3] < begin, "{starts:?}");
    let (log, files) = case(&folder.join("site"));
    let starts = starts_on(log, &files, None);
    assert!(starts[1] <= 61 && starts[2] >= 3600, "only the second has room beside the first: {starts:?}");
    let spaces = std::fs::read(folder.join("spaces/slurm.conf")).expect("the file can be read");
    let site = read_site(&[SiteFile { name: "slurm.conf", content: &spaces }], Version::default());
    assert_eq!((site.findings.as_slice(), site.priority.is_multifactor), (&[][..], true));
    assert_eq!((site.priority.weights.fair_share, site.priority.weights.age), (100_000.0, 10.0));
    assert!(site.is_linear && site.enforced.associations);
}

/// Jobs on two nodes of eight processors with memory, where who is preempted is suspended.
fn suspending(by: &str, rows: &[Row<'_>]) -> Schedule {
    let conf = format!(
        "PreemptType=preempt/{by}\nPreemptMode=SUSPEND,GANG\nSelectTypeParameters=CR_Core_Memory\n\
         AccountingStorageEnforce=qos\nNodeName=n[1-2] CPUs=8 RealMemory=1000\n\
         PartitionName=batch Nodes=ALL Default=YES\nPartitionName=urgent Nodes=ALL PriorityTier=10\n"
    );
    let qos = "Name|Priority|Preempt\nlow|0|\nhigh|10|low\n";
    let site = [("slurm.conf", conf.as_str()), ("qos", qos)];
    let site = if by == "qos" { &site[..] } else { &site[..1] };
    let files: Vec<SiteFile<'_>> =
        site.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    let site = read_site(&files, Version::default());
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    let workload = treatment.apply(&Log { site: Some(Arc::new(site)), ..sacct(rows) }).expect("it has jobs");
    let schedule = run(&workload, "slurm");
    assert_eq!(packfair::simulation::check(&workload, &schedule), []);
    schedule
}

/// Which jobs are suspended, by their places.
fn suspended(schedule: &Schedule) -> Vec<u32> {
    schedule.suspended.iter().map(|one| one.job.0).collect()
}

#[test]
fn who_is_suspended_keeps_memory() {
    let job =
        |partition, submit, run, nodes, cpus, memory| ("ann", "a", "", partition, submit, run, 60, nodes, cpus, memory);
    let with = |memory| {
        suspending("partition_prio", &[job("batch", 0, 3000, 2, 16, 1400), job("urgent", 300, 600, 2, 16, memory)])
    };
    let enough = with(500);
    assert_eq!((suspended(&enough), enough.starts[1] < 400), (vec![0], true));
    let too_much = with(1000);
    assert!(too_much.suspended.is_empty() && too_much.starts[1] >= 3000, "{:?}", too_much.starts);
}

#[test]
fn only_who_has_the_processors_is_suspended() {
    let job = |partition, submit, cpus| ("ann", "a", "", partition, submit, 3000, 60, 1, cpus, 100);
    // two of eight processors of a node are free, and two jobs have the others
    let rows = [job("batch", 0, 8), job("batch", 10, 3), job("batch", 20, 3), job("urgent", 300, 4)];
    let schedule = suspending("partition_prio", &rows);
    assert_eq!(suspended(&schedule).len(), 1, "{:?}", schedule.suspended);
    assert!(
        schedule.starts.iter().take(3).all(|&start| start < 100) && schedule.starts[3] < 400,
        "{:?}",
        schedule.starts
    );
}

#[test]
fn by_qos_who_may_be_preempted_is_suspended() {
    let job = |qos, submit, nodes| ("ann", "a", qos, "batch", submit, 1000, 60, nodes, nodes * 8, 100);
    let schedule = suspending("qos", &[job("low", 0, 2), job("high", 300, 1), job("low", 310, 1)]);
    assert_eq!(suspended(&schedule), [0]);
    assert!(schedule.starts[1] < 400 && schedule.ends[0] >= 2000, "{:?} {:?}", schedule.starts, schedule.ends);
    assert!(schedule.starts[2] >= schedule.ends[0], "{:?}", schedule.starts);
}
