//! What the parts of the comparison table share, and what is under the pointer.

use super::comparison::{RunAndBaseline, RunComparison};
use super::explain;
use super::navigation::Focus;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Hint, closest};
use packfair_engine::metric::Metric;
use packfair_study::format::TimeUnit;
use packfair_study::{Baseline, Run};

/// What the parts of a table share.
#[derive(Clone, Copy)]
pub struct TableState {
    pub app: App,
    pub comparison: Memo<RunComparison>,
    pub order: Memo<Vec<usize>>,
    pub unit: RwSignal<TimeUnit>,
    pub units: Memo<Vec<TimeUnit>>,
    /// The ends of the whiskers of each column.
    pub ranges: Memo<Vec<Option<(f64, f64)>>>,
    /// Where the focus is, or where it returns to.
    pub focus: RwSignal<Focus>,
    /// The run whose row is being renamed.
    pub renamed: RwSignal<Option<Run>>,
}

impl TableState {
    pub fn new(app: App, comparison: Memo<RunComparison>, unit: RwSignal<TimeUnit>) -> Self {
        TableState {
            app,
            comparison,
            order: Memo::new(move |_| comparison.with(|c| c.order(app.sorting.get()))),
            unit,
            units: Memo::new(move |_| comparison.with(|c| c.units(unit.get()))),
            ranges: Memo::new(move |_| comparison.with(RunComparison::whisker_ranges)),
            focus: RwSignal::new(Focus::default()),
            renamed: RwSignal::new(None),
        }
    }

    /// The row that an element is in.
    pub(super) fn row_of(self, target: Option<web_sys::EventTarget>) -> Option<RunAndBaseline> {
        let place: usize = closest(target, "tr[data-place]")?.get_attribute("data-place")?.parse().ok()?;
        self.comparison.with_untracked(|c| c.rows.get(place).cloned())
    }

    /// The focus position of an element of the table.
    pub(super) fn focus_of(self, target: Option<web_sys::EventTarget>) -> Option<Focus> {
        let row: usize = closest(target.clone(), "tr[data-place]")?.get_attribute("aria-rowindex")?.parse().ok()?;
        let column = closest(target, "[aria-colindex]").and_then(|c| c.get_attribute("aria-colindex")?.parse().ok());
        Some(Focus { row: row.saturating_sub(2), column })
    }

    pub(super) fn hint_of(self, target: Option<web_sys::EventTarget>) -> Option<(Hint, web_sys::Element)> {
        let unit = untrack(|| self.app.unit());
        let element = closest(target, "th[data-column], td[data-metric], [data-about]")?;
        if let Some(id) = element.get_attribute("data-column") {
            return Some((explain::heading(id.parse().ok()?, unit), element));
        }
        let row = self.row_of(Some(element.clone().into()))?;
        let hint = match element.get_attribute("data-metric") {
            Some(id) => {
                let metric: Metric = id.parse().ok()?;
                let column = self.comparison.with_untracked(|c| c.columns.iter().position(|&m| m == metric))?;
                explain::cell(&row, metric, unit, row.result.as_ref().and_then(|r| r.cells.get(column)?.as_ref()))
            }
            None => explain::run(&row),
        };
        Some((hint, element))
    }
}

/// Makes a run the baseline or, if it already is, removes the baseline.
pub fn toggle_baseline(app: App, run: &Run) {
    let run = run.clone();
    app.edit(move |study| {
        let chosen = Baseline::Run(run);
        study.baseline = if study.baseline == chosen { Baseline::None } else { chosen };
    });
}
