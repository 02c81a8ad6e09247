//! The reader of `slurm.conf`.

use super::lines::{FindingKind, FindingLog, conf_words, is_yes, lines, spans};
use super::nodes;
use super::nodes::NodeLine;
use super::parameters::Parameters;
use super::partitions::{NodeSet, PartitionLine, PartitionPlaces, PreemptedJobs};
use super::quantity::{licences, span};
use super::site::{PreemptBy, Site};
use super::unmodelled::{OF_NODES, OF_PARTITIONS, is_without_effect};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct ConfFile<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// The keys that may stand on several lines, all of which count.
const REPEATED: &[&str] = &["slurmctldhost", "prolog", "prologslurmctld", "epilog", "epilogslurmctld", "poweraction"];

/// How deep files may include each other.
const DEEPEST: usize = 10;

/// The file that an Include line names; none if the line is none.
fn included(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let is_include = words.next().is_some_and(|word| word.eq_ignore_ascii_case("include"));
    is_include.then(|| words.next().unwrap_or_default().trim_matches(['"', '\'']))
}

/// Whether a file of this name is the one that an Include line names: one is the end of the other.
pub(super) fn is_named(include: &str, file: &str) -> bool {
    let parts = |path: &'_ str| {
        path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").rev().collect::<Vec<_>>().join("/")
    };
    let (include, file) = (parts(include), parts(file));
    let is_begin =
        |short: &str, long: &str| long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    !include.is_empty() && !file.is_empty() && (is_begin(&include, &file) || is_begin(&file, &include))
}

/// The files that a text includes, as it names them.
pub(super) fn includes(text: &str) -> Vec<String> {
    lines(text).iter().filter_map(|(_, line)| included(line).map(str::to_owned)).collect()
}

/// Puts the lines of a file into `found`, and those of the files that it includes where it includes them.
fn gather(
    at: usize,
    parts: &[ConfFile<'_>],
    way: &mut Vec<usize>,
    found: &mut Vec<(usize, u32, String)>,
    missing: &mut Vec<(usize, u32, String)>,
) {
    way.push(at);
    for (line, content) in lines(parts[at].text) {
        let Some(file) = included(&content) else {
            found.push((at, line, content));
            continue;
        };
        match parts.iter().position(|part| is_named(file, part.name)) {
            Some(other) if !way.contains(&other) && way.len() < DEEPEST => gather(other, parts, way, found, missing),
            _ => missing.push((at, line, file.to_owned())),
        }
    }
    way.pop();
}

/// Reads a `slurm.conf`, the first of `parts`, into a site. The others are the files that it may include.
pub(super) fn read<'a>(parts: &[ConfFile<'a>], site: &mut Site, findings: &mut FindingLog<'a>) {
    let (mut node_default, mut partition_default) = (NodeLine::default(), PartitionLine::default());
    let mut partitions: Vec<PartitionLine> = Vec::new();
    let mut sets = Vec::new();
    let mut seen: FxHashMap<String, (usize, u32)> = FxHashMap::default();
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    gather(0, parts, &mut Vec::new(), &mut all, &mut missing);
    let included: FxHashSet<usize> = all.iter().map(|(file, ..)| *file).collect();
    for other in (1..parts.len()).filter(|other| !included.contains(other) && is_list(parts[*other].text)) {
        findings.turn_to(parts[other].name);
        findings.note(FindingKind::Note, 0, "no Include names it: it is read behind the rest");
        gather(other, parts, &mut Vec::new(), &mut all, &mut missing);
    }
    // where a file is missing, or nodes register by themselves, there may be others
    let is_whole = missing.is_empty() && !all.iter().any(|(.., content)| begins_with(content, "MaxNodeCount"));
    for (file, line, named) in missing {
        findings.turn_to(parts[file].name);
        let words = format!("Include {named:.100}: what stands in that file is not here; drop or name it too");
        findings.note(FindingKind::Unknown, line, words);
    }
    for (file, line, content) in &all {
        let (file, line) = (*file, *line);
        findings.turn_to(parts[file].name);
        if spans(content).iter().any(|span| span.is_parted) {
            findings.wrong(
                line,
                format!("{content:.60}: a blank within a value; Slurm reads up to it, so put the value into quotes"),
            );
        }
        let words = conf_words(content);
        let Some((key, value)) = words.first() else { continue };
        let lower = key.to_ascii_lowercase();
        let Some(value) = value else {
            findings.wrong(line, format!("{key:.60}: a line begins with Key=Value"));
            continue;
        };
        match lower.as_str() {
            "nodename" => nodes::read(line, &words, &mut node_default, site, findings),
            "partitionname" => {
                let said = PartitionLine::new((file, line), &words, &partition_default);
                if said.name.eq_ignore_ascii_case("default") {
                    partition_default = said;
                } else if partitions.iter().any(|other| other.name == said.name) {
                    findings.wrong(line, format!("partition {} stands there twice; the first counts", said.name));
                } else {
                    partitions.push(said);
                }
            }
            "nodeset" => {
                let rest =
                    words[1..].iter().map(|(key, value)| (key.to_ascii_lowercase(), value.clone().unwrap_or_default()));
                sets.push((value.clone(), rest.collect::<Vec<_>>(), file, line));
            }
            "downnodes" | "frontendname" => {
                findings.note(FindingKind::NotModelled, line, format!("{key} {value:.60}"));
            }
            _ => {
                for (key, value) in &words {
                    let lower = key.to_ascii_lowercase();
                    let value = value.as_deref().unwrap_or_default();
                    if !REPEATED.contains(&lower.as_str())
                        && let Some((of, before)) = seen.insert(lower.clone(), (file, line))
                    {
                        let of = if of == file { String::new() } else { format!(" of {}", parts[of].name) };
                        let words = format!("{key} stands on line {before}{of} too; the last counts");
                        findings.note(FindingKind::Wrong, line, words);
                    }
                    take(line, &lower, key, value, site, findings);
                }
            }
        }
    }
    if let Some(first) = parts.first() {
        findings.turn_to(first.name);
    }
    if all.iter().any(|(.., content)| ["SlurmctldHost", "ControlMachine"].iter().any(|key| begins_with(content, key))) {
        defaults(|key| seen.contains_key(key), site, findings);
    }
    keep_first(site, findings);
    let names: FxHashMap<&str, u32> = site.nodes.iter().zip(0..).map(|(node, at)| (node.name.as_str(), at)).collect();
    let mut found = Vec::new();
    for (name, words, file, line) in sets {
        findings.turn_to(parts[file].name);
        found.push(NodeSet::read(name, &words, &site.nodes, &names, &site.future_nodes, line, findings));
    }
    site.node_sets = found;
    let places = PartitionPlaces { names, sets: &site.node_sets, future: &site.future_nodes };
    let made = |line: &PartitionLine| {
        findings.turn_to(parts[line.file].name);
        line.partition(&site.nodes, &places, findings)
    };
    let made: Vec<super::SlurmPartition> = partitions.iter().map(made).collect();
    site.partitions = made;
    if let Some(first) = parts.first() {
        findings.turn_to(first.name);
    }
    let kind = if is_whole && site.future_nodes.is_empty() { FindingKind::Wrong } else { FindingKind::Note };
    complete(kind, ["NodeName=...", "PartitionName=..."], site, findings);
}

/// Keys that no version since 23.11 knows: it would not start with them.
const BEFORE_23_11: [&str; 10] = [
    "CacheGroups",
    "CheckpointType",
    "DefaultStorageType",
    "JobCheckpointDir",
    "MemLimitEnforce",
    "MsgAggregationParams",
    "SchedulerPort",
    "SchedulerRootFilter",
    "SlurmctldPlugstack",
    "UseSpecResources",
];

/// Says which defaults that versions differ in are taken. `is_said` tells whether a key stands there, in lower case.
fn defaults(is_said: impl Fn(&str) -> bool, site: &mut Site, findings: &mut FindingLog<'_>) {
    if !is_said("selecttype") {
        // only the others have parameters
        let old = BEFORE_23_11.into_iter().find(|key| is_said(&key.to_ascii_lowercase()));
        site.is_linear = old.is_some() && !is_said("selecttypeparameters");
        let words = match old.filter(|_| site.is_linear) {
            Some(key) => format!(
                "SelectType does not stand there: jobs get whole nodes (select/linear), as in Slurm before 23.11, for no later \
                 version knows {key}"
            ),
            None => "SelectType does not stand there: select/cons_tres is taken, as Slurm does since 23.11; versions before gave \
                     jobs whole nodes (select/linear)"
                .to_owned(),
        };
        findings.note(FindingKind::Note, 0, words);
    }
    let has_weights = site.priority.weights != super::PriorityWeights::default();
    if !is_said("prioritytype") && has_weights {
        site.priority.is_multifactor = site.version >= super::Version::V2605;
        let words = "PriorityType does not stand there: priority/basic is taken, as Slurm did up to 23.02, and \
                     priority/multifactor, the default since, with slurm:version=26.05";
        findings.note(FindingKind::Note, 0, words);
    }
}

/// Whether a line begins with a key.
fn begins_with(line: &str, key: &str) -> bool {
    line.get(..key.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(key))
}

/// Whether a text is a list of nodes or partitions and nothing else, as a slurm.conf includes it.
pub(super) fn is_list(text: &str) -> bool {
    const KEYS: [&str; 4] = ["NodeName", "PartitionName", "NodeSet", "DownNodes"];
    let lines = lines(text);
    !lines.is_empty() && lines.iter().all(|(_, line)| KEYS.iter().any(|key| begins_with(line, key)))
}

/// Keeps the first of nodes of the same name.
pub(super) fn keep_first(site: &mut Site, findings: &mut FindingLog<'_>) {
    let mut names = FxHashSet::default();
    if let Some(twice) = site.nodes.iter().map(|node| node.name.clone()).find(|name| !names.insert(name.clone())) {
        findings.wrong(0, format!("node {twice} stands there twice; the first counts"));
        let mut kept = FxHashSet::default();
        site.nodes.retain(|node| kept.insert(node.name.clone()));
    }
}

/// Says where there are no nodes, and assumes a partition of all nodes where none is named. `whence` is what tells them.
pub(super) fn complete(kind: FindingKind, whence: [&str; 2], site: &mut Site, findings: &mut FindingLog<'_>) {
    let [nodes, partitions] = whence;
    if site.nodes.is_empty() {
        findings.note(kind, 0, format!("it names no nodes ({nodes}): they are taken from the log"));
    } else if site.partitions.is_empty() {
        findings.note(kind, 0, format!("it names no partition ({partitions}): one of all nodes is assumed"));
        site.partitions.push(super::SlurmPartition::of_all("batch", site.nodes.len()));
    }
}

/// Applies a key of the site itself.
pub(super) fn take(line: u32, lower: &str, key: &str, value: &str, site: &mut Site, findings: &mut FindingLog<'_>) {
    if super::power::take(line, lower, key, value, &mut site.power, findings) {
        return;
    }
    let plan = &mut site.priority;
    let flags = value.to_ascii_uppercase();
    let mut wrong = |takes: &str| findings.wrong(line, format!("{key}={value:.60}: it takes {takes}"));
    let weight = |place: &mut f64, wrong: &mut dyn FnMut(&str)| match value.parse::<u32>() {
        Ok(number) => *place = f64::from(number),
        Err(_) => wrong("a whole number"),
    };
    match lower {
        "schedulerparameters" => site.parameters = Parameters::read(value, line, findings),
        "schedulertype" => match value {
            "sched/backfill" => site.has_backfill = true,
            "sched/builtin" => site.has_backfill = false,
            _ => wrong("sched/backfill or sched/builtin"),
        },
        "selecttype" => site.is_linear = value == "select/linear",
        "selecttypeparameters" => {
            let flags = || flags.split(',').map(str::trim).filter(|flag| !flag.is_empty());
            site.counts_memory = flags().any(|flag| flag.ends_with("MEMORY"));
            site.is_least_loaded = flags().any(|flag| flag == "CR_LLN");
            for flag in flags() {
                match flag {
                    "CR_CPU" | "CR_CPU_MEMORY" | "CR_CORE" | "CR_CORE_MEMORY" | "CR_MEMORY" | "CR_LLN" | "NONE" => {}
                    "CR_SOCKET" | "CR_SOCKET_MEMORY" => {
                        let words =
                            format!("SelectTypeParameters {flag}: processors are given by themselves, not by sockets");
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                    // they say where on its nodes a job has its processors and tasks
                    "CR_PACK_NODES"
                    | "CR_CORE_DEFAULT_DIST_BLOCK"
                    | "CR_NO_DIST_TOPO_BLOCK"
                    | "NHC_NO"
                    | "NHC_NO_STEPS"
                    | "NHC_ABSOLUTELY_NO"
                    | "LL_SHARED_GRES"
                    | "MULTIPLE_SHARING_GRES_PJ"
                    | "ENFORCE_BINDING_GRES"
                    | "ONE_TASK_PER_SHARING_GRES" => {}
                    "CR_ONE_TASK_PER_CORE" | "OTHER_CONS_TRES" | "OTHER_CONS_RES" => {
                        findings.note(FindingKind::NotModelled, line, format!("SelectTypeParameters {flag}"));
                    }
                    _ => {
                        let words = format!("SelectTypeParameters {flag:.60}: no such flag");
                        findings.note(FindingKind::Ignored, line, words);
                    }
                }
            }
        }
        "licenses" => match licences(value) {
            Ok(licences) => site.licences = licences,
            Err(wrong) => findings.wrong(line, format!("{key}: {wrong}")),
        },
        memory
            if site
                .memory
                .set(memory, value)
                .inspect(|is_set| {
                    if !is_set {
                        wrong("a number of megabytes")
                    }
                })
                .is_some() => {}
        "jobdefaults" => site.memory.set_defaults(value),
        "prioritytype" => match value {
            "priority/basic" => plan.is_multifactor = false,
            "priority/multifactor" => plan.is_multifactor = true,
            _ => wrong("priority/basic or priority/multifactor"),
        },
        "priorityweightage" => weight(&mut plan.weights.age, &mut wrong),
        "priorityweightfairshare" => weight(&mut plan.weights.fair_share, &mut wrong),
        "priorityweightjobsize" => weight(&mut plan.weights.job_size, &mut wrong),
        "priorityweightpartition" => weight(&mut plan.weights.partition, &mut wrong),
        "priorityweightqos" => weight(&mut plan.weights.qos, &mut wrong),
        "priorityweightassoc" => weight(&mut plan.weights.assoc, &mut wrong),
        "priorityweighttres" => weigh_tres(value, site, line, findings),
        "prioritymaxage" => match span(value) {
            Some(Some(age)) if age > 0 => plan.max_age = age,
            _ => wrong("a span of time"),
        },
        "prioritydecayhalflife" => match span(value) {
            Some(half) => plan.half_life = half.filter(|&half| half > 0),
            None => wrong("a span of time"),
        },
        "prioritycalcperiod" => match span(value) {
            Some(Some(period)) if period > 0 => plan.calc_period = period,
            _ => wrong("a span of time"),
        },
        "priorityfavorsmall" => plan.favors_small = is_yes(value),
        "fairsharedampeningfactor" => match value.parse::<u32>() {
            Ok(factor) if factor > 0 => plan.dampening = f64::from(factor),
            _ => wrong("a whole number from 1 on"),
        },
        "priorityflags" => {
            (plan.is_fair_tree, plan.is_relative_to_time) = (true, false);
            plan.is_raw = super::priority::RawFactors::default();
            for flag in flags.split(',').map(str::trim) {
                match flag {
                    "NO_FAIR_TREE" => plan.is_fair_tree = false,
                    "FAIR_TREE" => plan.is_fair_tree = true,
                    "SMALL_RELATIVE_TO_TIME" => plan.is_relative_to_time = true,
                    "NO_NORMAL_ALL" => {
                        plan.is_raw =
                            super::priority::RawFactors { assoc: true, partition: true, qos: true, tres: true };
                    }
                    "NO_NORMAL_ASSOC" => plan.is_raw.assoc = true,
                    "NO_NORMAL_PART" => plan.is_raw.partition = true,
                    "NO_NORMAL_QOS" => plan.is_raw.qos = true,
                    "NO_NORMAL_TRES" => plan.is_raw.tres = true,
                    "" => {}
                    "ACCRUE_ALWAYS" | "CALCULATE_RUNNING" | "DEPTH_OBLIVIOUS" | "INCR_ONLY" | "MAX_TRES"
                    | "MAX_TRES_GRES" | "TICKET_BASED" => {
                        findings.note(FindingKind::NotModelled, line, format!("PriorityFlags {flag}"));
                    }
                    _ => findings.note(FindingKind::Ignored, line, format!("PriorityFlags {flag:.60}: no such flag")),
                }
            }
        }
        "priorityusageresetperiod" if flags != "NONE" => {
            findings.note(FindingKind::NotModelled, line, format!("{key}={value:.40}: usage is not reset"));
        }
        "prioritysitefactorplugin" if !value.is_empty() && !value.ends_with("/none") => {
            let words = format!("{key}={value:.60}: what it adds to priorities slurm:site=... may say");
            findings.note(FindingKind::NotModelled, line, words);
        }
        "priorityusageresetperiod"
        | "priorityparameters"
        | "prioritysitefactorplugin"
        | "prioritysitefactorparameters" => {}
        // nodes that boot for a feature, data that is staged in, and nodes of one label alone
        "nodefeaturesplugins" | "burstbuffertype" | "mcsplugin" if !value.is_empty() && !value.ends_with("/none") => {
            findings.note(FindingKind::NotModelled, line, format!("{key}={value:.60}"));
        }
        "slurmctldparameters" => {
            const OF_POWER: [&str; 4] =
                ["IDLE_ON_NODE_SUSPEND", "MAX_POWERED_NODES", "POWER_SAVE_INTERVAL", "POWER_SAVE_MIN_INTERVAL"];
            let name = |flag: &str| flag.split('=').next().unwrap_or_default().trim().to_owned();
            for flag in flags.split(',').filter(|flag| OF_POWER.contains(&name(flag).as_str())) {
                let words = format!("{key} {}: nodes go on and off as without it", flag.trim().to_ascii_lowercase());
                findings.note(FindingKind::NotModelled, line, words);
            }
        }
        "fastschedule" if value == "0" => {
            let words =
                "FastSchedule=0: Slurm goes by what nodes say of themselves; here by what slurm.conf says of them";
            findings.note(FindingKind::NotModelled, line, words);
        }
        "accountingstorageenforce" => {
            let has = |word: &str| flags.split(',').any(|flag| flag.trim() == word || flag.trim() == "ALL");
            site.enforced.safe = has("SAFE");
            site.enforced.limits = has("LIMITS") || has("SAFE") || has("2");
            site.enforced.qos = has("QOS");
            let more = site.enforced.limits || site.enforced.qos || has("WCKEYS") || has("1");
            site.enforced.associations = has("ASSOCIATIONS") || more;
        }
        "preempttype" => match value {
            "preempt/none" => site.preempt_by = PreemptBy::Nobody,
            "preempt/partition_prio" => site.preempt_by = PreemptBy::Partition,
            "preempt/qos" => site.preempt_by = PreemptBy::Qos,
            _ => wrong("preempt/none, preempt/partition_prio or preempt/qos"),
        },
        "preemptmode" => {
            let modes: Vec<&str> = flags.split(',').map(str::trim).collect();
            site.preempted = PreemptedJobs::of(&flags).unwrap_or(PreemptedJobs::Spared);
            site.has_gang = modes.contains(&"GANG");
            site.preempts_within = modes.contains(&"WITHIN");
            site.preempts_by_priority = modes.contains(&"PRIORITY");
            let suspends = modes.contains(&"SUSPEND");
            if suspends && !site.has_gang {
                let words =
                    "PreemptMode SUSPEND: Slurm does not start without GANG, which resumes jobs; say SUSPEND,GANG";
                findings.wrong(line, words);
            }
            for mode in modes {
                match mode {
                    "OFF" | "REQUEUE" | "CANCEL" | "WITHIN" | "PRIORITY" | "SUSPEND" => {}
                    "GANG" if suspends => {}
                    "GANG" => {
                        let words = "PreemptMode GANG: jobs do not take turns on the same processors";
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                    _ => findings.note(FindingKind::Ignored, line, format!("PreemptMode {mode:.40}: no such mode")),
                }
            }
        }
        "preemptexempttime" => match span(value) {
            Some(time) => site.exempt_time = time.unwrap_or(0),
            None => wrong("a time such as 30:00"),
        },
        "preemptparameters" => {
            findings.note(FindingKind::NotModelled, line, format!("{key}={value:.40}"));
        }
        "topologyplugin" => match value {
            "topology/tree" => site.has_tree = true,
            "topology/none" | "topology/flat" | "topology/default" => site.has_tree = false,
            _ => {
                let words = format!("{key}={value:.40}: nodes are taken in rows, wherever they are");
                findings.note(FindingKind::NotModelled, line, words);
            }
        },
        "topologyparam" => {
            let has = |word: &str| flags.split(',').any(|flag| flag.trim() == word);
            site.is_tree_optional = has("TOPOOPTIONAL");
            for flag in ["SWITCHASNODERANK", "BLOCKASNODERANK"].into_iter().filter(|flag| has(flag)) {
                let words = format!("{key} {}: nodes stand in rows as they are named", flag.to_ascii_lowercase());
                findings.note(FindingKind::NotModelled, line, words);
            }
            if has("DRAGONFLY") {
                let words = format!("{key} Dragonfly: a job gets the fewest leaf switches, as without it");
                findings.note(FindingKind::NotModelled, line, words);
            }
        }
        "allowspecresourcesusage" => match flags.as_str() {
            "YES" | "UP" | "TRUE" | "1" => site.allows_reserved = true,
            "NO" | "DOWN" | "FALSE" | "0" => site.allows_reserved = false,
            _ => wrong("yes or no"),
        },
        "jobrequeue" => match value {
            "0" | "1" => site.requeues = value == "1",
            _ => wrong("0 or 1"),
        },
        "killwait" => value.parse::<u16>().map_or_else(|_| wrong("seconds"), |wait| site.kill_wait = i64::from(wait)),
        "completewait" => {
            value.parse::<u16>().map_or_else(|_| wrong("seconds"), |wait| site.complete_wait = i64::from(wait));
        }
        "overtimelimit" if flags == "UNLIMITED" => site.over_time = 365 * 86_400,
        "overtimelimit" => {
            value.parse::<u16>().map_or_else(|_| wrong("minutes"), |wait| site.over_time = i64::from(wait) * 60);
        }
        "enforcepartlimits" | "state" => {}
        "clustername" => site.cluster = value.to_owned(),
        known if is_without_effect(known) => {}
        of_line if OF_PARTITIONS.contains(&of_line) || OF_NODES.contains(&of_line) => {
            let begin = if OF_NODES.contains(&of_line) { "NodeName" } else { "PartitionName" };
            let words = format!(
                "{key}={value:.60}: Slurm knows it only on a line that begins with {begin}=; a line goes on where \\ ends it"
            );
            findings.wrong(line, words);
        }
        _ => findings.note(FindingKind::Unknown, line, format!("{key:.80}={value:.80}")),
    }
}

/// The keys of a site's `slurm.conf` that have no effect on waits, as they stand there.
pub fn without_effect(site: &Site) -> Vec<String> {
    let text = site.conf.as_ref().map_or("", |conf| &conf.text);
    let mut found: Vec<String> = Vec::new();
    for (key, _) in lines(text).iter().filter_map(|(_, content)| conf_words(content).into_iter().next()) {
        let is_told = || site.findings.iter().any(|told| told.words.starts_with(&key));
        if is_without_effect(&key.to_ascii_lowercase()) && !found.contains(&key) && !is_told() {
            found.push(key);
        }
    }
    found
}

/// Reads PriorityWeightTRES.
fn weigh_tres(value: &str, site: &mut Site, line: u32, findings: &mut FindingLog<'_>) {
    let weights = &mut site.priority.weights;
    for word in value.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (name, weight) = word.split_once('=').unwrap_or((word, ""));
        match (name.to_ascii_lowercase().as_str(), weight.parse::<f64>().ok().filter(|weight| weight.is_finite())) {
            ("cpu", Some(weight)) => weights.tres_cpu = weight,
            ("mem", Some(weight)) => weights.tres_memory = weight,
            ("gres/gpu", Some(weight)) => weights.tres_gpu = weight,
            (_, Some(_)) => {
                let words = format!("PriorityWeightTRES {word:.60}: processors, memory and GPUs alone have weights");
                findings.note(FindingKind::NotModelled, line, words);
            }
            _ => findings.wrong(line, format!("PriorityWeightTRES {word:.60}: it takes a resource and a number")),
        }
    }
}
