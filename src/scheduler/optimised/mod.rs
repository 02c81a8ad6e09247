//! Rounds as an optimisation problem (CP), solved by a search over list orders.
//!
//! At every arrival and completion the waiting jobs are planned so that a local objective is least, and those whose
//! planned start is now start. Nothing is reserved. The algorithm is in `round` and below it, over plain data; here it is
//! a [`Scheduler`].

mod bounds;
mod decode;
mod exact;
mod explain;
mod family;
mod horizon;
mod lists;
mod objective;
#[cfg(test)]
mod plain;
mod plan;
mod problem;
mod queue;
mod random;
mod round;
mod running;
mod search;
mod steps;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use super::{Reservation, Scheduler};
use crate::simulation::{Cluster, Release, Waiting};
use crate::workload::JobId;
pub(super) use family::{FAMILY, PRESETS, check};
use round::{Moment, Rounds, Rule};
use running::RunningJobs;

/// A scheduler of optimised rounds.
#[derive(Clone, Debug)]
struct Optimised {
    rounds: Rounds,
    running: RunningJobs,
    /// Kept for its memory.
    starting: Vec<Waiting>,
}

impl Optimised {
    /// With an empty queue.
    fn new(rule: Rule) -> Self {
        Optimised { rounds: Rounds::new(rule), running: RunningJobs::default(), starting: Vec::new() }
    }
}

fn moment(cluster: &Cluster) -> Moment {
    Moment { now: cluster.now(), free: cluster.free(), processors: cluster.processors() }
}

impl Scheduler for Optimised {
    fn arrived(&mut self, job: Waiting, _: &Cluster) {
        self.rounds.submit(job);
    }

    fn completed(&mut self, release: Release, _: &Cluster) {
        self.running.remove(release);
    }

    fn expected(&mut self, release: Release, end: f64, _: &Cluster) {
        self.running.remove(release);
        self.running.insert(end, release.job, release.processors);
    }

    fn overdue(&mut self, release: Release, end: f64, cluster: &Cluster) {
        self.expected(release, end, cluster);
    }

    fn reestimated(&mut self, estimates: &[f64], _: &Cluster) {
        self.rounds.reestimate(estimates);
    }

    fn could_start(&self, cluster: &Cluster) -> bool {
        self.rounds.could_start(moment(cluster))
    }

    fn round(&mut self, cluster: &mut Cluster) {
        let now = cluster.now() as f64;
        let Optimised { rounds, running, starting } = self;
        rounds.round(moment(cluster), running.releases(), |job| starting.push(job));
        for job in starting.drain(..) {
            cluster.start(job);
            running.insert(now + job.estimate, job.job, job.processors);
        }
    }

    fn reservations(&self, cluster: &Cluster, releases: &[Release]) -> Vec<Reservation> {
        let now = cluster.now() as f64;
        let releases = releases.iter().map(|release| (release.at, release.processors));
        let planned = self.rounds.planned(moment(cluster), releases);
        planned.into_iter().map(|(job, start)| Reservation { job, start: now + f64::from(start) }).collect()
    }

    fn explain(&self, job: JobId, cluster: &Cluster, releases: &[Release]) -> Option<String> {
        let releases = releases.iter().map(|release| (release.at, release.processors));
        self.rounds.explain(job, moment(cluster), releases).map(|explained| explained.to_string())
    }

    fn fork(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
