//! A job of an off-line problem.

use crate::scheduler::Profile;
use crate::workload::Seconds;

/// A job of the problem. Times are seconds from the first submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineJob {
    /// Submit time.
    pub submit: Seconds,
    /// How long it takes its processors, seconds: its run time, at least 1.
    pub length: Seconds,
    /// Processors r.
    pub processors: u32,
    /// Processors r, as objectives count them.
    pub width: f64,
    /// Run time D, seconds.
    pub run: f64,
}

impl OfflineJob {
    /// The first time from its submission on at which the job fits into a profile.
    pub fn earliest(&self, profile: &mut Profile) -> Seconds {
        // times are whole seconds, far below 2⁵³
        profile.earliest_since(self.submit as f64, self.processors, self.length as f64) as Seconds
    }

    /// Places the job in a profile.
    pub fn place(&self, profile: &mut Profile, start: Seconds) {
        profile.reserve(start as f64, (start + self.length) as f64, self.processors);
    }

    /// Takes the job out of a profile, in which it was placed with this start.
    pub fn take_out(&self, profile: &mut Profile, start: Seconds) {
        profile.release(start as f64, (start + self.length) as f64, self.processors);
    }
}
