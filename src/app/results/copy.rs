//! Copies the table to the clipboard as Markdown, LaTeX or CSV.

use super::comparison::{RunComparison, ShownRun};
use super::units;
use crate::app::files::copy;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::{ButtonMenu, Edge, MenuItem};
use leptos::task::spawn_local;
use packfair_study::format::TimeUnit;
use packfair_study::table::{Mode, Table, columns, csv, latex, markdown};

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
            let text = render(&table_shown(app), units::chosen());
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
