//! The table of jobs. It is as long as the log, so only the visible rows are in the document.

use super::choice::{JobsChoice, known};
use super::columns::{KnownOfRun, Telling, columns_of, text, unit};
use super::pages::Pages;
use crate::app::prelude::*;
use crate::app::results::row::name;
use crate::app::state::App;
use crate::app::virtual_list::Scroller;
use crate::app::while_shown;
use crate::app::widget::{List, closest};
use leptos::html;
use packfair_study::Run;
use packfair_study::format::whole;
use packfair_study::query::{FieldKind, JobColumn, JobField, JobRow};

/// The height of a row, pixels; equal to `--job-row` in style/table.css.
const ROW_HEIGHT: f64 = 26.0;

/// The height of the two heading lines, pixels.
const HEAD_HEIGHT: f64 = 2.0 * ROW_HEIGHT;

/// The jobs, with their outcomes in up to two runs.
#[component]
pub fn JobsTable(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    pages: Pages,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let scroller = Scroller::new(ROW_HEIGHT);
    let scrolled = NodeRef::<html::Div>::new();
    let active = RwSignal::new(0_usize);
    let known = known(expect_context::<App>(), runs);
    let columns = Memo::new(move |_| known.with(|known| columns_of(known)));
    let widths = Memo::new(move |_| known.with(|known| known.iter().map(|k| widths(*k)).collect::<Vec<_>>().join(" ")));
    let total = move || pages.matching().unwrap_or(0);
    let items = Memo::new(move |_| scroller.viewport().get().items(total()));
    Effect::new(move |_| pages.show(items.get()));
    let measure = move || {
        if let Some(element) = scrolled.get_untracked() {
            scroller.measure(&element);
        }
    };
    Effect::new(move |_| {
        if scrolled.get().is_some() {
            measure();
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());

    let pick = move |index: usize| {
        active.set(index);
        if let Some(row) = pages.row(index) {
            choice.wanted.set(None);
            choice.picked.set(Some(row));
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        let Some(last) = total().checked_sub(1) else { return };
        if event.ctrl_key() || event.meta_key() || event.alt_key() || closest(event.target(), "button").is_some() {
            return;
        }
        let (now, page) = (active.get_untracked(), scroller.viewport().get_untracked().page());
        let next = match event.key().as_str() {
            "ArrowDown" => now + 1,
            "ArrowUp" => now.saturating_sub(1),
            "PageDown" => now + page,
            "PageUp" => now.saturating_sub(page),
            "Home" => 0,
            "End" => last,
            "Enter" | " " => {
                event.prevent_default();
                return pick(now);
            }
            _ => return,
        };
        event.prevent_default();
        active.set(next.min(last));
        if let Some(element) = scrolled.get_untracked() {
            let top = scroller.viewport().get_untracked().reveal(next.min(last), HEAD_HEIGHT);
            scroller.scroll_to(&element, top);
        }
    };
    // after another order or search, the table begins at its top
    Effect::watch(
        move || (choice.sorting.get(), choice.search.get()),
        move |_, _, _| {
            active.set(0);
            if let Some(element) = scrolled.get_untracked() {
                scroller.scroll_to(&element, 0.0);
            }
        },
        false,
    );
    let on_click = move |event: web_sys::MouseEvent| {
        let index =
            closest(event.target(), "[data-index]").and_then(|row| row.get_attribute("data-index")?.parse().ok());
        if let Some(index) = index {
            pick(index);
        }
    };
    view! {
        <div
            class="jobs-scroll"
            class:waiting=move || pages.is_waiting()
            node_ref=scrolled
            role="grid"
            tabindex="0"
            data-testid="jobs-table"
            aria-label="Jobs; arrow keys move, Enter shows a job"
            aria-rowcount=move || (total() + 2).to_string()
            aria-colcount=move || columns.with(Vec::len).to_string()
            aria-busy=move || pages.is_waiting().to_string()
            aria-activedescendant=move || (total() > 0).then(|| row_id(active.get()))
            data-runs=move || runs.with(Vec::len).to_string()
            style:--run-columns=widths
            on:scroll=move |_| measure()
            on:keydown=on_key
            on:click=on_click
        >
            <Headings choice runs known columns/>
            <div class="jobs-body" role="rowgroup" style:height=move || format!("{}px", scroller.set_total(total()))>
                <div class="jobs-rows" role="presentation" style:top=move || format!("{}px", scroller.place(items.get().start))>
                    <List
                        each=move || items.get().collect()
                        key=|index| *index
                        children=move |index| view! { <JobLine index choice pages columns telling active/> }
                    />
                </div>
            </div>
        </div>
        <p class="only-on-paper muted" hidden=move || items.get().len() >= total()>
            {move || {
                let shown = items.get();
                format!("Jobs {} to {} of {}. Export saves all of them as a table.", shown.start + 1, shown.end, whole(total() as u64))
            }}
        </p>
    }
}

/// The widths of a run's columns. Those of the other columns are in style/table.css.
fn widths(known: KnownOfRun) -> String {
    let width = |column: JobColumn| match (column.field, column.field.about().kind) {
        (_, FieldKind::Moment) => "7.5rem",
        // this field has the longest heading
        (JobField::RelaxedUnfairness, _) => "8.5rem",
        (_, FieldKind::Class | FieldKind::Count | FieldKind::Share) => "4.5rem",
        _ => "5.5rem",
    };
    known.columns(0).into_iter().map(width).collect::<Vec<_>>().join(" ")
}

fn row_id(index: usize) -> String {
    format!("job-row-{index}")
}

/// The two heading lines: the runs to which columns belong, and the names of the columns.
#[component]
fn Headings(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    known: Memo<Vec<KnownOfRun>>,
    columns: Memo<Vec<JobColumn>>,
) -> impl IntoView {
    let groups = move || {
        runs.get().into_iter().zip(known.get()).map(|(run, known)| {
            let name = name(&run);
            let span = format!("span {}", known.columns(0).len());
            view! {
                <div class="jobs-group" role="columnheader" title=name.clone() style:grid-column=span>{name.clone()}</div>
            }
        })
    };
    view! {
        <div class="jobs-head" role="rowgroup">
            <div class="jobs-line jobs-groups" role="row" aria-rowindex="1">
                <div class="jobs-group-none" role="presentation"></div>
                {move || groups().collect_view()}
            </div>
            <div class="jobs-line" role="row" aria-rowindex="2">
                {move || columns.get().into_iter().map(|column| view! { <JobHeading choice column/> }).collect_view()}
            </div>
        </div>
    }
}

#[component]
fn JobHeading(choice: JobsChoice, column: JobColumn) -> impl IntoView {
    let app = expect_context::<App>();
    let unit = match unit(column) {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let about = column.field.about();
    let help = move || about.help.in_unit(app.unit());
    let sorted = move || Some(choice.sorting.get()).filter(|(c, _)| *c == column).map(|(_, descending)| descending);
    let aria_sort = move || match sorted() {
        None => "none",
        Some(true) => "descending",
        Some(false) => "ascending",
    };
    let arrow = move || match sorted() {
        None => "",
        Some(true) => " ▼",
        Some(false) => " ▲",
    };
    view! {
        <div class="jobs-cell jobs-heading" role="columnheader" aria-sort=move || aria_sort() title=move || help()>
            <button
                type="button"
                class="jobs-sort"
                on:click=move |_| choice.sorting.update(|sorting| *sorting = next_sorting(*sorting, column))
            >
                {about.name}
                <span class="heading-unit">{unit}</span>
                <span aria-hidden="true">{move || arrow()}</span>
            </button>
        </div>
    }
}

/// The sorting after a click on a heading: one direction, then the other. Waits and sizes begin descending, because
/// users look for the largest.
fn next_sorting((now, descending): (JobColumn, bool), column: JobColumn) -> (JobColumn, bool) {
    let first = !matches!(column.field.about().kind, FieldKind::Number | FieldKind::Moment | FieldKind::Named(_));
    (column, if now == column { !descending } else { first })
}

#[component]
fn JobLine(
    index: usize,
    choice: JobsChoice,
    pages: Pages,
    columns: Memo<Vec<JobColumn>>,
    telling: Memo<Telling>,
    active: RwSignal<usize>,
) -> impl IntoView {
    let row = while_shown(move || pages.row(index));
    let is_picked = while_shown(move || {
        let job = row.with(|row| row.as_ref().map(|r| r.job));
        job.is_some() && choice.picked.with(|picked| picked.as_ref().map(|p| p.job)) == job
    });
    let is_active = while_shown(move || active.get() == index);
    let cells = move || {
        let telling = telling.get();
        row.with(|row| columns.get().into_iter().map(|column| cell(column, row.as_ref(), &telling)).collect_view())
    };
    view! {
        <div
            class="jobs-line jobs-row"
            class:picked=is_picked
            class:active=is_active
            class:aside=move || row.with(|row| row.as_ref().is_some_and(|row| telling.with(|t| t.is_aside(row))))
            role="row"
            id=row_id(index)
            data-index=index.to_string()
            aria-rowindex=(index + 3).to_string()
            aria-selected=move || is_picked.get().to_string()
        >
            {move || cells()}
        </div>
    }
}

fn cell(column: JobColumn, row: Option<&JobRow>, telling: &Telling) -> impl IntoView + use<> {
    let is_change = column.field.about().kind == FieldKind::Change;
    let change = row.filter(|_| is_change).and_then(|row| row.value(column)).unwrap_or(0.0);
    view! {
        <div
            class="jobs-cell"
            class:shorter={change < 0.0}
            class:longer={change > 0.0}
            class:coming={row.is_none()}
            role="gridcell"
        >
            {row.map_or_else(|| "…".to_owned(), |row| text(column, row, telling))}
        </div>
    }
}
