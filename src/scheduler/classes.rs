//! EASY with small jobs before large ones, and a safeguard for jobs wrongly taken for small (CLASSIFY §5).
//!
//! A classifier of the simulation says which jobs are small; the scheduler sees the class, never the run time.

use super::catalogue::{Implementation, ORDER};
use super::easy::Easy;
use super::order::Order;
use super::queue::Ties;
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::classifier::{self, Options};
use crate::model::{Actions, Class, NoteId, Notes, Release, Reservation, Scheduler, Usual, View, Waiting};
use crate::workload::{JobId, Seconds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The family's catalogue line.
pub const FAMILY: Implementation = Implementation {
    entry: Entry {
        id: "classes",
        name: "Classes",
        help: "EASY with the jobs that are taken for small before all others; one that turns out large is killed and \
               waits again",
        source: "CLASSIFY §4, §5",
        parameters: PARAMETERS,
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| Box::new(Classes::new(settings))),
    classifier: Some(|settings, workload| classifier::build(&Options::of(settings), workload)),
    plain: None,
};

const PARAMETERS: &[Parameter] = &{
    let own = [POLICY, SAFEGUARD, ESTIMATE, STARVATION];
    let mut all = [POLICY; 4 + classifier::PARAMETERS.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < own.len() { own[i] } else { classifier::PARAMETERS[i - own.len()] };
        i += 1;
    }
    all
};

const POLICY: Parameter =
    Parameter { id: "policy", name: "Policy", help: "the order within each of the two classes", kind: ORDER };

const SAFEGUARD: Parameter = Parameter {
    id: "safeguard",
    name: "Safeguard",
    help: "a job that is taken for small and runs for longer than the divider is killed and waits again, as a large one",
    kind: Kind::Choice { options: &[("on", "on"), ("off", "off")], default: "on" },
};

const ESTIMATE: Parameter = Parameter {
    id: "estimate",
    name: "Estimate of small jobs",
    help: "the estimate as it is, or at most the divider, which the safeguard makes true",
    kind: Kind::Choice {
        options: &[("limit", "as it is"), ("capped", "at most the divider (with safeguard)")],
        default: "limit",
    },
};

const STARVATION: Parameter = Parameter {
    id: "starvation",
    name: "Starvation threshold",
    help: "a job that has waited longer goes before both classes",
    kind: Kind::Whole { min: 0, max: 1_000_000_000, default: None, unit: "s" },
};

/// A job that is killed unless it has completed: when, in the order of the starts.
type Due = Reverse<(Seconds, u64, JobId)>;

#[derive(Clone)]
struct Classes {
    easy: Easy,
    safeguard: bool,
    /// Whether the estimate of a small job is at most its divider.
    capped: bool,
    /// Jobs taken for small that run, and some that have completed.
    due: BinaryHeap<Due>,
    /// How many small jobs have started.
    started: u64,
    kills: u64,
    /// Kept for its memory.
    estimates: Vec<f64>,
}

impl Classes {
    fn new(settings: &Settings) -> Self {
        let policy = Order::from_id(settings.choice("policy"));
        let safeguard = settings.choice("safeguard") == "on";
        Classes {
            easy: Easy::in_order(policy, policy, Ties::SmallFirst, settings.whole("starvation")),
            safeguard,
            capped: safeguard && settings.choice("estimate") == "capped",
            due: BinaryHeap::new(),
            started: 0,
            kills: 0,
            estimates: Vec::new(),
        }
    }

    /// The estimate of a job, with which it is ordered, planned and backfilled.
    fn estimate(&self, job: &Waiting, view: &View) -> f64 {
        match view.class(job.job).divider {
            Some(divider) if self.capped && job.class == Class::Small => job.estimate.min(divider as f64),
            _ => job.estimate,
        }
    }

    /// Remembers when the small jobs that have just started are to be killed.
    fn watch(&mut self, view: &View, actions: &mut Actions) {
        for start in &actions.starts {
            if start.job.class == Class::Small
                && let Some(divider) = view.class(start.job.job).divider
            {
                self.due.push(Reverse((view.now() + divider, self.started, start.job.job)));
                self.started += 1;
            }
        }
        if let Some(&Reverse((at, ..))) = self.due.peek() {
            actions.wake_at(at);
        }
    }
}

impl Scheduler for Classes {
    fn arrived(&mut self, job: Waiting, view: &View) {
        let estimate = self.estimate(&job, view);
        self.easy.arrived(Waiting { estimate, ..job }, view);
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.easy.completed(release, view);
    }

    fn expected(&mut self, release: Release, end: f64, view: &View) {
        self.easy.expected(release, end, view);
    }

    fn overdue(&mut self, release: Release, end: f64, view: &View) {
        self.easy.overdue(release, end, view);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        if !self.capped {
            return self.easy.reestimated(estimates, view);
        }
        let mut capped = std::mem::take(&mut self.estimates);
        capped.clear();
        capped.extend_from_slice(estimates);
        for job in view.waiting() {
            capped[job.job.index()] = self.estimate(&job, view);
        }
        self.easy.reestimated(&capped, view);
        self.estimates = capped;
    }

    fn could_start(&self, view: &View) -> bool {
        self.easy.could_start(view)
    }

    fn woken(&mut self, view: &View, actions: &mut Actions) -> bool {
        while let Some(&Reverse((at, _, job))) = self.due.peek()
            && at <= view.now()
        {
            self.due.pop();
            // one that has completed is passed over
            actions.kill(job);
        }
        if let Some(&Reverse((at, ..))) = self.due.peek() {
            actions.wake_at(at);
        }
        false
    }

    fn killed(&mut self, release: Release, job: Waiting, view: &View) {
        self.kills += 1;
        self.easy.killed(release, job, view);
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        self.easy.round(view, actions);
        if self.safeguard {
            self.watch(view, actions);
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.easy.reservations(view)
    }

    fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::KILLS, self.kills as f64);
    }
}
