//! Rounds as an optimisation problem (CP), solved by a search over list orders.
//!
//! At every arrival and completion the waiting jobs are planned so that a local objective is least, and the jobs whose
//! planned start is now start. Nothing is reserved. The algorithm works on plain data, in `round` and the modules below
//! it. This module makes it a [`Scheduler`].

mod exact;
mod family;
mod objective;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod plain;
mod plan;
mod problem;
mod round;
mod search;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use super::freed::{ExpectedEnds, RunningEnd};
pub(super) use family::{FAMILY, PRESETS, check};
use packfair_engine::model::{Actions, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_workload::JobId;
use round::{HoldRule, Moment, Rounds};

/// A scheduler of optimised rounds.
#[derive(Clone, Debug)]
struct Optimised {
    rounds: Rounds,
    running: ExpectedEnds<u32>,
    /// Kept for its memory.
    starting: Vec<Waiting>,
}

impl Optimised {
    /// A scheduler with an empty queue.
    fn new(rule: HoldRule) -> Self {
        Optimised { rounds: Rounds::new(rule), running: ExpectedEnds::default(), starting: Vec::new() }
    }
}

fn moment(view: &View) -> Moment {
    Moment { now: view.now(), free: view.free(), processors: view.processors() }
}

impl Scheduler for Optimised {
    fn arrived(&mut self, job: Waiting, _: &View) {
        self.rounds.submit(job);
    }

    fn completed(&mut self, release: Release, _: &View) {
        self.running.completed(&release);
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
        let Optimised { rounds, running, starting } = self;
        rounds.round(moment(view), running.releases(), |job| starting.push(job));
        for job in starting.drain(..) {
            actions.start(job, Token::default());
            running.started(RunningEnd { at: now + job.estimate, job: job.job, held: job.processors });
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
