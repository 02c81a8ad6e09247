//! A queue kept in an order.
//!
//! The queue is kept in blocks with bounds of the widths and estimates of their jobs. So a search skips most of a long
//! queue, and a job enters or leaves without moving all jobs after it.

use super::block::{CAPACITY, QueueBlock};
use super::contenders::{Contenders, FEW};
use super::cursor::QueueCursor;
use super::order::{Key, Order, sized};
use super::place::QueuePlace;
use super::rank::Rank;
use super::window::BackfillWindow;
use crate::model::{JobSet, View, Waiting};
use crate::workload::{JobId, Seconds};
use std::ops::RangeInclusive;

/// How ties are broken among jobs with the same first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The order's own second key, then log order (the list family).
    SecondKey,
    /// Log order (the EASY family).
    LogOrder,
    /// Log order, with all small jobs before all large ones (CLASSIFY §5.1).
    SmallFirst,
}

/// The width of the narrowest job where the queue is empty: more than any machine has.
const NO_JOB: u32 = u32::MAX;

/// Properties of the keys of an order.
#[derive(Clone, Copy, Debug)]
struct OrderNature {
    /// Whether keys change as time passes.
    changes: bool,
    /// Whether a part of each key stays the same, and is kept.
    has_lasting: bool,
    /// Whether the view tells a part of each key, which is kept.
    has_told: bool,
    /// Whether that part is a share factor.
    has_share: bool,
}

impl OrderNature {
    fn of(order: Order) -> Self {
        OrderNature {
            changes: order.depends_on_now(),
            has_lasting: order.has_lasting(),
            has_told: order.has_told(),
            has_share: order.has_share(),
        }
    }
}

/// Waiting jobs in the order of their keys.
///
/// A job's [`Rank`] is its key, and says where it belongs whatever else is queued. Its [`QueuePlace`] says where it is
/// now.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    order: Order,
    /// Properties of the order that are needed often.
    nature: OrderNature,
    ties: Ties,
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
    /// The waiting jobs that are small, where small jobs go first.
    small: JobSet,
    /// The lasting part of each job's key, indexed by log order; empty where keys have none ([`Order::has_lasting`]).
    lasting: Vec<f64>,
    /// The size by which each job counts, indexed by log order; empty where that is the processors that it asks for.
    sizes: Vec<u32>,
    /// The number of the calculation that the kept share factors are from, where keys have one.
    calculation: u64,
    /// The jobs that can be first, where the queue is in log order and its keys only fall as time passes.
    contenders: Contenders,
}

impl Queue {
    pub(super) fn new(order: Order, ties: Ties) -> Self {
        Queue {
            order,
            nature: OrderNature::of(order),
            ties,
            is_in_log_order: false,
            blocks: Vec::new(),
            narrowest: NO_JOB,
            spare: Vec::new(),
            entries: Vec::new(),
            present: Vec::new(),
            small: JobSet::default(),
            lasting: Vec::new(),
            sizes: Vec::new(),
            calculation: 0,
            contenders: Contenders::default(),
        }
    }

    /// A queue that stands in log order if its keys change as time passes. [`Queue::lead`] and [`Queue::fitting`] find
    /// what is first by the present keys. This is faster than sorting all jobs where only a few of many are looked at.
    pub(super) fn unsorted(order: Order, ties: Ties) -> Self {
        Queue { is_in_log_order: order.depends_on_now(), ..Queue::new(order, ties) }
    }

    /// Sets the size by which a job counts. Called before its key is computed.
    pub(super) fn set_size(&mut self, job: JobId, size: u32) {
        if self.sizes.len() <= job.index() {
            self.sizes.resize(job.index() + 1, 0);
        }
        self.sizes[job.index()] = size;
    }

    #[inline]
    fn sized(&self, job: &Waiting) -> Waiting {
        sized(job, self.sizes.get(job.job.index()).copied())
    }

    #[inline]
    fn key(&self, job: &Waiting, now: Seconds) -> Key {
        let job = &self.sized(job);
        let key = match self.lasting.get(job.job.index()) {
            Some(&lasting) if self.nature.has_told => self.order.key_over(lasting, job, now),
            _ => self.order.key(job, now),
        };
        self.with_ties(key, job)
    }

    /// Whether keys depend on how much of the machine each user has had.
    pub(super) fn counts_usage(&self) -> bool {
        self.order.counts_usage()
    }

    /// Keeps the part of a new job's key that the view tells. Called before the key is computed.
    #[inline]
    pub(super) fn keep_told(&mut self, job: &Waiting, view: &View) {
        if self.nature.has_told {
            self.set_lasting(job, self.order.told(&self.sized(job), view));
        }
    }

    /// Whether [`Queue::keep_told`], [`Queue::renew_shares`] or [`Queue::refresh`] do anything.
    pub(super) fn needs_upkeep(&self) -> bool {
        self.nature.changes || self.nature.has_told
    }

    /// Keeps the share factors of all jobs, if they were calculated anew. Called before a round.
    #[inline]
    pub(super) fn renew_shares(&mut self, view: &View) {
        if self.nature.has_share && self.calculation != view.share_calculation() {
            self.calculation = view.share_calculation();
            self.contenders.forget();
            let blocks = std::mem::take(&mut self.blocks);
            blocks.iter().flat_map(|block| block.jobs()).for_each(|job| self.keep_told(job, view));
            self.blocks = blocks;
        }
    }

    /// The key of a job that is in the queue.
    #[inline(always)] // queues whose order changes consist of this
    fn queued_key(&self, job: &Waiting, now: Seconds) -> Key {
        match self.lasting.get(job.job.index()) {
            Some(&lasting) => self.with_ties(self.order.key_over(lasting, &self.sized(job), now), job),
            None => self.key(job, now),
        }
    }

    #[inline]
    fn with_ties(&self, (first, second): Key, job: &Waiting) -> Key {
        match self.ties {
            Ties::SecondKey => (first, second),
            Ties::LogOrder => (first, 0.0),
            Ties::SmallFirst => (f64::from(u8::from(!self.small.contains(job.job))), first),
        }
    }

    /// Sets whether a job counts as small. Called before the job enters, and again once it has left.
    pub(super) fn set_small(&mut self, job: JobId, is_small: bool) {
        if is_small {
            self.small.insert(job);
        } else {
            self.small.remove(job);
        }
    }

    /// The rank by which a job stands, or would stand, in the queue at `now`.
    #[inline]
    pub(super) fn rank_of(&self, job: &Waiting, now: Seconds) -> Rank {
        if self.is_in_log_order { Rank::new((0.0, 0.0), job.job) } else { Rank::new(self.key(job, now), job.job) }
    }

    /// The rank that a job of the queue has by its key at `now`, wherever it stands.
    #[inline]
    fn present_rank(&self, job: &Waiting, now: Seconds) -> Rank {
        Rank::new(self.queued_key(job, now), job.job)
    }

    /// The first job by the keys of `now`.
    #[inline]
    pub(super) fn lead(&mut self, now: Seconds) -> Option<Waiting> {
        if self.is_in_log_order { self.lead_by_keys(now) } else { self.first() }
    }

    /// Does what [`Queue::lead`] does, where jobs stand in log order.
    #[inline(never)]
    fn lead_by_keys(&mut self, now: Seconds) -> Option<Waiting> {
        let is_short = self.blocks.len() < 2 && self.blocks.first().is_none_or(|block| block.len() <= FEW);
        if is_short || !self.nature.changes || !self.order.only_falls() {
            return self.jobs().min_by_key(|job| self.present_rank(job, now)).copied();
        }
        let first = self.contenders.first(now, |job| self.present_rank(job, now));
        if first.is_some() {
            return first;
        }
        let mut contenders = std::mem::take(&mut self.contenders);
        contenders.choose(now, self.blocks.iter().flat_map(|block| block.jobs()), |job, at| self.present_rank(job, at));
        let first = contenders.first(now, |job| self.present_rank(job, now));
        self.contenders = contenders;
        first
    }

    /// Collects the jobs of a queue in log order that could start now, with their places, in the order of their keys at
    /// `now`.
    pub(super) fn fitting(&self, window: &BackfillWindow, now: Seconds, found: &mut Vec<(Rank, QueuePlace)>) {
        found.clear();
        let mut place = QueuePlace::HEAD;
        while let Some(next) = self.first_fitting(place, window) {
            found.push((self.present_rank(&self.job(next), now), next));
            place = next.next();
        }
        found.sort_unstable();
    }

    /// Whether jobs stand in log order, whatever their keys.
    #[inline]
    pub(super) fn is_in_log_order(&self) -> bool {
        self.is_in_log_order
    }

    /// Whether a job would be the first of the queue by the keys of `now`.
    #[inline]
    pub(super) fn would_lead(&mut self, job: &Waiting, now: Seconds) -> bool {
        if self.is_in_log_order {
            return self.would_lead_by_keys(job, now);
        }
        self.blocks.first().is_none_or(|first| self.rank_of(job, now) < *first.rank(0))
    }

    /// Does what [`Queue::would_lead`] does, where jobs stand in log order.
    #[inline(never)]
    fn would_lead_by_keys(&mut self, job: &Waiting, now: Seconds) -> bool {
        let own = Rank::new(self.key(job, now), job.job);
        self.lead(now).is_none_or(|lead| own < self.present_rank(&lead, now))
    }

    /// Inserts a job at `now`. Returns its rank.
    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) -> Rank {
        self.keep_lasting(&job);
        if self.is_in_log_order {
            let mut contenders = std::mem::take(&mut self.contenders);
            contenders.entered(&job, |at| self.present_rank(&job, at));
            self.contenders = contenders;
        }
        let rank = self.rank_of(&job, now);
        let at = self.block_of(rank);
        match self.blocks.get_mut(at) {
            Some(block) if !block.is_full() => {
                block.insert(rank, job);
            }
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
        self.narrowest = self.narrowest.min(job.processors);
        rank
    }

    /// Keeps the lasting part of the key of a job that enters, or was estimated anew.
    #[inline]
    fn keep_lasting(&mut self, job: &Waiting) {
        // what the view tells is kept by `keep_told`
        if self.nature.has_lasting && !self.nature.has_told {
            self.set_lasting(job, self.order.lasting(&self.sized(job)));
        }
    }

    fn set_lasting(&mut self, job: &Waiting, lasting: f64) {
        let index = job.job.index();
        if index >= self.lasting.len() {
            self.lasting.resize(index + 1, 0.0);
        }
        self.lasting[index] = lasting;
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

    /// The rank of the job at a place.
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

    /// Whether the order changes as time passes.
    #[inline]
    pub(super) fn changes_with_time(&self) -> bool {
        self.nature.changes
    }

    /// Sorts the queue if its keys change as time passes. Returns whether they do.
    #[inline]
    pub(super) fn refresh(&mut self, now: Seconds) -> bool {
        if self.nature.changes && !self.is_in_log_order {
            self.sort(now);
        }
        self.nature.changes
    }

    /// Sorts the jobs by their keys at `now`. Returns whether their order has changed. As long as it has not, jobs keep
    /// the ranks of an earlier time, and plans that refer to these stand.
    pub(super) fn renew(&mut self, now: Seconds) -> bool {
        let mut ranks = std::mem::take(&mut self.present);
        ranks.clear();
        for block in &self.blocks {
            ranks.extend(block.jobs().map(|job| self.present_rank(job, now)));
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
        let (order, mut blocks) = (self.order, std::mem::take(&mut self.blocks));
        let mut changed: Option<Rank> = None;
        for block in &mut blocks {
            block.reestimate(estimates, |before, job| {
                let first = before.min(self.rank_of(job, now));
                changed = Some(changed.map_or(first, |changed| changed.min(first)));
            });
        }
        self.blocks = blocks;
        if changed.is_some() && order.depends_on_estimate() {
            self.contenders.forget();
            if order.has_lasting() {
                let jobs: Vec<Waiting> = self.jobs().copied().collect();
                jobs.iter().for_each(|job| self.keep_lasting(job));
            }
            if !self.is_in_log_order {
                self.sort(now);
                if order.depends_on_now() {
                    changed = Some(Rank::FIRST); // all jobs have other ranks
                }
            }
        }
        changed
    }

    /// Sorts the jobs by their present keys.
    fn sort(&mut self, now: Seconds) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        for block in &self.blocks {
            entries.extend(block.jobs().map(|job| (self.present_rank(job, now), *job)));
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

    /// The job at a place.
    #[inline]
    pub(super) fn job(&self, place: QueuePlace) -> Waiting {
        *self.blocks[place.block()].job(place.index())
    }

    /// The first job.
    #[inline]
    pub(super) fn first(&self) -> Option<Waiting> {
        self.blocks.first().map(|block| *block.job(0))
    }

    /// The place of the first job at `place` or later that is at most `width` wide.
    #[inline(always)] // most often it is in the first block
    pub(super) fn first_narrow(&self, place: QueuePlace, width: u32) -> Option<QueuePlace> {
        if width < self.narrowest {
            return None;
        }
        let (first, index) = (place.block(), place.index());
        if let Some(index) = self.blocks.get(first)?.first_narrow(index, width) {
            return Some(QueuePlace::new(first, index));
        }
        let mut rest = self.blocks[first + 1..].iter().zip(first + 1..);
        rest.find_map(|(block, number)| Some(QueuePlace::new(number, block.first_narrow(0, width)?)))
    }

    /// A cursor that begins at `place`.
    #[inline(always)]
    pub(super) fn cursor(&self, place: QueuePlace) -> QueueCursor<'_> {
        QueueCursor::new(&self.blocks, place)
    }

    /// The place of the first job at `place` or later that the window admits, so that it could start now.
    #[inline(always)]
    pub(super) fn first_fitting(&self, place: QueuePlace, window: &BackfillWindow) -> Option<QueuePlace> {
        if window.width() < self.narrowest {
            return None;
        }
        let (first, index) = (place.block(), place.index());
        if let Some(index) = self.blocks.get(first)?.first_fitting(index, window) {
            return Some(QueuePlace::new(first, index));
        }
        if first + 1 < self.blocks.len() { self.first_fitting_from(first + 1, window) } else { None }
    }

    /// The place of the first job in the block `number` or later that the window admits.
    #[inline(never)]
    fn first_fitting_from(&self, number: usize, window: &BackfillWindow) -> Option<QueuePlace> {
        let blocks = self.blocks[number..].iter().zip(number..);
        let mut rest = blocks.filter(|(block, _)| window.might_admit(block.shortest_by_width()));
        rest.find_map(|(block, number)| Some(QueuePlace::new(number, block.first_fitting(0, window)?)))
    }

    /// Whether a job with one of these widths stands before `job`, or would if `job` were in the queue. The keys of
    /// `now` decide, even if the queue was not brought up to date.
    pub(super) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        let own = Rank::new(self.key(job, now), job.job);
        let blocks = self.blocks.iter().filter(|block| block.narrowest() <= *widths.end());
        let mut jobs = blocks.flat_map(|block| block.jobs()).filter(|other| widths.contains(&other.processors));
        jobs.any(|other| self.present_rank(other, now) < own)
    }

    /// The jobs in the order of their keys at `now`, even if the queue was not sorted since.
    pub(super) fn ordered(&self, now: Seconds) -> Vec<Waiting> {
        let mut jobs: Vec<Waiting> = self.jobs().copied().collect();
        if self.nature.changes {
            jobs.sort_by_cached_key(|job| self.present_rank(job, now));
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

    /// All jobs.
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
