use super::*;
use crate::SlurmParameter;
use crate::is_of_site;

fn site(files: &[(&str, &str)]) -> Site {
    let files: Vec<SiteFile<'_>> =
        files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    read_site(&files, Version::default())
}

const CONF: &str = "ClusterName=c\nSchedulerParameters=bf_window=2880,\\\nbf_continue\nPriorityType=priority/multifactor\n\
        PriorityWeightFairshare=1000\nFrobnicate=yes\nNodeName=n[1-4] CPUs=8 RealMemory=1000\n\
        PartitionName=DEFAULT MaxTime=1-0\nPartitionName=batch Nodes=ALL Default=YES\nPartitionName=debug Nodes=n[3-5] MaxTime=30\n";

#[test]
fn files_come_in_any_order() {
    let assoc = "Cluster|Account|User|Share|GrpJobs\nc|root|||\nc|a||3|5\nc|a|ann|2|\n";
    let qos = "Name|Priority|MaxJobsPU\nnormal|0|\nfast|10|2\n";
    let site = site(&[("assoc.txt", assoc), ("slurm.conf", CONF), ("qos.txt", qos)]);
    assert_eq!((site.nodes.len(), site.cpus(), site.partitions.len()), (4, 32, 2));
    assert_eq!(site.partitions[1].nodes, [2, 3]);
    assert_eq!((site.partitions[0].max_time, site.partitions[1].max_time), (Some(86_400), Some(1800)));
    assert_eq!(site.parameters.get(SlurmParameter::BfWindow), 2880);
    let ann = site.accounts.of("a", "ann").unwrap();
    assert_eq!(site.accounts.upwards(ann).count(), 3);
    assert_eq!((site.accounts.all[ann as usize].shares, site.qos[1].limits.jobs_of_user), (Some(2), Some(2)));
    let told: Vec<String> = site.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "slurm.conf:6: not understood: Frobnicate=yes (slurm.conf(5), Frobnicate)",
            "slurm.conf:10: wrong: partition debug: there is no node n5 (slurm.conf(5))"
        ]
    );
}

#[test]
fn prompts_around_what_commands_print_are_read_over() {
    let assoc = "Cluster|Account|User|Share|GrpJobs\nc|root|||\nc|a||3|5\n";
    let shares = "Account|User|RawShares|NormShares|RawUsage|FairShare\na||3|1.0|7|0.5\n";
    let nodes = "Sat Jan 31 23:53:20 2026\nNODELIST|STATE\nn1|down\n";
    let shown = "NodeName=n1 Arch=x86_64 CPUTot=8\n   CPUAlloc=0 State=IDLE\n";
    for text in [assoc, shares, nodes, shown] {
        let pasted = format!("[ann@login ~]$ scontrol -o show x\n{text}[ann@login ~]$ ");
        assert_eq!(is_of_site(text.as_bytes()), is_of_site(pasted.as_bytes()), "{pasted}");
        let files = |text| site(&[("slurm.conf", CONF), ("pasted", text)]);
        let (plain, pasted) = (files(text), files(pasted.as_str()));
        assert_eq!(plain.findings.len(), pasted.findings.len(), "{text}: {:?}", pasted.findings);
        assert_eq!((plain.accounts.all.len(), plain.away), (pasted.accounts.all.len(), pasted.away), "{text}");
    }
}

#[test]
fn comments_stand_above_tables() {
    let made = site(&[("assoc.txt", "# of today\nCluster|Account|User|Share|GrpJobs\nc|root|||\nc|a||3|5\n")]);
    assert_eq!((made.findings.len(), made.accounts.all.len()), (0, 2), "{:?}", made.findings);
}

#[test]
fn scripts_and_dumps_make_accounts() {
    let script = "remove QOS where Name=normal\nadd QOS Name=fast Priority=5 MaxSubmitJobsPerUser=20\n\
            add account name=a Fairshare=10\nadd user name=ann DefaultAccount=a\nmodify user name=ann set fairshare=3 MaxJobs=2\n\
            modify user name=bob set fairshare=3\n";
    let made = site(&[("sacctmgr.script", script)]);
    let ann = &made.accounts.all[made.accounts.of("", "ann").unwrap() as usize];
    assert_eq!((ann.shares, ann.limits.jobs_of_user), (Some(3), Some(2)));
    assert_eq!((made.qos.len(), made.qos[0].limits.submitted_of_user), (1, Some(20)));
    assert_eq!(made.findings.len(), 1);
    assert_eq!(made.findings[0].line, 6);
    let dump = "Cluster - 'c':Fairshare=1\nParent - 'root'\nUser - 'root':Fairshare=1\nAccount - 'a':Fairshare=7\n\
            Parent - 'a'\nUser - 'ann':DefaultAccount='a':Fairshare=2\n";
    let made = site(&[("dump", dump)]);
    assert_eq!(made.findings, []);
    let ann = &made.accounts.all[made.accounts.of("a", "ann").unwrap() as usize];
    assert_eq!(ann.shares, Some(2));
    assert_eq!(made.accounts.all[ann.parent.unwrap() as usize].shares, Some(7));
}

#[test]
fn bad_input_is_told_and_the_rest_goes_on() {
    let told = |text: &str| {
        let site = site(&[("f", text)]);
        (site.nodes.len(), site.findings.iter().map(|f| format!("{}:{}", f.line, f.words)).collect::<Vec<_>>())
    };
    assert!(told("ClusterName=x\n").1[0].contains("names no nodes"));
    assert!(told("Include /etc/more.conf\nNodeName=a\nPartitionName=p Nodes=a\n").1[0].starts_with("1:Include"));
    let (nodes, words) = told("NodeName=n[1-100000]\nPartitionName=p Nodes=ALL\n");
    assert_eq!((nodes, words.len()), (100_000, 0));
    assert!(told("NodeName=n[1-900000]\n").1[0].contains("more than"));
    assert!(told("\u{0}\u{1}\u{2}").1[0].contains("no file of Slurm's"));
    assert!(told("").1[0].contains("it is empty"));
    let contrary = site(&[("q", "Name|Priority|MaxTRES|GrpTRES\nx|1|cpu=10|cpu=5\n")]);
    assert!(contrary.findings[0].words.contains("all together only 5"), "{:?}", contrary.findings);
}

#[test]
fn files_beside_slurm_conf_are_no_second_one() {
    let gres = "# ours\nAutoDetect=off\nNodeName=g[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n";
    let beside = [
        ("gres.conf", gres),
        ("gres.conf", "NodeName=g[1-2] Name=gpu Count=2\nNodeName=g3 Name=gpu Type=v100 Count=4\n"),
        ("cgroup.conf", "CgroupPlugin=cgroup/v2\nConstrainCores=yes\n"),
        ("slurmdbd.conf", "AuthType=auth/munge\nDbdHost=h\nStorageType=accounting_storage/mysql\n"),
    ];
    for (name, text) in beside {
        assert!(is_of_site(text.as_bytes()), "{name}");
        for files in [[(name, text), ("slurm.conf", CONF)], [("slurm.conf", CONF), (name, text)]] {
            let site = site(&files);
            assert_eq!(site.nodes.len(), 4, "{name}");
            let own: Vec<&Finding> = site.findings.iter().filter(|told| told.file == name).collect();
            assert!(matches!(own[..], [told] if told.kind == FindingKind::Note), "{own:?}");
            assert!(own[0].words.contains(name), "{own:?}");
        }
    }
}

#[test]
fn what_other_commands_print_is_known() {
    let conf = ("slurm.conf", CONF);
    let of = |text: &str| {
        assert!(is_of_site(text.as_bytes()), "{text}");
        let site = site(&[conf, ("shown", text)]);
        let told: Vec<FindingKind> =
            site.findings.iter().filter(|told| told.file == "shown").map(|told| told.kind).collect();
        (site.licences.len(), told)
    };
    assert_eq!(of("No reservations in the system\n"), (0, vec![]));
    let licences = "LicenseName=matlab\n    Total=20 Used=3 Free=17 Reserved=0 Remote=no\nLicenseName=ansys@db\n    Total=5 \
            Used=0 Free=5 Reserved=0 Remote=yes\n";
    assert_eq!(of(licences), (2, vec![]));
    for text in [
        "Type|Name|ID\ncpu||1\ngres|gpu|1001\n",
        "          JOBID PARTITION     USER   PRIORITY       SITE        AGE  FAIRSHARE\n  1 batch ann 12 0 1 1\n",
        "*****\nsdiag output at Mon Nov 24 10:00:00 2025 (1763978400)\n*****\nServer thread count: 3\n",
        "REASON               USER      TIMESTAMP           NODELIST\ndisk root 2025-11-24T10:00:00 n1\n",
        "PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST\nbatch up 1:00 1/1/0/2 n[1-2]\n",
    ] {
        assert_eq!(of(text), (0, vec![FindingKind::Note]), "{text}");
    }
    for (text, told) in [
        ("{\"nodes\": [{\"name\": \"n1\", \"cpus\": 8, \"partitions\": [\"p\"]}]}", vec![FindingKind::Note]),
        ("{\n \"meta\": {},\n \"qos\": []}", vec![]),
        ("{\n \"meta\": {},\n \"sinfo\": {}}", vec![FindingKind::Wrong]),
    ] {
        assert_eq!(of(text), (0, told), "{text}");
    }
    assert!(!is_of_site(b"{\"meta\": {}, \"jobs\": [{\"nodes\": \"n1\", \"qos\": \"normal\"}]}"));
}

#[test]
fn accounts_are_where_their_indent_or_sshare_puts_them() {
    let flat = "Cluster|Account|User|Partition|Share|GrpJobs|MaxJobs\nc|root|||||\nc|phys|||3||\nc|theory|||2||\n\
            c|theory|ann||1||9\nc|theory|ann|gpu|1||2\nc|theory|bob|gpu|1||4\nc|theory|bob|fat|1||5\n";
    let tree = flat.replace("|phys", "| phys").replace("|theory", "|  theory");
    let sshare = "Account|User|RawShares|RawUsage|\nroot|||0|\n phys||3|0|\n  theory||2|0|\n   theory|ann|1|0|\n";
    let above = |site: &Site, account: &str| {
        let own = site.accounts.all.iter().find(|one| one.account == account && one.user.is_empty()).unwrap();
        own.parent.map(|at| site.accounts.all[at as usize].account.clone())
    };
    for files in [vec![("assoc", tree.as_str())], vec![("sshare", sshare), ("assoc", flat)]] {
        let site = site(&files);
        assert_eq!(above(&site, "theory").as_deref(), Some("phys"));
        assert_eq!(site.findings, []);
        let users = || site.accounts.all.iter().filter(|one| !one.user.is_empty());
        let limits = users().map(|one| (one.partition.as_str(), one.limits.jobs_of_user.unwrap_or(0)));
        assert_eq!(limits.collect::<Vec<_>>(), [("", 9), ("gpu", 2), ("gpu", 4), ("fat", 5)]);
        let of = |user: &str| site.accounts.of("theory", user).unwrap();
        let limit = |user: &str| site.accounts.all[of(user) as usize].limits.jobs_of_user;
        assert_eq!((limit("ann"), limit("bob")), (Some(9), Some(4)));
        let single: Vec<&str> = site.accounts.of_partitions(of("bob")).map(|(_, partition)| partition).collect();
        assert_eq!(single, ["gpu", "fat"]);
    }
    let alone = site(&[("assoc", flat), ("slurm.conf", CONF)]);
    assert_eq!(above(&alone, "theory").as_deref(), Some("root"));
    assert!(alone.findings.iter().any(|told| told.words.contains("show assoc tree")), "{:?}", alone.findings);
}

#[test]
fn what_qos_and_reservations_say_and_is_not_simulated_is_told() {
    let qos = "Name|Priority|UsageThres|LimitFactor|Flags|MaxTRESRunMinsPU|GraceTime\n\
            a|1|||DenyOnLimit,OverPartQOS,NoReserve||00:00:00\nb|1|0.000000|0.000000|DenyOnLimit|cpu=100|00:00:00\n";
    let told = site(&[("qos", qos)]);
    let words: Vec<&str> = told.findings.iter().map(|told| told.words.as_str()).collect();
    assert_eq!(words, ["Flags=OverPartQOS,NoReserve of QOS a", "maxtresrunminspu=cpu=100 of QOS b"]);
    let reservations = "ReservationName=class StartTime=2026-01-05T09:00:00 EndTime=2026-01-05T11:00:00\n   Nodes=n1 NodeCnt=1 \
            CoreCnt=4 Flags=WEEKDAY,FLEX\n     NodeName=n1 CoreIDs=0-3\n   Users=(null) Groups=(null) Accounts=teach \
            CreationTime=2026-01-01T00:00:00\n\nReservationName=lic StartTime=2026-01-05T09:00:00 EndTime=2026-01-05T11:00:00\n   \
            Nodes=(null) Users=ann Accounts=(null) Licenses=matlab:5 CreationTime=2026-01-01T00:00:00\n";
    let told = site(&[("res", reservations)]);
    assert!(told.reservations[1].nodes.is_empty());
    let kinds: Vec<FindingKind> = told.findings.iter().map(|told| told.kind).collect();
    assert_eq!(kinds, [FindingKind::Note, FindingKind::NotModelled], "{:?}", told.findings);
    assert_eq!(told.reservations[0].repeat, Some(crate::Repeat::Weekdays));
    let class = &told.reservations[0];
    assert_eq!((class.is_flexible, &class.owners[..], class.is_of_any_nodes), (true, &["teach".to_owned()][..], false));
}

#[test]
fn keys_of_partitions_and_nodes_stand_on_their_lines() {
    let text = "NodeName=n1\nGres=gpu:2\nPartitionName=p Nodes=n1\nTRESBillingWeights=CPU=1\n";
    let told: Vec<(u32, FindingKind)> =
        site(&[("slurm.conf", text)]).findings.iter().map(|told| (told.line, told.kind)).collect();
    assert_eq!(told, [(2, FindingKind::Wrong), (4, FindingKind::Wrong)]);
    let gres = "NodeName=n[1-2]\tName=gpu Type=a100\tFile=/dev/nvidia[0-3]\n";
    let read = site(&[("gres.conf", gres)]);
    assert!(read.findings[0].words.starts_with("it is gres.conf") && read.nodes.is_empty(), "{:?}", read.findings);
}

#[test]
fn older_and_newer_words_of_slurm_conf_are_no_faults() {
    let told = |text: &str| {
        let conf = format!("{text}\nNodeName=n[1-2]\nPartitionName=p Nodes=ALL\n");
        site(&[("slurm.conf", &conf)])
    };
    for text in [
        "Prolog=/a\nProlog=/b\nEpilog=/a\nEpilog=/b",
        "CacheGroups=0\nCheckpointType=checkpoint/none\nHashPlugin=hash/k12\nGpuFreqDef=low\nCertmgrType=x",
        "JobDefaults=DefCpuPerGPU=8,DefMemPerGPU=32000",
        "NodeName=new[1-4] CPUs=8 State=UNKNOWN\nPartitionName=a Nodes=new[1-2] OverSubscribe=FORCE:1 MaxCPUsPerNode=UNLIMITED",
    ] {
        assert_eq!(told(text).findings, [], "{text}");
    }
    assert_eq!(told("JobDefaults=DefMemPerGPU=32000").memory.of_gpu, Some(32_000));
    assert!(told("PartitionName=old Nodes=ALL Shared=EXCLUSIVE").partitions[0].is_exclusive);
    for text in [
        "OverSubscribe=FORCE:10",
        "MaxCPUsPerNode=4",
        "GraceTime=60",
        "OverTimeLimit=5",
        "ReqResv=YES",
        "AllowAccounts=a DenyQos=b AllowGroups=ALL",
    ] {
        let site = told(&format!("PartitionName=a Nodes=ALL {text}"));
        assert!(matches!(&site.findings[..], [one] if one.kind == FindingKind::NotModelled), "{:?}", site.findings);
    }
    // whether a node is one of these is asked of each node of a partition
    let many = told("NodeName=d[1-50000] State=FUTURE\nPartitionName=d Nodes=d[1-50000]");
    assert_eq!((many.nodes.len(), many.future_nodes.len(), many.findings.len()), (2, 50_000, 1));
    let future = told("NodeName=f[1-9] CPUs=4 State=FUTURE\nPartitionName=later Nodes=f[1-9]\nNodeSet=s Nodes=f[1-2]");
    assert_eq!((future.nodes.len(), future.partitions[0].nodes.len()), (2, 0));
    assert!(matches!(&future.findings[..], [one] if one.kind == FindingKind::Note), "{:?}", future.findings);
}

#[test]
fn what_is_not_modelled_of_preemption_is_told_by_mode() {
    let told = |text: &str| {
        let conf = format!("{text}\nNodeName=n1\nPartitionName=p Nodes=ALL\n");
        site(&[("slurm.conf", &conf)]).findings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told("PreemptType=preempt/qos\nPreemptMode=REQUEUE"), Vec::<String>::new());
    let suspended = told("PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG");
    assert_eq!(suspended, Vec::<String>::new());
    let refused = told("PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND");
    assert!(refused[0].contains("wrong: PreemptMode SUSPEND: Slurm does not start without GANG"), "{refused:?}");
    assert!(refused[0].ends_with("(slurm.conf(5), PreemptMode)"), "{refused:?}");
    let turns = told("PreemptMode=GANG");
    assert!(turns[0].contains("PreemptMode GANG: jobs do not take turns"), "{turns:?}");
    let of_partition =
        |mode: &str| told(&format!("PreemptType=preempt/partition_prio\nPartitionName=q Nodes=ALL PreemptMode={mode}"));
    assert_eq!(["OFF", "requeue", "CANCEL"].map(|mode| of_partition(mode).len()), [0; 3]);
    assert!(
        of_partition("SUSPEND")[0].contains("of partition q: nobody is suspended, because"),
        "{:?}",
        of_partition("SUSPEND")
    );
    assert!(of_partition("SWAP")[0].contains("wrong"));
    assert!(of_partition("REQUEUE,PRIORITY")[0].contains("whatever their priority"));
    assert_eq!(told("PreemptType=preempt/qos\nPreemptMode=CANCEL,WITHIN,PRIORITY"), Vec::<String>::new());
    let of_qos = |mode: &str| {
        let text = format!("Name|Priority|Preempt|PreemptMode\nhigh|10|low|{mode}\nlow|0||cluster\n");
        let read = site(&[("slurm.conf", "NodeName=n1\nPartitionName=p Nodes=ALL\n"), ("qos", &text)]);
        let told = read.findings.iter().map(ToString::to_string).collect::<Vec<_>>().concat();
        (read.qos[0].preempted, read.qos[0].preempts_within, told)
    };
    assert_eq!(of_qos("cluster"), (None, false, String::new()));
    assert_eq!(of_qos("within,requeue"), (Some(crate::PreemptedJobs::Killed), true, String::new()));
    assert!(of_qos("suspend").2.contains("of QOS high: nobody is suspended, because"), "{}", of_qos("suspend").2);
    assert!(of_qos("swap").2.contains("no such mode"), "{}", of_qos("swap").2);
    let saving = |words: &str| told(&format!("PartitionName=q Nodes=ALL {words}"));
    assert_eq!(saving("SuspendTime=INFINITE SuspendTimeout=30 ResumeTimeout=900"), Vec::<String>::new());
    assert!(saving("SuspendTime=soon")[0].contains("wrong"));
    assert!(told("TopologyPlugin=topology/tree")[0].contains("give it too"));
    assert!(told("TopologyPlugin=topology/block")[0].contains("wherever they are"));
    assert_eq!(told("TopologyPlugin=topology/none"), Vec::<String>::new());
}

#[test]
fn files_of_a_site_are_told_from_logs() {
    for own in
        [CONF, "# ours\n\nInclude x\n", "Account|User|Share\n", "add account a\n", "ReservationName=m Nodes=n1\n"]
    {
        assert!(is_of_site(own.as_bytes()), "{own}");
    }
    for log in [
        "JobID|User|Account|Partition|Priority|Submit\n",
        "; MaxProcs: 4\n1 0 0 1 1\n",
        "01/05/2026 12:00:00;E;1.host;user=ann group=g\n",
        "job,start\n",
        "{\"jobs\": []}",
        "",
        "a=\0",
    ] {
        assert!(!is_of_site(log.as_bytes()), "{log}");
    }
}

#[test]
fn blanks_sets_and_included_files_make_the_same_site() {
    let nodes = "NodeName = n[1-4] CPUs= 2 Feature =a\r\nNodeName=g1\n";
    let conf = "\u{feff}clustername = c\r\nPriorityType = priority/multifactor\nPriorityWeightFairshare= 7\n\
            Include /etc/slurm/nodes.conf\nNodeSet=all_a Feature=a\nPartitionName = p Nodes = all_a,g1 Default= YES\n\
            PartitionName=none Nodes=\"\"\n";
    for files in [[("slurm.conf", conf), ("nodes.conf", nodes)], [("nodes.conf", nodes), ("slurm.conf", conf)]] {
        let site = site(&files);
        assert_eq!(site.findings, []);
        assert_eq!((site.nodes.len(), site.cluster.as_str()), (5, "c"));
        assert_eq!((site.partitions[0].nodes.len(), site.partitions[1].nodes.len()), (5, 0));
        assert_eq!((site.priority.is_multifactor, site.priority.weights.fair_share), (true, 7.0));
    }
    let alone = site(&[("slurm.conf", conf)]);
    assert!(alone.findings.iter().any(|told| told.words.starts_with("Include /etc/slurm/nodes.conf")));
    let template = site(&[("slurm.conf.j2", "ClusterName={{ c }}\n{% for n in x %}\nNodeName={{ n }}\n")]);
    assert_eq!(template.findings.len(), 1);
    assert!(template.findings[0].words.contains("template"));
}

#[test]
fn of_several_clusters_only_the_own_counts() {
    let assoc = "User|Account|Cluster|Share|\n|root|c||\n|root|d||\n|a|c|3|\n|a|d|9|\nann|a|c|1|\n";
    let own = site(&[("assoc", assoc), ("slurm.conf", "ClusterName=C\nNodeName=n1\nPartitionName=p Nodes=ALL\n")]);
    assert_eq!((own.accounts.all.len(), own.accounts.all[1].shares), (3, Some(3)));
    assert!(matches!(&own.findings[..], [told] if told.words.contains("2 that are not of c")), "{:?}", own.findings);
    let dump = "QOS - 'fast':Description='a: b':Priority=3:MaxWall=1:00:00\nCluster - 'c':Fairshare=1\nParent - 'root'\n\
            Account - 'a':Descr='x:y':Org='z':Fairshare=7:MaxJobsAccrue=3:MinPrioThresh=4\n";
    let made = site(&[("dump", dump)]);
    assert_eq!(made.findings, []);
    assert_eq!((made.qos[0].priority, made.qos[0].limits.wall, made.accounts.all[1].shares), (3, Some(3600), Some(7)));
}

#[test]
fn a_table_of_fixed_width_is_not_read_and_the_remedy_is_told() {
    for (table, remedy) in [
        (
            "   Cluster    Account       User  Partition     Share   Priority GrpJobs\n---------- ---------- ---------- ---------- ---------\n\
                 c       root                               1\n",
            "sacctmgr -P show assoc",
        ),
        (
            "      Name   Priority  GraceTime    Preempt   UsageFactor\n---------- ---------- ----------\n    normal          0   00:00:00\n",
            "sacctmgr -P show qos",
        ),
        (
            "   Cluster        NodeName           TimeStart             TimeEnd  State\n---------- ---------------\n c n1 x\n",
            "sacctmgr -P show event",
        ),
    ] {
        assert!(is_of_site(table.as_bytes()));
        let site = site(&[("f", table)]);
        assert!(matches!(&site.findings[..], [told] if told.words.ends_with(remedy)), "{:?}", site.findings);
    }
    let jobs = "JobID JobName Account Share\n----- ------- ------- -----\n1 a b c\n";
    assert!(!is_of_site(jobs.as_bytes()));
}

#[test]
fn a_table_of_fixed_width_is_read_where_nothing_is_cut() {
    let qos = "      Name   Priority                Flags     MaxTRESPU GrpTRESRunMin     MaxWall \n\
            ---------- ---------- -------------------- ------------- ------------- ----------- \n    \
            normal          0                                                              \n      \
            fast         50          DenyOnLimit        cpu=64       cpu=900    02:00:00 \n";
    let read = site(&[("qos.txt", qos)]);
    assert_eq!((read.findings.len(), read.qos.len()), (0, 2), "{:?}", read.findings);
    let limits = &read.qos[1].limits;
    assert_eq!(
        (limits.tres_of_user.cpus, limits.wall, limits.tres_run_minutes.cpus),
        (Some(64.0), Some(7200), Some(900.0))
    );
    let cut = qos.replace("      cpu=64", "cpu=64,gres/+");
    assert!(matches!(&site(&[("qos.txt", &cut)]).findings[..], [told] if told.words.ends_with("sacctmgr -P show qos")));
    let row = |cells: [&str; 5]| {
        let [cluster, account, user, share, qos] = cells;
        format!("{cluster:>10} {account:>20} {user:>10} {share:>9} {qos:>20} \n")
    };
    let [narrow, wide] = [10, 20].map(|width| "-".repeat(width));
    let assoc = row(["Cluster", "Account", "User", "Share", "QOS"])
        + &row([&narrow, &wide, &narrow, "---------", &wide])
        + &row(["c", "root", "", "1", "normal,short,fast,l+"])
        + &row(["c", "lab", "", "5", "normal"])
        + &row(["c", "lab", "ann", "2", "normal"]);
    let assoc = site(&[("assoc.txt", &assoc)]);
    assert_eq!((assoc.findings.len(), assoc.accounts.all.len()), (0, 3), "{:?}", assoc.findings);
    let row = |cells: [&str; 4]| {
        let [account, user, shares, used] = cells;
        format!("{account:<20} {user:>10} {shares:>10} {used:>10} \n")
    };
    let shares = row(["Account", "User", "RawShares", "RawUsage"])
        + &row([&wide, &narrow, &narrow, &narrow])
        + &row(["root", "", "", "900"])
        + &row([" lab", "", "5", "900"])
        + &row(["  sub", "", "2", "700"])
        + &row(["   sub", "ann", "1", "700"]);
    let shares = site(&[("sshare.txt", &shares)]);
    let ann = shares.accounts.of("sub", "ann").unwrap();
    assert_eq!((shares.findings.len(), shares.accounts.upwards(ann).count()), (0, 4), "{:?}", shares.findings);
}

#[test]
fn lists_that_are_no_part_of_a_site_are_told_apart() {
    let beside = |text: &str| {
        let read = site(&[("f", text)]);
        assert!(matches!(&read.findings[..], [told] if told.kind == FindingKind::Note), "{text}: {:?}", read.findings);
        is_of_site(text.as_bytes())
    };
    for jobs in [
        "JobId=12 JobName=x\n   UserId=ann(1000) JobState=RUNNING\n",
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n 6 test x ann R 1:00 1 n1\n",
        "JOBID PARTITION NAME STATE NODELIST REASON\n6 test x DRAIN n1 None\n",
        "JOBID|STATE|NODELIST\n6|RUNNING|n1\n",
    ] {
        assert!(!beside(jobs), "{jobs}");
    }
    for list in [
        "JOBID PARTITION PRIORITY SITE JOBSIZE\n2 batch 12 0 12\n",
        "User|Def Acct|Admin|\nann|lab|None|\n",
        "Account|Descr|Org|\nlab|lab|lab|\n",
        "Name|Server|Type|Count|Allocated|ServerType|Flags\nmatlab|flex|License|10|100|flexlm|\n",
        "PARTITION CPUS MEMORY GRES\nbatch 4 1000 gpu:1\n",
    ] {
        assert!(beside(list), "{list}");
    }
    let of_cluster = "CLUSTER: c\nPARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nbatch up infinite 1 down n1\n";
    assert_eq!(site(&[("sinfo.txt", of_cluster)]).away.len(), 1);
    assert_eq!(site(&[("sinfo.txt", "HOSTNAMES STATE\nn1 drained\n")]).away.len(), 1);
    let none = "No licenses configured in Slurm.\n";
    assert_eq!(site(&[("licenses.txt", none)]).findings, []);
}

#[test]
fn lists_of_nodes_and_partitions_belong_to_slurm_conf() {
    let conf = "ClusterName=c\nSelectType=select/cons_tres\nPriorityWeightAge=1\n";
    let files = [
        ("nodes.conf", "NodeName=n[1-4] CPUs=2\nNodeSet=all Nodes=n[1-4]\n"),
        ("slurm.conf", conf),
        ("parts.conf", "PartitionName=a Nodes=all, MaxTime=60 State=UP\n"),
    ];
    for files in [&files[..], &[files[2], files[0]]] {
        let read = site(files);
        assert_eq!((read.nodes.len(), read.partitions.len()), (4, 1), "{:?}", read.findings);
        assert_eq!((read.partitions[0].nodes.len(), read.partitions[0].max_time), (4, Some(3600)));
        assert!(read.findings.iter().all(|told| told.kind == FindingKind::Note), "{:?}", read.findings);
    }
    // what an Include that is not there may name is not missed
    let read = site(&[("slurm.conf", "ClusterName=c\nInclude nodes.conf\n")]);
    assert!(read.findings.iter().all(|told| told.kind != FindingKind::Wrong), "{:?}", read.findings);
}

#[test]
fn what_gres_conf_includes_is_no_part_of_slurm_conf() {
    let files = [
        ("gres.conf", "# made\ninclude /etc/slurm/cpu_gres.conf\ninclude /etc/slurm/gpu_gres.conf\n"),
        ("cpu_gres.conf", "# no GPUs\n"),
        ("gpu_gres.conf", "NodeName=n1 Name=gpu File=/dev/nvidia0\n"),
        ("slurm.conf", "ClusterName=c\nNodeName=n1 CPUs=2 Gres=gpu:1\nPartitionName=a Nodes=n1 Default=True\n"),
    ];
    let read = site(&files);
    assert!(read.findings.iter().all(|told| told.kind == FindingKind::Note), "{:?}", read.findings);
    assert_eq!((read.findings.len(), read.nodes.len(), read.partitions[0].is_default), (2, 1, true));
    // each file that scontrol's output is in is told of its own lines
    let node = "NodeName=n1 CPUTot=2\n   Gres=tmp:1\n";
    let config = "Configuration data as of 2026-01-01T00:00:00\nMCSPlugin = mcs/user\n";
    let read = site(&[("nodes", node), ("config", config)]);
    let told: Vec<_> = read.findings.iter().map(|told| (told.file.as_str(), told.line)).collect();
    assert_eq!(told, [("config", 2), ("nodes", 1), ("nodes", 0)], "{:?}", read.findings);
}

#[test]
fn users_of_accounts_that_are_not_listed_are_told_once() {
    let assoc = "Cluster|Account|User|Partition|Share|Priority\nc|a|ann|p1|1|7\nc|a|ann|p2|1|\nc|b|ann||1|\n";
    let read = site(&[("assoc.txt", assoc)]);
    assert!(
        matches!(&read.findings[..], [told] if told.words.starts_with("account a and another")),
        "{:?}",
        read.findings
    );
    assert_eq!(read.accounts.all.iter().filter_map(|own| own.priority).collect::<Vec<_>>(), [7]);
    let dump = "Cluster - 'c'\nParent - 'root'\nAccount - 'a':GrpJob=20:QOS+='normal':MaxWallDuration=40\nParent - 'a'\n\
            User - 'ann':MaxCPUMins=9\n";
    let read = site(&[("dump.cfg", dump)]);
    let limits = &read.accounts.all[1].limits;
    assert_eq!((read.findings.len(), limits.jobs, limits.wall), (0, Some(20), Some(2400)), "{:?}", read.findings);
}

#[test]
fn what_slurm_goes_by_and_is_not_modelled_is_told() {
    let conf = "SlurmctldHost=h\nAccountingStorageEnforce=safe\nBurstBufferType=burst_buffer/lua\nMCSPlugin=mcs/user\n\
            NodeFeaturesPlugins=node_features/helpers\nPrioritySiteFactorPlugin=priority/x\nPreemptExemptTime=00:00:00\n\
            SlurmctldParameters=enable_configless,max_powered_nodes=4\nPriorityWeightTRES=license/x=5\nFastSchedule=0\n\
            NodeName=n1 CPUs=2\nPartitionName=a Nodes=n1 DefaultTime=60 MaxTime=30 TRESBillingWeights=CPU=1,license/x=3\n";
    let read = site(&[("slurm.conf", conf), ("qos.txt", "Name|Priority|GrpTRESMins\nnormal|0|cpu=9\n")]);
    let of = |kind: FindingKind| {
        let own = read.findings.iter().filter(move |told| told.kind == kind);
        own.map(|told| (told.line, told.words.split([' ', '=']).next().unwrap_or_default())).collect::<Vec<_>>()
    };
    let not_modelled = [
        (3, "BurstBufferType"),
        (4, "MCSPlugin"),
        (5, "NodeFeaturesPlugins"),
        (6, "PrioritySiteFactorPlugin"),
        (8, "SlurmctldParameters"),
        (9, "PriorityWeightTRES"),
        (10, "FastSchedule"),
        (12, "TRESBillingWeights"),
        (0, "AccountingStorageEnforce"),
    ];
    assert_eq!(of(FindingKind::NotModelled), not_modelled);
    assert_eq!((of(FindingKind::Wrong), of(FindingKind::Ignored)), (vec![], vec![(12, "DefaultTime")]));
    assert_eq!(of(FindingKind::Note), [(0, "SelectType")]);
    assert_eq!(crate::without_effect(&read), ["SlurmctldHost"]);
}

#[test]
fn jobs_get_whole_nodes_where_an_old_version_is_told_no_plugin() {
    let is_linear = |text: &str| {
        let conf = format!("ControlMachine=h\n{text}NodeName=n1 CPUs=8\nPartitionName=p Nodes=ALL\n");
        let read = site(&[("slurm.conf", &conf)]);
        let told = read.findings.iter().any(|told| told.words.contains("jobs get whole nodes"));
        assert_eq!(read.is_linear && !text.contains("linear"), told, "{text}");
        read.is_linear
    };
    assert!(is_linear("CacheGroups=0\n") && is_linear("SelectType=select/linear\n"));
    assert!(!is_linear("") && !is_linear("CacheGroups=0\nSelectType=select/cons_res\n"));
    assert!(!is_linear("CacheGroups=0\nSelectTypeParameters=CR_CPU\n"));
}

#[test]
fn reservations_and_events_have_times() {
    let shown = "ReservationName=maint StartTime=2026-11-23T21:09:13 EndTime=2026-11-23T21:54:13 Duration=00:45:00\n   \
            Nodes=n[1-2] NodeCnt=2 Flags=MAINT\n   Users=root Accounts=(null)\n";
    let events = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\nc||2026-11-23T00:00:00|Unknown||started|\n\
            c|n3|2026-11-23T22:00:00|2026-11-23T23:00:00|DRAIN|repair|root\n";
    let site = site(&[("resv", shown), ("events", events)]);
    assert!(
        matches!(&site.findings[..], [told] if told.words.contains("from the first job on") && told.kind == FindingKind::Note)
    );
    assert_eq!(site.reservations[0].time.announced, None);
    assert_eq!(site.reservations[0].nodes, ["n1", "n2"]);
    assert_eq!(site.reservations[0].time.until - site.reservations[0].time.from, 2700);
    assert_eq!((site.events.len(), site.events[0].until.unwrap() - site.events[0].from), (1, 3600));
}

#[test]
fn a_reservation_is_open_to_its_users_and_accounts() {
    let assoc =
        "Account|User|ParentName|Share\nroot|||1\nlab||root|1\nteam||lab|1\nother||root|1\nteam|ann||1\nother|bob||1\n";
    let is_open = |who: &str| {
        let shown = format!(
            "ReservationName=r StartTime=2026-01-05T09:00:00 EndTime=2026-01-05T11:00:00\n   Nodes=n1 Flags=MAGNETIC\n   {who}\n"
        );
        let read = site(&[("assoc", assoc), ("res", &shown)]);
        let open = |account: &str, user: &str| {
            read.reservations[0].is_open_to(&read.accounts, read.accounts.of(account, user).unwrap())
        };
        (open("team", "ann"), open("other", "bob"))
    };
    for (who, open) in [
        ("Users=(null) Accounts=(null)", (true, true)),
        ("Users=ann,eve Accounts=(null)", (true, false)),
        ("Users=-ann Accounts=(null)", (false, true)),
        // ann's account is below it
        ("Users=(null) Accounts=lab", (true, false)),
        ("Users=(null) Accounts=-lab", (false, true)),
        ("Users=bob Accounts=lab", (false, false)),
    ] {
        assert_eq!(is_open(who), open, "{who}");
    }
}
