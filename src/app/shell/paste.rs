//! Takes a pasted log, as a file or as text.

use crate::app::controls::take_machine;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::taking;
use leptos::ev;
use packfair_base::machine::MachineText;
use packfair_workload::reading::looks_like_a_log;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Element, EventTarget};

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
        taking::take(app, &list);
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
