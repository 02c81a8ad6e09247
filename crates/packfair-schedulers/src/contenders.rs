//! The few jobs of a queue that can come first for a while, where keys change as time passes.
//!
//! The rank of a waiting job only ever moves forward: its priority grows with its wait, and floating-point products,
//! quotients and roots keep that order. So a job's rank at `until` is the best that it has before then. A job that is
//! behind a bound at `until` was behind it all the time before, and need not be looked at as long as another job is
//! before the bound. A queue of hundreds of jobs is then gone through seldom instead of in every round.

use super::capacity::CapacityBounds;
use super::order::Key;
use super::profile::{FreeSpan, Profile, SpanSearch, StepPlace};
use super::queue::QueuedJob;
use packfair_engine::model::Waiting;
use packfair_workload::{JobId, Seconds};
use std::cell::OnceCell;

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

// Where a job belongs in a queue.

/// Where a job belongs in a queue: its key, ties in log order. It stays the same when other jobs enter or leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Both numbers of the key as one whole number with the same order.
    key: u128,
    pub(super) job: JobId,
}

impl Rank {
    /// The rank before every job.
    pub(super) const FIRST: Rank = Rank { key: 0, job: JobId(0) };

    /// The rank after every job.
    pub(super) const LAST: Rank = Rank { key: u128::MAX, job: JobId(u32::MAX) };

    /// The rank of a job with this key, which must not contain NaN.
    #[inline]
    pub(super) fn new((first, second): Key, job: JobId) -> Self {
        Rank { key: u128::from(ordered(first)) << 64 | u128::from(ordered(second)), job }
    }

    /// The first rank after this one.
    pub(super) fn next(self) -> Rank {
        Rank { job: JobId(self.job.0 + 1), ..self }
    }
}

/// Maps a number to a whole number, keeping the order. The bits of negative numbers descend, so they are inverted.
#[inline]
fn ordered(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits(); // maps -0 to +0
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

// The backfill window: which jobs fit right now.

/// How wide a job may be to start now, depending on when it would end: a descending staircase.
#[derive(Clone, Debug, Default)]
pub(super) struct BackfillWindow {
    now: f64,
    steps: Vec<WindowStep>,
}

/// A step of the staircase: jobs that end by `until` may be as wide as `width`.
#[derive(Clone, Debug)]
struct WindowStep {
    until: f64,
    width: u32,
    /// The class of the width, computed when it is first needed.
    class: OnceCell<usize>,
}

impl WindowStep {
    #[inline]
    fn class(&self) -> usize {
        *self.class.get_or_init(|| class(self.width))
    }
}

impl BackfillWindow {
    /// Sets the window of a profile in which `free` processors are free `now`. Steps below `narrowest`, the width of
    /// the narrowest job, are left out.
    pub(super) fn read(&mut self, now: f64, free: u32, profile: &Profile, narrowest: u32) {
        self.now = now;
        self.steps.clear();
        let mut width = free;
        profile.descend(free, |until, free| {
            self.add(until, width);
            width = free;
            width >= narrowest
        });
        if width >= narrowest {
            self.add(f64::INFINITY, width);
        }
    }

    /// Sets the window of one reservation, which begins at the shadow time: jobs that end by then may be as wide as
    /// `free`, others as `extra`.
    #[inline]
    pub(super) fn before(&mut self, now: f64, shadow: f64, free: u32, extra: u32) {
        self.now = now;
        self.steps.clear();
        self.add(shadow, free);
        if extra > 0 {
            self.add(f64::INFINITY, extra.min(free));
        }
    }

    /// Sets the window with these steps, the soonest first: a time, and how wide jobs may be that end by then. No step
    /// may be wider than the one before it.
    pub(super) fn set(&mut self, now: f64, steps: impl Iterator<Item = (f64, u32)>) {
        self.now = now;
        self.steps.clear();
        steps.for_each(|(until, width)| self.add(until, width));
    }

    fn add(&mut self, until: f64, width: u32) {
        self.steps.push(WindowStep { until, width, class: OnceCell::new() });
    }

    /// Whether a job of this width and estimate could start now without delaying a reservation.
    #[inline]
    pub(super) fn admits(&self, width: u32, estimate: f64) -> bool {
        let end = self.now + estimate;
        self.steps.iter().any(|step| end <= step.until && width <= step.width)
    }

    #[inline]
    pub(super) fn might_admit(&self, jobs: &ShortestByWidth) -> bool {
        self.steps.iter().any(|step| self.now + jobs.shortest(step.class()) <= step.until.min(f64::MAX))
    }

    /// The width of the widest job that may start now.
    pub(super) fn width(&self) -> u32 {
        self.steps.first().map_or(0, |step| step.width)
    }
}

// Searches spans in the profile for one job after another.

/// A scan through jobs in the order of the queue, during which free capacity only shrinks.
///
/// So the search for a job that is at least as wide and as long as the one before it can start where that one's search
/// ended. If that search failed, this one fails too.
pub(super) struct Scan {
    /// An upper bound of the processors that are free at any time at which jobs of the scan might begin.
    pub(super) most: u32,
    /// No job of the scan begins before this step of the profile.
    first: StepPlace,
    /// The width and estimate of the job that was searched for last.
    processors: u32,
    estimate: f64,
    /// The step at which that job begins; none if it does not begin before the horizon. It stays valid when the job is
    /// placed, because that only adds steps after it.
    found: Option<StepPlace>,
    failures: u32,
}

impl Scan {
    /// A scan of jobs that do not begin before the step `first` of the profile.
    pub(super) fn new(first: StepPlace, profile: &Profile, horizon: f64) -> Self {
        let most = profile.most_before(first, horizon);
        Scan { most, first, processors: 0, estimate: 0.0, found: Some(first), failures: 0 }
    }

    /// The earliest span for a job, if it begins before `horizon`. `bounds` are those learned in this scan.
    #[inline(always)] // otherwise the span is written to memory and read back, which costs as much as the search
    pub(super) fn earliest(
        &mut self,
        job: &QueuedJob,
        profile: &mut Profile,
        bounds: &mut CapacityBounds,
        horizon: f64,
    ) -> Option<FreeSpan> {
        let QueuedJob { processors, estimate, .. } = *job;
        let is_as_large = processors >= self.processors && estimate >= self.estimate;
        let (first, longest) = if is_as_large { (self.found?, self.estimate) } else { (self.first, 0.0) };
        if self.has_failed_often() && bounds.exclude(processors, estimate) {
            return None;
        }
        (self.processors, self.estimate) = (processors, estimate);
        match profile.earliest_from(first, horizon, processors, estimate) {
            SpanSearch::Found(span) => {
                self.found = Some(span.first);
                Some(span)
            }
            SpanSearch::NoneLongerThan(free) => {
                self.found = None;
                self.failures += 1;
                if free == 0.0 && first == self.first {
                    // so many processors are free at no time, however short
                    self.most = self.most.min(processors - 1);
                }
                if self.has_failed_often() {
                    bounds.learn(processors, free.max(longest));
                }
                None
            }
        }
    }

    /// Whether so many searches have failed that it pays to remember them.
    #[inline]
    fn has_failed_often(&self) -> bool {
        self.failures > 1
    }
}

// The shortest jobs of a part of a queue, by width.

/// The number of width classes. Their largest widths are 1, 2, 3, 4, 6, 8, 12, 16, ... 4096; one more has all wider
/// jobs.
const CLASSES: usize = 25;

/// The shortest estimate of jobs up to each width. It tells of most blocks of a long queue that none of their jobs
/// fits, without a look at the jobs.
#[derive(Clone, Debug)]
pub(super) struct ShortestByWidth {
    /// The shortest estimate among the jobs of each class and all narrower ones; infinite if there are none.
    shortest: [f64; CLASSES],
}

#[inline]
pub(super) fn class(width: u32) -> usize {
    let below = width.saturating_sub(1);
    let class = match below.checked_ilog2() {
        None | Some(0) => below,
        Some(log) => 2 * log + (below >> (log - 1) & 1),
    };
    (class as usize).min(CLASSES - 1)
}

fn narrowest(class: usize) -> u32 {
    match class {
        0 | 1 => class as u32 + 1,
        _ => ((2 + class as u32 % 2) << (class / 2 - 1)) + 1,
    }
}

impl ShortestByWidth {
    /// The bounds for jobs with these processors and estimates.
    pub(super) fn of(jobs: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut shortest = [f64::INFINITY; CLASSES];
        for (processors, estimate) in jobs {
            let least = &mut shortest[class(processors)];
            *least = least.min(estimate);
        }
        for class in 1..CLASSES {
            shortest[class] = shortest[class].min(shortest[class - 1]);
        }
        ShortestByWidth { shortest }
    }

    pub(super) fn enter(&mut self, job: &Waiting) {
        for least in &mut self.shortest[class(job.processors)..] {
            *least = least.min(job.estimate);
        }
    }

    /// Whether the bounds may change when this job leaves.
    pub(super) fn depends_on(&self, job: &Waiting) -> bool {
        self.shortest[class(job.processors)] == job.estimate
    }

    /// The shortest estimate of the jobs of this class and all narrower ones.
    #[inline]
    pub(super) fn shortest(&self, class: usize) -> f64 {
        self.shortest[class]
    }

    /// Pairs of width and estimate such that each job is at least as wide and as long as one of them.
    pub(super) fn least(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let mut before = f64::INFINITY;
        self.shortest.iter().enumerate().filter_map(move |(class, &shortest)| {
            let is_less = shortest < std::mem::replace(&mut before, shortest);
            is_less.then(|| (narrowest(class), shortest))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_in_the_order_of_keys_then_of_the_log() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -1.0, -1e-300, 0.0, 1e-300, 1.0, 2.5, 1e300, f64::INFINITY];
        let keys = numbers.iter().flat_map(|&first| numbers.iter().map(move |&second| (first, second)));
        let ranks: Vec<Rank> = keys.flat_map(|key| [0, 1, 7].map(|job| Rank::new(key, JobId(job)))).collect();
        assert!(ranks.is_sorted() && ranks[0] > Rank::FIRST);
        assert_eq!(Rank::new((-0.0, 0.0), JobId(1)), Rank::new((0.0, -0.0), JobId(0)).next());
    }
}

#[cfg(test)]
mod shortest_tests {
    use super::*;
    use packfair_workload::JobId;

    #[test]
    fn a_class_ends_where_the_next_begins() {
        assert_eq!((class(1), narrowest(0)), (0, 1));
        for next in 1..CLASSES {
            let width = narrowest(next);
            assert_eq!((class(width - 1), class(width)), (next - 1, next), "{width}");
        }
        assert_eq!((narrowest(CLASSES - 1), class(u32::MAX)), (4097, CLASSES - 1));
    }

    #[test]
    fn the_shortest_are_those_of_the_jobs() {
        let job = |processors, estimate| Waiting { job: JobId(0), submit: 0, processors, estimate };
        let jobs = [job(4, 50.0), job(3, 70.0), job(16, 60.0), job(9000, 20.0)];
        let of = |jobs: &[Waiting]| ShortestByWidth::of(jobs.iter().map(|job| (job.processors, job.estimate)));
        let by_width = of(&jobs);
        assert_eq!(by_width.least().collect::<Vec<_>>(), [(3, 70.0), (4, 50.0), (4097, 20.0)]);
        assert_eq!([1, 3, 20, 9000].map(|width| by_width.shortest(class(width))), [f64::INFINITY, 70.0, 50.0, 20.0]);
        assert_eq!(jobs.map(|job| by_width.depends_on(&job)), [true, true, false, true]);
        let mut entered = of(&jobs[..2]);
        entered.enter(&jobs[2]);
        entered.enter(&jobs[3]);
        assert_eq!(entered.shortest, by_width.shortest);
    }
}
