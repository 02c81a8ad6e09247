//! Searches spans in the profile for one job after another.

use super::capacity::CapacityBounds;
use super::cursor::QueuedJob;
use super::profile::{FreeSpan, Profile, SpanSearch, StepPlace};

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
