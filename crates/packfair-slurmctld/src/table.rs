//! Backfill's table: which nodes may still be used, and when.

use super::node_set::NodeBits;
use packfair_workload::Seconds;

/// A span of time and the nodes that may be used in it.
#[derive(Clone, Debug)]
pub(super) struct SlotRecord {
    pub begin: Seconds,
    pub end: Seconds,
    pub nodes: NodeBits,
}

/// Consecutive records without gaps, from now to the end of the backfill window.
#[derive(Clone, Debug)]
pub(super) struct SlotTable {
    records: Vec<SlotRecord>,
}

impl SlotTable {
    /// A table of one record.
    pub(super) fn new(begin: Seconds, end: Seconds, nodes: NodeBits) -> Self {
        SlotTable { records: vec![SlotRecord { begin, end, nodes }] }
    }

    /// The end of the first record with end > from that lacks one of the nodes which the next record has.
    pub(super) fn next_gain(&self, nodes: &NodeBits, from: Seconds) -> Option<Seconds> {
        let first = self.records.partition_point(|record| record.end <= from);
        let gaining = self.records[first..].windows(2).find(|pair| nodes.gains(&pair[0].nodes, &pair[1].nodes));
        gaining.map(|pair| pair[0].end)
    }

    /// Keeps the nodes that may be used in all records with end > from and begin <= until.
    pub(super) fn narrow(&self, nodes: &mut NodeBits, from: Seconds, until: Seconds) {
        let first = self.records.partition_point(|record| record.end <= from);
        let within = self.records[first..].iter().take_while(|record| record.begin <= until);
        within.for_each(|record| nodes.keep(&record.nodes));
    }

    /// The next moments at which the answers of [`SlotTable::narrow`] may change for a job that would start at once:
    /// when the first record is over, and when the job reaches into a further record that lacks one of its nodes.
    pub(super) fn turns(&self, nodes: &NodeBits, now: Seconds, limit: Seconds) -> [Seconds; 2] {
        let first = self.records.partition_point(|record| record.end <= now);
        let over = self.records.get(first).map_or(Seconds::MAX, |record| record.end);
        let beyond = self.records.partition_point(|record| record.begin <= now + limit).max(first);
        let lacking = self.records[beyond..].iter().find(|record| !nodes.is_within(&record.nodes));
        [over, lacking.map_or(Seconds::MAX, |record| record.begin - limit)]
    }

    /// Whether [begin, end) overlaps with a record that lacks one of the nodes.
    pub(super) fn lacks(&self, nodes: &NodeBits, begin: Seconds, end: Seconds) -> bool {
        let first = self.records.partition_point(|record| record.end <= begin);
        let meeting = self.records[first..].iter().take_while(|record| record.begin < end);
        meeting.into_iter().any(|record| !nodes.is_within(&record.nodes))
    }

    /// Takes nodes out of the records from `begin` to `end`.
    pub(super) fn reserve(&mut self, nodes: &NodeBits, begin: Seconds, end: Seconds) {
        for border in [begin, end] {
            let at = self.records.partition_point(|record| record.end <= border);
            if let Some(record) = self.records.get_mut(at).filter(|record| record.begin < border) {
                let mut behind = record.clone();
                behind.begin = border;
                record.end = border;
                self.records.insert(at + 1, behind);
            }
        }
        let first = self.records.partition_point(|record| record.begin < begin);
        let within = self.records[first..].iter_mut().take_while(|record| record.end <= end);
        within.for_each(|record| record.nodes.take_out(nodes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_taken_out_and_found_again() {
        let mut table = SlotTable::new(0, 1000, NodeBits::all(4));
        table.reserve(&NodeBits::of(4, [0, 1]), 60, 120);
        let mut usable = NodeBits::all(4);
        assert_eq!(table.next_gain(&usable, 0), Some(120));
        table.narrow(&mut usable, 0, 50);
        assert_eq!(usable.count(), 4, "it ends before");
        table.narrow(&mut usable, 0, 60);
        assert_eq!(usable.count(), 2, "a record that begins when the job ends counts");
        let mut usable = NodeBits::all(4);
        assert_eq!(table.next_gain(&usable, 120), None);
        table.narrow(&mut usable, 120, 500);
        assert_eq!(usable.count(), 4);
        assert!(table.lacks(&NodeBits::of(4, [1, 2]), 100, 110) && !table.lacks(&NodeBits::of(4, [2]), 100, 110));
        assert!(!table.lacks(&NodeBits::of(4, [1]), 120, 180));
    }
}
