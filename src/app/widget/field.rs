//! A text field for one value. An error is explained beside the field, and the last valid value stays in force.

use super::reading::ReadText;
use crate::app::prelude::*;
use leptos::ev;

/// A labelled field. A value is taken when the field is left or Enter is pressed.
#[component]
pub fn Field<T: Send + Sync + 'static>(
    #[prop(into)] label: String,
    /// The meaning of the value, as a hint.
    #[prop(optional, into)]
    help: String,
    /// The unit after the field.
    #[prop(optional, into)]
    unit: Signal<String>,
    /// The text shown while the field is empty.
    #[prop(optional, into)]
    placeholder: Signal<String>,
    /// The present value, as text.
    #[prop(into)]
    value: Signal<String>,
    read: ReadText<T>,
    #[prop(into)] on_change: Callback<T>,
) -> impl IntoView {
    let fault = Callback::new(move |text: String| read.run(text).err());
    let take = Callback::new(move |text: String| {
        if let Ok(taken) = read.run(text) {
            on_change.run(taken);
        }
    });
    view! { <TextField label help unit placeholder value fault take/> }
}

/// The part of a [`Field`] that is the same for every type of value.
#[component]
fn TextField(
    label: String,
    help: String,
    unit: Signal<String>,
    placeholder: Signal<String>,
    value: Signal<String>,
    /// What is wrong with a text; `None` if it is valid.
    fault: Callback<String, Option<String>>,
    take: Callback<String>,
) -> impl IntoView {
    // the text being typed, until it is taken
    let draft = RwSignal::new(None::<String>);
    let error = Memo::new(move |_| draft.get().and_then(|text| fault.run(text)));
    // a value that changes elsewhere (by undo or another study) replaces the draft
    Effect::watch(move || value.get(), move |_, _, _| draft.set(None), false);

    let on_input = move |event: ev::Event| draft.set(Some(event_target_value(&event)));
    let on_taken = move |event: ev::Event| {
        let text = event_target_value(&event);
        if fault.run(text.clone()).is_none() {
            draft.set(None);
            take.run(text);
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && draft.with_untracked(Option::is_some) {
            event.stop_propagation();
            draft.set(None);
        }
    };
    let in_force = move || match value.get() {
        text if text.is_empty() => String::new(),
        text => format!("; {text} stays in force"),
    };
    let id = unique_id();
    let error_id = format!("{id}-error");
    view! {
        <div class="field" class:field-wrong=move || error.get().is_some() data-hint=help>
            <label class="field-label" for=id.clone()>{label}</label>
            <span class="field-input">
                <input
                    id=id
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=placeholder
                    aria-description=help.clone()
                    aria-invalid=move || error.get().is_some().to_string()
                    aria-describedby=error_id.clone()
                    prop:value=move || draft.get().unwrap_or_else(|| value.get())
                    on:input=on_input
                    on:change=on_taken
                    on:keydown=on_key
                />
                <span class="field-unit">{unit}</span>
            </span>
            <p class="field-error" id=error_id role="status">
                {move || error.get().map(|takes| format!("Accepts {takes}{}.", in_force()))}
            </p>
        </div>
    }
}

/// An id that no other element has.
pub(super) fn unique_id() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("f{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
