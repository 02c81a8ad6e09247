//! The reservation profile as a list of steps: what is free from each time until the next. Scripts reserve in the amounts
//! of it, and [`crate::Profile`] is the fast one of machines that are one number of processors.

use packfair_base::machine::{Need, Placement};
use packfair_engine::model::{ClusterState, Needs, Release, View, Waiting};
use packfair_workload::JobId;

/// What is free from now on, as a step function of time. It knows the needs of the jobs that wait or run at present.
#[derive(Clone, Debug)]
pub(crate) struct Profile<'a> {
    needs: Needs<'a>,
    free: FreeAmounts,
    /// The cells, where idle nodes are switched off: a job that starts now may have to wait for its nodes to boot.
    cells: Option<&'a ClusterState<'a>>,
    /// For how many seconds more the reserved jobs hold their nodes that boot for them.
    boots: Vec<(JobId, f64)>,
}

impl<'a> Profile<'a> {
    /// The empty machine as it is now and as it will be by what is announced.
    pub(crate) fn idle(view: &'a View<'a>) -> Self {
        Profile { needs: view.needs(), free: FreeAmounts::idle(view), cells: booting(view), boots: Vec::new() }
    }

    /// What running jobs leave free if they end when they are expected to.
    pub(crate) fn of_running(view: &'a View<'a>) -> Self {
        Profile { needs: view.needs(), free: FreeAmounts::of_running(view), cells: booting(view), boots: Vec::new() }
    }

    /// The first time, not before `from`, from which a job fits for `duration` seconds; infinity where it never fits,
    /// as far as is known.
    ///
    /// It is `from` or the beginning of a step.
    pub(crate) fn earliest(&self, job: &Waiting, duration: f64, from: f64) -> f64 {
        let need = self.needs.of_waiting(job);
        let start = self.free.earliest(need, duration, from);
        if self.cells.is_none() || start > self.free.now().0 || self.place(job, start, start + duration).is_some() {
            return start;
        }
        // it fits now, but not for as long as it takes with the boot of its nodes: not before something else ends
        let next = self.free.steps().map(|(time, _)| time).find(|&time| time > start);
        next.map_or(f64::INFINITY, |next| self.free.earliest(need, duration, next))
    }

    /// In which cells a job runs over [from, until), if it fits.
    pub(crate) fn place(&self, job: &Waiting, from: f64, until: f64) -> Option<Placement> {
        let need = self.needs.of_waiting(job);
        let placement = self.free.place(need, from, until)?;
        match self.boot(need, &placement, from) {
            0.0 => Some(placement),
            boot => self.free.place(need, from, until + boot),
        }
    }

    /// The seconds that a job which starts at `from` in these cells waits for its nodes to boot. It is known of now.
    fn boot(&self, need: Need, placement: &Placement, from: f64) -> f64 {
        let Some(cells) = self.cells else { return 0.0 };
        let (now, free) = self.free.now();
        if from > now { 0.0 } else { cells.boot_of(need, placement, free) as f64 }
    }

    /// Takes what a job with this placement holds over [from, until).
    pub(crate) fn reserve(&mut self, job: &Waiting, placement: &Placement, from: f64, until: f64) {
        let need = self.needs.of_waiting(job);
        let boot = self.boot(need, placement, from);
        if boot > 0.0 {
            self.boots.push((job.job, boot));
        }
        self.free.take(need, placement, from, until + boot);
    }

    /// Reserves for a job at the first time, not before `from`, from which it fits for as long as its estimate. Returns
    /// that time; infinity, without a reservation, where the job never fits as far as is known.
    pub(crate) fn reserve_earliest(&mut self, job: &Waiting, from: f64) -> f64 {
        let start = self.earliest(job, job.estimate, from);
        if let Some(placement) = self.place(job, start, start + job.estimate) {
            self.reserve(job, &placement, start, start + job.estimate);
        }
        start
    }

    /// Takes what a running job holds from now until `until`.
    pub(crate) fn hold(&mut self, release: &Release, view: &View, until: f64) {
        let need = self.needs.of(release.job, release.processors);
        self.free.take(need, &view.placement(release), view.now() as f64, until);
    }

    /// Gives back what was reserved for a job over [from, until).
    pub(crate) fn release(&mut self, job: &Waiting, placement: &Placement, from: f64, until: f64) {
        // as long as it was reserved for: which nodes boot depends on what was reserved before
        let place = self.boots.iter().position(|(other, _)| *other == job.job);
        let boot = place.map_or(0.0, |place| self.boots.swap_remove(place).1);
        self.free.give_back(self.needs.of_waiting(job), placement, from, until + boot);
    }
}

/// The cells, where idle nodes are switched off.
fn booting<'a>(view: &'a View<'a>) -> Option<&'a ClusterState<'a>> {
    view.cluster().filter(|cells| cells.saves_nodes())
}

/// What is free from now on, as one amount for each resource in each cell. On a machine that is one number of
/// processors there is one amount.
#[derive(Clone, Debug)]
pub(crate) struct FreeAmounts {
    /// Each step: when it begins, and what is free until the next one begins. Times increase, and the first is now.
    /// Amounts below 0 are draining: jobs run where nodes have gone, or will go.
    steps: Vec<(f64, Vec<i64>)>,
}

impl FreeAmounts {
    /// The empty machine as it is now and as it will be by what is announced.
    fn idle(view: &View) -> Self {
        let mut free = FreeAmounts { steps: vec![(view.now() as f64, view.capacity())] };
        for step in view.announced() {
            let add = |free: &mut [i64]| free.iter_mut().zip(&step.more).for_each(|(free, more)| *free += more);
            free.change(step.at as f64, f64::INFINITY, add);
        }
        free
    }

    /// What running jobs leave free if they end when they are expected to.
    pub(crate) fn of_running(view: &View) -> Self {
        let mut free = FreeAmounts::idle(view);
        for release in view.running() {
            let need = view.needs().of(release.job, release.processors);
            free.take(need, &view.placement(&release), view.now() as f64, release.at);
        }
        free
    }

    /// The steps: when each begins, and what is then free.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (f64, &[i64])> {
        self.steps.iter().map(|(time, free)| (*time, &free[..]))
    }

    /// The present time, and what is free now.
    fn now(&self) -> (f64, &[i64]) {
        let (time, free) = &self.steps[0];
        (*time, free)
    }

    /// The first time, not before `from`, from which the need is met for `duration` seconds; infinity where it never
    /// is, as far as is known.
    ///
    /// It is `from` or the beginning of a step.
    pub(crate) fn earliest(&self, need: Need, duration: f64, from: f64) -> f64 {
        let later = self.steps.iter().map(|&(time, _)| time).filter(|&time| time > from);
        let mut candidates = std::iter::once(from).chain(later);
        candidates.find(|&start| self.place(need, start, start + duration).is_some()).unwrap_or(f64::INFINITY)
    }

    /// In which cells a job runs over [from, until), if it fits. Parts do not move, so a cell holds as many parts as
    /// fit into the least that is free in it during that time.
    pub(crate) fn place(&self, need: Need, from: f64, until: f64) -> Option<Placement> {
        let Need { parts, shape, .. } = need;
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

    /// Takes what a job holds over [from, until).
    pub(crate) fn take(&mut self, need: Need, placement: &Placement, from: f64, until: f64) {
        self.change(from, until, |free| need.shape.take(placement, free, 1));
    }

    /// Gives back what a job holds over [from, until).
    pub(crate) fn give_back(&mut self, need: Need, placement: &Placement, from: f64, until: f64) {
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

    /// Makes a step begin at `time`, which must not be in the past.
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
    use packfair_workload::JobId;
    use packfair_workload::testing::jobs as workload;

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
        let free: Vec<(f64, i64)> = profile.free.steps().map(|(time, free)| (time, free[0])).collect();
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
