//! Which runs are charted, in which ink, with which curves.

use super::finer::Finer;
use crate::app::prelude::*;
use crate::app::state::{App, RunOutcome, RunSettings};
use crate::chart::kinds::Charted;
use crate::chart::{AxisClock, Ink, first_runs, inks, recipe_runs};
use crate::estimator::{Estimate, Method};
use crate::study::link::SharedWorkload;
use crate::study::{Run, RunReport};
use crate::workload::{Seconds, Steps, Summary};
use std::collections::HashSet;
use std::sync::Arc;

/// How many runs are charted until the user chooses.
pub const FIRST: usize = 4;

/// More runs than this cannot be told apart on a chart.
pub const MOST: usize = 12;

/// All results, and which of them are charted.
#[derive(Clone, Copy)]
pub struct ChartedRuns {
    /// The results that hold for the present settings, in the table's order; while these are on their way, those of
    /// the settings before on the same log.
    pub all: Memo<Vec<Arc<RunOutcome>>>,
    /// The charted runs.
    pub chosen: Memo<Vec<Run>>,
}

impl ChartedRuns {
    /// Of the page.
    pub fn of(app: App) -> Self {
        ChartedRuns::with_first(app, first_of)
    }

    /// Those of a recipe's figure: until the user chooses, all of them.
    pub fn of_recipe(app: App) -> Self {
        ChartedRuns::with_first(app, |all| recipe_runs(drawable(all)))
    }

    /// Those of the page's estimates: until the user chooses, runs that differ in them.
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

    /// Whether what is shown is of settings before the present ones.
    pub fn is_stale(self, app: App) -> bool {
        let settings = app.study.with(RunSettings::of);
        self.all.with(|all| all.first().is_some_and(|outcome| outcome.settings != settings))
    }

    /// Calls `make` with the chosen runs, their curves as fine as they are known.
    pub fn with_chosen<T>(self, finer: Finer, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let inks = inks(&chosen);
        let reports: Vec<(RunReport, Ink)> = self.all.with(|all| {
            let find = |(i, run): (usize, &Run)| {
                let outcome = all.iter().find(|outcome| outcome.report.run == *run)?;
                Some((finer.refine(outcome.report.clone()), inks[i]))
            };
            chosen.iter().enumerate().filter_map(find).collect()
        });
        let charted: Vec<Charted<'_>> = reports.iter().map(|(report, ink)| Charted { report, ink: *ink }).collect();
        make(&charted)
    }

    /// Calls `make` with all results; those not chosen are grey.
    pub fn with_all<T>(self, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let inks = inks(&chosen);
        let ink = |run: &Run| chosen.iter().position(|c| c == run).map_or(Ink::Rest, |place| inks[place]);
        self.all.with(|all| {
            let charted = all.iter().map(|o| Charted { report: &o.report, ink: ink(&o.report.run) });
            make(&charted.collect::<Vec<_>>())
        })
    }

    /// The ink of a run: grey where it is not charted.
    pub fn ink_of(self, run: &Run) -> Ink {
        let place = self.chosen.with(|chosen| chosen.iter().position(|other| other == run));
        place.map_or(Ink::Rest, |place| self.chosen.with(|chosen| inks(chosen)[place]))
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

/// Which of the `results` are charted where a person chose `charted`.
pub fn chosen(charted: &[Run], results: &[Arc<RunOutcome>]) -> Vec<Run> {
    let chosen = charted_of(charted, results);
    if chosen.is_empty() { first_of(results) } else { chosen }
}

/// Those of the runs that a person chose which can be charted.
fn charted_of(charted: &[Run], results: &[Arc<RunOutcome>]) -> Vec<Run> {
    let can_be = |run: &&Run| results.iter().any(|o| o.report.run == **run && o.report.has_curves());
    charted.iter().filter(can_be).take(MOST).cloned().collect()
}

/// The results that hold for the present settings. Where these have changed on the same log, what was shown `before`
/// stays until what is charted of it has come anew, or nothing more is on its way.
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
        // of one and the same settings
        let shown: Vec<Arc<RunOutcome>> = app.rows.with(|rows| rows.iter().filter_map(|r| r.result.clone()).collect());
        let same = |outcome: &Arc<RunOutcome>| is_before(outcome) && outcome.settings == shown[0].settings;
        return shown.iter().filter(|outcome| same(outcome)).cloned().collect();
    }
    // rows that are there no more are not shown any longer
    // there may be thousands
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

/// The runs that have curves; where none has, all of them.
fn drawable(all: &[Arc<RunOutcome>]) -> impl Iterator<Item = &Run> + Clone {
    let is_none = !all.iter().any(|outcome| outcome.report.has_curves());
    let can_be = move |outcome: &&Arc<RunOutcome>| is_none || outcome.report.has_curves();
    all.iter().filter(can_be).map(|outcome| &outcome.report.run)
}

/// The first scheduler with the first estimates that may be wrong; if there are none, its first run.
fn first_estimates(all: &[Arc<RunOutcome>]) -> Vec<Run> {
    let runs = || all.iter().map(|outcome| &outcome.report.run);
    let Some(first) = runs().find(|run| !run.scheduler.is_given()) else { return Vec::new() };
    let is_exact = |run: &&Run| run.estimate == Estimate::of(Method::actual());
    let alike = runs().filter(|run| run.scheduler == first.scheduler && run.shrink == first.shrink);
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

/// What lies behind the curves of runs: of the active log, or as far as a link carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Backdrop {
    /// What the seconds of a time axis mean.
    pub clock: AxisClock,
    /// Cumulative fraction of job area against job area.
    pub area: Option<Steps>,
    /// Machine size.
    pub processors: u32,
    /// When the machine seems to have been down, seconds of the log; a link does not carry it.
    pub down: Vec<(Seconds, Seconds)>,
}

/// The backdrop of what is shown.
pub fn backdrop(app: App) -> Memo<Backdrop> {
    let summary = summary(app);
    Memo::new(move |_| {
        let of_link = |carried: &SharedWorkload| Backdrop {
            clock: carried.clock.as_ref().map_or(AxisClock::ELAPSED, AxisClock::of),
            area: Some(&carried.area_by_area)
                .filter(|line| !line.x.is_empty())
                .map(|line| Steps { x: line.x.clone(), y: line.y.clone() }),
            processors: carried.machine.processors,
            down: Vec::new(),
        };
        match (summary.get(), app.shared.get()) {
            (Some(summary), _) => Backdrop {
                clock: AxisClock::of(&summary.clock),
                area: Some(summary.area_by_area.clone()),
                processors: summary.machine.processors,
                down: summary.down_times.clone(),
            },
            (None, Some(shared)) => of_link(&shared.carried.workload),
            (None, None) => Backdrop { clock: AxisClock::ELAPSED, area: None, processors: 0, down: Vec::new() },
        }
    })
}

/// The clock of the active log.
pub fn clock(summary: Memo<Option<Arc<Summary>>>) -> AxisClock {
    summary.with(|summary| summary.as_ref().map_or(AxisClock::ELAPSED, |summary| AxisClock::of(&summary.clock)))
}
