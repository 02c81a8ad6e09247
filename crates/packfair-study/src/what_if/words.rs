//! What a row changes at a site, in words: what is written on a card is what is computed.

use crate::format::{change, counted, span};
use chrono::NaiveDateTime;
use packfair_schedulers::Policy;
use packfair_slurm::{Changed, Site, SiteChange, settings};
use std::collections::HashMap;

/// The words that a person has for keys of `slurm.conf`; others are named by their key.
const NAMES: [(&str, &str); 8] = [
    ("PriorityWeightAge", "Age weight"),
    ("PriorityWeightFairshare", "Fair-share weight"),
    ("PriorityWeightJobSize", "Job-size weight"),
    ("PriorityWeightPartition", "Partition weight"),
    ("PriorityWeightQOS", "QOS weight"),
    ("PriorityDecayHalfLife", "Fair-share half-life"),
    ("PriorityMaxAge", "Full age after"),
    ("SuspendTime", "Idle nodes off after"),
];

/// The keys whose values are times, as Slurm writes them.
const TIMES: [&str; 6] =
    ["PriorityDecayHalfLife", "PriorityMaxAge", "PriorityCalcPeriod", "MaxTime", "DefaultTime", "MaxWall"];

/// The keys whose values are seconds.
const SECONDS: [&str; 3] = ["SuspendTime", "KillWait", "CompleteWait"];

/// What a row changes at a site, such as "Age weight 1000 to 4000" or "n[1-8] (8 of 16 nodes) drained from
/// 2026-11-23 08:00 to 2026-11-24 08:00"; `None` where it changes nothing.
pub fn changed_in_words(policy: &Policy, site: &Site) -> Option<String> {
    let told = Told::of(site);
    let changes = policy.site_changes();
    let others = changes.iter().filter(|change| !matches!(change.of, Changed::Partition(_)));
    let mut words: Vec<String> = others.map(|change| told.one(change)).collect();
    words.extend(told.of_partitions(&changes));
    let limits = if policy.goes_by_site() { policy.settings().real("limits") } else { 1.0 };
    if limits != 1.0 {
        let than = if limits < 1.0 { "shorter" } else { "longer" };
        words.push(format!("Limits requested {} {than}", change((limits - 1.0).abs()).trim_start_matches('+')));
    }
    joined(words)
}

/// Several changes as one: "Age weight 1000 to 4000 and every partition may use all 16 nodes". Names stay as they are.
pub(super) fn joined(mut words: Vec<String>) -> Option<String> {
    for later in words.iter_mut().skip(1) {
        let first = later.split(' ').next().unwrap_or_default();
        if first.chars().skip(1).all(|letter| letter.is_lowercase() || letter == '-') && first.is_ascii() {
            let length = first.len();
            later[..length].make_ascii_lowercase();
        }
    }
    (!words.is_empty()).then(|| words.join(" and "))
}

/// A site, and what it sets now.
struct Told<'a> {
    site: &'a Site,
    now: HashMap<String, String>,
}

impl<'a> Told<'a> {
    fn of(site: &'a Site) -> Self {
        let all = settings(site).into_iter().flat_map(|group| group.settings);
        let now = all.map(|setting| (setting.key.to_ascii_lowercase(), setting.value)).collect();
        Told { site, now }
    }

    fn now(&self, key: &str) -> Option<&str> {
        self.now.get(&key.to_ascii_lowercase()).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// `NAME 1000 to 4000`, with what the site says now.
    fn before_and_after(&self, name: &str, full_key: &str, change: &SiteChange) -> String {
        let (key, value) = (change.key.as_str(), change.value.as_str());
        match (self.now(full_key), is_taken_away(value)) {
            (Some(now), true) => format!("Without {name} ({})", in_words(key, now)),
            (None, true) => format!("Without {name}"),
            (Some(now), false) => format!("{name} {} to {}", in_words(key, now), in_words(key, value)),
            (None, false) => format!("{name} {}", in_words(key, value)),
        }
    }

    fn one(&self, change: &SiteChange) -> String {
        let SiteChange { of, key, value } = change;
        match of {
            Changed::Parameter if ["yes", "no"].contains(&value.as_str()) => {
                format!("{key} {}", if value == "yes" { "on" } else { "off" })
            }
            Changed::Parameter => self.before_and_after(key, key, change),
            Changed::Conf => self.conf(change),
            Changed::Qos(name) => {
                self.before_and_after(&format!("{key} of QOS {name}"), &format!("qos.{name}.{key}"), change)
            }
            Changed::User(name) => {
                self.before_and_after(&format!("{key} of user {name}"), &format!("user.{name}.{key}"), change)
            }
            Changed::Account(name) => {
                self.before_and_after(&format!("{key} of account {name}"), &format!("account.{name}.{key}"), change)
            }
            Changed::Partition(name) => format!("{key} of partition {name} {value}"),
            Changed::Nodes(list) => format!("{key} of {list} {value}"),
            Changed::Drain => self.outage(value, "drained"),
            Changed::Maintenance => self.outage(value, "in maintenance"),
        }
    }

    fn conf(&self, change: &SiteChange) -> String {
        let value = change.value.to_ascii_lowercase();
        match change.key.as_str() {
            "AccountingStorageEnforce" if self.site.enforced.limits && !value.contains("limits") => {
                "Without all limits of QOS, accounts and users".to_owned()
            }
            "PriorityFavorSmall" if value == "yes" => "Small jobs favoured (PriorityFavorSmall)".to_owned(),
            "SelectTypeParameters" if self.site.counts_memory && !value.contains("memory") => {
                "Memory not scheduled".to_owned()
            }
            key => {
                let name = NAMES.iter().find(|(own, _)| *own == key).map_or(key, |(_, name)| name);
                self.before_and_after(name, key, change)
            }
        }
    }

    /// Changes of partitions, those of one partition, or the same of all, together.
    fn of_partitions(&self, changes: &[SiteChange]) -> Vec<String> {
        let of = |change: &SiteChange| match &change.of {
            Changed::Partition(name) => Some(name.clone()),
            _ => None,
        };
        let mut left: Vec<(String, &SiteChange)> =
            changes.iter().filter_map(|change| Some((of(change)?, change))).collect();
        let mut words = Vec::new();
        let all = self.site.nodes.len();
        let narrow = self.site.partitions.iter().filter(|partition| partition.nodes.len() < all).count();
        let opens =
            |(_, change): &(String, &SiteChange)| change.key == "Nodes" && change.value.eq_ignore_ascii_case("all");
        if narrow > 0 && left.iter().filter(|&one| opens(one)).count() == narrow {
            left.retain(|one| !opens(one));
            let which = if narrow == 1 { "The partition" } else { "Every partition" };
            words.push(format!("{which} may use all {}", counted(all as u64, "node", "nodes")));
        }
        let is_whole = |(_, change): &(String, &SiteChange)| {
            change.key == "OverSubscribe" && change.value.eq_ignore_ascii_case("exclusive")
        };
        let shared = self.site.partitions.iter().filter(|partition| !partition.is_exclusive).count();
        if shared > 0 && left.iter().filter(|&one| is_whole(one)).count() == shared {
            left.retain(|one| !is_whole(one));
            words.push("Whole nodes for every job".to_owned());
        }
        while let Some((name, _)) = left.first().cloned() {
            let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|(other, _)| *other == name);
            left = others;
            let own: Vec<&SiteChange> = own.into_iter().map(|(_, change)| change).collect();
            words.push(match self.site.partition(&name) {
                None => self.new_partition(&name, &own),
                Some(_) => {
                    let one = |change: &&SiteChange| {
                        self.before_and_after(&change.key, &format!("partition.{name}.{}", change.key), change)
                    };
                    format!("Partition {name}: {}", own.iter().map(one).collect::<Vec<_>>().join(", "))
                }
            });
        }
        words
    }

    /// A partition that is made: jobs that it allows are taken to go there.
    fn new_partition(&self, name: &str, changes: &[&SiteChange]) -> String {
        let value = |key: &str| changes.iter().find(|change| change.key == key).map(|change| change.value.as_str());
        let nodes = value("Nodes").unwrap_or("ALL");
        let count = self.nodes_of(name, changes);
        let up_to = value("MaxTime").map(|time| in_words("MaxTime", time));
        let who = up_to.map_or("all jobs go there".to_owned(), |time| format!("every job of up to {time} goes there"));
        let tier = value("PriorityTier").map(|tier| format!(", tier {tier}")).unwrap_or_default();
        format!("New partition {name} on {nodes} ({}){tier}: {who}", counted(count, "node", "nodes"))
    }

    fn nodes_of(&self, name: &str, changes: &[&SiteChange]) -> u64 {
        let changes: Vec<SiteChange> = changes.iter().map(|&change| change.clone()).collect();
        let made = self.site.changed(&changes).ok();
        let place = made.as_ref().and_then(|site| site.partition(name));
        place.zip(made).map_or(0, |(at, site)| site.partitions[at].nodes.len() as u64)
    }

    /// Nodes that are away for a time: `NODES@FROM/UNTIL` or `NODES@FROM/UNTIL/ANNOUNCED`.
    fn outage(&self, value: &str, what: &str) -> String {
        let (nodes, times) = value.split_once('@').unwrap_or((value, ""));
        let moments: Vec<String> = times.split('/').map(moment).collect();
        let all = self.site.nodes.len();
        let which = if nodes.eq_ignore_ascii_case("all") {
            format!("All {}", counted(all as u64, "node", "nodes"))
        } else {
            let drained = SiteChange::read("drain", &format!("{nodes}@2000-01-01/2000-01-02"));
            let count = drained.and_then(|drain| self.site.changed(&[drain]));
            let count = count.map_or(0, |site| site.events.len() - self.site.events.len());
            format!("{nodes} ({count} of {})", counted(all as u64, "node", "nodes"))
        };
        let [from, until] = [0, 1].map(|at| moments.get(at).map_or("", String::as_str));
        let announced = moments.get(2).map(|at| format!(", announced {at}")).unwrap_or_default();
        format!("{which} {what} from {from} to {until}{announced}")
    }
}

/// Whether a value takes a limit away.
fn is_taken_away(value: &str) -> bool {
    value == "-1" || (value.contains('=') && value.split(',').all(|word| word.ends_with("=-1")))
}

/// A value as a person reads it: times in hours and days.
fn in_words(key: &str, value: &str) -> String {
    let seconds = if SECONDS.contains(&key) { value.parse().ok() } else { None };
    let timed = TIMES.contains(&key).then(|| seconds_of(value)).flatten();
    seconds.or(timed).map_or_else(|| value.to_owned(), |seconds: i64| span(seconds as f64))
}

/// A span as Slurm writes it, `days-hours:minutes:seconds` or minutes.
fn seconds_of(text: &str) -> Option<i64> {
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let fields: Vec<i64> = rest.split(':').map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = match (days, &fields[..]) {
        (None, [minutes]) => [0, *minutes, 0],
        (None, [minutes, seconds]) => [0, *minutes, *seconds],
        (Some(_), [hours]) => [*hours, 0, 0],
        (Some(_), [hours, minutes]) => [*hours, *minutes, 0],
        (_, [hours, minutes, seconds]) => [*hours, *minutes, *seconds],
        _ => return None,
    };
    let days: i64 = days.map_or(Some(0), |days| days.parse().ok())?;
    Some(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
}

/// A moment with its day of the week, to the minute: `Mon 2026-11-23 08:00`.
fn moment(text: &str) -> String {
    let read = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S");
    let read = read.or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M"));
    read.map_or_else(|_| text.to_owned(), |at| at.format("%a %Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    fn site() -> Site {
        let conf = "SchedulerParameters=bf_max_job_user=10\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n\
            AccountingStorageEnforce=limits,qos\nPriorityDecayHalfLife=7-0\nNodeName=n[1-16] CPUs=4 RealMemory=8000\n\
            SelectTypeParameters=CR_Core_Memory\nPartitionName=batch Nodes=n[1-12] Default=YES MaxTime=1-0\n\
            PartitionName=far Nodes=n[7-16]\n";
        let qos = "Name|Priority|MaxTRESPU|MaxJobsPU\nnormal|0|cpu=8,node=2|\nhigh|9||4\n";
        let files = [("slurm.conf", conf), ("qos", qos)];
        read_site(&files.map(|(name, text)| SiteFile { name, content: text.as_bytes() }), Version::default())
    }

    fn words(settings: &str) -> String {
        let policy: Policy = format!("slurm:{settings}").parse().unwrap();
        changed_in_words(&policy, &site()).unwrap_or_default().replace(crate::format::SPACE, " ")
    }

    #[test]
    fn a_label_says_what_is_computed() {
        for (settings, said) in [
            ("PriorityWeightAge=4000", "Age weight 1000 to 4000"),
            ("bf_max_job_test=1000", "bf_max_job_test 500 to 1000"),
            ("bf_continue=yes", "bf_continue on"),
            ("PriorityDecayHalfLife=14-0", "Fair-share half-life 7 d to 14 d"),
            ("limits=0.8", "Limits requested 20 % shorter"),
            ("SelectTypeParameters=CR_Core", "Memory not scheduled"),
            ("AccountingStorageEnforce=qos", "Without all limits of QOS, accounts and users"),
            ("qos.normal.MaxTRESPU=cpu=-1+node=-1", "Without MaxTRESPU of QOS normal (cpu=8,node=2)"),
            ("qos.high.MaxJobsPU=-1", "Without MaxJobsPU of QOS high (4)"),
            ("qos.high.MaxJobsPU=8", "MaxJobsPU of QOS high 4 to 8"),
            ("partition.batch.MaxTime=120", "Partition batch: MaxTime 24 h to 2 h"),
            ("partition.batch.Nodes=ALL,partition.far.Nodes=ALL", "Every partition may use all 16 nodes"),
            (
                "partition.batch.OverSubscribe=EXCLUSIVE,partition.far.OverSubscribe=EXCLUSIVE",
                "Whole nodes for every job",
            ),
            (
                "partition.debug.Nodes=n[9-16],partition.debug.MaxTime=30,partition.debug.PriorityTier=2",
                "New partition debug on n[9-16] (8 nodes), tier 2: every job of up to 30 min goes there",
            ),
            (
                "drain=n[1-6]@2026-11-23T08:00:00/2026-11-24T08:00:00",
                "n[1-6] (6 of 16 nodes) drained from Mon 2026-11-23 08:00 to Tue 2026-11-24 08:00",
            ),
            (
                "maintenance=ALL@2026-12-01T08:00/2026-12-01T20:00/2026-11-24T08:00",
                "All 16 nodes in maintenance from Tue 2026-12-01 08:00 to Tue 2026-12-01 20:00, announced Tue 2026-11-24 08:00",
            ),
            ("PriorityWeightAge=4000,bf_window=2880", "Age weight 1000 to 4000 and bf_window 1440 to 2880"),
            (
                "bf_window=2880,partition.batch.Nodes=ALL,partition.far.Nodes=ALL",
                "bf_window 1440 to 2880 and every partition may use all 16 nodes",
            ),
            ("seed=3", ""),
        ] {
            assert_eq!(words(settings), said, "{settings}");
        }
    }
}
