//! The settings: a line above the results that opens into a column on their left, or on a phone a sheet from below.

use crate::app::controls::{RunBar, RunSettings};
use crate::app::files::FileInputs;
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState};
use crate::app::widget::{Glyph, Icon, Whole};
use crate::app::wording::{estimates, jobs, schedulers};
use leptos::ev;

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
