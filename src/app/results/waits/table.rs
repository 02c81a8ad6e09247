//! The table of waits: a row for each group of jobs, a column for each run.

use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::results::only::OnlyButton;
use crate::metric::CountedGroup;
use crate::study::format::{exact, whole};
use crate::study::verdict::Side;
use crate::study::waits_matrix::{MatrixCell, MatrixGroup, MatrixOrder, WaitsMatrix};

/// The largest number of groups that are shown; the file has all.
const MOST_ROWS: usize = 400;

/// The smallest relative change at which a cell has the full tint.
const FULL_TINT: f64 = 1.0;

/// How long each group waits in each run, sorted by the heading that was clicked last.
#[component]
pub fn WaitsTable(
    matrix: Memo<WaitsMatrix>,
    sorting: RwSignal<MatrixOrder>,
    /// Whether to show changes against the baseline of each run, if there is one.
    is_change: RwSignal<bool>,
) -> impl IntoView {
    let more = move || {
        let more = matrix.with(|matrix| matrix.groups.len()).saturating_sub(MOST_ROWS);
        (more > 0).then(|| format!("{} more groups are in the CSV file.", whole(more as i64)))
    };
    let head = move || {
        matrix.with(|matrix| {
            let runs = matrix.runs.iter().enumerate();
            let runs = runs.map(|(place, run)| heading(name(run), MatrixOrder::Run(place), run.id(), sorting));
            runs.collect_view()
        })
    };
    let body = move || {
        matrix.with(|matrix| {
            let largest = matrix.largest();
            let is_change = is_change.get();
            let shown = matrix.groups.iter().take(MOST_ROWS);
            shown.map(|group| line(matrix, group, largest, is_change)).collect_view()
        })
    };
    view! {
        <div class="table-scroll" role="region" tabindex="0" aria-label="Waits by group">
            <table class="plain-table waits-table" data-testid="waits-table">
                <caption class="visually-hidden">"Waits by group"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="waits-group">
                            <button class="plain-heading" type="button" on:click=move |_| sorting.set(MatrixOrder::Group)>
                                {move || matrix.with(|matrix| matrix.word.clone())}
                            </button>
                        </th>
                        {move || head()}
                        {heading("Jobs".to_owned(), MatrixOrder::Jobs, "jobs".to_owned(), sorting)}
                    </tr>
                </thead>
                <tbody>{move || body()}</tbody>
            </table>
        </div>
        <p class="quiet">{move || more()}</p>
    }
}

/// A heading that sorts the largest values first and, when it is clicked again, the groups with the greatest loss.
fn heading(name: String, own: MatrixOrder, id: String, sorting: RwSignal<MatrixOrder>) -> AnyView {
    let is_own = move || sorting.get() == own;
    let click = move |_| sorting.set(if is_own() { MatrixOrder::Loss } else { own });
    view! {
        <th
            scope="col"
            class="number"
            aria-sort=move || if is_own() { "descending" } else { "none" }
            data-column=id
        >
            <button class="plain-heading" type="button" on:click=click>
                {name} <span aria-hidden="true">{move || if is_own() { " ▾" } else { "" }}</span>
            </button>
        </th>
    }
}

fn line(matrix: &WaitsMatrix, group: &MatrixGroup, largest: f64, is_change: bool) -> AnyView {
    let cells = group.cells.iter().map(|found| match found {
        Some(found) => cell(matrix, found, largest, is_change),
        None => view! { <td class="number">"–"</td> },
    });
    let counted = CountedGroup { by: matrix.by, group: group.group };
    view! {
        <tr data-testid="waits-row">
            <th scope="row" class="waits-group">
                <OnlyButton group=counted name=group.name.clone()/>
            </th>
            {cells.collect_view()}
            <td class="number" data-value=group.jobs.to_string()>{whole(group.jobs as i64)}</td>
        </tr>
    }
}

/// A value with a bar of proportional length, tinted if it differs from that of the baseline.
fn cell(matrix: &WaitsMatrix, found: &MatrixCell, largest: f64, is_change: bool) -> AnyView {
    let column = matrix.column;
    let value = column.value(&found.row);
    let base = found.base.as_ref().filter(|_| is_change);
    let share = value.filter(|_| largest > 0.0).map_or(0.0, |value| (value / largest).clamp(0.0, 1.0));
    let change = found.change(column).unwrap_or(0.0);
    let side = match change {
        change if change <= -0.01 => Side::Better,
        change if change >= 0.01 => Side::Worse,
        _ => Side::Neutral,
    };
    let strength = (change.abs() / FULL_TINT).min(1.0).sqrt();
    let title = found.base.as_ref().map(|base| format!("{}: {}", name(&base.run), column.text(base)));
    view! {
        <td
            class="number waits-cell"
            class:better=side == Side::Better
            class:worse=side == Side::Worse
            style:--tint=format!("{:.0}%", 100.0 * strength)
            style:--share=format!("{:.1}%", 100.0 * share)
            data-run=found.row.run.id()
            data-value=value.map(exact)
            title=title
        >
            {column.text_beside(&found.row, base)}
        </td>
    }
}
