//! A choice of one option: radio buttons and drop-down lists.

use super::field::unique_id;
use crate::app::long_lived::while_shown;
use crate::app::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceOption {
    /// The id in the markup, unique among the options.
    pub id: String,
    pub name: String,
    /// One line of help; may be empty.
    pub help: String,
}

impl ChoiceOption {
    pub fn new(id: impl Into<String>, name: impl Into<String>, help: impl Into<String>) -> Self {
        ChoiceOption { id: id.into(), name: name.into(), help: help.into() }
    }
}

/// Radio buttons, one below the other, each with its help.
#[component]
pub fn Choices(
    legend: &'static str,
    options: Vec<ChoiceOption>,
    /// The id of the chosen option.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the id of another option.
    #[prop(into)]
    on_change: Callback<String>,
) -> impl IntoView {
    let group = unique_id();
    let radio = move |ChoiceOption { id, name, help }: ChoiceOption| {
        let (own, picked) = (id.clone(), id.clone());
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name=group.clone()
                    value=id
                    prop:checked=move || value.get() == own
                    on:change=move |_| on_change.run(picked.clone())
                />
                <span class="choice-text">
                    <span class="choice-name">{name}</span>
                    <span class="choice-help">{help}</span>
                </span>
            </label>
        }
    };
    view! {
        <fieldset class="choices">
            <legend class="field-label">{legend}</legend>
            {options.into_iter().map(radio).collect_view()}
        </fieldset>
    }
}

/// A drop-down list.
#[component]
pub fn Select(
    #[prop(into)] label: String,
    /// The meaning of the choice, as a hint.
    #[prop(optional, into)]
    help: String,
    #[prop(into)] options: Signal<Vec<ChoiceOption>>,
    /// The id of the chosen option.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the id of another option.
    #[prop(into)]
    on_change: Callback<String>,
) -> impl IntoView {
    let id = unique_id();
    // the list is made again only when it changes
    let options = Memo::new(move |_| options.get());
    let list = move || {
        let value = while_shown(move || value.get());
        let option = move |ChoiceOption { id, name, .. }: ChoiceOption| {
            let own = id.clone();
            view! { <option value=id prop:selected=move || value.get() == own>{name}</option> }
        };
        options.get().into_iter().map(option).collect_view()
    };
    view! {
        <div class="field" data-hint=help>
            <label class="field-label" for=id.clone()>{label}</label>
            <span class="field-input">
                <select
                    id=id
                    aria-description=help.clone()
                    on:change=move |event| on_change.run(event_target_value(&event))
                >
                    {move || list()}
                </select>
            </span>
        </div>
    }
}
