//! The reader of `topology.conf`, or of what `scontrol show topology` prints: which nodes are at which switch.

use super::hostlist::{expand, folded};
use super::lines::{FindingKind, FindingLog, conf_words, lines};
use super::nodes::MOST_NODES;
use super::site::Site;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A switch (SwitchName).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    pub name: String,
    /// The place of the switch that it hangs on; none where it is at the top.
    pub above: Option<u32>,
    /// 0 for a leaf switch, which has nodes; otherwise one more than the highest of the switches that hang on it.
    pub level: u32,
    /// The nodes that are reached through it, in order.
    pub nodes: Vec<u32>,
}

/// How many nodes all switches together may reach: a file of a few lines could otherwise take all memory.
const MOST_REACHED: usize = 20_000_000;

/// A SwitchName line, kept until all nodes are known.
#[derive(Clone, Debug)]
pub(super) struct SwitchLine {
    line: u32,
    name: String,
    nodes: String,
    switches: String,
}

pub(super) fn read(text: &str, findings: &mut FindingLog<'_>) -> Vec<SwitchLine> {
    let mut found: Vec<SwitchLine> = Vec::new();
    for (line, content) in lines(text) {
        let words = conf_words(&content);
        let mut said = SwitchLine { line, name: String::new(), nodes: String::new(), switches: String::new() };
        // what scontrol shows has the nodes of all switches
        let mut is_shown = false;
        for (key, value) in words {
            let value = value.unwrap_or_default();
            match key.to_ascii_lowercase().as_str() {
                "switchname" => said.name = value,
                "nodes" => said.nodes = value,
                "switches" => said.switches = value,
                "level" => is_shown = true,
                // Slurm does not use it
                "linkspeed" => {}
                _ => findings.note(FindingKind::Unknown, line, format!("{key:.60} of a switch")),
            }
        }
        if said.name.is_empty() {
            findings.wrong(line, format!("{content:.60}: a line begins with SwitchName=NAME"));
            continue;
        }
        if found.iter().any(|other| other.name == said.name) {
            findings.wrong(line, format!("switch {:.60} stands there twice; the first counts", said.name));
            continue;
        }
        if !said.nodes.is_empty() && !said.switches.is_empty() {
            said.nodes.clear();
            if !is_shown {
                findings
                    .wrong(line, format!("switch {:.60} has nodes and switches; its nodes are left out", said.name));
            }
        }
        found.push(said);
    }
    found
}

/// Reads `topology.yaml`: the switches of its default topology, or of the first; none where that is no tree.
pub(super) fn read_yaml(text: &str, findings: &mut FindingLog<'_>) -> Vec<SwitchLine> {
    let mut topologies: Vec<(bool, Vec<SwitchLine>)> = Vec::new();
    for (number, raw) in (1..).zip(text.lines()) {
        let content = raw.split(" #").next().unwrap_or_default().trim();
        let Some((key, value)) = content.trim_start_matches("- ").split_once(':') else { continue };
        let value = value.trim().trim_matches(['"', '\'']).to_owned();
        if key.trim() == "topology" {
            topologies.push((false, Vec::new()));
        }
        let Some((is_default, switches)) = topologies.last_mut() else { continue };
        match key.trim() {
            "cluster_default" => *is_default = value.eq_ignore_ascii_case("true"),
            "switch" => {
                switches.push(SwitchLine { line: number, name: value, nodes: String::new(), switches: String::new() })
            }
            "nodes" => switches.last_mut().into_iter().for_each(|switch| switch.nodes.clone_from(&value)),
            "children" => switches.last_mut().into_iter().for_each(|switch| switch.switches.clone_from(&value)),
            "block" | "ring" => {
                let words = format!("topologies of {}s: nodes are taken in rows, wherever they are", key.trim());
                if !findings.all.iter().any(|told| told.words == words) {
                    findings.note(FindingKind::NotModelled, number, words);
                }
            }
            _ => {}
        }
    }
    if topologies.len() > 1 {
        let words = "several topologies: the default one counts for all partitions";
        findings.note(FindingKind::NotModelled, 0, words);
    }
    let place = topologies.iter().position(|(is_default, _)| *is_default).unwrap_or(0);
    topologies.into_iter().nth(place).map(|(_, switches)| switches).unwrap_or_default()
}

/// Gives a site the switches of a file, as far as it has their nodes.
pub(super) fn put(said: &[SwitchLine], site: &mut Site, findings: &mut FindingLog<'_>) {
    let places: FxHashMap<&str, usize> =
        said.iter().enumerate().map(|(at, switch)| (switch.name.as_str(), at)).collect();
    let mut above: Vec<Option<usize>> = vec![None; said.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); said.len()];
    for (at, switch) in said.iter().enumerate().filter(|(_, switch)| !switch.switches.is_empty()) {
        let SwitchLine { line, name, switches, .. } = switch;
        let listed = expand(switches, MOST_NODES).unwrap_or_else(|wrong| {
            findings.wrong(*line, format!("switch {name:.60}: {wrong}"));
            Vec::new()
        });
        for child in listed {
            match places.get(child.as_str()) {
                None => findings.wrong(*line, format!("switch {name:.60}: there is no switch {child:.60}")),
                Some(&child) if above[child].is_some() => {
                    let words = format!("switch {:.60} hangs on two others; the first counts", said[child].name);
                    findings.wrong(*line, words);
                }
                Some(&child) => {
                    above[child] = Some(at);
                    below[at].push(child);
                }
            }
        }
    }
    let mut nodes = own_nodes(said, site, findings);
    // from the leaves upwards, each once all that hang on it are known
    let mut left: Vec<usize> = below.iter().map(Vec::len).collect();
    let mut levels = vec![0_u32; said.len()];
    let mut known: Vec<usize> = (0..said.len()).filter(|&at| left[at] == 0).collect();
    let mut reached: usize = nodes.iter().map(Vec::len).sum();
    let mut next = 0;
    while let Some(&at) = known.get(next) {
        next += 1;
        nodes[at].sort_unstable();
        nodes[at].dedup();
        let Some(parent) = above[at] else { continue };
        reached += nodes[at].len();
        if reached > MOST_REACHED {
            findings.wrong(0, "its switches have too many nodes; all of them are left out");
            return;
        }
        let own = nodes[at].clone();
        nodes[parent].extend(own);
        levels[parent] = levels[parent].max(levels[at] + 1);
        left[parent] -= 1;
        if left[parent] == 0 {
            known.push(parent);
        }
    }
    if let Some(at) = (0..said.len()).find(|&at| left[at] > 0) {
        let words = format!("switch {:.60} hangs on itself; it is left out", said[at].name);
        findings.wrong(said[at].line, words);
    }
    // a switch without nodes gives a job nothing
    let kept: Vec<usize> = (0..said.len()).filter(|&at| left[at] == 0 && !nodes[at].is_empty()).collect();
    let places: FxHashMap<usize, u32> = kept.iter().zip(0..).map(|(&at, place)| (at, place)).collect();
    let made = |&at: &usize| Switch {
        name: said[at].name.clone(),
        above: above[at].and_then(|above| places.get(&above).copied()),
        level: levels[at],
        nodes: std::mem::take(&mut nodes[at]),
    };
    site.switches = kept.iter().map(made).collect();
    note_far_nodes(site, findings);
}

/// The nodes that each line names.
fn own_nodes(said: &[SwitchLine], site: &Site, findings: &mut FindingLog<'_>) -> Vec<Vec<u32>> {
    let names: FxHashMap<&str, u32> = site.nodes.iter().zip(0..).map(|(node, at)| (node.name.as_str(), at)).collect();
    let mut of = |SwitchLine { line, name, nodes, switches }: &SwitchLine| {
        if nodes.is_empty() && switches.is_empty() {
            findings.wrong(*line, format!("switch {name:.60} has neither nodes nor switches"));
        }
        let listed = match expand(nodes, MOST_NODES) {
            _ if nodes.is_empty() => return Vec::new(),
            Ok(listed) => listed,
            Err(wrong) => {
                findings.wrong(*line, format!("switch {name:.60}: {wrong}"));
                return Vec::new();
            }
        };
        if let Some(unknown) =
            listed.iter().find(|node| !names.contains_key(node.as_str()) && !site.future_nodes.contains(node.as_str()))
        {
            let words = format!("switch {name:.60}: there is no node {unknown:.60}");
            findings.note(FindingKind::Ignored, *line, words);
        }
        listed.iter().filter_map(|node| names.get(node.as_str()).copied()).collect()
    };
    said.iter().map(&mut of).collect()
}

/// Notes nodes that no switch reaches.
fn note_far_nodes(site: &Site, findings: &mut FindingLog<'_>) {
    let mut is_reached = vec![false; site.nodes.len()];
    for &node in site.switches.iter().flat_map(|switch| &switch.nodes) {
        is_reached[node as usize] = true;
    }
    let far = || site.nodes.iter().zip(&is_reached).filter(|(_, is_reached)| !**is_reached);
    let count = far().count();
    if count > 0 && !site.switches.is_empty() {
        let some = folded(far().take(20).map(|(node, _)| node.name.as_str()));
        let words = format!(
            "{count} nodes are at no switch ({some:.100}): they are taken to be at one of their own, which hangs on no other"
        );
        findings.note(FindingKind::Note, 0, words);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Finding, Site, SiteChange, SiteFile, Version, is_of_site, patch, read_site};

    const CONF: &str = "TopologyPlugin=topology/tree\nNodeName=n[1-6]\nPartitionName=p Nodes=ALL\n";
    const TREE: &str = "# ours\nSwitchName=s1 Nodes=n[1-2]\nswitchname=s2 nodes=n[3-4] LinkSpeed=10\nSwitchName=s3 Nodes=n[5-6]\n\
        SwitchName=left Switches=s[1-2]\nSwitchName=top Switches=left,s3\n";

    fn site(files: &[(&str, &str)]) -> Site {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        read_site(&files, Version::default())
    }

    fn of(site: &Site) -> Vec<(&str, Option<u32>, u32, &[u32])> {
        site.switches.iter().map(|own| (own.name.as_str(), own.above, own.level, &own.nodes[..])).collect()
    }

    #[test]
    fn switches_reach_what_hangs_on_them() {
        let shown = "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n\
            SwitchName=s3 Level=0 LinkSpeed=1 Nodes=n[5-6]\nSwitchName=left Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[1-2]\n\
            SwitchName=top Level=2 LinkSpeed=1 Nodes=n[1-6] Switches=left,s3\n";
        for tree in [TREE, shown] {
            assert!(is_of_site(tree.as_bytes()));
            for files in [[("topology.conf", tree), ("slurm.conf", CONF)], [("slurm.conf", CONF), ("t", tree)]] {
                let made = site(&files);
                assert_eq!(made.findings, []);
                assert!(made.has_tree && !made.is_tree_optional);
                let all: [u32; 6] = [0, 1, 2, 3, 4, 5];
                assert_eq!(
                    of(&made),
                    [
                        ("s1", Some(3), 0, &all[..2]),
                        ("s2", Some(3), 0, &all[2..4]),
                        ("s3", Some(4), 0, &all[4..]),
                        ("left", Some(4), 1, &all[..4]),
                        ("top", None, 2, &all[..]),
                    ]
                );
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_counts() {
        let told = |tree: &str| {
            let made = site(&[("slurm.conf", CONF), ("topology.conf", tree)]);
            let words = made.findings.iter().map(|Finding { line, words, .. }| format!("{line}:{words}"));
            (words.collect::<Vec<_>>(), made.switches.len())
        };
        let begins = |tree: &str, begin: &str, count: usize| {
            let (words, switches) = told(tree);
            assert!(words[0].starts_with(begin), "{words:?}");
            assert_eq!(switches, count, "{words:?}");
        };
        begins("SwitchName=a Nodes=n[1-7]\n", "1:switch a: there is no node n7", 1);
        begins("SwitchName=a Nodes=n[1-6]\nSwitchName=b Switches=a,c\n", "2:switch b: there is no switch c", 2);
        begins("SwitchName=a Nodes=n[1-6]\nSwitchName=a Nodes=n1\n", "2:switch a stands there twice", 1);
        begins(
            "SwitchName=a Nodes=n[1-6]\nSwitchName=b Switches=c\nSwitchName=c Switches=b\n",
            "2:switch b hangs on",
            1,
        );
        begins("SwitchName=a Nodes=n[1-4]\n", "0:2 nodes are at no switch (n[5-6])", 1);
        begins("SwitchName=a Nodes=n[1-6]\nSwitchName=b\n", "2:switch b has neither", 1);
        begins("SwitchName=a Nodes=n[1-6] Switches=b\nSwitchName=b Nodes=n[1-6]\n", "1:switch a has nodes and", 2);
        begins("SwitchName=a Nodes=n[1-6\n", "1:switch a: ", 0);
    }

    #[test]
    fn topology_yaml_tells_switches_too() {
        let yaml = "---\n- topology: blocks\n  block:\n    blocks:\n      - block: b1\n        nodes: n[1-6]\n\
            - topology: \"tree\"\n  cluster_default: true\n  tree:\n    switches:\n      - switch: top\n        children: left,s3\n      \
            - switch: left\n        children: s[1-2]\n      - switch: s1\n        nodes: n[1-2]\n      - switch: s2\n        \
            nodes: n[3-4]\n      - switch: s3\n        nodes: n[5-6]\n";
        assert!(is_of_site(yaml.as_bytes()));
        let conf = CONF.replace("TopologyPlugin=topology/tree\n", "");
        let told = site(&[("slurm.conf", &conf), ("topology.yaml", yaml)]);
        assert!(told.has_tree && told.switches.len() == 5, "{:?}", told.switches);
        let leaf = told.switches.iter().find(|switch| switch.name == "s2").unwrap();
        assert_eq!((leaf.level, &leaf.nodes[..]), (0, &[2, 3][..]));
        assert_eq!(told.findings.len(), 2, "{:?}", told.findings);
    }

    #[test]
    fn switches_count_where_the_site_says_so() {
        let plain = CONF.replace("topology/tree", "topology/none");
        let made = site(&[("slurm.conf", &plain), ("topology.conf", TREE)]);
        assert!(!made.has_tree && made.switches.len() == 5);
        assert!(matches!(&made.findings[..], [told] if told.words.contains("TopologyPlugin=topology/tree")));
        let lonely = site(&[("slurm.conf", CONF)]);
        assert!(matches!(&lonely.findings[..], [told] if told.words.contains("there is no topology.conf")));
        let optional = site(&[("slurm.conf", &format!("TopologyParam=TopoOptional\n{CONF}")), ("topology.conf", TREE)]);
        assert!(optional.is_tree_optional && optional.findings.is_empty());
        let blocks = site(&[("slurm.conf", CONF), ("topology.conf", "BlockName=b1 Nodes=n[1-6]\nBlockSizes=6\n")]);
        assert!(blocks.findings.iter().any(|told| told.words.contains("topology/block")), "{:?}", blocks.findings);
    }

    #[test]
    fn a_site_may_go_without_its_switches() {
        let made = site(&[("slurm.conf", CONF), ("topology.conf", TREE)]);
        let flat = [SiteChange::read("TopologyPlugin", "topology/flat").unwrap()];
        assert!(!made.changed(&flat).unwrap().has_tree);
        let told = patch(&made, &flat);
        assert!(told.diff.contains("+TopologyPlugin=topology/flat"), "{}", told.diff);
        assert_eq!(told.commands, ["systemctl restart slurmctld"]);
        assert!(SiteChange::read("TopologyPlugin", "topology/block").is_err());
    }

    #[test]
    fn new_nodes_are_where_the_last_one_is() {
        let made = site(&[("slurm.conf", CONF), ("topology.conf", TREE)]);
        let more = made.resized("p", 2).unwrap();
        assert_eq!((&more.switches[2].nodes[..], more.switches[4].nodes.len()), (&[4, 5, 6, 7][..], 8));
        let fewer = made.resized("p", -3).unwrap();
        assert_eq!((&fewer.switches[1].nodes[..], fewer.switches[2].nodes.len()), (&[2][..], 0));
    }
}
