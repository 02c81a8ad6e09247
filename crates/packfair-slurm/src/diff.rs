//! How an administrator makes changes at a site: a diff of `slurm.conf`, and commands.

use super::change::{Changed, SiteChange};
use super::hostlist::{expand, folded};
use super::lines::{WordSpan, spans};
use super::nodes::MOST_NODES;
use super::parameters::Parameters;
use super::site::Site;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::ops::Range;

/// Changes in a form that can be applied as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The input of `patch`; empty where `slurm.conf` stays as it is.
    pub diff: String,
    /// The whole `slurm.conf` after the diff; empty where it stays as it is.
    pub conf: String,
    pub commands: Vec<String>,
}

/// The number of unchanged lines that a diff shows around a change.
const CONTEXT: usize = 3;

/// What is to be done for these changes.
pub fn patch(site: &Site, changes: &[SiteChange]) -> Patch {
    patch_resized(site, &[], changes)
}

/// What is to be done so that partitions have so many nodes more or fewer ([`Site::resized`]), and for these changes.
pub fn patch_resized(site: &Site, sizes: &[(String, i64)], changes: &[SiteChange]) -> Patch {
    let (name, text) = site.conf.as_ref().map_or(("slurm.conf", ""), |conf| (conf.name.as_str(), conf.text.as_str()));
    let mut edited = ConfEdit::of(text);
    let mut commands = Vec::new();
    let mut before = site.clone();
    for (partition, more) in sizes {
        // a size that cannot be was refused before
        let Ok(after) = before.resized(partition, *more) else { continue };
        edited.resize(&before, &after);
        before = after;
    }
    for change in changes {
        let SiteChange { of, key, value } = change;
        match of {
            Changed::Parameter => edited.set_parameter(key, value),
            Changed::Conf => edited.set(&[], key, value),
            Changed::Partition(name) => edited.set(&[("PartitionName", name)], key, value),
            Changed::Nodes(list) => edited.set_nodes(list, key, value),
            Changed::Qos(name) => commands.push(format!("sacctmgr -i modify qos where name={name} set {key}={value}")),
            Changed::User(name) => {
                commands.push(format!("sacctmgr -i modify user where name={name} set {key}={value}"))
            }
            Changed::Account(name) => {
                commands.push(format!("sacctmgr -i modify account where name={name} set {key}={value}"));
            }
            Changed::Drain => commands.extend(drain(value)),
            Changed::Maintenance => commands.extend(maintenance(value)),
        }
    }
    let diff = edited.diff(name, text);
    let conf = if diff.is_empty() { String::new() } else { edited.text(text) };
    if !diff.is_empty() {
        // another plug-in is loaded only when slurmctld starts
        let restarts = changes.iter().any(|change| {
            change.of == Changed::Conf && (change.key.ends_with("Type") || change.key == "TopologyPlugin")
        });
        let apply = if restarts { "systemctl restart slurmctld" } else { "scontrol reconfigure" };
        commands.insert(0, apply.to_owned());
    }
    Patch { diff, conf, commands }
}

/// The commands of a drain, `NODES@FROM/UNTIL`.
fn drain(value: &str) -> Vec<String> {
    let (nodes, times) = value.split_once('@').unwrap_or((value, ""));
    let (from, until) = times.split_once('/').unwrap_or((times, ""));
    vec![
        format!("scontrol update nodename={nodes} state=drain reason=planned  # at {from}"),
        format!("scontrol update nodename={nodes} state=resume  # at {until}"),
    ]
}

/// The command of a maintenance, `NODES@FROM/UNTIL/ANNOUNCED`.
fn maintenance(value: &str) -> Vec<String> {
    let (nodes, times) = value.split_once('@').unwrap_or((value, ""));
    let times: Vec<&str> = times.split('/').collect();
    let [from, until, announced] = times[..] else { return Vec::new() };
    vec![format!(
        "scontrol create reservation reservationname=maintenance starttime={from} endtime={until} nodes={nodes} \
         users=root flags=maint  # at {announced}"
    )]
}

/// An entry of the file, as it is and as it is to be.
struct ConfEntry {
    /// The lines of the file that it takes up; an empty range at the end where it is new.
    lines: Range<usize>,
    /// The new text; none while the entry stays as it is.
    new: Option<String>,
}

struct ConfEdit<'a> {
    raw: Vec<&'a str>,
    entries: Vec<ConfEntry>,
}

impl<'a> ConfEdit<'a> {
    fn of(text: &'a str) -> Self {
        let raw: Vec<&str> = text.lines().collect();
        let mut entries: Vec<ConfEntry> = Vec::new();
        let mut at = 0;
        while at < raw.len() {
            let begin = at;
            while content(raw[at]).trim_end().ends_with('\\') && at + 1 < raw.len() {
                at += 1;
            }
            at += 1;
            entries.push(ConfEntry { lines: begin..at, new: None });
        }
        ConfEdit { raw, entries }
    }

    /// The present text of an entry, as one line.
    fn said(&self, entry: &ConfEntry) -> String {
        if let Some(new) = &entry.new {
            return new.clone();
        }
        let lines = &self.raw[entry.lines.clone()];
        match lines {
            [one] => (*one).to_owned(),
            _ => lines.iter().map(|line| content(line).trim_end().trim_end_matches('\\')).collect(),
        }
    }

    /// The last entry that begins with the words `first` and has a key, and the first entry that begins with these
    /// words.
    fn find(&self, first: &[(&str, &str)], key: &str) -> (Option<usize>, Option<usize>) {
        let value_of =
            |said: &str, word: &WordSpan| word.value.clone().map_or(String::new(), |value| said[value].to_owned());
        let (mut with_key, mut owner) = (None, None);
        for (at, entry) in self.entries.iter().enumerate() {
            let said = self.said(entry);
            let words = spans(content(&said));
            let is = |word: &WordSpan, key: &str| said[word.key.clone()].eq_ignore_ascii_case(key);
            let is_own = match first {
                [] => !words.first().is_some_and(|word| {
                    ["nodename", "partitionname", "nodeset", "downnodes"].iter().any(|key| is(word, key))
                }),
                [(key, value), ..] => {
                    words.first().is_some_and(|word| is(word, key) && value_of(&said, word).trim_matches('"') == *value)
                }
            };
            if is_own {
                owner.get_or_insert(at);
                if words.iter().any(|word| is(word, key)) {
                    with_key = Some(at);
                }
            }
        }
        (with_key, owner.filter(|_| !first.is_empty()))
    }

    /// Sets a key, in the entry that begins with the words `first`, or in a new entry.
    fn set(&mut self, first: &[(&str, &str)], key: &str, value: &str) {
        let (with_key, owner) = self.find(first, key);
        let new = match (with_key, owner) {
            (Some(at), _) => {
                let said = self.said(&self.entries[at]);
                let last =
                    spans(content(&said)).into_iter().rfind(|word| said[word.key.clone()].eq_ignore_ascii_case(key));
                let Some(word) = last else { return };
                let new = format!("{}{key}={value}{}", &said[..word.all.start], &said[word.all.end..]);
                // an entry that has this value already stays as it is written, over as many lines as it takes
                if new == said {
                    return;
                }
                new
            }
            (None, Some(at)) => {
                let said = self.said(&self.entries[at]);
                let end = content(&said).trim_end().len();
                format!("{} {key}={value}{}", &said[..end], &said[end..])
            }
            (None, None) => {
                let owner: String = first.iter().map(|(key, value)| format!("{key}={value} ")).collect();
                let end = self.raw.len();
                self.entries.push(ConfEntry { lines: end..end, new: Some(format!("{owner}{key}={value}")) });
                return;
            }
        };
        let at = with_key.or(owner);
        if let Some(entry) = at.map(|at| &mut self.entries[at]) {
            entry.new = Some(new);
        }
    }

    /// Sets a key of the nodes of a list. Of a line that names others too they are taken out, into a line of their own.
    fn set_nodes(&mut self, list: &str, key: &str, value: &str) {
        // the change was checked when it was read
        let own = expand(list, MOST_NODES).unwrap_or_default();
        let own: FxHashSet<&str> = own.iter().map(String::as_str).collect();
        for at in 0..self.entries.len() {
            let said = self.said(&self.entries[at]);
            let words = spans(content(&said));
            let is_it = |word: &&WordSpan| said[word.key.clone()].eq_ignore_ascii_case("NodeName");
            let Some(named) = words.first().filter(is_it).and_then(|word| word.value.clone()) else { continue };
            let names = expand(said[named.clone()].trim_matches('"'), MOST_NODES).unwrap_or_default();
            let (here, others): (Vec<&str>, Vec<&str>) =
                names.iter().map(String::as_str).partition(|name| own.contains(name));
            if here.is_empty() {
                continue;
            }
            let old = words.iter().rfind(|word| said[word.key.clone()].eq_ignore_ascii_case(key));
            let old = old.and_then(|word| word.value.clone()).map_or("", |value| said[value].trim_matches('"'));
            let value = &with_other_gres(key, value, old);
            if others.is_empty() {
                let name = said[named].to_owned();
                self.set(&[("NodeName", name.trim_matches('"'))], key, value);
                continue;
            }
            let of = |names: Vec<&str>| format!("{}{}{}", &said[..named.start], folded(names), &said[named.end..]);
            let (left, name) = (of(others), folded(here.iter().copied()));
            let end = self.raw.len();
            let new = content(&of(here)).trim_end().to_owned();
            self.entries[at].new = Some(left);
            self.entries.push(ConfEntry { lines: end..end, new: Some(new) });
            self.set(&[("NodeName", &name)], key, value);
        }
    }

    /// Adds the lines of new nodes, and lists the nodes of each partition anew that has others.
    fn resize(&mut self, before: &Site, after: &Site) {
        let names = |site: &Site, nodes: &[u32]| folded(nodes.iter().map(|&at| site.nodes[at as usize].name.as_str()));
        if let Some(node) = after.nodes.get(before.nodes.len()) {
            let new: Vec<u32> = (before.nodes.len() as u32..after.nodes.len() as u32).collect();
            let new = names(after, &new);
            let of_type = |(kind, count): &(String, u32)| format!("gpu:{kind}:{count}");
            let untyped = node.gpus.saturating_sub(node.gpu_kinds.iter().map(|(_, count)| count).sum());
            let untyped = Some(format!("gpu:{untyped}")).filter(|_| untyped > 0);
            let gpus: Vec<String> = node.gpu_kinds.iter().map(of_type).chain(untyped).collect();
            let beyond = |count: u64, least: u64| if count > least { count.to_string() } else { String::new() };
            let reserved = node.reserved_cpus > 0;
            let words = [
                ("CPUs", node.cpus.to_string()),
                ("ThreadsPerCore", if reserved { beyond(u64::from(node.of_core), 1) } else { String::new() }),
                ("CoreSpecCount", beyond(u64::from(node.reserved_cpus / node.of_core), 0)),
                ("RealMemory", beyond(node.memory + node.reserved_memory, 1)),
                ("MemSpecLimit", beyond(node.reserved_memory, 0)),
                ("Gres", gpus.join(",")),
                ("Weight", if node.weight > 1 { node.weight.to_string() } else { String::new() }),
                ("Feature", node.features.join(",")),
            ];
            for (key, value) in words.into_iter().filter(|(_, value)| !value.is_empty()) {
                self.set(&[("NodeName", &new)], key, &value);
            }
        }
        for (own, now) in before.partitions.iter().zip(&after.partitions) {
            let nodes = names(after, &now.nodes);
            let had_all = own.nodes.len() == before.nodes.len();
            let keeps_all = had_all && now.nodes.len() == after.nodes.len() && after.nodes.len() > before.nodes.len();
            if nodes != names(before, &own.nodes) && !keeps_all {
                self.set(&[("PartitionName", &own.name)], "Nodes", &nodes);
            } else if keeps_all {
                self.set(&[("PartitionName", &own.name)], "Nodes", "ALL");
            }
        }
    }

    fn set_parameter(&mut self, name: &str, value: &str) {
        const KEY: &str = "SchedulerParameters";
        let before = self.find(&[], KEY).0.map(|at| self.said(&self.entries[at]));
        let value_now = before.as_deref().and_then(|said| {
            let word =
                spans(content(said)).into_iter().rfind(|word| said[word.key.clone()].eq_ignore_ascii_case(KEY))?;
            Some(said[word.value?].replace(['"', '\''], ""))
        });
        let now = value_now.unwrap_or_default();
        let is_it = |word: &str| word.split('=').next().is_some_and(|own| own.trim().eq_ignore_ascii_case(name));
        let mut all: Vec<String> =
            now.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let place = all.iter().position(|word| is_it(word));
        all.retain(|word| !is_it(word));
        // the change was checked when it was read, so the word takes its value
        let word = Parameters::changed(name, value).unwrap_or_default();
        if word.starts_with(name) {
            all.insert(place.unwrap_or(all.len()).min(all.len()), word);
        }
        if !(all.is_empty() && before.is_none()) {
            self.set(&[], KEY, &all.join(","));
        }
    }

    /// The whole text after the changes.
    fn text(&self, before: &str) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            match &entry.new {
                Some(new) => text.push_str(&format!("{new}\n")),
                None => self.raw[entry.lines.clone()].iter().for_each(|line| text.push_str(&format!("{line}\n"))),
            }
        }
        let ends_bare = !before.is_empty() && !before.ends_with('\n');
        if ends_bare && self.entries.last().is_some_and(|last| last.new.is_none()) {
            text.pop();
        }
        text
    }

    /// The unified diff; empty where nothing is changed.
    fn diff(&self, name: &str, before: &str) -> String {
        let is_changed = |entry: &ConfEntry| match &entry.new {
            Some(new) => self.raw[entry.lines.clone()] != [new.as_str()],
            None => false,
        };
        let changed: Vec<&ConfEntry> = self.entries.iter().filter(|entry| is_changed(entry)).collect();
        let mut text = String::new();
        let mut left = &changed[..];
        let mut shift = 0_isize;
        while let Some(first) = left.first() {
            // changes with few lines between them form one hunk
            let near =
                left.windows(2).take_while(|pair| pair[1].lines.start <= pair[0].lines.end + 2 * CONTEXT).count();
            let (hunk, rest) = left.split_at(near + 1);
            left = rest;
            let begin = first.lines.start.saturating_sub(CONTEXT);
            let end = hunk.last().map_or(0, |last| last.lines.end + CONTEXT).min(self.raw.len());
            let mut lines = String::new();
            let mut at = begin;
            let (mut old, mut new) = (0, 0);
            let ends_bare = !before.is_empty() && !before.ends_with('\n');
            let mut line = |sign: char, text: &str, is_last: bool| {
                // writing into a string does not fail
                let _ = writeln!(lines, "{sign}{text}");
                if is_last && ends_bare {
                    let _ = writeln!(lines, "\\ No newline at end of file");
                }
                old += usize::from(sign != '+');
                new += usize::from(sign != '-');
            };
            for entry in hunk {
                (at..entry.lines.start).for_each(|at| line(' ', self.raw[at], at + 1 == self.raw.len()));
                entry.lines.clone().for_each(|at| line('-', self.raw[at], at + 1 == self.raw.len()));
                entry.new.iter().for_each(|new| line('+', new, false));
                at = entry.lines.end;
            }
            (at..end).for_each(|at| line(' ', self.raw[at], at + 1 == self.raw.len()));
            let from = |begin: isize, count: usize| if count == 0 { begin } else { begin + 1 };
            let (old_begin, new_begin) = (from(begin as isize, old), from(begin as isize + shift, new));
            let _ = write!(text, "@@ -{old_begin},{old} +{new_begin},{new} @@\n{lines}");
            shift += new as isize - old as isize;
        }
        if text.is_empty() { text } else { format!("--- {name}\n+++ {name}\n{text}") }
    }
}

/// The value of a key of nodes, with what is no GPU of an old list of generic resources.
fn with_other_gres(key: &str, value: &str, old: &str) -> String {
    let is_other = |item: &&str| !item.is_empty() && item.split(':').next() != Some("gpu");
    let others = old.split(',').map(str::trim).filter(is_other).filter(|_| key.eq_ignore_ascii_case("gres"));
    std::iter::once(value).chain(others).collect::<Vec<_>>().join(",")
}

/// A line without its comment.
fn content(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| !line[..at].ends_with('\\');
    line.match_indices('#').find(is_comment).map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SiteFile, Version, read_site};

    const CONF: &str = "# ours\nClusterName=c\nSchedulerParameters=bf_continue,\\\nbf_window=2880,bf_interval=60 # slow\n\
        PriorityType=priority/multifactor PriorityWeightAge=1000\nPriorityFavorSmall=NO\nNodeName=n[1-8] CPUs=4\n\n\n\n\n\n\n\
        PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 # all\nPartitionName=night Nodes=n1";

    fn site(text: &str) -> Site {
        read_site(&[SiteFile { name: "slurm.conf", content: text.as_bytes() }], Version::default())
    }

    fn changes(pairs: &[(&str, &str)]) -> Vec<SiteChange> {
        pairs.iter().map(|(key, value)| SiteChange::read(key, value).unwrap()).collect()
    }

    /// Applies a diff to a text, as `patch` does.
    fn patched(text: &str, diff: &str) -> String {
        let old: Vec<&str> = text.split_inclusive('\n').collect();
        let mut new = String::new();
        let mut at = 0;
        for line in diff.lines().skip(2) {
            if let Some(head) = line.strip_prefix("@@ -") {
                let (begin, count) = head.split(' ').next().unwrap().split_once(',').unwrap();
                let begin = begin.parse::<usize>().unwrap() - usize::from(count != "0");
                old[at..begin].iter().for_each(|line| new.push_str(line));
                at = begin;
                continue;
            }
            let (sign, words) = line.split_at(1);
            if sign == "\\" {
                continue;
            }
            if sign != "+" {
                assert_eq!(old[at].trim_end_matches('\n'), words);
                at += 1;
            }
            if sign != "-" {
                new.push_str(words);
                new.push('\n');
            }
        }
        old[at..].iter().for_each(|line| new.push_str(line));
        new
    }

    #[test]
    fn a_patched_file_is_the_changed_site() {
        let of = [
            &[("bf_max_job_test", "1000"), ("bf_continue", "no")][..],
            &[("bf_window", "10080"), ("bf_interval", "30"), ("defer", "yes"), ("PriorityWeightAge", "4000")],
            &[("PriorityFavorSmall", "YES"), ("PriorityDecayHalfLife", "14-0"), ("KillWait", "60")],
            &[("partition.batch.MaxTime", "720"), ("partition.night.PriorityTier", "2")],
            &[("partition.debug.Nodes", "n[1-2]"), ("partition.debug.MaxTime", "30")],
            &[("PriorityWeightTRES", "cpu=5+mem=1")],
            &[("node.n[1-8].Gres", "gpu:a100:2"), ("node.n[1-8].RealMemory", "4000")],
        ];
        // with and without an empty line at the end
        for conf in [CONF, &format!("{CONF}\n")] {
            let site = site(conf);
            for pairs in of {
                let changes = changes(pairs);
                let Patch { diff, conf: made, commands } = patch(&site, &changes);
                let mut expected = site.changed(&changes).unwrap();
                let mut read =
                    read_site(&[SiteFile { name: "slurm.conf", content: made.as_bytes() }], Version::default());
                expected.partitions.iter_mut().for_each(|partition| partition.is_added = false);
                (expected.conf, read.conf) = (None, None);
                (expected.files, read.files) = (Vec::new(), Vec::new());
                assert_eq!(read, expected, "{diff}");
                assert_eq!(patched(conf, &diff).trim_end(), made.trim_end(), "{diff}");
                assert_eq!(commands, ["scontrol reconfigure"]);
            }
        }
    }

    #[test]
    fn some_nodes_of_a_line_get_a_line_of_their_own() {
        let told = patch(&site(CONF), &changes(&[("node.n[7-8].Gres", "gpu:a100:2")]));
        assert!(told.diff.contains("-NodeName=n[1-8] CPUs=4\n+NodeName=n[1-6] CPUs=4\n"), "{}", told.diff);
        assert!(told.conf.ends_with("NodeName=n[7-8] CPUs=4 Gres=gpu:a100:2\n"), "{}", told.conf);
        assert_eq!(patched(CONF, &told.diff).trim_end(), told.conf.trim_end());
        let read = site(&told.conf);
        assert_eq!((read.nodes.len(), read.nodes[7].gpus, read.nodes[5].gpus), (8, 2, 0));
        assert_eq!(read.partitions[0].nodes.len(), 8);
    }

    #[test]
    fn a_diff_is_what_a_person_would_write() {
        let told = patch(&site(CONF), &changes(&[("bf_window", "10080"), ("qos.normal.MaxJobsPU", "4")]));
        assert_eq!(
            told.diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -1,7 +1,6 @@\n # ours\n ClusterName=c\n\
             -SchedulerParameters=bf_continue,\\\n-bf_window=2880,bf_interval=60 # slow\n\
             +SchedulerParameters=bf_continue,bf_window=10080,bf_interval=60\n\
             \x20PriorityType=priority/multifactor PriorityWeightAge=1000\n PriorityFavorSmall=NO\n NodeName=n[1-8] CPUs=4\n"
        );
        assert_eq!(told.commands, ["scontrol reconfigure", "sacctmgr -i modify qos where name=normal set MaxJobsPU=4"]);
        let none = patch(
            &Site::plain(4, Version::default()),
            &changes(&[("bf_window", "10080"), ("SchedulerType", "sched/builtin")]),
        );
        assert_eq!(
            none.diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -0,0 +1,2 @@\n+SchedulerParameters=bf_window=10080\n+SchedulerType=sched/builtin\n"
        );
        assert_eq!(none.commands, ["systemctl restart slurmctld"]);
        let outside = patch(&site(CONF), &changes(&[("drain", "n[1-2]@2026-11-23/2026-11-24")]));
        assert_eq!((outside.diff.as_str(), outside.commands.len()), ("", 2));
        assert_eq!(patch(&site(CONF), &changes(&[("bf_interval", "60")])), Patch::default(), "it says so already");
    }
}
