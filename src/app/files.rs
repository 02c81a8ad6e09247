//! Files in and out of the page: picked, dropped, saved, copied.

use super::prelude::*;
use crate::app::arrival;
use crate::app::state::App;
use gloo::file::{Blob, ObjectUrl};
use js_sys::Array;
use leptos::ev::Custom;
use leptos::html;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, HtmlAnchorElement, HtmlInputElement};

/// How long the content of a saved file is kept so that the browser can fetch it.
const KEPT: Duration = Duration::from_secs(60);

/// The page's hidden file inputs, which any button can open.
#[derive(Clone, Copy, Default)]
pub struct FileInputs {
    log: NodeRef<html::Input>,
    beside: NodeRef<html::Input>,
    study: NodeRef<html::Input>,
}

impl FileInputs {
    pub fn pick_log(self) {
        open(self.log);
    }

    /// Lets the user pick a schedule or estimates of the open log.
    pub fn pick_beside(self) {
        open(self.beside);
    }

    pub fn pick_study(self) {
        open(self.study);
    }
}

fn open(input: NodeRef<html::Input>) {
    if let Some(input) = input.get_untracked() {
        input.click();
    }
}

/// The inputs behind [`FileInputs`].
#[component]
pub fn PickedFiles() -> impl IntoView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let taken = move |input: NodeRef<html::Input>| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(list) = input.files() {
            arrival::take(app, &list);
        }
        reset(&input);
    };
    view! {
        <input
            type="file"
            multiple
            hidden
            aria-label="Log"
            data-testid="file-input"
            node_ref=inputs.log
            on:change=move |_| taken(inputs.log)
        />
        <input
            type="file"
            hidden
            aria-label="Schedule or estimates"
            data-testid="beside-input"
            node_ref=inputs.beside
            on:change=move |_| {
                let Some(input) = inputs.beside.get_untracked() else { return };
                if let Some(file) = input.files().and_then(|list| list.get(0)) {
                    app.pick_beside(file);
                }
                reset(&input);
            }
        />
        <input
            type="file"
            accept=".json"
            hidden
            aria-label="Study"
            node_ref=inputs.study
            on:change=move |_| taken(inputs.study)
        />
    }
}

/// Empties the input, so that picking the same file again counts as a change.
fn reset(input: &HtmlInputElement) {
    input.set_value("");
}

pub fn of_text(name: &str, text: &str) -> Option<File> {
    // fails only if the parts are not a sequence
    File::new_with_str_sequence(&Array::of1(&JsValue::from_str(text)), name).ok()
}

/// The name of a file about the active log, such as `packfair-KTH-SP2-results.csv`.
pub fn of_log(app: App, end: &str) -> String {
    let log = app.study.with_untracked(|study| study.source.name());
    let kept = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let log: String = log.trim_end_matches(".gz").trim_end_matches(".swf").chars().take(60).map(kept).collect();
    format!("packfair-{log}-{end}")
}

/// Offers `content` as a file to save.
///
/// # Errors
/// A message: the browser refuses.
pub fn save(name: &str, media_type: &str, content: &[u8]) -> Result<(), String> {
    let refused = |_| format!("The browser refuses to save {name}.");
    let url = ObjectUrl::from(Blob::new_with_options(content, Some(media_type)));
    let anchor = document().create_element("a").map_err(refused)?;
    // an element made as "a" is an anchor
    let anchor = anchor.unchecked_into::<HtmlAnchorElement>();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    set_timeout(move || drop(url), KEPT);
    Ok(())
}

/// Puts `text` on the clipboard.
///
/// # Errors
/// A message: this page has no clipboard, or the browser refuses.
pub async fn copy(text: &str) -> Result<(), String> {
    let clipboard = window().navigator().clipboard();
    // pages that are not served securely have no clipboard, although the type says otherwise
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        return Err("This page has no access to the clipboard, as it is not served over https.".to_owned());
    }
    let written = JsFuture::from(clipboard.write_text(text)).await;
    written.map(drop).map_err(|_| "The browser does not let this page write to the clipboard.".to_owned())
}

// Whether the page is being printed: what a screen shows a part of at a time is whole on paper.

/// Whether the page is laid out for paper, for as long as the view lives in which this is called.
pub fn is_on_paper() -> RwSignal<bool> {
    let is_on_paper = RwSignal::new(false);
    for (event, is_printed) in [("beforeprint", true), ("afterprint", false)] {
        let listening = window_event_listener(Custom::<web_sys::Event>::new(event), move |_| {
            // the view may be gone
            let _ = is_on_paper.try_set(is_printed);
        });
        on_cleanup(move || listening.remove());
    }
    is_on_paper
}
