//! The profile of a plan: the free processors from now on, as two columns of steps.
//!
//! Plans are made anew all the time and searched from their beginning. Their profiles are too short for an index to
//! pay.

use crate::scheduler::Profile;

/// Where equal jobs were placed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedJobs {
    /// When they begin, seconds.
    pub(super) begin: f64,
    /// How many jobs were placed.
    pub(super) jobs: u32,
    pub(super) first: usize,
}

/// A step function of free processors over [now, infinity). Times strictly increase, the first is now; in the last
/// step all processors are free.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSteps {
    times: Vec<f64>,
    /// How many processors are free in each step.
    free: Vec<u32>,
}

impl FreeSteps {
    /// Copies the profile of the running jobs, whose levels are not below 0.
    pub(super) fn read(&mut self, profile: &Profile) {
        self.times.clear();
        self.free.clear();
        for (time, free) in profile.steps() {
            self.times.push(time);
            self.free.push(free);
        }
    }

    /// Copies another profile.
    pub(super) fn copy_from(&mut self, other: &FreeSteps) {
        self.times.clone_from(&other.times);
        self.free.clone_from(&other.free);
    }

    /// Drops the steps before `now`.
    pub(super) fn advance(&mut self, now: f64) {
        let past = self.times.iter().take_while(|time| **time <= now).count();
        if past > 1 {
            self.times.drain(..past - 1);
            self.free.drain(..past - 1);
        }
        if let Some(first) = self.times.first_mut() {
            *first = now;
        }
    }

    #[inline]
    pub(super) fn time(&self, place: usize) -> f64 {
        self.times[place]
    }

    /// The processors that are free now.
    #[inline]
    pub(super) fn free_now(&self) -> u32 {
        self.free[0]
    }

    /// When the last step begins: from then on all processors are free.
    pub(super) fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The place of the first step at `from` or later with at least `processors` free.
    #[inline]
    pub(super) fn first_with(&self, from: usize, processors: u32) -> usize {
        // nearly always this is one of the first steps
        if self.free[from] >= processors {
            from
        } else {
            from + 1 + first(&self.free[from + 1..], |free| free >= processors)
        }
    }

    #[inline]
    pub(super) fn place_at(&self, from: usize, time: f64) -> usize {
        from + first(&self.times[from..], |begin| begin >= time)
    }

    /// Places the first of `most` equal jobs, and the others that can begin together with it. Each takes `processors`
    /// for `duration` seconds, from the first time at which they are free for so long. The caller knows that this time
    /// is not before the step at the place `from`.
    #[inline]
    pub(super) fn place(&mut self, from: usize, processors: u32, duration: f64, most: u32) -> PlacedJobs {
        let mut begin = self.first_with(from, processors);
        let mut after = begin + 1;
        loop {
            after = self.place_at(after, self.times[begin] + duration);
            let narrow = begin + 1 + first(&self.free[begin + 1..after], |free| free < processors);
            if narrow == after {
                break;
            }
            begin = self.first_with(narrow + 1, processors);
            after = after.max(begin + 1);
        }
        let jobs = match most {
            1 => 1,
            _ => most.min(self.free[begin..after].iter().fold(u32::MAX, |least, &free| least.min(free)) / processors),
        };
        let first = begin;
        let begin = self.times[first];
        self.take(first, after, begin + duration, processors * jobs);
        PlacedJobs { begin, jobs, first }
    }

    /// Takes `processors` from the step at the place `first` up to the time `end`. The step at the place `after` begins
    /// at `end`, or is inserted there.
    #[inline]
    fn take(&mut self, first: usize, after: usize, end: f64, processors: u32) {
        if self.times.get(after).is_none_or(|time| *time != end) {
            self.times.insert(after, end);
            self.free.insert(after, self.free[after - 1]);
        }
        for free in &mut self.free[first..after] {
            *free -= processors;
        }
    }

    /// Takes `processors` from now until `end` if they are free throughout. Returns whether they are.
    pub(super) fn take_now(&mut self, end: f64, processors: u32) -> bool {
        let until = self.times.iter().position(|time| *time >= end).unwrap_or(self.times.len());
        let fits = self.free[..until].iter().all(|free| *free >= processors);
        if fits && until > 0 {
            self.take(0, until, end, processors);
        }
        fits
    }
}

/// The place of the first value for which `holds` is true; the number of values if there is none.
#[inline]
fn first<T: Copy>(values: &[T], holds: impl Fn(T) -> bool) -> usize {
    values.iter().position(|&value| holds(value)).unwrap_or(values.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &FreeSteps) -> Vec<(f64, u32)> {
        of.times.iter().copied().zip(of.free.iter().copied()).collect()
    }

    fn running() -> FreeSteps {
        let mut steps = FreeSteps::default();
        let mut profile = Profile::idle(8.0, 8);
        profile.reserve_until(30.0, 4);
        profile.reserve_until(32.0, 3);
        steps.read(&profile);
        steps
    }

    #[test]
    fn jobs_take_the_first_time_at_which_they_fit() {
        let mut profile = running();
        assert_eq!(steps(&profile), [(8.0, 1), (30.0, 5), (32.0, 8)]);
        let mut begin = |processors, duration| profile.place(0, processors, duration, 1).begin;
        assert_eq!([begin(3, 30.0), begin(3, 40.0), begin(6, 20.0), begin(1, 22.0)], [30.0, 32.0, 72.0, 8.0]);
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 2), (32.0, 2), (60.0, 5), (72.0, 2), (92.0, 8)]);
    }

    #[test]
    fn equal_jobs_are_placed_together() {
        let mut profile = running();
        let placed = profile.place(0, 2, 30.0, 4);
        assert_eq!((placed.begin, placed.jobs), (30.0, 2), "5 processors are free");
        let placed = profile.place(placed.first, 2, 30.0, 2);
        assert_eq!((placed.begin, placed.jobs), (32.0, 2));
        assert_eq!(steps(&profile), [(8.0, 1), (30.0, 1), (32.0, 0), (60.0, 4), (62.0, 8)]);
    }

    #[test]
    fn a_job_starts_now_only_where_it_fits() {
        let mut profile = running();
        profile.place(0, 3, 30.0, 1);
        let before = steps(&profile);
        assert!(!profile.take_now(40.0, 2));
        assert_eq!(steps(&profile), before);
        assert!(profile.take_now(40.0, 1));
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 1), (32.0, 4), (40.0, 5), (60.0, 8)]);
    }

    #[test]
    fn past_steps_are_dropped() {
        let mut profile = running();
        profile.advance(30.0);
        assert_eq!(steps(&profile), [(30.0, 5), (32.0, 8)]);
        profile.advance(31.0);
        assert_eq!((profile.free_now(), profile.end(), profile.first_with(0, 6)), (5, 32.0, 1));
    }
}
