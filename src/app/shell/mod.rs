//! The page's frame: header, settings on the left, results on the right, and what lies over them.

mod address;
mod banner;
mod log_switcher;
mod tabs;

use crate::app::controls::{GenerateDialog, RunBar, RunSettings, take_machine};
use crate::app::dialogs::{Asked, Dialogs, ExportLog, ExportSchedule, Help, OwnLog, Recipes, Share};
use crate::app::files::{FileInputs, PickedFiles};
use crate::app::notices::{Notices, estimates, jobs, schedulers};
use crate::app::prelude::*;
use crate::app::results::Memory;
use crate::app::state::{App, LogState};
use crate::app::widget::{Glyph, HintLayer, Hints, Icon, Later, Whole};
use crate::app::writing::{ScriptConsent, WriteScript};
use crate::app::{arrival, files, remembered};
use banner::Banners;
use leptos::{ev, html};
use packfair_base::machine::MachineText;
use packfair_study::title;
use packfair_workload::reading::looks_like_a_log;
use tabs::{Header, Tabs};
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, DragEvent, Element, EventTarget};

/// The whole page. Needs the [`App`](crate::app::state::App) as context.
#[component]
pub fn Shell() -> impl IntoView {
    provide_context(Dialogs::default());
    provide_context(FileInputs::default());
    Hints::provide();
    Memory::provide();
    address::keep_address();
    take_what_is_pasted();
    let app = expect_context::<App>();
    Effect::new(move |_| {
        let log = app.study.with(|study| study.source.name());
        let verdict = app.verdict.get().filter(|_| !app.is_between_logs());
        document().set_title(&title(&log, verdict.as_deref()));
    });
    let has_settings = are_open();
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

// The settings: a line above the results that opens into a column on their left, or on a phone a sheet from below.

/// Whether the settings stand beside the results, as the person left them. It matters only where there is room.
pub fn are_open() -> RwSignal<bool> {
    RwSignal::new(remembered::get_newest(remembered::SETTINGS).unwrap_or(false))
}

/// What is set, the settings, and the run button, which is always in reach.
#[component]
pub fn SettingsSheet(
    /// Whether they stand beside the results.
    is_open: RwSignal<bool>,
) -> impl IntoView {
    // whether the sheet of a phone is open
    let open = RwSignal::new(false);
    let inputs = expect_context::<FileInputs>();
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            open.set(false);
        }
    };
    let toggle = move |_| {
        is_open.update(|open| *open = !*open);
        remembered::set_newest(remembered::SETTINGS, &is_open.get_untracked());
    };
    view! {
        <div class="sheet-veil" hidden=move || !open.get() on:click=move |_| open.set(false)></div>
        <aside class="settings" class:settings-open=move || open.get() aria-label="Settings" on:keydown=on_key>
            <button
                class="settings-lines"
                type="button"
                aria-expanded=move || is_open.get().to_string()
                aria-controls="settings"
                data-testid="settings-lines"
                on:click=toggle
            >
                <Icon glyph=Glyph::Settings />
                <span class="visually-hidden">"Settings: "</span>
                <Lines />
                <Icon glyph=Glyph::Open />
            </button>
            <div class="settings-scroll" id="settings">
                // loaded after what a first view needs
                <Whole><RunSettings /></Whole>
            </div>
            <div class="settings-dock">
                <button
                    class="sheet-handle sheet-lines"
                    type="button"
                    aria-expanded=move || open.get().to_string()
                    aria-controls="settings"
                    data-testid="sheet-lines"
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Icon glyph=Glyph::Settings />
                    <span class="visually-hidden">"Settings: "</span>
                    {move || if open.get() { view! { "Close" }.into_any() } else { view! { <Lines /> }.into_any() }}
                    <Icon glyph=Glyph::Open />
                </button>
                <button class="button sheet-handle" type="button" data-testid="open-log" on:click=move |_| inputs.pick_log()>
                    "Open a log"
                </button>
                <RunBar />
            </div>
        </aside>
    }
}

/// What is set, in short: "2,000 jobs · 4 schedulers · 2 estimates".
#[component]
fn Lines() -> impl IntoView {
    let app = expect_context::<App>();
    let log = move || {
        app.log.with(|log| match log {
            LogState::Ready(log) => jobs(log.summary.jobs),
            _ => "No log yet".to_owned(),
        })
    };
    let of_study = move || app.study.with(|study| (schedulers(study.schedulers.len()), estimates(study.methods.len())));
    view! {
        <span class="settings-text">
            {move || log()} " · " {move || of_study().0} " · " {move || of_study().1}
        </span>
    }
}

// The whole page takes dropped files.

/// Shown over the page while a file is dragged over it.
#[component]
pub fn DropTarget() -> impl IntoView {
    let app = expect_context::<App>();
    let dragging = RwSignal::new(false);
    let listeners = [
        window_event_listener(ev::dragover, move |event| {
            if carries_files(&event) {
                // otherwise the browser would open the file in place of the page
                event.prevent_default();
                if !dragging.get_untracked() {
                    dragging.set(true);
                }
            }
        }),
        window_event_listener(ev::dragleave, move |event| {
            // without a related target, the pointer has left the window
            if event.related_target().is_none() {
                dragging.set(false);
            }
        }),
        window_event_listener(ev::drop, move |event| {
            if carries_files(&event) {
                event.prevent_default();
                dragging.set(false);
                if let Some(list) = event.data_transfer().and_then(|data| data.files()) {
                    arrival::take(app, &list);
                }
            }
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(|listener| listener.remove()));
    view! {
        <div class="drop-target" hidden=move || !dragging.get() aria-hidden="true">
            <div class="drop-target-frame">
                <Icon glyph=Glyph::Drop />
                <strong>"Drop to read this log"</strong>
                <span>"Slurm, PBS, LSF, Grid Engine, SWF or CSV, several as one, or a saved study. It stays on this computer."</span>
            </div>
        </div>
    }
}

fn carries_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|data| data.types());
    types.is_some_and(|types| types.iter().any(|kind| kind == "Files"))
}

// Takes a pasted log, as a file or as text.

/// The name of a log that was pasted as text.
const NAME: &str = "pasted log";

/// The number of characters shown of a text that is not a log.
const SHOWN: usize = 60;

/// Listens for pasting anywhere outside text fields.
pub fn take_what_is_pasted() {
    let app = expect_context::<App>();
    // the listener lives as long as the page
    let _ = window_event_listener(ev::paste, move |event| {
        let data = event.clipboard_data().filter(|_| !is_field(event.target()));
        if data.is_some_and(|data| open_pasted(app, &data)) {
            event.prevent_default();
        }
    });
}

/// Whether the element takes text: pasting there inserts text and opens no log.
fn is_field(target: Option<EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    let field = element.and_then(|element| element.closest("input, textarea, select, [contenteditable]").ok());
    field.flatten().is_some()
}

/// Opens the pasted file or text. Returns whether there was anything to open.
#[inline(never)]
fn open_pasted(app: App, data: &DataTransfer) -> bool {
    if let Some(list) = data.files().filter(|list| list.length() > 0) {
        arrival::take(app, &list);
        return true;
    }
    let text = data.get_data("text/plain").unwrap_or_default();
    if MachineText::recognise(&text).is_some() {
        take_machine(app, "What was pasted", &text);
    } else if looks_like_a_log(&text) {
        if let Some(file) = files::of_text(NAME, &text) {
            app.load_file(file);
        }
    } else if let Some(first) = text.lines().find(|line| !line.trim().is_empty()) {
        let first: String = first.trim().chars().take(SHOWN).collect();
        app.notify(
            format!("What was pasted is no log in a format that is read here: it begins with \"{first}\"."),
            None,
        );
    }
    !text.is_empty()
}
