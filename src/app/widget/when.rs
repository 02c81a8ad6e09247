//! What is there only while something holds.

use crate::app::long_lived::while_shown;
use crate::app::prelude::*;
use leptos::children::ViewFn;

/// Shows `children` while `when` holds, else `fallback`.
///
/// As Leptos' `Show`, which is compiled anew for every condition and every content; this one is once.
#[component]
pub fn When(
    /// The condition.
    #[prop(into)]
    when: Signal<bool>,
    /// What is there instead; nothing, if not given.
    #[prop(optional, into)]
    fallback: ViewFn,
    /// Made anew each time the condition begins to hold.
    children: ChildrenFn,
) -> impl IntoView {
    let holds = while_shown(move || when.get());
    move || if holds.get() { children() } else { fallback.run() }
}
