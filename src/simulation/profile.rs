//! The reservation profile: free processors from now on, as a step function of time.

use super::Release;
use std::ops::Range;

/// A step function of free processors over [now, infinity).
///
/// Invariants: at least one step, once rebuilt; times strictly increase, the first is now; after the
/// last step nothing changes.
#[derive(Debug, Default)]
pub struct Profile {
    times: Vec<f64>,
    free: Vec<u32>,
}

/// A span of time over which processors are free.
#[derive(Debug)]
pub struct Span {
    /// When it begins.
    pub begin: f64,
    /// When it ends.
    pub end: f64,
    /// The steps with which it overlaps.
    steps: Range<usize>,
}

impl Span {
    /// The step at which it begins.
    pub fn first_step(&self) -> usize {
        self.steps.start
    }
}

impl Clone for Profile {
    fn clone(&self) -> Self {
        Profile { times: self.times.clone(), free: self.free.clone() }
    }

    /// Keeps its memory.
    fn clone_from(&mut self, other: &Self) {
        self.times.clone_from(&other.times);
        self.free.clone_from(&other.free);
    }
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

    /// All `processors` are free, from `now` on.
    pub fn idle(now: f64, processors: u32) -> Self {
        Profile { times: vec![now], free: vec![processors] }
    }

    /// Whether it has never been made.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The steps: from which time on how many processors are free.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.times.iter().copied().zip(self.free.iter().copied())
    }

    /// Time has passed: what was before `now` is forgotten.
    pub fn advance(&mut self, now: f64) {
        // few steps are past
        let past = self.times.iter().skip(1).take_while(|&&at| at <= now).count();
        if past > 0 {
            self.times.drain(..past);
            self.free.drain(..past);
        }
        if let Some(first) = self.times.first_mut() {
            *first = now;
        }
    }

    /// The first time from which `processors` are free for `duration`.
    ///
    /// There is always one where `processors` is at most the machine's size.
    pub fn earliest(&self, processors: u32, duration: f64) -> f64 {
        let span = self.earliest_before(f64::INFINITY, processors, duration);
        span.map_or(f64::INFINITY, |span| span.begin)
    }

    /// The earliest span of `duration` with `processors` free, if it begins before `until`.
    pub fn earliest_before(&self, until: f64, processors: u32, duration: f64) -> Option<Span> {
        self.earliest_from(0, until, processors, duration)
    }

    /// The same, where it is known that none begins before the step `first`.
    pub fn earliest_from(&self, mut first: usize, until: f64, processors: u32, duration: f64) -> Option<Span> {
        let (times, free) = (&self.times[..], &self.free[..]);
        loop {
            while *free.get(first)? < processors {
                first += 1;
            }
            let begin = times[first];
            if begin >= until {
                return None;
            }
            let end = begin + duration;
            let mut i = first + 1;
            loop {
                if i == times.len() || times[i] >= end {
                    return Some(Span { begin, end, steps: first..i });
                }
                if free[i] < processors {
                    first = i + 1;
                    break;
                }
                i += 1;
            }
        }
    }

    /// Takes `processors` over a span that was just found for them. The fewest that are free in it afterwards.
    pub fn take(&mut self, span: Span, processors: u32) -> u32 {
        let Range { start, end: after } = span.steps;
        let level = self.free[after - 1];
        let mut least = level;
        for free in &mut self.free[start..after] {
            debug_assert!(*free >= processors);
            *free -= processors;
            least = least.min(*free);
        }
        if self.times.get(after) != Some(&span.end) {
            self.times.insert(after, span.end);
            self.free.insert(after, level);
        }
        least
    }

    /// Reserves `processors` for `duration` at the earliest time: when that begins, and when it ends.
    pub fn place(&mut self, processors: u32, duration: f64) -> (f64, f64) {
        let Some(span) = self.earliest_before(f64::INFINITY, processors, duration) else {
            debug_assert!(false, "{processors} processors are more than there are");
            return (f64::INFINITY, f64::INFINITY);
        };
        let (begin, end) = (span.begin, span.end);
        self.take(span, processors);
        (begin, end)
    }

    /// The most processors that are free at any time before `until`, which is after now.
    pub fn most_before(&self, until: f64) -> u32 {
        let steps = self.steps().take_while(|&(at, _)| at < until);
        steps.map(|(_, free)| free).max().unwrap_or(0)
    }

    /// The first time at which `processors` are free, and how many are then.
    pub fn first_with(&self, processors: u32) -> Option<(f64, u32)> {
        self.steps().find(|&(_, free)| free >= processors)
    }

    /// Reserves `processors`, which must be free, from now until `end`.
    pub fn reserve_until(&mut self, end: f64, processors: u32) {
        self.change_until(end, |free| free - processors);
    }

    /// Gives back what was reserved from now, or before, until `end`.
    pub fn release_until(&mut self, end: f64, processors: u32) {
        self.change_until(end, |free| free + processors);
    }

    fn change_until(&mut self, end: f64, level: impl Fn(u32) -> u32) {
        if end > self.times[0] {
            let last = self.split(end);
            for free in &mut self.free[..last] {
                *free = level(*free);
            }
            self.merge(last);
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

    /// What is reserved until `from` is now reserved until `to`.
    pub fn move_end(&mut self, from: f64, to: f64, processors: u32) {
        if from < to {
            self.reserve(from, to, processors);
        } else {
            self.release(to, from, processors);
        }
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
        if end <= self.times[0] || end <= begin {
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

    /// How many steps begin before `at`.
    fn before(&self, at: f64) -> usize {
        // a short profile is counted sooner than searched
        if self.times.len() <= 64 {
            self.times.iter().map(|&t| usize::from(t < at)).sum()
        } else {
            self.times.partition_point(|&t| t < at)
        }
    }

    /// The index of the step that begins at `at`, which is made if there is none.
    fn split(&mut self, at: f64) -> usize {
        let i = self.before(at);
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
        profile.reserve(0.0, 3.0, 1);
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
