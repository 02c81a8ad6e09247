//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

use super::catalogue::{Family, ORDER};
use super::order::Order;
use super::queue::{Queue, Ties};
use super::{Reservation, Scheduler};
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::simulation::{Cluster, Release, Waiting};
use crate::workload::Seconds;

/// The family's catalogue line.
pub const FAMILY: Family = Family {
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
    /// Places in the backfill order of the jobs that start.
    started: Vec<usize>,
}

/// The one reservation: when the blocked job can start, and how many processors it leaves over then.
struct Shadow {
    shadow: f64,
    extra: u32,
}

impl Easy {
    fn new(settings: &Settings) -> Self {
        let initial = Order::from_id(settings.choice("initial"));
        let backfill = Order::from_id(settings.choice("backfill"));
        Easy {
            initial: Queue::new(initial, Ties::LogOrder),
            backfill: (backfill != initial).then(|| Queue::new(backfill, Ties::LogOrder)),
            threshold: settings.whole("threshold"),
            started: Vec::new(),
        }
    }

    /// The place in the initial order, `jobs`, of the job that is next: the first come of those that have
    /// waited beyond the threshold, else the first in the order.
    fn head(&self, jobs: &[Waiting], now: Seconds) -> Option<usize> {
        if let Some(threshold) = self.threshold {
            let (place, oldest) = jobs.iter().enumerate().min_by_key(|(_, job)| job.job)?;
            if now - oldest.submit > threshold {
                return Some(place);
            }
        }
        (!jobs.is_empty()).then_some(0)
    }

    /// Starts jobs from the head of the queue as long as they fit; the first that does not.
    fn start_from_head(&mut self, cluster: &mut Cluster) -> Option<Waiting> {
        let now = cluster.now();
        while let Some(place) = self.head(self.initial.jobs(), now) {
            let job = self.initial.job(place);
            if job.processors > cluster.free() {
                return Some(job);
            }
            cluster.start(job);
            self.initial.remove(&[place]);
            if let Some(queue) = &mut self.backfill {
                queue.remove_job(&job, now);
            }
        }
        None
    }

    fn start_around(&mut self, head: &Waiting, cluster: &mut Cluster) {
        let Shadow { shadow, mut extra } = reserve(head, cluster);
        let now = cluster.now();
        let queue = self.backfill.as_ref().unwrap_or(&self.initial);
        let mut place = 0;
        while let Some(next) = queue.first_narrow(place, cluster.free()) {
            place = next + 1;
            let job = queue.job(next);
            let ends_before = now as f64 + job.estimate <= shadow;
            if !ends_before && job.processors > extra {
                continue;
            }
            if !ends_before {
                extra -= job.processors;
            }
            cluster.start(job);
            self.started.push(next);
        }
        match &mut self.backfill {
            Some(queue) => {
                for &place in &self.started {
                    self.initial.remove_job(&queue.job(place), now);
                }
                queue.remove(&self.started);
            }
            None => self.initial.remove(&self.started),
        }
        self.started.clear();
    }
}

/// When `head`, which does not fit now, can start, given only the running jobs.
fn reserve(head: &Waiting, cluster: &Cluster) -> Shadow {
    let mut free = cluster.free();
    let mut shadow = f64::INFINITY;
    for Release { at, processors, .. } in cluster.releases() {
        if at > shadow {
            break;
        }
        free += processors;
        if free >= head.processors {
            shadow = shadow.min(at);
        }
    }
    Shadow { shadow, extra: free - head.processors }
}

impl Scheduler for Easy {
    fn arrived(&mut self, job: Waiting, cluster: &Cluster) {
        self.initial.insert(job, cluster.now());
        if let Some(queue) = &mut self.backfill {
            queue.insert(job, cluster.now());
        }
    }

    fn reestimated(&mut self, estimates: &[f64], cluster: &Cluster) {
        self.initial.reestimate(estimates, cluster.now());
        if let Some(queue) = &mut self.backfill {
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
        self.initial.refresh(cluster.now());
        if let Some(queue) = &mut self.backfill {
            queue.refresh(cluster.now());
        }
        if let Some(head) = self.start_from_head(cluster)
            && self.initial.narrowest() <= cluster.free()
        {
            self.start_around(&head, cluster);
        }
    }

    fn reservations(&self, cluster: &Cluster) -> Vec<Reservation> {
        let jobs = self.initial.ordered(cluster.now());
        let head = self.head(&jobs, cluster.now()).map(|place| jobs[place]);
        head.map(|job| Reservation { job, start: reserve(&job, cluster).shadow }).into_iter().collect()
    }

    fn fork(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
