//! What a site sets, one value each, in the form in which a change of it takes it ([`SiteChange`](super::SiteChange)).

use super::accounts::Association;
use super::change::SiteChange;
use super::hostlist::folded;
use super::limits::JobLimits;
use super::partitions::PreemptedJobs;
use super::quantity::written;
use super::site::{PreemptBy, Site};
use super::{PriorityPlan, Qos, SlurmPartition};
use serde::{Deserialize, Serialize};

/// A value that a site sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteSetting {
    /// As [`SiteChange::read`] takes it.
    pub key: String,
    /// As Slurm writes it; empty where nothing is set.
    pub value: String,
    /// The value that takes it away, as Slurm writes it; `None` where it must have one.
    pub none: Option<String>,
}

/// Values that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingGroup {
    pub name: String,
    pub settings: Vec<SiteSetting>,
    /// How many there are besides, of a site with very many users.
    pub left_out: usize,
}

const MOST_SHARES: usize = 200;

/// Most partitions, and most QOS, that are listed.
const MOST_PARTS: usize = 40;

/// All that a site sets and that can be set otherwise, part by part.
pub fn settings(site: &Site) -> Vec<SettingGroup> {
    let mut groups = vec![
        group("SchedulerParameters", "", site.parameters.all()),
        group("Priorities", "", priorities(&site.priority)),
        group("Enforcement and preemption", "", others(site)),
    ];
    for partition in site.partitions.iter().take(MOST_PARTS) {
        let prefix = format!("partition.{}.", partition.name);
        groups.push(group(&format!("Partition {}", partition.name), &prefix, of_partition(site, partition)));
    }
    for qos in site.qos.iter().take(MOST_PARTS) {
        groups.push(of_qos(qos));
    }
    let shares = shares(site);
    if !shares.is_empty() {
        let left_out = shares.len().saturating_sub(MOST_SHARES);
        let settings = shares.into_iter().take(MOST_SHARES).collect();
        groups.push(SettingGroup { name: "Shares".to_owned(), settings, left_out });
    }
    groups
}

fn group(name: &str, prefix: &str, values: Vec<(&str, String)>) -> SettingGroup {
    let setting = |(key, value): (&str, String)| SiteSetting { key: format!("{prefix}{key}"), value, none: None };
    SettingGroup { name: name.to_owned(), settings: values.into_iter().map(setting).collect(), left_out: 0 }
}

fn yes(is_so: bool) -> String {
    if is_so { "YES" } else { "NO" }.to_owned()
}

fn priorities(plan: &PriorityPlan) -> Vec<(&'static str, String)> {
    let weights = &plan.weights;
    let flags = [
        ("NO_FAIR_TREE", !plan.is_fair_tree),
        ("SMALL_RELATIVE_TO_TIME", plan.is_relative_to_time),
        ("NO_NORMAL_ASSOC", plan.is_raw.assoc),
        ("NO_NORMAL_PART", plan.is_raw.partition),
        ("NO_NORMAL_QOS", plan.is_raw.qos),
        ("NO_NORMAL_TRES", plan.is_raw.tres),
    ];
    let flags: Vec<&str> = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag).collect();
    let tres = [("cpu", weights.tres_cpu), ("mem", weights.tres_memory), ("gres/gpu", weights.tres_gpu)];
    let tres = tres.into_iter().filter(|(_, weight)| *weight != 0.0).map(|(name, weight)| format!("{name}={weight}"));
    let kind = if plan.is_multifactor { "priority/multifactor" } else { "priority/basic" };
    vec![
        ("PriorityType", kind.to_owned()),
        ("PriorityWeightAge", weights.age.to_string()),
        ("PriorityWeightFairshare", weights.fair_share.to_string()),
        ("PriorityWeightJobSize", weights.job_size.to_string()),
        ("PriorityWeightPartition", weights.partition.to_string()),
        ("PriorityWeightQOS", weights.qos.to_string()),
        ("PriorityWeightTRES", tres.collect::<Vec<_>>().join(",")),
        ("PriorityMaxAge", written(Some(plan.max_age))),
        // Slurm writes 0 for usage that does not decay
        ("PriorityDecayHalfLife", written(Some(plan.half_life.unwrap_or(0)))),
        ("PriorityCalcPeriod", written(Some(plan.calc_period))),
        ("PriorityFavorSmall", yes(plan.favors_small)),
        ("PriorityFlags", flags.join(",")),
        ("FairShareDampeningFactor", plan.dampening.to_string()),
    ]
}

fn preempt_mode(site: &Site) -> String {
    let gang = if site.has_gang { ",GANG" } else { "" };
    match site.preempted {
        PreemptedJobs::Killed => format!("REQUEUE{gang}"),
        PreemptedJobs::Suspended => format!("SUSPEND{gang}"),
        PreemptedJobs::Spared if site.has_gang => "GANG".to_owned(),
        PreemptedJobs::Spared => "OFF".to_owned(),
    }
}

fn others(site: &Site) -> Vec<(&'static str, String)> {
    let enforced = [
        ("associations", site.enforced.associations),
        ("limits", site.enforced.limits),
        ("qos", site.enforced.qos),
        ("safe", site.enforced.safe),
    ];
    let enforced: Vec<&str> = enforced.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
    let preempt_by = match site.preempt_by {
        PreemptBy::Nobody => "preempt/none",
        PreemptBy::Partition => "preempt/partition_prio",
        PreemptBy::Qos => "preempt/qos",
    };
    let licences = site.licences.iter().map(|licence| format!("{}:{}", licence.name, licence.count));
    let amount = |amount: Option<u64>| amount.map_or_else(String::new, |amount| amount.to_string());
    let topology = if site.has_tree { "topology/tree" } else { "topology/flat" };
    let more = [
        ("Licenses", licences.collect::<Vec<_>>().join(",")),
        ("DefMemPerCPU", amount(site.memory.of_cpu)),
        ("DefMemPerNode", amount(site.memory.of_node)),
        ("MaxMemPerCPU", amount(site.memory.most_of_cpu)),
        ("MaxMemPerNode", amount(site.memory.most_of_node)),
        ("TopologyPlugin", if site.switches.is_empty() { String::new() } else { topology.to_owned() }),
    ];
    let mut values = vec![
        ("SchedulerType", if site.has_backfill { "sched/backfill" } else { "sched/builtin" }.to_owned()),
        ("AccountingStorageEnforce", enforced.join(",")),
        ("PreemptType", preempt_by.to_owned()),
        ("PreemptMode", preempt_mode(site)),
        ("KillWait", site.kill_wait.to_string()),
        ("CompleteWait", site.complete_wait.to_string()),
        ("OverTimeLimit", (site.over_time / 60).to_string()),
        ("SuspendTime", site.power.suspend_time.map_or_else(|| "INFINITE".to_owned(), |time| time.to_string())),
        ("SuspendTimeout", site.power.suspend_timeout.to_string()),
        ("ResumeTimeout", site.power.resume_timeout.to_string()),
        ("SuspendRate", site.power.suspend_rate.unwrap_or(0).to_string()),
        ("ResumeRate", site.power.resume_rate.unwrap_or(0).to_string()),
        ("SuspendExcNodes", site.power.except_nodes.clone()),
        ("SuspendExcParts", site.power.except_partitions.clone()),
    ];
    values.extend(more.into_iter().filter(|(_, value)| !value.is_empty()));
    values
}

fn of_partition(site: &Site, partition: &SlurmPartition) -> Vec<(&'static str, String)> {
    let names = partition.nodes.iter().map(|&at| site.nodes[at as usize].name.as_str());
    vec![
        ("Nodes", if partition.nodes.len() == site.nodes.len() { "ALL".to_owned() } else { folded(names) }),
        ("MaxTime", written(partition.max_time)),
        ("DefaultTime", partition.default_time.map_or_else(String::new, |time| written(Some(time)))),
        ("PriorityTier", partition.tier.to_string()),
        ("PriorityJobFactor", partition.factor.to_string()),
        ("MinNodes", partition.min_nodes.to_string()),
        ("MaxNodes", partition.max_nodes.map_or_else(|| "UNLIMITED".to_owned(), |most| most.to_string())),
        ("QOS", partition.qos.clone().unwrap_or_default()),
        ("State", if partition.is_up { "UP" } else { "DOWN" }.to_owned()),
        ("OverSubscribe", if partition.is_exclusive { "EXCLUSIVE" } else { "NO" }.to_owned()),
    ]
}

fn of_qos(qos: &Qos) -> SettingGroup {
    let prefix = format!("qos.{}.", qos.name);
    let values = vec![("Priority", qos.priority.to_string()), ("UsageFactor", qos.usage_factor.to_string())];
    let mut of_qos = group(&format!("QOS {}", qos.name), &prefix, values);
    of_qos.settings.extend(of_limits(&qos.limits).into_iter().map(|(key, value)| limit(&prefix, key, value)));
    of_qos
}

fn limit(prefix: &str, key: &str, value: String) -> SiteSetting {
    // -1 takes a count or a time away, and so it does each amount of several
    let amounts = value.split(',').filter_map(|word| Some(format!("{}=-1", word.split_once('=')?.0)));
    let amounts: Vec<String> = amounts.collect();
    let none = if amounts.is_empty() { "-1".to_owned() } else { amounts.join(",") };
    SiteSetting { key: format!("{prefix}{key}"), value, none: Some(none) }
}

/// The limits of QOS, accounts and users for which jobs wait that could run; empty where limits do not hold. What is
/// only looked at as a job is submitted is not among them.
pub fn limits_that_hold(site: &Site) -> Vec<SiteSetting> {
    let holds = |key: &str| !["MaxSubmitPU", "GrpSubmit", "MaxTRES", "MaxWall"].contains(&key);
    let of = |prefix: &str, limits: &JobLimits| {
        let set = of_limits(limits).into_iter().filter(|(key, value)| holds(key) && !value.is_empty());
        set.map(|(key, value)| limit(prefix, key, value)).collect::<Vec<_>>()
    };
    if !site.enforced.limits {
        return Vec::new();
    }
    let mut found: Vec<SiteSetting> =
        site.qos.iter().flat_map(|qos| of(&format!("qos.{}.", qos.name), &qos.limits)).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    for association in &site.accounts.all {
        let prefix = match association.user.as_str() {
            "" => format!("account.{}.", association.account),
            user => format!("user.{user}."),
        };
        // a change of a user is of all their associations
        found.extend(of(&prefix, &association.limits).into_iter().filter(|own| seen.insert(own.key.clone())));
    }
    found
}

/// Limits by the names that a QOS has for them.
fn of_limits(limits: &JobLimits) -> Vec<(&'static str, String)> {
    let count = |limit: Option<u32>| limit.map_or_else(String::new, |most| most.to_string());
    let time = |limit: Option<i64>| limit.map_or_else(String::new, |most| written(Some(most)));
    vec![
        ("MaxJobsPU", count(limits.jobs_of_user)),
        ("MaxJobsPA", count(limits.jobs_of_account)),
        ("GrpJobs", count(limits.jobs)),
        ("MaxSubmitPU", count(limits.submitted_of_user)),
        ("GrpSubmit", count(limits.submitted)),
        ("MaxTRESPU", limits.tres_of_user.text()),
        ("MaxTRESPA", limits.tres_of_account.text()),
        ("GrpTRES", limits.tres.text()),
        ("MaxTRES", limits.tres_of_job.text()),
        ("MaxWall", time(limits.wall)),
        ("GrpWall", time(limits.wall_of_all)),
        ("GrpTRESMins", limits.tres_minutes.text()),
        ("GrpTRESRunMins", limits.tres_run_minutes.text()),
    ]
}

/// The shares of accounts and users, each name once: a change of a user is of all their associations.
fn shares(site: &Site) -> Vec<SiteSetting> {
    let named = |association: &Association| match association.user.as_str() {
        "" => format!("account.{}.Fairshare", association.account),
        user => format!("user.{user}.Fairshare"),
    };
    let mut found: Vec<SiteSetting> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for association in site.accounts.all.iter().filter(|association| association.parent.is_some()) {
        let key = named(association);
        if seen.insert(key.clone()) {
            let value = association.shares.map_or_else(|| "parent".to_owned(), |shares| shares.to_string());
            found.push(SiteSetting { key, value, none: None });
        }
    }
    found
}

impl SiteSetting {
    /// The change that sets another value. An empty text takes the value away.
    ///
    /// # Errors
    /// It is no value that Slurm takes, in words for a person.
    pub fn set_to(&self, text: &str) -> Result<SiteChange, String> {
        match (text.trim(), &self.none) {
            ("", Some(none)) => SiteChange::read(&self.key, none),
            ("", None) => Err(format!("{} cannot be empty", self.key)),
            (value, _) => SiteChange::read(&self.key, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SiteFile, Version, read_site};

    fn site(files: &[(&str, &str)]) -> Site {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|&(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        read_site(&files, Version::default())
    }

    fn busy() -> Site {
        let conf = "SchedulerParameters=bf_continue,bf_window=2880\nPriorityType=priority/multifactor\n\
            PriorityWeightAge=1000\nPriorityWeightTRES=CPU=1000,Mem=2000\nPriorityDecayHalfLife=14-0\n\
            PriorityFlags=NO_FAIR_TREE\nAccountingStorageEnforce=limits\nPreemptType=preempt/qos\nPreemptMode=REQUEUE\n\
            OverTimeLimit=5\nNodeName=n[1-8] CPUs=4\nPartitionName=batch Nodes=ALL Default=YES MaxTime=1-0\n\
            PartitionName=debug Nodes=n[1-2,5] MaxTime=30 DefaultTime=10 PriorityTier=7 MaxNodes=2 QOS=normal \
            OverSubscribe=EXCLUSIVE\n";
        let qos = "Name|Priority|UsageFactor|MaxJobsPU|GrpTRES|MaxWall|GrpTRESMins\n\
            normal|3|0.5|4|cpu=8,node=2,mem=1G|1-00:00:00|cpu=100\nlow|0|1|||||\n";
        let assoc = "Cluster|Account|User|Share\nc|root||1\nc|a||3\nc|a|ann|2\nc|a|bob|parent\n";
        site(&[("slurm.conf", conf), ("qos", qos), ("assoc", assoc)])
    }

    #[test]
    fn what_is_set_is_told_as_slurm_writes_it() {
        let found = settings(&busy());
        let names: Vec<&str> = found.iter().map(|group| group.name.as_str()).collect();
        let parts = ["Partition batch", "Partition debug", "QOS normal", "QOS low", "Shares"];
        assert_eq!(names[..3], ["SchedulerParameters", "Priorities", "Enforcement and preemption"]);
        assert_eq!(names[3..], parts);
        let of = |key: &str| {
            let all = found.iter().flat_map(|group| &group.settings);
            all.filter(|setting| setting.key == key).map(|setting| setting.value.as_str()).collect::<Vec<_>>()
        };
        for (key, value) in [
            ("bf_window", "2880"),
            ("bf_continue", "yes"),
            ("defer", "no"),
            ("PriorityDecayHalfLife", "14-00:00:00"),
            ("PriorityWeightTRES", "cpu=1000,mem=2000"),
            ("PriorityFlags", "NO_FAIR_TREE"),
            ("OverTimeLimit", "5"),
            ("partition.batch.MaxTime", "1-00:00:00"),
            ("partition.debug.Nodes", "n[1-2,5]"),
            ("partition.debug.DefaultTime", "00:10:00"),
            ("qos.normal.GrpTRES", "cpu=8,node=2,mem=1024"),
            ("qos.normal.MaxWall", "1-00:00:00"),
            ("qos.low.MaxJobsPU", ""),
            ("account.a.Fairshare", "3"),
            ("user.bob.Fairshare", "parent"),
        ] {
            assert_eq!(of(key), [value], "{key}");
        }
    }

    #[test]
    fn setting_what_is_set_changes_nothing() {
        for site in [busy(), Site::plain(4, Version::default())] {
            for setting in settings(&site).iter().flat_map(|group| &group.settings) {
                if setting.value.is_empty() {
                    continue;
                }
                let change = setting.set_to(&setting.value).unwrap_or_else(|why| panic!("{setting:?}: {why}"));
                let changed = site.changed(&[change]).unwrap_or_else(|why| panic!("{setting:?}: {why}"));
                assert_eq!(changed, site, "{setting:?}");
            }
        }
    }

    #[test]
    fn limits_hold_where_they_are_enforced_and_keep_jobs_waiting() {
        let keys = |site: &Site| limits_that_hold(site).into_iter().map(|own| own.key).collect::<Vec<_>>();
        let mut site = busy();
        assert_eq!(keys(&site), ["qos.normal.MaxJobsPU", "qos.normal.GrpTRES", "qos.normal.GrpTRESMins"]);
        for (user, account) in [("", "a"), ("ann", "a"), ("ann", "b")] {
            let limits = JobLimits { jobs: Some(3), wall: Some(60), ..JobLimits::default() };
            let (user, account) = (user.to_owned(), account.to_owned());
            site.accounts.all.push(Association { account, user, limits, ..Association::default() });
        }
        assert_eq!(keys(&site)[3..], ["account.a.GrpJobs", "user.ann.GrpJobs"]);
        for own in limits_that_hold(&site) {
            let without = site.changed(&[own.set_to("").unwrap()]).unwrap();
            assert!(!keys(&without).contains(&own.key), "{own:?}");
        }
        site.enforced.limits = false;
        assert_eq!(keys(&site), [""; 0]);
    }

    #[test]
    fn an_empty_text_takes_a_limit_away() {
        let site = busy();
        let mut taken = 0;
        for setting in settings(&site).iter().flat_map(|group| &group.settings).filter(|own| !own.value.is_empty()) {
            let Ok(change) = setting.set_to(" ") else {
                assert_eq!(setting.none, None, "{setting:?}");
                continue;
            };
            let (key, value) = change.pair();
            assert_eq!(SiteChange::read(&key, &value), Ok(change.clone()), "it is read back");
            let changed = settings(&site.changed(&[change]).unwrap());
            let mut after = changed.iter().flat_map(|group| &group.settings);
            assert!(after.any(|own| own.key == setting.key && own.value.is_empty()), "{setting:?}");
            taken += 1;
        }
        assert_eq!(taken, 4, "jobs, amounts, wall time and minutes of one QOS");
    }
}
