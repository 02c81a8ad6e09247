//! The rows of the table and their baselines, computed once for all parts of the table.

use crate::app::state::{RepeatsState, RunOutcome, RunSettings};
use packfair_engine::metric::Metric;
use packfair_study::format::TimeUnit;
use packfair_study::sureness::Interval;
use packfair_study::table::{self, CellDisplay, Mode, SureChanges, Table, TableCell};
use packfair_study::verdict::{MarkedRow, keep_sure_marks};
use packfair_study::{Run, RunReport, Study};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run and its latest result, if there is one.
pub type ShownRun = (Run, Option<Arc<RunOutcome>>);

/// The rows of the table, in the order of the study.
#[derive(Clone, Debug)]
pub struct RunComparison {
    pub columns: Vec<Metric>,
    pub rows: Vec<RunAndBaseline>,
    /// Whether values or changes are shown.
    pub mode: Mode,
    /// The study's own shrinking factor; `Some` only if other factors are swept beside it, so that every row has to
    /// show its own.
    pub shrink: Option<f64>,
    /// How sure the changes are, in words; `None` if nothing was repeated.
    pub sureness: Option<String>,
    /// Whether every row that can have a result for the present settings has one. Until then, no row is marked as the
    /// best.
    pub is_settled: bool,
}

/// A run beside its baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct RunAndBaseline {
    pub run: Run,
    /// The name that the user has given to the row.
    pub given: Option<String>,
    /// The run with which it is compared, whether or not that run has a result.
    pub baseline: Option<Run>,
    pub is_baseline: bool,
    /// Whether the result is for settings other than the present ones.
    pub is_stale: bool,
    /// The result, if there is one.
    pub result: Option<Measured>,
}

/// The numbers of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub jobs: usize,
    /// How long the simulation took, seconds; 0 if it was not timed.
    pub wall_s: f64,
    /// Whether the changes of the run are judged ([`Row::is_judged`](packfair_study::table::Row::is_judged)).
    pub is_judged: bool,
    /// One cell for each column; `None` if the metric is not defined for this schedule.
    pub cells: Vec<Option<TableCell>>,
    pub noted: BTreeMap<Metric, f64>,
    /// All figures for the distance from the log's own schedule; the table shows one of them.
    pub beside_log: Vec<(Metric, f64)>,
}

/// The `aria-colindex` of the first metric: the cell before it names the run.
pub const FIRST_FIGURE: usize = 2;

impl RunComparison {
    /// Compares the rows of a study.
    pub fn of(rows: &[ShownRun], study: &Study, mode: Mode) -> Self {
        let mut compared: Vec<RunAndBaseline> = rows
            .iter()
            .map(|(run, _)| {
                let baseline = study.baseline_of(run);
                let is_baseline = baseline.as_ref() == Some(run);
                let given = study.row_names.of(run).map(str::to_owned);
                RunAndBaseline { run: run.clone(), given, baseline, is_baseline, is_stale: false, result: None }
            })
            .collect();
        let present = RunSettings::of(study);
        let groups = by_basis(rows);
        let has_present = groups.iter().any(|(settings, _)| **settings == present);
        let columns = table::folded_columns(&study.columns, rows.iter().map(|(run, _)| run));
        for (settings, places) in groups {
            let reports: Vec<&RunReport> =
                places.iter().filter_map(|&i| rows[i].1.as_ref()).map(|outcome| &outcome.report).collect();
            let table = Table::of(reports.iter().copied(), &columns, &study.baseline, mode);
            let is_stale = *settings != present;
            for (i, (&place, row)) in places.iter().zip(table.rows).enumerate() {
                let mut cells = row.cells;
                if is_stale && has_present {
                    cells.iter_mut().flatten().for_each(|cell| cell.is_best = false);
                }
                compared[place].is_stale = is_stale;
                compared[place].result = Some(Measured {
                    jobs: row.jobs,
                    wall_s: row.wall_s,
                    is_judged: row.is_judged,
                    cells,
                    noted: BTreeMap::from_iter(
                        reports[i].values.range(Metric::FIRST_NOTED..).map(|(&metric, &value)| (metric, value)),
                    ),
                    beside_log: Metric::BESIDE_LOG
                        .into_iter()
                        .filter_map(|metric| Some((metric, *reports[i].values.get(&metric)?)))
                        .collect(),
                });
            }
        }
        let is_swept = rows.iter().any(|(run, _)| run.shrink.is_some());
        let shrink = is_swept.then_some(study.treatment.shrink);
        let is_settled = !has_present || compared.iter().all(|row| row.result.is_none() || !row.is_stale);
        RunComparison { columns, rows: compared, mode, shrink, sureness: None, is_settled }.with_settled_marks()
    }

    /// The same comparison without marks, because runs that are still to come may change them.
    pub fn unsettled(self) -> Self {
        RunComparison { is_settled: false, ..self }.with_settled_marks()
    }

    fn with_settled_marks(mut self) -> Self {
        if !self.is_settled {
            let results = self.rows.iter_mut().filter_map(|row| row.result.as_mut());
            results.flat_map(|result| result.cells.iter_mut().flatten()).for_each(|cell| cell.is_best = false);
        }
        self
    }

    /// Adds the intervals of the study's repeats.
    // a function of its own, which belongs to the late part (scripts/split)
    #[inline(never)]
    pub fn with_repeats(mut self, repeats: &RepeatsState, study: &Study) -> Self {
        if !repeats.is_told(study) {
            return self;
        }
        let present = self.rows.iter_mut().filter(|row| !row.is_stale);
        let measured = present.filter_map(|row| Some((&row.run, row.baseline.as_ref(), row.result.as_mut()?)));
        let mut tally = SureChanges::default();
        for (run, baseline, result) in measured {
            for cell in result.cells.iter_mut().flatten() {
                cell.set_intervals(&repeats.repeated, run, baseline, &mut tally);
            }
        }
        let mode = self.mode;
        let mut rows: Vec<MarkedRow> = Vec::new();
        for RunAndBaseline { run, baseline, is_stale, result, .. } in &mut self.rows {
            let group = baseline.as_ref().filter(|_| mode == Mode::Change).map(Run::id);
            if let Some(result) = result.as_mut().filter(|_| !*is_stale) {
                rows.push(MarkedRow { run, group, cells: &mut result.cells });
            }
        }
        keep_sure_marks(&mut rows, &repeats.repeated);
        self.sureness = Some(tally.in_words(&repeats.repeated));
        self
    }

    /// The number of columns, including those of the status and the menu.
    pub fn column_count(&self) -> usize {
        FIRST_FIGURE + self.columns.len() + 1
    }

    /// The unit in which each column shows its times.
    pub fn units(&self, unit: TimeUnit) -> Vec<TimeUnit> {
        let results = self.rows.iter().filter_map(|row| row.result.as_ref());
        table::units(&self.columns, unit, results.flat_map(|result| result.cells.iter().flatten()))
    }

    /// The ends of the whiskers of each column: all its intervals, and no change. `None` where there are none.
    pub fn whisker_ranges(&self) -> Vec<Option<(f64, f64)>> {
        let cells = |column: usize| {
            let results = self.rows.iter().filter_map(|row| row.result.as_ref());
            results.filter_map(move |result| result.cells.get(column)?.as_ref())
        };
        let range = |column: usize| {
            let shown = cells(column).filter(|cell| (cell.shown == CellDisplay::Change) == (self.mode == Mode::Change));
            let bounds = shown.filter_map(shown_interval).flat_map(|bounds| [bounds.low, bounds.high]);
            let none = (self.mode == Mode::Change).then_some(0.0);
            let mut finite = bounds.filter(|bound| bound.is_finite()).peekable();
            finite.peek()?;
            let both = finite
                .chain(none)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
            Some(both).filter(|(low, high)| low < high)
        };
        (0..self.columns.len()).map(range).collect()
    }

    /// The indices of the rows in the order in which they are shown.
    pub fn order(&self, sorting: Option<(Metric, bool)>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let Some((metric, descending)) = sorting else { return order };
        let Some(column) = self.columns.iter().position(|&m| m == metric) else { return order };
        let key = |i: usize| {
            let cell = self.rows[i].result.as_ref().and_then(|r| r.cells[column])?;
            // rows without a baseline show values even if the table shows changes
            if self.mode == Mode::Change && self.rows[i].baseline.is_some() { cell.change } else { Some(cell.value) }
        };
        // rows without a value come last in either direction
        order.sort_by(|&a, &b| match (key(a), key(b)) {
            (Some(a), Some(b)) if descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        order
    }
}

/// The interval of the number that a cell shows.
pub fn shown_interval(cell: &TableCell) -> Option<Interval> {
    match cell.shown {
        CellDisplay::Change => cell.change_interval,
        CellDisplay::Value | CellDisplay::Nothing => cell.interval,
    }
}

/// The indices of rows with results, grouped by the settings of the results: values of different settings are never
/// compared.
fn by_basis(rows: &[ShownRun]) -> Vec<(&RunSettings, Vec<usize>)> {
    let mut groups: Vec<(&RunSettings, Vec<usize>)> = Vec::new();
    for (place, outcome) in rows.iter().enumerate().filter_map(|(i, (_, o))| o.as_ref().map(|o| (i, o))) {
        match groups.iter_mut().find(|(settings, _)| **settings == outcome.settings) {
            Some((_, places)) => places.push(place),
            None => groups.push((&outcome.settings, vec![place])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::estimator::Method;
    use packfair_engine::metric::Curves;
    use packfair_study::verdict::Side;
    use packfair_study::{Baseline, Generated, RunReport, Source};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn study() -> Study {
        let source = Source::Generated(Generated::Lublin { jobs: 10, processors: 8, seed: 1 });
        let mut study = Study::on(source);
        study.schedulers = ["justbf", "easy"].iter().map(|id| id.parse().unwrap()).collect();
        study.methods = vec![Method::actual()];
        study.distortions = vec![1.0];
        study.removed.clear();
        study.columns = vec![Metric::Af, Metric::Utilisation];
        study.baseline = Baseline::Scheduler("justbf".parse().unwrap());
        study
    }

    fn rows(study: &Study, values: [(f64, f64); 2]) -> Vec<ShownRun> {
        let outcome = |run: &Run, (af, utilisation)| RunOutcome {
            settings: RunSettings::of(study),
            report: RunReport {
                run: run.clone(),
                jobs: 1_000,
                values: [(Metric::Af, af), (Metric::Utilisation, utilisation)].into(),
                curves: Curves::default(),
                wall_s: 0.001,
                machine: None,
                machine_use: None,
                is_plain: false,
                overfull: None,
                shrink: 1.0,
                saturation: None,
                is_too_short: false,
            },
            has_schedule: false,
        };
        study.runs().iter().zip(values).map(|(run, v)| (run.clone(), Some(Arc::new(outcome(run, v))))).collect()
    }

    #[wasm_bindgen_test]
    fn change_is_relative_to_the_baseline_and_judged_by_the_aim() {
        let study = study();
        let comparison = RunComparison::of(&rows(&study, [(100.0, 0.5), (80.0, 0.4)]), &study, Mode::Change);
        assert!(comparison.rows[0].is_baseline && !comparison.rows[1].is_baseline);
        let easy = comparison.rows[1].result.as_ref().unwrap().cells.clone().into_iter().flatten().collect::<Vec<_>>();
        assert!((easy[0].change.unwrap() + 0.2).abs() < 1e-12);
        assert_eq!((Side::of_cell(&easy[0]), easy[0].is_best), (Side::Better, true));
        assert_eq!((Side::of_cell(&easy[1]), easy[1].is_best), (Side::Worse, false));
    }

    #[wasm_bindgen_test]
    fn results_of_other_settings_are_stale_and_not_compared() {
        let study = study();
        let rows = rows(&study, [(100.0, 0.5), (80.0, 0.4)]);
        let mut other = study.clone();
        other.treatment.shrink = 0.5;
        let mut mixed = rows.clone();
        let mut fresh = (**rows[1].1.as_ref().unwrap()).clone();
        fresh.settings = RunSettings::of(&other);
        mixed[1].1 = Some(Arc::new(fresh));
        let comparison = RunComparison::of(&mixed, &other, Mode::Change);
        assert!(comparison.rows[0].is_stale && !comparison.rows[1].is_stale);
        assert_eq!(comparison.rows[1].result.as_ref().unwrap().cells[0].unwrap().change, None);
    }

    #[wasm_bindgen_test]
    fn sorting_keeps_rows_without_a_value_last() {
        let study = study();
        let mut rows = rows(&study, [(80.0, 0.5), (100.0, 0.4)]);
        rows.insert(0, (rows[0].0.clone(), None));
        let comparison = RunComparison::of(&rows, &study, Mode::Absolute);
        assert_eq!(comparison.order(Some((Metric::Af, false))), [1, 2, 0]);
        assert_eq!(comparison.order(Some((Metric::Af, true))), [2, 1, 0]);
        assert_eq!(comparison.order(None), [0, 1, 2]);
    }
}
