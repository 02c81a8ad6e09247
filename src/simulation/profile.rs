//! The reservation profile: free processors from now on, as a step function of time.

use super::Release;

/// A step function of free processors over [now, infinity).
///
/// Invariants: at least one step; times strictly increase, the first is now; after the last step
/// nothing changes.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    times: Vec<f64>,
    free: Vec<u32>,
}

impl Profile {
    /// Makes it anew, keeping its memory: `free` processors now, and more as running jobs end.
    /// `releases` come soonest first and after `now`.
    pub fn rebuild(&mut self, now: f64, free: u32, releases: impl Iterator<Item = Release>) {
        self.times.clear();
        self.free.clear();
        self.times.push(now);
        self.free.push(free);
        let (mut last, mut level) = (now, free);
        for release in releases {
            debug_assert!(release.at >= last && release.at > now);
            level += release.processors;
            if release.at > last {
                self.times.push(release.at);
                self.free.push(level);
                last = release.at;
            } else {
                // there is always the step at now
                *self.free.last_mut().unwrap() = level;
            }
        }
    }

    /// The steps: from which time on how many processors are free.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.times.iter().copied().zip(self.free.iter().copied())
    }

    /// The first time from which `processors` are free for `duration`.
    ///
    /// There is always one where `processors` is at most the machine's size.
    pub fn earliest(&self, processors: u32, duration: f64) -> f64 {
        let (times, free) = (&self.times[..], &self.free[..]);
        let mut begin = 0;
        loop {
            while free[begin] < processors {
                begin += 1;
            }
            let end = times[begin] + duration;
            let mut i = begin + 1;
            loop {
                if i == times.len() || times[i] >= end {
                    return times[begin];
                }
                if free[i] < processors {
                    begin = i + 1;
                    break;
                }
                i += 1;
            }
        }
    }

    /// Takes `processors` over [begin, end). They must be free, and `begin` not before now.
    pub fn reserve(&mut self, begin: f64, end: f64, processors: u32) {
        let first = self.split(begin);
        let last = self.split(end);
        for free in &mut self.free[first..last] {
            debug_assert!(*free >= processors);
            *free -= processors;
        }
    }

    /// The index of the step that begins at `at`, which is made if there is none.
    fn split(&mut self, at: f64) -> usize {
        let i = self.times.partition_point(|&t| t < at);
        if self.times.get(i) != Some(&at) {
            // `at` is not before now, so some step comes before it
            let level = self.free[i - 1];
            self.times.insert(i, at);
            self.free.insert(i, level);
        }
        i
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    fn profile(free: u32, releases: &[(f64, u32)]) -> Profile {
        let mut profile = Profile::default();
        let releases = releases.iter().map(|&(at, processors)| Release { at, processors, job: JobId(0) });
        profile.rebuild(0.0, free, releases);
        profile
    }

    #[test]
    fn running_jobs_free_their_processors_one_after_another() {
        let profile = profile(2, &[(5.0, 1), (5.0, 2), (9.0, 4)]);
        assert_eq!(profile.steps().collect::<Vec<_>>(), [(0.0, 2), (5.0, 5), (9.0, 9)]);
    }

    #[test]
    fn the_earliest_fit_is_the_first_hole_wide_and_long_enough() {
        let mut profile = profile(2, &[(10.0, 8)]);
        assert_eq!(profile.earliest(2, 100.0), 0.0);
        assert_eq!(profile.earliest(3, 1.0), 10.0);
        profile.reserve(10.0, 20.0, 9);
        assert_eq!(profile.steps().collect::<Vec<_>>(), [(0.0, 2), (10.0, 1), (20.0, 10)]);
        assert_eq!(profile.earliest(2, 10.0), 0.0, "a job may end exactly where a reservation begins");
        assert_eq!(profile.earliest(2, 10.5), 20.0);
        assert_eq!(profile.earliest(1, 1_000.0), 0.0);
    }
}
