//! What the options of jobs mean on the nodes of a site: which nodes a job may use, and what else it takes.

use super::gpu_counts::KindCounts;
use super::node_set::NodeBits;
use super::tree::WantedSwitches;
use packfair_slurm::{AllowedNodes, Site, SlurmParameter, allowed_nodes};
use packfair_workload::{JobOptions, NodeSharing, Seconds};
use rustc_hash::FxHashSet;

/// What the jobs with certain options want.
#[derive(Clone, Debug, Default)]
pub(super) struct Want {
    /// The nodes that they may use; none: all.
    pub fit: Option<NodeBits>,
    pub sets: WantedSets,
    /// GPUs by type on all nodes together.
    pub kinds: KindCounts,
    /// Licences, by their places in the site, and how many.
    pub licences: Vec<(usize, u32)>,
    /// Whether one of the licences is enough.
    pub is_any_licence: bool,
    /// The most leaf switches, and for how long it waits for that.
    pub switches: Option<WantedSwitches>,
    /// Processors of each task; 0 where nothing is told.
    pub of_task: u32,
    pub sharing: NodeSharing,
    /// The reservations of which they may be in one, by their places in the site.
    pub reservations: Vec<usize>,
}

/// Sets of nodes of which a job takes one, or some of each.
#[derive(Clone, Debug, Default)]
pub(super) enum WantedSets {
    #[default]
    Any,
    OneOf(Vec<NodeBits>),
    /// The fewest nodes of each set.
    Counts(Vec<(u32, NodeBits)>),
}

/// The types of GPUs of a site.
pub(super) fn kinds_of(site: &Site) -> Vec<&str> {
    let (mut kinds, mut seen): (Vec<&str>, FxHashSet<&str>) = Default::default();
    for (kind, _) in site.nodes.iter().flat_map(|node| &node.gpu_kinds) {
        if seen.insert(kind.as_str()) {
            kinds.push(kind);
        }
    }
    kinds
}

/// What each of the options wants; the first is that of jobs without options. What a site does not have is not wanted,
/// for by the log the jobs ran.
pub(super) fn wants(site: &Site, options: &[JobOptions]) -> Vec<Want> {
    let kinds = kinds_of(site);
    std::iter::once(Want::default()).chain(options.iter().map(|options| Want::of(options, site, &kinds))).collect()
}

impl Want {
    fn of(options: &JobOptions, site: &Site, kinds: &[&str]) -> Self {
        let count = site.nodes.len();
        let bits = |nodes: &[u32]| NodeBits::of(count, nodes.iter().map(|&node| node as usize));
        let allowed =
            if options.constraint.is_empty() { None } else { allowed_nodes(&options.constraint, &site.nodes) };
        let (mut fit, mut sets) = (None, WantedSets::Any);
        match allowed.filter(|allowed| !allowed.are_none()) {
            Some(AllowedNodes::Each(nodes)) => fit = Some(bits(&nodes)),
            Some(AllowedNodes::OneOf(of)) => sets = WantedSets::OneOf(of.iter().map(|nodes| bits(nodes)).collect()),
            Some(AllowedNodes::Counts(of)) => {
                sets = WantedSets::Counts(of.iter().map(|(least, nodes)| (*least, bits(nodes))).collect());
            }
            None => {}
        }
        let mut wanted = KindCounts::default();
        for (kind, amount) in &options.gpus {
            let Some(at) = kinds.iter().position(|own| own == kind) else { continue };
            wanted.add(at, *amount);
            let has = |node: &packfair_slurm::Node| node.gpu_kinds.iter().any(|(own, _)| own == kind);
            let having = site.nodes.iter().enumerate().filter(|(_, node)| has(node)).map(|(at, _)| at);
            let having = NodeBits::of(count, having);
            fit = Some(fit.map_or(having.clone(), |fit| fit.common(&having)));
        }
        let licences = options.licences.iter().filter_map(|(name, wanted)| {
            let at = site.licences.iter().position(|own| own.name == *name)?;
            // more than there are is wanted by nobody who ran
            Some((at, (*wanted).min(site.licences[at].count)))
        });
        let names: Vec<&str> = options.reservation.split(',').filter(|name| !name.is_empty()).collect();
        let reservations = site.reservations.iter().enumerate().filter(|(_, own)| names.contains(&own.name.as_str()));
        Want {
            reservations: reservations.map(|(at, _)| at).collect(),
            fit: fit.filter(|fit| fit.count() > 0),
            sets,
            kinds: wanted,
            licences: licences.collect(),
            is_any_licence: options.is_any_licence,
            switches: options.switches.map(|(most, wait)| {
                // who tells no time waits as long as the site lets anybody
                (most, Seconds::from(wait).min(site.parameters.get(SlurmParameter::MaxSwitchWait)))
            }),
            of_task: options.of_task,
            sharing: match options.names_reserved && site.allows_reserved {
                true => NodeSharing::Nobody,
                false => options.sharing,
            },
        }
    }

    /// The GPUs by type on each of so many nodes.
    pub(super) fn kinds_of_each(&self, nodes: u32) -> KindCounts {
        self.kinds.divided(u16::try_from(nodes).unwrap_or(u16::MAX))
    }
}
