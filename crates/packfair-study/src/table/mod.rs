//! Tables of results: what the page shows, the command line prints and files carry.
//!
//! A [`Table`] holds numbers. Its renderers turn them into text, and each escapes what its format needs.

mod cell;
mod csv;
mod intervals;
mod machines;
mod markup;
mod truth;

pub use self::csv::csv;
pub use cell::{CellDisplay, Grid, GridLine, TableCell};
pub use csv::{json, text, text_of};
pub use intervals::{NOT_SURE, SureChanges};
pub use machines::{TitledGrid, machine_grids, machines, resource_name, windows_in_words};
pub use markup::{html, latex, latex_of, markdown, markdown_of};
pub use truth::{how_true, stuck_in_words};

use super::format::{TimeUnit, relative};
use super::verdict::best_rows;
use super::{Baseline, RowNames, Run, RunReport, Source, Study, format, models};
use packfair_engine::metric::Metric;
use std::collections::{HashMap, HashSet};

/// What the cells of a table show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    Absolute,
    /// The change relative to the baseline; the baseline's own rows show values.
    Change,
}

/// Results as rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub columns: Vec<Metric>,
    pub rows: Vec<Row>,
    pub baseline: Baseline,
    /// What the cells show.
    pub mode: Mode,
    /// How true the model is to the log, in words. `None` where the log does not tell, or before [`Table::with_truth`].
    pub truth: Option<String>,
    /// Sentences on the machines of the runs ([`machines()`]). `None` where there is nothing to say, or before
    /// [`Table::with_truth`].
    pub machines: Option<String>,
    /// The log that the results belong to ([`Table::with_origin`]).
    pub origin: TableOrigin,
    /// How sure the changes are, in words. `None` where the study was not repeated ([`Table::with_repeats`]).
    pub sureness: Option<String>,
}

/// The log that results belong to, so that a file of them names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOrigin {
    pub log: String,
    /// The fingerprint of its content; empty where it was generated.
    pub fingerprint: String,
    /// What became of its records, in one line; empty where it was generated.
    pub account: String,
}

impl From<&Source> for TableOrigin {
    fn from(source: &Source) -> Self {
        let fingerprint = match source {
            Source::Trace { fingerprint, .. } => fingerprint.to_string(),
            Source::Generated(_) => String::new(),
        };
        TableOrigin { log: source.name(), fingerprint, account: String::new() }
    }
}

/// A row of a table: a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub run: Run,
    /// What the row is called: by the name that a person has given to it, or else by its scheduler.
    pub scheduler: String,
    /// The name that a person has given to it ([`Table::with_names`]).
    pub given: Option<String>,
    /// Whether some row (perhaps this one) is compared with this row.
    pub is_baseline: bool,
    pub shrink: f64,
    /// How many jobs count.
    pub jobs: usize,
    /// How long the simulation took, seconds; 0 where it was not timed.
    pub wall_s: f64,
    /// Whether the queue grew to the end; averages mean nothing then.
    pub is_saturated: bool,
    /// Whether the log is too short to tell whether the queue grew.
    pub is_too_short: bool,
    /// Whether its changes are judged. They are not where it, or its baseline, is saturated.
    pub is_judged: bool,
    /// Whether the log's own schedule takes more processors than the machine has; its numbers mean nothing then.
    pub is_overfull: bool,
    /// Why there are no values, where the run failed.
    pub failure: Option<String>,
    /// A cell for each column; `None` where the metric is not defined for this schedule.
    pub cells: Vec<Option<TableCell>>,
}

/// A run without a result, because it ended by a bug in Packfair.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FailedRun {
    pub run: Run,
    pub place: usize,
    pub shrink: f64,
    /// What is known about the bug, for a person.
    pub reason: String,
}

/// The columns of a table of these results, if `asked` is wanted. Where the log's own schedule stands beside others,
/// the columns on how far these are from it are added, because without them a change relative to it cannot be read. Where
/// nobody chose columns, those of energy and power are added where watts are known.
pub fn columns<'a>(asked: &[Metric], results: impl IntoIterator<Item = &'a RunReport> + Clone) -> Vec<Metric> {
    let mut columns = asked.to_vec();
    if !asked.is_empty() && stands_beside_log(results.clone()) {
        let is_known = |metric: &Metric| results.clone().into_iter().any(|r| r.values.contains_key(metric));
        let further = Metric::BESIDE_LOG.into_iter().filter(|metric| !asked.contains(metric) && is_known(metric));
        columns.extend(further);
    }
    if asked == Metric::DEFAULT_COLUMNS {
        let is_known = |metric: &Metric| results.clone().into_iter().any(|r| r.values.contains_key(metric));
        columns.extend(Metric::BESIDE_POWER.into_iter().filter(is_known));
    }
    columns
}

/// The columns that the page shows for these runs, if `asked` is wanted. The columns that come with the log's own
/// schedule are folded into the first of them ([`FOLDED`]). It is there before there are results, so that columns do
/// not move when results come.
pub fn folded_columns<'a>(asked: &[Metric], runs: impl IntoIterator<Item = &'a Run> + Clone) -> Vec<Metric> {
    let mut columns = asked.to_vec();
    let is_logged = |run: &Run| run.scheduler.is_as_logged();
    let stands_beside_log = runs.clone().into_iter().any(is_logged) && !runs.into_iter().all(is_logged);
    if stands_beside_log && !asked.is_empty() && !asked.iter().any(|metric| Metric::BESIDE_LOG.contains(metric)) {
        columns.push(FOLDED);
    }
    columns
}

/// The column that stands for all columns on how far schedules are from the log's own.
pub const FOLDED: Metric = Metric::BESIDE_LOG[0];

/// The unit in which each column shows its times, chosen from the values shown.
pub fn units<'a>(
    columns: &[Metric],
    unit: TimeUnit,
    cells: impl Iterator<Item = &'a TableCell> + Clone,
) -> Vec<TimeUnit> {
    let of_column = |metric: &Metric| {
        let shown = cells.clone().filter(|cell| cell.metric == *metric && cell.shown == CellDisplay::Value);
        unit.for_column(shown.map(|cell| cell.value))
    };
    columns.iter().map(of_column).collect()
}

/// Whether the results include the log's own schedule and others.
fn stands_beside_log<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> bool {
    let (logged, simulated): (Vec<&RunReport>, Vec<&RunReport>) =
        results.into_iter().partition(|result| result.run.scheduler.is_as_logged());
    !logged.is_empty() && !simulated.is_empty()
}

/// The caveat for comparisons with the log's own schedule.
pub const AS_LOGGED_CAVEAT: &str = "As logged is what the machine really did. Its waits also hold what is not simulated: \
     holds, dependencies between jobs, quotas, outages, priorities set by hand. A change to it is not what a scheduler \
     would bring.";

/// The caveat for comparisons with an off-line schedule.
pub const OFFLINE_CAVEAT: &str =
    "Off-line rows know all arrivals and run times beforehand: no scheduler can reach them.";

/// The mark of a run whose queue grew to the end.
pub const SATURATED_MARK: &str = "†";

/// The caveat for the averages of a run with [`SATURATED_MARK`].
pub const SATURATED_CAVEAT: &str = "† Saturated: averages tell how long the log is, not what \
     the scheduler does.";

/// The mark of a run of which it cannot be told whether its queue grew.
pub const TOO_SHORT_MARK: &str = "(†)";

/// The caveat for a run with [`TOO_SHORT_MARK`].
pub const TOO_SHORT_CAVEAT: &str = "(†) Too short to tell: much work waits at the last submission, and below four weeks, or of \
     fewer than 200 jobs, nobody can tell whether the queue grows.";

/// The mark of the log's own schedule where it takes more processors than the machine has.
pub const OVERFULL_MARK: &str = "‡";

/// The caveat for the numbers of a run with [`OVERFULL_MARK`].
pub const OVERFULL_CAVEAT: &str = "‡ The log's own schedule takes more processors than the machine has: its numbers mean \
     little or nothing until the machine's size is set right.";

/// The caveat for a table in which no job counts.
pub const NOTHING_COUNTED_CAVEAT: &str = "No job is left to count, so there are no values: all ran or waited already when \
     the log begins, still ran when it was made, complete at the very last moment, or are of no group that counts. The \
     log's initial jobs can count as all others (--initial ordinary), and so can all completions (--count all).";

impl Table {
    pub fn of<'a>(
        results: impl IntoIterator<Item = &'a RunReport>,
        columns: &[Metric],
        baseline: &Baseline,
        mode: Mode,
    ) -> Self {
        let results: Vec<&RunReport> = results.into_iter().collect();
        // Each id is made once, because there may be thousands.
        let own: Vec<String> = results.iter().map(|result| result.run.id()).collect();
        let by_id: HashMap<&String, &RunReport> = own.iter().zip(results.iter().copied()).collect();
        let ids: Vec<Option<String>> = results.iter().map(|r| baseline.of(&r.run).map(|run| run.id())).collect();
        // Runs under different loads are not compared.
        let groups: Vec<RowGroup> = ids
            .iter()
            .zip(&results)
            .map(|(id, result)| {
                let partition = result.run.partition.as_ref().map(|of| of.number);
                let users = (result.run.users.map(f64::to_bits), result.run.replayed);
                let is_on_it = |other: &&RunReport| other.run.what_if == result.run.what_if;
                let machine = result.run.what_if.as_ref().and_then(|_| results.iter().position(is_on_it));
                let place = (result.shrink.to_bits(), partition, users, machine);
                (place, id.as_ref().filter(|_| mode == Mode::Change))
            })
            .collect();
        let best = best_rows(columns, &results, &groups);
        let baselines: HashSet<&String> = ids.iter().flatten().collect();
        let row = |(place, (result, baseline_id)): (usize, (&&RunReport, &Option<String>))| {
            let is_baseline = baselines.contains(&own[place]);
            let compared = baseline_id.as_ref().map(|id| by_id.get(id).copied());
            let cell = |(column, &metric): (usize, &Metric)| {
                let value = *result.values.get(&metric)?;
                let baseline = compared.flatten().and_then(|other| other.values.get(&metric)).copied();
                let change = baseline.and_then(|baseline| relative(value, baseline));
                let shown = match (mode, compared, change) {
                    (Mode::Absolute, ..) | (_, None, _) => CellDisplay::Value,
                    _ if is_baseline || Metric::OF_LOG.contains(&metric) => CellDisplay::Value,
                    (_, _, Some(_)) => CellDisplay::Change,
                    // What only some schedulers report, such as a bound, or kills beside EASY, has no baseline value to
                    // compare with.
                    (_, _, None) if baseline.is_none() && compared.flatten().is_some() => CellDisplay::Value,
                    (_, _, None) => CellDisplay::Nothing,
                };
                let (interval, change_interval, no_interval) = (None, None, None);
                let is_best = best.contains(&(column, place));
                let is_repeated = false;
                Some(TableCell {
                    metric,
                    value,
                    baseline,
                    change,
                    is_best,
                    shown,
                    interval,
                    change_interval,
                    no_interval,
                    is_repeated,
                })
            };
            Row {
                run: result.run.clone(),
                scheduler: result.run.scheduler_name(),
                given: None,
                is_baseline,
                shrink: result.shrink,
                jobs: result.jobs,
                wall_s: result.wall_s,
                is_saturated: result.saturation.is_some(),
                is_too_short: result.is_too_short,
                is_judged: result.saturation.is_none()
                    && compared.flatten().is_none_or(|other| other.saturation.is_none()),
                is_overfull: result.overfull.is_some(),
                failure: None,
                cells: columns.iter().enumerate().map(cell).collect(),
            }
        };
        let rows = results.iter().zip(&ids).enumerate().map(row).collect();
        Table {
            columns: columns.to_vec(),
            rows,
            baseline: baseline.clone(),
            mode,
            truth: None,
            machines: None,
            origin: TableOrigin::default(),
            sureness: None,
        }
    }

    /// The same table with sentences on what was simulated: the machines of the runs, and how true the model is to the
    /// log, where the log tells.
    pub fn with_truth<'a>(self, study: &Study, results: impl IntoIterator<Item = &'a RunReport> + Clone) -> Self {
        Table { machines: machines(study, results.clone()), truth: how_true(models(study, results)), ..self }
    }

    /// The same table without the sentence on how true the model is to the log.
    pub fn without_truth(self) -> Self {
        Table { truth: None, ..self }
    }

    /// The same table with the names that a person has given to rows.
    pub fn with_names(mut self, names: &RowNames) -> Self {
        for row in &mut self.rows {
            if let Some(given) = names.of(&row.run) {
                row.scheduler = given.to_owned();
                row.given = Some(given.to_owned());
            }
        }
        self
    }

    /// The same table with the log that its results belong to.
    pub fn with_origin(self, source: &Source) -> Self {
        Table { origin: source.into(), ..self }
    }

    /// The same table with what became of the records of its log, in one line ([`Account::in_short`]).
    ///
    /// [`Account::in_short`]: packfair_workload::Account::in_short
    pub fn with_account(mut self, account: String) -> Self {
        self.origin.account = account;
        self
    }

    /// The same table with a row for each failed run, at its place. `failed` is in the order of the study's runs.
    pub fn with_failed(mut self, failed: &[FailedRun]) -> Self {
        for FailedRun { run, place, shrink, reason } in failed {
            let row = Row {
                run: run.clone(),
                scheduler: run.scheduler_name(),
                given: None,
                is_baseline: false,
                shrink: *shrink,
                jobs: 0,
                wall_s: 0.0,
                is_saturated: false,
                is_too_short: false,
                is_judged: false,
                is_overfull: false,
                failure: Some(reason.clone()),
                cells: vec![None; self.columns.len()],
            };
            self.rows.insert((*place).min(self.rows.len()), row);
        }
        self
    }

    /// A sentence on what the numbers are compared with; empty where they are not compared.
    pub fn caption(&self) -> String {
        if self.mode == Mode::Absolute {
            return String::new();
        }
        match &self.baseline {
            Baseline::None => String::new(),
            Baseline::Run(run) if run.scheduler.is_given() => format!("Change to {}.", run.scheduler.name()),
            Baseline::Run(run) => {
                format!("Change to {} with {} estimates.", run.scheduler.name(), format::estimate(&run.estimate))
            }
            Baseline::Scheduler(scheduler) => format!("Change to {} with the same estimates.", scheduler.name()),
            Baseline::Estimate(estimate) => {
                format!("Change to the same scheduler with {} estimates.", format::estimate(estimate))
            }
        }
    }

    /// Caveats for reading the table; mostly none.
    pub fn caveats(&self) -> impl Iterator<Item = &'static str> + use<> {
        let mut logged = self.rows.iter().map(|row| row.run.scheduler.is_as_logged());
        let beside_log = logged.clone().any(|is_logged| is_logged) && logged.any(|is_logged| !is_logged);
        let is_saturated = self.rows.iter().any(|row| row.is_saturated);
        let is_overfull = self.rows.iter().any(|row| row.is_overfull);
        let is_offline = self.rows.iter().any(|row| row.run.scheduler.is_offline());
        let beside_log = beside_log.then_some(AS_LOGGED_CAVEAT).into_iter();
        let saturated = is_saturated.then_some(SATURATED_CAVEAT);
        let too_short = self.rows.iter().any(|row| row.is_too_short).then_some(TOO_SHORT_CAVEAT);
        let overfull = is_overfull.then_some(OVERFULL_CAVEAT);
        let is_empty = self.rows.iter().any(|row| row.jobs == 0 && row.failure.is_none());
        let empty = is_empty.then_some(NOTHING_COUNTED_CAVEAT);
        beside_log
            .chain(is_offline.then_some(OFFLINE_CAVEAT))
            .chain(saturated)
            .chain(too_short)
            .chain(overfull)
            .chain(empty)
    }

    /// Whether any run has distorted estimates, so that a column must show the factor.
    fn has_factors(&self) -> bool {
        self.rows.iter().any(|row| row.run.estimate.k != 1.0)
    }

    /// Whether runs differ in the shrinking factor, so that a column must show it.
    fn has_shrinks(&self) -> bool {
        self.rows.iter().any(|row| row.run.shrink.is_some())
    }

    /// The table as texts for a person.
    fn grid(&self, unit: TimeUnit) -> Grid {
        let has_factors = self.has_factors();
        let mut labels = vec!["Scheduler".to_owned(), "Estimate".to_owned()];
        if has_factors {
            labels.push("k".to_owned());
        }
        let has_shrinks = self.has_shrinks();
        if has_shrinks {
            labels.push("f".to_owned());
        }
        let units = units(&self.columns, unit, self.rows.iter().flat_map(|row| row.cells.iter().flatten()));
        let heading = |(metric, &unit): (&Metric, &TimeUnit)| match format::unit(*metric, unit) {
            "" => metric.about().name.to_owned(),
            unit => format!("{} ({unit})", metric.about().name),
        };
        let missing = || format::MISSING.to_owned();
        let line = |row: &Row| {
            let star = if row.is_baseline && self.mode == Mode::Change { " *" } else { "" };
            let saturated = match (row.is_saturated, row.is_too_short) {
                (true, _) => SATURATED_MARK,
                (false, true) => TOO_SHORT_MARK,
                (false, false) => "",
            };
            let overfull = if row.is_overfull { OVERFULL_MARK } else { "" };
            let failed = if row.failure.is_some() { " (failed)" } else { "" };
            let mut labels =
                vec![format!("{}{star}{saturated}{overfull}{failed}", row.scheduler), row.run.estimate.method.short()];
            if has_factors {
                labels.push(format::factor(row.run.estimate.k));
            }
            if has_shrinks {
                labels.push(format::factor(row.shrink));
            }
            let text = |(cell, &unit): (&Option<TableCell>, &TimeUnit)| {
                cell.as_ref().map_or_else(missing, |cell| cell.text(unit))
            };
            GridLine {
                labels,
                values: row.cells.iter().zip(&units).map(text).collect(),
                best: row
                    .cells
                    .iter()
                    .map(|cell| cell.is_some_and(|c| c.is_best && c.shown != CellDisplay::Nothing))
                    .collect(),
            }
        };
        Grid {
            labels,
            headings: self.columns.iter().zip(&units).map(heading).collect(),
            lines: self.rows.iter().map(line).collect(),
        }
    }
}

/// What identifies the workload of a result: the bits of the shrinking factor; the partition; the number of users (as
/// bits) and whether the run is a replay; and, with a what-if, the index of the first result with that what-if.
type OnWorkload = (u64, Option<i32>, (Option<u64>, bool), Option<usize>);

/// What results are compared within: one workload and, where changes are shown, one baseline.
type RowGroup<'a> = (OnWorkload, Option<&'a String>);

#[cfg(test)]
mod tests;
