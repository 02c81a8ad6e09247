//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

use super::catalogue::{Implementation, ORDER};
use super::hole::Hole;
use super::order::Order;
use super::plain;
use super::profile::Profile;
use super::queue::{Queue, Ties};
use super::recent::Recent;
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::model::{Actions, Release, Reservation, Scheduler, Usual, View, Waiting};
use crate::workload::{JobId, Seconds};
use std::ops::RangeInclusive;

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
    // The programs behind METRICS' tables differ: its EASY from the head in order of submission estimates anew, where the
    // estimator learns, and is asked only for jobs that fit.
    usual: |settings, learns| {
        if learns && settings.choice("initial") == "fcfs" { Usual::IF_FITTING } else { Usual::AT_SUBMISSION }
    },
    build: Some(|settings| Box::new(Easy::new(settings))),
    classifier: None,
    plain: Some(plain::easy::build),
};

/// The family's algorithm.
#[derive(Clone)]
pub(super) struct Easy {
    initial: Queue,
    /// The same jobs in the backfill order, where that is another one.
    backfill: Option<Queue>,
    threshold: Option<Seconds>,
    /// The same jobs in order of submission, where there is a threshold.
    by_age: Option<Queue>,
    /// Free processors, as running jobs end, as of when somebody was last reserved for.
    running: Profile,
    /// Who has started since then.
    recent: Recent,
    /// Where the head's reservation is; none where that is not known any more.
    rest: Option<Rest>,
    /// A job that arrived in the present instant and can start in it: it need not enter the queue.
    newcomer: Option<Waiting>,
    hole: Hole,
    /// Who starts around the head, and where in the queue in which they are looked for; kept for their memory.
    started: Vec<Waiting>,
    places: Vec<usize>,
}

/// What the reservation of the head leaves.
///
/// It holds until a job ends earlier than expected that ran when it was made, or a job is estimated anew, or another
/// becomes the head.
#[derive(Clone, Copy)]
struct Rest {
    /// Who has the reservation; none where nobody waits.
    head: Option<JobId>,
    /// When that begins.
    shadow: f64,
    /// Processors that it leaves free.
    extra: u32,
    /// Whether it is known that none of those who wait can start: there is less and less room for them until a job
    /// ends, or another becomes the head.
    is_settled: bool,
}

impl Rest {
    /// Nobody waits.
    const EMPTY: Rest = Rest { head: None, shadow: f64::INFINITY, extra: u32::MAX, is_settled: true };

    /// Whether a job could start now.
    #[inline]
    fn takes(&self, job: &Waiting, view: &View) -> bool {
        job.processors <= view.free()
            && (job.processors <= self.extra || view.now() as f64 + job.estimate <= self.shadow)
    }

    /// A job starts that ends at `end`.
    #[inline]
    fn take(&mut self, job: &Waiting, end: f64) {
        if end > self.shadow {
            self.extra -= job.processors;
        }
    }

    /// A job ends that has started since.
    #[inline]
    fn give_back(&mut self, release: &Release) {
        if release.at > self.shadow {
            self.extra += release.processors;
        }
    }
}

impl Easy {
    fn new(settings: &Settings) -> Self {
        let order = |id| Order::from_id(settings.choice(id));
        Easy::in_order(order("initial"), order("backfill"), Ties::LogOrder, settings.whole("threshold"))
    }

    /// With these orders. A job that has waited longer than `threshold` seconds comes first.
    pub(super) fn in_order(initial: Order, backfill: Order, ties: Ties, threshold: Option<Seconds>) -> Self {
        Easy {
            initial: Queue::new(initial, ties),
            backfill: (backfill != initial).then(|| Queue::new(backfill, ties)),
            threshold,
            by_age: threshold.map(|_| Queue::new(Order::Fcfs, Ties::LogOrder)),
            running: Profile::default(),
            recent: Recent::default(),
            rest: None,
            newcomer: None,
            hole: Hole::default(),
            started: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The first come, if it has waited beyond the threshold.
    #[inline]
    fn long_waiting(&self, now: Seconds) -> Option<Waiting> {
        let oldest = self.by_age.as_ref().and_then(Queue::first);
        oldest.filter(|oldest| self.threshold.is_some_and(|threshold| now - oldest.submit > threshold))
    }

    /// Whether a job of such a width stands before `job` in the queue, or would if that waited.
    pub(super) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        self.initial.has_before(job, widths, now)
    }

    /// How many jobs stand before `job` in the queue; a threshold is left aside.
    pub(super) fn count_before(&self, job: &Waiting, now: Seconds) -> usize {
        self.initial.ordered(now).iter().take_while(|other| other.job != job.job).count()
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
        self.long_waiting(now).is_none() && self.initial.would_lead(job, now)
    }

    /// The reservation, if its job is still the head after `job` has come.
    #[inline]
    fn rest_with(&self, job: &Waiting, now: Seconds) -> Option<Rest> {
        self.rest.filter(|rest| match rest.head {
            None => self.initial.is_empty(),
            Some(_) if self.threshold.is_none() => !self.initial.would_lead(job, now),
            head => head == self.head(now).map(|head| head.job) && !self.leads(job, now),
        })
    }

    /// Starts jobs from the head of the queue as long as they fit; the first that does not.
    #[inline]
    fn start_from_head(&mut self, view: &View, actions: &mut Actions) -> Option<Waiting> {
        let now = view.now();
        while let Some(job) = self.head(now) {
            if job.processors > actions.free() {
                return Some(job);
            }
            self.rest = None; // who starts before the head need not leave it alone
            self.start(&job, view, actions);
            for queue in self.queues() {
                queue.remove_job(&job, now);
            }
        }
        None
    }

    /// Starts a job; when it is expected to end.
    #[inline]
    fn start(&mut self, job: &Waiting, view: &View, actions: &mut Actions) -> f64 {
        let end = view.now() as f64 + job.estimate;
        if self.recent.is_full() {
            self.update_running(view);
        }
        let token = self.recent.start(end, job.processors);
        actions.start(*job, token);
        end
    }

    /// Brings the profile of running jobs up to the present.
    #[inline(never)]
    fn update_running(&mut self, view: &View) {
        let now = view.now() as f64;
        if self.running.is_empty() {
            self.running = Profile::idle(now, view.processors());
        }
        self.running.advance(now);
        for (end, processors) in self.recent.drain() {
            self.running.reserve_until(end, processors);
        }
    }

    /// Reserves for `head`, which does not fit now.
    fn reserve(&mut self, head: &Waiting, view: &View) -> Option<Rest> {
        self.update_running(view);
        let (shadow, free_then) = self.running.first_with(head.processors)?;
        Some(Rest { head: Some(head.job), shadow, extra: free_then - head.processors, is_settled: false })
    }

    /// Starts jobs that leave the head's reservation alone, and what that leaves then.
    fn start_around(&mut self, mut rest: Rest, view: &View, actions: &mut Actions) -> Rest {
        let now = view.now() as f64;
        let mut place = 0;
        loop {
            self.hole.around(now, rest.shadow, actions.free(), rest.extra);
            let queue = self.backfill.as_ref().unwrap_or(&self.initial);
            let Some(next) = queue.first_fitting(place, &self.hole) else { break };
            let job = queue.job(next);
            let end = self.start(&job, view, actions);
            rest.take(&job, end);
            self.started.push(job);
            self.places.push(next);
            place = next + 1;
        }
        if !self.started.is_empty() {
            self.leave(view.now());
        }
        Rest { is_settled: true, ..rest }
    }

    /// Those who have started around the head leave the queues.
    #[inline(never)]
    fn leave(&mut self, now: Seconds) {
        let (tried, other) = match &mut self.backfill {
            Some(backfill) => (backfill, Some(&mut self.initial)),
            None => (&mut self.initial, None),
        };
        tried.remove(&self.places);
        for queue in other.into_iter().chain(&mut self.by_age) {
            for job in &self.started {
                queue.remove_job(job, now);
            }
        }
        self.places.clear();
        self.started.clear();
    }
}

impl Scheduler for Easy {
    fn arrived(&mut self, job: Waiting, view: &View) {
        let is_alone = self.newcomer.is_none();
        // of several that could start it is for a round to say
        self.rest = if is_alone { self.rest_with(&job, view.now()) } else { None };
        let might_start = match self.rest {
            Some(rest) if rest.is_settled => rest.takes(&job, view),
            _ => job.processors <= view.free(),
        };
        if is_alone && might_start {
            self.newcomer = Some(job);
        } else {
            self.enter(job, view.now());
        }
    }

    fn completed(&mut self, release: Release, view: &View) {
        let is_recent = self.recent.end(&release);
        if let Some(rest) = &mut self.rest {
            rest.is_settled = false;
            if is_recent {
                rest.give_back(&release);
            }
        }
        if !is_recent && release.at > view.now() as f64 {
            self.rest = None;
            self.running.release_until(release.at, release.processors);
        }
    }

    fn expected(&mut self, release: Release, end: f64, _: &View) {
        self.rest = None;
        if !self.recent.expect(&release, end) {
            self.running.move_end(release.at, end, release.processors);
        }
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.rest = None;
        if let Some(job) = self.newcomer.take() {
            self.enter(job, view.now());
        }
        for queue in self.queues() {
            queue.reestimate(estimates, view.now());
        }
    }

    fn could_start(&self, view: &View) -> bool {
        self.newcomer.is_some() || self.initial.narrowest() <= view.free()
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let now = view.now();
        let could_start = self.could_start(view);
        let newcomer = self.newcomer.take();
        if let Some(mut rest) = self.rest
            && rest.is_settled
        {
            if let Some(job) = newcomer {
                rest.take(&job, self.start(&job, view, actions));
                self.rest = Some(rest);
            }
            return;
        }
        if !could_start {
            return;
        }
        let mut moves = false;
        for queue in self.queues() {
            moves |= queue.refresh(now);
        }
        match newcomer {
            Some(job) if self.leads(&job, now) => {
                self.rest = None; // it starts before the head
                self.start(&job, view, actions);
            }
            Some(job) => self.enter(job, now),
            None => {}
        }
        self.rest = match self.start_from_head(view, actions) {
            None => Some(Rest::EMPTY),
            Some(head) => {
                let known = self.rest.filter(|rest| rest.head == Some(head.job));
                if self.initial.narrowest() <= actions.free() {
                    let rest = known.or_else(|| self.reserve(&head, view));
                    rest.map(|rest| self.start_around(rest, view, actions))
                } else {
                    known
                }
            }
        };
        if let Some(rest) = &mut self.rest {
            // where jobs change places as time passes, another may be the first by the next instant
            rest.is_settled &= !moves;
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let first = || self.initial.ordered(view.now()).first().copied();
        let Some(job) = self.long_waiting(view.now()).or_else(first) else { return Vec::new() };
        vec![Reservation { job, start: Profile::of(view).earliest(job.processors, job.estimate) }]
    }
}
