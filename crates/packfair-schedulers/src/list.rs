//! The list family (METRICS Alg. 1, CP Alg. 1): go through the queue in its order, start what fits.

use super::capacity::{Depth, QueuePlace};
use super::contenders::{BackfillWindow, Rank};
use super::implementation::{ANY_CELLS, ONE_CELL, ORDER, SchedulerImplementation};
use super::order::Order;
use super::plain;
use super::plan::{Admission, ReservationPlan};
use super::profile::Profile;
use super::queue::{Queue, TieOrder};
use super::timetable::{Completion, Timetable};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_engine::model::{Actions, Release, Reservation, Scheduler, Token, Usual, View, Waiting};
use packfair_workload::Seconds;

/// The family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "list",
        name: "List",
        help: "Goes through the queue in one order; what happens at a job that does not fit is a choice",
        source: "METRICS §V Alg. 1, CP §2.2 Alg. 1",
        parameters: &[
            Parameter { id: "order", name: "Order", help: "in which the queue is gone through", kind: ORDER },
            Parameter {
                id: "blocked",
                name: "A job that does not fit",
                help: "stops the round, is skipped, or gets a reservation that later jobs must respect",
                kind: Kind::Choice {
                    options: &[
                        ("strict", "stops the round"),
                        ("greedy", "is skipped"),
                        ("reserving", "gets a reservation"),
                    ],
                    default: "reserving",
                },
            },
            Parameter {
                id: "depth",
                name: "Reservations at most",
                help: "blocked jobs beyond that many are skipped; off: every blocked job gets one",
                kind: Kind::Whole { min: 1, max: 1_000_000, default: None, unit: "jobs" },
            },
        ],
    },
    usual: |_, _| Usual::EACH_ROUND,
    build: Some(|settings| match Order::of(settings, "order") {
        order if order.needs_view() => plain::list::build(settings),
        _ => Box::new(List::new(settings)),
    }),
    on_cells: None,
    classifier: None,
    plain: Some(plain::list::build),
    applies: ONE_CELL,
    plain_applies: ANY_CELLS,
};

/// What happens at a job that does not fit.
#[derive(Clone, Copy)]
enum Blocked {
    /// The round ends ("PASSIVE").
    Strict,
    /// The job is skipped ("AGGRESSIVE").
    Greedy,
    /// The job gets a reservation at its earliest time, unless as many jobs have one as the depth allows ("BACKFILL",
    /// JustBF). Reservations are forgotten at the end of the round.
    Reserving(Depth),
}

#[derive(Clone)]
struct List {
    queue: Queue,
    /// A job that has arrived at this instant and is the only one that might start now. It need not enter the queue.
    newcomer: Option<Waiting>,
    blocked: Blocked,
    plan: ReservationPlan,
    /// Running jobs and what is announced, where no job gets a reservation. None as long as the machine has not changed
    /// and no change was announced: then the number of free processors tells all.
    calendar: Option<Box<Timetable>>,
    /// Places of the jobs that start in a round without reservations; kept for its memory.
    started: Vec<QueuePlace>,
    /// The window and the jobs that could start, where the queue is in log order; kept for their memory.
    window: BackfillWindow,
    fitting: Vec<(Rank, QueuePlace)>,
}

impl List {
    fn new(settings: &Settings) -> Self {
        let blocked = match settings.choice("blocked") {
            "strict" => Blocked::Strict,
            "greedy" => Blocked::Greedy,
            _ => Blocked::Reserving(Depth::new(settings.whole("depth"))),
        };
        let order = Order::of(settings, "order");
        List {
            // a plan goes through the queue in its order; without a plan a round looks at few jobs
            queue: match blocked {
                Blocked::Strict | Blocked::Greedy => Queue::unsorted(order, TieOrder::SecondKey),
                Blocked::Reserving(_) => Queue::new(order, TieOrder::SecondKey),
            },
            newcomer: None,
            blocked,
            plan: ReservationPlan::default(),
            calendar: None,
            started: Vec::new(),
            window: BackfillWindow::default(),
            fitting: Vec::new(),
        }
    }

    /// Whether a job that arrives now might start, while no waiting job can.
    #[inline(always)]
    fn might_start_alone(&self, job: &Waiting, view: &View) -> bool {
        job.processors <= view.free()
            && self.calendar.is_none()
            && match self.blocked {
                Blocked::Strict => self.queue.is_empty(),
                Blocked::Greedy => self.queue.narrowest() > view.free(),
                Blocked::Reserving(_) => {
                    self.queue.is_empty() || (self.plan.is_settled() && !self.queue.keys().change_with_time())
                }
            }
    }

    /// Decides a round for the newcomer alone, if that is enough.
    #[inline(always)]
    fn admit(&mut self, newcomer: Waiting, view: &View, actions: &mut Actions) -> Admission {
        let Blocked::Reserving(depth) = self.blocked else {
            actions.start(newcomer, Token::default());
            return Admission::Starts;
        };
        let rank = self.queue.rank_of(&newcomer, view.now());
        self.plan.admit(&newcomer, rank, &self.queue, view, actions, depth)
    }

    /// Inserts a job into the queue.
    #[inline(never)]
    fn enter(&mut self, job: Waiting, might_start: bool, now: Seconds) {
        let rank = self.queue.insert(job, now);
        self.plan.arrived(rank, might_start);
    }

    /// Inserts the newcomer into the queue, because it is no longer the only job that might start.
    #[inline(always)]
    fn enter_newcomer(&mut self, now: Seconds) {
        if let Some(newcomer) = self.newcomer.take() {
            self.enter(newcomer, true, now);
        }
    }

    /// Whether a job fits now, and for as long as its estimate.
    #[inline(always)]
    fn fits(&mut self, job: &Waiting, view: &View, actions: &Actions) -> bool {
        job.processors <= actions.free()
            && self.calendar.as_mut().is_none_or(|timetable| timetable.leaves_announced(job, view))
    }

    /// Starts a job without a reservation.
    #[inline(always)]
    fn start(&mut self, job: Waiting, view: &View, actions: &mut Actions) {
        let token = self.calendar.as_mut().map_or_else(Token::default, |timetable| {
            timetable.start(view.now() as f64 + job.estimate, job.processors, view)
        });
        actions.start(job, token);
    }

    fn strict(&mut self, view: &View, actions: &mut Actions) {
        if self.queue.is_in_log_order() {
            while let Some(job) = self.queue.lead(view.now()).filter(|job| self.fits(job, view, actions)) {
                self.start(job, view, actions);
                self.queue.remove_job(&job, view.now());
            }
            return;
        }
        let mut place = QueuePlace::HEAD;
        while let Some(next) = self.queue.first_narrow(place, u32::MAX) {
            let job = self.queue.job(next);
            if !self.fits(&job, view, actions) {
                break;
            }
            self.start(job, view, actions);
            self.started.push(next);
            place = next.next();
        }
        self.remove_started();
    }

    fn greedy(&mut self, view: &View, actions: &mut Actions) {
        if self.queue.is_in_log_order() {
            return self.greedy_by_keys(view, actions);
        }
        if self.calendar.is_some() {
            return self.greedy_before_changes(view, actions);
        }
        let mut place = QueuePlace::HEAD;
        while let Some(next) = self.queue.first_narrow(place, actions.free()) {
            actions.start(self.queue.job(next), Token::default());
            self.started.push(next);
            place = next.next();
        }
        self.remove_started();
    }

    /// Starts what fits where nodes go and come back: no job starts that would run into what is announced.
    #[inline(never)]
    fn greedy_before_changes(&mut self, view: &View, actions: &mut Actions) {
        let mut place = QueuePlace::HEAD;
        loop {
            self.look(view, actions);
            let Some(next) = self.queue.first_fitting(place, &self.window) else { break };
            self.start(self.queue.job(next), view, actions);
            self.started.push(next);
            place = next.next();
        }
        self.remove_started();
    }

    /// Computes the window of what may start now.
    fn look(&mut self, view: &View, actions: &Actions) {
        let now = view.now() as f64;
        match &mut self.calendar {
            Some(timetable) => {
                self.window.read(now, actions.free(), timetable.open(view), self.queue.narrowest());
            }
            None => self.window.before(now, f64::INFINITY, actions.free(), 0),
        }
    }

    /// Starts what fits where the queue is in log order: goes through the jobs that could start by their keys.
    fn greedy_by_keys(&mut self, view: &View, actions: &mut Actions) {
        self.look(view, actions);
        self.queue.fitting(&self.window, view.now(), &mut self.fitting);
        for i in 0..self.fitting.len() {
            let (_, place) = self.fitting[i];
            let job = self.queue.job(place);
            if self.fits(&job, view, actions) {
                self.start(job, view, actions);
                self.started.push(place);
            }
        }
        self.started.sort_unstable();
        self.remove_started();
    }

    fn remove_started(&mut self) {
        self.queue.remove(&self.started);
        self.started.clear();
    }

    /// Checks what must hold at the end of a round, in debug builds only.
    #[inline(always)]
    fn check(&self, _view: &View) {
        #[cfg(debug_assertions)]
        {
            self.queue.check();
            if let Some(timetable) = &self.calendar {
                timetable.check(_view);
            }
            if let Blocked::Reserving(_) = self.blocked {
                self.plan.check(_view);
            }
        }
    }
}

impl Scheduler for List {
    fn counts_usage(&self) -> bool {
        self.queue.keys().count_usage()
    }

    #[inline(always)]
    fn arrived(&mut self, job: Waiting, view: &View) {
        self.enter_newcomer(view.now());
        self.queue.keep_reported(&job, view);
        if self.might_start_alone(&job, view) {
            self.newcomer = Some(job);
        } else {
            self.enter(job, job.processors <= view.free(), view.now());
        }
    }

    #[inline(always)]
    fn completed(&mut self, release: Release, view: &View) {
        self.enter_newcomer(view.now());
        if let Blocked::Reserving(_) = self.blocked {
            self.plan.completed(release, view);
        } else if let Some(timetable) = &mut self.calendar
            && timetable.completed(&release, view.now() as f64) == Completion::Unexpected
        {
            timetable.give_back(release.at, release.processors);
        }
    }

    fn expected(&mut self, release: Release, end: f64, view: &View) {
        self.enter_newcomer(view.now());
        if let Blocked::Reserving(_) = self.blocked {
            self.plan.expected(release, end);
        } else if let Some(timetable) = &mut self.calendar {
            timetable.expected(&release, end);
        }
    }

    fn capacity_changed(&mut self, view: &View) {
        self.enter_newcomer(view.now());
        if let Blocked::Reserving(_) = self.blocked {
            self.plan.capacity_changed(view);
        } else {
            self.calendar.get_or_insert_default().capacity_changed(view);
        }
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.enter_newcomer(view.now());
        if let Some(rank) = self.queue.reestimate(estimates, view.now()) {
            self.plan.changed_from(rank);
        }
    }

    fn could_start(&self, view: &View) -> bool {
        self.newcomer.is_some() || self.queue.narrowest() <= view.free()
    }

    #[inline(always)]
    fn round(&mut self, view: &View, actions: &mut Actions) {
        if let Some(newcomer) = self.newcomer {
            self.newcomer = None; // `take` would wait for what has just been written (docs/engine.md)
            match self.admit(newcomer, view, actions) {
                Admission::Starts => return self.check(view),
                Admission::Waits => {
                    self.enter(newcomer, false, view.now());
                    return self.check(view);
                }
                Admission::Unknown => self.enter(newcomer, true, view.now()),
            }
        }
        if self.queue.narrowest() > view.free() {
            return self.check(view); // nothing can start, so the present order is not needed
        }
        self.queue.renew_shares(view);
        match self.blocked {
            Blocked::Strict => self.strict(view, actions),
            Blocked::Greedy => self.greedy(view, actions),
            Blocked::Reserving(depth) => {
                // where the order has not changed, the plan stands as it does under an order that never changes
                if self.queue.keys().change_with_time() && self.queue.renew(view.now()) {
                    self.plan.changed_from(Rank::FIRST);
                }
                self.plan.round(&mut self.queue, view, actions, depth);
            }
        }
        self.check(view);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let Blocked::Reserving(depth) = self.blocked else { return Vec::new() };
        let mut profile = Profile::of(view);
        let reserve = |job: Waiting| {
            // a job that never fits, as far as is known, gets no reservation
            let span = profile.earliest_before(f64::INFINITY, job.processors, job.estimate)?;
            let start = span.begin;
            profile.take(span, job.processors);
            Some(Reservation { job, start })
        };
        depth.of(self.queue.ordered(view.now()).into_iter().filter_map(reserve)).collect()
    }
}
