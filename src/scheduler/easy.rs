//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

use super::Scheduler;
use super::catalogue::{Family, ORDER};
use super::order::Order;
use super::queue::{Queue, Ties};
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
    build: |settings| Box::new(Easy::new(settings)),
};

struct Easy {
    initial: Queue,
    /// The same jobs in the backfill order, where that is another one.
    backfill: Option<Queue>,
    threshold: Option<Seconds>,
    /// The initial order of the present round.
    order: Vec<Waiting>,
    started: Vec<Waiting>,
}

/// The one reservation: when the blocked job can start, and how many processors it leaves over then.
struct Reservation {
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
            order: Vec::new(),
            started: Vec::new(),
        }
    }

    /// Fills `order`: those that have waited beyond the threshold, first come first served, then the rest.
    fn arrange(&mut self, now: Seconds) {
        self.order.clear();
        self.order.extend(self.initial.jobs());
        if let Some(threshold) = self.threshold {
            let late = |job: &Waiting| now - job.submit > threshold;
            self.order.sort_by_key(|job| if late(job) { (false, job.job.0) } else { (true, 0) });
        }
    }

    fn backfill(&mut self, head: &Waiting, cluster: &mut Cluster) {
        let Reservation { shadow, mut extra } = reserve(head, cluster);
        let now = cluster.now() as f64;
        for job in self.backfill.as_ref().unwrap_or(&self.initial).jobs() {
            if cluster.free() == 0 {
                break;
            }
            let ends_before = now + job.estimate <= shadow;
            if job.processors > cluster.free() || job.job == head.job || !(ends_before || job.processors <= extra) {
                continue;
            }
            if self.started.iter().any(|s| s.job == job.job) {
                continue;
            }
            if !ends_before {
                extra -= job.processors;
            }
            cluster.start(*job);
            self.started.push(*job);
        }
    }
}

/// When `head`, which does not fit now, can start, given only the running jobs.
fn reserve(head: &Waiting, cluster: &Cluster) -> Reservation {
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
    Reservation { shadow, extra: free - head.processors }
}

impl Scheduler for Easy {
    fn arrived(&mut self, job: Waiting, cluster: &Cluster) {
        self.initial.insert(job, cluster.now());
        if let Some(queue) = &mut self.backfill {
            queue.insert(job, cluster.now());
        }
    }

    fn round(&mut self, cluster: &mut Cluster) {
        let now = cluster.now();
        if self.initial.narrowest() > cluster.free() {
            return; // nothing can start, and the reservation is forgotten anyway
        }
        self.initial.refresh(now);
        if let Some(queue) = &mut self.backfill {
            queue.refresh(now);
        }
        self.arrange(now);
        let fitting = self.order.iter().take_while(|job| {
            let fits = job.processors <= cluster.free();
            if fits {
                cluster.start(**job);
            }
            fits
        });
        let fitting = fitting.count();
        self.started.extend_from_slice(&self.order[..fitting]);
        if let Some(head) = self.order.get(fitting).copied() {
            self.backfill(&head, cluster);
        }
        for job in std::mem::take(&mut self.started) {
            self.initial.remove_job(&job, now);
            if let Some(queue) = &mut self.backfill {
                queue.remove_job(&job, now);
            }
        }
    }
}
