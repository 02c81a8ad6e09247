//! Fields for one value, and choices of one option: radio buttons, drop-down lists, segments, chips.

use crate::app::prelude::*;
use crate::app::while_shown;
use leptos::ev;
use packfair_study::format::whole as grouped;
use std::ops::RangeInclusive;
use std::str::FromStr;

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

// A switch between a few ways of showing something.

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

// Chips: the short names of chosen items, each with a button that removes it.

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

// A text field for one value. An error is explained beside the field, and the last valid value stays in force.

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

// Parses what users type, or explains what is wrong with it.

/// Parses the text of a field; the error says what the field takes.
pub type ReadText<T> = Callback<String, Result<T, String>>;

/// Parses a whole number within `range`.
pub fn whole<T>(range: RangeInclusive<T>) -> ReadText<T>
where
    T: FromStr + PartialOrd + Into<i128> + Copy + Send + Sync + 'static,
{
    Callback::new(move |text: String| {
        let digits = text.replace([' ', '\u{202f}', '_', ','], "");
        let read = digits.parse().ok().filter(|n| range.contains(n));
        read.ok_or_else(|| format!("a whole number from {} to {}", grouped(*range.start()), grouped(*range.end())))
    })
}

/// Parses a number within `range`.
pub fn real(range: RangeInclusive<f64>) -> ReadText<f64> {
    Callback::new(move |text: String| {
        let read = text.trim().parse().ok().filter(|x| range.contains(x));
        read.ok_or_else(|| format!("a number from {} to {}", range.start(), range.end()))
    })
}

/// Parses what `read` parses; an empty field, `off` and `auto` mean `None`.
pub fn optional<T: Send + Sync + 'static>(read: ReadText<T>) -> ReadText<Option<T>> {
    Callback::new(move |text: String| match text.trim() {
        "" | "off" | "auto" => Ok(None),
        _ => read.run(text).map(Some).map_err(|takes| format!("{takes}, or nothing")),
    })
}
