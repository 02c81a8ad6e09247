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

/// Where a job was placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// When it begins.
    pub(super) begin: f64,
    /// The place of the step with which it begins.
    pub(super) first: usize,
    /// The place of the first step in which so many processors were free.
    pub(super) wide: usize,
    /// Where a step was inserted, if one was.
    pub(super) inserted: Option<usize>,
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

    /// At least what jobs amount to that are yet to be placed: the sum of their widths times their waits from now on,
    /// however they are placed. `jobs` come by ascending estimate.
    ///
    /// Jobs that could be split at will would wait least in this order (W. E. Smith, "Various optimizers for
    /// single-stage production", 1956): as weights are widths, what counts by area is 1 / E. A job that runs in one
    /// piece starts half its estimate before the middle of its area.
    pub(super) fn least_waits(&self, jobs: impl Iterator<Item = (f64, u32)>) -> f64 {
        let now = self.steps[0].time;
        let (mut place, mut time, mut sum) = (0, 0.0, 0.0);
        for (estimate, processors) in jobs {
            let width = f64::from(processors);
            let mut area = width * estimate;
            let mut moment = 0.0;
            loop {
                let free = f64::from(self.steps[place].free);
                let end = self.steps.get(place + 1).map_or(f64::INFINITY, |next| next.time - now);
                if free * (end - time) >= area {
                    let length = area / free;
                    moment += area * (time + length / 2.0);
                    time += length;
                    break;
                }
                let part = free * (end - time);
                moment += part * (time + end) / 2.0;
                area -= part;
                (place, time) = (place + 1, end);
            }
            sum += moment / estimate - width * estimate / 2.0;
        }
        sum
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
    /// be before the step at the place `from`.
    #[inline]
    pub(super) fn place(&mut self, from: usize, processors: u32, duration: f64) -> Placed {
        let mut first = self.first_with(from, processors);
        let wide = first;
        let after = 'search: loop {
            let end = self.steps[first].time + duration;
            for (offset, step) in self.steps[first + 1..].iter().enumerate() {
                if step.time >= end {
                    break 'search first + 1 + offset;
                }
                if step.free < processors {
                    first = self.first_with(first + offset + 2, processors);
                    continue 'search;
                }
            }
            break self.steps.len();
        };
        let begin = self.steps[first].time;
        let inserted = self.take(first, after, begin + duration, processors).then_some(after);
        Placed { begin, first, wide, inserted }
    }

    /// Takes `processors` from the step at the place `first` up to `end`, where the step at the place `after` begins or
    /// is to begin. Whether that one is new.
    #[inline]
    fn take(&mut self, first: usize, after: usize, end: f64, processors: u32) -> bool {
        let is_new = self.steps.get(after).is_none_or(|step| step.time != end);
        if is_new {
            let free = self.steps[after - 1].free;
            self.steps.insert(after, Step { time: end, free });
        }
        for step in &mut self.steps[first..after] {
            step.free -= processors;
        }
        is_new
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
        let mut begin = |processors, duration| profile.place(0, processors, duration).begin;
        assert_eq!([begin(3, 30.0), begin(3, 40.0), begin(6, 20.0), begin(1, 22.0)], [30.0, 32.0, 72.0, 8.0]);
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 2), (32.0, 2), (60.0, 5), (72.0, 2), (92.0, 8)]);
    }

    #[test]
    fn waits_are_never_less_than_their_bound() {
        let jobs = [(20.0, 6), (30.0, 3), (40.0, 3)]; // by estimate
        let bound = running().least_waits(jobs.into_iter());
        let mut least = f64::INFINITY;
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut profile = running();
            let waits = order.map(|i| f64::from(jobs[i].1) * (profile.place(0, jobs[i].1, jobs[i].0).begin - 8.0));
            least = least.min(waits.iter().sum());
        }
        assert!(bound > 0.0 && bound <= least, "{bound} {least}");
        let mut one = Steps::default();
        one.rebuild(0.0, 0, [(10.0, 1)].into_iter());
        assert_eq!(one.least_waits([(5.0, 1), (7.0, 1)].into_iter()), 25.0, "10 and 15 on one processor");
    }

    #[test]
    fn a_job_starts_now_only_where_it_fits() {
        let mut profile = running();
        profile.place(0, 3, 30.0);
        let before = steps(&profile);
        assert!(!profile.take_now(40.0, 2));
        assert_eq!(steps(&profile), before);
        assert!(profile.take_now(40.0, 1));
        assert_eq!(steps(&profile), [(8.0, 0), (30.0, 1), (32.0, 4), (40.0, 5), (60.0, 8)]);
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
