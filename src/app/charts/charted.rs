//! The charted runs, with their inks and curves.

use crate::app::prelude::*;
use crate::app::state::{App, RunOutcome, RunSettings};
use crate::chart::kinds::Charted;
use crate::chart::{AxisClock, Ink, first_runs, inks, recipe_runs};
use crate::estimator::{Estimate, Method};
use crate::study::Run;
use crate::study::link::SharedWorkload;
use crate::workload::{Seconds, Steps, Summary, Unit};
use std::collections::HashSet;
use std::sync::Arc;

/// The number of runs that are charted until the user chooses.
pub const FIRST: usize = 4;

/// The largest number of runs on a chart: more could not be told apart.
pub const MOST: usize = 12;

/// All results, and the runs that are charted.
#[derive(Clone, Copy)]
pub struct ChartedRuns {
    /// The results for the present settings, in the table's order. After a change of settings on the same log, the
    /// previous results stay until new ones arrive.
    pub all: Memo<Vec<Arc<RunOutcome>>>,
    pub chosen: Memo<Vec<Run>>,
}

impl ChartedRuns {
    pub fn of(app: App) -> Self {
        ChartedRuns::with_first(app, first_of)
    }

    /// The charted runs of a recipe's figure: all runs until the user chooses.
    pub fn of_recipe(app: App) -> Self {
        ChartedRuns::with_first(app, |all| recipe_runs(drawable(all)))
    }

    /// The charted runs of the Estimates tab: until the user chooses, runs that differ in their estimates.
    pub fn of_estimates(app: App) -> Self {
        ChartedRuns::with_first(app, first_estimates)
    }

    fn with_first(app: App, first_of: fn(&[Arc<RunOutcome>]) -> Vec<Run>) -> Self {
        let all = Memo::new_with_compare(
            move |before| up_to_date_or_before(app, before.map_or(&[], Vec::as_slice)),
            |old: Option<&Vec<Arc<RunOutcome>>>, new| match (old, new) {
                (Some(old), Some(new)) => {
                    old.len() != new.len() || old.iter().zip(new).any(|(a, b)| !Arc::ptr_eq(a, b))
                }
                _ => true,
            },
        );
        let chosen = Memo::new(move |_| {
            all.with(|all| {
                let chosen = charted_of(&app.charted.get(), all);
                if chosen.is_empty() { first_of(all) } else { chosen }
            })
        });
        ChartedRuns { all, chosen }
    }

    /// Whether the shown results are for earlier settings.
    pub fn is_stale(self, app: App) -> bool {
        let settings = app.study.with(RunSettings::of);
        self.all.with(|all| all.first().is_some_and(|outcome| outcome.settings != settings))
    }

    /// Calls `make` with all results; runs that are not chosen are grey.
    pub fn with_all<T>(self, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let inks = inks(&chosen);
        let ink = |run: &Run| chosen.iter().position(|c| c == run).map_or(Ink::Rest, |place| inks[place]);
        self.all.with(|all| {
            let charted = all.iter().map(|o| Charted { report: &o.report, ink: ink(&o.report.run) });
            make(&charted.collect::<Vec<_>>())
        })
    }

    /// The ink of a run: grey if it is not charted.
    pub fn ink_of(self, run: &Run) -> Ink {
        let place = self.chosen.with(|chosen| chosen.iter().position(|other| other == run));
        place.map_or(Ink::Rest, |place| self.chosen.with(|chosen| inks(chosen)[place]))
    }

    pub fn toggle(self, app: App, run: &Run) {
        let mut chosen = self.chosen.get_untracked();
        match chosen.iter().position(|c| c == run) {
            Some(at) => drop(chosen.remove(at)),
            None if chosen.len() < MOST => chosen.push(run.clone()),
            None => return app.complain(format!("A chart shows {MOST} runs at most: take one out first.")),
        }
        app.chart(chosen);
    }
}

pub fn chosen(charted: &[Run], results: &[Arc<RunOutcome>]) -> Vec<Run> {
    let chosen = charted_of(charted, results);
    if chosen.is_empty() { first_of(results) } else { chosen }
}

fn charted_of(charted: &[Run], results: &[Arc<RunOutcome>]) -> Vec<Run> {
    let can_be = |run: &&Run| results.iter().any(|o| o.report.run == **run && o.report.has_curves());
    charted.iter().filter(can_be).take(MOST).cloned().collect()
}

/// The results for the present settings. If the settings have changed on the same log, the results shown `before` stay
/// until the charted runs have new results or no more runs are under way.
fn up_to_date_or_before(app: App, before: &[Arc<RunOutcome>]) -> Vec<Arc<RunOutcome>> {
    let fresh = app.results();
    let study = app.study.read();
    let settings = RunSettings::of(&study);
    let is_of_log = |outcome: &Arc<RunOutcome>| outcome.settings.source.key() == study.source.key();
    let is_before = |outcome: &Arc<RunOutcome>| is_of_log(outcome) && outcome.settings != settings;
    if app.is_between_logs() || !before.iter().all(is_before) {
        return fresh;
    }
    if before.is_empty() && fresh.is_empty() {
        // results that all have the same settings
        let shown: Vec<Arc<RunOutcome>> = app.rows.with(|rows| rows.iter().filter_map(|r| r.result.clone()).collect());
        let same = |outcome: &Arc<RunOutcome>| is_before(outcome) && outcome.settings == shown[0].settings;
        return shown.iter().filter(|outcome| same(outcome)).cloned().collect();
    }
    // runs that are no longer rows are not shown
    // a set, because there may be thousands of rows
    let asked: HashSet<String> = app.rows.with(|rows| rows.iter().map(|row| row.run.id()).collect());
    let is_asked = |outcome: &&Arc<RunOutcome>| asked.contains(&outcome.report.run.id());
    let before: Vec<Arc<RunOutcome>> = before.iter().filter(is_asked).cloned().collect();
    let has_come = |run: &Run| fresh.iter().any(|outcome| outcome.report.run == *run);
    let is_awaited = app.is_busy() && !chosen(&app.charted.get(), &before).iter().all(has_come);
    if fresh.is_empty() || is_awaited && !before.is_empty() { before } else { fresh }
}

/// The runs that are charted until the user chooses.
fn first_of(all: &[Arc<RunOutcome>]) -> Vec<Run> {
    first_runs(drawable(all))
}

/// The runs that have curves; all runs if none has.
fn drawable(all: &[Arc<RunOutcome>]) -> impl Iterator<Item = &Run> + Clone {
    let is_none = !all.iter().any(|outcome| outcome.report.has_curves());
    let can_be = move |outcome: &&Arc<RunOutcome>| is_none || outcome.report.has_curves();
    all.iter().filter(can_be).map(|outcome| &outcome.report.run)
}

/// The runs of the first scheduler whose estimates may be wrong, at most [`FIRST`]; if there are none, its first run.
fn first_estimates(all: &[Arc<RunOutcome>]) -> Vec<Run> {
    let runs = || all.iter().map(|outcome| &outcome.report.run);
    let Some(first) = runs().find(|run| !run.scheduler.is_given()) else { return Vec::new() };
    let is_exact = |run: &&Run| run.estimate == Estimate::of(Method::actual());
    let alike = runs().filter(|run| run.scheduler == first.scheduler && run.shrink == first.shrink);
    let uncertain: Vec<Run> = alike.filter(|run| !is_exact(run)).take(FIRST).cloned().collect();
    if uncertain.is_empty() { vec![first.clone()] } else { uncertain }
}

/// The summary of the active log, if one is loaded.
pub fn summary(app: App) -> Memo<Option<Arc<Summary>>> {
    use crate::app::state::LogState;
    Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => Some(Arc::new(described.summary.clone())),
            _ => None,
        })
    })
}

/// The background data of charts of runs, from the active log or, as far as it is carried, from a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Backdrop {
    /// What the seconds of a time axis mean.
    pub clock: AxisClock,
    /// The cumulative fraction of job area against job area.
    pub area: Option<Steps>,
    pub processors: u32,
    /// What processors stand for; links do not carry it.
    pub unit: Unit,
    /// When the machine seems to have been down, seconds of the log; empty for a link, which does not carry it.
    pub down: Vec<(Seconds, Seconds)>,
}

pub fn backdrop(app: App) -> Memo<Backdrop> {
    let summary = summary(app);
    Memo::new(move |_| {
        let of_link = |carried: &SharedWorkload| Backdrop {
            clock: carried.clock.as_ref().map_or(AxisClock::ELAPSED, AxisClock::of),
            area: Some(&carried.area_by_area)
                .filter(|line| !line.x.is_empty())
                .map(|line| Steps { x: line.x.clone(), y: line.y.clone() }),
            processors: carried.machine.processors,
            unit: Unit::Processors,
            down: Vec::new(),
        };
        match (summary.get(), app.shared.get()) {
            (Some(summary), _) => Backdrop {
                clock: AxisClock::of(&summary.clock),
                area: Some(summary.area_by_area.clone()),
                processors: summary.machine.processors,
                unit: summary.counting.unit,
                down: summary.down_times.clone(),
            },
            (None, Some(shared)) => of_link(&shared.carried.workload),
            (None, None) => Backdrop {
                clock: AxisClock::ELAPSED,
                area: None,
                processors: 0,
                unit: Unit::Processors,
                down: Vec::new(),
            },
        }
    })
}

pub fn clock(summary: Memo<Option<Arc<Summary>>>) -> AxisClock {
    summary.with(|summary| summary.as_ref().map_or(AxisClock::ELAPSED, |summary| AxisClock::of(&summary.clock)))
}
