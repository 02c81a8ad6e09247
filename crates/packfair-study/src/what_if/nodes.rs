//! Nodes that partitions of a site have more or fewer: the site with them, in words, and what is to be done.

use crate::format::counted;
use packfair_base::machine::{MachineError, WhatIf};
use packfair_schedulers::Policy;
use packfair_slurm::{Node, Patch, Site, SlurmPartition, folded, patch_resized};

/// The site with the nodes of a what-if; `None` where it is about anything else.
///
/// # Errors
/// Where the what-if names no partition of the site though there are several, or leaves a partition without nodes.
pub(crate) fn resized(site: &Site, what_if: &WhatIf) -> Result<Option<Site>, MachineError> {
    let Some(all) = what_if.nodes_alone().filter(|_| !site.nodes.is_empty()) else { return Ok(None) };
    let mut made = site.clone();
    for (more, partition) in all {
        let partition = the_partition(site, partition, what_if)?;
        made = made.resized(partition, more).map_err(MachineError::OfSite)?;
    }
    Ok(Some(made))
}

/// The partition with a name, or without a name the only one.
fn the_partition<'a>(site: &'a Site, name: Option<&'a str>, what_if: &WhatIf) -> Result<&'a str, MachineError> {
    let known = || site.partitions.iter().map(|own| own.name.as_str()).collect::<Vec<_>>().join(", ");
    match (name, &site.partitions[..]) {
        (Some(name), _) => Ok(name),
        (None, [only]) => Ok(&only.name),
        (None, _) => Err(MachineError::OfSite(format!(
            "\"{what_if}\" does not say in which partition; add cell=, one of {}",
            known()
        ))),
    }
}

/// The nodes of a what-if in words: "20 more nodes in batch (16 to 36)".
pub fn nodes_in_words(site: &Site) -> impl Fn(&WhatIf) -> String + '_ {
    move |what_if| {
        let one = |(more, partition): (i64, Option<&str>)| {
            let (count, than) = (more.unsigned_abs(), if more < 0 { "fewer" } else { "more" });
            let partition = the_partition(site, partition, what_if).unwrap_or("?");
            let now = site.partitions.iter().find(|own| own.name == partition).map_or(0, |own| own.nodes.len() as i64);
            let nodes = counted(count, "node", "nodes").replacen(' ', &format!(" {than} "), 1);
            format!("{nodes} in partition {partition} ({now} to {})", now.saturating_add(more))
        };
        match what_if.nodes_alone() {
            Some(all) => all.into_iter().map(one).collect::<Vec<_>>().join(" and "),
            None => what_if.name(),
        }
    }
}

/// What is to be done at a site for the changes of a policy and the nodes of a what-if.
pub fn nodes_patch(site: &Site, policy: &Policy, what_if: Option<&WhatIf>) -> Patch {
    let all: Option<Vec<_>> = what_if.and_then(|what_if| {
        let named = what_if.nodes_alone()?.into_iter();
        named.map(|(more, partition)| Some((the_partition(site, partition, what_if).ok()?.to_owned(), more))).collect()
    });
    patch_resized(site, &all.unwrap_or_default(), &policy.site_changes())
}

// Questions about GPUs: the newest in a partition by themselves, more of them.

/// Names in types of GPUs, the newest first.
const GENERATIONS: &[&str] = &[
    "gb300", "gb200", "b300", "b200", "mi355", "mi325", "mi300", "gh200", "h200", "h100", "h20", "l40", "mi250",
    "mi210", "mi100", "a100", "a800", "a40", "a30", "a6000", "a5000", "a4000", "a16", "a10", "l4", "5090", "4090",
    "3090", "3080", "v100", "t4", "6000", "8000", "2080", "titan", "p100", "p40", "1080", "m40", "k80", "k40", "k20",
];

/// The newest type of GPU of a site; none where it has none, or several of which none is known.
fn newest(site: &Site) -> Option<&str> {
    let mut kinds: Vec<&str> =
        site.nodes.iter().flat_map(|node| &node.gpu_kinds).map(|(kind, _)| kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rank = |kind: &str| {
        let lower = kind.to_ascii_lowercase();
        GENERATIONS.iter().position(|name| lower.contains(name))
    };
    match kinds[..] {
        [only] => Some(only),
        _ => kinds.into_iter().filter_map(|kind| Some((rank(kind)?, kind))).min().map(|(_, kind)| kind),
    }
}

fn has(node: &Node, kind: &str) -> bool {
    node.gpu_kinds.iter().any(|(own, _)| own == kind)
}

/// Names of nodes as a list of a change.
fn list(site: &Site, nodes: impl IntoIterator<Item = u32>) -> String {
    folded(nodes.into_iter().map(|at| site.nodes[at as usize].name.as_str())).replace(',', "+")
}

/// A partition of the nodes with the newest GPUs, which the other partitions lose. None where they are by themselves.
pub(super) fn newest_apart(site: &Site) -> Option<String> {
    let kind = newest(site)?;
    let is_new = |&at: &u32| has(&site.nodes[at as usize], kind);
    let all: Vec<u32> = (0..site.nodes.len() as u32).filter(is_new).collect();
    let name = ["newest", "newest-gpus"].into_iter().find(|name| site.partition(name).is_none())?;
    // a partition of theirs is there already
    if site.partitions.iter().any(|partition| partition.nodes == all) {
        return None;
    }
    let sharing: Vec<&SlurmPartition> =
        site.partitions.iter().filter(|partition| partition.nodes.iter().any(is_new)).collect();
    let tier = sharing.iter().map(|partition| partition.tier).max()?;
    let mut words = vec![format!("partition.{name}.Nodes={}", list(site, all.iter().copied()))];
    if tier != 1 {
        words.push(format!("partition.{name}.PriorityTier={tier}"));
    }
    if sharing.iter().all(|partition| partition.is_exclusive) {
        words.push(format!("partition.{name}.OverSubscribe=EXCLUSIVE"));
    }
    for partition in sharing {
        let left: Vec<u32> = partition.nodes.iter().copied().filter(|at| !is_new(at)).collect();
        // one of fewer kinds of nodes than theirs would be empty
        if left.is_empty() {
            return None;
        }
        words.push(format!("partition.{}.Nodes={}", partition.name, list(site, left)));
    }
    Some(words.join(","))
}

/// The types of GPUs of a node, and how many it has of each.
type Kinds<'a> = &'a [(String, u32)];

/// One GPU of the newest type more on each node that has some.
pub(super) fn one_more(site: &Site) -> Option<String> {
    let kind = newest(site)?;
    let mut alike: Vec<(Kinds<'_>, Vec<u32>)> = Vec::new();
    for (at, node) in (0..).zip(&site.nodes).filter(|(_, node)| has(node, kind)) {
        match alike.iter_mut().find(|(kinds, _)| *kinds == node.gpu_kinds.as_slice()) {
            Some((_, nodes)) => nodes.push(at),
            None => alike.push((&node.gpu_kinds, vec![at])),
        }
    }
    let change = |(kinds, nodes): (Kinds<'_>, Vec<u32>)| {
        let more = |(own, count): &(String, u32)| format!("gpu:{own}:{}", count + u32::from(own == kind));
        let gres: Vec<String> = kinds.iter().map(more).collect();
        format!("node.{}.Gres={}", list(site, nodes), gres.join("+"))
    };
    let changes: Vec<String> = alike.into_iter().map(change).collect();
    (!changes.is_empty()).then(|| changes.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    const CONF: &str = "NodeName=n[1-16] CPUs=4 RealMemory=8000\nPartitionName=batch Nodes=n[1-12] Default=YES\n\
        PartitionName=far Nodes=n[7-16]\nPartitionName=all Nodes=ALL\n";

    fn site(conf: &str) -> Site {
        read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default())
    }

    #[test]
    fn twenty_nodes_are_twenty_nodes_and_of_which_partition_is_said() {
        let site = site(CONF);
        let words = |text: &str| nodes_in_words(&site)(&text.parse().unwrap());
        assert_eq!(words("+20 cell=batch"), "20 more nodes in partition batch (12 to 32)");
        assert_eq!(words("-1 cell=far"), "1 fewer node in partition far (10 to 9)");
        let of = |text: &str| resized(&site, &text.parse().unwrap()).map_err(|why| why.to_string());
        assert_eq!(of("+20 cell=batch").unwrap().unwrap().nodes.len(), 36);
        assert_eq!(of("memory=x2"), Ok(None));
        assert_eq!(
            of("+20").unwrap_err(),
            "\"nodes=+20\" does not say in which partition; add cell=, one of batch, far, all"
        );
        assert_eq!(of("-12 cell=batch").unwrap_err(), "partition batch has 12 nodes, and 12 fewer leave none");
    }

    #[test]
    fn what_is_to_be_done_can_be_applied() {
        let site = site(CONF);
        let policy: Policy = "slurm:bf_window=2880".parse().unwrap();
        let patch = nodes_patch(&site, &policy, Some(&"+4 cell=batch".parse().unwrap()));
        assert_eq!(
            patch.conf,
            "NodeName=n[1-16] CPUs=4 RealMemory=8000\nPartitionName=batch Nodes=n[1-12,17-20] Default=YES\n\
             PartitionName=far Nodes=n[7-16]\nPartitionName=all Nodes=ALL\nNodeName=n[17-20] CPUs=4 RealMemory=8000\n\
             SchedulerParameters=bf_window=2880\n"
        );
        let again = self::tests::site(&patch.conf);
        let made = resized(&site, &"+4 cell=batch".parse().unwrap()).unwrap().unwrap();
        assert_eq!((again.nodes, again.partitions), (made.nodes, made.partitions));
        let fewer = nodes_patch(&site, &"slurm".parse().unwrap(), Some(&"-2 cell=far".parse().unwrap()));
        assert!(
            fewer.conf.contains("PartitionName=far Nodes=n[7-14]\nPartitionName=all Nodes=n[1-14]"),
            "{}",
            fewer.conf
        );
        assert_eq!(nodes_patch(&site, &"slurm".parse().unwrap(), None), Patch::default());
    }
}

#[cfg(test)]
mod gpus_tests {
    use super::*;
    use packfair_slurm::{SiteChange, SiteFile, Version, patch, read_site};

    fn site(conf: &str) -> Site {
        let site = read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default());
        assert!(site.findings.iter().all(|finding| finding.words.starts_with("Gres shard")), "{:?}", site.findings);
        site
    }

    const CONF: &str = "NodeName=c[1-4] CPUs=8\nNodeName=g[1-4] CPUs=16 Gres=gpu:a100:4,shard:8\n\
        NodeName=g[5-6] CPUs=16 Gres=gpu:Tesla-V100:2,gpu:a100:1\nNodeName=g7 CPUs=16 Gres=gpu:v100:2\n\
        PartitionName=batch Nodes=c[1-4] Default=YES\nPartitionName=gpu Nodes=g[1-7] PriorityTier=3\n";

    fn changed(site: &Site, text: &str) -> (Site, Vec<SiteChange>) {
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap();
            SiteChange::read(key, value).unwrap()
        };
        // commas in brackets are part of a list
        let mut pairs: Vec<String> = Vec::new();
        for part in text.split(',') {
            match pairs.last_mut().filter(|last| last.matches('[').count() > last.matches(']').count()) {
                Some(last) => *last = format!("{last},{part}"),
                None => pairs.push(part.to_owned()),
            }
        }
        let changes: Vec<SiteChange> = pairs.iter().map(|text| pair(text)).collect();
        (site.changed(&changes).unwrap(), changes)
    }

    #[test]
    fn the_newest_get_a_partition_that_the_others_lose() {
        let site = site(CONF);
        assert_eq!(newest(&site), Some("a100"));
        let text = newest_apart(&site).unwrap();
        assert_eq!(text, "partition.newest.Nodes=g[1-6],partition.newest.PriorityTier=3,partition.gpu.Nodes=g7");
        let (made, changes) = changed(&site, &text);
        assert_eq!((made.partitions[2].nodes.len(), &made.partitions[1].nodes[..]), (6, &[10][..]));
        let diff = patch(&site, &changes).diff;
        assert!(diff.contains("+PartitionName=newest Nodes=g[1-6] PriorityTier=3\n"), "{diff}");
        assert!(diff.contains("+PartitionName=gpu Nodes=g7 PriorityTier=3\n"), "{diff}");
        assert_eq!(newest_apart(&made), None);
        assert_eq!(newest_apart(&Site::plain(4, Version::default())), None);
    }

    #[test]
    fn a_gpu_more_is_one_of_its_type_on_each_node_that_has_it() {
        let site = site(CONF);
        let text = one_more(&site).unwrap();
        assert_eq!(text, "node.g[1-4].Gres=gpu:a100:5,node.g[5-6].Gres=gpu:Tesla-V100:2+gpu:a100:2");
        let (made, changes) = changed(&site, &text);
        assert_eq!([4, 8, 10].map(|at| made.nodes[at].gpus), [5, 4, 2]);
        let diff = patch(&site, &changes).diff;
        assert!(diff.contains("+NodeName=g[1-4] CPUs=16 Gres=gpu:a100:5,shard:8\n"), "what is no GPU stays: {diff}");
        assert_eq!(one_more(&Site::plain(4, Version::default())), None);
    }
}
