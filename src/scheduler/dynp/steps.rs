//! The profile of a plan: free processors from now on, as one flat row of steps that keeps its memory.
//!
//! Plans are made anew all the time, and searched from their beginning. In a row so short nothing is gained by
//! knowing more of it than its steps.

/// From when on how many processors are free.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    time: f64,
    free: u32,
}

/// A step function of free processors over [now, infinity). Times strictly increase, the first is now; in the last
/// step all processors are free.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    steps: Vec<Step>,
}

impl Steps {
    /// Makes it of running jobs: `free` processors are free at `now`, and more as jobs are expected to end, the
    /// soonest first and none before `now`.
    pub(super) fn rebuild(&mut self, now: f64, free: u32, releases: impl Iterator<Item = (f64, u32)>) {
        self.steps.clear();
        let mut last = Step { time: now, free };
        for (time, processors) in releases {
            if time > last.time {
                self.steps.push(last);
                last.time = time;
            }
            last.free += processors;
        }
        self.steps.push(last);
    }

    /// Becomes the same as another.
    pub(super) fn copy_from(&mut self, other: &Steps) {
        self.steps.clear();
        self.steps.extend_from_slice(&other.steps);
    }

    /// Time has passed: what was before `now` is forgotten.
    pub(super) fn advance(&mut self, now: f64) {
        let past = self.steps.iter().take_while(|step| step.time <= now).count();
        if past > 1 {
            self.steps.drain(..past - 1);
        }
        if let Some(first) = self.steps.first_mut() {
            first.time = now;
        }
    }

    /// When the step at a place begins.
    #[inline]
    pub(super) fn time(&self, place: usize) -> f64 {
        self.steps[place].time
    }

    /// Processors that are free now.
    #[inline]
    pub(super) fn free_now(&self) -> u32 {
        self.steps[0].free
    }

    /// When the last step begins: from then on all processors are free.
    pub(super) fn end(&self) -> f64 {
        self.steps.last().map_or(f64::NEG_INFINITY, |last| last.time)
    }

    /// The place of the first step from the place `from` on in which at least `processors` are free.
    #[inline]
    pub(super) fn first_with(&self, from: usize, processors: u32) -> usize {
        let found = self.steps[from..].iter().position(|step| step.free >= processors);
        from + found.unwrap_or(0) // in the last step all are
    }

    /// Takes `processors` for `duration` from the first time on at which they are free for so long; it is known not to
    /// be before the step at the place `from`. The place of the step with which that begins.
    #[inline]
    pub(super) fn place(&mut self, from: usize, processors: u32, duration: f64) -> usize {
        let mut first = from;
        let after = 'search: loop {
            while self.steps[first].free < processors {
                first += 1;
            }
            let end = self.steps[first].time + duration;
            for (offset, step) in self.steps[first + 1..].iter().enumerate() {
                if step.time >= end {
                    break 'search first + 1 + offset;
                }
                if step.free < processors {
                    first += offset + 2;
                    continue 'search;
                }
            }
            break self.steps.len();
        };
        let end = self.steps[first].time + duration;
        self.take(first, after, end, processors);
        first
    }

    /// Takes `processors` from the step at the place `first` up to `end`, where the step at the place `after` begins or
    /// is to begin.
    #[inline]
    fn take(&mut self, first: usize, after: usize, end: f64, processors: u32) {
        if self.steps.get(after).is_none_or(|step| step.time != end) {
            let free = self.steps[after - 1].free;
            self.steps.insert(after, Step { time: end, free });
        }
        for step in &mut self.steps[first..after] {
            step.free -= processors;
        }
    }

    /// Takes `processors` from now until `end`, if they are free throughout. Whether they are.
    pub(super) fn take_now(&mut self, end: f64, processors: u32) -> bool {
        let until = self.steps.iter().position(|step| step.time >= end).unwrap_or(self.steps.len());
        let fits = self.steps[..until].iter().all(|step| step.free >= processors);
        if fits && until > 0 {
            self.take(0, until, end, processors);
        }
        fits
    }

    /// Gives back what was taken from `begin` until `end`, between which the profile has not changed since.
    pub(super) fn give_back(&mut self, begin: f64, end: f64, processors: u32) {
        let first = self.steps.partition_point(|step| step.time < begin);
        let after = first + self.steps[first..].partition_point(|step| step.time < end);
        for step in &mut self.steps[first..after] {
            step.free += processors;
        }
        if after < self.steps.len() && self.steps[after - 1].free == self.steps[after].free {
            self.steps.remove(after);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &Steps) -> Vec<(f64, u32)> {
        of.steps.iter().map(|step| (step.time, step.free)).collect()
    }

    fn running() -> Steps {
        let mut steps = Steps::default();
        steps.rebuild(8.0, 1, [(30.0, 4), (32.0, 3), (32.0, 0)].into_iter());
        steps
    }

    #[test]
    fn jobs_take_the_first_time_at_which_they_fit() {
        let mut profile = running();
        assert_eq!(steps(&profile), [(8.0, 1), (30.0, 5), (32.0, 8)]);
        let mut begin = |processors, duration| {
            let first = profile.place(0, processors, duration);
            profile.time(first)
        };
        assert_eq!([begin(3, 30.0), begin(3, 40.0), begin(6, 20.0), begin(1, 22.0)], [30.0, 32.0, 72.0, 8.0]);
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 2), (32.0, 2), (60.0, 5), (72.0, 2), (92.0, 8)]);
    }

    #[test]
    fn what_is_given_back_was_never_taken() {
        let mut profile = running();
        profile.place(0, 3, 30.0);
        let before = steps(&profile);
        let first = profile.place(0, 6, 15.0);
        let begin = profile.time(first);
        profile.give_back(begin, begin + 15.0, 6);
        assert_eq!(steps(&profile), before);
        assert!(!profile.take_now(40.0, 2) && profile.take_now(40.0, 1));
        profile.give_back(8.0, 40.0, 1);
        assert_eq!(steps(&profile), before);
    }

    #[test]
    fn what_is_past_is_forgotten() {
        let mut profile = running();
        profile.advance(30.0);
        assert_eq!(steps(&profile), [(30.0, 5), (32.0, 8)]);
        profile.advance(31.0);
        assert_eq!((profile.free_now(), profile.end(), profile.first_with(0, 6)), (5, 32.0, 1));
    }
}
