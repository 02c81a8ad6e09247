//! A queue kept in an order.
//!
//! The queue is kept in blocks with bounds of the widths and estimates of their jobs. So a search skips most of a long
//! queue, and a job enters or leaves without moving all jobs after it.

mod keys;

pub(super) use self::keys::{QueueKeys, TieOrder};
use super::block::{CAPACITY, QueueBlock};
use super::capacity::{CapacityBounds, QueuePlace};
use super::contenders::{Contenders, Rank};
use super::order::Order;
use packfair_engine::model::{View, Waiting};
use packfair_workload::{JobId, Seconds};

/// The width of the narrowest job where the queue is empty: more than any machine has.
const NO_JOB: u32 = u32::MAX;

/// Waiting jobs in the order of their keys.
///
/// A job's [`Rank`] is its key, and says where it belongs whatever else is queued. Its [`QueuePlace`] says where it is
/// now.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    keys: QueueKeys,
    /// Whether jobs stand in log order, and are searched by their keys only when one is needed.
    is_in_log_order: bool,
    /// The blocks, none of which is empty.
    blocks: Vec<Box<QueueBlock>>,
    narrowest: u32,
    /// Blocks that were given up; kept for their memory.
    spare: Vec<Box<QueueBlock>>,
    /// Jobs to be sorted; kept for its memory.
    entries: Vec<(Rank, Waiting)>,
    /// The ranks of the jobs at present, in the order in which the jobs stand; kept for its memory.
    present: Vec<Rank>,
    /// The jobs that can be first, where the queue is in log order and its keys only fall as time passes.
    contenders: Contenders,
}

impl Queue {
    pub(super) fn new(order: Order, ties: TieOrder) -> Self {
        Queue {
            keys: QueueKeys::new(order, ties),
            is_in_log_order: false,
            blocks: Vec::new(),
            narrowest: NO_JOB,
            spare: Vec::new(),
            entries: Vec::new(),
            present: Vec::new(),
            contenders: Contenders::default(),
        }
    }

    /// A queue that stands in log order if its keys change as time passes. [`Queue::lead`] and [`Queue::fitting`] find
    /// what is first by the present keys. This is faster than sorting all jobs where only a few of many are looked at.
    pub(super) fn unsorted(order: Order, ties: TieOrder) -> Self {
        Queue { is_in_log_order: order.depends_on_now(), ..Queue::new(order, ties) }
    }

    #[inline]
    pub(super) fn keys(&self) -> &QueueKeys {
        &self.keys
    }

    /// Sets the size by which a job counts. Called before its key is computed.
    pub(super) fn set_size(&mut self, job: JobId, size: u32) {
        self.keys.set_size(job, size);
    }

    /// Sets whether a job counts as small. Called before the job enters, and again once it has left.
    pub(super) fn set_small(&mut self, job: JobId, is_small: bool) {
        self.keys.set_small(job, is_small);
    }

    /// Keeps the part of a new job's key that the view tells. Called before the key is computed.
    #[inline]
    pub(super) fn keep_reported(&mut self, job: &Waiting, view: &View) {
        self.keys.keep_reported(job, view);
    }

    /// Keeps the share factors of all jobs, if they were calculated anew. Called before a round.
    #[inline]
    pub(super) fn renew_shares(&mut self, view: &View) {
        if self.keys.begins_calculation(view) {
            self.contenders.forget();
            self.blocks.iter().flat_map(|block| block.jobs()).for_each(|job| self.keys.keep_reported(job, view));
        }
    }

    /// The rank by which a job stands, or would stand, in the queue at `now`.
    #[inline(always)] // a rank that is returned through memory takes longer than to compute it
    pub(super) fn rank_of(&self, job: &Waiting, now: Seconds) -> Rank {
        if self.is_in_log_order { Rank::new((0.0, 0.0), job.job) } else { self.keys.rank(job, now) }
    }

    /// Whether jobs stand in log order, whatever their keys.
    #[inline]
    pub(super) fn is_in_log_order(&self) -> bool {
        self.is_in_log_order
    }

    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) -> Rank {
        self.keys.keep_lasting(&job);
        if self.is_in_log_order {
            self.contenders.entered(&job, |at| self.keys.present_rank(&job, at));
        }
        let rank = self.rank_of(&job, now);
        let at = self.block_of(rank);
        match self.blocks.get_mut(at) {
            Some(block) if !block.is_full() => block.insert(rank, job),
            _ => self.insert_into_full(at, rank, job),
        }
        self.narrowest = self.narrowest.min(job.processors);
        rank
    }

    /// Inserts a job whose block is full, or into a queue without blocks.
    #[inline(never)]
    fn insert_into_full(&mut self, at: usize, rank: Rank, job: Waiting) {
        match self.blocks.get_mut(at) {
            // so all blocks but the last stay full while jobs enter at the end
            Some(block) if *block.last() < rank => self.begin_block(at + 1, rank, job),
            Some(block) => {
                let mut upper = self.spare.pop().unwrap_or_default();
                block.split_to(&mut upper);
                if *block.last() < rank { &mut upper } else { block }.insert(rank, job);
                self.blocks.insert(at + 1, upper);
            }
            None => self.begin_block(at, rank, job),
        }
    }

    /// The number of the block to which `rank` belongs: the last if it is after all jobs.
    #[inline]
    fn block_of(&self, rank: Rank) -> usize {
        let Some(last) = self.blocks.len().checked_sub(1) else { return 0 };
        self.blocks[..last].partition_point(|block| *block.last() < rank)
    }

    fn begin_block(&mut self, at: usize, rank: Rank, job: Waiting) {
        let mut block = self.spare.pop().unwrap_or_default();
        block.insert(rank, job);
        self.blocks.insert(at, block);
    }

    /// The place of the first job whose rank is not before `rank`.
    #[inline(always)]
    pub(super) fn place(&self, rank: Rank) -> QueuePlace {
        let block = self.block_of(rank);
        QueuePlace::new(block, self.blocks.get(block).map_or(0, |block| block.index(rank)))
    }

    #[inline]
    pub(super) fn rank(&self, place: QueuePlace) -> Rank {
        *self.blocks[place.block()].rank(place.index())
    }

    /// The rank of the first job at `place` or later; if there is none, the first rank after the last job.
    #[inline(always)]
    pub(super) fn rank_from(&self, place: QueuePlace) -> Rank {
        match (self.first_narrow(place, u32::MAX), self.blocks.last()) {
            (Some(place), _) => self.rank(place),
            (None, Some(block)) => block.last().next(),
            (None, None) => Rank::FIRST,
        }
    }

    /// Whether more than `count` jobs are before a place.
    #[inline]
    pub(super) fn has_more_before(&self, place: QueuePlace, count: usize) -> bool {
        place.most_before() > count && self.counts_more_before(place, count)
    }

    #[inline(never)]
    fn counts_more_before(&self, place: QueuePlace, count: usize) -> bool {
        let (last, index) = (place.block(), place.index());
        let mut before = 0;
        for block in self.blocks.iter().take(last) {
            before += block.len();
            if before > count {
                return true;
            }
        }
        before + self.blocks.get(last).map_or(0, |block| index.min(block.len())) > count
    }

    /// Sorts the queue if its keys change as time passes. Returns whether they do.
    #[inline]
    pub(super) fn refresh(&mut self, now: Seconds) -> bool {
        let changes = self.keys.change_with_time();
        if changes && !self.is_in_log_order {
            self.sort(now);
        }
        changes
    }

    /// Sorts the jobs by their keys at `now`. Returns whether their order has changed. As long as it has not, jobs keep
    /// the ranks of an earlier time, and plans that refer to these stand.
    pub(super) fn renew(&mut self, now: Seconds) -> bool {
        let mut ranks = std::mem::take(&mut self.present);
        ranks.clear();
        for block in &self.blocks {
            ranks.extend(block.jobs().map(|job| self.keys.present_rank(job, now)));
        }
        let changes = !ranks.is_sorted();
        match &mut self.blocks[..] {
            [block] if changes => block.reorder(&ranks),
            [_, ..] if changes => self.sort(now),
            _ => {}
        }
        self.present = ranks;
        changes
    }

    /// Sets estimates, indexed by log order. Returns the rank before which nothing has changed; none if nothing has
    /// changed.
    pub(super) fn reestimate(&mut self, estimates: &[f64], now: Seconds) -> Option<Rank> {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut changed: Option<Rank> = None;
        for block in &mut blocks {
            block.reestimate(estimates, |before, job| {
                let first = before.min(self.rank_of(job, now));
                changed = Some(changed.map_or(first, |changed| changed.min(first)));
            });
        }
        self.blocks = blocks;
        if changed.is_some() && self.keys.depend_on_estimate() {
            self.contenders.forget();
            self.blocks.iter().flat_map(|block| block.jobs()).for_each(|job| self.keys.keep_lasting(job));
            if !self.is_in_log_order {
                self.sort(now);
                if self.keys.change_with_time() {
                    changed = Some(Rank::FIRST); // all jobs have other ranks
                }
            }
        }
        changed
    }

    fn sort(&mut self, now: Seconds) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        for block in &self.blocks {
            entries.extend(block.jobs().map(|job| (self.keys.present_rank(job, now), *job)));
        }
        entries.sort_unstable_by_key(|&(rank, _)| rank);
        let mut rest = &entries[..];
        for block in &mut self.blocks {
            let (these, others) = rest.split_at(block.len());
            block.fill(these);
            rest = others;
        }
        self.entries = entries;
    }

    /// Whether no job waits.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The width of the narrowest job; [`NO_JOB`] if there is none.
    #[inline]
    pub(super) fn narrowest(&self) -> u32 {
        self.narrowest
    }

    #[inline]
    pub(super) fn job(&self, place: QueuePlace) -> Waiting {
        *self.blocks[place.block()].job(place.index())
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Waiting> {
        self.blocks.first().map(|block| *block.job(0))
    }

    /// The jobs in the order of their keys at `now`, even if the queue was not sorted since.
    pub(super) fn ordered(&self, now: Seconds) -> Vec<Waiting> {
        let mut jobs: Vec<Waiting> = self.jobs().copied().collect();
        if self.keys.change_with_time() {
            jobs.sort_by_cached_key(|job| self.keys.present_rank(job, now));
        }
        jobs
    }

    /// Removes the jobs at these places, which must ascend.
    pub(super) fn remove(&mut self, places: &[QueuePlace]) {
        let mut narrowest_goes = false;
        for &place in places.iter().rev() {
            let number = place.block();
            let block = &mut self.blocks[number];
            let job = block.remove(place.index());
            narrowest_goes |= job.processors == self.narrowest;
            self.contenders.left(job.job);
            if block.len() == 0 {
                let empty = self.blocks.remove(number);
                self.spare.push(empty);
            } else if block.len() < CAPACITY / 4
                && let Some(next) = self.blocks.get(number + 1)
                && next.len() < CAPACITY / 4
            {
                let next = self.blocks.remove(number + 1);
                self.blocks[number].append(&next);
            }
        }
        if narrowest_goes {
            self.narrowest = self.blocks.iter().map(|block| block.narrowest()).min().unwrap_or(NO_JOB);
        }
    }

    /// Removes a job, which must be in the queue. Keys that change as time passes are those of `now`.
    pub(super) fn remove_job(&mut self, job: &Waiting, now: Seconds) {
        let is_first = self.first().is_some_and(|first| first.job == job.job);
        let place = if is_first { QueuePlace::HEAD } else { self.place(self.rank_of(job, now)) };
        debug_assert_eq!(self.job(place).job, job.job);
        self.remove(&[place]);
    }

    pub(super) fn jobs(&self) -> impl Iterator<Item = &Waiting> {
        self.blocks.iter().flat_map(|block| block.jobs())
    }

    /// Checks what must hold between changes of the queue.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self) {
        self.blocks.iter().for_each(|block| block.check());
        assert!(self.blocks.is_sorted_by(|one, next| one.last() < next.rank(0)), "blocks of a queue are out of order");
        let narrowest = self.blocks.iter().map(|block| block.narrowest()).min();
        assert_eq!(self.narrowest, narrowest.unwrap_or(NO_JOB), "the narrowest job is another");
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "queue_tests.rs"]
mod tests;

// Going through a queue.

pub(super) struct QueueCursor<'a> {
    blocks: &'a [Box<QueueBlock>],
    /// The present block; none after the last.
    block: Option<&'a QueueBlock>,
    number: usize,
    /// The index, in that block, of the next job to look at.
    index: usize,
}

#[derive(Clone, Copy)]
pub(super) struct QueuedJob<'a> {
    pub(super) place: QueuePlace,
    pub(super) processors: u32,
    pub(super) estimate: f64,
    block: &'a QueueBlock,
}

impl QueuedJob<'_> {
    #[inline]
    pub(super) fn rank(&self) -> Rank {
        *self.block.rank(self.place.index())
    }
}

impl<'a> QueueCursor<'a> {
    #[inline(always)]
    pub(super) fn new(blocks: &'a [Box<QueueBlock>], place: QueuePlace) -> Self {
        let (number, index) = (place.block(), place.index());
        QueueCursor { blocks, block: blocks.get(number).map(|block| &**block), number, index }
    }

    /// The next job that is at most `width` wide. Jobs that the bounds exclude may be left out.
    #[inline(always)] // a scan does this more than anything else
    pub(super) fn next_narrow(&mut self, width: u32, bounds: &CapacityBounds) -> Option<QueuedJob<'a>> {
        let first = bounds.first();
        loop {
            let block = self.block?;
            let jobs = block.widths().iter().zip(block.estimates());
            for (index, (&processors, &estimate)) in jobs.enumerate().skip(self.index) {
                if processors <= width && !first.excludes(processors, estimate) {
                    self.index = index + 1;
                    return Some(QueuedJob { place: QueuePlace::new(self.number, index), processors, estimate, block });
                }
            }
            self.enter_next(width, bounds);
        }
    }

    /// Goes on to the next block that may hold a job at most `width` wide that the bounds do not exclude.
    #[inline(never)]
    fn enter_next(&mut self, width: u32, bounds: &CapacityBounds) {
        let rest = self.blocks.iter().enumerate().skip(self.number + 1);
        let next = rest.map(|(number, block)| (number, &**block)).find(|(_, block)| {
            block.narrowest() <= width && !(bounds.are_known() && bounds.exclude_all(block.shortest_by_width()))
        });
        self.index = 0;
        (self.number, self.block) = next.map_or((self.blocks.len(), None), |(number, block)| (number, Some(block)));
    }
}
