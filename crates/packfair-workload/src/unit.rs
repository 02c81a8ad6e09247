//! The unit in which a machine is counted, and the time since when a job waits.

use super::log::Log;
use super::summary::works;
use super::{Account, Reason, Record, Seconds};
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

// Whether a log that was read can be true, whatever its format.

const UNITS: [(Seconds, Reason); 2] = [(60, Reason::LimitInMinutes), (3_600, Reason::LimitInHours)];

/// The fewest jobs with limits from which their unit is told.
const FEWEST: usize = 20;

/// The longest median run time that is no doubt, and the longest time between submissions, seconds.
const LONGEST_MEDIAN: Seconds = 60 * 86_400;
const LONGEST_SPAN: Seconds = 50 * 366 * 86_400;

/// Notes in the account what in these records can hardly be true. The unit of limits is put right where
/// `may_change_unit` says that the format does not tell it.
pub(super) fn check(records: &mut [Record], account: &mut Account, may_change_unit: bool) {
    check_limits(records, account, may_change_unit);
    // -1 is unknown; below it two times contradict each other
    for record in records.iter() {
        if record.wait < -1 {
            account.note(Reason::StartsBeforeSubmit, record.line);
        }
        if record.run < -1 {
            account.note(Reason::EndsBeforeStart, record.line);
        }
    }
    let mut runs: Vec<Seconds> = records.iter().map(|record| record.run).filter(|&run| run >= 0).collect();
    if runs.len() >= FEWEST {
        let middle = runs.len() / 2;
        let (_, &mut median, _) = runs.select_nth_unstable(middle);
        if !(1..=LONGEST_MEDIAN).contains(&median) {
            account.note(Reason::RunsDoubtful, 0);
        }
    }
    let submits = || records.iter().map(|record| record.submit);
    if let (Some(first), Some(last)) = (submits().min(), submits().max())
        && last - first > LONGEST_SPAN
    {
        account.note(Reason::SpanDoubtful, 0);
    }
    let both = || records.iter().filter(|record| record.allocated > 0 && record.requested > 0);
    let differ = || both().filter(|record| record.allocated != record.requested);
    if 100 * differ().count() > both().count() {
        differ().for_each(|record| account.note(Reason::WidthsDiffer, record.line));
        let width = |width: i32| width.max(0).unsigned_abs();
        // a job of which one is not known counts by the other in both
        let widths = records.iter().map(|record| {
            let (given, asked) = (width(record.allocated), width(record.requested));
            (if given > 0 { given } else { asked }, if asked > 0 { asked } else { given }, record.run)
        });
        let (used, asked) = works(widths);
        account.set_works(used, asked);
    }
}

/// Tells limits that are in minutes or hours from those in seconds, by how many jobs outlive them.
fn check_limits(records: &mut [Record], account: &mut Account, may_change: bool) {
    let limited = |record: &&Record| record.requested_time > 0 && record.run > 0;
    let all = records.iter().filter(limited).count();
    let outlive = |unit: Seconds| {
        let over = |record: &&Record| record.run > record.requested_time.saturating_mul(unit);
        records.iter().filter(limited).filter(over).count()
    };
    if all < FEWEST || 5 * outlive(1) <= all {
        return;
    }
    let Some(&(unit, reason)) = UNITS.iter().find(|(unit, _)| 50 * outlive(*unit) < all) else { return };
    for record in records.iter_mut().filter(|record| record.requested_time > 0) {
        if may_change {
            record.requested_time = record.requested_time.saturating_mul(unit);
            account.note(reason, record.line);
        } else if record.run > record.requested_time {
            account.note(Reason::LimitDoubtful, record.line);
        }
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

#[cfg(test)]
mod plausible_tests {
    use super::*;
    use crate::ColumnMap;
    use crate::reading::{Limits, Reader, read, read_by};

    fn table(limit: i64) -> String {
        let rows = (0..40).map(|i| format!("{i},{},{},{limit},4\n", 1_700_000_000 + i, 600 + i));
        "id,submit,run,limit,processors\n".to_owned() + rows.collect::<String>().as_str()
    }

    #[test]
    fn limits_in_minutes_and_hours_are_told_and_can_be_overruled() {
        for (limit, seconds, reason) in [(20, 1_200, Reason::LimitInMinutes), (1, 3_600, Reason::LimitInHours)] {
            let log = read("table", table(limit).as_bytes()).unwrap();
            assert_eq!((log.records[0].requested_time, log.account.count(reason)), (seconds, 40));
        }
        let map = ColumnMap { columns: vec!["limit=limit:s".parse().unwrap()] };
        let log = read_by(Reader::mapped("table", Limits::default(), map), table(20).as_bytes()).unwrap();
        assert_eq!(log.records[0].requested_time, 20);
        assert_eq!(read("table", table(900).as_bytes()).unwrap().records[0].requested_time, 900);
    }

    #[test]
    fn times_of_swf_that_contradict_each_other_are_told_and_are_doubts_where_they_are_many() {
        let line = |wait: i64, run: i64| format!("1 0 {wait} {run} 4 -1 -1 8 60 -1 1 1 1 1 1 1 -1 -1\n");
        let text = |many: usize| line(-3_600, 50) + line(0, -7).as_str() + line(-1, 50).repeat(many).as_str();
        for (many, doubts) in [(10, 2), (2_000, 0)] {
            let log = read("log", text(many).as_bytes()).unwrap();
            let told = [Reason::StartsBeforeSubmit, Reason::EndsBeforeStart].map(|reason| log.account.count(reason));
            let is_time = |reason| matches!(reason, Reason::StartsBeforeSubmit | Reason::EndsBeforeStart);
            let found = log.account.doubts(log.records.len()).filter(|entry| is_time(entry.reason)).count();
            assert_eq!((told, found), ([1, 1], doubts), "{many}");
        }
    }

    #[test]
    fn widths_that_differ_are_told() {
        let told = |widths: [i32; 2]| {
            let lines = widths.map(|width| format!("1 0 0 50 {width} -1 -1 8 60 -1 1\n")).concat();
            read("log", format!("; Version: 2.2\n{lines}").as_bytes()).unwrap().account.count(Reason::WidthsDiffer)
        };
        assert_eq!((told([4, 8]), told([8, 8])), (1, 0));
    }
}
