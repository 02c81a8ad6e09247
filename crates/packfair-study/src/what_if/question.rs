//! Questions that administrators ask about their site.

use super::nodes;
use chrono::{DateTime, Datelike, Months, NaiveDateTime, TimeDelta, Weekday};
use packfair_schedulers::Policy;
use packfair_slurm::{Licence, Site, SiteSetting, SlurmParameter, SlurmPartition, folded, limits_that_hold};
use packfair_workload::Workload;

/// A question that can be asked about any site.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub id: &'static str,
    /// The question in a few words.
    pub name: &'static str,
    /// The scheduler's settings that ask it about a site with a log of this span; `None` where it makes no sense there.
    settings: fn(&Site, WorkloadSpan) -> Option<String>,
}

/// The span from a log's first submission to its last, seconds since 1970 on the site's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkloadSpan {
    pub from: i64,
    pub until: i64,
}

impl WorkloadSpan {
    /// The span of a workload's submissions.
    pub fn of(workload: &Workload) -> Self {
        let zero = workload.header.unix_start().unwrap_or(0);
        let submits = workload.requests().iter().map(|request| request.submit + zero);
        WorkloadSpan { from: submits.clone().min().unwrap_or(zero), until: submits.max().unwrap_or(zero) }
    }
}

pub const QUESTIONS: &[Question] = &[
    Question {
        id: "twice-tested",
        name: "Twice bf_max_job_test",
        settings: |site, _| Some(format!("bf_max_job_test={}", 2 * site.parameters.get(SlurmParameter::BfMaxJobTest))),
    },
    Question {
        id: "window-week",
        name: "bf_window of 7 days",
        settings: |site, _| {
            (site.parameters.get(SlurmParameter::BfWindow) != 10_080).then(|| "bf_window=10080".to_owned())
        },
    },
    Question {
        id: "no-user-limit",
        name: "bf_max_job_user off",
        settings: |site, _| {
            (site.parameters.get(SlurmParameter::BfMaxJobUser) > 0).then(|| "bf_max_job_user=0".to_owned())
        },
    },
    Question {
        id: "age-x4",
        name: "Age weight x 4",
        settings: |site, _| {
            let age = site.priority.weights.age;
            (site.priority.is_multifactor && age > 0.0).then(|| format!("PriorityWeightAge={}", 4.0 * age))
        },
    },
    Question {
        id: "half-life-14d",
        name: "Fair-share half-life of 14 days",
        settings: |site, _| {
            let counts = site.priority.is_multifactor && site.priority.weights.fair_share > 0.0;
            (counts && site.priority.half_life != Some(14 * DAY)).then(|| "PriorityDecayHalfLife=14-0".to_owned())
        },
    },
    Question {
        id: "favor-small",
        name: "PriorityFavorSmall",
        settings: |site, _| {
            let counts = site.priority.is_multifactor && site.priority.weights.job_size > 0.0;
            (counts && !site.priority.favors_small).then(|| "PriorityFavorSmall=YES".to_owned())
        },
    },
    Question { id: "debug-8", name: "A debug partition of 8 nodes, 30 min", settings: debug },
    Question { id: "drain-20", name: "20 nodes drained on a Monday", settings: drain },
    Question { id: "limits-20", name: "Limits requested 20 % shorter", settings: |_, _| Some("limits=0.8".to_owned()) },
    Question { id: "maintenance", name: "Maintenance on the 1st, announced a week before", settings: maintenance },
    Question { id: "whole-nodes", name: "Whole nodes for every job", settings: whole_nodes },
    Question { id: "shared-nodes", name: "Nodes that jobs share", settings: shared_nodes },
    Question {
        id: "memory-free",
        name: "Memory not scheduled",
        settings: |site, _| site.counts_memory.then(|| "SelectTypeParameters=CR_Core".to_owned()),
    },
    Question { id: "half-memory", name: "DefMemPerCPU halved", settings: half_memory },
    Question { id: "twice-licences", name: "Twice the licences", settings: twice_licences },
    Question {
        id: "newest-gpus",
        name: "The newest GPUs in a partition by themselves",
        settings: |site, _| nodes::newest_apart(site),
    },
    Question {
        id: "more-gpus",
        name: "One more of the newest GPUs on each of their nodes",
        settings: |site, _| nodes::one_more(site),
    },
    Question {
        id: "no-switches",
        name: "Nodes in rows, whatever their switches",
        settings: |site, _| {
            (site.has_tree && !site.switches.is_empty()).then(|| "TopologyPlugin=topology/flat".to_owned())
        },
    },
    Question { id: "suspend-5", name: "SuspendTime of 5 min", settings: |site, _| suspend(site, 5) },
    Question { id: "suspend-10", name: "SuspendTime of 10 min", settings: |site, _| suspend(site, 10) },
    Question { id: "suspend-30", name: "SuspendTime of 30 min", settings: |site, _| suspend(site, 30) },
    Question {
        id: "no-limits",
        name: "No limits of QOS, accounts and users",
        settings: |site, _| without_limits(site),
    },
    Question { id: "open-partitions", name: "All nodes for every partition", settings: |site, _| all_nodes(site) },
    Question {
        id: "no-limits-open",
        name: "No limits, and all nodes for every partition",
        settings: |site, _| Some(format!("{},{}", without_limits(site)?, all_nodes(site)?)),
    },
];

const DAY: i64 = 86_400;

impl Question {
    /// The row that asks the question about a site; `base` is the site as configured. `None` where it makes no sense
    /// there.
    pub fn to_policy(&self, base: &Policy, site: &Site, span: WorkloadSpan) -> Option<Policy> {
        with_changes(base, &(self.settings)(site, span)?)
    }
}

/// Another SuspendTime, where the site switches off idle nodes.
fn suspend(site: &Site, minutes: i64) -> Option<String> {
    let seconds = minutes * 60;
    (site.power.suspend_time? != seconds).then(|| format!("SuspendTime={seconds}"))
}

/// The site's default partition, or its first one.
fn usual(site: &Site) -> Option<&SlurmPartition> {
    site.partitions.iter().find(|partition| partition.is_default).or(site.partitions.first())
}

/// The names of the first or last nodes of the usual partition, as a list for a site change.
fn nodes(site: &Site, count: usize, are_last: bool) -> Option<String> {
    let all = &usual(site)?.nodes;
    // At most half of the nodes are taken; a question about all of them would be another one.
    let count = count.min(all.len() / 2).max(1);
    let some = if are_last { &all[all.len().checked_sub(count)?..] } else { all.get(..count)? };
    Some(folded(some.iter().map(|&at| site.nodes[at as usize].name.as_str())).replace(',', "+"))
}

/// A partition of the last nodes of the usual one, for jobs of up to half an hour, with the highest priority.
fn debug(site: &Site, _: WorkloadSpan) -> Option<String> {
    let name = ["debug", "debug-8"].into_iter().find(|name| site.partition(name).is_none())?;
    let tier = site.partitions.iter().map(|partition| partition.tier).max()? + 1;
    let nodes = nodes(site, 8, true)?;
    Some(format!("partition.{name}.Nodes={nodes},partition.{name}.MaxTime=30,partition.{name}.PriorityTier={tier}"))
}

/// Drains nodes for a day, from 8 o'clock on a Monday in the log.
fn drain(site: &Site, span: WorkloadSpan) -> Option<String> {
    let begin = date(span.from + (span.until - span.from) / 3)?;
    let days =
        (7 + i64::from(Weekday::Mon.num_days_from_monday()) - i64::from(begin.weekday().num_days_from_monday())) % 7;
    let monday = (begin.date() + TimeDelta::days(days)).and_hms_opt(8, 0, 0)?;
    let nodes = nodes(site, 20, false)?;
    Some(format!("drain={nodes}@{}/{}", written(monday), written(monday + TimeDelta::days(1))))
}

/// Maintenance of all nodes for twelve hours, from 8 o'clock on the first of a month in the log, or on its middle day
/// where there is none.
fn maintenance(site: &Site, span: WorkloadSpan) -> Option<String> {
    if site.nodes.is_empty() {
        return None;
    }
    let begin = date(span.from + 7 * DAY)?;
    let first = begin.date().with_day(1)?.checked_add_months(Months::new(1))?.and_hms_opt(8, 0, 0)?;
    let middle = || date((span.from + span.until) / 2)?.date().and_hms_opt(8, 0, 0);
    let from = if first.and_utc().timestamp() < span.until { first } else { middle()? };
    let (until, announced) = (from + TimeDelta::hours(12), from - TimeDelta::days(7));
    Some(format!("maintenance=ALL@{}/{}/{}", written(from), written(until), written(announced)))
}

/// Gives every job whole nodes, in the partitions where jobs share them.
fn whole_nodes(site: &Site, _: WorkloadSpan) -> Option<String> {
    let shares = |partition: &&SlurmPartition| {
        !partition.is_exclusive && partition.nodes.iter().any(|&node| site.nodes[node as usize].cpus > 1)
    };
    let own = |partition: &SlurmPartition| format!("partition.{}.OverSubscribe=EXCLUSIVE", partition.name);
    let all: Vec<String> = site.partitions.iter().filter(shares).map(own).collect();
    (!site.is_linear && !all.is_empty()).then(|| all.join(","))
}

/// Lets jobs share nodes, in the partitions where each has whole ones.
fn shared_nodes(site: &Site, _: WorkloadSpan) -> Option<String> {
    let is_whole = |partition: &&SlurmPartition| partition.is_exclusive;
    let shared = |partition: &SlurmPartition| format!("partition.{}.OverSubscribe=NO", partition.name);
    let mut all: Vec<String> = site.partitions.iter().filter(is_whole).map(shared).collect();
    if site.is_linear {
        let counted = if site.counts_memory { "CR_Core_Memory" } else { "CR_Core" };
        all.push(format!("SelectType=select/cons_tres,SelectTypeParameters={counted}"));
    }
    let has_parts = site.nodes.iter().any(|node| node.cpus > 1);
    (has_parts && !all.is_empty()).then(|| all.join(","))
}

/// Halves the memory of jobs that ask for none, of the site and of each partition.
fn half_memory(site: &Site, _: WorkloadSpan) -> Option<String> {
    let half = |key: String, amount: Option<u64>| amount.map(|amount| format!("{key}={}", amount.div_ceil(2)));
    let own = |partition: &SlurmPartition| {
        half(format!("partition.{}.DefMemPerCPU", partition.name), partition.memory.of_cpu)
    };
    let of_site = half("DefMemPerCPU".to_owned(), site.memory.of_cpu);
    let all: Vec<String> = of_site.into_iter().chain(site.partitions.iter().filter_map(own)).collect();
    (site.counts_memory && !all.is_empty()).then(|| all.join(","))
}

/// Doubles the number of each licence.
fn twice_licences(site: &Site, _: WorkloadSpan) -> Option<String> {
    let twice = |licence: &Licence| format!("{}:{}", licence.name, licence.count.saturating_mul(2));
    let all: Vec<String> = site.licences.iter().map(twice).collect();
    (!all.is_empty()).then(|| format!("Licenses={}", all.join("+")))
}

/// Limits are not enforced any more, where they hold jobs back.
fn without_limits(site: &Site) -> Option<String> {
    let left = if site.enforced.qos { "associations+qos" } else { "associations" };
    (!limits_that_hold(site).is_empty()).then(|| format!("AccountingStorageEnforce={left}"))
}

/// Every partition has all nodes, where some have not.
fn all_nodes(site: &Site) -> Option<String> {
    let is_narrow = |partition: &&SlurmPartition| partition.nodes.len() < site.nodes.len();
    let own = |partition: &SlurmPartition| format!("partition.{}.Nodes=ALL", partition.name);
    let all: Vec<String> = site.partitions.iter().filter(is_narrow).map(own).collect();
    (!all.is_empty()).then(|| all.join(","))
}

/// Rows that take away one limit each, those of QOS and accounts before those of users; at most `most`.
pub fn without_one_limit(base: &Policy, site: &Site, most: usize) -> Vec<Policy> {
    let of_users = |own: &SiteSetting| own.key.starts_with("user.");
    let (users, others): (Vec<_>, Vec<_>) = limits_that_hold(site).into_iter().partition(of_users);
    let changed = |own: SiteSetting| {
        let (key, value) = own.set_to("").ok()?.pair();
        with_changes(base, &format!("{key}={value}"))
    };
    others.into_iter().chain(users).filter_map(changed).take(most).collect()
}

/// A row with changes beside those that it has.
pub fn with_changes(base: &Policy, changes: &str) -> Option<Policy> {
    let (family, settings) = (base.family().entry.id, base.settings().to_string());
    let separator = if settings.is_empty() { "" } else { "," };
    format!("{family}:{settings}{separator}{changes}").parse().ok()
}

fn date(seconds: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp(seconds, 0).map(|moment| moment.naive_utc())
}

fn written(moment: NaiveDateTime) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    #[test]
    fn every_question_is_a_row_of_a_site_that_has_it_all() {
        let conf = "AccountingStorageEnforce=limits,qos\nSchedulerParameters=bf_max_job_user=10\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n\
            PriorityWeightFairshare=1000\nPriorityWeightJobSize=10\nSuspendTime=900\nNodeName=n[001-064] CPUs=4 RealMemory=8000\n\
            NodeName=g[1-2] CPUs=8 RealMemory=8000 Gres=gpu:h100:4\n\
            SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=1001\nLicenses=matlab:10,ansys:4\n\
            PartitionName=batch Nodes=n[001-064] Default=YES\nPartitionName=own Nodes=n[001-002],g[1-2] OverSubscribe=EXCLUSIVE\n\
            PartitionName=far Nodes=n[060-064]\n";
        let qos = "Name|Priority|MaxTRESPU|MaxWall\nnormal|0|cpu=8,node=2|1-0\n";
        let conf = &format!("TopologyPlugin=topology/tree\n{conf}");
        let tree = "SwitchName=s1 Nodes=n[001-064]\nSwitchName=s2 Nodes=g[1-2]\nSwitchName=top Switches=s[1-2]\n";
        let files = [("slurm.conf", conf.as_str()), ("qos.txt", qos), ("topology.conf", tree)];
        let files = files.map(|(name, text)| SiteFile { name, content: text.as_bytes() });
        let site = read_site(&files, Version::default());
        let base: Policy = "slurm:seed=3".parse().unwrap();
        // From a Thursday on, for 40 days.
        let span = WorkloadSpan { from: 1_764_236_800, until: 1_764_236_800 + 40 * DAY };
        let rows: Vec<String> = QUESTIONS
            .iter()
            .map(|question| {
                let row = question.to_policy(&base, &site, span).unwrap_or_else(|| panic!("{}", question.id));
                site.changed(&row.site_changes()).unwrap();
                assert_eq!(row.as_configured(), Some(base.clone()));
                row.to_string()
            })
            .collect();
        assert_eq!(
            rows,
            [
                "slurm:seed=3,bf_max_job_test=1000",
                "slurm:seed=3,bf_window=10080",
                "slurm:seed=3,bf_max_job_user=0",
                "slurm:seed=3,PriorityWeightAge=4000",
                "slurm:seed=3,PriorityDecayHalfLife=14-0",
                "slurm:seed=3,PriorityFavorSmall=YES",
                "slurm:seed=3,partition.debug.Nodes=n[057-064],partition.debug.MaxTime=30,partition.debug.PriorityTier=2",
                "slurm:seed=3,drain=n[001-020]@2025-12-15T08:00:00/2025-12-16T08:00:00",
                "slurm:seed=3,limits=0.8",
                "slurm:seed=3,maintenance=ALL@2026-01-01T08:00:00/2026-01-01T20:00:00/2025-12-25T08:00:00",
                "slurm:seed=3,partition.batch.OverSubscribe=EXCLUSIVE,partition.far.OverSubscribe=EXCLUSIVE",
                "slurm:seed=3,partition.own.OverSubscribe=NO",
                "slurm:seed=3,SelectTypeParameters=CR_Core",
                "slurm:seed=3,DefMemPerCPU=501",
                "slurm:seed=3,Licenses=matlab:20+ansys:8",
                "slurm:seed=3,partition.newest.Nodes=g[1-2],partition.newest.OverSubscribe=EXCLUSIVE,\
                 partition.own.Nodes=n[001-002]",
                "slurm:seed=3,node.g[1-2].Gres=gpu:h100:5",
                "slurm:seed=3,TopologyPlugin=topology/flat",
                "slurm:seed=3,SuspendTime=300",
                "slurm:seed=3,SuspendTime=600",
                "slurm:seed=3,SuspendTime=1800",
                "slurm:seed=3,AccountingStorageEnforce=associations+qos",
                "slurm:seed=3,partition.batch.Nodes=ALL,partition.own.Nodes=ALL,partition.far.Nodes=ALL",
                "slurm:seed=3,AccountingStorageEnforce=associations+qos,partition.batch.Nodes=ALL,partition.own.Nodes=ALL,partition.far.Nodes=ALL",
            ]
        );
        let one: Vec<String> = without_one_limit(&base, &site, 9).iter().map(ToString::to_string).collect();
        assert_eq!(one, ["slurm:seed=3,qos.normal.MaxTRESPU=cpu=-1+node=-1"]);
        let plain = Site::plain(64, Version::default());
        let asked: Vec<&str> = QUESTIONS
            .iter()
            .filter(|question| question.to_policy(&base, &plain, span).is_some())
            .map(|question| question.id)
            .collect();
        assert_eq!(asked, ["twice-tested", "window-week", "debug-8", "drain-20", "limits-20", "maintenance"]);
    }
}
