//! Changes that a person words in fields, and several changes as one.

use super::question::with_changes;
use crate::Run;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};
use packfair_base::machine::WhatIf;
use packfair_schedulers::Policy;
use packfair_slurm::{Site, folded};
use std::collections::BTreeMap;

/// What a person tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// A partition has nodes more or fewer.
    Nodes,
    /// Nodes of a partition take no jobs for a time.
    Drain,
    /// All nodes are in maintenance for a time.
    Maintenance,
    /// A further partition for short jobs.
    Debug,
    /// Any line of the configuration.
    Line,
}

impl PlanKind {
    /// All kinds, in the order in which they are offered.
    pub const ALL: [PlanKind; 5] =
        [PlanKind::Nodes, PlanKind::Drain, PlanKind::Maintenance, PlanKind::Debug, PlanKind::Line];

    /// The kind as an id.
    pub fn id(self) -> &'static str {
        match self {
            PlanKind::Nodes => "nodes",
            PlanKind::Drain => "drain",
            PlanKind::Maintenance => "maintenance",
            PlanKind::Debug => "debug",
            PlanKind::Line => "line",
        }
    }

    /// The kind for a person.
    pub fn name(self) -> &'static str {
        match self {
            PlanKind::Nodes => "Nodes more or fewer",
            PlanKind::Drain => "Nodes drained",
            PlanKind::Maintenance => "Maintenance of all nodes",
            PlanKind::Debug => "A partition for short jobs",
            PlanKind::Line => "Any line",
        }
    }

    /// What its field asks for.
    pub fn asks(self) -> &'static str {
        match self {
            PlanKind::Nodes => "How many (+20, −4)",
            PlanKind::Drain => "How many, from, until",
            PlanKind::Maintenance => "From, until, announced",
            PlanKind::Debug => "Nodes, minutes",
            PlanKind::Line => "Key=value",
        }
    }

    /// A text that its field takes.
    pub fn example(self) -> &'static str {
        match self {
            PlanKind::Nodes => "+20",
            PlanKind::Drain | PlanKind::Maintenance => "",
            PlanKind::Debug => "8 30",
            PlanKind::Line => "PriorityWeightAge=4000",
        }
    }

    /// Whether it is about the nodes of one partition.
    pub fn is_of_partition(self) -> bool {
        matches!(self, PlanKind::Nodes | PlanKind::Drain | PlanKind::Debug)
    }
}

/// The run of a change that a person has worded.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub fn planned(base: &Run, site: &Site, kind: PlanKind, partition: &str, text: &str) -> Result<Run, String> {
    let words: Vec<&str> = text.split([' ', ',']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let nodes = |count: &str, are_last: bool| {
        let own = site.partitions.iter().find(|own| own.name == partition);
        let all = &own.ok_or_else(|| format!("there is no partition {partition:.60}"))?.nodes;
        let count = number(count).filter(|&count| count > 0).ok_or("it takes how many nodes, as 20")? as usize;
        if count > all.len() {
            return Err(format!("partition {partition} has {} nodes, not {count}", all.len()));
        }
        let some = if are_last { &all[all.len() - count..] } else { &all[..count] };
        Ok(folded(some.iter().map(|&at| site.nodes[at as usize].name.as_str())).replace(',', "+"))
    };
    let changed = |changes: String| {
        let scheduler = with_changes(&base.scheduler, &changes);
        let scheduler = scheduler.ok_or_else(|| not_taken(&base.scheduler, &changes))?;
        site.changed(&scheduler.site_changes())?;
        Ok(Run { scheduler, ..base.clone() })
    };
    match (kind, &words[..]) {
        (PlanKind::Nodes, [count] | [count, "nodes" | "node"]) => {
            let more = number(count).filter(|&more| more != 0).ok_or("it takes how many nodes, as +20 or -4")?;
            site.resized(partition, more)?;
            let what_if = format!("nodes={more:+} cell={partition}").parse::<WhatIf>().map_err(|why| why.to_string())?;
            Ok(Run { what_if: Some(what_if), ..base.clone() })
        }
        (PlanKind::Nodes, _) => Err("it takes how many nodes, as +20 or -4".to_owned()),
        (PlanKind::Drain, [count, from, until]) => changed(format!("drain={}@{from}/{until}", nodes(count, false)?)),
        (PlanKind::Drain, _) => {
            Err("it takes how many nodes, from when and until when, as 20 2026-11-23T08:00 2026-11-24T08:00".to_owned())
        }
        (PlanKind::Maintenance, [from, until, announced]) => {
            changed(format!("maintenance=ALL@{from}/{until}/{announced}"))
        }
        (PlanKind::Maintenance, _) => Err(
            "it takes from when, until when and when it is announced, as 2026-12-01T08:00 2026-12-01T20:00 2026-11-24T08:00"
                .to_owned(),
        ),
        (PlanKind::Debug, [count, minutes]) => {
            let minutes = number(minutes).filter(|&minutes| minutes > 0).ok_or("it takes minutes, as 30")?;
            let taken = |name: &String| site.partition(name).is_some();
            let names = std::iter::once("debug".to_owned()).chain((2..).map(|n| format!("debug-{n}")));
            let name = names.into_iter().find(|name| !taken(name)).unwrap_or_default();
            let tier = site.partitions.iter().map(|own| own.tier).max().unwrap_or(1).saturating_add(1);
            let nodes = nodes(count, true)?;
            changed(format!(
                "partition.{name}.Nodes={nodes},partition.{name}.MaxTime={minutes},partition.{name}.PriorityTier={tier}"
            ))
        }
        (PlanKind::Debug, _) => Err("it takes how many nodes and up to how many minutes, as 8 30".to_owned()),
        (PlanKind::Line, []) => Err("it takes a key and a value, as PriorityWeightAge=4000".to_owned()),
        (PlanKind::Line, _) => changed(text.trim().to_owned()),
    }
}

/// What a person may ask of nodes that take no jobs for a time, in words.
const DRAINS: &str =
    "how many nodes, or which, and from when on, as 20@18:00 or n[1-8]@2026-11-23T18:00/2026-11-24T08:00";

/// The policy of a site of which nodes take no jobs from a time after `now` on: `20@18:00`, the next time that it is 18:00,
/// or `n[1-8]@2026-11-23T18:00/2026-11-24T08:00`. Without an end they stay away until `end`. Of a number of nodes it is the
/// first ones of the largest partition. Both times are seconds of the site's clock.
///
/// # Errors
/// What is wrong with it, as the end of a sentence that begins with the name of the option.
pub fn drained(base: &Policy, site: &Site, text: &str, (now, end): (i64, i64)) -> Result<Policy, String> {
    let takes = || format!("takes {DRAINS}");
    let (nodes, times) = text.trim().split_once('@').ok_or_else(takes)?;
    let (from, until) = times.split_once('/').map_or((times, None), |(from, until)| (from, Some(until)));
    let from = next_moment(from, now).ok_or_else(takes)?;
    let until = until.map_or(Ok(end.max(from + 1)), |until| next_moment(until, from).ok_or_else(takes))?;
    if from < now {
        return Err("begins before the moment of the forecast: take a later time".to_owned());
    }
    let nodes = match number(nodes) {
        Some(count) => {
            let largest = site.partitions.iter().max_by_key(|own| own.nodes.len()).ok_or("needs a partition")?;
            let all = &largest.nodes;
            if !(1..=all.len() as i64).contains(&count) {
                return Err(format!("takes 1 to {} nodes, as many as partition {} has", all.len(), largest.name));
            }
            folded(all[..count as usize].iter().map(|&at| site.nodes[at as usize].name.as_str()))
        }
        None => nodes.trim().to_owned(),
    };
    let date = |seconds: i64| DateTime::from_timestamp(seconds, 0).map(|at| at.format("%Y-%m-%dT%H:%M:%S").to_string());
    let (from, until) = date(from).zip(date(until)).ok_or_else(takes)?;
    let changes = format!("drain={}@{from}/{until}", nodes.replace(',', "+"));
    let scheduler = with_changes(base, &changes).ok_or_else(|| format!("fails: {}", not_taken(base, &changes)))?;
    site.changed(&scheduler.site_changes()).map_err(|why| format!("fails: {why}"))?;
    Ok(scheduler)
}

/// A date, or the next moment from `after` on at which the clock shows this time.
fn next_moment(text: &str, after: i64) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = NaiveTime::parse_from_str(text, "%H:%M") {
        let of_day = time.signed_duration_since(NaiveTime::MIN).num_seconds();
        return Some(after + (of_day - after).rem_euclid(86_400));
    }
    let date = |form: &str| NaiveDateTime::parse_from_str(text, form).ok();
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|day| day.and_time(NaiveTime::MIN));
    let found = date("%Y-%m-%dT%H:%M:%S").or_else(|| date("%Y-%m-%dT%H:%M")).or_else(day)?;
    Some(found.and_utc().timestamp())
}

/// A whole number, with any minus sign that a person types.
fn number(text: &str) -> Option<i64> {
    text.replace('−', "-").parse().ok()
}

/// Why a policy does not take changes.
fn not_taken(base: &Policy, changes: &str) -> String {
    let settings = base.settings().to_string();
    let separator = if settings.is_empty() { "" } else { "," };
    match format!("{}:{settings}{separator}{changes}", base.family().entry.id).parse::<Policy>() {
        Err(why) => format!("{why}"),
        Ok(_) => "it takes a key and a value, as PriorityWeightAge=4000".to_owned(),
    }
}

/// Several changes as one, beside the site as configured.
///
/// # Errors
/// Where two of them set the same line differently: which.
pub fn combined(base: &Run, runs: &[Run]) -> Result<Run, String> {
    let mut pairs: BTreeMap<String, String> = BTreeMap::new();
    let mut order = Vec::new();
    let mut nodes: Vec<String> = Vec::new();
    for run in runs {
        let limits = run.scheduler.settings().real("limits");
        let of_limits = (limits != 1.0).then(|| ("limits".to_owned(), limits.to_string()));
        let changes = run.scheduler.site_changes().into_iter().map(|change| change.pair()).chain(of_limits);
        for (key, value) in changes {
            match pairs.get(&key) {
                None => {
                    order.push(key.clone());
                    pairs.insert(key, value);
                }
                Some(own) if *own == value => {}
                Some(own) => return Err(format!("Two of these set {key}, to {own} and to {value}: pick one of them.")),
            }
        }
        nodes.extend(run.what_if.as_ref().map(ToString::to_string));
    }
    let changes: Vec<String> = order.iter().map(|key| format!("{key}={}", pairs[key])).collect();
    let scheduler = match changes.is_empty() {
        true => base.scheduler.clone(),
        false => with_changes(&base.scheduler, &changes.join(","))
            .ok_or("These changes together are too long for one row: pick fewer.")?,
    };
    let read = || nodes.join(", ").parse::<WhatIf>().map_err(|why| format!("{why}."));
    let what_if = (!nodes.is_empty()).then(read).transpose()?;
    Ok(Run { scheduler, what_if, ..base.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::what_if::ChangeCard;
    use packfair_slurm::{SiteFile, Version, read_site};

    fn site() -> Site {
        let conf = "NodeName=n[1-32] CPUs=4\nPartitionName=batch Nodes=n[1-24] Default=YES\nPartitionName=far Nodes=n[17-32]\n";
        read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default())
    }

    fn base() -> Run {
        Run::new("slurm".parse().unwrap(), "requested".parse().unwrap())
    }

    fn label(kind: PlanKind, partition: &str, text: &str) -> Result<String, String> {
        let run = planned(&base(), &site(), kind, partition, text)?;
        Ok(ChangeCard::of(run, &site()).unwrap().label)
    }

    #[test]
    fn nodes_are_drained_from_the_next_time_that_it_is_so_late() {
        let conf = "NodeName=n[1-4] CPUs=4\nNodeName=g1 CPUs=4\nPartitionName=gpu Nodes=g1\n\
            PartitionName=main Nodes=n[1-4] Default=YES\n";
        let file = packfair_slurm::SiteFile { name: "slurm.conf", content: conf.as_bytes() };
        let site = packfair_slurm::read_site(&[file], packfair_slurm::Version::default());
        let at = |text: &str| next_moment(text, 0).unwrap();
        let (now, end) = (at("2026-11-23T19:30"), at("2026-12-07"));
        let asked = |text: &str| drained(&"slurm".parse().unwrap(), &site, text, (now, end)).map(|own| own.to_string());
        let made = |text: &str| asked(text).unwrap().split_once("drain=").unwrap().1.to_owned();
        assert_eq!(made("2@18:00"), "n[1-2]@2026-11-24T18:00:00/2026-12-07T00:00:00");
        assert_eq!(made("n[2-3],g1@20:00/08:00"), "n[2-3]+g1@2026-11-23T20:00:00/2026-11-24T08:00:00");
        assert_eq!(made("1@19:30/2026-11-25"), "n1@2026-11-23T19:30:00/2026-11-25T00:00:00");
        for (text, why) in [
            ("20", "as 20@18:00"),
            ("2@soon", "as 20@18:00"),
            ("5@18:00", "1 to 4 nodes"),
            ("n9@18:00", "no node n9"),
            ("2@2026-11-23T10:00", "before the moment"),
            ("2@20:00/2026-11-23T19:40", "ends before"),
        ] {
            let said = asked(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn what_is_worded_is_what_is_computed() {
        for (kind, partition, text, said) in [
            (PlanKind::Nodes, "batch", "+20", "20 more nodes in partition batch (24 to 44)"),
            (PlanKind::Nodes, "batch", "20 nodes", "20 more nodes in partition batch (24 to 44)"),
            (PlanKind::Nodes, "far", "−4", "4 fewer nodes in partition far (16 to 12)"),
            (
                PlanKind::Drain,
                "batch",
                "20 2026-11-23T08:00 2026-11-24T08:00",
                "n[1-20] (20 of 32 nodes) drained from Mon 2026-11-23 08:00 to Tue 2026-11-24 08:00",
            ),
            (
                PlanKind::Debug,
                "far",
                "8 30",
                "New partition debug on n[25-32] (8 nodes), tier 2: every job of up to 30 min goes there",
            ),
            (PlanKind::Line, "", "bf_window=2880", "bf_window 1440 to 2880"),
        ] {
            assert_eq!(label(kind, partition, text).unwrap().replace(crate::format::SPACE, " "), said);
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        for (kind, partition, text, said) in [
            (PlanKind::Nodes, "batch", "many", "it takes how many nodes, as +20 or -4"),
            (PlanKind::Nodes, "batch", "-24", "partition batch has 24 nodes, and 24 fewer leave none"),
            (PlanKind::Nodes, "gpu", "+2", "there is no partition gpu; there are batch, far"),
            (PlanKind::Drain, "far", "20 2026-11-23 2026-11-24", "partition far has 16 nodes, not 20"),
            (PlanKind::Drain, "far", "2", "it takes how many nodes, from when"),
            (PlanKind::Maintenance, "", "2026-11-23", "it takes from when, until when"),
            (PlanKind::Line, "", "", "it takes a key and a value"),
        ] {
            let error = label(kind, partition, text).unwrap_err();
            assert!(error.starts_with(said), "{text}: {error}");
        }
        assert!(label(PlanKind::Line, "", "bf_windw=3").unwrap_err().contains("bf_window"));
    }

    #[test]
    fn picked_changes_are_run_as_one() {
        let of = |kind, text| planned(&base(), &site(), kind, "batch", text).unwrap();
        let both = [
            of(PlanKind::Line, "bf_window=2880,limits=0.8"),
            of(PlanKind::Line, "bf_interval=60"),
            of(PlanKind::Nodes, "+2"),
        ];
        let one = combined(&base(), &both).unwrap();
        assert_eq!(one.id(), "slurm:limits=0.8,bf_window=2880,bf_interval=60__requested__if_nodes=+2_cell=batch");
        let two = [of(PlanKind::Line, "bf_window=2880"), of(PlanKind::Line, "bf_window=4320")];
        assert_eq!(
            combined(&base(), &two).unwrap_err(),
            "Two of these set bf_window, to 2880 and to 4320: pick one of them."
        );
    }
}
