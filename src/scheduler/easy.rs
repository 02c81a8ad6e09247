//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

use super::catalogue::{Implementation, ORDER};
use super::hole::Hole;
use super::order::Order;
use super::queue::{Queue, Ties};
use super::{Reservation, Scheduler};
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::simulation::{Cluster, Profile, Release, Waiting};
use crate::workload::{JobId, Seconds};

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
    /// What the last round came to; none where it is not known, or does not hold any more.
    rest: Option<Rest>,
    /// A job that arrived in the present instant and can start in it: it need not enter the queue.
    newcomer: Option<Waiting>,
    hole: Hole,
    /// Kept for its memory.
    started: Vec<Waiting>,
}

/// What a round came to. It holds until a job ends or is estimated anew, or another job gets the reservation:
/// who waits cannot start before, for there is less and less room.
#[derive(Clone, Copy)]
struct Rest {
    /// Who has the reservation; none where nobody waits.
    head: Option<JobId>,
    /// When that begins.
    shadow: f64,
    /// Processors that it leaves free.
    extra: u32,
}

impl Rest {
    /// Nobody waits.
    const EMPTY: Rest = Rest { head: None, shadow: f64::INFINITY, extra: u32::MAX };

    /// Whether a job could start now.
    #[inline]
    fn takes(&self, job: &Waiting, cluster: &Cluster) -> bool {
        job.processors <= cluster.free()
            && (job.processors <= self.extra || cluster.now() as f64 + job.estimate <= self.shadow)
    }

    /// A job starts that ends at `end`.
    #[inline]
    fn take(&mut self, job: &Waiting, end: f64) {
        if end > self.shadow {
            self.extra -= job.processors;
        }
    }
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
            rest: None,
            newcomer: None,
            hole: Hole::default(),
            started: Vec::new(),
        }
    }

    /// The first come, if it has waited beyond the threshold.
    #[inline]
    fn long_waiting(&self, now: Seconds) -> Option<Waiting> {
        let oldest = self.by_age.as_ref().and_then(Queue::first);
        oldest.filter(|oldest| self.threshold.is_some_and(|threshold| now - oldest.submit > threshold))
    }

    /// The waiting jobs in all orders.
    fn queues(&mut self) -> impl Iterator<Item = &mut Queue> {
        std::iter::once(&mut self.initial).chain(&mut self.backfill).chain(&mut self.by_age)
    }

    /// Who is the first of all.
    #[inline]
    fn head(&self, now: Seconds) -> Option<Waiting> {
        self.long_waiting(now).or_else(|| self.initial.first())
    }

    /// A job enters the queue.
    fn enter(&mut self, job: Waiting, now: Seconds) {
        for queue in self.queues() {
            queue.insert(job, now);
        }
    }

    /// Whether a job that has just come is the first of all.
    #[inline]
    fn leads(&self, job: &Waiting, now: Seconds) -> bool {
        self.long_waiting(now).is_none()
            && self.initial.first().is_none_or(|first| self.initial.is_before(job, &first, now))
    }

    /// What the last round came to, if it still holds after `job` has come.
    #[inline]
    fn rest_with(&self, job: &Waiting, now: Seconds) -> Option<Rest> {
        let rest = self.rest.filter(|rest| rest.head == self.head(now).map(|head| head.job))?;
        (rest.head.is_none() || !self.leads(job, now)).then_some(rest)
    }

    /// Starts jobs from the head of the queue as long as they fit; the first that does not.
    #[inline]
    fn start_from_head(&mut self, cluster: &mut Cluster) -> Option<Waiting> {
        let now = cluster.now();
        while let Some(job) = self.head(now) {
            if job.processors > cluster.free() {
                return Some(job);
            }
            start(&job, cluster, &mut self.running);
            for queue in self.queues() {
                queue.remove_job(&job, now);
            }
        }
        None
    }

    /// Reserves for `head`, which does not fit now, and starts others that leave that alone.
    fn start_around(&mut self, head: &Waiting, cluster: &mut Cluster) -> Option<Rest> {
        let now = cluster.now() as f64;
        let (shadow, free_then) = self.running.first_with(head.processors)?;
        let mut rest = Rest { head: Some(head.job), shadow, extra: free_then - head.processors };
        self.hole.around(now, shadow, cluster.free(), rest.extra);
        let queue = self.backfill.as_mut().unwrap_or(&mut self.initial);
        let mut place = 0;
        while let Some(next) = queue.first_fitting(place, &self.hole) {
            place = next + 1;
            let job = queue.job(next);
            let end = start(&job, cluster, &mut self.running);
            rest.take(&job, end);
            self.started.push(job);
            self.hole.around(now, shadow, cluster.free(), rest.extra);
        }
        let mut started = std::mem::take(&mut self.started);
        for job in started.drain(..) {
            for queue in self.queues() {
                queue.remove_job(&job, cluster.now());
            }
        }
        self.started = started;
        Some(rest)
    }
}

/// Starts a job; when it is expected to end.
#[inline]
fn start(job: &Waiting, cluster: &mut Cluster, running: &mut Profile) -> f64 {
    let end = cluster.now() as f64 + job.estimate;
    cluster.start(*job);
    running.reserve_until(end, job.processors);
    end
}

impl Scheduler for Easy {
    fn arrived(&mut self, job: Waiting, cluster: &Cluster) {
        let is_alone = self.newcomer.is_none();
        // of several that could start it is for a round to say
        self.rest = if is_alone { self.rest_with(&job, cluster.now()) } else { None };
        let fits = self.rest.map_or(job.processors <= cluster.free(), |rest| rest.takes(&job, cluster));
        if is_alone && fits {
            self.newcomer = Some(job);
        } else {
            self.enter(job, cluster.now());
        }
    }

    fn completed(&mut self, release: Release, _: &Cluster) {
        self.rest = None;
        self.running.release_until(release.at, release.processors);
    }

    fn expected(&mut self, release: Release, end: f64, _: &Cluster) {
        self.rest = None;
        self.running.move_end(release.at, end, release.processors);
    }

    fn overdue(&mut self, release: Release, end: f64, _: &Cluster) {
        self.rest = None;
        self.running.move_end(release.at, end, release.processors);
    }

    fn reestimated(&mut self, estimates: &[f64], cluster: &Cluster) {
        self.rest = None;
        if let Some(job) = self.newcomer.take() {
            self.enter(job, cluster.now());
        }
        for queue in self.queues() {
            queue.reestimate(estimates, cluster.now());
        }
    }

    fn could_start(&self, cluster: &Cluster) -> bool {
        self.newcomer.is_some() || self.initial.narrowest() <= cluster.free()
    }

    fn round(&mut self, cluster: &mut Cluster) {
        let now = cluster.now();
        let could_start = self.could_start(cluster);
        let newcomer = self.newcomer.take();
        if let Some(rest) = &mut self.rest {
            if let Some(job) = newcomer {
                rest.take(&job, start(&job, cluster, &mut self.running));
            }
            return;
        }
        if !could_start {
            return; // the reservation is forgotten anyway
        }
        if self.running.is_empty() {
            self.running = Profile::idle(now as f64, cluster.processors());
        }
        self.running.advance(now as f64);
        let mut moves = false;
        for queue in self.queues() {
            moves |= queue.refresh(now);
        }
        match newcomer {
            Some(job) if self.leads(&job, now) => drop(start(&job, cluster, &mut self.running)),
            Some(job) => self.enter(job, now),
            None => {}
        }
        let rest = match self.start_from_head(cluster) {
            None => Some(Rest::EMPTY),
            Some(head) if self.initial.narrowest() <= cluster.free() => self.start_around(&head, cluster),
            Some(_) => None,
        };
        // where jobs change places as time passes, another may be the first by the next instant
        self.rest = rest.filter(|_| !moves);
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
