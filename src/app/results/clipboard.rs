//! Text for the clipboard.

use crate::app::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// Puts `text` into the clipboard and says so; `what` names it, as "The table as CSV".
pub fn copy(app: App, text: String, what: &'static str) {
    let navigator = window().navigator();
    // absent on pages that are not served securely
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if !clipboard.is_ok_and(|c| c.is_object()) {
        return app.complain("The clipboard is out of reach: the page has to be served by https or from this machine");
    }
    let written = JsFuture::from(navigator.clipboard().write_text(&text));
    spawn_local(async move {
        match written.await {
            Ok(_) => app.notify(format!("{what} is in the clipboard"), None),
            Err(_) => app.complain("The browser refused the clipboard: allow it for this page, then copy again"),
        }
    });
}
