//! The waiting jobs of EASY in the orders in which it looks at them.

use crate::capacity::QueuePlace;
use crate::order::Order;
use crate::queue::{Queue, TieOrder};
use packfair_engine::model::{View, Waiting};
use packfair_workload::{JobId, Seconds};

/// The waiting jobs in each order that is needed.
#[derive(Clone, Debug)]
pub(super) struct EasyQueues {
    pub(super) initial: Queue,
    /// The jobs in the backfill order, if it differs from the initial one.
    backfill: Option<Queue>,
    threshold: Option<Seconds>,
    /// The jobs in order of submission, if there is a threshold.
    by_age: Option<Queue>,
    /// Whether keys change as time passes, or the view tells parts of them.
    need_upkeep: bool,
}

impl EasyQueues {
    /// Queues without jobs. A job that has waited longer than `threshold` seconds comes first.
    pub(super) fn new(initial: Order, backfill: Order, ties: TieOrder, threshold: Option<Seconds>) -> Self {
        let backfill = (backfill != initial).then(|| Queue::unsorted(backfill, ties));
        let initial = Queue::unsorted(initial, ties);
        EasyQueues {
            need_upkeep: initial.keys().need_upkeep()
                || backfill.as_ref().is_some_and(|queue| queue.keys().need_upkeep()),
            initial,
            backfill,
            threshold,
            by_age: threshold.map(|_| Queue::new(Order::Fcfs, TieOrder::LogOrder)),
        }
    }

    #[inline]
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut Queue> {
        std::iter::once(&mut self.initial).chain(&mut self.backfill).chain(&mut self.by_age)
    }

    #[inline]
    pub(super) fn backfilled(&self) -> &Queue {
        self.backfill.as_ref().unwrap_or(&self.initial)
    }

    /// Whether keys depend on how much of the machine each user has had.
    pub(super) fn counts_usage(&self) -> bool {
        self.initial.keys().count_usage() || self.backfill.as_ref().is_some_and(|queue| queue.keys().count_usage())
    }

    /// Whether a job that has waited longer than a threshold goes before the others.
    #[inline]
    pub(super) fn has_threshold(&self) -> bool {
        self.threshold.is_some()
    }

    /// The job that arrived first, if it has waited longer than the threshold.
    #[inline]
    pub(super) fn long_waiting(&self, now: Seconds) -> Option<Waiting> {
        let oldest = self.by_age.as_ref().and_then(Queue::first);
        oldest.filter(|oldest| self.threshold.is_some_and(|threshold| now - oldest.submit > threshold))
    }

    #[inline]
    pub(super) fn head(&mut self, now: Seconds) -> Option<Waiting> {
        self.long_waiting(now).or_else(|| self.initial.lead(now))
    }

    /// The head, for a person to look at. It is computed anew, because the queues may not be up to date.
    pub(super) fn head_by_definition(&self, now: Seconds) -> Option<Waiting> {
        self.long_waiting(now).or_else(|| self.initial.ordered(now).first().copied())
    }

    /// Whether a job that has just arrived becomes the head.
    #[inline]
    pub(super) fn leads(&mut self, job: &Waiting, now: Seconds) -> bool {
        self.long_waiting(now).is_none() && self.initial.would_lead(job, now)
    }

    /// Sets whether a job counts as small, where small jobs go first. Called before the job enters, and again once it
    /// has started.
    pub(super) fn set_small(&mut self, job: JobId, is_small: bool) {
        for queue in self.all() {
            queue.set_small(job, is_small);
        }
    }

    /// Takes the size by which a job counts in orders from the view. Called before the job enters.
    pub(super) fn set_size(&mut self, job: JobId, view: &View) {
        if let Some(size) = view.size(job) {
            self.all().for_each(|queue| queue.set_size(job, size));
        }
    }

    /// Keeps the part of a new job's keys that the view tells.
    #[inline]
    pub(super) fn keep_reported(&mut self, job: &Waiting, view: &View) {
        if self.need_upkeep {
            self.keep_reported_of_all(job, view);
        }
    }

    #[inline(never)]
    fn keep_reported_of_all(&mut self, job: &Waiting, view: &View) {
        self.all().for_each(|queue| queue.keep_reported(job, view));
    }

    /// Inserts a job into all queues.
    pub(super) fn enter(&mut self, job: Waiting, now: Seconds) {
        for queue in self.all() {
            queue.insert(job, now);
        }
    }

    #[inline]
    pub(super) fn remove_head(&mut self, job: &Waiting, now: Seconds) {
        for queue in self.all() {
            queue.remove_job(job, now);
        }
    }

    /// Removes jobs that were backfilled. `places` are their places, ascending, in the queue in backfill order.
    #[inline(never)]
    pub(super) fn remove_backfilled(&mut self, places: &[QueuePlace], jobs: &[Waiting], now: Seconds) {
        let (tried, other) = match &mut self.backfill {
            Some(backfill) => (backfill, Some(&mut self.initial)),
            None => (&mut self.initial, None),
        };
        tried.remove(places);
        for queue in other.into_iter().chain(&mut self.by_age) {
            for job in jobs {
                queue.remove_job(job, now);
            }
        }
    }

    /// Brings the queues up to date before a round. Returns whether an order changes as time passes.
    #[inline]
    pub(super) fn refresh(&mut self, view: &View) -> bool {
        self.need_upkeep && self.bring_up_to_date(view)
    }

    #[inline(never)]
    fn bring_up_to_date(&mut self, view: &View) -> bool {
        let mut moves = false;
        for queue in self.all() {
            queue.renew_shares(view);
            moves |= queue.refresh(view.now());
        }
        moves
    }

    /// Takes over new estimates of waiting jobs, indexed by log order.
    pub(super) fn reestimate(&mut self, estimates: &[f64], now: Seconds) {
        for queue in self.all() {
            queue.reestimate(estimates, now);
        }
    }

    /// Checks what must hold between changes.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self) {
        self.initial.check();
        let has_as_many = |queue: &Queue| queue.jobs().count() == self.initial.jobs().count();
        assert!(self.backfill.iter().chain(&self.by_age).all(has_as_many), "the queues hold different jobs");
    }
}
