//! What is free over time, of each resource in each cell: a plain step function for plain schedulers and scripts.

use packfair_base::machine::{Need, Placement};
use packfair_engine::model::View;

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
    pub(super) fn idle(view: &View) -> Self {
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
    pub(super) fn now(&self) -> (f64, &[i64]) {
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
