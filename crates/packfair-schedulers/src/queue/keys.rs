//! The keys by which jobs stand in a queue.

use super::Queue;
use crate::capacity::QueuePlace;
use crate::contenders::{BackfillWindow, FEW, Rank};
use crate::order::{Key, Order, sized};
use crate::queue::QueueCursor;
use packfair_engine::model::{JobSet, View, Waiting};
use packfair_workload::{JobId, Seconds};
use std::ops::RangeInclusive;

/// How ties are broken among jobs with the same first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TieOrder {
    /// The order's own second key, then log order (the list family).
    SecondKey,
    /// Log order (the EASY family).
    LogOrder,
    /// Log order, with all small jobs before all large ones (CLASSIFY §5.1).
    SmallFirst,
}

#[derive(Clone, Copy, Debug)]
struct OrderNature {
    /// Whether keys change as time passes.
    changes: bool,
    /// Whether a part of each key stays the same, and is kept.
    has_lasting: bool,
    has_reported: bool,
    /// Whether that part is a share factor.
    has_share: bool,
}

impl OrderNature {
    fn of(order: Order) -> Self {
        OrderNature {
            changes: order.depends_on_now(),
            has_lasting: order.has_lasting(),
            has_reported: order.has_reported(),
            has_share: order.has_share(),
        }
    }
}

/// The keys of waiting jobs in an order, with the parts of them that are kept.
#[derive(Clone, Debug)]
pub(crate) struct QueueKeys {
    order: Order,
    /// Properties of the order that are needed often.
    nature: OrderNature,
    ties: TieOrder,
    /// The waiting jobs that are small, where small jobs go first.
    small: JobSet,
    /// The lasting part of each job's key, indexed by log order; empty where keys have none ([`Order::has_lasting`]).
    lasting: Vec<f64>,
    /// The size by which each job counts, indexed by log order; empty where that is the processors that it asks for.
    sizes: Vec<u32>,
    /// The number of the calculation that the kept share factors are from, where keys have one.
    calculation: u64,
}

impl QueueKeys {
    pub(super) fn new(order: Order, ties: TieOrder) -> Self {
        QueueKeys {
            order,
            nature: OrderNature::of(order),
            ties,
            small: JobSet::default(),
            lasting: Vec::new(),
            sizes: Vec::new(),
            calculation: 0,
        }
    }

    /// Whether keys depend on how much of the machine each user has had.
    pub(crate) fn count_usage(&self) -> bool {
        self.order.counts_usage()
    }

    /// Whether keys change as time passes.
    #[inline]
    pub(crate) fn change_with_time(&self) -> bool {
        self.nature.changes
    }

    /// Whether keys change as time passes, or the view tells parts of them.
    pub(crate) fn need_upkeep(&self) -> bool {
        self.nature.changes || self.nature.has_reported
    }

    /// Whether keys change as time passes, and never rise.
    #[inline]
    pub(super) fn only_fall(&self) -> bool {
        self.nature.changes && self.order.only_falls()
    }

    pub(super) fn depend_on_estimate(&self) -> bool {
        self.order.depends_on_estimate()
    }

    /// Sets the size by which a job counts.
    pub(super) fn set_size(&mut self, job: JobId, size: u32) {
        if self.sizes.len() <= job.index() {
            self.sizes.resize(job.index() + 1, 0);
        }
        self.sizes[job.index()] = size;
    }

    /// Sets whether a job counts as small.
    pub(super) fn set_small(&mut self, job: JobId, is_small: bool) {
        if is_small {
            self.small.insert(job);
        } else {
            self.small.remove(job);
        }
    }

    #[inline]
    fn sized(&self, job: &Waiting) -> Waiting {
        sized(job, self.sizes.get(job.job.index()).copied())
    }

    #[inline]
    pub(super) fn keep_reported(&mut self, job: &Waiting, view: &View) {
        if self.nature.has_reported {
            self.set_lasting(job, self.order.reported(&self.sized(job), view));
        }
    }

    /// Keeps the lasting part of the key of a job that enters, or was estimated anew.
    #[inline]
    pub(super) fn keep_lasting(&mut self, job: &Waiting) {
        // what the view tells is kept by `keep_reported`
        if self.nature.has_lasting && !self.nature.has_reported {
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

    /// Whether keys have share factors that were calculated anew. The next call is asked of the next calculation.
    #[inline]
    pub(super) fn begins_calculation(&mut self, view: &View) -> bool {
        let begins = self.nature.has_share && self.calculation != view.share_calculation();
        if begins {
            self.calculation = view.share_calculation();
        }
        begins
    }

    #[inline(always)] // of every job that waits
    fn key(&self, job: &Waiting, now: Seconds) -> Key {
        if self.lasting.is_empty() && self.sizes.is_empty() {
            return self.with_ties(self.order.key(job, now), job);
        }
        self.key_of_parts(job, now)
    }

    /// The key of a job where parts of keys are kept, or sizes.
    #[inline(never)] // so that other keys are short enough to be inlined
    fn key_of_parts(&self, job: &Waiting, now: Seconds) -> Key {
        let job = &self.sized(job);
        let key = match self.lasting.get(job.job.index()) {
            Some(&lasting) if self.nature.has_reported => self.order.key_over(lasting, job, now),
            _ => self.order.key(job, now),
        };
        self.with_ties(key, job)
    }

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
            TieOrder::SecondKey => (first, second),
            TieOrder::LogOrder => (first, 0.0),
            TieOrder::SmallFirst => (f64::from(u8::from(!self.small.contains(job.job))), first),
        }
    }

    #[inline(always)]
    pub(super) fn rank(&self, job: &Waiting, now: Seconds) -> Rank {
        Rank::new(self.key(job, now), job.job)
    }

    /// The rank that a job of the queue has by its key at `now`, wherever it stands.
    #[inline]
    pub(super) fn present_rank(&self, job: &Waiting, now: Seconds) -> Rank {
        Rank::new(self.queued_key(job, now), job.job)
    }
}

// Which job of a queue is first, which could start now, and who stands before a job.

impl Queue {
    /// The first job by the keys of `now`.
    #[inline]
    pub(crate) fn lead(&mut self, now: Seconds) -> Option<Waiting> {
        if self.is_in_log_order { self.lead_by_keys(now) } else { self.first() }
    }

    /// Does what [`Queue::lead`] does, where jobs stand in log order.
    #[inline(never)]
    fn lead_by_keys(&mut self, now: Seconds) -> Option<Waiting> {
        let is_short = self.blocks.len() < 2 && self.blocks.first().is_none_or(|block| block.len() <= FEW);
        let Queue { keys, blocks, contenders, .. } = self;
        let jobs = blocks.iter().flat_map(|block| block.jobs());
        let rank = |job: &Waiting| keys.present_rank(job, now);
        if is_short || !keys.only_fall() {
            return jobs.min_by_key(|job| rank(job)).copied();
        }
        contenders.first(now, rank).or_else(|| {
            contenders.choose(now, jobs, |job, at| keys.present_rank(job, at));
            contenders.first(now, rank)
        })
    }

    /// Collects the jobs of a queue in log order that could start now, with their places, in the order of their keys at
    /// `now`.
    pub(crate) fn fitting(&self, window: &BackfillWindow, now: Seconds, found: &mut Vec<(Rank, QueuePlace)>) {
        found.clear();
        let mut place = QueuePlace::HEAD;
        while let Some(next) = self.first_fitting(place, window) {
            found.push((self.keys.present_rank(&self.job(next), now), next));
            place = next.next();
        }
        found.sort_unstable();
    }

    /// Whether a job would be the first of the queue by the keys of `now`.
    #[inline]
    pub(crate) fn would_lead(&mut self, job: &Waiting, now: Seconds) -> bool {
        if self.is_in_log_order {
            return self.would_lead_by_keys(job, now);
        }
        self.blocks.first().is_none_or(|first| self.rank_of(job, now) < *first.rank(0))
    }

    /// Does what [`Queue::would_lead`] does, where jobs stand in log order.
    #[inline(never)]
    fn would_lead_by_keys(&mut self, job: &Waiting, now: Seconds) -> bool {
        let own = self.keys.rank(job, now);
        self.lead(now).is_none_or(|lead| own < self.keys.present_rank(&lead, now))
    }

    /// The place of the first job at `place` or later that is at most `width` wide.
    #[inline(always)] // most often it is in the first block
    pub(crate) fn first_narrow(&self, place: QueuePlace, width: u32) -> Option<QueuePlace> {
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

    #[inline(always)]
    pub(crate) fn cursor(&self, place: QueuePlace) -> QueueCursor<'_> {
        QueueCursor::new(&self.blocks, place)
    }

    /// The place of the first job at `place` or later that the window admits, so that it could start now.
    #[inline(always)]
    pub(crate) fn first_fitting(&self, place: QueuePlace, window: &BackfillWindow) -> Option<QueuePlace> {
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
    pub(crate) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        let own = self.keys.rank(job, now);
        let blocks = self.blocks.iter().filter(|block| block.narrowest() <= *widths.end());
        let mut jobs = blocks.flat_map(|block| block.jobs()).filter(|other| widths.contains(&other.processors));
        jobs.any(|other| self.keys.present_rank(other, now) < own)
    }
}
