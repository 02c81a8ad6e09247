//! The heading of the comparison table: names, units, sorting, and a menu for each column.

use super::comparison::FIRST_FIGURE;
use super::table::TableState;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Edge, HINT_ID, Menu, MenuItem, MenuLabel, MenuList, Segment, Segments, closest};
use crate::app::{remembered, while_shown};
use packfair_engine::metric::{Aim, Metric};
use packfair_study::format;
use packfair_study::format::TimeUnit;
use packfair_study::table::{FOLDED, Grid, GridLine, Mode};
use wasm_bindgen::JsCast;

#[component]
pub fn TableHead(table: TableState) -> impl IntoView {
    let app = table.app;
    let menu = Menu::new(Edge::End);
    let subject = RwSignal::new(None::<Metric>);
    let tab_stop = RwSignal::new(0_usize);
    // each result changes the comparison, but its columns stay the same
    let shown = Memo::new(move |_| table.comparison.with(|c| c.columns.clone()));
    let open_menu = move |metric: Metric, beside: &web_sys::Element| {
        subject.set(Some(metric));
        menu.open(beside);
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        let Some(heading) = closest(event.target(), "th[data-column]") else { return };
        let Some(metric) = heading.get_attribute("data-column").and_then(|id| id.parse::<Metric>().ok()) else {
            return;
        };
        match event.key().as_str() {
            "ArrowRight" => step(&heading, tab_stop, 1),
            "ArrowLeft" => step(&heading, tab_stop, -1),
            "ArrowDown" => open_menu(metric, &heading),
            "Delete" => remove_column(app, metric),
            _ => return,
        }
        event.prevent_default();
    };
    let label = Signal::derive(move || subject.get().map_or(String::new(), |m| format!("Column {}", m.about().name)));
    let choose = move |action: fn(App, Metric)| {
        move || {
            if let Some(metric) = subject.get_untracked() {
                action(app, metric);
            }
        }
    };
    view! {
        <thead>
            <tr aria-rowindex="1" on:keydown=on_key>
                <th scope="col" class="run-cell" aria-colindex="1">
                    "Scheduler"
                    <span class="heading-unit">", estimate"</span>
                </th>
                {move || {
                    let headings = shown.get().into_iter().enumerate();
                    headings.map(|(i, metric)| view! { <Heading table metric index=i tab_stop open_menu/> }).collect_view()
                }}
                <th scope="col" class="status-cell">
                    <span class="visually-hidden">"Run"</span>
                </th>
                <th scope="col" class="menu-cell">
                    <span class="visually-hidden">"Menu"</span>
                    <MenuList menu label>
                        <MenuLabel text=label/>
                        <MenuItem on_pick=choose(|app, m| app.sort_by(Some((m, first_descends(m)))))>
                            "Sort, best first"
                        </MenuItem>
                        <MenuItem on_pick=choose(|app, m| app.sort_by(Some((m, !first_descends(m)))))>
                            "Sort, worst first"
                        </MenuItem>
                        <MenuItem on_pick=choose(|app, _| app.sort_by(None))>
                            "The study's order"
                        </MenuItem>
                        {move || {
                            (subject.get() == Some(FOLDED) && !app.study.with(|study| study.columns.contains(&FOLDED)))
                                .then(|| view! { <MenuItem on_pick=choose(|app, _| unfold(app))>"Show all four, each a column"</MenuItem> })
                        }}
                        <MenuItem on_pick=choose(remove_column)>
                            "Remove the column"
                            <kbd>"Del"</kbd>
                        </MenuItem>
                    </MenuList>
                </th>
            </tr>
        </thead>
    }
}

#[component]
fn Heading(
    table: TableState,
    metric: Metric,
    index: usize,
    tab_stop: RwSignal<usize>,
    open_menu: impl Fn(Metric, &web_sys::Element) + Copy + 'static,
) -> impl IntoView {
    let app = table.app;
    let about = metric.about();
    let plain = metric.plain_name();
    let sorted = move || app.sorting.get().filter(|(m, _)| *m == metric).map(|(_, descending)| descending);
    let aria_sort = move || match sorted() {
        None => "none",
        Some(true) => "descending",
        Some(false) => "ascending",
    };
    let arrow = move || match sorted() {
        None => "",
        Some(true) => "▼",
        Some(false) => "▲",
    };
    let unit = while_shown(move || {
        let of_column = table.units.with(|units| units.get(index).copied()).unwrap_or_default();
        match (about.name, format::unit(metric, of_column)) {
            (_, "") if plain.is_none() => String::new(),
            (_, unit) if plain.is_none() => format!("({unit})"),
            (symbol, "") => format!("({symbol})"),
            (symbol, unit) => format!("({symbol}, {unit})"),
        }
    });
    let unit = move || unit.get();
    view! {
        <th
            scope="col"
            class="figure"
            aria-sort=move || aria_sort()
            aria-colindex=(FIRST_FIGURE + index).to_string()
            data-column=about.id
            on:contextmenu=move |event| {
                event.prevent_default();
                if let Some(heading) = closest(event.target(), "th") {
                    open_menu(metric, &heading);
                }
            }
        >
            <button
                type="button"
                class="heading"
                aria-describedby=HINT_ID
                tabindex=move || if tab_stop.get() == index { "0" } else { "-1" }
                on:focus=move |_| tab_stop.set(index)
                on:click=move |_| app.sort_by(next_sorting(app.sorting.get_untracked(), metric))
            >
                <span class="heading-arrow" aria-hidden="true">{move || arrow()}</span>
                <span class="heading-names">
                    <span class="heading-name">{plain.unwrap_or(about.name)}</span>
                    " "
                    <span class="heading-unit">{move || unit()}</span>
                </span>
            </button>
            <button
                type="button"
                class="column-menu-button"
                tabindex="-1"
                aria-haspopup="menu"
                aria-label=format!("Menu of column {}", about.name)
                on:click=move |event| {
                    if let Some(button) = closest(event.target(), "button") {
                        open_menu(metric, &button);
                    }
                }
            >
                "⋮"
            </button>
        </th>
    }
}

/// Whether large values of the metric are the best, so that a descending order shows the best first.
fn first_descends(metric: Metric) -> bool {
    metric.about().aim != Aim::Low
}

/// The sorting after a click on the heading: best first, then worst first, then the study's order.
fn next_sorting(sorting: Option<(Metric, bool)>, metric: Metric) -> Option<(Metric, bool)> {
    let first = first_descends(metric);
    match sorting {
        Some((m, descending)) if m == metric => (descending == first).then_some((metric, !first)),
        _ => Some((metric, first)),
    }
}

fn remove_column(app: App, metric: Metric) {
    app.edit(move |study| study.columns.retain(|&m| m != metric));
}

fn unfold(app: App) {
    app.edit(move |study| study.columns.extend(Metric::BESIDE_LOG));
}

fn step(heading: &web_sys::Element, tab_stop: RwSignal<usize>, by: isize) {
    let next = if by > 0 { heading.next_element_sibling() } else { heading.previous_element_sibling() };
    let button = next.and_then(|th| th.query_selector("button.heading").ok().flatten());
    if let Some(button) = button.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
        tab_stop.update(|i| *i = i.saturating_add_signed(by));
        let _ = button.focus();
    }
}

// A small table of texts that are made elsewhere.

/// A grid as a table that scrolls within itself; `caption` is for who does not see it.
pub(super) fn grid_table(caption: String, Grid { labels, headings, lines }: Grid) -> AnyView {
    let label = |text: String| view! { <th scope="col">{text}</th> };
    let heading = |text: String| view! { <th scope="col" class="number">{text}</th> };
    let line = |line: GridLine| {
        let labels = line.labels.into_iter().map(|text| view! { <th scope="row">{text}</th> }).collect_view();
        let values = line.values.into_iter().map(|text| view! { <td class="number">{text}</td> }).collect_view();
        view! { <tr>{labels}{values}</tr> }
    };
    view! {
        <div class="table-scroll">
            <table class="plain-table">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>{labels.into_iter().map(label).collect_view()} {headings.into_iter().map(heading).collect_view()}</tr>
                </thead>
                <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
            </table>
        </div>
    }
}

// Whether the table shows values or changes to the baseline.

/// The switch between changes and values.
#[component]
pub fn ShownAs() -> impl IntoView {
    let app = expect_context::<App>();
    let relative = app.relative;
    let segment = |label: &'static str, mode: Mode| Segment {
        label,
        is_on: Signal::derive(move || relative.get() == (mode == Mode::Change)),
        pick: Callback::new(move |()| app.show_as(mode)),
    };
    let segments = vec![segment("Change", Mode::Change), segment("Values", Mode::Absolute)];
    view! { <Segments name="What the table shows" segments/> }
}

// Whether tables show times in the most suitable unit, in seconds or in hours. The choice is remembered.

const KEY: &str = "packfair.time-unit";

/// The unit of times, as the user chose it last.
pub fn remembered_unit() -> RwSignal<TimeUnit> {
    let unit = RwSignal::new(chosen_unit());
    Effect::new(move |_| {
        // if nothing can be stored, the choice is lost after the visit
        remembered::set_newest(KEY, &unit.get());
    });
    unit
}

pub fn chosen_unit() -> TimeUnit {
    remembered::get_newest(KEY).unwrap_or_default()
}

#[component]
pub fn UnitSwitch(unit: RwSignal<TimeUnit>) -> impl IntoView {
    let segments = vec![
        Segment::new("Auto", unit, TimeUnit::Fitting),
        Segment::new("Seconds", unit, TimeUnit::Seconds),
        Segment::new("Hours", unit, TimeUnit::Hours),
    ];
    view! { <Segments name="Unit of times" segments/> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_third_click_returns_to_the_studys_order() {
        let first = next_sorting(None, Metric::Af);
        assert_eq!(first, Some((Metric::Af, false)));
        let second = next_sorting(first, Metric::Af);
        assert_eq!(second, Some((Metric::Af, true)));
        assert_eq!(next_sorting(second, Metric::Af), None);
        assert_eq!(next_sorting(second, Metric::Utilisation), Some((Metric::Utilisation, true)));
    }
}
