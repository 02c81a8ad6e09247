//! The table for other programs: into the clipboard as Markdown, LaTeX or CSV.

use super::table::TableState;
use crate::app::files::copy;
use crate::app::prelude::*;
use crate::app::widget::{Edge, Menu, MenuItem};
use crate::study::format::TimeUnit;
use crate::study::table::{Mode, Table, csv, latex, markdown};
use leptos::task::spawn_local;

/// The button and its menu.
#[component]
pub fn CopyMenu(
    /// The table copied: its rows with results, in the order shown.
    table: TableState,
) -> impl IntoView {
    let app = table.app;
    let present = move || {
        let order = table.order.get_untracked();
        let comparison = table.comparison.get_untracked();
        let outcomes = app.rows.with_untracked(|rows| {
            let fresh = order.iter().filter(|&&i| comparison.rows.get(i).is_some_and(|r| !r.is_stale));
            fresh.filter_map(|&i| rows.get(i)?.result.clone()).collect::<Vec<_>>()
        });
        let baseline = app.study.with_untracked(|s| s.baseline.clone());
        Table::of(outcomes.iter().map(|o| &o.report), &comparison.columns, &baseline, comparison.mode)
    };
    let as_text = move |what: &'static str, render: fn(&Table, TimeUnit) -> String| {
        move || {
            let table_now = present();
            if table_now.rows.is_empty() {
                return app.complain("There is no up-to-date result to copy yet: run the study first.");
            }
            let text = render(&table_now, table.unit.get_untracked());
            spawn_local(async move {
                match copy(&text).await {
                    Ok(()) => app.notify(format!("{what} is on the clipboard."), None),
                    Err(why) => app.complain(why),
                }
            });
        }
    };
    let note = move || match table.comparison.with(|c| c.mode) {
        Mode::Change => "Changes as shown; CSV carries values and changes",
        Mode::Absolute => "Values as shown; CSV carries them in full",
    };
    view! {
        <Menu name="Copy table" testid="copy-table" face=|| "Copy table" edge=Edge::End>
            <MenuItem on_pick=as_text("The table as Markdown", markdown)>"As Markdown"</MenuItem>
            <MenuItem on_pick=as_text("The table as LaTeX", latex)>"As LaTeX"</MenuItem>
            <MenuItem on_pick=as_text("The table as CSV", |table, _| csv(table))>"As CSV"</MenuItem>
            <p class="menu-label" role="presentation">{move || note()}</p>
        </Menu>
    }
}
