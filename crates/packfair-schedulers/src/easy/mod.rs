//! The EASY family (METRICS Alg. 2): one reservation, for the first job that does not fit.

mod on_cells;
mod queues;

use self::on_cells::EasyOnCells;
use self::queues::EasyQueues;
use super::capacity::QueuePlace;
use super::contenders::{BackfillWindow, Rank};
use super::implementation::{ANY_CELLS, ONE_CELL, ORDER, SchedulerImplementation};
use super::order::Order;
use super::plain;
use super::profile::Profile;
use super::queue::TieOrder;
use super::timetable::{Completion, Timetable};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_engine::model::{Actions, Release, Reservation, Scheduler, Usual, View, Waiting};
use packfair_workload::{JobId, Seconds};
use std::ops::RangeInclusive;

/// The family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "easy",
        name: "EASY",
        help: "Starts from the head of the queue; the first job that does not fit gets the one reservation; \
               others start now where they leave it alone",
        source: "METRICS §V Alg. 2; threshold: CLASSIFY §5.1",
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
    // The programs behind the tables of METRICS differ here: EASY from the head in order of submission estimates anew,
    // where the estimator learns, and a round follows a submission only if the job fits.
    usual: |settings, learns| {
        if learns && Order::of(settings, "initial") == Order::Fcfs { Usual::IF_FITTING } else { Usual::AT_SUBMISSION }
    },
    build: Some(|settings| match queues(settings) {
        Some(queues) => Box::new(Easy::new(queues)),
        None => plain::easy::build(settings),
    }),
    on_cells: Some(|settings| match queues(settings) {
        Some(queues) => Box::new(EasyOnCells::new(queues)),
        None => plain::easy::build(settings),
    }),
    classifier: None,
    plain: Some(plain::easy::build),
    applies: ONE_CELL,
    plain_applies: ANY_CELLS,
};

/// The queues that the settings ask for; none where a queue cannot keep an order, because keys need what only the view
/// tells.
fn queues(settings: &Settings) -> Option<EasyQueues> {
    let [initial, backfill] = ["initial", "backfill"].map(|id| Order::of(settings, id));
    let needs_view = initial.needs_view() || backfill.needs_view();
    (!needs_view).then(|| EasyQueues::new(initial, backfill, TieOrder::LogOrder, settings.whole("threshold")))
}

/// The scheduler of the EASY family for one number of processors.
#[derive(Clone)]
pub(super) struct Easy {
    queues: EasyQueues,
    /// The running jobs alone.
    timetable: Timetable,
    /// The reservation of the head; none if it is no longer known.
    reservation: Option<HeadReservation>,
    /// The only job that arrived at this instant, if it might start at once. It need not enter the queue.
    newcomer: Option<Waiting>,
    window: BackfillWindow,
    /// The jobs that are backfilled in a round. Kept for its memory, as is `places`, their places in the backfill
    /// queue.
    started: Vec<Waiting>,
    places: Vec<QueuePlace>,
    /// Jobs that could be backfilled, where the queue is in log order and not in the order of its keys; kept for its
    /// memory.
    fitting: Vec<(Rank, QueuePlace)>,
}

/// The reservation of the head, and what it leaves to other jobs.
///
/// It stands until a job that was in its profile ends earlier than expected, a job is estimated anew, or another job
/// becomes the head.
#[derive(Clone, Copy)]
struct HeadReservation {
    /// The head; none if no job waits.
    head: Option<JobId>,
    leeway: Leeway,
    /// Whether it is known that no waiting job can start. This holds until a job ends or another job becomes the head,
    /// because until then free capacity only shrinks.
    is_settled: bool,
}

/// What a reservation leaves to other jobs.
#[derive(Clone, Copy)]
struct Leeway {
    /// The shadow time: when the reservation begins, seconds.
    shadow: f64,
    /// The processors that the reservation leaves free from the shadow time on.
    extra: u32,
}

impl HeadReservation {
    /// The reservation while no job waits.
    const NONE: HeadReservation = HeadReservation { head: None, leeway: Leeway::ALL, is_settled: true };
}

impl Leeway {
    /// All processors at all times.
    const ALL: Leeway = Leeway { shadow: f64::INFINITY, extra: u32::MAX };

    /// Whether a job can start now without delaying the head.
    #[inline]
    fn admits(&self, job: &Waiting, view: &View) -> bool {
        job.processors <= view.free()
            && (job.processors <= self.extra || view.now() as f64 + job.estimate <= self.shadow)
    }

    /// A job starts that is expected to end at `end`: what the reservation leaves shrinks.
    #[inline]
    fn started(&mut self, job: &Waiting, end: f64) {
        if end > self.shadow {
            self.extra -= job.processors;
        }
    }

    /// A job has completed that started after the reservation was made: what the reservation leaves grows.
    #[inline]
    fn completed(&mut self, release: &Release) {
        if release.at > self.shadow {
            self.extra += release.processors;
        }
    }
}

impl Easy {
    fn new(queues: EasyQueues) -> Self {
        Easy {
            queues,
            timetable: Timetable::default(),
            reservation: None,
            newcomer: None,
            window: BackfillWindow::default(),
            started: Vec::new(),
            places: Vec::new(),
            fitting: Vec::new(),
        }
    }

    /// A scheduler with one order. A job that has waited longer than `threshold` seconds comes first.
    pub(super) fn in_order(order: Order, ties: TieOrder, threshold: Option<Seconds>) -> Self {
        Easy::new(EasyQueues::new(order, order, ties, threshold))
    }

    /// Sets whether a job counts as small, where small jobs go first. Called before the job enters, and again once it
    /// has started.
    pub(super) fn set_small(&mut self, job: JobId, is_small: bool) {
        self.queues.set_small(job, is_small);
    }

    /// Whether a job with one of these widths stands before `job` in the queue, or would if `job` waited.
    pub(super) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        self.queues.initial.has_before(job, widths, now)
    }

    /// Whether there is a reservation whose job is still the head after `job` has arrived.
    #[inline]
    fn keeps_reservation(&mut self, job: &Waiting, now: Seconds) -> bool {
        let Some(reservation) = &self.reservation else { return false };
        match reservation.head {
            None => self.queues.initial.is_empty(),
            // the round checks which job is the head by now
            Some(_) if self.queues.initial.is_in_log_order() => true,
            Some(_) if !self.queues.has_threshold() => !self.queues.initial.would_lead(job, now),
            head => head == self.queues.head(now).map(|head| head.job) && !self.queues.leads(job, now),
        }
    }

    /// Starts jobs from the head of the queue as long as they fit. Returns the first that does not.
    #[inline]
    fn start_from_head(&mut self, view: &View, actions: &mut Actions) -> Option<Waiting> {
        let now = view.now();
        while let Some(job) = self.queues.head(now) {
            if job.processors > actions.free() || !self.timetable.leaves_announced(&job, view) {
                return Some(job);
            }
            self.reservation = None; // jobs that start before the head may delay it
            self.start(&job, view, actions);
            self.queues.remove_head(&job, now);
        }
        None
    }

    /// Starts a job. Returns when it is expected to end.
    #[inline]
    fn start(&mut self, job: &Waiting, view: &View, actions: &mut Actions) -> f64 {
        let end = view.now() as f64 + job.estimate;
        let token = self.timetable.start(end, job.processors, view);
        actions.start(*job, token);
        end
    }

    /// Makes a reservation for `head`, which does not fit now. If it never fits, as far as is known, the reservation
    /// leaves all to others.
    fn reserve(&mut self, head: &Waiting, view: &View) -> Leeway {
        match self.timetable.open(view).first_with(head.processors) {
            Some((shadow, free_then)) => Leeway { shadow, extra: free_then - head.processors },
            None => Leeway::ALL,
        }
    }

    /// Backfills where it is announced that the machine will have fewer processors. The reservation lasts as long as
    /// the estimate of the head, if it ever fits, and no job runs into a time with too few processors. The reservation
    /// is forgotten at the end of the round.
    #[inline(never)]
    fn backfill_before_changes(&mut self, head: &Waiting, view: &View, actions: &mut Actions) {
        let profile = self.timetable.open(view);
        let reserved = profile.earliest_before(f64::INFINITY, head.processors, head.estimate).map(|span| {
            let (begin, end) = (span.begin, span.end);
            profile.take(span, head.processors);
            (begin, end)
        });
        self.backfill(Leeway::ALL, view, actions);
        if let Some((begin, end)) = reserved {
            self.timetable.open(view);
            self.timetable.withdraw(begin, end, head.processors);
        }
    }

    /// Computes the window of what may start now, beside the reservation and before what is announced.
    #[inline]
    fn look(&mut self, leeway: Leeway, view: &View, actions: &Actions) {
        let now = view.now() as f64;
        if self.timetable.shrinks() {
            let narrowest = self.queues.initial.narrowest();
            self.window.read(now, actions.free(), self.timetable.open(view), narrowest);
        } else {
            self.window.before(now, leeway.shadow, actions.free(), leeway.extra);
        }
    }

    /// Backfills: starts jobs that do not delay the head. Returns what the reservation then leaves.
    fn backfill(&mut self, mut leeway: Leeway, view: &View, actions: &mut Actions) -> Leeway {
        if self.queues.backfilled().is_in_log_order() {
            return self.backfill_by_keys(leeway, view, actions);
        }
        let mut place = QueuePlace::HEAD;
        loop {
            self.look(leeway, view, actions);
            let queue = self.queues.backfilled();
            let Some(next) = queue.first_fitting(place, &self.window) else { break };
            let job = queue.job(next);
            let end = self.start(&job, view, actions);
            leeway.started(&job, end);
            self.started.push(job);
            self.places.push(next);
            place = next.next();
        }
        if !self.started.is_empty() {
            self.remove_started(view.now());
        }
        leeway
    }

    /// Backfills where the queue is in log order: goes through the jobs that could start by their keys.
    fn backfill_by_keys(&mut self, mut leeway: Leeway, view: &View, actions: &mut Actions) -> Leeway {
        self.look(leeway, view, actions);
        let queue = self.queues.backfilled();
        queue.fitting(&self.window, view.now(), &mut self.fitting);
        // a job that could not start before the others have started cannot start after
        for i in 0..self.fitting.len() {
            let (_, place) = self.fitting[i];
            let job = self.queues.backfilled().job(place);
            if self.window.admits(job.processors, job.estimate) {
                let end = self.start(&job, view, actions);
                leeway.started(&job, end);
                self.started.push(job);
                self.places.push(place);
                self.look(leeway, view, actions);
            }
        }
        if !self.started.is_empty() {
            self.places.sort_unstable();
            self.remove_started(view.now());
        }
        leeway
    }

    /// Removes the jobs that were backfilled from the queues.
    #[inline(never)]
    fn remove_started(&mut self, now: Seconds) {
        self.queues.remove_backfilled(&self.places, &self.started, now);
        self.places.clear();
        self.started.clear();
    }

    /// Whether it is known that no job can start.
    #[inline(always)]
    fn has_nothing_to_decide(&self, view: &View) -> bool {
        let is_settled = self.reservation.is_some_and(|reservation| reservation.is_settled);
        self.newcomer.is_none() && (is_settled || self.queues.initial.narrowest() > view.free())
    }

    /// Decides one round in which a job may start.
    #[inline(never)]
    fn decide(&mut self, view: &View, actions: &mut Actions) {
        let moves = match self.newcomer {
            Some(job) => {
                self.newcomer = None; // `take` would wait for what has just been written (docs/engine.md)
                if let Some(HeadReservation { mut leeway, head, is_settled: true }) = self.reservation {
                    leeway.started(&job, self.start(&job, view, actions));
                    self.reservation = Some(HeadReservation { leeway, head, is_settled: true });
                    return;
                }
                let moves = self.queues.refresh(view);
                if self.queues.leads(&job, view.now()) {
                    self.reservation = None; // the newcomer starts before the head
                    self.start(&job, view, actions);
                } else {
                    self.queues.enter(job, view.now());
                }
                moves
            }
            None => self.queues.refresh(view),
        };
        self.reservation = match self.start_from_head(view, actions) {
            None => Some(HeadReservation::NONE),
            Some(head) if self.timetable.shrinks() => {
                if self.queues.initial.narrowest() <= actions.free() {
                    self.backfill_before_changes(&head, view, actions);
                }
                None
            }
            Some(head) => {
                let known = self.reservation.filter(|reservation| reservation.head == Some(head.job));
                if self.queues.initial.narrowest() <= actions.free() {
                    let leeway = known.map_or_else(|| self.reserve(&head, view), |known| known.leeway);
                    let leeway = self.backfill(leeway, view, actions);
                    Some(HeadReservation { head: Some(head.job), leeway, is_settled: true })
                } else {
                    known
                }
            }
        };
        if let Some(reservation) = &mut self.reservation {
            // if jobs change places as time passes, another job may be the head at the next instant
            reservation.is_settled &= !moves;
        }
    }

    /// Checks what must hold at the end of a round.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    fn check(&self, view: &View, actions: &Actions) {
        self.timetable.check(view);
        self.queues.check();
        assert!(self.started.is_empty() && self.places.is_empty(), "jobs that have started are in the queue");
        if let Some(reservation) = self.reservation.filter(|reservation| reservation.is_settled) {
            let now = view.now() as f64;
            let can_start = |job: &Waiting| {
                job.processors <= actions.free()
                    && Some(job.job) != reservation.head
                    && (job.processors <= reservation.leeway.extra || now + job.estimate <= reservation.leeway.shadow)
            };
            assert!(!self.queues.initial.jobs().any(can_start), "a job was not backfilled that could be");
        }
    }
}

impl Scheduler for Easy {
    fn counts_usage(&self) -> bool {
        self.queues.counts_usage()
    }

    #[inline(always)] // from one place, for every job
    fn arrived(&mut self, job: Waiting, view: &View) {
        self.queues.keep_reported(&job, view);
        let is_alone = self.newcomer.is_none() && !self.timetable.shrinks();
        // if several jobs could start, or a job may run into what is announced, a round must decide
        if !is_alone || !self.keeps_reservation(&job, view.now()) {
            self.reservation = None;
        }
        let might_start = match &self.reservation {
            Some(reservation) if reservation.is_settled => reservation.leeway.admits(&job, view),
            _ => job.processors <= view.free(),
        };
        if is_alone && might_start {
            self.newcomer = Some(job);
        } else {
            self.queues.enter(job, view.now());
        }
    }

    #[inline(always)] // from one place, for every job
    fn completed(&mut self, release: Release, view: &View) {
        if let Some(reservation) = &mut self.reservation {
            reservation.is_settled = false;
        }
        match self.timetable.completed(&release, view.now() as f64) {
            Completion::AsExpected => {}
            Completion::NeverEntered => {
                if let Some(reservation) = &mut self.reservation {
                    reservation.leeway.completed(&release);
                }
            }
            Completion::Unexpected => {
                self.reservation = None;
                self.timetable.give_back(release.at, release.processors);
            }
        }
    }

    fn expected(&mut self, release: Release, end: f64, _: &View) {
        self.reservation = None;
        self.timetable.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.reservation = None;
        if let Some(job) = self.newcomer.take() {
            self.queues.enter(job, view.now());
        }
        self.queues.reestimate(estimates, view.now());
    }

    fn capacity_changed(&mut self, view: &View) {
        self.reservation = None;
        if let Some(job) = self.newcomer.take() {
            self.queues.enter(job, view.now());
        }
        self.timetable.capacity_changed(view);
    }

    fn could_start(&self, view: &View) -> bool {
        self.newcomer.is_some() || self.queues.initial.narrowest() <= view.free()
    }

    #[inline(always)] // most rounds decide nothing
    fn round(&mut self, view: &View, actions: &mut Actions) {
        if !self.has_nothing_to_decide(view) {
            self.decide(view, actions);
        }
        #[cfg(debug_assertions)]
        self.check(view, actions);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let Some(job) = self.queues.head_by_definition(view.now()) else { return Vec::new() };
        let start = Profile::of(view).earliest(job.processors, job.estimate);
        if start.is_finite() { vec![Reservation { job, start }] } else { Vec::new() }
    }
}
