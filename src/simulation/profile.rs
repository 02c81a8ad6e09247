//! The reservation profile: free processors from now on, as a step function of time.

use super::Release;
use std::ops::Range;

/// A step function of free processors over [now, infinity).
///
/// Invariants: at least one step, once rebuilt; times strictly increase, the first is now; after the
/// last step nothing changes.
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
            } else if let Some(free) = self.free.last_mut() {
                *free = level;
            }
        }
    }

    /// The steps: from which time on how many processors are free.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.times.iter().copied().zip(self.free.iter().copied())
    }

    /// Time has passed: what was before `now` is forgotten.
    pub fn advance(&mut self, now: f64) {
        let past = self.times.partition_point(|&t| t <= now);
        if past > 1 {
            self.times.drain(..past - 1);
            self.free.drain(..past - 1);
        }
        if let Some(first) = self.times.first_mut() {
            *first = now;
        }
    }

    /// The first time from which `processors` are free for `duration`.
    ///
    /// There is always one where `processors` is at most the machine's size.
    pub fn earliest(&self, processors: u32, duration: f64) -> f64 {
        self.times[self.earliest_steps(processors, duration).start]
    }

    /// Reserves `processors` for `duration` at the earliest time: when that begins, and when it ends.
    pub fn place(&mut self, processors: u32, duration: f64) -> (f64, f64) {
        let steps = self.earliest_steps(processors, duration);
        let begin = self.times[steps.start];
        let end = begin + duration;
        self.take(steps, end, processors);
        (begin, end)
    }

    /// Takes `processors`, which must be free, from now until `end`.
    pub fn take_now(&mut self, end: f64, processors: u32) {
        let last = self.times.iter().position(|&t| t >= end).unwrap_or(self.times.len());
        self.take(0..last, end, processors);
    }

    /// The steps that overlap with the earliest span of `duration` with `processors` free.
    fn earliest_steps(&self, processors: u32, duration: f64) -> Range<usize> {
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
                    return begin..i;
                }
                if free[i] < processors {
                    begin = i + 1;
                    break;
                }
                i += 1;
            }
        }
    }

    /// Takes `processors` over these steps, of which the last is cut at `end`.
    fn take(&mut self, steps: Range<usize>, end: f64, processors: u32) {
        let Range { start, end: after } = steps;
        let level = self.free[after - 1];
        for free in &mut self.free[start..after] {
            debug_assert!(*free >= processors);
            *free -= processors;
        }
        if self.times.get(after) != Some(&end) {
            self.times.insert(after, end);
            self.free.insert(after, level);
        }
    }

    /// Gives back what was reserved over [begin, end), or what is left of that from now on.
    pub fn release(&mut self, begin: f64, end: f64, processors: u32) {
        self.change(begin, end, |free| free + processors);
    }

    /// Reserves `processors`, which must be free, over [begin, end), or what is left of that from now on.
    pub fn reserve(&mut self, begin: f64, end: f64, processors: u32) {
        self.change(begin, end, |free| free - processors);
    }

    /// Whether `processors` are free over [begin, end), where `begin` is not before now.
    pub fn has_free(&self, begin: f64, end: f64, processors: u32) -> bool {
        let first = self.times.partition_point(|&t| t <= begin) - 1;
        self.first_narrow_before(first, end, processors) == self.times.len()
    }

    /// The first time before `begin` to which a reservation of `processors` over
    /// [begin, begin + duration) could move, its own processors being free for it.
    pub fn earlier(&self, processors: u32, duration: f64, begin: f64) -> Option<f64> {
        let mut i = 0;
        while i < self.times.len() && self.times[i] < begin {
            // from `begin` on there is room: it is there already
            let until = begin.min(self.times[i] + duration);
            let narrow = self.first_narrow_before(i, until, processors);
            if narrow == self.times.len() {
                return Some(self.times[i]);
            }
            i = narrow + 1;
        }
        None
    }

    /// Whether a reservation of `processors` over [begin, begin + duration) could move to now, its own
    /// processors being free for it.
    pub fn could_begin_now(&self, processors: u32, duration: f64, begin: f64) -> bool {
        let until = begin.min(self.times[0] + duration);
        self.first_narrow_before(0, until, processors) == self.times.len()
    }

    /// The first step from `first` on that begins before `until` and has fewer than `processors` free;
    /// the number of steps where there is none.
    fn first_narrow_before(&self, first: usize, until: f64, processors: u32) -> usize {
        for i in first..self.times.len() {
            if self.times[i] >= until {
                break;
            }
            if self.free[i] < processors {
                return i;
            }
        }
        self.times.len()
    }

    /// Changes the level over [begin, end), or over what is left of that from now on.
    fn change(&mut self, begin: f64, end: f64, level: impl Fn(u32) -> u32) {
        if end <= self.times[0] {
            return;
        }
        let first = self.split(begin.max(self.times[0]));
        let last = self.split(end);
        for free in &mut self.free[first..last] {
            *free = level(*free);
        }
        self.merge(last);
        self.merge(first);
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

    /// Takes out a step that changes nothing.
    fn merge(&mut self, i: usize) {
        if i > 0 && self.free[i] == self.free[i - 1] {
            self.times.remove(i);
            self.free.remove(i);
        }
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

    fn steps(profile: &Profile) -> Vec<(f64, u32)> {
        profile.steps().collect()
    }

    #[test]
    fn running_jobs_free_their_processors_one_after_another() {
        assert_eq!(steps(&profile(2, &[(5.0, 1), (5.0, 2), (9.0, 4)])), [(0.0, 2), (5.0, 5), (9.0, 9)]);
    }

    #[test]
    fn the_earliest_fit_is_the_first_hole_wide_and_long_enough() {
        let mut profile = profile(2, &[(10.0, 8)]);
        assert_eq!(profile.earliest(2, 100.0), 0.0);
        assert_eq!(profile.earliest(3, 1.0), 10.0);
        assert_eq!(profile.place(9, 10.0), (10.0, 20.0));
        assert_eq!(steps(&profile), [(0.0, 2), (10.0, 1), (20.0, 10)]);
        assert_eq!(profile.earliest(2, 10.0), 0.0, "a job may end exactly where a reservation begins");
        assert_eq!(profile.earliest(2, 10.5), 20.0);
        assert_eq!(profile.earliest(1, 1_000.0), 0.0);
    }

    #[test]
    fn what_is_released_is_as_if_it_had_never_been_reserved() {
        let mut profile = profile(2, &[(10.0, 8), (20.0, 2)]);
        let before = steps(&profile);
        let first = profile.place(9, 5.0);
        let second = profile.place(3, 10.0);
        assert_eq!((first, second), ((10.0, 15.0), (15.0, 25.0)));
        profile.take_now(3.0, 1);
        profile.release(0.0, 3.0, 1);
        profile.release(15.0, 25.0, 3);
        profile.release(10.0, 15.0, 9);
        assert_eq!(steps(&profile), before);
    }

    #[test]
    fn a_reservation_moves_as_if_its_own_processors_were_free() {
        let mut profile = profile(4, &[(10.0, 6)]);
        profile.reserve(10.0, 30.0, 8);
        profile.reserve(30.0, 50.0, 4);
        assert!(profile.has_free(0.0, 50.0, 2) && !profile.has_free(9.0, 11.0, 3) && profile.has_free(30.0, 90.0, 6));
        assert_eq!(profile.earlier(8, 20.0, 10.0), None);
        assert_eq!(profile.earlier(4, 20.0, 30.0), None, "two processors are too few until 30");
        profile.release(10.0, 30.0, 8);
        assert_eq!(profile.earlier(4, 40.0, 30.0), Some(0.0), "it overlaps with where it was");
        assert_eq!(profile.earlier(5, 20.0, 30.0), Some(10.0));
        assert!(profile.could_begin_now(4, 20.0, 30.0) && !profile.could_begin_now(5, 20.0, 30.0));
        profile.advance(40.0);
        profile.release(30.0, 40.0, 4);
        assert_eq!(steps(&profile), [(40.0, 6), (50.0, 10)], "what is past does not matter");
    }

    #[test]
    fn time_passes() {
        let mut profile = profile(2, &[(10.0, 8), (20.0, 2)]);
        profile.advance(5.0);
        assert_eq!(steps(&profile), [(5.0, 2), (10.0, 10), (20.0, 12)]);
        profile.advance(10.0);
        assert_eq!(steps(&profile), [(10.0, 10), (20.0, 12)]);
        profile.advance(30.0);
        assert_eq!(steps(&profile), [(30.0, 12)]);
    }
}
