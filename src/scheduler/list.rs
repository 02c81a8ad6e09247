//! The list family (METRICS Alg. 1, CP Alg. 1): go through the queue in its order, start what fits.

use super::catalogue::{Implementation, ORDER};
use super::order::Order;
use super::plain;
use super::plan::{Admission, Plan};
use super::queue::{Queue, Ties};
use super::spot::Spot;

use super::profile::Profile;
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::model::{Actions, Release, Reservation, Scheduler, Token, Usual, View, Waiting};
use crate::workload::Seconds;

/// The family's catalogue line.
pub const FAMILY: Implementation = Implementation {
    entry: Entry {
        id: "list",
        name: "List",
        help: "Goes through the queue in one order; what happens at a job that does not fit is a choice",
        source: "METRICS §II Alg. 1, CP §2.2 Alg. 1",
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
    build: Some(|settings| Box::new(List::new(settings))),
    classifier: None,
    plain: Some(plain::list::build),
};

/// What happens at a job that does not fit.
#[derive(Clone, Copy)]
enum Blocked {
    /// The round ends ("PASSIVE").
    Strict,
    /// It is skipped ("AGGRESSIVE").
    Greedy,
    /// It gets a reservation at its earliest time, up to so many of them ("BACKFILL", JustBF).
    /// Reservations are forgotten at the end of the round.
    Reserving(usize),
}

#[derive(Clone)]
struct List {
    queue: Queue,
    /// A job that has arrived in the present instant and might start in it, alone: then it need not enter the queue.
    newcomer: Option<Waiting>,
    blocked: Blocked,
    plan: Plan,
    started: Vec<usize>,
}

impl List {
    fn new(settings: &Settings) -> Self {
        List {
            queue: Queue::new(Order::from_id(settings.choice("order")), Ties::SecondKey),
            newcomer: None,
            blocked: match settings.choice("blocked") {
                "strict" => Blocked::Strict,
                "greedy" => Blocked::Greedy,
                _ => Blocked::Reserving(settings.whole("depth").map_or(usize::MAX, |n| n as usize)),
            },
            plan: Plan::default(),
            started: Vec::new(),
        }
    }

    /// Whether a job that comes now might start, and none that waits.
    #[inline(always)]
    fn might_start_alone(&self, job: &Waiting, view: &View) -> bool {
        job.processors <= view.free()
            && match self.blocked {
                Blocked::Strict => self.queue.is_empty(),
                Blocked::Greedy => self.queue.narrowest() > view.free(),
                Blocked::Reserving(_) => {
                    self.queue.is_empty() || (self.plan.is_settled() && !self.queue.changes_with_time())
                }
            }
    }

    /// A round for the newcomer, unless that must be one for all.
    #[inline(always)]
    fn admit(&mut self, newcomer: Waiting, view: &View, actions: &mut Actions) -> Admission {
        let Blocked::Reserving(depth) = self.blocked else {
            actions.start(newcomer, Token::default());
            return Admission::Starts;
        };
        let spot = self.queue.spot_of(&newcomer, view.now());
        self.plan.admit(&newcomer, spot, &self.queue, view, actions, depth)
    }

    /// A job enters the queue.
    #[inline(never)]
    fn enter(&mut self, job: Waiting, might_start: bool, now: Seconds) {
        let spot = self.queue.insert(job, now);
        self.plan.arrived(spot, might_start);
    }

    /// The newcomer enters the queue, for it is not alone any more.
    #[inline(always)]
    fn enter_newcomer(&mut self, now: Seconds) {
        if let Some(newcomer) = self.newcomer.take() {
            self.enter(newcomer, true, now);
        }
    }

    fn strict(&mut self, actions: &mut Actions) {
        let mut place = 0;
        while let Some(next) = self.queue.first_narrow(place, u32::MAX) {
            let job = self.queue.job(next);
            if job.processors > actions.free() {
                break;
            }
            actions.start(job, Token::default());
            self.started.push(next);
            place = next + 1;
        }
        self.remove_started();
    }

    fn greedy(&mut self, actions: &mut Actions) {
        let mut place = 0;
        while let Some(next) = self.queue.first_narrow(place, actions.free()) {
            actions.start(self.queue.job(next), Token::default());
            self.started.push(next);
            place = next + 1;
        }
        self.remove_started();
    }

    fn remove_started(&mut self) {
        self.queue.remove(&self.started);
        self.started.clear();
    }
}

impl Scheduler for List {
    #[inline(always)]
    fn arrived(&mut self, job: Waiting, view: &View) {
        self.enter_newcomer(view.now());
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
        }
    }

    fn expected(&mut self, release: Release, end: f64, view: &View) {
        self.enter_newcomer(view.now());
        if let Blocked::Reserving(_) = self.blocked {
            self.plan.expected(release, end);
        }
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.enter_newcomer(view.now());
        if let Some(spot) = self.queue.reestimate(estimates, view.now()) {
            self.plan.changed_from(spot);
        }
    }

    fn could_start(&self, view: &View) -> bool {
        self.newcomer.is_some() || self.queue.narrowest() <= view.free()
    }

    #[inline(always)]
    fn round(&mut self, view: &View, actions: &mut Actions) {
        if let Some(newcomer) = self.newcomer.take() {
            match self.admit(newcomer, view, actions) {
                Admission::Starts => return,
                Admission::Waits => return self.enter(newcomer, false, view.now()),
                Admission::Unknown => self.enter(newcomer, true, view.now()),
            }
        }
        if self.queue.refresh(view.now()) {
            self.plan.changed_from(Spot::FIRST);
        }
        match self.blocked {
            Blocked::Strict => self.strict(actions),
            Blocked::Greedy => self.greedy(actions),
            Blocked::Reserving(depth) => self.plan.round(&mut self.queue, view, actions, depth),
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let Blocked::Reserving(depth) = self.blocked else { return Vec::new() };
        let mut profile = Profile::of(view);
        let reserve = |job: Waiting| Reservation { job, start: profile.place(job.processors, job.estimate).0 };
        self.queue.ordered(view.now()).into_iter().take(depth).map(reserve).collect()
    }
}
