//! The comparison table: a grid with one tab stop, of which only the visible rows are in the document.

use super::columns::TableHead;
use super::comparison::{RunAndBaseline, RunComparison};
use super::explain;
use super::jobs::JobsChoice;
use super::row::ComparisonRow;
use super::row_menu::{RowMenu, RowMenuPopup};
use crate::app::files::is_on_paper;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::virtual_list::Scroller;
use crate::app::widget::{Hint, Hints, List, closest};
use leptos::html;
use packfair_engine::metric::Metric;
use packfair_study::format::TimeUnit;
use packfair_study::{Baseline, Run};
use std::time::Duration;
use wasm_bindgen::JsCast;

/// The number of rows up to which all are in the document; of more rows, only the visible ones are, but for paper.
const ALL_ROWS: usize = 150;

/// The assumed height of a row until one is measured, pixels.
const ROW_HEIGHT: f64 = 33.0;

#[component]
pub fn ComparisonTable(table: TableState) -> impl IntoView {
    let app = table.app;
    let hints = expect_context::<Hints>();
    hints.tell_of(move |element| table.hint_of(Some(element.clone().into())));
    let row_menu = RowMenu::new();
    let scroller = Scroller::new(ROW_HEIGHT);
    let scrolled = NodeRef::<html::Div>::new();
    let total = move || table.order.with(Vec::len);
    let is_on_paper = is_on_paper();
    let items = Memo::new(move |_| match total() {
        few @ ..=ALL_ROWS => 0..few,
        all if is_on_paper.get() => 0..all,
        many => scroller.viewport().get().items(many),
    });
    // whether parts of the table are hidden to the left and to the right
    let beyond = RwSignal::new((false, false));
    let measure = move || {
        // a frame may come after the view is gone
        let Some(Some(element)) = scrolled.try_get_untracked() else { return };
        scroller.measure(&element);
        let (left, hidden) = (element.scroll_left(), element.scroll_width() - element.client_width());
        let now = (left > 0, left + 1 < hidden);
        if beyond.get_untracked() != now {
            beyond.set(now);
        }
        if let Ok(Some(row)) = element.query_selector("tr[data-place]") {
            scroller.measure_item(&row);
        }
    };
    Effect::new(move |_| {
        table.comparison.track();
        // after the frame, when the browser knows all sizes anyway
        request_animation_frame(move || set_timeout(measure, Duration::ZERO));
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    // a hint must not outlive the numbers that it explains
    Effect::watch(
        move || table.comparison.track(),
        move |_, _, _| {
            hints.close();
        },
        false,
    );
    let gap = move |rows: usize| format!("{}px", rows as f64 * scroller.viewport().get().item);

    let move_to = move |focus: Focus| {
        table.focus.set(focus);
        let Some(element) = scrolled.get_untracked() else { return };
        if total() > ALL_ROWS {
            let top = scroller.viewport().get_untracked().reveal(focus.row, 2.0 * ROW_HEIGHT);
            element.set_scroll_top(top as i32);
            measure();
        }
        focus.apply(element.into());
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" && hints.close() {
            return event.stop_propagation();
        }
        let (Some(row), Some(focus)) = (table.row_of(event.target()), table.focus_of(event.target())) else { return };
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let columns = table.comparison.with_untracked(RunComparison::column_count);
        let page = scroller.viewport().get_untracked().page();
        if let Some(next) = focus.after(&event.key(), table.order.with_untracked(Vec::len), columns, page) {
            event.prevent_default();
            return move_to(next);
        }
        let on_button = closest(event.target(), "button").is_some();
        match event.key().as_str() {
            "b" => toggle_baseline(app, &row.run),
            "r" => app.run_one(row.run),
            "F2" => table.renamed.set(Some(row.run)),
            "Delete" => app.remove_row(row.run),
            "Enter" | " " if !on_button => app.toggle_highlight(Some(row.run)),
            "ContextMenu" => {
                if let Some(beside) =
                    closest(event.target(), "tr").and_then(|tr| tr.query_selector("[data-row-menu]").ok()?)
                {
                    row_menu.open(row.run, &beside);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };

    // the run that stays highlighted when the pointer leaves the table; `None` while the pointer is outside
    let pinned = StoredValue::new(None::<Option<Run>>);
    let on_over = move |event: web_sys::PointerEvent| {
        let Some(row) = table.row_of(event.target()).filter(|_| event.pointer_type() == "mouse") else { return };
        if pinned.with_value(Option::is_none) {
            pinned.set_value(Some(app.highlighted.get_untracked()));
        }
        if app.highlighted.with_untracked(|h| h.as_ref() != Some(&row.run)) {
            app.highlight(Some(row.run));
        }
    };
    let on_leave = move |_: web_sys::PointerEvent| {
        if let Some(before) = pinned.try_update_value(Option::take).flatten() {
            app.highlight(before);
        }
    };
    let on_click = move |event: web_sys::MouseEvent| {
        let Some(row) = table.row_of(event.target()) else { return };
        if let Some(button) = closest(event.target(), "button") {
            if button.has_attribute("data-row-menu") {
                row_menu.open(row.run, &button);
            }
            return;
        }
        if closest(event.target(), "[data-rename]").is_some() {
            return table.renamed.set(Some(row.run));
        }
        let before = pinned.with_value(Clone::clone).unwrap_or_else(|| app.highlighted.get_untracked());
        let chosen = (before.as_ref() != Some(&row.run)).then_some(row.run);
        if pinned.with_value(Option::is_some) {
            pinned.set_value(Some(chosen.clone()));
        }
        app.highlight(chosen);
    };
    let on_focus = move |event: web_sys::FocusEvent| {
        if let Some(focus) = table.focus_of(event.target()) {
            table.focus.set(focus);
        }
    };
    view! {
        <div
            class="table-frame"
            class:more-before=move || beyond.get().0
            class:more-behind=move || beyond.get().1
        >
        <div
            class="table-scroll"
            node_ref=scrolled
            on:scroll=move |_| {
                hints.close();
                measure();
            }
        >
            <table
                class="comparison"
                data-testid="comparison-table"
                role="grid"
                aria-label="Comparison of runs"
                aria-rowcount=move || (total() + 1).to_string()
                aria-colcount=move || table.comparison.with(RunComparison::column_count).to_string()
                on:keydown=on_key
                on:pointerover=on_over
                on:pointerleave=on_leave
                on:click=on_click
                on:focusin=on_focus
            >
                <TableHead table/>
                <tbody>
                    <tr class="gap" aria-hidden="true" hidden=move || items.get().start == 0>
                        <td style:height=move || gap(items.get().start)></td>
                    </tr>
                    <List
                        each=move || table.order.with(|order| order.get(items.get()).map(<[usize]>::to_vec).unwrap_or_default())
                        key=|place| *place
                        children=move |place| view! { <ComparisonRow table place/> }
                    />
                    <tr class="gap" aria-hidden="true" hidden=move || items.get().end == total()>
                        <td style:height=move || gap(total().saturating_sub(items.get().end))></td>
                    </tr>
                </tbody>
            </table>
        </div>
        </div>
        <RowMenuPopup row_menu renamed=table.renamed/>
    }
}

// Keyboard navigation in the table: the Tab key stops once, and the arrow keys move within the table.

/// The position of the focus in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    pub row: usize,
    /// The cell's `aria-colindex`, or `None` for the row as a whole.
    pub column: Option<usize>,
}

impl Focus {
    /// The position to which a key leads in a table of `rows` rows and `columns` columns, of which `page` rows are
    /// visible.
    pub fn after(self, key: &str, rows: usize, columns: usize, page: usize) -> Option<Focus> {
        let last = rows.checked_sub(1)?;
        let to_row = |row: usize| Focus { row: row.min(last), ..self };
        Some(match (key, self.column) {
            ("ArrowDown", _) => to_row(self.row + 1),
            ("ArrowUp", _) => to_row(self.row.saturating_sub(1)),
            ("PageDown", _) => to_row(self.row + page),
            ("PageUp", _) => to_row(self.row.saturating_sub(page)),
            ("Home", _) => to_row(0),
            ("End", _) => to_row(last),
            ("ArrowRight", None) => Focus { column: Some(1), ..self },
            ("ArrowRight", Some(column)) => Focus { column: Some((column + 1).min(columns)), ..self },
            ("ArrowLeft", None | Some(1)) => Focus { column: None, ..self },
            ("ArrowLeft", Some(column)) => Focus { column: Some(column - 1), ..self },
            _ => return None,
        })
    }

    /// Gives the browser's focus to this position: at once if the row is in the document, otherwise when it has
    /// arrived.
    pub fn apply(self, table: web_sys::Element) {
        if !self.take(&table) {
            request_animation_frame(move || {
                self.take(&table);
            });
        }
    }

    /// Tries to focus the row. Returns whether the row was in the document.
    fn take(self, table: &web_sys::Element) -> bool {
        let row = format!("tbody tr[aria-rowindex=\"{}\"]", self.row + 2);
        let Ok(Some(row)) = table.query_selector(&row) else { return false };
        let cell = self.column.map(|column| format!("[aria-colindex=\"{column}\"]"));
        let cell = cell.and_then(|selector| row.query_selector(&selector).ok().flatten());
        // a cell with a control passes the focus on to it
        let control = cell.as_ref().and_then(|c| c.query_selector("button:not([hidden])").ok().flatten());
        let target = control.or(cell).unwrap_or(row).dyn_into::<web_sys::HtmlElement>();
        target.is_ok_and(|target| target.focus().is_ok())
    }
}

// What the parts of the comparison table share, and what is under the pointer.

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

// What the views keep while another view is shown.

/// Choices that outlive their view.
#[derive(Clone, Copy)]
pub struct Memory {
    pub jobs: JobsChoice,
}

impl Memory {
    /// Provides the memory to everything below the calling component. To be called once, above the tabs.
    pub fn provide() {
        provide_context(Memory::new());
    }

    /// The page's memory. If none was provided, as in tests, a new one that lasts as long as the view.
    pub fn of_page() -> Self {
        use_context().unwrap_or_else(Memory::new)
    }

    fn new() -> Self {
        Memory { jobs: JobsChoice::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn arrows_move_between_rows_and_into_cells() {
        let at = |row, column| Focus { row, column };
        assert_eq!(at(0, None).after("ArrowDown", 3, 5, 2), Some(at(1, None)));
        assert_eq!(at(2, None).after("ArrowDown", 3, 5, 2), Some(at(2, None)));
        assert_eq!(at(1, None).after("ArrowRight", 3, 5, 2), Some(at(1, Some(1))));
        assert_eq!(at(1, Some(5)).after("ArrowRight", 3, 5, 2), Some(at(1, Some(5))));
        assert_eq!(at(1, Some(1)).after("ArrowLeft", 3, 5, 2), Some(at(1, None)));
        assert_eq!(at(0, Some(4)).after("PageDown", 3, 5, 2), Some(at(2, Some(4))));
        assert_eq!(at(0, None).after("x", 3, 5, 2), None);
        assert_eq!(at(0, None).after("ArrowDown", 0, 5, 2), None);
    }
}
