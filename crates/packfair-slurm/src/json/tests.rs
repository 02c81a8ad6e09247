use crate::{FindingKind, PreemptedJobs, Repeat, Site, SiteFile, Version, is_of_site, read_site};

fn site(files: &[(&str, &str)]) -> Site {
    let files: Vec<SiteFile<'_>> =
        files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    read_site(&files, Version::default())
}

/// A node and a partition as 22.05 writes them.
const OLD: &str = r#"{"meta": {"plugin": {"type": "openapi\/v0.0.38"}}, "errors": [], "nodes": [
    {"architecture": "x86_64", "boards": 1, "cores": 16, "cpus": 64, "features": "a,b", "gres": "gpu:a100:4(S:0-1)", "name": "g1",
     "real_memory": 256000, "reason": "disk State=UP", "reason_changed_at": 1767225600, "sockets": 2, "state": "idle",
     "state_flags": ["DRAIN"], "threads": 2, "weight": 5, "partitions": ["gpu"]}]}"#;
const OLD_PARTITION: &str = r#"{"meta": {}, "errors": [], "partitions": [
    {"flags": ["default", "least_loaded_nodes"], "preemption_mode": ["requeue"], "allowed_accounts": "", "billing_weights": "",
     "default_memory_per_cpu": 2000, "default_memory_per_node": null, "default_time_limit": 60, "maximum_cpus_per_node": null,
     "maximum_memory_per_node": 0, "maximum_nodes_per_job": -1, "max_time_limit": 1440, "min nodes per job": 1, "name": "gpu",
     "nodes": "g1", "over_time_limit": null, "priority_job_factor": 3, "priority_tier": 2, "qos": "fast", "state": "UP",
     "total_cpus": 64, "total_nodes": 1, "tres": "cpu=64"}]}"#;

/// The same as 24.05 and later write them.
const NEW: &str = r#"{"nodes": [
    {"architecture": "x86_64", "boards": 1, "cores": 16, "cpus": 64, "features": ["a", "b"], "gres": "gpu:a100:4(S:0-1)",
     "hostname": "g1", "name": "g1", "real_memory": 256000, "reason": "disk",
     "reason_changed_at": {"set": true, "infinite": false, "number": 1767225600}, "sockets": 2, "state": ["IDLE", "DRAIN"],
     "specialized_cores": 0, "specialized_cpus": "", "specialized_memory": 0, "threads": 2, "weight": 5}],
    "meta": {"jobs": 1}, "errors": [], "warnings": []}"#;
const NEW_PARTITION: &str = r#"{"partitions": [
    {"nodes": {"allowed_allocation": "", "configured": "g1", "total": 1}, "accounts": {"allowed": "", "deny": ""},
     "qos": {"allowed": "", "deny": "", "assigned": "fast"}, "tres": {"billing_weights": "", "configured": "cpu=64"},
     "defaults": {"memory_per_cpu": -9223372036854773808, "time": {"set": true, "infinite": false, "number": 60}, "job": ""},
     "maximums": {"cpus_per_node": {"set": false, "infinite": true, "number": 0}, "memory_per_cpu": 0,
        "nodes": {"set": false, "infinite": true, "number": 0}, "shares": 1,
        "time": {"set": true, "infinite": false, "number": 1440}, "over_time_limit": {"set": false, "infinite": false, "number": 0}},
     "minimums": {"nodes": 1}, "name": "gpu", "priority": {"job_factor": 3, "tier": 2}, "partition": {"state": ["UP"]},
     "flags": ["DEFAULT", "LLN"], "preempt_mode": ["REQUEUE"],
     "suspend_time": {"set": false, "infinite": true, "number": 0}}]}"#;

#[test]
fn nodes_and_partitions_are_those_of_the_texts() {
    const TEXT: &str = "PartitionName=gpu\n   Default=YES QoS=fast DefaultTime=01:00:00 MaxTime=1-00:00:00 MinNodes=1 LLN=YES\n   \
        Nodes=g1 PriorityJobFactor=3 PriorityTier=2 State=UP TotalCPUs=64 TotalNodes=1 DefMemPerCPU=2000 PreemptMode=REQUEUE\n\n\
        NodeName=g1 CoresPerSocket=16\n   CPUTot=64 AvailableFeatures=a,b Gres=gpu:a100:4(S:0-1) RealMemory=256000 Sockets=2 \
        Boards=1\n   State=IDLE+DRAIN ThreadsPerCore=2 Weight=5\n   Reason=disk [root@2026-01-01T00:00:00]\n";
    let config = "Configuration data as of x\nPreemptType = preempt/partition_prio\nPreemptMode = OFF\n";
    let bare = |files: &[(&str, &str)]| {
        let read = site(&[files, &[("config", config)]].concat());
        assert!(read.findings.iter().all(|told| told.kind == FindingKind::Note), "{:?}", read.findings);
        Site { files: Vec::new(), findings: Vec::new(), ..read }
    };
    let told = bare(&[("text", TEXT)]);
    assert_eq!((told.nodes[0].gpu_kinds[0].1, told.away.len()), (4, 1));
    assert_eq!(told.partitions[0].preempted, Some(PreemptedJobs::Killed));
    for (nodes, partition) in [(OLD, OLD_PARTITION), (NEW, NEW_PARTITION)] {
        assert!(is_of_site(nodes.as_bytes()) && is_of_site(partition.as_bytes()));
        assert!(is_of_site(&nodes.as_bytes()[..200]), "of its beginning alone");
        let shown = bare(&[("nodes.json", nodes), ("partitions.json", partition)]);
        assert_eq!(shown.partitions, told.partitions);
        assert_eq!((shown.nodes, shown.away), (told.nodes.clone(), told.away.clone()));
    }
}

#[test]
fn nodes_of_a_partition_may_be_none_and_nodes_may_be_a_jobs_own() {
    let of = |maximums: &str| {
        let text =
            NEW_PARTITION.replace(r#""shares": 1"#, maximums).replace(r#""configured": "g1""#, r#""configured": """#);
        site(&[("n", NEW), ("p", &text)]).partitions.remove(0)
    };
    assert!(of(r#""shares": 0"#).is_exclusive && of(r#""shares": 0"#).nodes.is_empty());
    assert!(of(r#""oversubscribe": {"jobs": 0, "flags": []}"#).is_exclusive);
    assert!(!of(r#""oversubscribe": {"jobs": 4, "flags": ["FORCE"]}"#).is_exclusive);
}

#[test]
fn reservations_have_times_flags_and_cores() {
    const RESERVATIONS: &str = r#"{"reservations": [
        {"accounts": "teach", "core_count": 64, "core_specializations": [], "end_time": {"set": true, "infinite": false,
         "number": 1767618000}, "flags": ["DAILY", "SPEC_NODES", "MAGNETIC"], "groups": "", "licenses": "", "name": "class",
         "node_count": 1, "node_list": "g1", "start_time": {"set": true, "infinite": false, "number": 1767614400}, "users": ""},
        {"accounts": "", "core_count": 4, "core_specializations": [{"node": "g1", "core": "0-3"}], "end_time": 1767618000,
         "flags": ["MAINT"], "name": "cores", "node_list": "g1", "start_time": 1767614400, "users": "root"}],
        "last_update": {}, "meta": {}}"#;
    let read = site(&[("reservations.json", RESERVATIONS)]);
    let [class, cores] = &read.reservations[..] else { panic!("{:?}", read.findings) };
    assert_eq!((class.time.from, class.time.until), (1_767_614_400, 1_767_618_000));
    assert_eq!(
        (class.repeat, class.is_magnetic, &class.accounts[..]),
        (Some(Repeat::Daily), true, &["teach".to_owned()][..])
    );
    assert!(cores.is_maintenance && cores.nodes == ["g1"]);
    let told = |words: &str| read.findings.iter().any(|told| told.words.contains(words) && told.line == 0);
    assert!(told("are UTC") && told("not some of their cores"), "{:?}", read.findings);
}

#[test]
fn qos_and_associations_have_their_limits() {
    const QOS: &str = r#"{"meta": {}, "qos": [
        {"description": "", "flags": ["DENY_LIMIT", "NO_RESERVE"], "id": 1, "limits": {"grace_time": 0,
          "max": {"active_jobs": {"accruing": {"set": false, "infinite": true, "number": 0}, "count": {"set": true, "infinite": false,
            "number": 7}}, "jobs": {"active_jobs": {"per": {"account": {"set": false, "infinite": true, "number": 0},
            "user": {"set": true, "infinite": false, "number": 3}}}, "per": {"user": {"set": true, "infinite": false, "number": 9}}},
           "tres": {"total": [{"type": "cpu", "name": "", "id": 1, "count": 64}, {"type": "gres", "name": "gpu:a100", "id": 1002,
            "count": 2}], "minutes": {"total": [], "per": {"qos": [{"type": "mem", "name": "", "id": 2, "count": 500}]}},
            "per": {"user": []}}, "wall_clock": {"per": {"qos": {"set": false, "infinite": true, "number": 0},
            "job": {"set": true, "infinite": false, "number": 120}}}}, "factor": {"set": false, "infinite": true, "number": 0}},
         "name": "normal", "preempt": {"list": ["low"], "mode": ["DISABLED"], "exempt_time": {"set": false, "infinite": true,
          "number": 0}}, "priority": {"set": true, "infinite": false, "number": 10}, "usage_factor": {"set": true, "infinite": false,
          "number": 2.0}, "usage_threshold": {"set": false, "infinite": true, "number": 0.0}},
        {"name": "low", "flags": [], "limits": {}, "preempt": {"list": [], "mode": ["REQUEUE"]}, "priority": 0, "usage_factor": 1.0,
         "usage_threshold": 4294967295.0}]}"#;
    const ASSOCIATIONS: &str = r#"{"associations": [
        {"account": "root", "cluster": "c", "user": "", "parent_account": "", "shares_raw": 1, "partition": ""},
        {"account": "lab", "cluster": "c", "user": "", "parent_account": "root", "shares_raw": 40, "max": {"jobs": {"per": {"count":
          {"set": true, "infinite": false, "number": 5}}}, "tres": {"total": [{"type": "node", "name": "", "count": 4}]}}},
        {"account": "lab", "cluster": "c", "user": "ann", "shares_raw": 2147483647, "default": {"qos": "normal"},
         "max": {"jobs": {"active": {"set": true, "infinite": false, "number": 2}, "total": 4, "per": {"wall_clock": 60}}}}]}"#;
    let read = site(&[("qos.json", QOS), ("assoc.json", ASSOCIATIONS)]);
    let words: Vec<&str> = read.findings.iter().map(|told| told.words.as_str()).collect();
    assert_eq!(words, ["Flags=NoReserve of QOS normal"]);
    let [normal, low] = &read.qos[..] else { panic!("{:?}", read.qos) };
    assert_eq!((normal.priority, normal.usage_factor, &normal.preempts[..]), (10, 2.0, &["low".to_owned()][..]));
    assert_eq!((normal.preempted, low.preempted), (None, Some(PreemptedJobs::Killed)));
    let limits = &normal.limits;
    assert_eq!((limits.jobs, limits.jobs_of_user, limits.submitted_of_user), (Some(7), Some(3), Some(9)));
    assert_eq!((limits.tres.text().as_str(), limits.wall), ("cpu=64,gres/gpu:a100=2", Some(7200)));
    assert_eq!(limits.tres_run_minutes.memory, Some(500.0));
    let ann = &read.accounts.all[read.accounts.of("lab", "ann").unwrap() as usize];
    assert_eq!((ann.shares, ann.default_qos.as_str()), (None, "normal"));
    assert_eq!(
        (ann.limits.jobs_of_user, ann.limits.submitted_of_user, ann.limits.wall),
        (Some(2), Some(4), Some(3600))
    );
    let lab = &read.accounts.all[ann.parent.unwrap() as usize];
    assert_eq!((lab.shares, lab.limits.jobs, lab.limits.tres.nodes), (Some(40), Some(5), Some(4.0)));
    // slurmrestd's dump of accounting has both
    let both = format!("{},{}", &QOS[..QOS.len() - 1], &ASSOCIATIONS[1..]);
    let read = site(&[("both.json", &both)]);
    assert_eq!((read.qos.len(), read.accounts.all.len()), (2, 3), "{:?}", read.findings);
}

#[test]
fn shares_and_usage_are_those_of_the_table() {
    let row = |name: &str, parent: &str, kind: &str, shares: &str, usage: u32| {
        let shares = match shares {
            "" => r#"{"set": false, "infinite": true, "number": 0}"#.to_owned(),
            number => format!(r#"{{"set": true, "infinite": false, "number": {number}}}"#),
        };
        format!(
            r#"{{"id": 1, "cluster": "c", "name": "{name}", "parent": "{parent}", "partition": "", "shares": {shares},
               "usage": {usage}, "type": ["{kind}"]}}"#
        )
    };
    let rows = [
        row("root", "root", "ASSOCIATION", "", 3000),
        row("root", "root", "USER", "1", 0),
        row("bob", "phys", "USER", "1", 2000),
        row("phys", "root", "ASSOCIATION", "6", 3000),
        row("ann", "theory", "USER", "2147483647", 1000),
        row("theory", "phys", "ASSOCIATION", "4", 1000),
    ];
    let shares = format!(r#"{{"shares": {{"shares": [{}], "total_shares": 7}}, "meta": {{}}}}"#, rows.join(","));
    let read = site(&[("shares.json", &shares)]);
    assert_eq!(read.findings, []);
    let all = &read.accounts.all;
    let ann = &all[read.accounts.of("theory", "ann").unwrap() as usize];
    let theory = &all[ann.parent.unwrap() as usize];
    assert_eq!((ann.shares, theory.account.as_str(), theory.shares), (None, "theory", Some(4)));
    assert_eq!(all[theory.parent.unwrap() as usize].account, "phys");
    let used = |account: &str, user: &str| {
        let own = read.usage.iter().find(|own| own.account == account && own.user == user);
        own.map(|own| own.seconds)
    };
    assert_eq!(
        (used("phys", ""), used("phys", "bob"), used("theory", "ann")),
        (Some(3000.0), Some(2000.0), Some(1000.0))
    );
}

#[test]
fn the_configuration_is_shown_in_json_too() {
    const CONFIG: &str = r#"{"slurm_conf": {"ClusterName": "c", "SchedulerParameters": ["bf_window=2880", "bf_continue"],
        "SelectType": "select/cons_tres", "KillWait": 40, "PriorityDecayHalfLife": 1209600, "ConfFlags": ["X"], "JobRequeue": false,
        "PriorityWeightFairshare": 1000, "AccountingStorageEnforce": ["ASSOCIATIONS", "LIMITS"], "PriorityType":
        "priority/multifactor", "EpilogTimeout": {"set": false, "infinite": false, "number": 0}}, "meta": {}}"#;
    let read = site(&[("config.json", CONFIG), ("nodes.json", NEW), ("partitions.json", NEW_PARTITION)]);
    assert!(read.findings.iter().all(|told| told.kind == FindingKind::Note), "{:?}", read.findings);
    assert_eq!((read.cluster.as_str(), read.kill_wait, read.enforced.limits, read.requeues), ("c", 40, true, false));
    assert_eq!(read.parameters.get(crate::SlurmParameter::BfWindow), 2880);
    assert_eq!(read.priority.half_life, Some(1_209_600));
}

#[test]
fn what_is_broken_or_of_another_kind_is_told() {
    let told = |text: &str| site(&[("f.json", text)]).findings.into_iter().map(|told| told.words).collect::<Vec<_>>();
    assert!(told(&NEW[..NEW.len() - 40])[0].starts_with("its JSON is broken (line"));
    assert!(told(r#"{"sinfo": [{}]}"#)[0].contains("print it as text, with scontrol show node"));
    assert_eq!(told(r#"{"reservations": [], "meta": {}}"#), [""; 0]);
    assert!(!is_of_site(br#"{"jobs": [{"nodes": 1, "partition": "x"}], "nodes": []}"#));
    for text in [
        r#"{"nodes": [1, null, {}, {"name": []}]}"#,
        r#"{"partitions": [{"maximums": {"shares": -1e300}}]}"#,
        r#"{"qos": [{"limits": 3}]}"#,
    ] {
        assert!(told(text).len() < 20, "{text}");
    }
}
