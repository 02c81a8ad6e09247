//! The keys by which jobs stand in a queue.

use crate::order::{Key, Order, sized};
use crate::rank::Rank;
use packfair_engine::model::{JobSet, View, Waiting};
use packfair_workload::{JobId, Seconds};

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
