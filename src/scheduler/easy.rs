//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

use super::catalogue::{Implementation, ORDER};
use super::hole::Hole;
use super::order::Order;
use super::queue::{Queue, Ties};
use super::{Reservation, Scheduler};
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::simulation::{Cluster, Profile, Release, Waiting};
use crate::workload::Seconds;

/// The family's catalogue line.
pub const FAMILY: Implementation = Implementation {
    entry: Entry {
        id: "easy",
        name: "EASY",
        help: "Starts from the head of the queue; the first job that does not fit gets the one reservation; \
               others start now where they leave it alone",
        source: "METRICS §II Alg. 2; threshold: CLASSIFY §5.1",
        parameters: &[
            Parameter { id: "initial", name: "Initial order", help: "decides who gets the reservation", kind: ORDER },
            Parameter { id: "backfill", name: "Backfill order", help: "in which the others are tried", kind: ORDER },
            Parameter {
                id: "threshold",
                name: "Waiting threshold",
                help: "a job that has waited longer goes to the head of the initial order",
                kind: Kind::Whole { min: 0, max: 1_000_000_000, default: None, unit: "s" },
            },
        ],
    },
    build: Some(|settings| Box::new(Easy::new(settings))),
};

#[derive(Clone)]
struct Easy {
    initial: Queue,
    /// The same jobs in the backfill order, where that is another one.
    backfill: Option<Queue>,
    threshold: Option<Seconds>,
    /// The same jobs in order of submission, where there is a threshold.
    by_age: Option<Queue>,
    /// Free processors, as running jobs end; empty before the first round.
    running: Profile,
    hole: Hole,
    /// Kept for its memory.
    started: Vec<Waiting>,
}

impl Easy {
    fn new(settings: &Settings) -> Self {
        let initial = Order::from_id(settings.choice("initial"));
        let backfill = Order::from_id(settings.choice("backfill"));
        let threshold: Option<Seconds> = settings.whole("threshold");
        Easy {
            initial: Queue::new(initial, Ties::LogOrder),
            backfill: (backfill != initial).then(|| Queue::new(backfill, Ties::LogOrder)),
            threshold,
            by_age: threshold.map(|_| Queue::new(Order::Fcfs, Ties::LogOrder)),
            running: Profile::default(),
            hole: Hole::default(),
            started: Vec::new(),
        }
    }

    /// The first come, if it has waited beyond the threshold.
    fn long_waiting(&self, now: Seconds) -> Option<Waiting> {
        let oldest = self.by_age.as_ref().and_then(Queue::first);
        oldest.filter(|oldest| self.threshold.is_some_and(|threshold| now - oldest.submit > threshold))
    }

    /// The waiting jobs in all orders.
    fn queues(&mut self) -> impl Iterator<Item = &mut Queue> {
        std::iter::once(&mut self.initial).chain(&mut self.backfill).chain(&mut self.by_age)
    }

    /// Starts jobs from the head of the queue as long as they fit; the first that does not.
    fn start_from_head(&mut self, cluster: &mut Cluster) -> Option<Waiting> {
        let now = cluster.now();
        while let Some(job) = self.long_waiting(now).or_else(|| self.initial.first()) {
            if job.processors > cluster.free() {
                return Some(job);
            }
            cluster.start(job);
            self.running.reserve_until(now as f64 + job.estimate, job.processors);
            for queue in self.queues() {
                queue.remove_job(&job, now);
            }
        }
        None
    }

    /// Reserves for `head`, which does not fit now, and starts others that leave that alone.
    fn start_around(&mut self, head: &Waiting, cluster: &mut Cluster) {
        let (now, free) = (cluster.now() as f64, cluster.free());
        let Some((shadow, free_then)) = self.running.first_with(head.processors) else { return };
        let mut extra = free_then - head.processors;
        self.hole.around(now, shadow, free, extra);
        let queue = self.backfill.as_ref().unwrap_or(&self.initial);
        let mut place = 0;
        while let Some(next) = queue.first_fitting(place, &self.hole) {
            place = next + 1;
            let job = queue.job(next);
            let end = now + job.estimate;
            if end > shadow {
                extra -= job.processors;
            }
            cluster.start(job);
            self.running.reserve_until(end, job.processors);
            self.started.push(job);
            self.hole.around(now, shadow, cluster.free(), extra);
        }
        let mut started = std::mem::take(&mut self.started);
        for job in started.drain(..) {
            for queue in self.queues() {
                queue.remove_job(&job, cluster.now());
            }
        }
        self.started = started;
    }
}

impl Scheduler for Easy {
    fn arrived(&mut self, job: Waiting, cluster: &Cluster) {
        for queue in self.queues() {
            queue.insert(job, cluster.now());
        }
    }

    fn completed(&mut self, release: Release, _: &Cluster) {
        self.running.release_until(release.at, release.processors);
    }

    fn expected(&mut self, release: Release, end: f64, _: &Cluster) {
        self.running.move_end(release.at, end, release.processors);
    }

    fn overdue(&mut self, release: Release, end: f64, _: &Cluster) {
        self.running.move_end(release.at, end, release.processors);
    }

    fn reestimated(&mut self, estimates: &[f64], cluster: &Cluster) {
        for queue in self.queues() {
            queue.reestimate(estimates, cluster.now());
        }
    }

    fn could_start(&self, cluster: &Cluster) -> bool {
        self.initial.narrowest() <= cluster.free()
    }

    fn round(&mut self, cluster: &mut Cluster) {
        if !self.could_start(cluster) {
            return; // nothing can start, and the reservation is forgotten anyway
        }
        if self.running.is_empty() {
            self.running = Profile::idle(cluster.now() as f64, cluster.processors());
        }
        self.running.advance(cluster.now() as f64);
        for queue in self.queues() {
            queue.refresh(cluster.now());
        }
        if let Some(head) = self.start_from_head(cluster)
            && self.initial.narrowest() <= cluster.free()
        {
            self.start_around(&head, cluster);
        }
    }

    fn reservations(&self, cluster: &Cluster, releases: &[Release]) -> Vec<Reservation> {
        let first = || self.initial.ordered(cluster.now()).first().copied();
        let Some(job) = self.long_waiting(cluster.now()).or_else(first) else { return Vec::new() };
        let mut running = Profile::default();
        running.rebuild(cluster.now() as f64, cluster.free(), releases.iter().copied());
        vec![Reservation { job, start: running.earliest(job.processors, job.estimate) }]
    }

    fn fork(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
