//! Nodes that partitions of a site have more or fewer: the site with them, in words, and what is to be done.

use crate::format::counted;
use packfair_base::machine::{MachineError, WhatIf};
use packfair_schedulers::Policy;
use packfair_slurm::{Patch, Site, patch_resized};

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
