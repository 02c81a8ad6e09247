//! Studies, results, tables and schedules for other programs.

use super::Dialogs;
use crate::app::files::{self, FileInputs};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Edge, Glyph, Icon, Menu, MenuItem, MenuLabel};
use crate::study::export::write_study;
use crate::study::format::TimeUnit;
use crate::study::table::{self, Mode, Table};

/// A menu of everything that can be taken out of the page, and studies back in.
#[component]
pub fn ExportMenu() -> impl IntoView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let inputs = expect_context::<FileInputs>();
    let nothing_yet = Memo::new(move |_| app.results().is_empty());
    let no_schedule = Memo::new(move |_| !app.results().iter().any(|outcome| outcome.has_schedule));
    let face = || {
        view! {
            <Icon glyph=Glyph::Export />
            <span class="button-text">"Export"</span>
            <Icon glyph=Glyph::Open />
        }
    };
    let save = move |name: &str, media_type: &str, content: String| {
        if let Err(message) = files::save(name, media_type, content.as_bytes()) {
            app.complain(message);
        }
    };
    let copy = move |what: &'static str, text: String| {
        leptos::task::spawn_local(async move {
            match files::copy(&text).await {
                Ok(()) => app.notify(format!("The table is on the clipboard as {what}."), None),
                Err(message) => app.complain(message),
            }
        });
    };
    let save_study = move || save("study.json", "application/json", app.study.with_untracked(write_study));
    view! {
        <Menu name="Export" testid="export" class="button button-quiet" edge=Edge::End face=face>
            <MenuLabel text="Study" />
            <MenuItem on_pick=save_study>"Save study (JSON)"</MenuItem>
            <MenuItem on_pick=move || inputs.pick_study()>"Open a study…"</MenuItem>
            <MenuLabel text="Results" />
            <MenuItem disabled=nothing_yet on_pick=move || save("results.csv", "text/csv", table::csv(&shown(app)))>
                "Save as CSV"
            </MenuItem>
            <MenuItem
                disabled=nothing_yet
                on_pick=move || save("results.json", "application/json", table::json(&shown(app)))
            >
                "Save as JSON"
            </MenuItem>
            <MenuLabel text="Table to clipboard" />
            <MenuItem
                disabled=nothing_yet
                on_pick=move || copy("Markdown", table::markdown(&shown(app), TimeUnit::Seconds))
            >
                "Copy as Markdown"
            </MenuItem>
            <MenuItem disabled=nothing_yet on_pick=move || copy("LaTeX", table::latex(&shown(app), TimeUnit::Seconds))>
                "Copy as LaTeX"
            </MenuItem>
            <MenuItem disabled=nothing_yet on_pick=move || copy("CSV", table::csv(&shown(app)))>"Copy as CSV"</MenuItem>
            <MenuLabel text="Schedule" />
            <MenuItem disabled=no_schedule on_pick=move || dialogs.schedule.set(true)>"Save the schedule of a run…"</MenuItem>
        </Menu>
    }
}

/// The table as it is on the page.
fn shown(app: App) -> Table {
    let results = untrack(|| app.results());
    let mode = if app.relative.get_untracked() { Mode::Change } else { Mode::Absolute };
    app.study.with_untracked(|s| Table::of(results.iter().map(|r| &r.report), &s.columns, &s.baseline, mode))
}
