//! The whole page takes dropped files.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::taking;
use crate::app::widget::{Glyph, Icon};
use leptos::ev;
use web_sys::DragEvent;

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
                    taking::take(app, &list);
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
