//! A log can be pasted: as a file, or as its text.

use crate::app::controls::take_machine;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::machine::MachineText;
use crate::workload::reading::looks_like_a_log;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Element, EventTarget};

/// What a pasted text is called as a log.
const NAME: &str = "pasted log";

/// How much of a text that is no log is shown, characters.
const SHOWN: usize = 60;

/// Listens for what is pasted into the page, besides into its fields.
pub fn take_what_is_pasted() {
    let app = expect_context::<App>();
    // as long as the page lives
    let _ = window_event_listener(ev::paste, move |event| {
        let data = event.clipboard_data().filter(|_| !is_field(event.target()));
        if data.is_some_and(|data| open_pasted(app, &data)) {
            event.prevent_default();
        }
    });
}

/// Whether the element takes text: then pasting there inserts text and opens no log.
fn is_field(target: Option<EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    let field = element.and_then(|element| element.closest("input, textarea, select, [contenteditable]").ok());
    field.flatten().is_some()
}

/// Whether there was anything to open.
#[inline(never)]
fn open_pasted(app: App, data: &DataTransfer) -> bool {
    if let Some(list) = data.files().filter(|list| list.length() > 0) {
        files::take(app, &list);
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
