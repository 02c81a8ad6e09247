//! A row of the comparison table.

use super::comparison::{FIRST_FIGURE, RunAndBaseline, shown_interval};
use super::row_menu;
use super::status::{RunProgress, bar, remarks, status};
use super::table::{TableState, toggle_baseline};
use crate::app::prelude::*;
use crate::app::widget::HINT_ID;
use crate::app::{late, while_shown};
use packfair_engine::estimator::Method;
use packfair_engine::metric::Metric;
use packfair_study::Run;
pub use packfair_study::format::estimate;
use packfair_study::format::{self, TimeUnit, factor};
use packfair_study::table::{CellDisplay, Mode, TableCell};
use packfair_study::verdict::{Side, tint};

/// A run, its numbers and its progress.
#[component]
pub fn ComparisonRow(table: TableState, place: usize) -> impl IntoView {
    let row = while_shown(move || table.comparison.with(|c| c.rows.get(place).cloned()));
    let position = while_shown(move || table.order.with(|order| order.iter().position(|&p| p == place)).unwrap_or(0));
    let id = Memo::new(move |_| row.with(|r| r.as_ref().map(|r| r.run.id())));
    let is = move |what: fn(&RunAndBaseline) -> bool| move || row.with(|r| r.as_ref().is_some_and(what));
    let is_highlighted = while_shown(move || {
        let highlighted = table.app.highlighted.get();
        highlighted.is_some() && row.with(|r| r.as_ref().map(|r| &r.run) == highlighted.as_ref())
    });
    let has_tab_stop = while_shown(move || table.focus.get().row == position.get());
    let is_renamed = while_shown(move || {
        table.renamed.with(|renamed| renamed.is_some() && row.with(|r| r.as_ref().map(|r| &r.run) == renamed.as_ref()))
    });
    let renaming_field = move || {
        let run = row.with_untracked(|r| r.as_ref().map(|r| r.run.clone()));
        run.map(|run| late::apart(row_menu::field as fn(_, _) -> _)(table, run)).into_any()
    };
    let units = while_shown(move || table.units.get());
    let ranges = while_shown(move || table.ranges.get());
    let progress = while_shown(move || progress_of(table, place));
    let column = while_shown(move || table.comparison.with(|c| FIRST_FIGURE + c.columns.len()));
    let menu_label = move || progress.with(|p| p.as_ref().map(|p| format!("More on {}", name(&p.run))));
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
            <th scope="row" class="run-cell" role="rowheader" aria-colindex="1" data-about="run" aria-describedby=HINT_ID>
                <span class="run-cell-inner">
                    {move || row.get().map(|row| star(table, row))}
                    <span class="run-names">
                        {move || if is_renamed.get() { renaming_field() } else { row.with(|r| names(table, r.as_ref())) }}
                        {move || progress.with(|p| p.as_ref().map(remarks))}
                    </span>
                </span>
                {move || progress.with(|p| p.as_ref().map(|p| bar(&p.status)))}
            </th>
            {move || row.with(|r| r.as_ref().map(|r| figures(table, &units.get(), &ranges.get(), r)))}
            <td class="status-cell" role="gridcell" tabindex="-1" aria-colindex=move || column.get().to_string()>
                {move || progress.get().map(|progress| status(table.app, progress))}
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
        </tr>
    }
}

fn star(table: TableState, row: RunAndBaseline) -> impl IntoView {
    let label = format!("Baseline: {}", name(&row.run));
    let RunAndBaseline { run, is_baseline, .. } = row;
    view! {
        <button
            type="button"
            class="star"
            tabindex="-1"
            aria-pressed=is_baseline.to_string()
            aria-label=label
            title="Compare with this run (b)"
            on:click=move |_| toggle_baseline(table.app, &run)
        >
            {if is_baseline { "★" } else { "☆" }}
        </button>
    }
}

fn names(table: TableState, row: Option<&RunAndBaseline>) -> AnyView {
    let Some(row) = row else { return ().into_any() };
    let of_study = table.comparison.with_untracked(|c| c.shrink);
    let (own, conditions) = (row.run.scheduler_name(), conditions(&row.run, of_study));
    let (name, rest) = match row.given.clone() {
        // what it is stays in sight
        Some(given) if conditions.is_empty() => (given, own),
        Some(given) => (given, format!("{own}, {conditions}")),
        None => (own, conditions),
    };
    view! {
        <span class="run-name" title="Rename (F2)" data-rename="">{name}</span>
        " "
        <span class="run-estimate">{rest}</span>
    }
    .into_any()
}

fn figures(
    table: TableState,
    units: &[TimeUnit],
    ranges: &[Option<(f64, f64)>],
    row: &RunAndBaseline,
) -> impl IntoView + use<> {
    let (columns, mode) = table.comparison.with_untracked(|c| (c.columns.clone(), c.mode));
    let unit = |i: usize| units.get(i).copied().unwrap_or_default();
    let cell = |i: usize| row.result.as_ref().and_then(|r| r.cells.get(i).copied().flatten());
    let is_judged = row.result.as_ref().is_some_and(|result| result.is_judged);
    let colour = |cell: Option<TableCell>| cell.map_or((Side::Neutral, 0.0), |cell| tint(&cell, is_judged));
    let figure = |(i, &metric): (usize, &Metric)| {
        // a baseline's own values are not on the scale of changes
        let is_on_scale = cell(i).is_some_and(|cell| (cell.shown == CellDisplay::Change) == (mode == Mode::Change));
        let range = ranges.get(i).copied().flatten().filter(|_| is_on_scale);
        figure(unit(i), range, metric, cell(i), colour(cell(i)), FIRST_FIGURE + i)
    };
    let cells: Vec<_> = columns.iter().enumerate().map(figure).collect();
    cells.collect_view()
}

fn figure(
    unit: TimeUnit,
    range: Option<(f64, f64)>,
    metric: Metric,
    cell: Option<TableCell>,
    (side, strength): (Side, f64),
    column: usize,
) -> impl IntoView + use<> {
    let text = cell.map_or_else(String::new, |cell| cell.value_text(unit));
    let repeated = cell.filter(|cell| cell.is_repeated);
    let interval = repeated.map(|cell| late::apart(interval_below as fn(_, _, _) -> _)(cell, unit, range));
    // without repeats every change is told as that of the log
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

/// The interval of a cell as a whisker below its number, on the scale of its column.
// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn interval_below(cell: TableCell, unit: TimeUnit, range: Option<(f64, f64)>) -> AnyView {
    let (Some(bounds), Some(text)) = (shown_interval(&cell), cell.interval_text(unit)) else { return ().into_any() };
    let whisker = range.map(|(low, high)| {
        let place = |at: f64| 100.0 * ((at - low) / (high - low)).clamp(0.0, 1.0);
        let (from, to) = (place(bounds.low), place(bounds.high));
        let zero = (cell.shown == CellDisplay::Change).then(|| {
            view! { <span class="whisker-zero" style:inset-inline-start=format!("{:.1}%", place(0.0))></span> }
        });
        view! {
            <span class="whisker" aria-hidden="true">
                {zero}
                <span
                    class="whisker-bar"
                    style:inset-inline-start=format!("{from:.1}%")
                    style:inline-size=format!("{:.1}%", to - from)
                ></span>
            </span>
        }
    });
    view! {
        <span
            class="interval"
            data-testid="interval"
            data-low=format::exact(bounds.low)
            data-high=format::exact(bounds.high)
        >
            <span class="visually-hidden">{text}</span>
            {whisker}
        </span>
    }
    .into_any()
}

fn progress_of(table: TableState, place: usize) -> Option<RunProgress> {
    let app = table.app;
    // a result on another log must not appear under the name of this one
    if app.is_between_logs() && !app.is_busy() {
        return None;
    }
    let (run, status, outcome) =
        app.rows.with(|rows| rows.get(place).map(|r| (r.run.clone(), r.status.clone(), r.result.clone())))?;
    let is_stale = table.comparison.with(|c| c.rows.get(place).is_some_and(|r| r.is_stale));
    let count = |metric| outcome.as_ref().and_then(|o| o.report.values.get(&metric)).map_or(0, |&n| n as u64);
    let late = (count(Metric::Late), count(Metric::Remade));
    let overfull =
        outcome.as_ref().and_then(|o| o.report.overfull.as_ref().map(|overfull| overfull.in_unit(app.unit())));
    let saturation = outcome.as_ref().and_then(|o| o.report.saturation.map(|found| found.to_string()));
    let is_too_short = outcome.as_ref().is_some_and(|o| o.report.is_too_short);
    let wall_s = outcome.map(|o| o.report.wall_s);
    Some(RunProgress { run, status, wall_s, is_stale, late, overfull, saturation, is_too_short })
}

// The names of runs in the table and in sentences.

/// The name of a run, such as "SAF-JustBF, requested", with k if it is not 1 and the shrinking factor if it is not the
/// study's.
pub fn name(run: &Run) -> String {
    if run.scheduler.is_given() {
        return run.scheduler_name();
    }
    let shrink = run.shrink.map(|shrink| format!(", f = {}", factor(shrink))).unwrap_or_default();
    format!("{}, {}{shrink}", run.scheduler_name(), estimate(&run.estimate))
}

/// The conditions of a run, such as "requested", "actual × 1.5, f = 0.5". A given schedule has no estimates. The
/// shrinking factor is included if several are swept; `of_study` is then the study's own factor.
pub fn conditions(run: &Run, of_study: Option<f64>) -> String {
    let estimate = (!run.scheduler.is_given()).then(|| estimate(&run.estimate));
    let shrink = of_study.map(|of_study| format!("f = {}", factor(run.shrink.unwrap_or(of_study))));
    estimate.into_iter().chain(shrink).collect::<Vec<_>>().join(", ")
}

/// The name of a method within a sentence, such as "requested time" or "Last2".
pub fn method(method: &Method) -> String {
    if method.family().learns { method.name() } else { method.name().to_ascii_lowercase() }
}

/// One line of help on a scheduler: that of its preset or of its family.
pub fn scheduler_help(run: &Run) -> &'static str {
    run.scheduler.preset().map_or(run.scheduler.family().entry.help, |preset| preset.help)
}
