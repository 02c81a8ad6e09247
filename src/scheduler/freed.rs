//! Which queued jobs can use processors that were given back.
//!
//! A job that cannot move earlier can do so only after processors were given back over a span of time that begins before
//! its own start; and then only to a place that reaches into that span, for everywhere else capacity is as it was, or
//! less. So each span that was freed is noted, with how many jobs of the queue have tried it since: none of these can use
//! it any more, whatever is reserved later. What is freed later is noted as a span of its own. Spans that equally many
//! jobs have tried are united.
//!
//! Trying the first job that has not tried yet comes to the same moves, in the same order, as beginning again with the
//! first job of the queue after each move (FAIRNESS §2, prioritised compression), where nearly all tries fail.

use super::place::ListPlace;
use super::profile::Profile;
use std::ops::RangeInclusive;

/// How many steps before a span are looked at to see since when its processors are free.
const LOOKS: usize = 16;

/// How long a queue must be for that look to pay: a shorter one tries the span in less time than the look takes.
const WORTH_LOOKING: usize = 32;

/// How many jobs are skipped at once if none of them can use a span.
const CHUNK: usize = 16;

/// What decides whether a queued job can use a span.
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
struct ChunkBounds {
    /// The narrowest.
    processors: u32,
    /// The shortest.
    length: f64,
    /// The latest start, and the soonest.
    begin: TimeRange,
}

#[derive(Clone, Copy, Debug)]
struct TimeRange {
    first: f64,
    last: f64,
}

impl ChunkBounds {
    fn of(jobs: &[Candidate]) -> Self {
        let none = TimeRange { first: f64::INFINITY, last: f64::NEG_INFINITY };
        let mut common = ChunkBounds { processors: u32::MAX, length: f64::INFINITY, begin: none };
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
struct FreedSpan {
    begin: f64,
    end: f64,
    /// The widths that fit somewhere in it and did not before.
    widths: RangeInclusive<u32>,
    /// For how long, at most, the narrowest of these widths is free around it, and until when.
    longest: f64,
    until: f64,
    /// The first job that has not tried it; all before it cannot use it.
    untried: ListPlace,
}

impl FreedSpan {
    /// Whether a job might use it.
    fn suits(&self, job: &Candidate) -> bool {
        self.begin < job.begin
            && self.widths.contains(&job.processors)
            && (job.length <= self.longest || job.begin <= self.until)
    }

    /// Whether one of these jobs might use it.
    fn suits_any(&self, jobs: &ChunkBounds) -> bool {
        self.begin < jobs.begin.last
            && jobs.processors <= *self.widths.end()
            && (jobs.length <= self.longest || jobs.begin.first <= self.until)
    }

    /// The earliest start before its own with which a job reaches into the span.
    fn earliest(&self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        profile.earlier_within(self.begin - job.length, self.end, job.processors, job.length, job.begin)
    }

    /// Extends it to hold the other as well.
    fn unite(&mut self, other: &FreedSpan) {
        self.begin = self.begin.min(other.begin);
        self.end = self.end.max(other.end);
        self.widths = *self.widths.start().min(other.widths.start())..=*self.widths.end().max(other.widths.end());
        self.longest = self.longest.max(other.longest);
        self.until = self.until.max(other.until);
        self.untried = self.untried.min(other.untried);
    }
}

/// The spans that were given back and that some jobs have not tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Freed {
    /// Each was tried by fewer jobs than the one before it.
    spans: Vec<FreedSpan>,
    /// The queue while its jobs try, and what each [`CHUNK`] of it has in common.
    queue: Vec<Candidate>,
    chunks: Vec<ChunkBounds>,
}

impl Freed {
    /// Anything may have changed anywhere: no job has tried.
    pub(super) fn everything(&mut self) {
        self.spans.clear();
        let (begin, end) = (f64::NEG_INFINITY, f64::INFINITY);
        self.spans.push(FreedSpan {
            begin,
            end,
            widths: 0..=u32::MAX,
            longest: end,
            until: end,
            untried: ListPlace::new(0),
        });
    }

    /// `processors` were given back over [begin, end); `queued` jobs may use them.
    pub(super) fn add(&mut self, begin: f64, end: f64, processors: u32, queued: usize, profile: &mut Profile) {
        let Some((least, most)) = profile.levels_within(begin, end) else { return };
        let widths = least.saturating_sub(processors) + 1..=most;
        let (since, until) = match queued {
            0..WORTH_LOOKING => (f64::NEG_INFINITY, f64::INFINITY),
            _ => profile.free_around(begin, end, *widths.start(), LOOKS),
        };
        let span = FreedSpan { begin, end, widths, longest: until - since, until, untried: ListPlace::new(0) };
        match self.spans.last_mut().filter(|last| last.untried == ListPlace::new(0)) {
            Some(last) => last.unite(&span),
            None => self.spans.push(span),
        }
    }

    /// A job that cannot move earlier has entered the queue at `place`.
    pub(super) fn entered(&mut self, place: ListPlace) {
        for span in self.spans.iter_mut().filter(|span| span.untried > place) {
            span.untried = span.untried.next();
        }
    }

    /// The jobs at these places, in order, have left the queue.
    pub(super) fn left(&mut self, places: &[ListPlace]) {
        for span in &mut self.spans {
            let before = places.partition_point(|&place| place < span.untried);
            span.untried = ListPlace::new(span.untried.index() - before);
        }
    }

    /// Whether any job before `end` has not tried a span.
    pub(super) fn is_left_to(&self, end: ListPlace) -> bool {
        self.spans.last().is_some_and(|span| span.untried < end)
    }

    /// Jobs are going to try: this is the queue.
    pub(super) fn begin(&mut self, queue: impl Iterator<Item = Candidate>) {
        self.queue.clear();
        self.queue.extend(queue);
        self.chunks.clear();
        self.chunks.extend(self.queue.chunks(CHUNK).map(ChunkBounds::of));
    }

    /// The job at `place` has moved to `begin`.
    pub(super) fn moved(&mut self, place: ListPlace, begin: f64) {
        self.queue[place.index()].begin = begin;
        let chunk = place.index() / CHUNK;
        let jobs = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.queue.len());
        self.chunks[chunk] = ChunkBounds::of(&self.queue[jobs]);
    }

    /// The first job before `end` that can move earlier, and the earliest start that it can have. A job that has tried a
    /// span does not try it again.
    pub(super) fn first_that_can_move(&mut self, end: ListPlace, profile: &mut Profile) -> Option<(ListPlace, f64)> {
        while let Some(mut span) = self.spans.pop() {
            let until = self.spans.last().map_or(end, |next| next.untried.min(end));
            while span.untried < until {
                let place = span.untried;
                if place.index() % CHUNK == 0 && !span.suits_any(&self.chunks[place.index() / CHUNK]) {
                    span.untried = ListPlace::new(place.index() + CHUNK).min(until);
                    continue;
                }
                span.untried = place.next();
                let job = self.queue[place.index()];
                if span.suits(&job)
                    && let Some(begin) = span.earliest(&job, profile)
                {
                    self.spans.push(span);
                    return Some((place, begin));
                }
            }
            match self.spans.last_mut().filter(|next| next.untried <= span.untried) {
                Some(next) => next.unite(&span),
                None => {
                    self.spans.push(span);
                    return None;
                }
            }
        }
        None
    }

    /// The earliest start that a job can move to, if jobs try in another order than that of the queue.
    pub(super) fn earliest(&mut self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        while let [.., one, other] = &mut self.spans[..] {
            one.unite(other);
            self.spans.pop();
        }
        self.spans.last().filter(|span| span.suits(job)).and_then(|span| span.earliest(job, profile))
    }

    /// All jobs have tried all spans.
    pub(super) fn forget(&mut self) {
        self.spans.clear();
    }

    /// Forgets spans that are past, or that all jobs before `end`, the end of the queue, have tried.
    pub(super) fn forget_used(&mut self, now: f64, end: ListPlace) {
        self.spans.retain(|span| span.end > now && span.untried < end);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "freed_tests.rs"]
mod tests;
