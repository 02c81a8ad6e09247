//! Backfill's table: which nodes may still be used, and when.

use super::node_set::NodeSet;
use crate::workload::Seconds;

/// A span of time, and where the words of its nodes stand.
#[derive(Clone, Copy, Debug)]
struct SlotRecord {
    begin: Seconds,
    end: Seconds,
    words: usize,
}

/// Records without gaps, from now to the end of the backfill window, each with the nodes that may be used in it.
#[derive(Clone, Debug)]
pub(super) struct SlotTable {
    records: Vec<SlotRecord>,
    /// Nodes of all records, as they were made: a cycle reads them again and again.
    pool: Vec<u64>,
    /// Words of a set.
    stride: usize,
}

/// What is left of nodes in a span of time.
pub(super) struct Narrowed {
    /// When it is worth looking again.
    pub later: Option<Seconds>,
    /// Whether as many are left as are wanted; if not, some may be left that are not free.
    pub is_enough: bool,
}

/// After so many records it is asked whether there are still enough.
const STEP: usize = 4;

impl SlotTable {
    /// One record.
    pub(super) fn new(begin: Seconds, end: Seconds, nodes: &NodeSet) -> Self {
        let pool = nodes.words().to_vec();
        SlotTable { records: vec![SlotRecord { begin, end, words: 0 }], stride: pool.len(), pool }
    }

    fn words(&self, record: &SlotRecord) -> &[u64] {
        &self.pool[record.words..record.words + self.stride]
    }

    /// Keeps the nodes that may be used in all records with end > from and begin <= until, unless fewer than so many are
    /// left. It is worth looking again at the end of the first record with end > from whose successor has one of the nodes
    /// that it has not itself.
    pub(super) fn narrow(&self, nodes: &mut NodeSet, from: Seconds, until: Seconds, wanted: u32) -> Narrowed {
        let first = self.records.partition_point(|record| record.end <= from);
        let records = &self.records[first..];
        // of the nodes as they were asked for
        let gaining = records.windows(2).find(|pair| nodes.gains(self.words(&pair[0]), self.words(&pair[1])));
        let later = gaining.map(|pair| pair[0].end);
        let meeting = &records[..records.partition_point(|record| record.begin <= until)];
        for some in meeting.chunks(STEP) {
            some.iter().for_each(|record| nodes.keep_words(self.words(record)));
            if nodes.count() < wanted {
                return Narrowed { later, is_enough: false };
            }
        }
        Narrowed { later, is_enough: true }
    }

    /// The next moment at which a job that is to start at once may find nodes that it does not find now: when the first
    /// record is over.
    pub(super) fn over(&self, now: Seconds) -> Seconds {
        let first = self.records.partition_point(|record| record.end <= now);
        self.records.get(first).map_or(Seconds::MAX, |record| record.end)
    }

    /// The next moment at which [`SlotTable::narrow`] would leave fewer of these nodes to a job that is to start at once:
    /// when it reaches into a further record that lacks one of them.
    pub(super) fn lacking(&self, nodes: &NodeSet, now: Seconds, limit: Seconds) -> Seconds {
        let first = self.records.partition_point(|record| record.end <= now);
        let beyond = self.records.partition_point(|record| record.begin <= now + limit).max(first);
        let lacking = self.records[beyond..].iter().find(|record| !nodes.is_within(self.words(record)));
        lacking.map_or(Seconds::MAX, |record| record.begin - limit)
    }

    /// Whether the slot meets a record that lacks one of its nodes.
    pub(super) fn lacks(&self, nodes: &NodeSet, begin: Seconds, end: Seconds) -> bool {
        let first = self.records.partition_point(|record| record.end <= begin);
        let meeting = self.records[first..].iter().take_while(|record| record.begin < end);
        meeting.into_iter().any(|record| !nodes.is_within(self.words(record)))
    }

    /// Takes nodes out for a slot.
    pub(super) fn reserve(&mut self, nodes: &NodeSet, begin: Seconds, end: Seconds) {
        for border in [begin, end] {
            let at = self.records.partition_point(|record| record.end <= border);
            if let Some(record) = self.records.get_mut(at).filter(|record| record.begin < border) {
                let behind = SlotRecord { begin: border, end: record.end, words: self.pool.len() };
                record.end = border;
                let words = record.words;
                self.pool.extend_from_within(words..words + self.stride);
                self.records.insert(at + 1, behind);
            }
        }
        let first = self.records.partition_point(|record| record.begin < begin);
        for record in self.records[first..].iter().take_while(|record| record.end <= end) {
            nodes.take_out_of(&mut self.pool[record.words..record.words + self.stride]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_taken_out_and_found_again() {
        let mut table = SlotTable::new(0, 1000, &NodeSet::all(4));
        table.reserve(&NodeSet::of(4, [0, 1]), 60, 120);
        let mut usable = NodeSet::all(4);
        assert_eq!(table.narrow(&mut usable, 0, 50, 4).later, Some(120));
        assert_eq!(usable.count(), 4, "it ends before");
        assert!(
            !table.narrow(&mut usable.clone(), 0, 60, 3).is_enough
                && table.narrow(&mut usable.clone(), 0, 60, 2).is_enough
        );
        assert_eq!(table.narrow(&mut usable, 0, 60, 0).later, Some(120));
        assert_eq!(usable.count(), 2, "a record that begins when the job ends counts");
        let mut usable = NodeSet::all(4);
        assert_eq!(table.narrow(&mut usable, 120, 500, 0).later, None);
        assert_eq!(usable.count(), 4);
        assert!(table.lacks(&NodeSet::of(4, [1, 2]), 100, 110) && !table.lacks(&NodeSet::of(4, [2]), 100, 110));
        assert!(!table.lacks(&NodeSet::of(4, [1]), 120, 180));
        assert_eq!((table.over(0), table.over(60), table.over(120)), (60, 120, 1000));
        assert_eq!(
            (table.lacking(&NodeSet::of(4, [1, 2]), 0, 50), table.lacking(&NodeSet::of(4, [2]), 0, 50)),
            (10, Seconds::MAX)
        );
    }
}
