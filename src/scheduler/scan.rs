//! Looking for the places of one job after another.

use super::profile::{Profile, Span};
use super::room::Room;
use super::walk::Stop;

/// A scan through jobs in the order of the queue, while the profile only fills up.
pub(super) struct Scan {
    /// The most processors that are free at any time at which these jobs might begin, before the horizon; or more.
    pub(super) most: u32,
    /// The step of the profile before which none of these jobs begins.
    first: usize,
    /// For whom an earliest fit was searched last: whoever is as wide and as long begins no earlier.
    processors: u32,
    estimate: f64,
    /// The step at which that begins; `usize::MAX` where it is not before the horizon. Placing the job adds steps
    /// behind it alone.
    step: usize,
    /// How many searches were in vain.
    vain: u32,
}

impl Scan {
    /// Through jobs none of which begins before the step `first` of the profile.
    pub(super) fn new(first: usize, profile: &Profile, horizon: f64) -> Self {
        Scan { most: profile.most_before(first, horizon), first, processors: 0, estimate: 0.0, step: first, vain: 0 }
    }

    /// The earliest span for a job, where that begins before `horizon`. `room` is what is known of this scan's.
    #[inline(always)] // the span would be written to memory and read back: that costs as much as the search
    pub(super) fn earliest(
        &mut self,
        job: &Stop,
        profile: &mut Profile,
        room: &mut Room,
        horizon: f64,
    ) -> Option<Span> {
        let Stop { processors, estimate, .. } = *job;
        let is_as_large = processors >= self.processors && estimate >= self.estimate;
        if is_as_large && self.step == usize::MAX || self.is_long() && room.is_too_small(processors, estimate) {
            return None;
        }
        let (first, longest) = if is_as_large { (self.step, self.estimate) } else { (self.first, 0.0) };
        let span = profile.earliest_from(first, horizon, processors, estimate);
        (self.processors, self.estimate) = (processors, estimate);
        match span {
            Ok(span) => {
                self.step = span.first_step();
                Some(span)
            }
            Err(free) => {
                self.step = usize::MAX;
                self.vain += 1;
                if free == 0.0 && first == self.first {
                    // nowhere are so many free, be it ever so short
                    self.most = self.most.min(processors - 1);
                }
                if self.is_long() {
                    room.learn(processors, free.max(longest));
                }
                None
            }
        }
    }

    /// Whether so many searches were in vain that it is worth while to remember them.
    #[inline]
    fn is_long(&self) -> bool {
        self.vain > 1
    }
}
