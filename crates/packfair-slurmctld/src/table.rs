//! Backfill's table: which nodes may still be used, and when.

use super::job::AllocatedJob;
use super::node_set::NodeBits;
use packfair_workload::{JobId, Seconds};

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
        gain_from(&self.records[self.records.partition_point(|record| record.end <= from)..], nodes)
    }

    /// Keeps the nodes that may be used in all records with end > from and begin <= until.
    pub(super) fn narrow(&self, nodes: &mut NodeBits, from: Seconds, until: Seconds) {
        let first = self.records.partition_point(|record| record.end <= from);
        let within = self.records[first..].iter().take_while(|record| record.begin <= until);
        within.for_each(|record| nodes.keep(&record.nodes));
    }

    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// How often one of the nodes is gained after `from` and not after `until`, as [`SlotTable::next_gain`] has it.
    pub(super) fn gains_within(&self, nodes: &NodeBits, from: Seconds, until: Seconds) -> usize {
        let first = self.records.partition_point(|record| record.end <= from);
        let within = self.records[first..].windows(2).take_while(|pair| pair[0].end <= until);
        within.filter(|pair| nodes.gains(&pair[0].nodes, &pair[1].nodes)).count()
    }

    /// The last moment before `before` at which one of the nodes is gained.
    pub(super) fn last_gain(&self, nodes: &NodeBits, before: Seconds) -> Option<Seconds> {
        let beyond = self.records.partition_point(|record| record.end < before);
        let last = self.records.len().min(beyond + 1);
        let gaining = self.records[..last].windows(2).rfind(|pair| nodes.gains(&pair[0].nodes, &pair[1].nodes));
        gaining.map(|pair| pair[0].end)
    }

    /// What may be used for `span` seconds, from one moment after another on.
    pub(super) fn window(&self, span: Seconds) -> SlotWindow<'_> {
        let (before_middle, from_middle) = (Vec::new(), Vec::new());
        SlotWindow { records: &self.records, span, first: 0, beyond: 0, middle: 0, before_middle, from_middle }
    }

    /// The next moments at which the answers of [`SlotTable::narrow`] may change for a job that would start at once:
    /// when the first record is over, and when the job reaches into a further record that lacks one of its nodes.
    pub(super) fn turns(&self, nodes: &NodeBits, now: Seconds, limit: Seconds) -> [Seconds; 2] {
        let first = self.records.partition_point(|record| record.end <= now);
        let beyond = self.records.partition_point(|record| record.begin <= now + limit).max(first);
        let lacking = self.records[beyond..].iter().find(|record| !nodes.is_within(&record.nodes));
        let over = self.records.get(first).map_or(Seconds::MAX, |record| record.end);
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

/// The end of the first of these records that lacks one of the nodes which the next one has.
fn gain_from(records: &[SlotRecord], nodes: &NodeBits) -> Option<Seconds> {
    let gaining = records.windows(2).find(|pair| nodes.gains(&pair[0].nodes, &pair[1].nodes));
    gaining.map(|pair| pair[0].end)
}

/// The records that a job of some length reaches, as its start moves on: what [`SlotTable::narrow`] finds, without going
/// through all of them for each start.
pub(super) struct SlotWindow<'a> {
    records: &'a [SlotRecord],
    span: Seconds,
    /// The window has the records from `first` to before `beyond`.
    first: usize,
    beyond: usize,
    /// What each record before the middle and all after it that are before the middle have in common, one set of words
    /// behind the other, that of `first` the last.
    middle: usize,
    before_middle: Vec<u64>,
    /// What the records from the middle on have in common.
    from_middle: Vec<u64>,
}

impl SlotWindow<'_> {
    /// Moves on to a start at `from`, which must not be before the last one.
    pub(super) fn slide(&mut self, from: Seconds) {
        let Some(words) = self.records.first().map(|record| record.nodes.words().len()) else { return };
        while self.records.get(self.first).is_some_and(|record| record.end <= from) {
            self.first += 1;
        }
        let last = self.beyond.max(self.first);
        let more = self.records[last..].iter().take_while(|record| record.begin <= from + self.span);
        self.beyond = last + more.count();
        if self.first < self.middle {
            self.before_middle.truncate((self.middle - self.first) * words);
            for record in &self.records[last..self.beyond] {
                let common = self.from_middle.iter_mut().zip(record.nodes.words());
                common.for_each(|(word, own)| *word &= own);
            }
            return;
        }
        self.middle = self.beyond;
        self.before_middle.clear();
        self.before_middle.reserve((self.beyond - self.first) * words);
        self.from_middle.clear();
        self.from_middle.resize(words, u64::MAX);
        let mut common = vec![u64::MAX; words];
        for record in self.records[self.first..self.beyond].iter().rev() {
            common.iter_mut().zip(record.nodes.words()).for_each(|(word, own)| *word &= own);
            self.before_middle.extend_from_slice(&common);
        }
    }

    /// What [`SlotTable::next_gain`] finds after the present start.
    pub(super) fn next_gain(&self, nodes: &NodeBits) -> Option<Seconds> {
        gain_from(&self.records[self.first.min(self.records.len())..], nodes)
    }

    /// Keeps the nodes that may be used from the present start on.
    pub(super) fn narrow(&self, nodes: &mut NodeBits) {
        nodes.keep_words(&self.from_middle);
        if let Some(last) = self.before_middle.len().checked_sub(self.from_middle.len()) {
            nodes.keep_words(&self.before_middle[last..]);
        }
    }
}

// The running jobs.

/// The running jobs, in the order in which their limits end.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningJobs {
    #[expect(clippy::vec_box, reason = "what stands behind moves with each start and end, and an entry is large")]
    runs: Vec<Box<AllocatedJob>>,
}

impl RunningJobs {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &AllocatedJob> + ExactSizeIterator {
        self.runs.iter().map(Box::as_ref)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut AllocatedJob> {
        self.runs.iter_mut().map(Box::as_mut)
    }

    /// Puts a run behind those that end no later.
    pub(super) fn insert(&mut self, run: Box<AllocatedJob>) {
        let place = self.runs.partition_point(|other| other.end <= run.end);
        self.runs.insert(place, run);
    }

    /// Takes out a run of a job, of several parts the one that ends first.
    pub(super) fn remove(&mut self, job: JobId) -> Option<Box<AllocatedJob>> {
        let place = self.runs.iter().position(|run| run.job.waiting.job == job)?;
        Some(self.runs.remove(place))
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

    #[test]
    fn a_window_finds_what_narrowing_finds() {
        let mut state = 9_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for case in 0..2_000 {
            let count = 1 + random(150) as usize;
            let mut table = SlotTable::new(0, 2_000, NodeBits::all(count));
            for _ in 0..random(60) {
                let begin = random(1_900) as Seconds;
                let nodes = NodeBits::of(count, (0..count).filter(|_| random(9) == 0));
                table.reserve(&nodes, begin, begin + 1 + random(400) as Seconds);
            }
            let (span, all) = (random(900) as Seconds, NodeBits::of(count, (0..count).filter(|_| random(4) > 0)));
            let mut window = table.window(span);
            let mut from = random(200) as Seconds;
            let mut gained = Vec::new();
            loop {
                window.slide(from);
                let (mut own, mut plain) = (all.clone(), all.clone());
                window.narrow(&mut own);
                table.narrow(&mut plain, from, from + span);
                assert_eq!(own, plain, "case {case} from {from}");
                assert_eq!(window.next_gain(&all), table.next_gain(&all, from), "case {case} from {from}");
                let Some(next) = table.next_gain(&all, from) else { break };
                gained.push(next);
                from = if random(3) > 0 { next } else { from + random(300) as Seconds };
            }
            if let Some(&last) = gained.last() {
                assert_eq!(table.last_gain(&all, last + 1), Some(last), "case {case}");
                assert!(table.gains_within(&all, -1, last) >= gained.len().min(1), "case {case}");
            }
        }
    }
}
