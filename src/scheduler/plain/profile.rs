//! The reservation profile as a list of steps: how many processors are free from each time on, until the next.

use crate::model::View;

/// How many processors are free, from now on: a step function of time.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// From which time on how many processors are free, until the time of the next step. Times increase; the first
    /// is now.
    steps: Vec<(f64, u32)>,
}

impl Profile {
    /// All `processors` are free from `now` on.
    pub(super) fn idle(now: f64, processors: u32) -> Self {
        Profile { steps: vec![(now, processors)] }
    }

    /// What running jobs leave free if they end when they are expected to.
    pub(super) fn of_running(view: &View) -> Self {
        let mut profile = Profile::idle(view.now() as f64, view.processors());
        for release in view.running() {
            profile.reserve(release.processors, view.now() as f64, release.at);
        }
        profile
    }

    /// The first time, not before `from`, from which `processors` are free for `duration` seconds.
    ///
    /// It is `from` or the beginning of a step, and there is one where the machine has that many processors.
    pub(super) fn earliest(&self, processors: u32, duration: f64, from: f64) -> f64 {
        let later = self.steps.iter().map(|&(time, _)| time).filter(|&time| time > from);
        let mut candidates = std::iter::once(from).chain(later);
        candidates.find(|&start| self.is_free(processors, start, start + duration)).unwrap_or(f64::INFINITY)
    }

    /// Whether `processors` are free all the time over [from, until).
    pub(super) fn is_free(&self, processors: u32, from: f64, until: f64) -> bool {
        let mut ends = self.steps.iter().skip(1).map(|&(time, _)| time).chain([f64::INFINITY]);
        self.steps.iter().all(|&(begin, free)| {
            // there is an end to each step
            let end = ends.next().unwrap_or(f64::INFINITY);
            end <= from || begin >= until || free >= processors
        })
    }

    /// Takes `processors`, which are free, over [from, until).
    pub(super) fn reserve(&mut self, processors: u32, from: f64, until: f64) {
        self.change(from, until, |free| free - processors);
    }

    /// Gives back `processors` that were reserved over [from, until).
    pub(super) fn release(&mut self, processors: u32, from: f64, until: f64) {
        self.change(from, until, |free| free + processors);
    }

    fn change(&mut self, from: f64, until: f64, level: impl Fn(u32) -> u32) {
        if until <= from {
            return;
        }
        self.split(from);
        self.split(until);
        for (_, free) in self.steps.iter_mut().filter(|(time, _)| (from..until).contains(time)) {
            *free = level(*free);
        }
    }

    /// Makes a step begin at `time`, which is not in the past.
    fn split(&mut self, time: f64) {
        let after = self.steps.partition_point(|&(begin, _)| begin <= time);
        let (begin, free) = self.steps[after - 1];
        if begin < time {
            self.steps.insert(after, (time, free));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_placed_where_its_processors_are_free_for_as_long_as_it_takes() {
        let mut profile = Profile::idle(10.0, 4);
        profile.reserve(3, 10.0, 20.0);
        profile.reserve(4, 25.0, 30.0);
        assert_eq!(profile.steps, [(10.0, 1), (20.0, 4), (25.0, 0), (30.0, 4)]);
        assert_eq!(profile.earliest(1, 15.0, 10.0), 10.0);
        assert_eq!(profile.earliest(1, 15.5, 10.0), 30.0);
        assert_eq!(profile.earliest(2, 5.0, 10.0), 20.0);
        assert_eq!(profile.earliest(2, 3.0, 21.5), 21.5);
        profile.release(4, 25.0, 30.0);
        assert_eq!(profile.earliest(2, 1e9, 10.0), 20.0);
        assert_eq!(profile.earliest(5, 1.0, 10.0), f64::INFINITY);
    }
}
