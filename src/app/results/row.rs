//! A row of the comparison table.

use super::comparison::RunAndBaseline;
use super::naming::{estimate, name};
use super::status::{RunProgress, status};
use super::table::{TableState, toggle_baseline};
use crate::app::late;
use crate::app::long_lived::while_shown;
use crate::app::prelude::*;
use crate::app::widget::HINT_ID;
use crate::metric::Metric;
use crate::study::format::{self, TimeUnit};
use crate::study::table::{Cell, CellDisplay};
use crate::study::verdict::{Side, tint};

/// A run, its numbers and how far it is.
#[component]
pub fn ComparisonRow(
    /// The table it is in.
    table: TableState,
    /// Its place in the study.
    place: usize,
) -> impl IntoView {
    let row = while_shown(move || table.comparison.with(|c| c.rows.get(place).cloned()));
    let position = while_shown(move || table.order.with(|order| order.iter().position(|&p| p == place)).unwrap_or(0));
    let id = Memo::new(move |_| row.with(|r| r.as_ref().map(|r| r.run.id())));
    let is = move |what: fn(&RunAndBaseline) -> bool| move || row.with(|r| r.as_ref().is_some_and(what));
    let is_highlighted = while_shown(move || {
        let highlighted = table.app.highlighted.get();
        highlighted.is_some() && row.with(|r| r.as_ref().map(|r| &r.run) == highlighted.as_ref())
    });
    let has_tab_stop = while_shown(move || table.focus.get().row == position.get());
    let unit = while_shown(move || table.unit.get());
    view! {
        <tr
            class="comparison-row"
            class:stale=is(|r| r.is_stale)
            class:is-baseline=is(|r| r.is_baseline)
            class:highlighted=is_highlighted
            data-testid="row"
            data-run=id
            data-place=place.to_string()
            aria-rowindex=move || (position.get() + 2).to_string()
            aria-selected=move || is_highlighted.get().to_string()
            tabindex=move || if has_tab_stop.get() { "0" } else { "-1" }
        >
            {move || row.get().map(|row| labels(table, row))}
            {move || row.with(|r| r.as_ref().map(|r| figures(table, unit.get(), r)))}
            <StatusCell table place/>
        </tr>
    }
}

/// The row's name: scheduler, estimate, k and shrinking factor.
fn labels(table: TableState, row: RunAndBaseline) -> impl IntoView {
    let has_factors = table.comparison.with_untracked(|c| c.has_factors);
    let (shrink, first) = table.comparison.with_untracked(|c| (c.shrink, c.first_figure()));
    let shrink = shrink.map(|of_study| format::factor(row.run.shrink.unwrap_or(of_study)));
    let run = row.run.clone();
    let star_label = format!("Baseline: {}", name(&row.run));
    let k = if row.run.estimate.k == 1.0 { "1".to_owned() } else { format::factor(row.run.estimate.k) };
    view! {
        <th scope="row" class="run-cell" role="rowheader" aria-colindex="1" data-about="run" aria-describedby=HINT_ID>
            <span class="run-cell-inner">
                <button
                    type="button"
                    class="star"
                    tabindex="-1"
                    aria-pressed=row.is_baseline.to_string()
                    aria-label=star_label
                    title="Compare with this run (b)"
                    on:click=move |_| toggle_baseline(table.app, &run)
                >
                    {if row.is_baseline { "★" } else { "☆" }}
                </button>
                <span class="run-names">
                    <span class="run-name">{row.run.scheduler_name()}</span>
                    <span class="run-estimate-below">{estimate(&row.run.estimate)}</span>
                </span>
            </span>
        </th>
        <td class="run-estimate" role="gridcell" aria-colindex="2" tabindex="-1" data-about="run" aria-describedby=HINT_ID>
            {if row.run.scheduler.is_given() { "—".to_owned() } else { row.run.estimate.method.short() }}
        </td>
        {has_factors
            .then(|| {
                view! {
                    <td class="run-factor" role="gridcell" aria-colindex="3" tabindex="-1">
                        {k}
                    </td>
                }
            })}
        {shrink
            .map(|shrink| {
                view! {
                    <td class="run-factor" role="gridcell" aria-colindex=(first - 1).to_string() tabindex="-1">
                        {shrink}
                    </td>
                }
            })}
    }
}

fn figures(table: TableState, unit: TimeUnit, row: &RunAndBaseline) -> impl IntoView + use<> {
    let (columns, first) = table.comparison.with_untracked(|c| (c.columns.clone(), c.first_figure()));
    let cell = |i: usize| row.result.as_ref().and_then(|r| r.cells.get(i).copied().flatten());
    let is_judged = row.result.as_ref().is_some_and(|result| result.is_judged);
    let colour = |cell: Option<Cell>| cell.map_or((Side::Neutral, 0.0), |cell| tint(&cell, is_judged));
    let figure = |(i, &metric): (usize, &Metric)| figure(unit, metric, cell(i), colour(cell(i)), first + i);
    let cells: Vec<_> = columns.iter().enumerate().map(figure).collect();
    cells.collect_view()
}

fn figure(
    unit: TimeUnit,
    metric: Metric,
    cell: Option<Cell>,
    (side, strength): (Side, f64),
    column: usize,
) -> impl IntoView + use<> {
    let text = cell.map_or_else(String::new, |cell| cell.value_text(unit));
    let repeated = cell.filter(|cell| cell.interval.is_some());
    let interval = repeated.map(|cell| late::apart(interval_below as fn(_, _) -> _)(cell, unit));
    // only a change that has an interval can be unsure
    let is_unsure = repeated.is_some_and(|cell| cell.is_unsure());
    let is_best = cell.is_some_and(|cell| cell.is_best && cell.shown != CellDisplay::Nothing);
    view! {
        <td
            class="figure"
            class:better=side == Side::Better
            class:worse=side == Side::Worse
            class:best=is_best
            class:unsure=is_unsure
            style:--tint=format!("{:.0}%", 100.0 * strength)
            role="gridcell"
            tabindex="-1"
            aria-colindex=column.to_string()
            aria-describedby=HINT_ID
            data-metric=metric.about().id
            data-value=cell.map(|cell| format::exact(cell.value))
        >
            {text}
            {is_best
                .then(|| {
                    view! {
                        <span class="best-mark" aria-hidden="true">"◆"</span>
                        <span class="visually-hidden">", best"</span>
                    }
                })}
            {interval}
        </td>
    }
}

/// The interval of a cell, below its number.
// A function of its own, which comes later (scripts/late/page.txt).
#[inline(never)]
fn interval_below(cell: Cell, unit: TimeUnit) -> AnyView {
    let bounds = cell.shown_change_interval().or(cell.interval);
    let low = bounds.map(|bounds| format::exact(bounds.low));
    let high = bounds.map(|bounds| format::exact(bounds.high));
    view! {
        <span class="interval" data-testid="interval" data-low=low data-high=high>{cell.interval_text(unit)}</span>
    }
}

#[component]
fn StatusCell(table: TableState, place: usize) -> impl IntoView {
    let app = table.app;
    let progress = while_shown(move || {
        // what ended on another log is nothing under the name of this one
        if app.is_between_logs() && !app.is_busy() {
            return None;
        }
        let (run, state, outcome) =
            app.rows.with(|rows| rows.get(place).map(|r| (r.run.clone(), r.status.clone(), r.result.clone())))?;
        let is_stale = table.comparison.with(|c| c.rows.get(place).is_some_and(|r| r.is_stale));
        let verdict = table.verifications.verdict(&run, outcome.as_ref());
        let count = |metric| outcome.as_ref().and_then(|o| o.report.values.get(&metric)).map_or(0, |&n| n as u64);
        let late = (count(Metric::Late), count(Metric::Remade));
        let overfull =
            outcome.as_ref().and_then(|o| o.report.overfull.as_ref().map(|why| app.unit().worded(&why.to_string())));
        let saturation = outcome.as_ref().and_then(|o| o.report.saturation.map(|found| found.to_string()));
        let wall_s = outcome.map(|o| o.report.wall_s);
        Some(RunProgress { run, status: state, wall_s, is_stale, late, overfull, saturation, verdict })
    });
    let column = while_shown(move || table.comparison.with(|c| c.first_figure() + c.columns.len()));
    let menu_label = move || progress.with(|p| p.as_ref().map(|p| format!("More on {}", name(&p.run))));
    view! {
        <td class="status-cell" role="gridcell" tabindex="-1" aria-colindex=move || column.get().to_string()>
            <div class="status">{move || progress.get().map(|progress| status(app, progress))}</div>
        </td>
        <td class="menu-cell" role="gridcell" aria-colindex=move || (column.get() + 1).to_string()>
            <button
                type="button"
                class="row-menu-button"
                tabindex="-1"
                aria-haspopup="menu"
                aria-label=move || menu_label()
                data-row-menu=""
            >
                "⋯"
            </button>
        </td>
    }
}
