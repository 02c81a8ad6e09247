//! The table of waits by group.

use super::WaitsSorting;
use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::results::only::OnlyButton;
use crate::metric::{CountedGroup, Grouping};
use crate::study::Baseline;
use crate::study::format::{exact, whole};
use crate::study::grouped::{WaitsColumn, WaitsRow};

/// Most rows that are shown; the file has all.
const MOST_ROWS: usize = 400;

/// A row a group and run, sorted by the heading that was clicked last.
#[component]
pub fn WaitsTable(
    /// The rows in their order.
    rows: Memo<Vec<WaitsRow>>,
    /// By what jobs are grouped.
    by: RwSignal<Grouping>,
    /// By what they are sorted.
    sorting: WaitsSorting,
    /// Against what changes are shown; none: values are.
    baseline: Memo<Option<Baseline>>,
) -> impl IntoView {
    let columns = Memo::new(move |_| {
        let is_known = |column: &WaitsColumn| rows.with(|rows| rows.iter().any(|row| column.value(row).is_some()));
        WaitsColumn::ALL.into_iter().filter(is_known).collect::<Vec<_>>()
    });
    let more = move || {
        let more = rows.with(Vec::len).saturating_sub(MOST_ROWS);
        (more > 0).then(|| format!("{} more rows are in the CSV file.", whole(more as i64)))
    };
    view! {
        <div class="table-scroll" role="region" tabindex="0" aria-label="Waits by group">
            <table class="plain-table" data-testid="waits-table">
                <caption class="visually-hidden">"Waits by group"</caption>
                <thead>
                    <tr>
                        <th scope="col">
                            <button class="plain-heading" type="button" on:click=move |_| sorting.set(None)>
                                {move || by.get().name()}
                            </button>
                        </th>
                        <th scope="col">"Run"</th>
                        {move || columns.get().into_iter().map(|column| heading(column, sorting)).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {move || {
                        rows.with(|rows| {
                            let (columns, baseline) = (columns.get(), baseline.get());
                            let base = |row: &WaitsRow| {
                                let run = baseline.as_ref()?.of(&row.run)?;
                                rows.iter().find(|other| other.run == run && other.waits.group == row.waits.group)
                            };
                            let shown = rows.iter().take(MOST_ROWS);
                            shown.map(|row| line(row, &columns, base(row))).collect_view()
                        })
                    }}
                </tbody>
            </table>
        </div>
        <p class="quiet">{move || more()}</p>
    }
}

/// The first click sorts with the largest first, the second the other way round, the third by groups.
fn heading(column: WaitsColumn, sorting: WaitsSorting) -> AnyView {
    let of_this = move || sorting.get().filter(|(other, _)| *other == column).map(|(_, descending)| descending);
    let click = move |_| {
        sorting.set(match of_this() {
            None => Some((column, true)),
            Some(true) => Some((column, false)),
            Some(false) => None,
        });
    };
    let direction = move || match of_this() {
        None => "none",
        Some(true) => "descending",
        Some(false) => "ascending",
    };
    let arrow = move || match of_this() {
        None => "",
        Some(true) => " ▾",
        Some(false) => " ▴",
    };
    view! {
        <th scope="col" class="number" aria-sort=direction data-column=column.id()>
            <button class="plain-heading" type="button" on:click=click>
                {column.name()} <span aria-hidden="true">{arrow}</span>
            </button>
        </th>
    }
}

/// A row; with changes to another row where there is one.
fn line(row: &WaitsRow, columns: &[WaitsColumn], base: Option<&WaitsRow>) -> AnyView {
    let cell = |&column: &WaitsColumn| {
        let value = column.value(row).map(exact).unwrap_or_default();
        view! { <td class="number" data-value=value>{column.text_beside(row, base)}</td> }
    };
    let group = CountedGroup { by: row.by, group: row.waits.group };
    view! {
        <tr data-testid="waits-row" data-run=row.run.id()>
            <th scope="row">
                <OnlyButton group name=row.name.clone()/>
            </th>
            <td>{name(&row.run)}</td>
            {columns.iter().map(cell).collect_view()}
        </tr>
    }
}
