//! Exports of studies, results, tables and schedules for other programs.

use super::Dialogs;
use crate::app::files::{self, FileInputs};
use crate::app::prelude::*;
use crate::app::results::{CopyItems, table_shown};
use crate::app::state::{App, LogState};
use crate::app::widget::{ButtonMenu, Edge, Glyph, Icon, MenuItem, MenuLabel};
use packfair_study::export::{for_spreadsheets, write_study};
use packfair_study::table;

/// A menu of all exports, and of the way to open a saved study.
#[component]
pub fn ExportMenu() -> impl IntoView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let inputs = expect_context::<FileInputs>();
    let nothing_yet = Memo::new(move |_| app.results().is_empty());
    let no_schedule = Memo::new(move |_| !app.results().iter().any(|outcome| outcome.has_schedule));
    let no_log = Memo::new(move |_| !app.log.with(|log| matches!(log, LogState::Ready(_))));
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
    let named = move |end: &str| files::of_log(app, end);
    let save_study = move || save(&named("study.json"), "application/json", app.study.with_untracked(write_study));
    view! {
        <ButtonMenu name="Export" testid="export" class="button button-quiet" edge=Edge::End face=face>
            <MenuLabel text="Study" />
            <MenuItem on_pick=save_study>"Save study (JSON)"</MenuItem>
            <MenuItem on_pick=move || inputs.pick_study()>"Open a study…"</MenuItem>
            <MenuLabel text="Results" />
            <MenuItem disabled=nothing_yet on_pick=move || save(&named("results.csv"), "text/csv", for_spreadsheets(&table::csv(&table_shown(app))))>
                "Save as CSV"
            </MenuItem>
            <MenuItem
                disabled=nothing_yet
                on_pick=move || save(&named("results.json"), "application/json", table::json(&table_shown(app)))
            >
                "Save as JSON"
            </MenuItem>
            <MenuLabel text="Table to clipboard" />
            <CopyItems />
            <MenuLabel text="Schedule" />
            <MenuItem disabled=no_schedule on_pick=move || dialogs.schedule.set(true)>"Save the schedule of a run…"</MenuItem>
            <MenuLabel text="Log" />
            <MenuItem disabled=no_log on_pick=move || dialogs.log.set(true)>"Save the log as SWF…"</MenuItem>
        </ButtonMenu>
    }
}
