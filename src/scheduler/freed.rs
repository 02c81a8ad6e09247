//! Which queued jobs can use what was given back.
//!
//! A job that cannot move earlier can do so only once processors are given back in a span of time that begins before
//! its own start; and then only to a place that reaches into that span, for everywhere else all is as it was, or
//! fuller. So each span that was freed is noted, with how many of the queue have been asked since: none of these can
//! use it any more, whatever is reserved later. What is freed later is noted as a span of its own. Spans about which
//! equally many have been asked are taken for one that holds them.
//!
//! Asking the first that has not been asked comes to the same moves, in the same order, as beginning again with the
//! first of the queue after each move (FAIRNESS §2, prioritised compression), of which nearly all looks are in vain.

use super::profile::Profile;
use std::ops::RangeInclusive;

/// So many steps before a span are looked at for how long its processors are free before it.
const LOOKS: usize = 16;

/// So many jobs are passed over at once where none of them can use a span.
const CHUNK: usize = 16;

/// A queued job, as far as it matters whether it can use a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) processors: u32,
    /// For how long it is planned, seconds.
    pub(super) length: f64,
    /// The start that it has.
    pub(super) begin: f64,
}

/// What the jobs of a chunk have in common.
#[derive(Clone, Copy, Debug)]
struct Common {
    /// The narrowest.
    processors: u32,
    /// The shortest.
    length: f64,
    /// The latest start, and the soonest.
    begin: RangeOfTime,
}

#[derive(Clone, Copy, Debug)]
struct RangeOfTime {
    first: f64,
    last: f64,
}

impl Common {
    fn of(jobs: &[Candidate]) -> Self {
        let none = RangeOfTime { first: f64::INFINITY, last: f64::NEG_INFINITY };
        let mut common = Common { processors: u32::MAX, length: f64::INFINITY, begin: none };
        for job in jobs {
            common.processors = common.processors.min(job.processors);
            common.length = common.length.min(job.length);
            common.begin.first = common.begin.first.min(job.begin);
            common.begin.last = common.begin.last.max(job.begin);
        }
        common
    }
}

/// A span of time over which processors were given back.
#[derive(Clone, Debug)]
struct Span {
    begin: f64,
    end: f64,
    /// The widths that fit somewhere in it and did not before.
    widths: RangeInclusive<u32>,
    /// For how long, at most, the narrowest of these widths is free around it, and until when.
    longest: f64,
    until: f64,
    /// How many jobs of the queue, from its first on, cannot use it.
    asked: usize,
}

impl Span {
    /// Whether a job might use it.
    fn is_for(&self, job: &Candidate) -> bool {
        self.begin < job.begin
            && self.widths.contains(&job.processors)
            && (job.length <= self.longest || job.begin <= self.until)
    }

    /// Whether one of these jobs might use it.
    fn is_for_any(&self, jobs: &Common) -> bool {
        self.begin < jobs.begin.last
            && jobs.processors <= *self.widths.end()
            && (jobs.length <= self.longest || jobs.begin.first <= self.until)
    }

    /// The earliest start, before the one that it has, with which a job reaches into the span.
    fn earliest(&self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        profile.earlier_within(self.begin - job.length, self.end, job.processors, job.length, job.begin)
    }

    /// Makes it one that holds the other as well.
    fn unite(&mut self, other: &Span) {
        self.begin = self.begin.min(other.begin);
        self.end = self.end.max(other.end);
        self.widths = *self.widths.start().min(other.widths.start())..=*self.widths.end().max(other.widths.end());
        self.longest = self.longest.max(other.longest);
        self.until = self.until.max(other.until);
        self.asked = self.asked.min(other.asked);
    }
}

/// The spans that were given back and that some of the queue have not been asked about.
#[derive(Clone, Debug, Default)]
pub(super) struct Freed {
    /// About each of which fewer have been asked than about the one before it.
    spans: Vec<Span>,
    /// The queue, while its jobs are asked, and what each [`CHUNK`] of it has in common.
    queue: Vec<Candidate>,
    chunks: Vec<Common>,
}

impl Freed {
    /// Anything may have changed anywhere: nobody has been asked.
    pub(super) fn everything(&mut self) {
        self.spans.clear();
        let (begin, end) = (f64::NEG_INFINITY, f64::INFINITY);
        self.spans.push(Span { begin, end, widths: 0..=u32::MAX, longest: end, until: end, asked: 0 });
    }

    /// `processors` were given back over [begin, end).
    pub(super) fn add(&mut self, begin: f64, end: f64, processors: u32, profile: &mut Profile) {
        let Some((least, most)) = profile.levels_within(begin, end) else { return };
        let widths = least.saturating_sub(processors) + 1..=most;
        let (since, until) = profile.free_around(begin, end, *widths.start(), LOOKS);
        let span = Span { begin, end, widths, longest: until - since, until, asked: 0 };
        match self.spans.last_mut().filter(|last| last.asked == 0) {
            Some(last) => last.unite(&span),
            None => self.spans.push(span),
        }
    }

    /// A job that cannot move earlier has entered the queue at `place`.
    pub(super) fn entered(&mut self, place: usize) {
        for span in self.spans.iter_mut().filter(|span| span.asked > place) {
            span.asked += 1;
        }
    }

    /// The jobs at these places, in order, have left the queue.
    pub(super) fn left(&mut self, places: &[usize]) {
        for span in &mut self.spans {
            span.asked -= places.partition_point(|&place| place < span.asked);
        }
    }

    /// Whether any of the first `jobs` of the queue has something to be asked about.
    pub(super) fn is_news_to(&self, jobs: usize) -> bool {
        self.spans.last().is_some_and(|span| span.asked < jobs)
    }

    /// Jobs are going to be asked: this is the queue.
    pub(super) fn begin(&mut self, queue: impl Iterator<Item = Candidate>) {
        self.queue.clear();
        self.queue.extend(queue);
        self.chunks.clear();
        self.chunks.extend(self.queue.chunks(CHUNK).map(Common::of));
    }

    /// The job at `place` has moved to `begin`.
    pub(super) fn moved(&mut self, place: usize, begin: f64) {
        self.queue[place].begin = begin;
        let chunk = place / CHUNK;
        let jobs = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.queue.len());
        self.chunks[chunk] = Common::of(&self.queue[jobs]);
    }

    /// The first of the first `jobs` of the queue that can move earlier, and where to: the earliest start that it
    /// can have. Whoever was asked is not asked again.
    pub(super) fn first_that_can_move(&mut self, jobs: usize, profile: &mut Profile) -> Option<(usize, f64)> {
        while let Some(mut span) = self.spans.pop() {
            let until = self.spans.last().map_or(jobs, |next| next.asked.min(jobs));
            while span.asked < until {
                let place = span.asked;
                if place % CHUNK == 0 && !span.is_for_any(&self.chunks[place / CHUNK]) {
                    span.asked = (place + CHUNK).min(until);
                    continue;
                }
                span.asked += 1;
                let job = self.queue[place];
                if span.is_for(&job)
                    && let Some(begin) = span.earliest(&job, profile)
                {
                    self.spans.push(span);
                    return Some((place, begin));
                }
            }
            match self.spans.last_mut().filter(|next| next.asked <= span.asked) {
                Some(next) => next.unite(&span),
                None => {
                    self.spans.push(span);
                    return None;
                }
            }
        }
        None
    }

    /// The earliest start that a job can move to, where it is asked out of the queue's order.
    pub(super) fn earliest(&mut self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        while let [.., one, other] = &mut self.spans[..] {
            one.unite(other);
            self.spans.pop();
        }
        self.spans.last().filter(|span| span.is_for(job)).and_then(|span| span.earliest(job, profile))
    }

    /// Everybody has been asked about everything.
    pub(super) fn forget(&mut self) {
        self.spans.clear();
    }

    /// Forgets spans that are past or that all `jobs` of the queue have been asked about.
    pub(super) fn forget_used(&mut self, now: f64, jobs: usize) {
        self.spans.retain(|span| span.end > now && span.asked < jobs);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "freed_tests.rs"]
mod tests;
