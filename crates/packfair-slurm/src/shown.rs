//! The reader of what `scontrol show config`, `show partition` and `show node` print, which stand in place of
//! `slurm.conf`: one after the other in a file or each in its own, on several lines or one for each object (`-o`).

use super::away::{self, NodeAway};
use super::conf;
use super::lines::{FindingKind, FindingLog, words};
use super::nodes::{self, NodeLine};
use super::partitions::{PartitionLine, PartitionPlaces, PreemptedJobs};
use super::site::Site;

/// How the output of `scontrol show config` begins.
const CONFIG: &str = "Configuration data as of";

/// A partition or a node: the file and the line that it stands on, and its words.
type ShownItem<'a> = ((&'a str, u32), Vec<(String, String)>);

#[derive(Debug, Default)]
pub(super) struct ShownSite<'a> {
    keys: Vec<((&'a str, u32), String, String)>,
    partitions: Vec<ShownItem<'a>>,
    nodes: Vec<ShownItem<'a>>,
    /// For each node, since when it has the state that it has.
    since: Vec<Option<i64>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownPart {
    Config,
    Partitions,
    Nodes,
    /// Behind the keys of slurm.conf: those of other files, and which daemons are up.
    Other,
}

/// The keys that `scontrol show config` has beyond those of `slurm.conf`.
const OF_THE_RUN: &[&str] = &["boot_time", "hash_val", "multiple_slurmd", "next_job_id", "slurm_conf", "slurm_version"];

/// The words for a value that nobody has set.
const UNSET: &[&str] = &["", "(null)", "n/a", "none"];

/// The keys whose value counts whatever it is: names, and the nodes of a partition, which may have none.
const ALWAYS: &[&str] = &["partitionname", "nodename", "nodes"];

/// Values that mean the same as none, by their keys in lower case.
const AS_USUAL: &[(&str, &str)] = &[("preemptexempttime", "00:00:00"), ("minnodes", "0")];

/// Whether a text begins as one of these does: its first line, and the whole of what is known of it, in lower case.
pub(super) fn is_shown(first: &str, lower: &str) -> bool {
    let first = first.trim_start();
    let begins = |word: &str| first.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    // slurm.conf has neither the totals of a partition nor those of a node
    begins(CONFIG)
        || (begins("PartitionName=") && (lower.contains("totalnodes=") || lower.contains("totalcpus=")))
        || (begins("NodeName=") && lower.contains("cputot="))
}

fn is_unset(key: &str, value: &str) -> bool {
    let is_none = UNSET.iter().any(|word| value.eq_ignore_ascii_case(word)) || AS_USUAL.contains(&(key, value));
    is_none && !ALWAYS.contains(&key)
}

impl<'a> ShownSite<'a> {
    /// Whether no file showed anything.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.partitions.is_empty() && self.nodes.is_empty()
    }

    pub(super) fn has_partitions(&self) -> bool {
        !self.partitions.is_empty()
    }

    /// Reads a text. What it shows comes beside what others have shown.
    pub(super) fn read(&mut self, file: &'a str, text: &str) {
        let mut part = ShownPart::Other;
        for (line, content) in (1..).zip(text.lines()) {
            let begins = |word: &str| {
                content.trim_start().get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
            };
            let is_new = match () {
                () if begins(CONFIG) => {
                    part = ShownPart::Config;
                    continue;
                }
                () if begins("PartitionName=") => {
                    part = ShownPart::Partitions;
                    true
                }
                () if begins("NodeName=") => {
                    part = ShownPart::Nodes;
                    true
                }
                () => false,
            };
            let objects = match part {
                ShownPart::Other => continue,
                ShownPart::Config => {
                    match content.split_once('=') {
                        Some((key, value)) => {
                            self.keys.push(((file, line), key.trim().to_owned(), value.trim().to_owned()))
                        }
                        // a headline: what follows is of other files
                        None if !content.trim().is_empty() => part = ShownPart::Other,
                        None => {}
                    }
                    continue;
                }
                ShownPart::Partitions => &mut self.partitions,
                ShownPart::Nodes => &mut self.nodes,
            };
            if is_new {
                objects.push(((file, line), Vec::new()));
            }
            if part == ShownPart::Nodes {
                self.since.resize(objects.len(), None);
                if let (Some(since), Some(told)) = (self.since.last_mut(), away::since(content)) {
                    *since = Some(told);
                }
            }
            if let Some((_, words_of)) = objects.last_mut() {
                let told = words(content).into_iter().filter_map(|(key, value)| Some((key, value?)));
                for (key, value) in told {
                    // a remark at the end may look like a key
                    if !words_of.iter().any(|(other, _)| *other == key) {
                        words_of.push((key, value));
                    }
                }
            }
        }
    }

    /// The nodes that are down or drained.
    pub(super) fn away(&self) -> impl Iterator<Item = NodeAway> {
        self.nodes.iter().zip(&self.since).filter_map(|((_, words), &since)| {
            let value =
                |name: &str| words.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
            let what = away::outage(value("State")?)?;
            Some(NodeAway { node: value("NodeName")?.clone(), since, what })
        })
    }

    /// The partitions that nodes name, for want of others.
    fn partitions_of_nodes(&self) -> Vec<ShownItem<'a>> {
        let mut found: Vec<(ShownItem<'a>, Vec<&str>)> = Vec::new();
        for (at, words) in &self.nodes {
            let value = |name: &str| words.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
            let names = value("Partitions").unwrap_or_default().split(',').filter(|name| !name.is_empty());
            for (name, node) in names.filter_map(|name| Some((name, value("NodeName")?))) {
                match found.iter_mut().find(|((_, words), _)| words[0].1 == name) {
                    Some((_, nodes)) => nodes.push(node),
                    None => found.push(((*at, vec![("PartitionName".to_owned(), name.to_owned())]), vec![node])),
                }
            }
        }
        let with_nodes = |((at, mut words), nodes): (ShownItem<'a>, Vec<&str>)| {
            words.push(("Nodes".to_owned(), nodes.join(",")));
            (at, words)
        };
        found.into_iter().map(with_nodes).collect()
    }

    pub(super) fn put(&self, site: &mut Site, findings: &mut FindingLog<'a>) {
        for ((file, line), key, value) in &self.keys {
            findings.turn_to(file);
            // SlurmctldHost[0]
            let bare = key.split('[').next().unwrap_or(key);
            let lower = bare.to_ascii_lowercase();
            if OF_THE_RUN.contains(&lower.as_str()) || is_unset(&lower, value) {
                continue;
            }
            conf::take(*line, &lower, bare, without_unit(value), site, findings);
        }
        for ((file, line), words) in &self.nodes {
            findings.turn_to(file);
            let counts = does_layout_make(words);
            let is_told = |name: &str| words.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
            let has_count = is_told("CoreSpecCount");
            let words = words.iter().filter_map(|(key, value)| Some((node_key(key)?, value)));
            let kept = words.filter(|(key, value)| {
                !is_unset(&key.to_ascii_lowercase(), value)
                    && (counts || !LAYOUT.contains(key))
                    // it is the same, core by core
                    && (*key != "CpuSpecList" || !has_count)
            });
            let kept: Vec<_> = kept.map(|(key, value)| (key.to_owned(), Some(value.clone()))).collect();
            nodes::read(*line, &kept, &mut NodeLine::default(), site, findings);
        }
        conf::keep_first(site, findings);
        let names = site.nodes.iter().zip(0..).map(|(node, at)| (node.name.as_str(), at)).collect();
        let places = PartitionPlaces { names, sets: &[], future: &site.future_nodes };
        let (has_config, preempted) = (!self.keys.is_empty(), site.preempted);
        let of = |((_, line), words): &ShownItem<'_>| {
            // that of the site, where a partition has none of its own
            let own_mode = |value: &str| has_config && PreemptedJobs::of(value).is_some_and(|own| own != preempted);
            let is_kept = |key: &str, value: &str| match key.to_ascii_lowercase().as_str() {
                "preemptmode" => own_mode(value),
                key => !PARTITION_TOTALS.contains(&key) && !is_unset(key, value),
            };
            let kept = words.iter().filter(|(key, value)| is_kept(key, value));
            let value = |value: &str| if value == "(null)" { String::new() } else { value.to_owned() };
            let kept: Vec<_> = kept.map(|(key, text)| (key.clone(), Some(value(text)))).collect();
            PartitionLine::new((0, *line), &kept, &PartitionLine::default())
        };
        let of_nodes = if self.partitions.is_empty() { self.partitions_of_nodes() } else { Vec::new() };
        if !of_nodes.is_empty() {
            let words = "partitions are those that nodes name; which is the default, their limits and priorities scontrol show \
                         partition tells";
            findings.note(FindingKind::Note, 0, words);
        }
        let shown = if of_nodes.is_empty() { &self.partitions } else { &of_nodes };
        let lines: Vec<PartitionLine> = shown.iter().map(of).collect();
        let made = |(line, ((file, _), _)): (&PartitionLine, &ShownItem<'a>)| {
            findings.turn_to(file);
            line.partition(&site.nodes, &places, findings)
        };
        let partitions: Vec<_> = lines.iter().zip(shown).map(made).collect();
        site.partitions = partitions;
        conf::complete(FindingKind::Note, ["scontrol show node", "scontrol show partition"], site, findings);
    }
}

/// The keys of partitions that tell sums, not rules.
const PARTITION_TOTALS: &[&str] = &["totalcpus", "totalnodes", "tres", "nodesets", "suspendexcnodes"];

/// The keys of a node that tell where its processors are.
const LAYOUT: &[&str] = &["Boards", "Sockets", "CoresPerSocket", "ThreadsPerCore"];

/// Whether the sockets, cores and threads that are shown of a node make its CPUTot, which is what it has.
fn does_layout_make(words: &[(String, String)]) -> bool {
    let count = |name: &str| {
        let (_, value) = words.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        value.parse::<u64>().ok().filter(|&count| count > 0)
    };
    let [sockets, cores, threads] =
        ["Sockets", "CoresPerSocket", "ThreadsPerCore"].map(|name| count(name).unwrap_or(1));
    let sums = [1, cores, cores.saturating_mul(threads)].map(|on_socket| sockets.saturating_mul(on_socket));
    count("CPUTot").is_none_or(|all| sums.contains(&all))
}

/// The key of `slurm.conf` for what is shown of a node; none where it decides on nothing here.
fn node_key(shown: &str) -> Option<&'static str> {
    match shown.to_ascii_lowercase().as_str() {
        "nodename" => Some("NodeName"),
        "cputot" => Some("CPUs"),
        "boards" => Some("Boards"),
        "sockets" => Some("Sockets"),
        "corespersocket" => Some("CoresPerSocket"),
        "threadspercore" => Some("ThreadsPerCore"),
        "corespeccount" => Some("CoreSpecCount"),
        "cpuspeclist" => Some("CpuSpecList"),
        "realmemory" => Some("RealMemory"),
        "memspeclimit" => Some("MemSpecLimit"),
        "gres" => Some("Gres"),
        "weight" => Some("Weight"),
        "availablefeatures" => Some("Feature"),
        _ => None,
    }
}

/// A number without the unit that is shown behind it: `30 sec`, `300 nodes/min`.
fn without_unit(value: &str) -> &str {
    match value.split_once(' ') {
        Some((number, "sec" | "min" | "usec" | "secs" | "mins" | "nodes/min" | "percent"))
            if number.parse::<u64>().is_ok() =>
        {
            number
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SiteFile, Version, is_of_site, read_site};

    const CONF: &str = "ClusterName=c\nSchedulerType=sched/backfill\nSchedulerParameters=bf_window=2880,bf_continue\n\
        SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nPriorityType=priority/multifactor\n\
        PriorityWeightFairshare=1000\nPriorityDecayHalfLife=14-0\nAccountingStorageEnforce=associations,limits,qos\n\
        KillWait=40\nOverTimeLimit=2\nCompleteWait=5\nPreemptType=preempt/qos\nPreemptMode=REQUEUE\nJobRequeue=0\n\
        NodeName=n[1-2] CPUs=8 RealMemory=1000 Feature=a,b\nNodeName=g1 CPUs=16 RealMemory=2000 Gres=gpu:a100:4 Weight=5\n\
        PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=7-0 DefaultTime=60 TRESBillingWeights=CPU=1.0,Mem=0.25G\n\
        PartitionName=gpu Nodes=g1 PriorityTier=3 PriorityJobFactor=3 MaxNodes=1 OverSubscribe=EXCLUSIVE QOS=fast\n\
        PartitionName=none Nodes=\"\"\n";

    const CONFIG: &str = "Configuration data as of 2026-01-01T00:00:00\nAccountingStorageBackupHost = (null)\n\
        AccountingStorageEnforce = associations,limits,qos\nBOOT_TIME               = 2026-01-01T00:00:00\n\
        BatchStartTimeout       = 10 sec\nClusterName             = c\nCompleteWait            = 5 sec\n\
        DefMemPerNode           = UNLIMITED\nEioTimeout              = 60\nJobRequeue              = 0\n\
        KillWait                = 40 sec\nMULTIPLE_SLURMD         = Yes\nOverTimeLimit           = 2 min\n\
        PreemptMode             = REQUEUE\nPreemptType             = preempt/qos\nPreemptExemptTime       = 00:00:00\n\
        PriorityParameters      = (null)\nPriorityDecayHalfLife   = 14-00:00:00\nPriorityCalcPeriod      = 00:05:00\n\
        PriorityFavorSmall      = No\nPriorityFlags           = \nPriorityMaxAge          = 7-00:00:00\n\
        PriorityUsageResetPeriod = NONE\nPriorityType            = priority/multifactor\nPriorityWeightAge       = 0\n\
        PriorityWeightFairShare = 1000\nPriorityWeightTRES      = (null)\nSchedulerParameters     = bf_window=2880,bf_continue\n\
        SchedulerType           = sched/backfill\nSelectType              = select/cons_tres\n\
        SelectTypeParameters    = CR_CORE_MEMORY\nSLURM_VERSION           = 22.05.8\nSlurmctldHost[0]        = h\n\
        SlurmctldHost[1]        = i\nTaskPluginParam         = (null type)\n\nCgroup Support Configuration:\n\
        AllowedRAMSpace         = 100.0%\nPriorityWeightAge = 77\n\nSlurmctld(primary) at h is UP\n";

    const PARTITIONS: &str = "PartitionName=batch\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   \
        AllocNodes=ALL Default=YES QoS=N/A\n   DefaultTime=01:00:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO\n   \
        MaxNodes=UNLIMITED MaxTime=7-00:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED\n   Nodes=n[1-2]\n   \
        PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO\n   OverTimeLimit=NONE PreemptMode=REQUEUE\n   \
        State=UP TotalCPUs=16 TotalNodes=2 SelectTypeParameters=NONE\n   JobDefaults=(null)\n   \
        DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED\n   TRES=cpu=16,mem=2000M,node=2,billing=16\n   \
        TRESBillingWeights=CPU=1.0,Mem=0.25G\n\nPartitionName=gpu\n   AllowGroups=ALL Default=NO QoS=fast\n   DefaultTime=NONE \
        MaxNodes=1 MaxTime=UNLIMITED MinNodes=0\n   Nodes=g1\n   PriorityJobFactor=3 PriorityTier=3 OverSubscribe=EXCLUSIVE\n   \
        State=UP TotalCPUs=16 TotalNodes=1\n\nPartitionName=none\n   Nodes=(null)\n   State=UP TotalCPUs=0 TotalNodes=0\n";

    const NODES: &str = "NodeName=n1 Arch=x86_64 CoresPerSocket=4 \n   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=0.00\n   \
        AvailableFeatures=a,b\n   ActiveFeatures=a,b\n   Gres=(null)\n   NodeAddr=n1 NodeHostName=n1 Version=22.05.8\n   \
        OS=Linux 5.15.0 #1 SMP Wed \n   RealMemory=1000 AllocMem=0 FreeMem=900 Sockets=2 Boards=1\n   \
        State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n   Partitions=batch \n   \
        CfgTRES=cpu=8,mem=1000M,billing=8\n   Reason=it's Weight=9 [root@2026-01-01T00:00:00]\n\n\
        NodeName=n2 CPUTot=8\n   AvailableFeatures=a,b RealMemory=1000\n\n\
        NodeName=g1 CPUTot=16 RealMemory=2000 Weight=5\n   Gres=gpu:a100:4(S:0-1)\n";

    fn site(files: &[(&str, &str)]) -> Site {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        read_site(&files, Version::default())
    }

    fn one_line(text: &str) -> String {
        let join = |object: &str| object.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        text.split("\n\n").map(join).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_scontrol_shows_makes_the_site_of_its_slurm_conf() {
        let mut told = site(&[("slurm.conf", CONF)]);
        assert_eq!(told.findings, []);
        (told.conf, told.files) = (None, Vec::new());
        let (nodes, partitions) = (one_line(NODES), one_line(PARTITIONS));
        let together = format!("{CONFIG}\n{PARTITIONS}\n{NODES}");
        for files in [
            vec![("config", CONFIG), ("partitions", PARTITIONS), ("nodes", NODES)],
            vec![("nodes", nodes.as_str()), ("config", CONFIG), ("partitions", partitions.as_str())],
            vec![("all", together.as_str())],
        ] {
            assert!(files.iter().all(|(_, text)| is_of_site(text.as_bytes())));
            let shown = site(&files);
            assert_eq!(shown.findings, []);
            assert_eq!(Site { files: Vec::new(), ..shown }, told);
        }
    }

    #[test]
    fn what_is_as_for_the_site_is_shown_of_partitions_too() {
        let shown =
            PARTITIONS.replace("JobDefaults=(null)", "ResumeTimeout=GLOBAL SuspendTimeout=GLOBAL SuspendTime=GLOBAL");
        let read = site(&[("config", CONFIG), ("partitions", &shown), ("nodes", NODES)]);
        assert_eq!((&read.findings[..], read.partitions[0].preempted), (&[][..], None));
        let own = PARTITIONS.replace("PreemptMode=REQUEUE", "PreemptMode=OFF");
        let read = site(&[("config", CONFIG), ("partitions", &own), ("nodes", NODES)]);
        assert_eq!(read.partitions[0].preempted, Some(PreemptedJobs::Spared));
        let alone = site(&[("partitions", PARTITIONS)]);
        let kinds: Vec<_> = alone.findings.iter().map(|told| (told.kind, told.line)).collect();
        assert_eq!((kinds, alone.partitions.len()), (vec![(FindingKind::Note, 0)], 3), "{:?}", alone.findings);
    }

    #[test]
    fn a_node_has_the_processors_that_are_shown() {
        let node = "NodeName=n1 CoresPerSocket=24\n   CPUTot=24 Sockets=2 Boards=1\n   CoreSpecCount=1 CPUSpecList=22-23 \
            RealMemory=9000 MemSpecLimit=1000\n   ThreadsPerCore=2 Gres=gpu:nvidia_a100-sxm4:2(S:0-1),tmpdisk:90\n";
        let read = site(&[("nodes", node)]);
        let told: Vec<_> = read.findings.iter().map(|told| told.kind).collect();
        assert_eq!(told, [FindingKind::NotModelled, FindingKind::Note], "{:?}", read.findings);
        let node = &read.nodes[0];
        assert_eq!((node.cpus, node.reserved_cpus, node.memory, node.gpus), (24, 1, 8000, 2));
    }

    #[test]
    fn slurm_conf_counts_where_it_is_there_too() {
        let both = site(&[("nodes", NODES), ("slurm.conf", CONF)]);
        assert!(matches!(&both.findings[..], [note] if note.file == "nodes" && note.words.contains("slurm.conf")));
        assert_eq!(both.nodes.len(), 3);
        let template = site(&[("nodes", NODES), ("slurm.conf.j2", "ClusterName={{ c }}\n")]);
        assert_eq!(template.nodes.len(), 3, "a template is no slurm.conf");
        let alone = site(&[("nodes", NODES)]);
        assert_eq!((alone.nodes.len(), alone.partitions.len(), alone.partitions[0].nodes.len()), (3, 1, 1));
        assert!(alone.findings.iter().any(|told| told.words.starts_with("partitions are those that nodes name")));
        let bare = NODES.replace("Partitions=batch", "");
        assert_eq!(site(&[("nodes", &bare)]).partitions[0].nodes.len(), 3);
        assert_eq!(site(&[("config", CONFIG)]).priority.weights.age, 0.0, "cgroup.conf is another file");
    }
}
