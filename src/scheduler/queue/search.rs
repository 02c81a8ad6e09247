//! Which job of a queue is first, which could start now, and who stands before a job.

use super::Queue;
use crate::model::Waiting;
use crate::scheduler::contenders::FEW;
use crate::scheduler::cursor::QueueCursor;
use crate::scheduler::place::QueuePlace;
use crate::scheduler::rank::Rank;
use crate::scheduler::window::BackfillWindow;
use crate::workload::Seconds;
use std::ops::RangeInclusive;

impl Queue {
    /// The first job by the keys of `now`.
    #[inline]
    pub(in crate::scheduler) fn lead(&mut self, now: Seconds) -> Option<Waiting> {
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
    pub(in crate::scheduler) fn fitting(
        &self,
        window: &BackfillWindow,
        now: Seconds,
        found: &mut Vec<(Rank, QueuePlace)>,
    ) {
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
    pub(in crate::scheduler) fn would_lead(&mut self, job: &Waiting, now: Seconds) -> bool {
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
    pub(in crate::scheduler) fn first_narrow(&self, place: QueuePlace, width: u32) -> Option<QueuePlace> {
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
    pub(in crate::scheduler) fn cursor(&self, place: QueuePlace) -> QueueCursor<'_> {
        QueueCursor::new(&self.blocks, place)
    }

    /// The place of the first job at `place` or later that the window admits, so that it could start now.
    #[inline(always)]
    pub(in crate::scheduler) fn first_fitting(&self, place: QueuePlace, window: &BackfillWindow) -> Option<QueuePlace> {
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
    pub(in crate::scheduler) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        let own = self.keys.rank(job, now);
        let blocks = self.blocks.iter().filter(|block| block.narrowest() <= *widths.end());
        let mut jobs = blocks.flat_map(|block| block.jobs()).filter(|other| widths.contains(&other.processors));
        jobs.any(|other| self.keys.present_rank(other, now) < own)
    }
}
