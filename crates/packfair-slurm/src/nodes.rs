//! The reader of NodeName lines.

use super::finding::{FindingKind, FindingLog};
use super::hostlist::expand;
use super::limits::mebibytes;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub const MOST_NODES: usize = 200_000;

/// The most processors of a node.
const MOST_CPUS: u32 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub name: String,
    /// The processors that jobs can have.
    pub cpus: u32,
    /// Memory, MiB (RealMemory).
    pub memory: u64,
    /// GPUs, of any type.
    pub gpus: u32,
    /// GPUs by type, where the file names types.
    pub gpu_kinds: Vec<(String, u32)>,
    /// The weight; nodes with the least weight are taken first.
    pub weight: u32,
    pub features: Vec<String>,
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
    boards: Option<u32>,
    sockets: Option<u32>,
    sockets_per_board: Option<u32>,
    cores: Option<u32>,
    threads: Option<u32>,
    memory: Option<u64>,
    gpus: Option<Vec<(String, u32)>>,
    weight: Option<u32>,
    features: Option<Vec<String>>,
}

/// The keys of nodes that do not decide on starts.
const WITHOUT_EFFECT: &[&str] = &[
    "nodehostname",
    "nodeaddr",
    "port",
    "state",
    "reason",
    "tmpdisk",
    "bcastaddr",
    "cpubind",
    "certtype",
    "procs",
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
                "feature" | "features" => {
                    self.features = Some(value.split([',', '&']).map(str::to_owned).collect());
                }
                "corespeccount" | "cpuspeclist" | "memspeclimit" => findings.note(
                    FindingKind::NotModelled,
                    line,
                    format!("{key}: jobs are taken to have all of the node"),
                ),
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
        node.cpus = self.cpus.map_or(node.cpus, |cpus| cpus.clamp(1, MOST_CPUS));
        node.memory = self.memory.unwrap_or(node.memory);
        node.weight = self.weight.unwrap_or(node.weight);
        if let Some(gpus) = &self.gpus {
            (node.gpus, node.gpu_kinds) = counted(gpus.clone());
        }
        if let Some(features) = &self.features {
            node.features.clone_from(features);
        }
    }

    fn node(&self, name: String, line: u32, findings: &mut FindingLog<'_>) -> Node {
        let sockets = self.sockets.or_else(|| Some(self.boards.unwrap_or(1) * self.sockets_per_board?));
        let parts = [sockets, self.cores, self.threads];
        let product = parts.iter().fold(1_u32, |product, part| product.saturating_mul(part.unwrap_or(1)));
        let says = parts.iter().any(Option::is_some);
        let cores = product / self.threads.unwrap_or(1).max(1);
        if let Some(cpus) = self.cpus.filter(|&cpus| says && cpus != product && cpus != cores) {
            findings.wrong(line, format!("{name}: CPUs={cpus}, but its sockets, cores and threads make {product}"));
        }
        let cpus = self.cpus.unwrap_or(product);
        if cpus == 0 {
            findings.wrong(line, format!("{name}: a node without processors; one is assumed"));
        }
        let (gpus, gpu_kinds) = counted(self.gpus.clone().unwrap_or_default());
        Node {
            name,
            cpus: cpus.clamp(1, MOST_CPUS),
            memory: self.memory.unwrap_or(1),
            gpus,
            gpu_kinds,
            weight: self.weight.unwrap_or(1),
            features: self.features.clone().unwrap_or_default(),
        }
    }
}

/// Reads a NodeName line. `default` is what NodeName=DEFAULT lines have set.
pub(super) fn read(
    line: u32,
    words: &[(String, Option<String>)],
    default: &mut NodeLine,
    nodes: &mut Vec<Node>,
    findings: &mut FindingLog<'_>,
) {
    // the caller has checked the first word
    let Some(((_, Some(names)), rest)) = words.split_first() else { return };
    if names.eq_ignore_ascii_case("default") {
        default.take(line, rest, findings);
        return;
    }
    let mut said = default.clone();
    said.take(line, rest, findings);
    match expand(names, MOST_NODES) {
        Ok(names) if nodes.len() + names.len() > MOST_NODES => {
            findings.wrong(line, format!("more than {MOST_NODES} nodes; these are left out"));
        }
        Ok(names) => {
            let first = nodes.len();
            for name in names {
                let node = said.node(name, line, findings);
                nodes.push(node);
            }
            if nodes.len() == first {
                findings.wrong(line, "NodeName has no name");
            }
        }
        Err(wrong) => findings.wrong(line, format!("NodeName: {wrong}")),
    }
}

/// All GPUs, and those of which the type is known, by type.
fn counted(gpus: Vec<(String, u32)>) -> (u32, Vec<(String, u32)>) {
    let all = gpus.iter().fold(0, |sum: u32, (_, count)| sum.saturating_add(*count));
    (all, gpus.into_iter().filter(|(kind, _)| !kind.is_empty()).collect())
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
    use crate::lines;

    #[test]
    fn nodes_take_defaults_and_parts() {
        let (mut findings, mut default, mut nodes) = (FindingLog::of("f"), NodeLine::default(), Vec::new());
        let mut read_line =
            |number, line: &str| read(number, &lines::words(line), &mut default, &mut nodes, &mut findings);
        read_line(1, "NodeName=DEFAULT RealMemory=187000 Sockets=2 CoresPerSocket=16 Weight=60");
        read_line(2, "NodeName=n[01-03] Feature=a,b");
        read_line(3, "NodeName=g1 Gres=gpu:v100:2,gpu:a30:1 Weight=190");
        read_line(4, "NodeName=x CPUs=7");
        assert_eq!(nodes.len(), 5);
        assert_eq!((nodes[0].cpus, nodes[0].memory, nodes[0].weight), (32, 187_000, 60));
        assert_eq!((nodes[3].gpus, nodes[3].weight, nodes[3].features.len()), (3, 190, 0));
        assert_eq!(nodes[3].gpu_kinds, [("v100".to_owned(), 2), ("a30".to_owned(), 1)]);
        assert_eq!(findings.all.iter().map(|finding| finding.line).collect::<Vec<_>>(), [4]);
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
