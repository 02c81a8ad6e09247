//! Chips: the short names of chosen items, each with a button that removes it.

use crate::app::long_lived::while_shown;
use crate::app::prelude::*;

/// A chosen item.
#[component]
pub fn Chip(
    #[prop(into)] name: String,
    #[prop(into)] help: String,
    /// Called when the name is clicked, to change the item; `None` if it cannot be changed.
    #[prop(optional, into)]
    on_edit: Option<Callback<()>>,
    #[prop(into)] on_remove: Callback<()>,
    /// Whether the item is the last one and cannot be removed.
    #[prop(optional, into)]
    stays: Signal<bool>,
) -> impl IntoView {
    let stays = while_shown(move || stays.get());
    let remove_label = format!("Remove {name}");
    let remove_hint = move || if stays.get() { "A study needs at least one" } else { "" };
    let face = match on_edit {
        Some(edit) => view! {
            <button
                class="chip-name"
                type="button"
                data-hint=help.clone()
                aria-description=help
                on:click=move |_| edit.run(())
            >
                {name}
            </button>
        },
        None => {
            view! { <span class="chip-name" tabindex="0" data-hint=help.clone() aria-description=help>{name}</span> }
        }
    };
    view! {
        <li class="chip">
            {face}
            <button
                class="chip-remove"
                type="button"
                aria-label=remove_label
                data-hint=move || remove_hint()
                aria-disabled=move || stays.get().to_string()
                on:click=move |_| if !stays.get_untracked() { on_remove.run(()) }
            >
                "×"
            </button>
        </li>
    }
}
