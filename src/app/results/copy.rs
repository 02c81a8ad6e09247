//! The table for other programs: into the clipboard as Markdown, LaTeX or CSV.

use super::clipboard::copy;
use super::menu::{Menu, MenuPopup};
use super::table::TableState;
use crate::study::format::TimeUnit;
use crate::study::table::{Mode, Table, csv, latex, markdown};
use leptos::prelude::*;

/// The button and its menu.
#[component]
pub fn CopyMenu(
    /// The table copied: its rows with results, in the order shown.
    table: TableState,
) -> impl IntoView {
    let app = table.app;
    let menu = Menu::new();
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
        move |_| {
            let table_now = present();
            if table_now.rows.is_empty() {
                app.complain("There is no up-to-date result to copy yet: run the study first");
            } else {
                copy(app, render(&table_now, table.unit.get_untracked()), what);
            }
        }
    };
    let note = move || match table.comparison.with(|c| c.mode) {
        Mode::Change => "Changes as shown; CSV carries values and changes",
        Mode::Absolute => "Values as shown; CSV carries them in full",
    };
    view! {
        <button
            type="button"
            class="quiet-button"
            aria-haspopup="menu"
            data-testid="copy-table"
            on:click=move |event| {
                if let Some(button) = super::hint::closest(event.target(), "button") {
                    menu.open(&button);
                }
            }
        >
            "Copy table"
        </button>
        <MenuPopup menu label=Signal::derive(|| "Copy the table".to_owned())>
            <button type="button" role="menuitem" tabindex="-1" on:click=as_text("The table as Markdown", markdown)>
                "As Markdown"
            </button>
            <button type="button" role="menuitem" tabindex="-1" on:click=as_text("The table as LaTeX", latex)>
                "As LaTeX"
            </button>
            <button type="button" role="menuitem" tabindex="-1" on:click=as_text("The table as CSV", |table, _| csv(table))>
                "As CSV"
            </button>
            <p class="popup-menu-note" role="presentation">{note}</p>
        </MenuPopup>
    }
}
