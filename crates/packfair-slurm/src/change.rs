//! Changes of a site, one value each: what an administrator may set otherwise, as `key=value`.
//!
//! | key | what it changes |
//! | --- | --- |
//! | `bf_max_job_test` | a word of SchedulerParameters; one without a value takes `yes` or `no` |
//! | `PriorityWeightAge` | a key of `slurm.conf` |
//! | `partition.debug.MaxTime` | a key of a partition; a partition that does not exist is made |
//! | `node.g[1-4].Gres` | a key of nodes, which a list names |
//! | `qos.normal.MaxJobsPU` | a limit, the priority or the usage factor of a QOS |
//! | `user.ann.Fairshare`, `account.a.GrpTRES` | shares and limits of users and accounts |
//! | `drain` | `NODES@FROM/UNTIL`: nodes that take no jobs for a time |
//! | `maintenance` | `NODES@FROM/UNTIL/ANNOUNCED`: a reservation |
//!
//! A `+` in a value stands for a comma. Values are read by the readers of the files.

use super::accounts::Association;
use super::away::{NodeEvent, Outage};
use super::hostlist::expand;
use super::lines::FindingLog;
use super::nodes::{MOST_NODES, NodeLine};
use super::parameters::Parameters;
use super::partitions::{PartitionLine, PartitionPlaces};
use super::quantity::moment;
use super::reservations::{MaintenanceTime, SiteReservation};
use super::site::Site;
use super::table::{set_qos, shares};
use super::{Qos, conf};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteChange {
    pub of: Changed,
    /// The key, as Slurm writes it.
    pub key: String,
    /// The new value, as Slurm reads it.
    pub value: String,
}

/// An object of a site that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    Parameter,
    Conf,
    Partition(String),
    /// The nodes of a list.
    Nodes(String),
    /// A QOS of this name.
    Qos(String),
    User(String),
    Account(String),
    Drain,
    /// Nodes that no job may use, by a reservation.
    Maintenance,
}

/// The keys of `slurm.conf` that can be changed: those that are modelled.
const KEYS: &[&str] = &[
    "AccountingStorageEnforce",
    "CompleteWait",
    "DefMemPerCPU",
    "DefMemPerGPU",
    "DefMemPerNode",
    "FairShareDampeningFactor",
    "KillWait",
    "Licenses",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "OverTimeLimit",
    "PreemptMode",
    "PreemptType",
    "PriorityCalcPeriod",
    "PriorityDecayHalfLife",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityMaxAge",
    "PriorityType",
    "PriorityWeightAge",
    "PriorityWeightFairshare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "ResumeRate",
    "ResumeTimeout",
    "SchedulerType",
    "SelectType",
    "SelectTypeParameters",
    "SuspendExcNodes",
    "SuspendExcParts",
    "SuspendRate",
    "SuspendTime",
    "SuspendTimeout",
    "TopologyPlugin",
];

/// The keys of partitions that can be changed.
const PARTITION_KEYS: &[&str] = &[
    "DefMemPerCPU",
    "DefMemPerNode",
    "DefaultTime",
    "ExclusiveUser",
    "LLN",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "MaxNodes",
    "MaxTime",
    "MinNodes",
    "Nodes",
    "OverSubscribe",
    "PriorityJobFactor",
    "PriorityTier",
    "QOS",
    "State",
    "TRESBillingWeights",
];

/// The keys of nodes that can be changed.
const NODE_KEYS: &[&str] = &["CoreSpecCount", "CPUs", "Feature", "Gres", "MemSpecLimit", "RealMemory", "Weight"];

impl SiteChange {
    /// Reads a change, and checks that Slurm would take its value. Whether a site has the object is checked by
    /// [`SiteChange::apply`].
    ///
    /// # Errors
    /// If it is not a change: what is wrong, and what there is.
    pub fn read(key: &str, value: &str) -> Result<Self, String> {
        let value = value.replace('+', ",");
        let change = |of, key: &str| SiteChange { of, key: key.to_owned(), value: value.clone() };
        let known = |keys: &[&'static str], key: &str| {
            let found = keys.iter().find(|known| known.eq_ignore_ascii_case(key)).copied();
            found.ok_or_else(|| format!("there is no {key:.60} to change; there are {}", keys.join(", ")))
        };
        let made = match key.split_once('.') {
            Some((what, rest)) => {
                // names of partitions may contain dots, keys do not
                let like = || format!("{key:.60} should look like {what:.20}.NAME.KEY");
                let (name, key) = rest.rsplit_once('.').filter(|(name, _)| !name.is_empty()).ok_or_else(like)?;
                let name = name.to_owned();
                match what.to_ascii_lowercase().as_str() {
                    "partition" => change(Changed::Partition(name), known(PARTITION_KEYS, key)?),
                    "node" => change(Changed::Nodes(name.replace('+', ",")), known(NODE_KEYS, key)?),
                    "qos" => change(Changed::Qos(name), key),
                    "user" => change(Changed::User(name), key),
                    "account" => change(Changed::Account(name), key),
                    _ => return Err(format!("{what:.40} is none of partition, node, qos, user and account")),
                }
            }
            None if key.eq_ignore_ascii_case("drain") => change(Changed::Drain, "drain"),
            None if key.eq_ignore_ascii_case("maintenance") => change(Changed::Maintenance, "maintenance"),
            None => match Parameters::spelled(key) {
                Some(word) => change(Changed::Parameter, word),
                None => change(Changed::Conf, known(KEYS, key).map_err(|error| unknown(key, &error))?),
            },
        };
        // try the change on a site that has the object
        let mut site = Site::plain(1, super::Version::default());
        match &made.of {
            Changed::Qos(name) => site.qos.push(Qos { name: name.clone(), usage_factor: 1.0, ..Qos::default() }),
            Changed::User(name) => {
                let user = Association { account: "a".to_owned(), user: name.clone(), ..Association::default() };
                site.accounts.all.push(user);
            }
            Changed::Account(name) => {
                site.accounts.all.push(Association { account: name.clone(), ..Association::default() });
            }
            _ => {}
        }
        made.set(&mut site, false)?;
        Ok(made)
    }

    /// The key and the value, as [`SiteChange::read`] reads them.
    pub fn pair(&self) -> (String, String) {
        let key = match &self.of {
            Changed::Partition(name) => format!("partition.{name}.{}", self.key),
            Changed::Nodes(list) => format!("node.{}.{}", list.replace(',', "+"), self.key),
            Changed::Qos(name) => format!("qos.{name}.{}", self.key),
            Changed::User(name) => format!("user.{name}.{}", self.key),
            Changed::Account(name) => format!("account.{name}.{}", self.key),
            Changed::Parameter | Changed::Conf | Changed::Drain | Changed::Maintenance => self.key.clone(),
        };
        (key, self.value.replace(',', "+"))
    }

    /// Makes the change to a site.
    ///
    /// # Errors
    /// If the site does not have the object.
    pub fn apply(&self, site: &mut Site) -> Result<(), String> {
        self.set(site, true)
    }

    /// Makes the change to a site. `has_nodes` says whether nodes must be among those of the site.
    fn set(&self, site: &mut Site, has_nodes: bool) -> Result<(), String> {
        let SiteChange { of, key, value } = self;
        let mut findings = FindingLog::of("");
        match of {
            Changed::Parameter => {
                let word = Parameters::changed(key, value)?;
                site.parameters.take(&word, 0, &mut findings);
            }
            Changed::Conf => conf::take(0, &key.to_ascii_lowercase(), key, value, site, &mut findings),
            Changed::Partition(name) => self.set_partition(name, site, has_nodes, &mut findings),
            Changed::Nodes(list) => self.set_nodes(list, site, has_nodes, &mut findings)?,
            Changed::Qos(name) => {
                let qos = site.qos.iter_mut().find(|qos| qos.name == *name);
                let qos = qos.ok_or_else(|| format!("the site's files have no QOS {name}"))?;
                set_qos(qos, key, value, 0, &mut findings);
            }
            Changed::User(name) => self.set_associations(site, "user", name, &mut findings)?,
            Changed::Account(name) => self.set_associations(site, "account", name, &mut findings)?,
            Changed::Drain => {
                let Outside { nodes, times } = outside(value, 2, site, has_nodes)?;
                let event = |node| NodeEvent {
                    node,
                    from: times[0],
                    until: Some(times[1]),
                    what: Outage::Drained,
                    reason: "what if".to_owned(),
                };
                site.events.extend(nodes.into_iter().map(event));
            }
            Changed::Maintenance => {
                let Outside { nodes, times } = outside(value, 3, site, has_nodes)?;
                let time = MaintenanceTime { from: times[0], until: times[1], announced: Some(times[2]) };
                let name = "maintenance".to_owned();
                site.reservations.push(SiteReservation { name, time, nodes, ..SiteReservation::default() });
            }
        }
        match findings.all.first() {
            None => Ok(()),
            Some(finding) if finding.words.contains(key.as_str()) => Err(finding.words.clone()),
            Some(finding) => Err(format!("{}={value:.60}: {}", self.pair().0, finding.words)),
        }
    }

    fn set_partition(&self, name: &str, site: &mut Site, has_nodes: bool, findings: &mut FindingLog<'_>) {
        let names: FxHashMap<&str, u32> =
            site.nodes.iter().zip(0..).map(|(node, at)| (node.name.as_str(), at)).collect();
        let places = PartitionPlaces { names, sets: &site.node_sets, future: &site.future_nodes };
        let at = site.partitions.iter().position(|partition| partition.name == name);
        if self.key == "Nodes" && !has_nodes {
            if let Err(wrong) = expand(&self.value, MOST_NODES) {
                findings.wrong(0, wrong);
            }
            return;
        }
        let before = at.map_or_else(
            || super::SlurmPartition {
                is_default: false,
                is_added: true,
                ..super::SlurmPartition::of_all(name, site.nodes.len())
            },
            |at| site.partitions[at].clone(),
        );
        let line = PartitionLine::of(name, &self.key, &self.value);
        let partition = line.changed(before, &site.nodes, &places, findings);
        match at {
            Some(at) => site.partitions[at] = partition,
            None => site.partitions.push(partition),
        }
    }

    fn set_nodes(
        &self,
        list: &str,
        site: &mut Site,
        has_nodes: bool,
        findings: &mut FindingLog<'_>,
    ) -> Result<(), String> {
        let said = NodeLine::of(&self.key, &self.value, findings);
        let names = expand(list, MOST_NODES)?;
        let places: FxHashMap<String, usize> =
            site.nodes.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
        for name in names {
            match places.get(&name) {
                Some(&at) => said.change(&mut site.nodes[at]),
                None if has_nodes => return Err(format!("the site has no node {name}")),
                None => {}
            }
        }
        Ok(())
    }

    fn set_associations(
        &self,
        site: &mut Site,
        what: &str,
        name: &str,
        findings: &mut FindingLog<'_>,
    ) -> Result<(), String> {
        let is_user = what == "user";
        let is_it = |other: &&mut Association| match is_user {
            true => other.user == name,
            false => other.user.is_empty() && other.account == name,
        };
        let mut count = 0;
        for association in site.accounts.all.iter_mut().filter(is_it) {
            count += 1;
            match self.key.to_ascii_lowercase().as_str() {
                "fairshare" | "shares" => association.shares = shares(&self.value, 0, findings),
                lower => match association.limits.set(lower, &self.value) {
                    super::limits::LimitSet::Set => {}
                    super::limits::LimitSet::OfOthers => {
                        let words = super::table::others(&self.key, &self.value);
                        findings.note(super::FindingKind::NotModelled, 0, words);
                    }
                    super::limits::LimitSet::NoValue => findings.wrong(0, format!("{}={:.60}", self.key, self.value)),
                    super::limits::LimitSet::NoLimit => {
                        return Err(format!("{:.60} is no limit of a {what}, and not Fairshare", self.key));
                    }
                },
            }
        }
        if count == 0 { Err(format!("the site's files have no {what} {name}")) } else { Ok(()) }
    }
}

/// The message for an unknown key, with a similar word if there is one.
fn unknown(key: &str, error: &str) -> String {
    let words = Parameters::unknown(key);
    match words.split_once("; ") {
        Some((_, hint)) => format!("there is no {key:.60} to change; {hint}"),
        None => format!(
            "{error}, words of SchedulerParameters, partition.NAME.KEY, node.LIST.KEY, qos.NAME.KEY, user.NAME.KEY, \
                         account.NAME.KEY, drain and maintenance"
        ),
    }
}

/// The nodes and times of a drain or a reservation.
struct Outside {
    nodes: Vec<String>,
    times: Vec<i64>,
}

/// Reads `NODES@TIME/TIME` with `count` times. NODES may be ALL.
fn outside(value: &str, count: usize, site: &Site, has_nodes: bool) -> Result<Outside, String> {
    let like = if count == 2 { "NODES@FROM/UNTIL" } else { "NODES@FROM/UNTIL/ANNOUNCED" };
    let form = || format!("\"{value:.60}\" should look like {like}, times as 2026-11-23T08:00:00");
    let (list, times) = value.split_once('@').ok_or_else(form)?;
    let times: Vec<i64> = times.split('/').map(moment).collect::<Option<_>>().ok_or_else(form)?;
    if times.len() != count {
        return Err(form());
    }
    if times[1] <= times[0] {
        return Err(format!("\"{value:.60}\" ends before it begins"));
    }
    if list.eq_ignore_ascii_case("all") {
        return Ok(Outside { nodes: site.nodes.iter().map(|node| node.name.clone()).collect(), times });
    }
    let nodes = expand(list, MOST_NODES)?;
    let known: rustc_hash::FxHashSet<&str> = site.nodes.iter().map(|node| node.name.as_str()).collect();
    match nodes.iter().find(|node| has_nodes && !known.contains(node.as_str())) {
        Some(node) => Err(format!("the site has no node {node}")),
        None => Ok(Outside { nodes, times }),
    }
}

impl Site {
    /// The site with changes.
    ///
    /// # Errors
    /// If the site does not have the object of a change.
    pub fn changed(&self, changes: &[SiteChange]) -> Result<Site, String> {
        let mut site = self.clone();
        changes.iter().try_for_each(|change| change.apply(&mut site))?;
        Ok(site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SiteFile, Version, read_site};

    fn site() -> Site {
        let conf = "SchedulerParameters=bf_continue,bf_window=2880\nPriorityType=priority/multifactor\n\
            NodeName=n[1-8] CPUs=4\nPartitionName=batch Nodes=ALL Default=YES MaxTime=1-0\n";
        let qos = "Name|Priority|MaxJobsPU\nnormal|0|\n";
        let assoc = "Cluster|Account|User|Share\nc|root||1\nc|a||3\nc|a|ann|2\n";
        let files = [("slurm.conf", conf), ("qos", qos), ("assoc", assoc)];
        read_site(&files.map(|(name, text)| SiteFile { name, content: text.as_bytes() }), Version::default())
    }

    fn changed(pairs: &[(&str, &str)]) -> Result<Site, String> {
        let mut site = site();
        for (key, value) in pairs {
            let change = SiteChange::read(key, value)?;
            let (key, value) = change.pair();
            assert_eq!(SiteChange::read(&key, &value), Ok(change.clone()), "it is read back");
            change.apply(&mut site)?;
        }
        Ok(site)
    }

    #[test]
    fn whatever_is_modelled_can_be_changed() {
        let site = changed(&[
            ("BF_MAX_JOB_TEST", "200"),
            ("bf_continue", "no"),
            ("priorityweightage", "4000"),
            ("PriorityDecayHalfLife", "14-0"),
            ("PriorityFlags", "NO_FAIR_TREE+NO_NORMAL_QOS"),
            ("partition.batch.MaxTime", "30"),
            ("partition.debug.Nodes", "n[1-2,5]"),
            ("node.n[1-2]+n5.Gres", "gpu:a100:2+gpu:v100:1"),
            ("node.n[1-2].RealMemory", "4000"),
            ("node.n[1-2].MemSpecLimit", "500"),
            ("node.n[1-2].CoreSpecCount", "1"),
            ("qos.normal.MaxJobsPU", "4"),
            ("qos.normal.GrpTRES", "cpu=8+node=2"),
            ("user.ann.Fairshare", "7"),
            ("account.a.GrpJobs", "9"),
            ("drain", "n[3-4]@2026-11-23T08:00:00/2026-11-24"),
            ("maintenance", "ALL@2026-12-01T08:00/2026-12-01T20:00/2026-11-24"),
        ])
        .unwrap();
        assert_eq!(site.parameters.text(), "bf_max_job_test=200,bf_window=2880");
        assert_eq!((site.priority.weights.age, site.priority.half_life), (4000.0, Some(14 * 86_400)));
        assert!(!site.priority.is_fair_tree && site.priority.is_raw.qos);
        assert_eq!((site.partitions[0].max_time, &site.partitions[1].nodes[..]), (Some(1800), &[0, 1, 4][..]));
        assert!(site.partitions[1].is_added && !site.partitions[0].is_added);
        assert_eq!((site.qos[0].limits.jobs_of_user, site.qos[0].limits.tres.cpus), (Some(4), Some(8.0)));
        let of = |at: usize| (site.nodes[at].gpus, site.nodes[at].gpu_kinds.len(), site.nodes[at].memory);
        assert_eq!([0, 1, 2, 4].map(of), [(3, 2, 3500), (3, 2, 3500), (0, 0, 1), (3, 2, 1)]);
        assert_eq!((site.nodes[0].cpus, site.nodes[0].reserved_cpus, site.nodes[2].reserved_cpus), (4, 1, 0));
        let ann = site.accounts.of("a", "ann").unwrap() as usize;
        assert_eq!((site.accounts.all[ann].shares, site.accounts.all[1].limits.jobs), (Some(7), Some(9)));
        assert_eq!((site.events.len(), site.reservations[0].nodes.len()), (2, 8));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |key: &str, value: &str| changed(&[(key, value)]).unwrap_err();
        assert!(
            wrong("bf_max_job_tset", "3").contains("bf_max_job_test is meant"),
            "{}",
            wrong("bf_max_job_tset", "3")
        );
        assert!(wrong("bf_max_job_test", "lots").contains("whole number"));
        assert!(wrong("bf_continue", "7").contains("yes or no"));
        assert!(wrong("PriorityWeightAge", "-1").contains("whole number"));
        assert!(wrong("SlurmctldPort", "1").contains("PriorityWeightAge"));
        assert!(wrong("partition.batch.Colour", "red").contains("MaxTime"));
        assert!(wrong("partition.batch.Nodes", "x1").contains("no node x1"));
        assert_eq!(wrong("node.n9.Gres", "gpu:1"), "the site has no node n9");
        assert!(wrong("node.n1.Colour", "red").contains("RealMemory"));
        assert!(wrong("node.n1.RealMemory", "much").contains("megabytes"));
        assert!(wrong("partition.batch", "x1").contains("partition.NAME.KEY"));
        assert_eq!(wrong("qos.fast.MaxJobsPU", "4"), "the site's files have no QOS fast");
        assert!(wrong("qos.normal.Speed", "4").contains("Speed"));
        assert_eq!(wrong("user.bob.Fairshare", "4"), "the site's files have no user bob");
        assert!(wrong("user.ann.Colour", "4").contains("no limit of a user"));
        assert!(wrong("drain", "n1").contains("NODES@FROM/UNTIL"));
        assert!(wrong("drain", "n1@2026-01-02/2026-01-01").contains("ends before"));
        assert!(wrong("drain", "n9@2026-01-01/2026-01-02").contains("no node n9"));
        assert!(wrong("maintenance", "n1@2026-01-01/2026-01-02").contains("ANNOUNCED"));
    }
}
