//! Which runs are charted, in which ink, with which curves.

use super::finer::Finer;
use crate::app::prelude::*;
use crate::app::state::{App, Outcome};
use crate::chart::kinds::Charted;
use crate::chart::{Clock, Ink};
use crate::estimator::{Estimate, Method};
use crate::study::{Run, RunReport};
use crate::workload::Summary;
use std::sync::Arc;

/// How many runs are charted where nobody chose.
pub const FIRST: usize = 4;

/// More runs than this cannot be told apart on a chart.
pub const MOST: usize = 12;

/// All results, and which of them are charted.
#[derive(Clone, Copy)]
pub struct ChartedRuns {
    /// The results that hold for the present settings, in the table's order.
    pub all: Memo<Vec<Arc<Outcome>>>,
    /// The charted runs; a run's place tells its ink.
    pub chosen: Memo<Vec<Run>>,
}

impl ChartedRuns {
    /// Of the page.
    pub fn of(app: App) -> Self {
        ChartedRuns::with_first(app, first_of)
    }

    /// Of the page's estimates: where nobody chose, runs that differ in these.
    pub fn of_estimates(app: App) -> Self {
        ChartedRuns::with_first(app, first_estimates)
    }

    fn with_first(app: App, first_of: fn(&[Arc<Outcome>]) -> Vec<Run>) -> Self {
        let all = Memo::new_with_compare(
            move |_| app.results(),
            |old: Option<&Vec<Arc<Outcome>>>, new| match (old, new) {
                (Some(old), Some(new)) => {
                    old.len() != new.len() || old.iter().zip(new).any(|(a, b)| !Arc::ptr_eq(a, b))
                }
                _ => true,
            },
        );
        let chosen = Memo::new(move |_| {
            all.with(|all| {
                let has_result = |run: &Run| all.iter().any(|o| o.report.run == *run);
                let chosen: Vec<Run> = app.charted.get().into_iter().filter(has_result).take(MOST).collect();
                if chosen.is_empty() { first_of(all) } else { chosen }
            })
        });
        ChartedRuns { all, chosen }
    }

    /// Calls `make` with the chosen runs, their curves as fine as they are known.
    pub fn with_chosen<T>(self, finer: Finer, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let reports: Vec<(RunReport, Ink)> = self.all.with(|all| {
            let find = |(i, run): (usize, &Run)| {
                let outcome = all.iter().find(|outcome| outcome.report.run == *run)?;
                Some((finer.refine(outcome.report.clone()), Ink::Series(i)))
            };
            chosen.iter().enumerate().filter_map(find).collect()
        });
        let charted: Vec<Charted<'_>> = reports.iter().map(|(report, ink)| Charted { report, ink: *ink }).collect();
        make(&charted)
    }

    /// Calls `make` with all results; those not chosen are grey.
    pub fn with_all<T>(self, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let ink = |run: &Run| chosen.iter().position(|c| c == run).map_or(Ink::Rest, Ink::Series);
        self.all.with(|all| {
            let charted = all.iter().map(|o| Charted { report: &o.report, ink: ink(&o.report.run) });
            make(&charted.collect::<Vec<_>>())
        })
    }

    /// Charts a run, or no longer.
    pub fn toggle(self, app: App, run: &Run) {
        let mut chosen = self.chosen.get_untracked();
        match chosen.iter().position(|c| c == run) {
            Some(at) => drop(chosen.remove(at)),
            None if chosen.len() < MOST => chosen.push(run.clone()),
            None => return app.complain(format!("A chart shows {MOST} runs at most: take one out first.")),
        }
        app.charted.set(chosen);
    }
}

/// The first schedulers with the estimates of the first run: what differs then is the scheduler alone. Where there is
/// but one such run, the first runs of the table.
fn first_of(all: &[Arc<Outcome>]) -> Vec<Run> {
    let runs = || all.iter().map(|outcome| &outcome.report.run);
    let Some(first) = runs().next() else { return Vec::new() };
    let alike: Vec<Run> = runs().filter(|run| run.estimate == first.estimate).take(FIRST).cloned().collect();
    if alike.len() > 1 { alike } else { runs().take(FIRST).cloned().collect() }
}

/// The first scheduler with the first estimates that may be wrong; if there are none, its first run.
fn first_estimates(all: &[Arc<Outcome>]) -> Vec<Run> {
    let runs = || all.iter().map(|outcome| &outcome.report.run);
    let Some(first) = runs().find(|run| !run.scheduler.is_as_logged()) else { return Vec::new() };
    let is_exact = |run: &&Run| run.estimate == Estimate::of(Method::actual());
    let alike = runs().filter(|run| run.scheduler == first.scheduler);
    let uncertain: Vec<Run> = alike.filter(|run| !is_exact(run)).take(FIRST).cloned().collect();
    if uncertain.is_empty() { vec![first.clone()] } else { uncertain }
}

/// The summary of the active log, where there is one.
pub fn summary(app: App) -> Memo<Option<Arc<Summary>>> {
    use crate::app::state::LogState;
    Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => Some(Arc::new(described.summary.clone())),
            _ => None,
        })
    })
}

/// The clock of the active log.
pub fn clock(summary: Memo<Option<Arc<Summary>>>) -> Clock {
    summary.with(|summary| summary.as_ref().map_or(Clock::ELAPSED, |summary| Clock::of(&summary.clock)))
}
