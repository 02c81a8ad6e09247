//! Tables of results: what the page shows, the command line prints and files carry.
//!
//! A [`Table`] holds numbers; its renderers turn them into text, each escaping what its format needs.

mod csv;
mod intervals;
mod json;
mod latex;
mod machine_use;
mod machines;
mod markdown;
mod text;
mod truth;

pub use self::csv::csv;
pub use intervals::{NOT_SURE, SureChanges};
pub use json::json;
pub use latex::{latex, latex_of};
pub use machine_use::{TitledGrid, machine_grids, resource_name, windows_in_words};
pub use machines::machines;
pub use markdown::{markdown, markdown_of};
pub use text::{text, text_of};
pub use truth::how_true;

use super::format::{self, TimeUnit};
use super::sureness::Interval;
use super::verdict::best_rows;
use super::{Baseline, Run, RunReport, Source, Study, models};
use crate::metric::Metric;
use std::collections::{HashMap, HashSet};

/// What the cells of a table show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// The values themselves.
    Absolute,
    /// The change to the baseline; the baseline's own rows show values.
    Change,
}

/// Results as rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A metric a column.
    pub columns: Vec<Metric>,
    /// A run a row.
    pub rows: Vec<Row>,
    /// What the values are compared with.
    pub baseline: Baseline,
    /// What the cells show.
    pub mode: Mode,
    /// How true the model is to the log, in words; none where the log does not tell, or nobody asked
    /// ([`Table::with_truth`]).
    pub truth: Option<String>,
    /// How large the machines of partitions are; none where none is taken by itself, or nobody asked
    /// ([`Table::with_truth`]).
    pub machines: Option<String>,
    /// Which log the results are of ([`Table::with_origin`]).
    pub origin: TableOrigin,
    /// How sure the changes are, in words; none where nothing was repeated ([`Table::with_repeats`]).
    pub sureness: Option<String>,
}

/// Which log results are of, so that a file of them says so itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOrigin {
    /// What the log is called.
    pub log: String,
    /// Its content's fingerprint; empty where it was generated.
    pub fingerprint: String,
}

impl From<&Source> for TableOrigin {
    fn from(source: &Source) -> Self {
        let fingerprint = match source {
            Source::Trace { fingerprint, .. } => fingerprint.to_string(),
            Source::Generated(_) => String::new(),
        };
        TableOrigin { log: source.name(), fingerprint }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub run: Run,
    /// Display name of its scheduler.
    pub scheduler: String,
    /// Whether it is what others (or it itself) are compared with.
    pub is_baseline: bool,
    /// The shrinking factor of its workload.
    pub shrink: f64,
    /// How many jobs counted.
    pub jobs: usize,
    /// How long the simulation took, seconds; 0 where it was not timed.
    pub wall_s: f64,
    /// Whether the queue grew to the end: averages mean nothing then.
    pub is_saturated: bool,
    /// Whether its changes are judged: not where its own queue grew to the end, or that of what it is compared with.
    pub is_judged: bool,
    /// Whether the log's own schedule takes more processors than the machine has: its numbers mean nothing then.
    pub is_overfull: bool,
    /// Why there are no values, where the run failed.
    pub failure: Option<String>,
    /// One a column; none where the metric is not defined for this schedule.
    pub cells: Vec<Option<Cell>>,
}

/// A run that has no result, for it ended by a mistake of Packfair's own.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRun {
    /// Which.
    pub run: Run,
    /// Its place among the study's runs.
    pub place: usize,
    /// The shrinking factor of its workload.
    pub shrink: f64,
    /// What is known of the mistake, for a person.
    pub reason: String,
}

/// A metric of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Of which metric.
    pub metric: Metric,
    /// Its value.
    pub value: f64,
    /// The baseline's, where there is one.
    pub baseline: Option<f64>,
    /// (value − baseline) / |baseline|, where that is defined (METRICS Tables II, III): below 0 where
    /// the value is lower.
    pub change: Option<f64>,
    /// Whether it is the best of those that stand for one another's comparison, and ahead of the next of them by
    /// [`WORTH_ACTING_ON`](super::verdict::WORTH_ACTING_ON): where changes are shown, of the rows with the same baseline; else of the column.
    pub is_best: bool,
    /// What is shown of it.
    pub shown: CellDisplay,
    /// Where the values of repeats lie ([`Table::with_repeats`]).
    pub interval: Option<Interval>,
    /// Where the changes of repeats lie, likewise.
    pub change_interval: Option<Interval>,
}

/// What is shown of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellDisplay {
    /// Its value.
    Value,
    /// Its change to the baseline.
    Change,
    /// Nothing: it should be compared, but the baseline has no result or is 0.
    Nothing,
}

impl Cell {
    /// As a person reads it, times in `unit`: with its interval, where there is one.
    pub fn text(&self, unit: TimeUnit) -> String {
        match self.interval.or(self.change_interval) {
            Some(_) => self.text_with_interval(unit),
            None => self.value_text(unit),
        }
    }

    /// The same without an interval.
    pub fn value_text(&self, unit: TimeUnit) -> String {
        match (self.shown, self.change) {
            (CellDisplay::Value, _) => format::value(self.metric, self.value, unit),
            (CellDisplay::Change, Some(change)) => format::change(change),
            // from nothing to something (FAIRNESS Figs 4 to 8 write −∞ of such an improvement)
            _ if self.baseline == Some(0.0) && self.value != 0.0 && self.shown == CellDisplay::Nothing => {
                format::boundless(self.value)
            }
            _ => format::MISSING.to_owned(),
        }
    }
}

/// The columns of a table of these results where `asked` are asked for: where the log's own schedule stands beside
/// others, how far these are from it comes with them, for without it a change to it cannot be read.
pub fn columns<'a>(asked: &[Metric], results: impl IntoIterator<Item = &'a RunReport> + Clone) -> Vec<Metric> {
    let mut columns = asked.to_vec();
    if !asked.is_empty() && stands_beside_log(results.clone()) {
        let is_known = |metric: &Metric| results.clone().into_iter().any(|r| r.values.contains_key(metric));
        let further = Metric::BESIDE_LOG.into_iter().filter(|metric| !asked.contains(metric) && is_known(metric));
        columns.extend(further);
    }
    columns
}

/// The columns that the page shows of a table of these runs where `asked` are asked for: what comes with the log's own
/// schedule is folded into the first of it ([`FOLDED`]), and is there before there are results, so that nothing moves when
/// they come.
pub fn folded_columns<'a>(asked: &[Metric], runs: impl IntoIterator<Item = &'a Run> + Clone) -> Vec<Metric> {
    let mut columns = asked.to_vec();
    let is_logged = |run: &Run| run.scheduler.is_as_logged();
    let stands_beside_log = runs.clone().into_iter().any(is_logged) && !runs.into_iter().all(is_logged);
    if stands_beside_log && !asked.is_empty() && !asked.iter().any(|metric| Metric::BESIDE_LOG.contains(metric)) {
        columns.push(FOLDED);
    }
    columns
}

/// The column into which what tells how far schedules are from the log's own is folded.
pub const FOLDED: Metric = Metric::BESIDE_LOG[0];

/// In which unit each of these columns shows its times: one a column, taken from the values that are shown.
pub fn units<'a>(columns: &[Metric], unit: TimeUnit, cells: impl Iterator<Item = &'a Cell> + Clone) -> Vec<TimeUnit> {
    let of_column = |metric: &Metric| {
        let shown = cells.clone().filter(|cell| cell.metric == *metric && cell.shown == CellDisplay::Value);
        unit.for_column(shown.map(|cell| cell.value))
    };
    columns.iter().map(of_column).collect()
}

/// Whether the log's own schedule is among the results, and others are.
fn stands_beside_log<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> bool {
    let (logged, simulated): (Vec<&RunReport>, Vec<&RunReport>) =
        results.into_iter().partition(|result| result.run.scheduler.is_as_logged());
    !logged.is_empty() && !simulated.is_empty()
}

/// What must be known by who compares schedulers with the log's own schedule.
pub const AS_LOGGED_CAVEAT: &str = "As logged is what the machine really did. Its waits also hold what is not simulated: \
     holds, dependencies between jobs, quotas, outages, priorities set by hand. A change to it is not what a scheduler \
     would bring.";

/// What must be known by who compares schedulers with an off-line schedule.
pub const OFFLINE_CAVEAT: &str =
    "Off-line rows know all arrivals and run times beforehand: no scheduler can reach them.";

/// Marks a run whose queue grew to the end.
pub const SATURATED_MARK: &str = "†";

/// What must be known by who reads the averages of such a run.
pub const SATURATED_CAVEAT: &str = "† The queue grows to the end of the log: averages tell how long the log is, not what \
     the scheduler does.";

/// Marks the log's own schedule where it takes more processors than the machine has.
pub const OVERFULL_MARK: &str = "‡";

/// What must be known by who reads its numbers.
pub const OVERFULL_CAVEAT: &str = "‡ The log's own schedule takes more processors than the machine has: its numbers mean \
     little or nothing until the machine's size is set right.";

impl Table {
    /// Of these results, in this order.
    pub fn of<'a>(
        results: impl IntoIterator<Item = &'a RunReport>,
        columns: &[Metric],
        baseline: &Baseline,
        mode: Mode,
    ) -> Self {
        let results: Vec<&RunReport> = results.into_iter().collect();
        // each once: there may be thousands
        let own: Vec<String> = results.iter().map(|result| result.run.id()).collect();
        let by_id: HashMap<&String, &RunReport> = own.iter().zip(results.iter().copied()).collect();
        let ids: Vec<Option<String>> = results.iter().map(|r| baseline.of(&r.run).map(|run| run.id())).collect();
        // what ran under another load stands for another comparison
        let groups: Vec<Group> = ids
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
                    // what only some schedulers report, such as a bound, or kills beside EASY, is compared with nothing
                    (_, _, None) if baseline.is_none() && compared.flatten().is_some() => CellDisplay::Value,
                    (_, _, None) => CellDisplay::Nothing,
                };
                let (interval, change_interval, is_best) = (None, None, best.contains(&(column, place)));
                Some(Cell { metric, value, baseline, change, is_best, shown, interval, change_interval })
            };
            Row {
                run: result.run.clone(),
                scheduler: result.run.scheduler_name(),
                is_baseline,
                shrink: result.shrink,
                jobs: result.jobs,
                wall_s: result.wall_s,
                is_saturated: result.saturation.is_some(),
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

    /// The same with sentences on what was simulated: how large the machines of partitions are, and how true the model
    /// is to the log, where it tells.
    pub fn with_truth<'a>(self, study: &Study, results: impl IntoIterator<Item = &'a RunReport> + Clone) -> Self {
        Table { machines: machines(study, results.clone()), truth: how_true(models(study, results)), ..self }
    }

    /// The same with the log that the results are of.
    pub fn with_origin(self, source: &Source) -> Self {
        Table { origin: source.into(), ..self }
    }

    /// The same with a row for each run that failed, at its place; they are in the order of the study's runs.
    pub fn with_failed(mut self, failed: &[FailedRun]) -> Self {
        for FailedRun { run, place, shrink, reason } in failed {
            let row = Row {
                run: run.clone(),
                scheduler: run.scheduler_name(),
                is_baseline: false,
                shrink: *shrink,
                jobs: 0,
                wall_s: 0.0,
                is_saturated: false,
                is_judged: false,
                is_overfull: false,
                failure: Some(reason.clone()),
                cells: vec![None; self.columns.len()],
            };
            self.rows.insert((*place).min(self.rows.len()), row);
        }
        self
    }

    /// One sentence that says what the numbers are compared with; empty where with nothing.
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

    /// What else must be known to read it; nothing, mostly.
    pub fn caveats(&self) -> impl Iterator<Item = &'static str> + use<> {
        let mut logged = self.rows.iter().map(|row| row.run.scheduler.is_as_logged());
        let beside_log = logged.clone().any(|is_logged| is_logged) && logged.any(|is_logged| !is_logged);
        let is_saturated = self.rows.iter().any(|row| row.is_saturated);
        let is_overfull = self.rows.iter().any(|row| row.is_overfull);
        let is_offline = self.rows.iter().any(|row| row.run.scheduler.is_offline());
        let beside_log = beside_log.then_some(AS_LOGGED_CAVEAT).into_iter();
        let saturated = is_saturated.then_some(SATURATED_CAVEAT);
        let overfull = is_overfull.then_some(OVERFULL_CAVEAT);
        beside_log.chain(is_offline.then_some(OFFLINE_CAVEAT)).chain(saturated).chain(overfull)
    }

    /// Whether any run's estimates are distorted, so that a column must tell by how much.
    fn has_factors(&self) -> bool {
        self.rows.iter().any(|row| row.run.estimate.k != 1.0)
    }

    /// Whether the shrinking factor was swept, so that a column must tell it.
    fn has_shrinks(&self) -> bool {
        self.rows.iter().any(|row| row.run.shrink.is_some())
    }

    /// The rows' texts for a person: headings first, then a line a row.
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
            let saturated = if row.is_saturated { SATURATED_MARK } else { "" };
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
            let text =
                |(cell, &unit): (&Option<Cell>, &TimeUnit)| cell.as_ref().map_or_else(missing, |cell| cell.text(unit));
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

/// A table's texts, not escaped yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Headings of the columns to the left, that name a run.
    pub labels: Vec<String>,
    /// Headings of the columns of values.
    pub headings: Vec<String>,
    /// A run each.
    pub lines: Vec<GridLine>,
}

/// A line of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridLine {
    /// What names the run.
    pub labels: Vec<String>,
    /// A column each.
    pub values: Vec<String>,
    /// Which of the values are the best of their columns.
    pub best: Vec<bool>,
}

/// The change from `baseline` to `value`; none where it is not defined.
pub(in crate::study) fn relative(value: f64, baseline: f64) -> Option<f64> {
    if value == baseline {
        return Some(0.0);
    }
    Some((value - baseline) / baseline.abs()).filter(|change| change.is_finite())
}

/// The workload of a result: the bits of the shrinking factor, the partition, how many users there are (as bits) and
/// whether they do not react, and the first result on its machine, where something is otherwise on that.
type OnWorkload = (u64, Option<i32>, (Option<u64>, bool), Option<usize>);

/// What results are compared among: those on one workload, and with one baseline where changes are shown.
type Group<'a> = (OnWorkload, Option<&'a String>);

#[cfg(test)]
mod tests;
