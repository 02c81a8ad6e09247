//! The page's frame: header, settings on the left, results on the right, and what lies over them.

mod address;
mod banner;
mod drop_target;
mod header;
mod log_switcher;
mod other_log;
mod partition_switch;
mod paste;
mod settings_sheet;
mod tabs;
mod theme;

use crate::app::controls::GenerateDialog;
use crate::app::dialogs::{Asked, Dialogs, ExportLog, ExportSchedule, Help, OwnLog, Recipes, Share};
use crate::app::files::{FileInputs, PickedFiles};
use crate::app::notices::Notices;
use crate::app::prelude::*;
use crate::app::results::Memory;
use crate::app::state::App;
use crate::app::widget::{HintLayer, Hints, Later};
use crate::app::writing::{ScriptConsent, WriteScript};
use banner::Banners;
use drop_target::DropTarget;
use header::Header;
use leptos::html;
use packfair_study::title;
use settings_sheet::SettingsSheet;
use tabs::Tabs;

/// The whole page. Needs the [`App`](crate::app::state::App) as context.
#[component]
pub fn Shell() -> impl IntoView {
    provide_context(Dialogs::default());
    provide_context(FileInputs::default());
    Hints::provide();
    Memory::provide();
    address::keep_address();
    paste::take_what_is_pasted();
    let app = expect_context::<App>();
    Effect::new(move |_| {
        let log = app.study.with(|study| study.source.name());
        let verdict = app.verdict.get().filter(|_| !app.is_between_logs());
        document().set_title(&title(&log, verdict.as_deref()));
    });
    let has_settings = settings_sheet::are_open();
    let results = NodeRef::<html::Main>::new();
    let skip = move |_| {
        if let Some(results) = results.get_untracked() {
            let _ = results.focus();
        }
    };
    // created before the settings, because a visitor waits for the first values
    let outcome = view! {
        <Later>
            <Banners />
            <Tabs />
        </Later>
    };
    view! {
        <div class="page" data-testid="app">
            <button class="skip-link" type="button" on:click=skip>"Skip to the results"</button>
            <Header />
            <div class="columns" class:with-settings=move || has_settings.get()>
                <Later><SettingsSheet is_open=has_settings /></Later>
                <main class="results" tabindex="-1" node_ref=results>
                    {outcome}
                </main>
            </div>
            <Later>
                <Notices />
                <PickedFiles />
                <DropTarget />
            </Later>
            <Later>
                <Recipes />
                <GenerateDialog />
                <Share />
                <ExportSchedule />
                <ExportLog />
                <OwnLog />
                <Asked />
                <WriteScript />
                <ScriptConsent />
                <Help />
                <HintLayer />
            </Later>
        </div>
    }
}
