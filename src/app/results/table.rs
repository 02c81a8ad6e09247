//! The comparison table: a grid with one tab stop, of which only the visible rows are in the document.

use super::columns::TableHead;
use super::comparison::RunComparison;
use super::navigation::Focus;
use super::row::ComparisonRow;
use super::row_menu::{RowMenu, RowMenuPopup};
use super::table_state::{TableState, toggle_baseline};
use crate::app::paper::is_on_paper;
use crate::app::prelude::*;
use crate::app::virtual_list::Scroller;
use crate::app::widget::{Hints, List, closest};
use leptos::html;
use packfair_study::Run;
use std::time::Duration;

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
