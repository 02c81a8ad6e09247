//! The reservation profile as a list of steps: what is free from each time on, until the next.

use crate::machine::{Need, Placement};
use crate::model::{Needs, Release, View, Waiting};

/// What is free, from now on: a step function of time, in as many amounts as the machine has resources in cells. On one
/// number of processors that is one.
#[derive(Clone, Debug)]
pub(super) struct Profile<'a> {
    needs: Needs<'a>,
    /// From when on what is free, until the time of the next step. Times increase; the first is now. What is below 0
    /// drains: jobs run where nodes have gone, or will have.
    steps: Vec<(f64, Vec<i64>)>,
}

impl<'a> Profile<'a> {
    /// The empty machine as it is now, and as it will be by what is announced.
    pub(super) fn idle(view: &'a View<'_>) -> Self {
        let mut profile = Profile { needs: view.needs(), steps: vec![(view.now() as f64, view.capacity())] };
        for step in view.announced() {
            profile.change(step.at as f64, f64::INFINITY, |free| {
                free.iter_mut().zip(&step.more).for_each(|(free, more)| *free += more);
            });
        }
        profile
    }

    /// What running jobs leave free if they end when they are expected to.
    pub(super) fn of_running(view: &'a View<'_>) -> Self {
        let mut profile = Profile::idle(view);
        for release in view.running() {
            profile.hold(&release, view, release.at);
        }
        profile
    }

    /// The first time, not before `from`, from which a job fits for `duration` seconds. Infinity where it never does, as
    /// far as is known.
    ///
    /// It is `from` or the beginning of a step.
    pub(super) fn earliest(&self, job: &Waiting, duration: f64, from: f64) -> f64 {
        let later = self.steps.iter().map(|&(time, _)| time).filter(|&time| time > from);
        let mut candidates = std::iter::once(from).chain(later);
        candidates.find(|&start| self.fits(job, start, start + duration)).unwrap_or(f64::INFINITY)
    }

    /// Whether a job fits over [from, until).
    pub(super) fn fits(&self, job: &Waiting, from: f64, until: f64) -> bool {
        self.place(job, from, until).is_some()
    }

    /// In which cells a job is put that runs over [from, until), if it fits: parts do not move, so that a cell holds as
    /// many as fit into the least of what is free there.
    pub(super) fn place(&self, job: &Waiting, from: f64, until: f64) -> Option<Placement> {
        let Need { parts, shape, .. } = self.needs.of_waiting(job);
        let begin = self.steps.partition_point(|&(time, _)| time <= from).saturating_sub(1);
        let mut during = self.steps[begin..].iter().take_while(|&&(time, _)| time < until).map(|(_, free)| free);
        let mut least = during.next()?.clone();
        for free in during {
            least.iter_mut().zip(free).for_each(|(least, &free)| *least = free.min(*least));
            if !shape.fits(parts, &least) {
                return None;
            }
        }
        shape.place(parts, &least)
    }

    /// Takes what a job holds that runs there over [from, until).
    pub(super) fn reserve(&mut self, job: &Waiting, placement: &Placement, from: f64, until: f64) {
        let need = self.needs.of_waiting(job);
        self.change(from, until, |free| need.shape.take(placement, free, 1));
    }

    /// Reserves for a job at the first time, not before `from`, from which it fits for as long as it is estimated to run.
    /// When that is; infinity, and no reservation, where it never fits as far as is known.
    pub(super) fn reserve_earliest(&mut self, job: &Waiting, from: f64) -> f64 {
        let start = self.earliest(job, job.estimate, from);
        if let Some(placement) = self.place(job, start, start + job.estimate) {
            self.reserve(job, &placement, start, start + job.estimate);
        }
        start
    }

    /// Takes what a running job holds until then.
    pub(super) fn hold(&mut self, release: &Release, view: &View, until: f64) {
        let need = self.needs.of(release.job, release.processors);
        let placement = view.placement(release);
        self.change(view.now() as f64, until, |free| need.shape.take(&placement, free, 1));
    }

    /// Gives back what was reserved for a job.
    pub(super) fn release(&mut self, job: &Waiting, placement: &Placement, from: f64, until: f64) {
        let need = self.needs.of_waiting(job);
        self.change(from, until, |free| need.shape.take(placement, free, -1));
    }

    fn change(&mut self, from: f64, until: f64, change: impl Fn(&mut [i64])) {
        if until <= from {
            return;
        }
        self.split(from);
        if until < f64::INFINITY {
            self.split(until);
        }
        for (_, free) in self.steps.iter_mut().filter(|(time, _)| (from..until).contains(time)) {
            change(free);
        }
    }

    /// Makes a step begin at `time`, which is not in the past.
    fn split(&mut self, time: f64) {
        let after = self.steps.partition_point(|&(begin, _)| begin <= time);
        let (begin, free) = &self.steps[after - 1];
        if *begin < time {
            let free = free.clone();
            self.steps.insert(after, (time, free));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::test_jobs::workload;
    use crate::workload::JobId;

    #[test]
    fn a_job_is_placed_where_its_processors_are_free_for_as_long_as_it_takes() {
        let workload = workload(4, &[(10, 1, 1, 1)]);
        let mut view = View::new(&workload, vec![1.0]);
        view.advance(10);
        let mut profile = Profile::idle(&view);
        let job = |processors| Waiting { job: JobId(0), submit: 10, processors, estimate: 1.0 };
        let reserve = |profile: &mut Profile, processors: u32, from: f64, until: f64| {
            profile.reserve(&job(processors), &Placement::of_one_cell(processors), from, until);
        };
        reserve(&mut profile, 3, 10.0, 20.0);
        reserve(&mut profile, 4, 25.0, 30.0);
        let free: Vec<(f64, i64)> = profile.steps.iter().map(|(time, free)| (*time, free[0])).collect();
        assert_eq!(free, [(10.0, 1), (20.0, 4), (25.0, 0), (30.0, 4)]);
        assert_eq!(profile.earliest(&job(1), 15.0, 10.0), 10.0);
        assert_eq!(profile.earliest(&job(1), 15.5, 10.0), 30.0);
        assert_eq!(profile.earliest(&job(2), 5.0, 10.0), 20.0);
        assert_eq!(profile.earliest(&job(2), 3.0, 21.5), 21.5);
        assert_eq!(profile.place(&job(4), 20.0, 25.0), Some(Placement::of_one_cell(4)));
        assert_eq!(profile.place(&job(4), 20.0, 25.5), None);
        profile.release(&job(4), &Placement::of_one_cell(4), 25.0, 30.0);
        assert_eq!(profile.earliest(&job(2), 1e9, 10.0), 20.0);
        assert_eq!(profile.earliest(&job(5), 1.0, 10.0), f64::INFINITY);
        assert_eq!(profile.reserve_earliest(&job(5), 10.0), f64::INFINITY);
        assert_eq!(profile.reserve_earliest(&job(4), 10.0), 20.0);
        assert_eq!(profile.earliest(&job(1), 1.0, 20.0), 21.0);
    }
}
