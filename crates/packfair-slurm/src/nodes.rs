//! The reader of NodeName lines.

use super::hostlist::expand;
use super::limits::mebibytes;
use super::lines::{FindingKind, FindingLog};
use super::site::Site;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub const MOST_NODES: usize = 200_000;

/// How many types of GPUs of a node are told apart. Further ones count as GPUs without a type.
pub const MOST_GPU_KINDS: usize = 8;

/// The most processors of a node.
const MOST_CPUS: u32 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub name: String,
    /// All processors (CPUs).
    pub cpus: u32,
    /// Of these, the ones that jobs which share the node cannot have (CoreSpecCount, CpuSpecList).
    #[serde(default)]
    pub reserved_cpus: u32,
    /// The processors of a core: its threads, where these are scheduled, otherwise one.
    #[serde(default = "one")]
    pub of_core: u32,
    /// The memory that jobs can have, MiB (RealMemory without MemSpecLimit).
    pub memory: u64,
    /// Further memory, which they cannot have, MiB (MemSpecLimit).
    #[serde(default)]
    pub reserved_memory: u64,
    /// GPUs, of any type.
    pub gpus: u32,
    /// GPUs by type, where the file names types.
    pub gpu_kinds: Vec<(String, u32)>,
    /// The weight; nodes with the least weight are taken first.
    pub weight: u32,
    pub features: Vec<String>,
}

fn one() -> u32 {
    1
}

impl Node {
    /// A node of one processor.
    pub(super) fn small(name: String) -> Self {
        Node {
            name,
            cpus: 1,
            reserved_cpus: 0,
            of_core: 1,
            memory: 1,
            reserved_memory: 0,
            gpus: 0,
            gpu_kinds: Vec::new(),
            weight: 1,
            features: Vec::new(),
        }
    }

    /// Keeps cores from jobs that share the node. As in Slurm it is one core where there are not as many.
    fn reserve_cores(&mut self, cores: u32) {
        let cores = if cores.saturating_mul(self.of_core) >= self.cpus { 1 } else { cores };
        self.reserved_cpus = (cores * self.of_core).min(self.cpus - 1);
    }

    /// Sets the memory, and how much of it jobs cannot have. As in Slurm that is none where it would be all.
    fn set_memory(&mut self, all: u64, reserved: u64) {
        self.reserved_memory = if reserved >= all { 0 } else { reserved };
        self.memory = all - self.reserved_memory;
    }
}

/// Where the nodes of a site are in its list, by name.
#[derive(Clone, Debug)]
pub struct NodePlaces<'a>(FxHashMap<&'a str, u32>);

impl<'a> NodePlaces<'a> {
    /// The places of these nodes.
    pub fn of(nodes: &'a [Node]) -> Self {
        NodePlaces(nodes.iter().map(|node| node.name.as_str()).zip(0..).collect())
    }

    /// The places of the nodes that a list such as `n[1-8],g1` names.
    ///
    /// # Errors
    /// The first name that is not there; the list itself where it is none.
    pub fn in_list(&self, list: &str) -> Result<Vec<u32>, String> {
        let names = expand(list, MOST_NODES).map_err(|_| list.to_owned())?;
        names.into_iter().map(|name| self.0.get(name.as_str()).copied().ok_or(name)).collect()
    }
}

/// What NodeName=DEFAULT lines have set so far, or that and what a line sets.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeLine {
    cpus: Option<u32>,
    /// The old name of CPUs, which counts where these are told nowhere.
    procs: Option<u32>,
    boards: Option<u32>,
    sockets: Option<u32>,
    sockets_per_board: Option<u32>,
    cores: Option<u32>,
    threads: Option<u32>,
    memory: Option<u64>,
    gpus: Option<Vec<(String, u32)>>,
    weight: Option<u32>,
    features: Option<Vec<String>>,
    reserved_cores: Option<u32>,
    /// The numbers of processors that jobs cannot have (CpuSpecList).
    reserved_list: Option<Vec<u32>>,
    reserved_memory: Option<u64>,
    /// Whether they are not there yet (State=FUTURE).
    is_future: bool,
}

/// The keys of nodes that do not decide on starts.
const WITHOUT_EFFECT: &[&str] = &[
    "nodehostname",
    "nodeaddr",
    "port",
    "reason",
    "tmpdisk",
    "tresweights",
    "gresconf",
    "bcastaddr",
    "cpubind",
    "certtype",
    "restrictedcorespergpu",
    "topology",
    "parameters",
];

impl NodeLine {
    fn take(&mut self, line: u32, words: &[(String, Option<String>)], findings: &mut FindingLog<'_>) {
        for (key, value) in words {
            let value = value.as_deref().unwrap_or_default();
            let mut count = |place: &mut Option<u32>| match value.parse() {
                Ok(number) => *place = Some(number),
                Err(_) => findings.wrong(line, format!("{key}={value:.40}: it takes a whole number")),
            };
            match key.to_ascii_lowercase().as_str() {
                "cpus" => count(&mut self.cpus),
                "procs" => count(&mut self.procs),
                "boards" => count(&mut self.boards),
                "sockets" => count(&mut self.sockets),
                "socketsperboard" => count(&mut self.sockets_per_board),
                "corespersocket" => count(&mut self.cores),
                "threadspercore" => count(&mut self.threads),
                "weight" => count(&mut self.weight),
                "realmemory" => match mebibytes(value) {
                    Some(memory) => self.memory = Some(memory as u64),
                    None => findings.wrong(line, format!("RealMemory={value:.40}: it takes a number of megabytes")),
                },
                "gres" => self.gpus = Some(gpus(value)),
                // where a line has both, Slurm takes the first
                "features" if words.iter().any(|(other, _)| other.eq_ignore_ascii_case("feature")) => {}
                "feature" | "features" => {
                    self.features = Some(value.split([',', '&']).map(str::to_owned).collect());
                }
                "corespeccount" => count(&mut self.reserved_cores),
                "cpuspeclist" => match numbers(value) {
                    Some(list) => self.reserved_list = Some(list),
                    None => findings.wrong(line, format!("CpuSpecList={value:.40}: it takes numbers such as 0,32-33")),
                },
                "memspeclimit" => match mebibytes(value) {
                    Some(memory) => self.reserved_memory = Some(memory as u64),
                    None => findings.wrong(line, format!("MemSpecLimit={value:.40}: it takes a number of megabytes")),
                },
                "state" => {
                    self.is_future = value.eq_ignore_ascii_case("FUTURE");
                    let is_away = ["DOWN", "DRAIN", "FAIL", "FAILING"];
                    if is_away.into_iter().any(|state| value.eq_ignore_ascii_case(state)) {
                        let words = format!(
                            "State={value} of nodes: they take jobs; sacctmgr show event, or scontrol show node, tells since when \
                             they do not"
                        );
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                }
                "suspendtime" => {
                    findings.note(FindingKind::NotModelled, line, format!("{key}={value:.40} of nodes"));
                }
                known if WITHOUT_EFFECT.contains(&known) => {}
                _ => findings.note(FindingKind::Unknown, line, format!("{key:.60} of a node")),
            }
        }
    }

    /// A line with a single key.
    pub(super) fn of(key: &str, value: &str, findings: &mut FindingLog<'_>) -> Self {
        let mut said = NodeLine::default();
        said.take(0, &[(key.to_owned(), Some(value.to_owned()))], findings);
        said
    }

    /// Sets what the line says of a node.
    pub(super) fn change(&self, node: &mut Node) {
        if let Some(cpus) = self.cpus.or(self.procs) {
            node.cpus = cpus.clamp(1, MOST_CPUS);
            node.reserve_cores(node.reserved_cpus / node.of_core);
        }
        if let Some(cores) = self.reserved_cores {
            node.reserve_cores(cores);
        }
        let all = self.memory.unwrap_or(node.memory + node.reserved_memory);
        node.set_memory(all, self.reserved_memory.unwrap_or(node.reserved_memory));
        node.weight = self.weight.unwrap_or(node.weight);
        if let Some(gpus) = &self.gpus {
            (node.gpus, node.gpu_kinds) = counted(gpus.clone());
        }
        if let Some(features) = &self.features {
            node.features.clone_from(features);
        }
    }

    /// The processors of a node, and how many of them are of a core. As in Slurm the number of sockets follows from CPUs where
    /// nothing tells it, and a number that is neither that of sockets, nor of cores, nor of threads does not count.
    fn processors(&self, names: &str, line: u32, findings: &mut FindingLog<'_>) -> (u32, u32) {
        let [cores, threads] = [self.cores, self.threads].map(|count| count.unwrap_or(1).max(1));
        let on_socket = cores.saturating_mul(threads);
        let boards = self.boards.unwrap_or(1);
        let told = self.cpus.or(self.procs);
        let follows = || told.filter(|&cpus| cpus > 0 && cpus % on_socket == 0).map(|cpus| cpus / on_socket);
        let of_boards = self.sockets_per_board.map(|sockets| boards.saturating_mul(sockets));
        let sockets = of_boards.or(self.sockets).or_else(follows).unwrap_or(boards);
        let product = sockets.saturating_mul(on_socket);
        let cpus = match told {
            Some(cpus) if cpus == sockets || cpus == sockets.saturating_mul(cores) || cpus == product => cpus,
            Some(0) | None => product,
            Some(cpus) => {
                let words = format!(
                    "{names:.60}: CPUs={cpus}, but its sockets, cores and threads make {product}, which counts in Slurm"
                );
                findings.wrong(line, words);
                product
            }
        };
        if cpus == 0 || told == Some(0) {
            findings.wrong(line, format!("{names:.60}: a node without processors; one is assumed"));
        }
        let of_core = if sockets.saturating_mul(cores) >= cpus { 1 } else { threads };
        (cpus.clamp(1, MOST_CPUS), of_core)
    }

    /// Keeps from jobs what the line reserves of a node.
    fn reserve(&self, node: &mut Node, names: &str, line: u32, findings: &mut FindingLog<'_>) {
        let cores = self.reserved_cores.filter(|&cores| cores > 0);
        let of_list = self.reserved_list.as_ref().filter(|list| !list.is_empty());
        let cores = match of_list {
            Some(list) if list.iter().any(|&at| at >= node.cpus) => {
                let words =
                    format!("CpuSpecList of {names:.60}: it has only {} processors; Slurm reads it over", node.cpus);
                findings.wrong(line, words);
                cores
            }
            Some(list) => {
                if cores.is_some() {
                    let words =
                        format!("CoreSpecCount of {names:.60}: CpuSpecList is there too, and is what counts in Slurm");
                    findings.wrong(line, words);
                }
                // all processors of a core, whichever of them stands there
                let mut cores: Vec<u32> = list.iter().map(|at| at / node.of_core).collect();
                cores.sort_unstable();
                cores.dedup();
                Some(cores.len() as u32)
            }
            None => cores,
        };
        if let Some(cores) = cores {
            node.reserve_cores(cores);
            if cores.saturating_mul(node.of_core) > node.reserved_cpus {
                findings.wrong(
                    line,
                    format!("CoreSpecCount={cores} of {names:.60}: jobs would have no core; Slurm takes 1"),
                );
            }
        }
        if let Some(reserved) = self.reserved_memory {
            node.set_memory(node.memory, reserved);
            if reserved > node.reserved_memory {
                let words = format!("MemSpecLimit={reserved} of {names:.60}: jobs would have no memory; Slurm takes 0");
                findings.wrong(line, words);
            }
        }
    }

    /// The nodes of the line, but for their name.
    fn node(&self, names: &str, line: u32, findings: &mut FindingLog<'_>) -> Node {
        let (gpus, gpu_kinds) = counted(self.gpus.clone().unwrap_or_default());
        let (cpus, of_core) = self.processors(names, line, findings);
        let mut node = Node {
            cpus,
            of_core,
            memory: self.memory.unwrap_or(1),
            gpus,
            gpu_kinds,
            weight: self.weight.unwrap_or(1),
            features: self.features.clone().unwrap_or_default(),
            ..Node::small(String::new())
        };
        self.reserve(&mut node, names, line, findings);
        node
    }
}

/// Reads a NodeName line into a site. `default` is what NodeName=DEFAULT lines have set.
pub(super) fn read(
    line: u32,
    words: &[(String, Option<String>)],
    default: &mut NodeLine,
    site: &mut Site,
    findings: &mut FindingLog<'_>,
) {
    // the caller has checked the first word
    let Some(((_, Some(names)), rest)) = words.split_first() else { return };
    for (key, value) in rest.iter().filter_map(|(key, value)| Some((key, value.as_deref()?))) {
        let is_memory = ["realmemory", "memspeclimit"].iter().any(|memory| key.eq_ignore_ascii_case(memory));
        if is_memory && value.parse::<u64>().is_err() && mebibytes(value).is_some() {
            findings.wrong(line, format!("{key}={value:.40}: Slurm takes a number of megabytes, without a unit"));
        }
    }
    for (_, value) in rest.iter().filter(|(key, _)| key.eq_ignore_ascii_case("gres")) {
        let value = value.as_deref().unwrap_or_default();
        let kinds = gpus(value).iter().filter(|(kind, _)| !kind.is_empty()).count();
        if kinds > MOST_GPU_KINDS {
            let words = format!(
                "Gres of {names:.60}: {kinds} types of GPUs on a node; the first {MOST_GPU_KINDS} are told apart, the others \
                 are GPUs of any type"
            );
            findings.note(FindingKind::NotModelled, line, words);
        }
        let others = other_gres(value);
        let words =
            format!("Gres {:.60} of nodes: jobs wait for GPUs, not for other generic resources", others.join(", "));
        if !others.is_empty() && !findings.all.iter().any(|told| told.words == words) {
            findings.note(FindingKind::NotModelled, line, words);
        }
    }
    if names.eq_ignore_ascii_case("default") {
        default.take(line, rest, findings);
        return;
    }
    let mut said = default.clone();
    said.take(line, rest, findings);
    match expand(names, MOST_NODES) {
        Ok(listed) if site.nodes.len() + site.future_nodes.len() + listed.len() > MOST_NODES => {
            findings.wrong(line, format!("more than {MOST_NODES} nodes; these are left out"));
        }
        Ok(listed) if listed.is_empty() => findings.wrong(line, "NodeName has no name"),
        Ok(listed) if said.is_future => {
            let words = format!("State=FUTURE: {} nodes ({names:.60}) are not there yet, and left out", listed.len());
            findings.note(FindingKind::Note, line, words);
            site.future_nodes.extend(listed);
        }
        Ok(listed) => {
            let node = said.node(names, line, findings);
            site.nodes.extend(listed.into_iter().map(|name| Node { name, ..node.clone() }));
        }
        Err(wrong) => findings.wrong(line, format!("NodeName: {wrong}")),
    }
}

/// The numbers of a list such as `0,32-33`; none where it is none.
fn numbers(list: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        // no line makes a longer list than a node has processors
        if last >= MOST_CPUS || found.len() as u32 + last.saturating_sub(first) >= MOST_CPUS {
            return None;
        }
        found.extend(first..=last);
    }
    Some(found)
}

/// All GPUs, and those of which the type is known, by type.
fn counted(gpus: Vec<(String, u32)>) -> (u32, Vec<(String, u32)>) {
    let all = gpus.iter().fold(0, |sum: u32, (_, count)| sum.saturating_add(*count));
    (all, gpus.into_iter().filter(|(kind, _)| !kind.is_empty()).take(MOST_GPU_KINDS).collect())
}

/// The names of what a text such as `gpu:1,lustre:1` has besides GPUs, and that jobs use up.
fn other_gres(gres: &str) -> Vec<&str> {
    let names = gres.split(',').filter(|entry| !entry.contains("no_consume"));
    let names = names.map(|entry| entry.split([':', '(']).next().unwrap_or(entry).trim());
    let is_name =
        |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !["gpu", "none", "N/A"].contains(name);
    let mut found: Vec<&str> = names.filter(is_name).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The GPUs in a text such as `gpu:tesla:2,gpu:1,lustre:1`, each with its type, which may be empty.
fn gpus(gres: &str) -> Vec<(String, u32)> {
    let mut found: Vec<(String, u32)> = Vec::new();
    for entry in gres.split(',') {
        let bare = entry.split('(').next().unwrap_or(entry);
        let mut parts = bare.split(':').filter(|part| *part != "no_consume");
        if parts.next() != Some("gpu") {
            continue;
        }
        let rest: Vec<&str> = parts.collect();
        let (kind, count) = match rest[..] {
            [] => ("", Some(1)),
            [one] => one.parse().map_or((one, Some(1)), |count| ("", Some(count))),
            [kind, count, ..] => (kind, count.parse().ok()),
        };
        let count = count.unwrap_or(1);
        match found.iter_mut().find(|(other, _)| other == kind) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => found.push((kind.to_owned(), count)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Version, lines};

    #[test]
    fn nodes_take_defaults_and_parts() {
        let (mut findings, mut default) = (FindingLog::of("f"), NodeLine::default());
        let mut site = Site::empty(Version::default());
        let mut read_line =
            |number, line: &str| read(number, &lines::words(line), &mut default, &mut site, &mut findings);
        read_line(1, "NodeName=DEFAULT RealMemory=187000 Sockets=2 CoresPerSocket=16 Weight=60");
        read_line(2, "NodeName=n[01-03] Feature=a,b");
        read_line(3, "NodeName=g1 Gres=gpu:v100:2,gpu:a30:1 Weight=190");
        read_line(4, "NodeName=x CPUs=7");
        read_line(5, "NodeName=new[1-4] State=FUTURE CPUs=3");
        read_line(6, "NodeName=old CPUs=64 Procs=32 ThreadsPerCore=2 Gres=gpu:1,shard:4");
        read_line(7, "NodeName=unit RealMemory=64G");
        let Site { nodes, future_nodes, .. } = site;
        assert_eq!((nodes.len(), future_nodes.len()), (7, 4));
        assert_eq!((nodes[0].cpus, nodes[0].memory, nodes[0].weight), (32, 187_000, 60));
        assert_eq!((nodes[3].gpus, nodes[3].weight, nodes[3].features.len()), (3, 190, 0));
        assert_eq!(nodes[3].gpu_kinds, [("v100".to_owned(), 2), ("a30".to_owned(), 1)]);
        assert_eq!(nodes[4].cpus, 32, "Slurm sets CPUs to what sockets and cores make");
        assert_eq!((nodes[5].cpus, nodes[5].of_core), (64, 2), "Procs counts where there is no CPUs");
        assert_eq!(findings.all.iter().map(|finding| finding.line).collect::<Vec<_>>(), [4, 5, 6, 7]);
        assert!(findings.all[2].words.starts_with("Gres shard of nodes"), "{}", findings.all[2].words);
    }

    #[test]
    fn processors_are_those_that_slurm_counts() {
        let of = |line: &str| {
            let (mut findings, mut site) = (FindingLog::of("f"), Site::empty(Version::default()));
            read(1, &lines::words(line), &mut NodeLine::default(), &mut site, &mut findings);
            (site.nodes[0].cpus, findings.all.len())
        };
        for (words, cpus, told) in [
            ("CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2", 64, 0),
            ("CPUs=32 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2", 32, 0),
            ("CPUs=2 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2", 2, 0),
            ("CPUs=64 CoresPerSocket=16 ThreadsPerCore=2", 64, 0),
            ("CPUs=8 ThreadsPerCore=2", 8, 0),
            ("Procs=16 State=UNKNOWN", 16, 0),
            ("CPUs=40 Boards=1 SocketsPerBoard=2 CoresPerSocket=20", 40, 0),
            ("CPUs=48 Sockets=2 CoresPerSocket=20 ThreadsPerCore=2", 80, 1),
            ("CPUs=0", 1, 1),
            ("State=CLOUD", 1, 0),
        ] {
            assert_eq!(of(&format!("NodeName=n[1-1000] {words}")), (cpus, told), "{words}");
        }
        assert_eq!(of("NodeName=n1 State=DOWN Reason=RMA"), (1, 1));
    }

    #[test]
    fn what_is_for_the_system_is_not_for_jobs() {
        let of = |words: &str| {
            let (mut findings, mut site) = (FindingLog::of("f"), Site::empty(Version::default()));
            let line = format!("NodeName=n1 RealMemory=1000 {words}");
            read(1, &lines::words(&line), &mut NodeLine::default(), &mut site, &mut findings);
            let node = &site.nodes[0];
            (node.cpus, node.reserved_cpus, node.memory, findings.all.len())
        };
        let threads = "CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2";
        for (words, has) in [
            ("CPUs=8", (8, 0, 1000, 0)),
            ("CPUs=8 CoreSpecCount=2 MemSpecLimit=100", (8, 2, 900, 0)),
            (&format!("{threads} CoreSpecCount=2"), (64, 4, 1000, 0)),
            // cores are scheduled, not threads
            ("CPUs=32 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 CoreSpecCount=2", (32, 2, 1000, 0)),
            // both threads of two cores
            (&format!("{threads} CpuSpecList=0,2-3"), (64, 4, 1000, 0)),
            (&format!("{threads} CpuSpecList=64"), (64, 0, 1000, 1)),
            (&format!("{threads} CpuSpecList=0-1 CoreSpecCount=8"), (64, 2, 1000, 1)),
            ("CPUs=8 CpuSpecList=x", (8, 0, 1000, 1)),
            (&format!("CPUs=8 CpuSpecList={}", "0-999998,".repeat(1_000)), (8, 0, 1000, 1)),
            ("CPUs=8 CoreSpecCount=8 MemSpecLimit=1000", (8, 1, 1000, 2)),
            ("CPUs=8 CoreSpecCount=0 MemSpecLimit=0", (8, 0, 1000, 0)),
        ] {
            assert_eq!(of(words), has, "{words}");
        }
    }

    #[test]
    fn a_node_has_no_more_types_of_gpus_than_are_told_apart() {
        let (mut findings, mut site) = (FindingLog::of("f"), Site::empty(Version::default()));
        let mut read_line = |kinds: std::ops::Range<u32>| {
            let gres: Vec<String> = kinds.map(|kind| format!("gpu:mig{kind}:2")).collect();
            let line = format!("NodeName=n{} Gres={}", gres.len(), gres.join(","));
            read(1, &lines::words(&line), &mut NodeLine::default(), &mut site, &mut findings);
        };
        read_line(0..8);
        read_line(100..109);
        assert_eq!((site.nodes[0].gpus, site.nodes[0].gpu_kinds.len()), (16, 8));
        assert_eq!((site.nodes[1].gpus, site.nodes[1].gpu_kinds.len()), (18, MOST_GPU_KINDS));
        assert!(matches!(&findings.all[..], [told] if told.words.starts_with("Gres of n9: 9 types")), "{findings:?}");
    }

    #[test]
    fn gpus_have_kinds_or_none() {
        let of = |text: &str| gpus(text).iter().map(|(kind, count)| format!("{kind}:{count}")).collect::<Vec<_>>();
        assert_eq!(of("gpu:a100:4(S:0-1),gpu:v100:2,lustre:1"), ["a100:4", "v100:2"]);
        assert_eq!(of("gpu:4"), [":4"]);
        assert_eq!(of("gpu:a100"), ["a100:1"]);
        assert_eq!(of("gpu"), [":1"]);
        assert_eq!(of("shard:8,gpu:a100:no_consume:2"), ["a100:2"]);
    }
}
