//! The settings: a column on the left, or on a phone a sheet from below.

use crate::app::controls::{RunBar, RunSettings};
use crate::app::files::FileInputs;
use crate::app::prelude::*;
use crate::app::widget::{Glyph, Icon};
use leptos::ev;

/// The settings and the run button, which is always in reach. Whether the sheet is open matters only on a phone.
#[component]
pub fn SettingsSheet() -> impl IntoView {
    let open = RwSignal::new(false);
    let inputs = expect_context::<FileInputs>();
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            open.set(false);
        }
    };
    view! {
        <div class="sheet-veil" hidden=move || !open.get() on:click=move |_| open.set(false)></div>
        <aside class="settings" class:settings-open=move || open.get() aria-label="Settings" on:keydown=on_key>
            <div class="settings-scroll" id="settings">
                <RunSettings />
            </div>
            <div class="settings-dock">
                <button
                    class="button sheet-handle"
                    type="button"
                    aria-expanded=move || open.get().to_string()
                    aria-controls="settings"
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Icon glyph=Glyph::Settings />
                    {move || if open.get() { "Close" } else { "Settings" }}
                </button>
                <button class="button sheet-handle" type="button" data-testid="open-log" on:click=move |_| inputs.pick_log()>
                    <Icon glyph=Glyph::Drop />
                    "Open a log"
                </button>
                <RunBar />
            </div>
        </aside>
    }
}
