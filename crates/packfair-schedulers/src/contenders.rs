//! The few jobs of a queue that can come first for a while, where keys change as time passes.
//!
//! The rank of a waiting job only ever moves forward: its priority grows with its wait, and floating-point products,
//! quotients and roots keep that order. So a job's rank at `until` is the best that it has before then. A job that is
//! behind a bound at `until` was behind it all the time before, and need not be looked at as long as another job is
//! before the bound. A queue of hundreds of jobs is then gone through seldom instead of in every round.

use super::rank::Rank;
use packfair_engine::model::Waiting;
use packfair_workload::{JobId, Seconds};

/// How many jobs are before the bound when it is chosen. They may start one after the other before a new bound is
/// needed.
const BEFORE: usize = 8;

/// If there are more contenders than this, the next choice is for a shorter time.
const MANY: usize = 48;

/// For how long contenders are chosen, seconds: at first, and at most.
const SPANS: (Seconds, Seconds) = (512, 1 << 24);

/// A queue of at most this many jobs is gone through without contenders.
pub(super) const FEW: usize = 2 * BEFORE;

/// The jobs that can come first.
#[derive(Clone, Debug)]
pub(super) struct Contenders {
    /// All jobs of the queue whose rank at `until` is not behind `bound`, in the order of these ranks.
    jobs: Vec<(Rank, Waiting)>,
    bound: Rank,
    until: Seconds,
    /// For how long they were last chosen, seconds.
    span: Seconds,
    /// All jobs of the queue; kept for its memory.
    all: Vec<(Rank, Waiting)>,
}

impl Default for Contenders {
    fn default() -> Self {
        Contenders { jobs: Vec::new(), bound: Rank::FIRST, until: Seconds::MIN, span: SPANS.0, all: Vec::new() }
    }
}

impl Contenders {
    /// The first job of the queue, where the contenders tell it; `rank` gives ranks at `now`.
    #[inline]
    pub(super) fn first(&self, now: Seconds, rank: impl Fn(&Waiting) -> Rank) -> Option<Waiting> {
        if now > self.until {
            return None;
        }
        let mut first: Option<(Rank, Waiting)> = None;
        for (at_best, job) in &self.jobs {
            // no job is further ahead now than it will be at `until`
            if first.is_some_and(|(first, _)| first < *at_best) {
                break;
            }
            let own = rank(job);
            if first.is_none_or(|(first, _)| own < first) {
                first = Some((own, *job));
            }
        }
        first.filter(|(rank, _)| *rank <= self.bound).map(|(_, job)| job)
    }

    /// Chooses contenders anew among the jobs of a queue, which must not be empty.
    pub(super) fn choose<'a>(
        &mut self,
        now: Seconds,
        jobs: impl Iterator<Item = &'a Waiting>,
        rank: impl Fn(&Waiting, Seconds) -> Rank,
    ) {
        if self.jobs.len() > MANY {
            self.span = (self.span / 2).max(1);
        } else if now > self.until {
            self.span = (self.span * 2).min(SPANS.1);
        }
        self.all.clear();
        self.all.extend(jobs.map(|job| (rank(job, now), *job)));
        let place = BEFORE.min(self.all.len() - 1);
        (self.bound, _) = *self.all.select_nth_unstable_by_key(place, |&(rank, _)| rank).1;
        self.until = now + self.span;
        self.jobs.clear();
        let at_best = self.all.iter().map(|(_, job)| (rank(job, self.until), *job));
        self.jobs.extend(at_best.filter(|(rank, _)| *rank <= self.bound));
        self.jobs.sort_unstable_by_key(|&(rank, _)| rank);
    }

    /// A job enters the queue; `rank` gives its rank at a time.
    #[inline]
    pub(super) fn entered(&mut self, job: &Waiting, rank: impl Fn(Seconds) -> Rank) {
        if self.until > Seconds::MIN {
            let at_best = rank(self.until);
            if at_best <= self.bound {
                let place = self.jobs.partition_point(|(other, _)| *other < at_best);
                self.jobs.insert(place, (at_best, *job));
            }
        }
    }

    /// A job leaves the queue.
    #[inline]
    pub(super) fn left(&mut self, job: JobId) {
        if let Some(at) = self.jobs.iter().position(|(_, contender)| contender.job == job) {
            self.jobs.remove(at);
        }
    }

    /// Forgets all contenders, because ranks have changed.
    pub(super) fn forget(&mut self) {
        self.jobs.clear();
        self.until = Seconds::MIN;
    }
}
