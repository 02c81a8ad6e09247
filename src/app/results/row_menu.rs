//! The menu of a row: what can be done with its run.

use super::columns;
use super::comparison::{RunComparison, ShownRun};
use super::row::{name, scheduler_help};
use super::table::{TableState, toggle_baseline};
use crate::app::files::copy;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Tab};
use crate::app::widget::{ButtonMenu, Edge, Menu, MenuItem, MenuLabel, MenuList, closest};
use leptos::html;
use leptos::task::spawn_local;
use packfair_study::format::TimeUnit;
use packfair_study::table::{Mode, Table, columns, csv, latex, markdown};
use packfair_study::{LONGEST_ROW_NAME, Run};
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::JsCast;

/// The menu, which belongs to the row on which it was opened.
#[derive(Clone, Copy)]
pub struct RowMenu {
    menu: Menu,
    run: RwSignal<Option<Run>>,
}

impl RowMenu {
    pub fn new() -> Self {
        RowMenu { menu: Menu::new(Edge::End), run: RwSignal::new(None) }
    }

    /// Opens the menu for a run, beside a button.
    pub fn open(self, run: Run, beside: &web_sys::Element) {
        self.run.set(Some(run));
        self.menu.open(beside);
    }
}

/// The menu's items.
#[component]
pub fn RowMenuPopup(
    row_menu: RowMenu,
    /// The run whose row is being renamed.
    renamed: RwSignal<Option<Run>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let label = Signal::derive(move || row_menu.run.with(|run| run.as_ref().map(name)).unwrap_or_default());
    let about = move || row_menu.run.with(|run| run.as_ref().map(scheduler_help));
    let row = move || {
        row_menu.run.with(|run| app.rows.with(|rows| rows.iter().find(|r| Some(&r.run) == run.as_ref()).cloned()))
    };
    let has_schedule = move || row().and_then(|r| r.result).is_some_and(|r| r.has_schedule);
    let is_baseline = move || {
        row_menu
            .run
            .with(|run| run.as_ref().is_some_and(|run| app.study.with(|s| s.baseline_of(run).as_ref() == Some(run))))
    };
    let no_fair_starts = move || app.no_fair_starts(&row_menu.run.get()?);
    let act = move |action: fn(App, Run)| {
        move || {
            if let Some(run) = row_menu.run.get_untracked() {
                action(app, run);
            }
        }
    };
    let show_jobs = act(|app, run| {
        app.highlight(Some(run));
        app.show_tab(Tab::Jobs);
    });
    // the menu gives the focus back to its button first
    let rename = move || {
        let run = row_menu.run.get_untracked();
        set_timeout(move || drop(renamed.try_set(run)), Duration::ZERO);
    };
    let has_no_schedule = Signal::derive(move || !has_schedule());
    let why_no_fair_starts = Signal::derive(no_fair_starts);
    let has_no_fair_starts = Signal::derive(move || no_fair_starts().is_some());
    view! {
        <MenuList menu=row_menu.menu label>
            <MenuLabel text=label/>
            <p class="menu-about" role="presentation">{move || about()}</p>
            <MenuItem on_pick=act(|app, run| toggle_baseline(app, &run))>
                {move || if is_baseline() { "No longer the baseline" } else { "Make it the baseline" }}
                <kbd>"b"</kbd>
            </MenuItem>
            <MenuItem testid="rename-row" on_pick=rename>
                "Rename"
                <kbd>"F2"</kbd>
            </MenuItem>
            <MenuItem on_pick=act(App::run_one)>
                "Run again"
                <kbd>"r"</kbd>
            </MenuItem>
            <MenuItem
                testid="compute-fair-starts"
                disabled=has_no_fair_starts
                why_disabled=why_no_fair_starts
                on_pick=act(App::compute_fair_starts)
            >
                "Compute fair start times"
            </MenuItem>
            <MenuItem disabled=has_no_schedule on_pick=show_jobs>"Show its jobs"</MenuItem>
            <MenuItem on_pick=act(App::remove_row)>
                "Remove the row"
                <kbd>"Del"</kbd>
            </MenuItem>
        </MenuList>
    }
}

// The field in which a row is renamed.

/// The field, with the present name selected. Enter takes what is typed, and so does leaving it; Escape does not; nothing
/// gives the row its own name back.
// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
pub fn field(table: TableState, run: Run) -> AnyView {
    let app = table.app;
    let own = run.scheduler_name();
    let present = app.study.with_untracked(|study| study.row_names.of(&run).map(str::to_owned));
    let present = present.unwrap_or_else(|| own.clone());
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let taken = run.clone();
    // when the field goes, the browser says that it was left
    let close = move || table.renamed.try_update(Option::take).flatten().is_some();
    let take = move |text: String| {
        if close() {
            rename(app, &taken, text);
        }
    };
    let on_blur = {
        let take = take.clone();
        move |event| take(event_target_value(&event))
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        event.stop_propagation();
        let row = closest(event.target(), "tr").and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok());
        match event.key().as_str() {
            "Enter" => take(event_target_value(&event)),
            "Escape" => drop(close()),
            _ => return,
        }
        event.prevent_default();
        if let Some(row) = row {
            let _ = row.focus();
        }
    };
    view! {
        <input
            type="text"
            class="rename-field"
            data-testid="rename"
            node_ref=input
            aria-label=format!("Name of the row of {}", super::row::name(&run))
            placeholder=own
            maxlength=LONGEST_ROW_NAME.to_string()
            value=present
            on:click=|event| event.stop_propagation()
            on:keydown=on_key
            on:blur=on_blur
        />
    }
    .into_any()
}

/// Gives a row a name. The user can undo it.
fn rename(app: App, run: &Run, text: String) {
    let set = move |run: Run, text: String| app.edit(move |study| study.row_names.set(&run, &text));
    let of = || app.study.with_untracked(|study| study.row_names.of(run).map(str::to_owned));
    let before = of();
    set(run.clone(), text);
    let after = of();
    if before == after {
        return;
    }
    let own = run.scheduler_name();
    let said = match &after {
        Some(given) => format!("{} is called {given} now.", before.as_ref().unwrap_or(&own)),
        None => format!("The row has its own name again, {own}."),
    };
    let run = run.clone();
    let back = before.unwrap_or_default();
    app.notify(said, Some(Arc::new(move || set(run.clone(), back.clone()))));
}

// Copies the table to the clipboard as Markdown, LaTeX or CSV.

/// The copy button above the table, with its menu.
#[component]
pub fn CopyMenu() -> impl IntoView {
    let app = expect_context::<App>();
    let note = move || match mode(app.relative.get()) {
        Mode::Change => "Changes as shown; CSV carries values and changes",
        Mode::Absolute => "Values as shown; CSV carries them in full",
    };
    view! {
        <ButtonMenu name="Copy table" testid="copy-table" face=|| "Copy table" edge=Edge::End>
            <CopyItems />
            <p class="menu-label" role="presentation">{move || note()}</p>
        </ButtonMenu>
    }
}

/// Menu items that copy the table as it is shown: the rows with up-to-date results, in the order shown.
#[component]
pub fn CopyItems() -> impl IntoView {
    let app = expect_context::<App>();
    let nothing_yet = Signal::derive(move || app.results().is_empty());
    let item = move |what: &'static str, render: fn(&Table, TimeUnit) -> String| {
        let copy_it = move || {
            let text = render(&table_shown(app), columns::chosen_unit());
            spawn_local(async move {
                match copy(&text).await {
                    Ok(()) => app.notify(format!("The table is on the clipboard as {what}."), None),
                    Err(why) => app.complain(why),
                }
            });
        };
        view! { <MenuItem disabled=nothing_yet on_pick=copy_it>{format!("Copy as {what}")}</MenuItem> }
    };
    view! {
        {item("Markdown", markdown)}
        {item("LaTeX", latex)}
        {item("CSV", |table, _| csv(table))}
    }
}

/// The table as it is shown, without outdated results.
pub fn table_shown(app: App) -> Table {
    let mode = mode(app.relative.get_untracked());
    let rows: Vec<ShownRun> =
        app.rows.with_untracked(|rows| rows.iter().map(|row| (row.run.clone(), row.result.clone())).collect());
    app.study.with_untracked(|study| {
        let comparison = RunComparison::of(&rows, study, mode);
        let order = comparison.order(app.sorting.get_untracked());
        let fresh = order.iter().filter(|&&place| !comparison.rows[place].is_stale);
        let reports: Vec<_> =
            fresh.filter_map(|&place| rows[place].1.as_ref()).map(|outcome| &outcome.report).collect();
        // includes all the columns that the page folds into one
        let columns = columns(&study.columns, reports.iter().copied());
        let table = Table::of(reports.iter().copied(), &columns, &study.baseline, mode);
        let account = app.log.with_untracked(|log| match log {
            LogState::Ready(described) => described.account.in_short(described.records as u64),
            _ => String::new(),
        });
        let table = table.with_truth(study, reports).with_origin(&study.source).with_account(account);
        let table = table.with_names(&study.row_names);
        app.repeats.with_untracked(|repeats| match repeats.as_ref().filter(|state| state.is_told(study)) {
            Some(state) => table.with_repeats(&state.repeated),
            None => table,
        })
    })
}

fn mode(is_relative: bool) -> Mode {
    if is_relative { Mode::Change } else { Mode::Absolute }
}
