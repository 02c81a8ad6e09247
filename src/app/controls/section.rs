//! A numbered section of the settings.

use crate::app::prelude::*;

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
    /// Its fields.
    children: Children,
) -> impl IntoView {
    view! {
        <details class="section" open>
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
        <details class="fold">
            <summary>
                <span class="fold-title">{title}</span>
                <span class="fold-chosen">{chosen}</span>
            </summary>
            <div class="fold-body">{children()}</div>
        </details>
    }
}
