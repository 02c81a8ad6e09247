//! Rounds as an optimisation problem (CP), solved by a search over list orders.
//!
//! At every arrival and completion the waiting jobs are planned so that a local objective is least, and the jobs whose
//! planned start is now start. Nothing is reserved. The algorithm works on plain data, in `round` and the modules below
//! it. This module makes it a [`Scheduler`].

mod adaptive;
mod bounds;
mod decode;
mod exact;
mod explain;
mod family;
pub mod gap;
mod horizon;
mod lists;
mod objective;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod plain;
mod plan;
mod problem;
mod queue;
mod round;
mod search;
mod steps;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use super::expected_ends::{ExpectedEnds, RunningEnd};
use packfair_engine::model::reported::optimised::CHANGES;
use packfair_engine::model::{Actions, Notes, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_workload::JobId;
use adaptive::{Adaptive, Goal};
pub(super) use family::{FAMILY, PRESETS, check};
use round::{HoldRule, Moment, Rounds};

/// A scheduler of optimised rounds.
#[derive(Clone, Debug)]
struct Optimised {
    rounds: Rounds,
    running: ExpectedEnds<u32>,
    /// Chooses the objective, where the weights adapt.
    adaptive: Option<Box<Adaptive>>,
    /// Kept for its memory.
    starting: Vec<Waiting>,
}

impl Optimised {
    /// A scheduler with an empty queue. With a `goal` the weights adapt, and the objective of the rule is not used.
    fn new(rule: HoldRule, goal: Option<Goal>, has_gap: bool) -> Self {
        let adaptive = goal.map(|goal| Box::new(Adaptive::new(goal)));
        let objective = adaptive.as_ref().map_or(rule.objective, |adaptive| adaptive.objective());
        let mut rounds = Rounds::new(HoldRule { objective, ..rule });
        if has_gap {
            rounds.measure_gap();
        }
        Optimised { rounds, running: ExpectedEnds::default(), adaptive, starting: Vec::new() }
    }
}

fn moment(view: &View) -> Moment {
    Moment { now: view.now(), free: view.free(), processors: view.processors() }
}

impl Scheduler for Optimised {
    fn arrived(&mut self, job: Waiting, _: &View) {
        self.rounds.submit(job);
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.submitted(job);
        }
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.running.completed(&release);
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.completed(release.job, view.now());
        }
    }

    fn expected(&mut self, release: Release, end: f64, _: &View) {
        self.running.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], _: &View) {
        self.rounds.reestimate(estimates);
    }

    fn could_start(&self, view: &View) -> bool {
        self.rounds.could_start(moment(view))
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let now = view.now() as f64;
        let Optimised { rounds, running, adaptive, starting } = self;
        if let Some(adaptive) = adaptive
            && adaptive.adapt(view.now(), rounds.rule(), view.processors())
        {
            rounds.plan_for(adaptive.objective());
        }
        rounds.round(moment(view), running.releases(), |job| starting.push(job));
        for job in starting.drain(..) {
            actions.start(job, Token::default());
            running.started(RunningEnd { at: now + job.estimate, job: job.job, held: job.processors });
            if let Some(adaptive) = adaptive {
                adaptive.started(job.job, view.now());
            }
        }
    }

    fn report(&self, notes: &mut Notes) {
        if let Some(adaptive) = &self.adaptive {
            notes.set(CHANGES, adaptive.changes() as f64);
        }
        if let Some(gap) = self.rounds.gap() {
            gap.report(notes);
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let now = view.now() as f64;
        let releases = view.releases().into_iter().map(|release| (release.at, release.processors));
        let planned = self.rounds.planned(moment(view), releases);
        planned.into_iter().map(|(job, start)| Reservation { job, start: now + f64::from(start) }).collect()
    }

    fn explains(&self) -> bool {
        true
    }

    fn explain(&self, job: JobId, view: &View) -> Option<String> {
        let releases = view.releases().into_iter().map(|release| (release.at, release.processors));
        self.rounds.explain(job, moment(view), releases).map(|explained| explained.to_string())
    }
}
