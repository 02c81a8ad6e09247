//! Which queued jobs can use processors that were given back.
//!
//! A job that could not move earlier can do so only after processors were given back over a span of time that begins
//! before its own start. Even then it can only move to a place that reaches into that span, because everywhere else
//! capacity is as it was, or less. So each span that was freed is noted, with how many jobs of the queue have tried it
//! since. None of these jobs can use it any more, whatever is reserved later. What is freed later is noted as a span of
//! its own. Spans that equally many jobs have tried are united.
//!
//! Each step lets the first job try that has not tried yet. This makes the same moves in the same order as starting
//! again with the first job of the queue after each move (FAIRNESS §2, prioritised compression), where nearly all tries
//! fail.

use super::capacity::ListPlace;
use super::profile::Profile;
use packfair_engine::model::Release;
use packfair_workload::JobId;
use std::ops::RangeInclusive;

/// How many steps before a span are examined to find since when its processors have been free.
const LOOKS: usize = 16;

/// How many jobs must be queued for that examination to pay. A shorter queue tries the span in less time.
const WORTH_LOOKING: usize = 32;

/// How many queued jobs are skipped at once if none of them can use a span.
const CHUNK: usize = 16;

/// What decides whether a queued job can use a span of freed processors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) processors: u32,
    /// The length of the reservation, seconds.
    pub(super) length: f64,
    pub(super) begin: f64,
}

#[derive(Clone, Copy, Debug)]
struct ChunkBounds {
    /// The width of the narrowest job.
    processors: u32,
    /// The length of the shortest job, seconds.
    length: f64,
    /// The soonest and the latest planned start.
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
    /// The widths that fit somewhere in the span and did not before.
    widths: RangeInclusive<u32>,
    /// For at most how many seconds the least of these widths is free around the span, and until when (`until`).
    longest: f64,
    until: f64,
    /// The first job that has not tried the span; no job before it can use it.
    untried: ListPlace,
}

impl FreedSpan {
    /// Whether a job might use the span.
    fn suits(&self, job: &Candidate) -> bool {
        self.begin < job.begin
            && self.widths.contains(&job.processors)
            && (job.length <= self.longest || job.begin <= self.until)
    }

    /// Whether one of these jobs might use the span.
    fn suits_any(&self, jobs: &ChunkBounds) -> bool {
        self.begin < jobs.begin.last
            && jobs.processors <= *self.widths.end()
            && (jobs.length <= self.longest || jobs.begin.first <= self.until)
    }

    /// The earliest start with which a job reaches into the span, if it is before the job's own start.
    fn earliest(&self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        profile.earlier_within(self.begin - job.length, self.end, job.processors, job.length, job.begin)
    }

    /// Extends the span to cover another one as well.
    fn unite(&mut self, other: &FreedSpan) {
        self.begin = self.begin.min(other.begin);
        self.end = self.end.max(other.end);
        self.widths = *self.widths.start().min(other.widths.start())..=*self.widths.end().max(other.widths.end());
        self.longest = self.longest.max(other.longest);
        self.until = self.until.max(other.until);
        self.untried = self.untried.min(other.untried);
    }
}

/// The spans that were given back and that not all jobs have tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Freed {
    /// The spans; fewer jobs have tried each than the one before it.
    spans: Vec<FreedSpan>,
    /// The queue while its jobs try, and the bounds of each [`CHUNK`] of it in `chunks`.
    queue: Vec<Candidate>,
    chunks: Vec<ChunkBounds>,
}

impl Freed {
    /// Notes that anything may have changed anywhere, so that no job has tried it.
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

    /// Notes that `processors` were given back over [begin, end), in seconds; `queued` jobs may use them.
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

    /// Notes that the jobs at these places, which ascend, have left the queue.
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

    /// Prepares for jobs to try; `queue` is the whole queue.
    pub(super) fn begin(&mut self, queue: impl Iterator<Item = Candidate>) {
        self.queue.clear();
        self.queue.extend(queue);
        self.chunks.clear();
        self.chunks.extend(self.queue.chunks(CHUNK).map(ChunkBounds::of));
    }

    /// Notes that the job at `place` has moved to the start `begin`.
    pub(super) fn moved(&mut self, place: ListPlace, begin: f64) {
        self.queue[place.index()].begin = begin;
        let chunk = place.index() / CHUNK;
        let jobs = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.queue.len());
        self.chunks[chunk] = ChunkBounds::of(&self.queue[jobs]);
    }

    /// The first job before `end` that can move earlier, and its earliest start. A job that has tried a span does not
    /// try it again.
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

    /// The earliest start to which a job can move, where jobs try in another order than that of the queue.
    pub(super) fn earliest(&mut self, job: &Candidate, profile: &mut Profile) -> Option<f64> {
        while let [.., one, other] = &mut self.spans[..] {
            one.unite(other);
            self.spans.pop();
        }
        self.spans.last().filter(|span| span.suits(job)).and_then(|span| span.earliest(job, profile))
    }

    /// Forgets all spans, because all jobs have tried them.
    pub(super) fn forget(&mut self) {
        self.spans.clear();
    }

    /// Forgets spans that are past, and those that all jobs before `end`, the end of the queue, have tried.
    pub(super) fn forget_used(&mut self, now: f64, end: ListPlace) {
        self.spans.retain(|span| span.end > now && span.untried < end);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "freed_tests.rs"]
mod tests;

// The running jobs by their expected ends, for schedulers that go through these.

/// A running job: when it is expected to end, and what it holds.
#[derive(Clone, Debug)]
pub(super) struct RunningEnd<H> {
    pub(super) at: f64,
    pub(super) job: JobId,
    pub(super) held: H,
}

/// The running jobs, each with what it holds: a number of processors, or parts of cells.
#[derive(Clone, Debug)]
pub(super) struct ExpectedEnds<H> {
    /// The job that is expected to end first comes last; of jobs with the same end the first in the log.
    ends: Vec<RunningEnd<H>>,
}

impl<H> Default for ExpectedEnds<H> {
    fn default() -> Self {
        ExpectedEnds { ends: Vec::new() }
    }
}

impl<H> ExpectedEnds<H> {
    pub(super) fn started(&mut self, running: RunningEnd<H>) {
        let place = self.place_of(running.at, running.job);
        self.ends.insert(place, running);
    }

    /// The index at which a running job is kept, or would be inserted.
    fn place_of(&self, at: f64, job: JobId) -> usize {
        self.ends.partition_point(|other| at.total_cmp(&other.at).then(job.cmp(&other.job)).is_lt())
    }

    /// Removes a running job that has ended. Returns what it held.
    pub(super) fn completed(&mut self, release: &Release) -> Option<H> {
        let place = self.place_of(release.at, release.job);
        let is_it = self.ends.get(place).is_some_and(|running| running.job == release.job);
        debug_assert!(is_it, "{release:?} is not known to run");
        is_it.then(|| self.ends.remove(place).held)
    }

    /// Notes that a running job is now expected to end at `at`.
    pub(super) fn expected(&mut self, release: &Release, at: f64) {
        if let Some(held) = self.completed(release) {
            self.started(RunningEnd { at, job: release.job, held });
        }
    }

    /// The running jobs; the one that is expected to end first comes last.
    pub(super) fn ends(&self) -> &[RunningEnd<H>] {
        &self.ends
    }
}

impl ExpectedEnds<u32> {
    /// When each running job is expected to end, and its processors, the soonest first.
    pub(super) fn releases(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.ends.iter().rev().map(|running| (running.at, running.held))
    }
}
