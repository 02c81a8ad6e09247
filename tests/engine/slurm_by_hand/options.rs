//! What jobs ask for beyond processors: features, GPUs of a type, memory, licences, nodes without other users.

use super::*;

/// A job: user, submit and run time (s), limit (min), nodes, processors, ReqTRES, and the options of its command line.
#[derive(Clone, Copy)]
struct Asked<'a>(&'a str, Seconds, Seconds, Seconds, u32, u32, &'a str, &'a str);

fn workload_asking(jobs: &[Asked<'_>], conf: &str) -> Workload {
    workload_at(jobs, &[("slurm.conf", conf)])
}

fn workload_at(jobs: &[Asked<'_>], files: &[(&str, &str)]) -> Workload {
    let moment = |at: Seconds| {
        chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).expect("a year of ours").format("%Y-%m-%dT%H:%M:%S")
    };
    let mut text =
        "JobID|User|QOS|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|ReqTRES|SubmitLine\n".to_owned();
    for (id, Asked(user, submit, run, limit, nodes, cpus, tres, options)) in (1..).zip(jobs) {
        let submit = moment(*submit);
        text += &format!(
            "{id}|{user}|normal|{submit}|{submit}|{run}|{limit}|{nodes}|{cpus}|COMPLETED|{tres}|sbatch {options} x.sh\n"
        );
    }
    let mut log = reading::read("sacct.txt", text.as_bytes()).expect("a log");
    let files: Vec<SiteFile<'_>> =
        files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    let site = read_site(&files, Version::default());
    let is_note = |found: &packfair::slurm::Finding| found.kind == packfair::slurm::FindingKind::Note;
    assert!(site.findings.iter().all(is_note), "{:?}", site.findings);
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site));
    treatment.apply(&log).expect("it has jobs")
}

fn starts_of(jobs: &[Asked<'_>], conf: &str, scheduler: &str) -> Vec<Seconds> {
    let workload = workload_asking(jobs, conf);
    let schedule = schedule(&workload, scheduler);
    assert_eq!(packfair::simulation::check(&workload, &schedule), []);
    schedule.starts
}

#[test]
fn nodes_have_whole_tasks_unless_none_could() {
    let conf = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=8\n\
        NodeName=n3 CPUs=8 Feature=new Weight=9\nPartitionName=batch Nodes=ALL Default=YES\n";
    let start = |cpus, options| {
        let jobs = [
            Asked("ann", 0, 1000, 20, 1, 5, "", "-N 1 -n 5"),
            Asked("ann", 1, 1000, 20, 1, 5, "", "-N 1 -n 5"),
            Asked("ann", 2, 1000, 20, 1, 5, "", "-N 1 -n 5"),
            // three processors are left on each node
            Asked("ann", 20, 100, 10, 2, cpus, "", options),
        ];
        starts_of(&jobs, conf, "slurm")[3]
    };
    assert!(start(6, "-n 6") < 20 + SOON);
    assert!((1000..1000 + 2 * SOON).contains(&start(8, "-n 2 -c 4")), "four are left nowhere");
    assert!(start(6, "-n 2 -c 3") < 20 + SOON);
    // by the log it ran, though no node has as many
    assert!((1000..1000 + 2 * SOON).contains(&start(16, "-n 1 -c 16")));
}

const FEATURES: &str = "NodeName=n[1-2] CPUs=4 Feature=new\nNodeName=n[3-4] CPUs=4 Feature=old,big\n\
    PartitionName=batch Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE\n";

#[test]
fn a_job_waits_for_nodes_with_its_features_while_others_are_free() {
    let jobs = [
        Asked("ann", 0, 1000, 20, 1, 4, "", "-C new"),
        Asked("ann", 10, 1000, 20, 1, 4, "", "--constraint=new"),
        Asked("ann", 20, 100, 10, 1, 4, "", "-C new"),
        Asked("ann", 30, 100, 10, 1, 4, "", "-C old&big"),
        Asked("ann", 40, 100, 10, 1, 4, "", "-C new|old"),
    ];
    let starts = starts_of(&jobs, FEATURES, "slurm");
    assert!(starts[0] < SOON && starts[1] < 10 + SOON, "{starts:?}");
    assert!((1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    assert!(starts[3] < 30 + SOON && starts[4] < 40 + SOON, "{starts:?}");
}

#[test]
fn sets_are_for_all_nodes_and_counts_for_some() {
    let jobs = |options| {
        [
            Asked("ann", 0, 1000, 20, 1, 4, "", "-C new"),
            Asked("ann", 10, 2000, 40, 1, 4, "", "-C old"),
            // one node of each kind is free
            Asked("ann", 20, 100, 10, 2, 8, "", options),
        ]
    };
    assert!(starts_of(&jobs("-N 2 -C new|old"), FEATURES, "slurm")[2] < 20 + SOON);
    let same = starts_of(&jobs("-N 2 -C [new|old]"), FEATURES, "slurm");
    assert!((1000..1000 + SOON).contains(&same[2]), "both new ones are free then: {same:?}");
    assert!(starts_of(&jobs("-N 2 -C [new*1&old*1]"), FEATURES, "slurm")[2] < 20 + SOON);
    let two = starts_of(&jobs("-N 2 -C [old*2]"), FEATURES, "slurm");
    assert!((2010..2010 + SOON).contains(&two[2]), "{two:?}");
    // nothing is there that it asks for, and by the log it ran
    assert!(starts_of(&jobs("-N 2 -C gone"), FEATURES, "slurm")[2] < 20 + SOON);
}

#[test]
fn who_asks_for_no_memory_gets_what_the_site_gives() {
    let conf = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=2000\nNodeName=n1 CPUs=8 RealMemory=8000\n\
        PartitionName=batch Nodes=ALL Default=YES\n";
    let job = |submit, tres, options| Asked("ann", submit, 1000, 20, 1, 2, tres, options);
    let jobs = [job(0, "", ""), job(10, "cpu=2,mem=4000M,node=1", ""), job(20, "", "")];
    let starts = starts_of(&jobs, conf, "slurm");
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "4,000 MiB each: {starts:?}");
    assert!(starts_of(&jobs, conf, "slurm:DefMemPerCPU=1000")[2] < 20 + SOON);
    assert!(starts_of(&jobs, conf, "slurm:SelectTypeParameters=CR_Core")[2] < 20 + SOON);
    // what somebody has asked for stays, whatever the default
    let asked = [job(0, "", "--mem=4000"), job(10, "", "--mem-per-cpu=2000"), job(20, "", "")];
    let starts = starts_of(&asked, conf, "slurm:DefMemPerCPU=1000");
    assert!((1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    // all of the node
    let starts = starts_of(&[job(0, "", ""), job(10, "", "--mem=0")], conf, "slurm");
    assert!((1000..1000 + SOON).contains(&starts[1]), "{starts:?}");
}

#[test]
fn types_of_gpus_are_counted_apart() {
    let conf = "NodeName=g1 CPUs=16 Gres=gpu:a100:2,gpu:v100:2\nPartitionName=batch Nodes=ALL Default=YES\n";
    let job = |submit, tres, options| Asked("ann", submit, 1000, 20, 1, 1, tres, options);
    let (a100, v100) = ("cpu=1,gres/gpu=1,gres/gpu:a100=1,node=1", "cpu=1,gres/gpu=1,gres/gpu:v100=1,node=1");
    let any = "cpu=1,gres/gpu=1,node=1";
    let jobs = |last| {
        let both = job(0, "cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", "");
        [both, job(10, v100, ""), job(20, any, "--gres=gpu:1"), last]
    };
    // each of the last is the only one that waits
    for last in [job(30, a100, ""), job(30, v100, ""), job(30, any, "--gres=gpu:v100:1"), job(30, any, "")] {
        let starts = starts_of(&jobs(last), conf, "slurm");
        assert!(starts[1] < 10 + SOON && starts[2] < 20 + SOON, "any type will do: {starts:?}");
        assert!((1000..1000 + SOON).contains(&starts[3]), "{starts:?}");
    }
    let apart = "NodeName=g1 CPUs=16 Gres=gpu:a100:2\nNodeName=g2 CPUs=16 Gres=gpu:v100:2\n\
        PartitionName=batch Nodes=ALL Default=YES\n";
    let two = |last| [job(0, "cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", ""), last];
    assert!(starts_of(&two(job(10, v100, "")), apart, "slurm")[1] < 10 + SOON);
    assert!(starts_of(&two(job(10, a100, "")), apart, "slurm")[1] >= 1000);
}

#[test]
fn types_of_gpus_are_counted_apart_however_many_there_are() {
    let node = |at: u32| format!("NodeName=g{at} CPUs=16 Gres=gpu:old{at}:2,gpu:new{at}:2\n");
    let conf: String = (1..=12).map(node).collect::<String>() + "PartitionName=batch Nodes=ALL Default=YES\n";
    let job = |submit, tres| Asked("ann", submit, 1000, 20, 1, 1, tres, "");
    let (old, new) = ("cpu=1,gres/gpu=2,gres/gpu:old12=2,node=1", "cpu=1,gres/gpu=2,gres/gpu:new12=2,node=1");
    let starts = starts_of(&[job(0, old), job(10, new), job(20, old)], &conf, "slurm");
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    let limited = format!("AccountingStorageEnforce=limits\n{conf}");
    let qos = "Name|Priority|GrpTRES\nnormal|0|gres/gpu:new12=1,gres/gpu:old12=1\n";
    let one = |kind: &str| format!("cpu=1,gres/gpu=1,gres/gpu:{kind}=1,node=1");
    let (old, new) = (one("old12"), one("new12"));
    let jobs = [job(0, old.as_str()), job(10, new.as_str()), job(20, old.as_str())];
    let starts = schedule(&workload_at(&jobs, &[("slurm.conf", &limited), ("qos", qos)]), "slurm").starts;
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
}

#[test]
fn what_nodes_keep_for_the_system_no_job_gets_that_shares_them() {
    let conf = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=100\n\
        NodeName=n1 CPUs=8 CoreSpecCount=2 RealMemory=8000 MemSpecLimit=1000\nPartitionName=batch Nodes=ALL Default=YES\n";
    let job = |submit, cpus, options| Asked("ann", submit, 1000, 20, 1, cpus, "", options);
    // six processors
    let jobs = [job(0, 4, ""), job(10, 2, ""), job(20, 1, "")];
    let starts = starts_of(&jobs, conf, "slurm");
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    assert!(starts_of(&jobs, conf, "slurm:node.n1.CoreSpecCount=0")[2] < 20 + SOON);
    // 7,000 MiB
    let jobs = [job(0, 1, "--mem=4000"), job(10, 1, "--mem=3500")];
    assert!((1000..1000 + SOON).contains(&starts_of(&jobs, conf, "slurm")[1]));
    assert!(starts_of(&jobs, conf, "slurm:node.n1.MemSpecLimit=0")[1] < 10 + SOON);
    // the log counts all processors of a node for who has it alone
    let starts = starts_of(&[job(0, 1, ""), job(10, 8, "--exclusive"), job(20, 6, "")], conf, "slurm");
    assert!((1000..1000 + SOON).contains(&starts[1]) && (2000..2000 + 2 * SOON).contains(&starts[2]), "{starts:?}");
    // who says how many cores are the system's has the node alone, where that is allowed
    let jobs = [job(0, 1, ""), job(10, 2, "--core-spec=1")];
    assert!(starts_of(&jobs, conf, "slurm")[1] < 10 + SOON);
    let allowed = format!("AllowSpecResourcesUsage=YES\n{conf}");
    assert!((1000..1000 + SOON).contains(&starts_of(&jobs, &allowed, "slurm")[1]));
}

/// Four nodes with two GPUs of one of two types each, and limits that hold.
const TWO_TYPES: &str = "AccountingStorageEnforce=limits\nNodeName=a[1-4] CPUs=16 Gres=gpu:a100:2\n\
    NodeName=v[1-4] CPUs=16 Gres=gpu:v100:2 Weight=2\nPartitionName=batch Nodes=ALL Default=YES QOS=gpus\n";

#[test]
fn limits_of_a_type_of_gpus_keep_who_asks_for_that_type() {
    let job = |user, submit, tres| Asked(user, submit, 1000, 20, 1, 1, tres, "");
    let (a100, v100) = ("cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", "cpu=1,gres/gpu=2,gres/gpu:v100=2,node=1");
    let any = "cpu=1,gres/gpu=2,node=1";
    let starts = |limit: &str, jobs: &[Asked<'_>]| {
        let qos = format!("Name|Priority|{limit}\ngpus|0|gres/gpu:a100=2\n");
        let workload = workload_at(jobs, &[("slurm.conf", TWO_TYPES), ("qos", &qos)]);
        (schedule(&workload, "slurm").starts, reasons(&workload, 1))
    };
    for (limit, holds_bob, reason) in
        [("GrpTRES", true, "QOSGrpGRES"), ("MaxTRESPU", false, "QOSMaxGRESPerUser"), ("MaxTRES", false, "")]
    {
        let jobs = [
            job("ann", 0, a100),
            job("ann", 10, a100),
            job("ann", 20, v100),
            job("ann", 30, any),
            job("bob", 40, a100),
        ];
        let (starts, told) = starts(limit, &jobs);
        assert!(starts[0] < SOON && starts[2] < 20 + SOON, "{limit}: {starts:?}");
        // a node of the lighter kind is free, and nobody asked for it by its type
        assert!(starts[3] < 30 + SOON, "{limit}: {starts:?}");
        assert_eq!(starts[1] >= 1000, limit != "MaxTRES", "{limit}: {starts:?}");
        assert_eq!(starts[4] >= 1000, holds_bob, "{limit}: {starts:?}");
        assert!(told.contains(reason), "{limit}: {told}");
    }
    // who named no type has GPUs of a type all the same
    let (starts, _) = starts("GrpTRES", &[job("ann", 0, any), job("ann", 10, a100), job("ann", 20, v100)]);
    assert!((1000..1000 + SOON).contains(&starts[1]) && starts[2] < 20 + SOON, "{starts:?}");
}

#[test]
fn minutes_of_a_type_of_gpus_are_those_that_jobs_have_had() {
    let job = |submit, tres| Asked("ann", submit, 1200, 20, 1, 1, tres, "");
    let (a100, v100) = ("cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", "cpu=1,gres/gpu=2,gres/gpu:v100=2,node=1");
    let jobs = [job(0, a100), job(1300, a100), job(1400, v100), job(1500, "cpu=1,node=1")];
    let conf =
        format!("PriorityType=priority/multifactor\nPriorityDecayHalfLife=1:00:00\nPriorityCalcPeriod=1\n{TWO_TYPES}");
    let of = |limit: &str, value: &str| {
        let qos = format!("Name|Priority|{limit}\ngpus|0|{value}\n");
        schedule(&workload_at(&jobs, &[("slurm.conf", &conf), ("qos", &qos)]), "slurm").starts
    };
    // the first has had 40 minutes, of which 20 are left an hour later
    let starts = of("GrpTRESMins", "gres/gpu:a100=20");
    assert!((3_600..5_400).contains(&starts[1]), "{starts:?}");
    assert!(starts[2] < 1400 + SOON && starts[3] < 1500 + SOON, "{starts:?}");
    // of any type
    let starts = of("GrpTRESMins", "gres/gpu=20");
    assert!(starts[1] > 3_600 && starts[2] > 3_600 && starts[3] < 1500 + SOON, "{starts:?}");
    // 40 minutes of the one that runs are promised, and another 40 are too much until it has but ten left
    let beside = [job(0, a100), job(10, a100), job(20, v100)];
    for value in ["gres/gpu:a100=50", "gres/gpu=50", "mem=50"] {
        let qos = format!("Name|Priority|GrpTRESRunMins\ngpus|0|{value}\n");
        let workload = workload_at(&beside, &[("slurm.conf", &conf), ("qos", &qos)]);
        let starts = schedule(&workload, "slurm").starts;
        assert_eq!((900..900 + SOON).contains(&starts[1]), value != "mem=50", "{value}: {starts:?}");
        assert_eq!(starts[2] < 20 + SOON, value != "gres/gpu=50", "{value}: {starts:?}");
    }
}

#[test]
fn each_qos_of_a_job_limits_what_the_other_leaves_open() {
    let conf = TWO_TYPES.replace("limits\n", "limits,qos\n");
    let qos = "Name|Priority|MaxTRESPU\ngpus|0|gres/gpu:a100=4\nnormal|0|gres/gpu:a100=2,gres/gpu:v100=2\n";
    let job = |submit, tres| Asked("ann", submit, 1000, 20, 1, 1, tres, "");
    let (a100, v100) = ("cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", "cpu=1,gres/gpu=2,gres/gpu:v100=2,node=1");
    let jobs = [job(0, a100), job(10, a100), job(20, v100), job(30, v100)];
    let starts = schedule(&workload_at(&jobs, &[("slurm.conf", &conf), ("qos", qos)]), "slurm").starts;
    assert!(starts[1] < 10 + SOON, "the QOS of the partition decides: {starts:?}");
    assert!((1000..1000 + SOON).contains(&starts[3]), "{starts:?}");
}

#[test]
fn memory_and_associations_have_weights_among_priorities() {
    let conf = "PriorityType=priority/multifactor\nSelectTypeParameters=CR_Core_Memory\n\
                NodeName=n1 CPUs=1 RealMemory=1000\nPartitionName=batch Nodes=ALL Default=YES\n";
    let assoc = "Account|User|Share|Priority\nroot||1|\nlab||1|10\nlab|ann|1|\nlab|bob|1|20\n";
    let job = |user, submit, tres| Asked(user, submit, 1000, 20, 1, 1, tres, "");
    let (little, much) = ("cpu=1,mem=100M,node=1", "cpu=1,mem=900M,node=1");
    let second = |weight: &str, jobs: [Asked<'_>; 2]| {
        let conf = format!("{weight}\n{conf}");
        let jobs = [job("ann", 0, little), jobs[0], jobs[1]];
        let starts = schedule(&workload_at(&jobs, &[("slurm.conf", &conf), ("assoc", assoc)]), "slurm").starts;
        if starts[1] < starts[2] { "the first" } else { "the last" }
    };
    let by_memory = [job("ann", 10, little), job("ann", 20, much)];
    assert_eq!(second("PriorityWeightTRES=mem=1000", by_memory), "the last");
    assert_eq!(second("PriorityWeightTRES=cpu=1000", by_memory), "the first");
    let by_association = [job("ann", 10, little), job("bob", 20, little)];
    assert_eq!(second("PriorityWeightAssoc=1000", by_association), "the last");
    assert_eq!(second("PriorityWeightAssoc=0", by_association), "the first");
}

#[test]
fn licences_keep_a_job_but_not_those_behind_it() {
    let conf = "Licenses=matlab:2\nNodeName=n[1-8]\nPartitionName=batch Nodes=ALL Default=YES\n";
    let jobs = [
        Asked("ann", 0, 1000, 20, 1, 1, "", "-L matlab"),
        Asked("ann", 10, 100, 10, 1, 1, "", "-L matlab:2"),
        Asked("ann", 20, 3000, 60, 1, 1, "", "--licenses=matlab:1"),
        Asked("ann", 30, 100, 10, 1, 1, "", ""),
    ];
    let starts = starts_of(&jobs, conf, "slurm");
    assert!(starts[2] < 20 + SOON && starts[3] < 30 + SOON, "{starts:?}");
    assert!((3000..3100 + SOON).contains(&starts[1]), "{starts:?}");
    assert!(reasons(&workload_asking(&jobs, conf), 1).contains("Licenses"));
    // with a plan for licences nobody overtakes
    let planned = starts_of(&jobs, conf, "slurm:bf_licenses=yes");
    assert!((1000..1000 + SOON).contains(&planned[1]) && planned[2] >= 1100, "{planned:?}");
    let twice = starts_of(&jobs, conf, "slurm:Licenses=matlab:4");
    assert!(twice[1] < 10 + SOON, "{twice:?}");
}

#[test]
fn nodes_of_one_user_take_nobody_else() {
    let conf = |more: &str| format!("NodeName=n1 CPUs=8\nPartitionName=batch Nodes=ALL Default=YES {more}\n");
    let jobs = |options| {
        [
            Asked("ann", 0, 1000, 20, 1, 1, "", options),
            Asked("bob", 10, 100, 10, 1, 1, "", ""),
            Asked("ann", 20, 100, 10, 1, 1, "", ""),
        ]
    };
    assert!(starts_of(&jobs(""), &conf(""), "slurm")[1] < 10 + SOON);
    for (options, more) in [("", "ExclusiveUser=YES"), ("--exclusive=user", "")] {
        let starts = starts_of(&jobs(options), &conf(more), "slurm");
        assert!(starts[1] >= 1000, "{starts:?}");
    }
    let alone = starts_of(&jobs("--exclusive"), &conf(""), "slurm");
    assert!(alone[1] >= 1000 && alone[2] >= 1000, "{alone:?}");
}

#[test]
fn the_node_that_is_loaded_least_is_taken_where_the_site_says_so() {
    let conf = |more: &str, of_partition: &str| {
        format!("{more}NodeName=n[1-2] CPUs=8\nPartitionName=batch Nodes=ALL Default=YES {of_partition}\n")
    };
    let jobs = [
        Asked("ann", 0, 1000, 20, 1, 4, "", "-N 1"),
        Asked("ann", 10, 1000, 20, 1, 4, "", "-N 1"),
        // a node for itself
        Asked("ann", 20, 100, 10, 1, 8, "", "-N 1"),
    ];
    let start = |more: &str, of_partition: &str| starts_of(&jobs, &conf(more, of_partition), "slurm")[2];
    assert!(start("", "") < 20 + SOON, "both are on one node");
    assert!((1000..1000 + SOON).contains(&start("", "LLN=YES")), "each is on a node of its own");
    assert!((1000..1000 + SOON).contains(&start("SelectTypeParameters=CR_Core,CR_LLN\n", "")));
}

#[test]
fn jobs_of_one_processor_go_to_the_last_nodes_where_the_site_says_so() {
    let start = |processors, parameters: &str| {
        let conf = format!(
            "SchedulerParameters={parameters}\nNodeName=n1 CPUs=8 Feature=first\nNodeName=n2 CPUs=8\n\
             PartitionName=batch Nodes=ALL Default=YES\n"
        );
        let jobs = [
            Asked("ann", 0, 1000, 20, 1, processors, "", "-N 1"),
            Asked("ann", 20, 100, 10, 1, 8, "", "-N 1 -C first"),
        ];
        starts_of(&jobs, &conf, "slurm")[1]
    };
    assert!((1000..1000 + SOON).contains(&start(1, "")), "it is on the first node");
    assert!(start(1, "pack_serial_at_end") < 20 + SOON);
    assert!((1000..1000 + SOON).contains(&start(2, "pack_serial_at_end")), "two processors are not serial");
}

#[test]
fn light_nodes_are_taken_first() {
    let conf = |weight: u32| {
        format!(
            "NodeName=n1 CPUs=8 Feature=first Weight={weight}\nNodeName=n2 CPUs=8 Weight=5\n\
             PartitionName=batch Nodes=ALL Default=YES\n"
        )
    };
    let jobs = [Asked("ann", 0, 1000, 20, 1, 1, "", "-N 1"), Asked("ann", 20, 100, 10, 1, 8, "", "-N 1 -C first")];
    assert!(starts_of(&jobs, &conf(9), "slurm")[1] < 20 + SOON, "the light node was taken");
    assert!((1000..1000 + SOON).contains(&starts_of(&jobs, &conf(1), "slurm")[1]));
}

const TREE: &str = "SwitchName=left Nodes=n[1-4]\nSwitchName=right Nodes=n[5-8]\nSwitchName=top Switches=left,right\n";

/// Starts on eight nodes at two switches.
fn starts_at_switches(jobs: &[Asked<'_>], more: &str, scheduler: &str) -> Vec<Seconds> {
    let conf =
        format!("TopologyPlugin=topology/tree\n{more}NodeName=n[1-8]\nPartitionName=batch Nodes=ALL Default=YES\n");
    let workload = workload_at(jobs, &[("slurm.conf", &conf), ("topology.conf", TREE)]);
    assert_eq!(workload.site().unwrap().missing(), [""; 0]);
    let schedule = schedule(&workload, scheduler);
    assert_eq!(packfair::simulation::check(&workload, &schedule), []);
    schedule.starts
}

#[test]
fn jobs_are_kept_at_one_switch_where_that_is_possible() {
    let jobs = |options| {
        [
            Asked("ann", 0, 2000, 40, 3, 3, "", "-N 3"),
            // not at the left switch with its one node, but at the right one
            Asked("ann", 10, 300, 60, 3, 3, "", "-N 3"),
            // a node is left at each; the right switch has four 300 s later
            Asked("ann", 20, 100, 10, 2, 2, "", options),
        ]
    };
    let any = starts_at_switches(&jobs(""), "", "slurm");
    assert!(any.iter().zip([0, 10, 20]).all(|(&start, submit)| start < submit + SOON), "{any:?}");
    let one = starts_at_switches(&jobs("--switches=1"), "", "slurm");
    assert!((300..310 + 2 * SOON).contains(&one[2]), "{one:?}");
}

#[test]
fn the_wait_for_few_switches_has_an_end() {
    let jobs = |options| {
        [
            Asked("ann", 0, 3000, 60, 3, 3, "", "-N 3"),
            Asked("ann", 10, 3000, 60, 3, 3, "", "-N 3"),
            // one node at each switch is left
            Asked("ann", 20, 100, 10, 2, 2, "", options),
        ]
    };
    let start = |options, more, scheduler| starts_at_switches(&jobs(options), more, scheduler)[2];
    assert!(start("", "", "slurm") < 20 + SOON);
    let usual = start("--switches=1", "", "slurm");
    assert!((320..320 + SOON).contains(&usual), "max_switch_wait: {usual}");
    let asked = start("--switches=1@2:00", "", "slurm");
    assert!((140..140 + SOON).contains(&asked), "{asked}");
    let capped = start("--switches=1@2:00:00", "", "slurm");
    assert!((320..320 + SOON).contains(&capped), "as long as the site allows: {capped}");
    let longer = start("--switches=1@2:00:00", "SchedulerParameters=max_switch_wait=86400\n", "slurm");
    assert!((3000..3010 + SOON).contains(&longer), "until a switch has two: {longer}");
    assert!(start("--switches=2", "", "slurm") < 20 + SOON);
    assert!(start("--switches=1", "", "slurm:TopologyPlugin=topology/flat") < 20 + SOON);
}

#[test]
fn without_topology_conf_it_is_said_how_many_ask_for_switches() {
    let jobs = [Asked("ann", 0, 100, 10, 1, 1, "", "--switches=1"), Asked("ann", 0, 100, 10, 1, 1, "", "")];
    let missing = workload_asking(&jobs, "NodeName=n[1-8]\nPartitionName=batch Nodes=ALL Default=YES\n");
    assert!(missing.site().unwrap().missing()[0].starts_with("1 jobs ask for a number of switches"));
}

#[test]
fn who_wants_more_memory_than_a_processor_may_have_gets_more_processors() {
    let conf = |more: &str| {
        format!(
            "SelectTypeParameters=CR_Core_Memory\n{more}NodeName=n1 CPUs=8 RealMemory=64000\n\
             PartitionName=batch Nodes=ALL Default=YES\n"
        )
    };
    let job = |submit, cpus, tres, options| Asked("ann", submit, 1000, 20, 1, cpus, tres, options);
    // 5,000 MiB for each of two processors are three times what may be: six processors
    let jobs = [
        job(0, 2, "cpu=2,mem=10000M,node=1", "--mem-per-cpu=5000"),
        job(10, 2, "cpu=2,mem=1000M,node=1", ""),
        job(20, 1, "cpu=1,mem=1000M,node=1", ""),
    ];
    assert!(starts_of(&jobs, &conf(""), "slurm")[2] < 20 + SOON);
    let starts = starts_of(&jobs, &conf("MaxMemPerCPU=2000\n"), "slurm");
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    let starts = starts_of(&jobs, &conf(""), "slurm:partition.batch.MaxMemPerCPU=2000");
    assert!((1000..1000 + SOON).contains(&starts[2]), "a partition has its own: {starts:?}");
    // 11,000 MiB on the node: six processors
    let on_node = [job(0, 2, "", "--mem=11000"), jobs[1], jobs[2]];
    let starts = starts_of(&on_node, &conf("MaxMemPerCPU=2000\n"), "slurm");
    assert!(starts[1] < 10 + SOON && (1000..1000 + SOON).contains(&starts[2]), "{starts:?}");
    // what the log has is what came of the limit
    let raised = [job(0, 6, "cpu=6,mem=10000M,node=1", "--mem-per-cpu=5000"), jobs[1], jobs[2]];
    let starts = starts_of(&raised, &conf("MaxMemPerCPU=2000\n"), "slurm");
    assert!(starts[1] < 10 + SOON && starts[2] >= 1000, "no more than six: {starts:?}");
}

#[test]
fn who_wants_more_memory_than_a_node_may_give_is_counted() {
    let conf = "SelectTypeParameters=CR_Core_Memory\nMaxMemPerNode=8000\nNodeName=n1 CPUs=8 RealMemory=64000\n\
        PartitionName=batch Nodes=ALL Default=YES\n";
    let job = |options| Asked("ann", 0, 100, 10, 1, 2, "", options);
    let jobs =
        [job("--mem=8001"), job("--mem=8000"), job("--mem-per-cpu=4001"), job("--mem-per-cpu=4000"), job("--mem=0")];
    let missing = |conf: &str| workload_asking(&jobs, conf).site().unwrap().missing().to_vec();
    assert!(
        missing(conf)[0].starts_with("3 jobs want more memory on a node than MaxMemPerNode"),
        "{:?}",
        missing(conf)
    );
    assert_eq!(missing(&conf.replace("MaxMemPerNode=8000\n", "")), [""; 0]);
    assert!(starts_of(&jobs, conf, "slurm").iter().all(|&start| start < 2000), "by the log they ran");
}

/// Six nodes, of which two are reserved for the class from 1,000 to 3,000 seconds after the log's begin.
fn reserved(flags: &str) -> String {
    let moment = |at: Seconds| {
        chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).expect("a year of ours").format("%Y-%m-%dT%H:%M:%S")
    };
    format!(
        "ReservationName=class StartTime={} EndTime={} Duration=00:33:20\n   Nodes=n[1-2] NodeCnt=2 CoreCnt=2 \
         Features=(null) PartitionName=(null) Flags={flags}\n   Users=ann Groups=(null) Accounts=(null) Licenses=(null) \
         State=INACTIVE CreationTime={}\n",
        moment(1000),
        moment(3000),
        moment(0)
    )
}

const SIX: &str = "NodeName=n[1-6]\nPartitionName=batch Nodes=ALL Default=YES\n";

fn in_reservation(jobs: &[Asked<'_>], flags: &str) -> Workload {
    workload_at(jobs, &[("slurm.conf", SIX), ("reservations.txt", &reserved(flags))])
}

#[test]
fn a_job_in_a_reservation_waits_for_it_and_has_its_nodes_then() {
    let job = |submit, run, limit, nodes, options| Asked("ann", submit, run, limit, nodes, nodes, "", options);
    let inside = "--reservation=class";
    let jobs = [
        // four nodes are not reserved
        job(0, 2500, 50, 4, ""),
        job(10, 200, 5, 2, inside),
        // it would run into the reservation, and runs on the two nodes before it
        job(20, 300, 10, 2, ""),
        job(30, 300, 20, 2, ""),
        job(40, 200, 5, 2, inside),
        job(50, 200, 5, 1, inside),
    ];
    let workload = in_reservation(&jobs, "SPEC_NODES");
    let plan = schedule(&workload, "slurm");
    assert_eq!(packfair::simulation::check(&workload, &plan), []);
    let starts = &plan.starts;
    assert!(starts[2] < 20 + SOON, "{starts:?}");
    assert!((1000..1000 + SOON).contains(&starts[1]), "while four nodes serve another: {starts:?}");
    assert!((2500..2500 + SOON).contains(&starts[3]), "two reserved nodes are free before: {starts:?}");
    assert!((starts[1] + 200..starts[1] + 200 + SOON).contains(&starts[4]), "{starts:?}");
    assert!((starts[4] + 200..starts[4] + 200 + SOON).contains(&starts[5]), "one after another: {starts:?}");
    assert!(reasons(&workload, 1).contains("Reservation"), "{}", reasons(&workload, 1));
}

#[test]
fn flags_let_jobs_of_a_reservation_start_before_it_and_elsewhere() {
    let job = |submit, run, limit, nodes, options| Asked("ann", submit, run, limit, nodes, nodes, "", options);
    let inside = "--reservation=class";
    let first = |flags: &str, nodes| {
        let starts = schedule(&in_reservation(&[job(0, 2000, 60, nodes, inside)], flags), "slurm").starts;
        starts[0]
    };
    assert!((1000..1000 + SOON).contains(&first("SPEC_NODES", 2)));
    assert!(first("FLEX,SPEC_NODES", 2) < SOON && first("FLEX", 6) < SOON);
    assert!((1000..1000 + SOON).contains(&first("ANY_NODES", 6)));
    // it is too large for the reservation, and by the log it ran
    assert!(first("SPEC_NODES", 3) < SOON);
    // once the reservation is over it starts as others do
    let late = schedule(&in_reservation(&[job(3100, 100, 10, 6, inside)], "SPEC_NODES"), "slurm").starts;
    assert!(late[0] < SOON, "from its submission on: {late:?}");
}

#[test]
fn a_reservation_comes_again_on_its_days() {
    // the log begins on a Monday
    let day = 86_400;
    let job = |submit| Asked("bob", submit, 300, 10, 6, 6, "", "");
    let second = |flags: &str, at| schedule(&in_reservation(&[job(0), job(at)], flags), "slurm").starts[1] - at;
    for (flags, days, again) in [
        ("SPEC_NODES", 1, false),
        ("DAILY,SPEC_NODES", 1, true),
        ("WEEKDAY,SPEC_NODES", 4, true),
        ("WEEKDAY,SPEC_NODES", 5, false),
        ("WEEKLY,SPEC_NODES", 1, false),
        ("WEEKLY,SPEC_NODES", 7, true),
    ] {
        let waits = second(flags, days * day + 500);
        assert_eq!((2500..2500 + SOON).contains(&waits), again, "{flags} {days}: {waits}");
        assert!(again || waits < SOON, "{flags} {days}: {waits}");
    }
}

#[test]
fn a_magnetic_reservation_draws_jobs_of_its_owners_once_it_has_begun() {
    let job = |user, submit, nodes| Asked(user, submit, 1500, 60, nodes, nodes, "", "");
    let busy = Asked("bob", 0, 6000, 100, 4, 4, "", "");
    let starts = |flags: &str, user| schedule(&in_reservation(&[busy, job(user, 10, 2)], flags), "slurm").starts[1];
    assert!((3000..3000 + SOON).contains(&starts("SPEC_NODES", "ann")), "it asks for none");
    assert!((1000..1000 + SOON).contains(&starts("MAGNETIC,SPEC_NODES", "ann")));
    assert!((3000..3000 + SOON).contains(&starts("MAGNETIC,SPEC_NODES", "bob")));
    // it may as well run elsewhere
    let starts =
        schedule(&in_reservation(&[job("ann", 0, 4), job("ann", 10, 2)], "MAGNETIC,SPEC_NODES"), "slurm").starts;
    assert!(starts[0] < SOON && (1000..1000 + SOON).contains(&starts[1]), "{starts:?}");
}

#[test]
fn jobs_of_a_reservation_run_on_nodes_of_others_where_its_flags_say_so() {
    let job = |submit| Asked("ann", submit, 300, 10, 2, 2, "", "--reservation=class");
    let starts = |own: &str, other: &str| {
        let other = reserved(other).replace("=class", "=repair").replace("Users=ann", "Users=root");
        let both = reserved(own) + other.as_str();
        let files = [("slurm.conf", SIX), ("reservations.txt", both.as_str())];
        schedule(&workload_at(&[job(0)], &files), "slurm").starts[0]
    };
    for (own, other, runs) in [
        ("SPEC_NODES", "OVERLAP", false),
        ("OVERLAP", "SPEC_NODES", true),
        ("OVERLAP", "MAINT", false),
        ("MAINT,OVERLAP", "MAINT", true),
    ] {
        let start = starts(own, other);
        assert_eq!((1000..1000 + SOON).contains(&start), runs, "{own} {other}: {start}");
    }
}

#[test]
fn gpus_are_billed_by_their_types() {
    let conf = "PriorityType=priority/multifactor\nPriorityWeightFairshare=1000\nPriorityFlags=NO_FAIR_TREE\n\
        NodeName=g1 CPUs=8 Gres=gpu:a100:2,gpu:t4:2\n\
        PartitionName=DEFAULT TRESBillingWeights=GRES/gpu:a100=10,GRES/gpu:t4=1\nPartitionName=batch Nodes=ALL Default=YES\n";
    let job = |user, submit, tres| Asked(user, submit, 1000, 20, 1, 1, tres, "");
    let (a100, t4) = ("cpu=1,gres/gpu=2,gres/gpu:a100=2,node=1", "cpu=1,gres/gpu=2,gres/gpu:t4=2,node=1");
    let all = "cpu=1,gres/gpu=4,gres/gpu:a100=2,gres/gpu:t4=2,node=1";
    // who has had the dearer ones comes last
    for (first, is_ahead) in [(a100, false), (t4, true)] {
        let second = if first == a100 { t4 } else { a100 };
        let jobs = [job("ann", 0, first), job("bob", 0, second), job("ann", 100, all), job("bob", 101, all)];
        let starts = starts_of(&jobs, conf, "slurm");
        assert_eq!(starts[2] < starts[3], is_ahead, "{starts:?}");
    }
}
