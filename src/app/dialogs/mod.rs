//! Dialogs about the whole study: recipes, sharing, exports, help.

mod asked;
mod export;
mod help;
mod recipes;

pub use asked::Asked;
pub use export::{ExportLog, ExportSchedule, Share};
pub use help::{Help, OwnLog, slurm_command};
pub use recipes::{Recipes, RecipesButton};

use crate::app::files::{self, FileInputs};
use crate::app::prelude::*;
use crate::app::results::{CopyItems, table_shown};
use crate::app::state::{App, LogState};
use crate::app::widget::{ButtonMenu, Edge, Glyph, Icon, MenuItem, MenuLabel};
use crate::app::writing::ScriptDraft;
use packfair_study::export::{for_spreadsheets, write_study};
use packfair_study::table;
use std::time::Duration;

/// Which dialogs are open. Provided as context by the page's frame.
#[derive(Clone, Copy, Default)]
pub struct Dialogs {
    pub recipes: RwSignal<bool>,
    /// The link to share.
    pub share: RwSignal<bool>,
    pub schedule: RwSignal<bool>,
    pub log: RwSignal<bool>,
    pub generate: RwSignal<bool>,
    pub own_log: RwSignal<bool>,
    pub help: RwSignal<bool>,
    /// The form for a user's own scheduler, written as a script.
    pub writing: RwSignal<bool>,
    pub draft: RwSignal<ScriptDraft>,
}

// The menu of exports.

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

// A button that copies a text and confirms it.

/// How long the button confirms that it copied.
const SAID: Duration = Duration::from_secs(2);

/// Copies a text; for a moment the button reads "Copied".
#[component]
pub fn CopyButton(#[prop(into)] text: Signal<String>, label: &'static str) -> impl IntoView {
    let app = expect_context::<App>();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        leptos::task::spawn_local(async move {
            match files::copy(&text.get_untracked()).await {
                Ok(()) => {
                    // the dialog may be closed by now
                    copied.try_set(true);
                    set_timeout(
                        move || {
                            copied.try_set(false);
                        },
                        SAID,
                    );
                }
                Err(message) => app.complain(message),
            }
        });
    };
    view! {
        <button class="button button-accent" type="button" on:click=copy>
            {move || if copied.get() { "Copied" } else { label }}
        </button>
        <span class="visually-hidden" role="status">{move || copied.get().then_some("Copied")}</span>
    }
}
