//! The unit in which a machine is counted, and the time since when a job waits.

use super::log::Log;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// "Most jobs take whole nodes" means at least this share of them.
const MOST: f64 = 0.9;

/// The label of the header's comment that tells in which unit the log's jobs are meant to be counted.
pub(super) const COUNTED_IN: &str = "CountedIn";

/// The unit in which jobs and the machine are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    #[default]
    Processors,
    /// Nodes, for machines on which a node runs one job at a time.
    Nodes,
    /// Graphics processors, for machines on which jobs wait for these. Jobs without any are left out.
    Gpus,
}

/// A text of the program that speaks of what is counted, whatever that is: `{unit}` stands for one of it, `{units}` for
/// several, `{Units}` for several where a sentence begins. It can only be shown in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitText(&'static str);

/// The time since when a job waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Since {
    #[default]
    Submit,
    /// Since it became eligible (no hold and no dependency kept it any more), where the log tells that.
    Eligible,
}

/// The unit in which a workload is counted, and the units in which its log could be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counting {
    pub unit: Unit,
    pub known: Vec<Unit>,
    /// Whether the log tells when jobs became eligible.
    pub tells_eligible: bool,
}

impl Default for Counting {
    /// That of a log that counts only processors.
    fn default() -> Self {
        Counting { unit: Unit::Processors, known: vec![Unit::Processors], tells_eligible: false }
    }
}

impl Counting {
    /// The counting of a log in `unit`; in processors where the log does not have that unit.
    pub fn of(log: &Log, unit: Unit) -> Self {
        Counting {
            unit: if unit.is_known(log) { unit } else { Unit::Processors },
            known: Unit::ALL.into_iter().filter(|unit| unit.is_known(log)).collect(),
            tells_eligible: !log.beyond.eligible.is_empty(),
        }
    }
}

packfair_base::named!(Unit, "unit", {
    Processors => "processors", "processors", "";
    Nodes => "nodes", "nodes", "";
    Gpus => "gpus", "GPUs", "";
});

packfair_base::named!(Since, "begin of a wait", {
    Submit => "submit", "its submission", "";
    Eligible => "eligible", "it was eligible", "";
});

impl Unit {
    pub fn plural(self) -> &'static str {
        self.name()
    }

    pub fn singular(self) -> &'static str {
        match self {
            Unit::Processors => "processor",
            Unit::Nodes => "node",
            Unit::Gpus => "GPU",
        }
    }

    /// The unit of areas, width times seconds.
    pub fn seconds(self) -> &'static str {
        match self {
            Unit::Processors => "processor-seconds",
            Unit::Nodes => "node-seconds",
            Unit::Gpus => "GPU-seconds",
        }
    }

    /// The label of the header's comment that tells the size of the machine in this unit, beside that in processors.
    pub(super) fn size_label(self) -> Option<&'static str> {
        match self {
            Unit::Processors => None,
            Unit::Nodes => Some("SizeInNodes"),
            Unit::Gpus => Some("SizeInGPUs"),
        }
    }

    /// Whether the log counts jobs in this unit.
    pub fn is_known(self, log: &Log) -> bool {
        match self {
            Unit::Processors => true,
            Unit::Nodes => !log.beyond.nodes.is_empty(),
            Unit::Gpus => !log.beyond.gpus.is_empty(),
        }
    }

    /// The unit that fits a log: that which its header tells; else nodes if the log has them and most jobs take whole ones, else processors. The size of
    /// a whole node is the most common number of processors for each node.
    pub fn fitting(log: &Log) -> Unit {
        let told = log.header.get(COUNTED_IN).and_then(|told| told.parse().ok());
        if let Some(unit) = told.filter(|unit: &Unit| unit.is_known(log)) {
            return unit;
        }
        let Some(whole) = log.whole_node() else { return Unit::Processors };
        let known = log.on_nodes();
        let is_whole =
            |(processors, nodes): &&(i32, i32)| i64::from(*processors) == i64::from(*nodes) * i64::from(whole);
        let fit = known.iter().filter(is_whole);
        let is_most = fit.count() as f64 >= MOST * known.len() as f64;
        if whole > 1 && is_most { Unit::Nodes } else { Unit::Processors }
    }
}

impl Log {
    /// The processors and the nodes of each job of which both are known.
    fn on_nodes(&self) -> Vec<(i32, i32)> {
        let jobs = self.records.iter().zip(&self.beyond.nodes);
        let known = jobs.filter(|(record, nodes)| **nodes > 0 && record.allocated > 0);
        known.map(|(record, &nodes)| (record.allocated, nodes)).collect()
    }

    /// The most common number of processors for each node, which is that of a whole node where most jobs take such.
    pub(super) fn whole_node(&self) -> Option<i32> {
        let mut each: Vec<i32> = self.on_nodes().iter().map(|(processors, nodes)| processors / nodes).collect();
        each.sort_unstable();
        let whole = each.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])?;
        (whole > 0).then_some(whole)
    }
}

impl Log {
    /// Of jobs that were given something else than they asked for, the nodes that the processors fill that they asked for:
    /// who asks for processors alone asks for no number of nodes.
    fn nodes_filled(&self) -> Vec<(usize, i32)> {
        let Some(whole) = self.whole_node().filter(|_| !self.beyond.given.is_empty()) else { return Vec::new() };
        let filled = |place: usize| self.records[place].requested.max(0).saturating_add(whole - 1) / whole;
        let places = self.beyond.given.iter().map(|given| given.record as usize);
        places.map(|place| (place, filled(place))).collect()
    }
}

impl UnitText {
    /// A text with marks, or with none if it is the same in all units.
    pub const fn new(text: &'static str) -> Self {
        UnitText(text)
    }

    /// The text about a log that is counted in `unit`.
    pub fn in_unit(self, unit: Unit) -> String {
        let begin = match unit {
            Unit::Processors => "Processors",
            Unit::Nodes => "Nodes",
            Unit::Gpus => "GPUs",
        };
        self.0.replace("{unit}", unit.singular()).replace("{units}", unit.plural()).replace("{Units}", begin)
    }
}

impl Log {
    /// The log with its jobs counted in `unit`, and waiting since `since`. Values that the log does not have stay as
    /// they are.
    pub fn counted(&self, unit: Unit, since: Since) -> Cow<'_, Log> {
        let in_unit = match unit {
            Unit::Processors => &[][..],
            Unit::Nodes => &self.beyond.nodes,
            Unit::Gpus => &self.beyond.gpus,
        };
        let eligible = if since == Since::Eligible { self.beyond.eligible.as_slice() } else { &[] };
        if in_unit.is_empty() && eligible.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut log = self.clone();
        let filled = if unit == Unit::Nodes { self.nodes_filled() } else { Vec::new() };
        for (record, &count) in log.records.iter_mut().zip(in_unit) {
            (record.requested, record.allocated) = (count, count);
        }
        for (place, nodes) in filled {
            let record = &mut log.records[place];
            record.requested = record.requested.max(nodes);
            record.allocated = record.requested;
        }
        for given in &mut log.beyond.given {
            given.processors = match unit {
                Unit::Processors => given.processors,
                Unit::Nodes => given.nodes,
                Unit::Gpus => given.gpus,
            };
        }
        if !in_unit.is_empty() {
            // the header's number of processors does not tell that of nodes, and neither tells that of graphics
            // processors
            let says_nothing = |label: &str| {
                label.eq_ignore_ascii_case("MaxProcs") || (unit == Unit::Gpus && label.eq_ignore_ascii_case("MaxNodes"))
            };
            log.header.labels.retain(|(label, _)| !says_nothing(label));
            let size = unit.size_label().and_then(|label| log.header.processors(label));
            log.header.labels.extend(size.map(|size| ("MaxProcs".to_owned(), size.to_string())));
        }
        for (record, &eligible) in log.records.iter_mut().zip(eligible) {
            if eligible > record.submit {
                if record.wait >= 0 {
                    record.wait = (record.submit + record.wait - eligible).max(0);
                }
                record.submit = eligible;
            }
        }
        Cow::Owned(log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;

    fn log(jobs: &[(u32, u32)]) -> Log {
        let head = "JobID|Submit|Eligible|Start|ElapsedRaw|NNodes|NCPUS|AllocTRES|State\n".to_owned();
        let lines = jobs.iter().enumerate().map(|(id, (nodes, processors))| {
            format!("{id}|1700000000|1700000050|1700000090|60|{nodes}|{processors}|gres/gpu={nodes}|COMPLETED\n")
        });
        read("sacct", (head + lines.collect::<String>().as_str()).as_bytes()).unwrap()
    }

    #[test]
    fn texts_speak_of_what_is_counted() {
        let text = UnitText::new("{Units} in use, of all {units}: {unit}-seconds");
        assert_eq!(text.in_unit(Unit::Processors), "Processors in use, of all processors: processor-seconds");
        assert_eq!(text.in_unit(Unit::Nodes), "Nodes in use, of all nodes: node-seconds");
        assert_eq!(text.in_unit(Unit::Gpus), "GPUs in use, of all GPUs: GPU-seconds");
        let same = UnitText::new("what a processor is worth");
        assert_eq!(same.in_unit(Unit::Nodes), "what a processor is worth", "what has no mark is no mark");
        for unit in Unit::ALL {
            assert_eq!(unit.seconds(), UnitText::new("{unit}-seconds").in_unit(unit));
        }
    }

    #[test]
    fn nodes_fit_where_most_jobs_take_whole_ones() {
        let mut jobs = vec![(1, 48), (2, 96), (4, 192), (1, 48), (1, 48), (1, 48), (1, 48), (1, 48), (1, 48)];
        assert_eq!(Unit::fitting(&log(&jobs)), Unit::Nodes);
        jobs.push((1, 12));
        assert_eq!(Unit::fitting(&log(&jobs)), Unit::Nodes, "nine of ten");
        jobs.push((1, 1));
        assert_eq!(Unit::fitting(&log(&jobs)), Unit::Processors);
        assert_eq!(Unit::fitting(&log(&[(1, 1), (4, 4)])), Unit::Processors, "nodes of one processor");
        let swf = read("swf", "1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n".as_bytes()).unwrap();
        assert_eq!(Unit::fitting(&swf), Unit::Processors);
        assert!(Unit::Processors.is_known(&swf) && !Unit::Nodes.is_known(&swf));
        assert_eq!(Counting::of(&swf, Unit::Nodes), Counting::default());
        assert_eq!(Counting::of(&log(&jobs), Unit::Gpus).unit, Unit::Gpus);
    }

    #[test]
    fn a_log_is_counted_in_any_unit_since_either_time() {
        let log = log(&[(2, 96)]);
        let seen = |unit, since| {
            let counted = log.counted(unit, since);
            let record = &counted.records[0];
            (record.requested, record.submit, record.wait)
        };
        assert_eq!(seen(Unit::Processors, Since::Submit), (96, 0, 90));
        assert_eq!(seen(Unit::Nodes, Since::Submit), (2, 0, 90));
        assert_eq!(seen(Unit::Gpus, Since::Eligible), (2, 50, 40));
        assert!(matches!(log.counted(Unit::Processors, Since::Submit), Cow::Borrowed(_)));
    }

    #[test]
    fn ids_are_read_back() {
        assert!(Unit::ALL.into_iter().all(|unit| unit.id().parse() == Ok(unit)));
        assert!(Since::ALL.into_iter().all(|since| since.id().parse() == Ok(since)));
        assert!("cores".parse::<Unit>().is_err() && "start".parse::<Since>().is_err());
    }
}
