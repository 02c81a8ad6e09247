//! A numbered section of the settings.

use crate::app::prelude::*;
use crate::app::remembered;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Under which the titles are remembered of what is not as it is at first, open or folded.
const KEY: &str = "packfair.folds";

/// A section that can be folded up; folded, its head still says what is chosen in it.
#[component]
pub fn Section(
    /// Its number, in the order in which a study is put together.
    number: u8,
    /// Its heading.
    title: &'static str,
    /// What is chosen, in a few words.
    #[prop(into)]
    chosen: Signal<String>,
    /// Whether it is open at first.
    #[prop(default = true)]
    open: bool,
    /// Its fields.
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

/// Fields that most people leave as they are, folded up at first.
#[component]
pub fn Fold(
    /// Its heading.
    title: &'static str,
    /// What is chosen, in a few words; empty where all is as usual.
    #[prop(into)]
    chosen: Signal<String>,
    /// Its fields.
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
    // a browser that keeps nothing shows all as at first, no more
    remembered::set_newest(KEY, &titles);
}

fn is_open(event: &ev::Event) -> bool {
    let details = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    details.is_some_and(|details| details.has_attribute("open"))
}
