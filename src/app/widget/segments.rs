//! A switch between a few ways of showing something.

use crate::app::prelude::*;

/// One of the ways of showing something.
pub struct Segment {
    pub label: &'static str,
    pub is_on: Signal<bool>,
    pub pick: Callback<()>,
}

impl Segment {
    pub fn new<T>(label: &'static str, chosen: RwSignal<T>, of: T) -> Self
    where
        T: Copy + PartialEq + Send + Sync + 'static,
    {
        Segment {
            label,
            is_on: Signal::derive(move || chosen.with(|now| *now == of)),
            pick: Callback::new(move |()| chosen.set(of)),
        }
    }
}

/// Buttons side by side, one of which is pressed.
#[component]
pub fn Segments(
    name: &'static str,
    /// More about the choice, as a hint.
    #[prop(optional, into)]
    hint: Signal<Option<String>>,
    segments: Vec<Segment>,
) -> impl IntoView {
    let button = |Segment { label, is_on, pick }: Segment| {
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || is_on.get().to_string()
                on:click=move |_| pick.run(())
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="segments" role="group" aria-label=name title=move || hint.get()>
            {segments.into_iter().map(button).collect_view()}
        </div>
    }
}
