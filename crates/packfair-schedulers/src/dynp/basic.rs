//! Basic dynP: the policy follows from the mean estimate of the waiting jobs (DYNP §3.1).

use super::lower_bounds::Bounds;
use super::plain::{PlainDynp, Rule};
use super::plans::{LongFrom, Plans};
use super::quality::Quality;
use super::rules::{Counts, FcfsOrder, OF_THE_PAPER};
use crate::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter};
use packfair_engine::model::{Actions, Notes, Release, Reservation, Scheduler, Usual, View, Waiting};

/// The family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "dynp-basic",
        name: "Basic dynP",
        help: "SJF, FCFS or LJF, by the mean estimate of the waiting jobs, where enough wait",
        source: "DYNP §3.1",
        parameters: &[
            Parameter {
                id: "lower",
                name: "Lower bound",
                help: "up to this mean estimate SJF is taken",
                kind: Kind::Whole { min: 0, max: 100_000_000, default: Some(7200), unit: "s" },
            },
            Parameter {
                id: "upper",
                name: "Upper bound",
                help: "above this mean estimate LJF is taken, between the bounds FCFS",
                kind: Kind::AtLeast { other: "lower", max: 100_000_000, default: 9000, unit: "s" },
            },
            Parameter {
                id: "jobs",
                name: "Jobs to decide",
                help: "the policy stays while fewer wait (DYNP §3.1)",
                kind: Kind::Whole { min: 1, max: 1_000_000, default: Some(5), unit: "jobs" },
            },
        ],
    },
    usual: |_, _| Usual::EACH_ROUND,
    on_cells: None,
    classifier: None,
    plain: Some(|settings| Box::new(PlainDynp::new(Rule::Bound(Bounds::of(settings))))),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
    build: Some(|settings| Box::new(Basic::new(Bounds::of(settings), LongFrom::USUAL))),
};

/// The fast scheduler of basic dynP.
#[derive(Clone)]
pub(super) struct Basic {
    bounds: Bounds,
    plans: Plans,
    /// The place of the policy in force.
    current: usize,
    /// Whether a job has arrived in the present instant.
    has_arrival: bool,
    counts: Counts,
}

impl Basic {
    pub(super) fn new(bounds: Bounds, long: LongFrom) -> Self {
        Basic {
            bounds,
            plans: Plans::new(&OF_THE_PAPER, Quality::Art, FcfsOrder::Submission, long),
            current: 0,
            has_arrival: false,
            counts: Counts::new(&OF_THE_PAPER),
        }
    }

    /// Whether the policy is decided upon in this round.
    fn is_try(&self) -> bool {
        self.has_arrival && self.bounds.is_try(self.plans.waiting())
    }
}

impl Scheduler for Basic {
    fn arrived(&mut self, job: Waiting, view: &View) {
        self.has_arrival = true;
        self.counts.begin(view.now(), self.current);
        self.plans.arrived(job, view);
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.plans.completed(&release, view.now() as f64);
    }

    fn expected(&mut self, release: Release, end: f64, _view: &View) {
        self.plans.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.plans.reestimated(estimates, view);
    }

    fn could_start(&self, view: &View) -> bool {
        self.is_try() || self.plans.queue(0).any(|job| job.processors <= view.free())
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        if self.plans.waiting() > 0 {
            let now = view.now();
            self.plans.open(view);
            if self.is_try() {
                let before = self.current;
                let log_order = self.plans.queue(0).map(|job| job.estimate);
                self.current = self.bounds.decide(log_order, before);
                self.counts.decided(now, self.plans.waiting(), before, self.current);
            }
            let started = self.plans.carry_out(self.current, view, |job, token| actions.start(job, token));
            self.counts.started[self.current] += started as u64;
        }
        self.has_arrival = false;
    }

    fn report(&self, notes: &mut Notes) {
        self.counts.report(notes);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.plans.reservations(self.current, view)
    }
}
