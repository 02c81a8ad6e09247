//! Forecasts of when jobs start.

use crate::program::{Folder, log, packfair, refusal, stdout, text};
use serde_json::Value;

/// A moment at which jobs of the log wait.
const MOMENT: &str = "200000";

/// Fewer futures than usual, calibrated at fewer moments: for what does not depend on how many there are.
const FEW: [&str; 4] = ["--futures", "20", "--calibrate", "12"];

#[test]
fn a_moment_of_a_log_has_a_forecast_for_each_waiting_job() {
    let folder = Folder::new("when");
    let log = folder.write("log.swf", &log());
    let usual = |more: &[&str]| packfair(&[&["when", &log, "--now", MOMENT, "-s", "easy"], more].concat());
    let when = |more: &[&str]| usual(&[&FEW, more].concat());
    let few: Value = serde_json::from_str(stdout(&when(&["--format", "json"]))).unwrap();
    let json: Value = serde_json::from_str(stdout(&usual(&["--format", "json"]))).unwrap();
    let forecasts = json.as_array().unwrap();
    assert!(!forecasts.is_empty());
    for forecast in forecasts {
        let seconds = |key: &str| forecast[key].as_i64().unwrap();
        assert!(forecast["job"].is_i64() && !forecast["reason"].as_str().unwrap().is_empty(), "{forecast}");
        assert!(
            0 <= seconds("p10") && seconds("p10") <= seconds("p50") && seconds("p50") <= seconds("p90"),
            "{forecast}"
        );
        let chances = ["within_1h", "within_4h", "within_24h"].map(|key| forecast[key].as_f64().unwrap());
        assert!(chances.is_sorted() && chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{forecast}");
    }
    let one = stdout(&when(&["--format", "json", "--jobs", "1"])).to_owned();
    assert_eq!(one, stdout(&when(&["--format", "json", "--jobs", "3"])), "whatever the number of threads");
    let of_two = |threads: &str| {
        let said = usual(&["--futures", "2", "--calibrate", "0", "--format", "json", "--jobs", threads]);
        stdout(&said).to_owned()
    };
    assert_eq!(of_two("1"), of_two("3"), "also where there are fewer futures than threads");
    let job = forecasts[0]["job"].to_string();
    let alone: Value = serde_json::from_str(stdout(&when(&["--format", "json", "--job", &job]))).unwrap();
    assert_eq!(alone[0]["p50"], few[0]["p50"]);
    let table = when(&[]);
    assert!(stdout(&table).contains("why it waits"), "{}", stdout(&table));
    assert!(text(&table.stderr).contains("8 weeks") || text(&table.stderr).contains("nobody waited"));
}

#[test]
fn what_comes_later_in_the_file_changes_no_forecast() {
    let folder = Folder::new("when-later");
    let whole = String::from_utf8(log()).unwrap();
    let now: i64 = MOMENT.parse().unwrap();
    let (mut before, mut other) = (String::new(), String::new());
    for line in whole.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_later = !line.starts_with(';') && fields[1].parse::<i64>().unwrap() > now;
        if !is_later {
            before.push_str(&format!("{line}\n"));
            other.push_str(&format!("{line}\n"));
        } else {
            other.push_str(&format!("{} {} -1 77 1 -1 -1 1 99 -1 1 1 1 -1 -1 -1 -1 -1\n", fields[0], now + 50_000));
        }
    }
    let told = |name: &str, text: &str| {
        let path = folder.write(name, text.as_bytes());
        stdout(&packfair(&[&["when", &path, "--now", MOMENT, "--format", "json"], &FEW[..]].concat())).to_owned()
    };
    let whole = told("a.swf", &whole);
    assert_eq!(whole, told("b.swf", &before));
    assert_eq!(whole, told("c.swf", &other));
}

#[test]
fn a_back_test_tells_how_true_forecasts_were() {
    let folder = Folder::new("when-back-test");
    let log = folder.write("log.swf", &log());
    let arguments =
        ["when", &log, "-s", "easy", "--backtest", "30", "--futures", "20", "--seed", "1", "--arrivals", "again"];
    let told = packfair(&[&arguments[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(stdout(&told)).unwrap();
    assert!(json["predictions"].as_u64().unwrap() > 0);
    assert!((0.0..=1.0).contains(&json["coverage_80"].as_f64().unwrap()));
    for key in ["median_error_s", "limits_median_error_s", "similar_median_error_s"] {
        assert!(json[key].as_f64().unwrap() >= 0.0, "{key}");
    }
    let table = packfair(&arguments);
    assert!(stdout(&table).contains("in the 80 % band"), "{}", stdout(&table));
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::new("when-refused");
    let log = folder.write("log.swf", &log());
    let refused = |more: &[&str]| refusal(&packfair(&[&["when", &log], &FEW[..], more].concat())).to_owned();
    assert!(refused(&[]).contains("--now"));
    assert!(refused(&["--now", "soon"]).contains("--now takes"));
    assert!(refused(&["--now", MOMENT, "-s", "as-logged"]).contains("does not decide"));
    assert!(refused(&["--now", MOMENT, "-e", "actual"]).contains("knows run times"));
    assert!(refused(&["--now", MOMENT, "--job", "999999"]).contains("does not wait"));
}

#[test]
fn a_queue_beside_its_log_is_a_snapshot() {
    let folder = Folder::new("when-queue");
    let mut sacct =
        String::from("JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|JobName|Partition|QOS\n");
    for job in 1..200 {
        let (day, hour) = (1 + job / 10, job % 10);
        sacct.push_str(&format!(
            "{job}|ann|phys|2026-01-{day:02}T{hour:02}:00:00|2026-01-{day:02}T{hour:02}:10:00|{}|60|4|COMPLETED|sim|main|normal\n",
            600 + 37 * (job % 50)
        ));
    }
    let squeue = "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PRIORITY|REASON\n\
        301|ann|RUNNING|2026-01-21T08:00:00|2026-01-21T08:00:00|20:00|1:00:00|4|1|10|None\n\
        302|ann|PENDING|2026-01-21T08:05:00|N/A|0:00|1:00:00|4|1|10|Resources\n\
        303|eve|PENDING|2026-01-21T08:06:00|N/A|0:00|1:00:00|4|1|9|Priority\n\
        304|ann|PENDING|2026-01-21T08:07:00|N/A|0:00|1:00:00|4|1|0|JobHeldUser\n\
        305|ann|PENDING|2026-01-21T08:08:00|N/A|0:00|1:00:00|64|1|9|Priority\n";
    let (sacct, squeue) = (folder.write("sacct.txt", sacct.as_bytes()), folder.write("squeue.txt", squeue.as_bytes()));
    let rest = ["-s", "easy", "--procs", "4", "--arrivals", "none", "--format", "json"];
    let asked = packfair(&[&["when", &sacct, "--queue", &squeue], &rest[..]].concat());
    let json: Value = serde_json::from_str(stdout(&asked)).unwrap();
    let jobs: Vec<i64> = json.as_array().unwrap().iter().map(|told| told["job"].as_i64().unwrap()).collect();
    assert_eq!(jobs, [302, 303, 305]);
    // who runs has run for 20 minutes, of at most an hour
    let (first, second) = (&json[0], &json[1]);
    assert!((1..=2_400).contains(&first["p50"].as_i64().unwrap()), "{first}");
    assert!(second["p50"].as_i64().unwrap() > first["p50"].as_i64().unwrap(), "{second}");
    assert_eq!(first["user"], "ann");
    assert!(json[2]["never"] == true && json[2]["reason"].as_str().unwrap().contains("can never start"), "{}", json[2]);
    let said = text(&asked.stderr);
    assert!(said.contains("have no forecast: 1") && said.contains("users of whom the log knows none"), "{said}");
    let among = packfair(&[&["when", &squeue, &sacct], &rest[..]].concat());
    assert_eq!(stdout(&among), stdout(&asked), "also where it stands among the logs");
    let alone = packfair(&[&["when", &squeue], &rest[..]].concat());
    assert!(text(&alone.stderr).contains("there is a queue and no log"), "{}", text(&alone.stderr));
    assert!(stdout(&alone).contains("302"));
    let of_job = packfair(&[&["when", &sacct, "--queue", &squeue, "--job", "303"], &rest[..6]].concat());
    let table = stdout(&of_job);
    assert!(
        table.contains("starts after") && table.contains("302") && table.contains("half the time limit"),
        "{table}"
    );
}

#[test]
fn the_settings_that_serve_a_queue_best_are_looked_for() {
    let folder = Folder::new("now");
    let log = folder.write("log.swf", &log());
    let now = |more: &[&str]| {
        packfair(&[&["now", &log, "--now", MOMENT, "-s", "list:order=laf", "--runs", "40"], more].concat())
    };
    let json: Value = serde_json::from_str(stdout(&now(&["--json"]))).unwrap();
    assert_eq!(json["tried"], 40);
    assert_eq!(json, serde_json::from_str::<Value>(stdout(&now(&["--json", "--jobs", "3"]))).unwrap());
    for change in json["changes"].as_array().unwrap() {
        let value = |key: &str| change[key].as_f64().unwrap();
        assert!(value("low") <= value("change") && value("change") <= value("high"), "{change}");
    }
    let said = now(&[]);
    assert!(stdout(&said).starts_with("Of 40 settings, "), "{}", stdout(&said));
    let refused = refusal(&packfair(&["now", &log, "--now", MOMENT, "--families", "no-such"])).to_owned();
    assert!(refused.contains("no-such"), "{refused}");
}

/// A cluster of two nodes that is full, and two users who wait for it: bob submitted first, and ann has used less.
fn shared_cluster(folder: &Folder) -> Vec<String> {
    let mut sacct = String::from(
        "JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|NNodes|State|JobName|Partition|QOS\n",
    );
    for job in 1..200 {
        let (day, hour) = (1 + job / 10, job % 10);
        let user = if job % 20 == 0 { "ann" } else { "bob" };
        sacct.push_str(&format!(
            "{job}|{user}|phys|2026-01-{day:02}T{hour:02}:00:00|2026-01-{day:02}T{hour:02}:10:00|3000|60|4|1|COMPLETED|sim|main|normal\n"
        ));
    }
    let squeue = "JOBID|USER|ACCOUNT|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PARTITION|PRIORITY|REASON\n\
        301|bob|phys|RUNNING|2026-01-21T08:00:00|2026-01-21T08:00:00|20:00|1:00:00|4|1|main|10|None\n\
        302|bob|phys|RUNNING|2026-01-21T08:00:00|2026-01-21T08:00:00|20:00|1:00:00|4|1|main|10|None\n\
        303|bob|phys|PENDING|2026-01-21T08:05:00|N/A|0:00|1:00:00|8|2|main|10|Resources\n\
        304|ann|phys|PENDING|2026-01-21T08:06:00|N/A|0:00|1:00:00|8|2|main|9|Priority\n";
    let conf = "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\n\
        PriorityWeightFairshare=100000\nNodeName=n[1-2] CPUs=4\nPartitionName=main Nodes=ALL Default=YES MaxTime=1-0\n";
    let assoc = "Cluster|Account|User|Share|ParentName\nc|root|||\nc|phys||1|root\nc|phys|ann|1|\nc|phys|bob|1|\n";
    let file = |name: &str, text: &str| folder.write(name, text.as_bytes());
    vec![
        "when".into(),
        file("sacct.txt", &sacct),
        "--queue".into(),
        file("squeue.txt", squeue),
        "--arrivals".into(),
        "none".into(),
        "--format".into(),
        "json".into(),
        "--slurm".into(),
        file("slurm.conf", conf),
        file("assoc.txt", assoc),
    ]
}

/// The median starts of the jobs 303 and 304, and all that was said.
fn starts_of_two(arguments: &[String]) -> ([i64; 2], String) {
    let output = packfair(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    let start = |job: i64| {
        let told = json.as_array().unwrap().iter().find(|told| told["job"] == job).unwrap();
        if told["never"] == true { i64::MAX } else { told["p50"].as_i64().unwrap() }
    };
    ([start(303), start(304)], text(&output.stderr).to_owned())
}

#[test]
fn fair_share_begins_with_what_users_have_used() {
    let folder = Folder::new("when-usage");
    let arguments = shared_cluster(&folder);
    let ([bob, ann], said) = starts_of_two(&arguments);
    assert!(ann < bob, "ann has used less in this log, and bob submitted first: {ann} {bob}");
    assert!(said.contains("sshare"), "{said}");
    let table = "Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare\nroot|||0|900000|1|\n phys||1|1|900000|1|\n \
        phys|ann|1|0.5|899000|0.9|0.5\n phys|bob|1|0.5|1000|0.1|1.0\n";
    let sshare = folder.write("sshare.txt", table.as_bytes());
    let ([bob, ann], said) = starts_of_two(&[&arguments[..], &[sshare]].concat());
    assert!(bob < ann, "Slurm counts otherwise: {ann} {bob}");
    assert!(!said.contains("sshare -P"), "{said}");
}

#[test]
fn nodes_that_are_down_take_no_jobs_in_a_forecast() {
    let folder = Folder::new("when-away");
    let mut arguments = shared_cluster(&folder);
    let ([bob, ann], _) = starts_of_two(&arguments);
    assert!(bob.max(ann) < 86_400);
    let nodes = "NodeName=n1 CPUAlloc=4 CPUTot=4 State=MIXED ThreadsPerCore=1\n\nNodeName=n2 CPUAlloc=4 CPUTot=4 \
        State=MIXED+DRAIN ThreadsPerCore=1\n   Reason=disk [root@2026-01-21T07:00:00]\n";
    arguments.push(folder.write("nodes.txt", nodes.as_bytes()));
    let ([bob, ann], said) = starts_of_two(&arguments);
    assert!(said.contains("1 of 2 nodes are down or drained"), "{said}");
    assert!(bob.min(ann) > 86_400, "both need two nodes: {bob} {ann}");
}

#[test]
fn tasks_of_an_array_wait_for_those_that_run() {
    let folder = Folder::new("when-array");
    let mut arguments = shared_cluster(&folder);
    let task = |id: i64, array: i64, list: &str, state: &str, start: i64, nodes: &str| {
        format!(
            r#"{{"job_id": {id}, "array_job_id": {array}, "array_task_string": "{list}", "array_max_tasks": 1, "job_state": ["{state}"],
            "submit_time": 1768982400, "start_time": {start}, "time_limit": 60, "cpus": 4, "node_count": 1, "user_name": "bob",
            "account": "phys", "partition": "main", "priority": 10, "state_reason": "Resources", "nodes": "{nodes}"}}"#
        )
    };
    let jobs = [
        task(401, 400, "", "RUNNING", 1_768_983_000, "n1"),
        task(400, 400, "2-3", "PENDING", 0, ""),
        task(410, 0, "", "PENDING", 0, ""),
    ];
    let squeue = format!(r#"{{"last_update": 1768984000, "jobs": [{}]}}"#, jobs.join(","));
    arguments[3] = folder.write("squeue.json", squeue.as_bytes());
    arguments.extend(["--calibrate", "0"].map(str::to_owned));
    let output = packfair(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    let starts: Vec<(i64, i64)> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|told| (told["job"].as_i64().unwrap(), told["p50"].as_i64().unwrap()))
        .collect();
    let [(400, second), (400, third), (410, other)] = starts[..] else { panic!("{starts:?}") };
    assert!(other < 60, "a node is free: {starts:?}");
    assert!(second > 60 && third > second + 600, "one task runs at once: {starts:?}");
}

#[test]
fn running_jobs_stand_on_the_nodes_that_the_queue_names() {
    let folder = Folder::new("when-nodes");
    let mut arguments = shared_cluster(&folder);
    let nodes = "NodeName=n1 CPUAlloc=4 CPUTot=4 State=MIXED ThreadsPerCore=1\n\nNodeName=n2 CPUAlloc=4 CPUTot=4 \
        State=MIXED+DRAIN ThreadsPerCore=1\n   Reason=disk [root@2026-01-21T07:00:00]\n";
    arguments.push(folder.write("nodes.txt", nodes.as_bytes()));
    // one job ends soon and one late; who waits gets the node that is not drained
    let start = |name: &str, soon: &str, late: &str| {
        let squeue = format!(
            "JOBID|USER|ACCOUNT|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PARTITION|PRIORITY|NODELIST(REASON)\n\
             301|bob|phys|RUNNING|2026-01-21T07:35:00|2026-01-21T07:35:00|45:00|1:00:00|4|1|main|10|{soon}\n\
             302|bob|phys|RUNNING|2026-01-21T08:19:00|2026-01-21T08:19:00|1:00|1:00:00|4|1|main|10|{late}\n\
             303|ann|phys|PENDING|2026-01-21T08:05:00|N/A|0:00|1:00:00|4|1|main|10|(Resources)\n"
        );
        let mut arguments = arguments.clone();
        arguments[3] = folder.write(name, squeue.as_bytes());
        let output = packfair(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let json: Value = serde_json::from_str(stdout(&output)).unwrap();
        (json[0]["p50"].as_i64().unwrap(), text(&output.stderr).to_owned())
    };
    let ((early, said), (late, _)) = (start("early.txt", "n1", "n2"), start("late.txt", "n2", "n1"));
    // all jobs of the log ran for 50 minutes
    assert!((240..900).contains(&early) && (2_880..4_000).contains(&late), "{early} {late}");
    assert!(!said.contains("running job"), "{said}");
    let (_, said) = start("unknown.txt", "n1", "m[1-2]");
    assert!(said.contains("1 running job is on nodes that slurm.conf does not have (m1), and placed"), "{said}");
    let (_, said) = start("twice.txt", "n1", "n1");
    assert!(said.contains("1 running job is on nodes that have no room for all who run there"), "{said}");
}

#[test]
fn jobs_that_run_in_the_log_run_in_a_forecast() {
    let folder = Folder::new("when-still-running");
    let head = "JobIDRaw|User|Account|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|NCPUS|NNodes|State|JobName|Partition|QOS\n";
    let mut sacct = String::from(head);
    for job in 1..200 {
        let (day, hour) = (1 + job / 10, job % 10);
        let at = |minute: u32| format!("2026-01-{day:02}T{hour:02}:{minute:02}:00");
        sacct.push_str(&format!(
            "{job}|bob|phys|{}|{}|{}|3000|60|4|1|COMPLETED|sim|main|normal\n",
            at(0),
            at(0),
            at(10)
        ));
    }
    // the one that runs was held until 8:00, and the one that waits until 8:07
    sacct.push_str(
        "301|bob|phys|2026-01-21T05:00:00|2026-01-21T08:00:00|2026-01-21T08:00:00|1200|60|4|1|RUNNING|sim|main|normal\n\
         302|ann|phys|2026-01-21T06:00:00|2026-01-21T08:07:00|Unknown|0|60|4|1|PENDING|sim|main|normal\n",
    );
    let conf = "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nNodeName=n1 CPUs=4\n\
        PartitionName=main Nodes=ALL Default=YES MaxTime=1-0\n";
    let (sacct, conf) = (folder.write("sacct.txt", sacct.as_bytes()), folder.write("slurm.conf", conf.as_bytes()));
    let squeue = "JOBID|USER|ACCOUNT|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PARTITION|PRIORITY|REASON\n\
        301|bob|phys|RUNNING|2026-01-21T05:00:00|2026-01-21T08:00:00|20:30|1:00:00|4|1|main|10|None\n\
        302|ann|phys|PENDING|2026-01-21T06:00:00|N/A|0:00|1:00:00|4|1|main|10|Resources\n";
    let later = folder.write("squeue.txt", squeue.as_bytes());
    // the log alone, whose rows are the queue, and a queue half a minute later
    for moment in [&[][..], &["--queue", &later]] {
        for scheduler in [&["-s", "easy", "--procs", "1"][..], &["--slurm", &conf]] {
            let rest = ["--arrivals", "none", "--futures", "20", "--format", "json"];
            let output = packfair(&[&["when", &sacct], moment, scheduler, &rest].concat());
            let json: Value = serde_json::from_str(stdout(&output)).unwrap();
            // it has run for 20 minutes of 50
            let told = json.as_array().unwrap().iter().find(|told| told["job"] == 302);
            let start = told.map(|told| told["p50"].as_i64().unwrap());
            let said = text(&output.stderr);
            assert!(
                start.is_some_and(|start| (1_500..2_700).contains(&start)),
                "{moment:?} {scheduler:?} {start:?} {said}"
            );
        }
    }
}

#[test]
fn nodes_are_drained_as_a_question() {
    let folder = Folder::new("when-drain");
    let arguments = shared_cluster(&folder);
    let ([bob, ann], _) = starts_of_two(&arguments);
    assert!(bob.max(ann) < 86_400);
    let asked = |drain: &str| [&arguments[..], &["--drain".to_owned(), drain.to_owned()]].concat();
    // both need two nodes, and one goes a minute after the moment, until the next day
    let ([bob, ann], said) = starts_of_two(&asked("1@08:21/2026-01-22T08:00"));
    assert!(bob.min(ann) > 80_000, "{bob} {ann}");
    assert!(said.contains("1 of 2 nodes") && said.contains("drained from"), "{said}");
    let refused = |drain: &str| {
        let asked = asked(drain);
        refusal(&packfair(&asked.iter().map(String::as_str).collect::<Vec<_>>())).to_owned()
    };
    assert!(refused("20@18:00").contains("--drain takes 1 to 2 nodes"));
    assert!(refused("1@soon").contains("20@18:00"));
    let log = folder.write("log.swf", &log());
    let without = refusal(&packfair(&["when", &log, "--now", MOMENT, "--drain", "1@18:00"])).to_owned();
    assert!(without.contains("--slurm slurm.conf") && without.contains("--changes"), "{without}");
}

/// A log of `sacct` of a machine with four processors, and the arguments with which its queue is forecast.
fn four_processors(folder: &Folder, limit: &str) -> Vec<String> {
    let mut sacct = String::from("JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|JobName|Partition\n");
    for job in 1..50 {
        let (day, hour) = (1 + job / 10, job % 10);
        sacct.push_str(&format!(
            "{job}|ann|2026-01-{day:02}T{hour:02}:00:00|2026-01-{day:02}T{hour:02}:10:00|900|{limit}|4|COMPLETED|sim|main\n"
        ));
    }
    let rest = ["-s", "easy", "--procs", "4", "--arrivals", "none", "--format", "json"];
    let log = folder.write("sacct.txt", sacct.as_bytes());
    ["when".to_owned(), log].into_iter().chain(rest.map(str::to_owned)).collect()
}

/// What is said beside the answer, and how many jobs it is of.
fn said_of(arguments: &[String], squeue: &str, folder: &Folder, more: &[&str]) -> (String, usize) {
    let queue = folder.write("squeue.txt", squeue.as_bytes());
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(["--queue", &queue]).chain(more.iter().copied()).collect();
    let output = packfair(&arguments);
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    (text(&output.stderr).to_owned(), json.as_array().unwrap().len())
}

const HEADINGS: &str = "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON\n";

#[test]
fn what_the_files_lack_is_said_beside_the_forecasts() {
    let folder = Folder::new("when-lacking");
    let waiting = |date: &str, limit: &str| {
        format!(
            "{HEADINGS}301|ann|RUNNING|{date}T07:30:00|{date}T07:30:00|5:00|{limit}|4|None\n\
             302|ann|PENDING|{date}T07:34:00|N/A|0:00|{limit}|4|Resources\n"
        )
    };
    let arguments = four_processors(&folder, "60");
    let said = |date: &str, limit: &str| {
        let (said, count) = said_of(&arguments, &waiting(date, limit), &folder, &["--futures", "4"]);
        assert_eq!(count, 1, "{said}");
        said
    };
    let usual = said("2026-01-06", "1:00:00");
    assert!(!usual.contains("clocks") && !usual.contains("requested time"), "{usual}");
    assert!(said("2026-01-05", "1:00:00").contains("the clocks of the two files differ"));
    assert!(said("2026-02-06", "1:00:00").contains("days before the queue"));
    assert!(said("2026-01-06", "N/A").contains("2 of 51 jobs have no requested time; each counts as asking for"));
    // a log without limits: the longest run time that had ended stands for them
    let arguments = four_processors(&folder, "");
    let (said, _) = said_of(&arguments, &waiting("2026-01-06", "N/A"), &folder, &["--futures", "4"]);
    assert!(said.contains("51 of 51 jobs have no requested time"), "{said}");
}

#[test]
fn of_a_queue_that_is_too_long_the_first_jobs_are_looked_at() {
    let folder = Folder::new("when-long");
    let mut squeue = HEADINGS.to_owned();
    squeue.push_str("301|ann|RUNNING|2026-01-06T08:00:00|2026-01-06T08:00:00|5:00|1:00:00|4|None\n");
    for job in 0..1_010 {
        squeue.push_str(&format!("{}|ann|PENDING|2026-01-06T08:04:00|N/A|0:00|1:00:00|4|Priority\n", 400 + job));
    }
    let arguments = four_processors(&folder, "60");
    let few = ["--horizon", "1", "--calibrate", "0", "--futures", "2"];
    let (said, count) = said_of(&arguments, &squeue, &folder, &few);
    assert!(count == 1_010 && !said.contains("are looked at"), "{count} {said}");
    let mut planned = arguments;
    planned
        .iter_mut()
        .filter(|argument| *argument == "easy")
        .for_each(|argument| *argument = "conservative".to_owned());
    let (said, count) = said_of(&planned, &squeue, &folder, &few);
    assert_eq!(count, 1_000);
    assert!(said.contains("1,010 jobs wait, of which the first 1,000 are looked at"), "{said}");
}
