//! A part of the page that exists only while a condition holds.

use crate::app::long_lived::while_shown;
use crate::app::prelude::*;
use leptos::children::ViewFn;

/// Shows `children` while `when` holds, else `fallback`.
///
/// Like Leptos' `Show`. That is compiled again for every condition and every content; this is compiled once.
#[component]
pub fn When(
    #[prop(into)] when: Signal<bool>,
    /// What is shown while the condition does not hold; nothing if not given.
    #[prop(optional, into)]
    fallback: ViewFn,
    /// What is shown while the condition holds; created again each time it begins to hold.
    children: ChildrenFn,
) -> impl IntoView {
    let holds = while_shown(move || when.get());
    move || if holds.get() { children() } else { fallback.run() }
}
