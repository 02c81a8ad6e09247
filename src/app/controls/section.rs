//! A numbered section of the settings.

use crate::app::prelude::*;
use crate::app::remembered;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The storage key of the titles of those folds that are not in their initial state, open or closed.
const KEY: &str = "packfair.folds";

/// A section that can be folded up. Its heading shows a summary of the choices, also when folded.
#[component]
pub fn Section(
    number: u8,
    title: &'static str,
    #[prop(into)] chosen: Signal<String>,
    #[prop(default = true)] open: bool,
    children: Children,
) -> impl IntoView {
    let is_shown = is_changed(title) != open;
    view! {
        <details class="section" open=is_shown on:toggle=move |event| remember(title, is_open(&event) != open)>
            <summary class="section-head">
                <span class="section-number" aria-hidden="true">{number}</span>
                <h2>{title}</h2>
                <span class="section-chosen">{chosen}</span>
            </summary>
            <div class="section-body">{children()}</div>
        </details>
    }
}

/// Fields that most users leave unchanged, folded up at first.
#[component]
pub fn Fold(
    title: &'static str,
    /// A short summary of what is chosen; empty if all is as usual.
    #[prop(into)]
    chosen: Signal<String>,
    children: Children,
) -> impl IntoView {
    view! {
        <details class="fold" open=is_changed(title) on:toggle=move |event| remember(title, is_open(&event))>
            <summary>
                <span class="fold-title">{title}</span>
                <span class="fold-chosen">{chosen}</span>
            </summary>
            <div class="fold-body">{children()}</div>
        </details>
    }
}

fn changed() -> Vec<String> {
    remembered::get_newest(KEY).unwrap_or_default()
}

fn is_changed(title: &str) -> bool {
    changed().iter().any(|other| other == title)
}

fn remember(title: &str, is_changed: bool) {
    let mut titles = changed();
    titles.retain(|other| other != title);
    if is_changed {
        titles.push(title.to_owned());
    }
    // if nothing can be stored, every fold is in its initial state at the next visit
    remembered::set_newest(KEY, &titles);
}

fn is_open(event: &ev::Event) -> bool {
    let details = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    details.is_some_and(|details| details.has_attribute("open"))
}
