//! A plain text field for a script, with line numbers.

use crate::app::prelude::*;
use leptos::{ev, html};

/// A text of many lines. This is the browser's own field, so keyboard and screen reader work as usual.
#[component]
pub fn ScriptEditor(
    #[prop(into)] text: Signal<String>,
    on_input: Callback<String>,
    /// The line with an error, counted from 1.
    #[prop(into)]
    wrong: Signal<Option<u32>>,
    /// The field, so that callers can move the cursor to a line.
    node: NodeRef<html::Textarea>,
) -> impl IntoView {
    let numbers = NodeRef::<html::Div>::new();
    let count = Memo::new(move |_| text.with(|text| text.split('\n').count()));
    let lines = move || {
        let wrong = wrong.get().map(|line| line as usize);
        let line = |line: usize| {
            let is_wrong = wrong == Some(line);
            view! { <span class:is-wrong=is_wrong>{line}</span> }
        };
        (1..=count.get()).map(line).collect_view()
    };
    let on_scroll = move |_| {
        if let (Some(field), Some(numbers)) = (node.get_untracked(), numbers.get_untracked()) {
            numbers.set_scroll_top(field.scroll_top());
        }
    };
    let description = move || match wrong.get() {
        Some(line) => format!("Line {line} is wrong"),
        None => String::new(),
    };
    view! {
        <div class="script-editor">
            <div class="script-numbers" aria-hidden="true" node_ref=numbers>
                {move || lines()}
            </div>
            <textarea
                class="script-field"
                aria-label="Script"
                aria-description=description
                aria-invalid=move || wrong.get().is_some().to_string()
                data-testid="script-field"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                node_ref=node
                prop:value=move || text.get()
                on:input=move |event: ev::Event| on_input.run(event_target_value(&event))
                on:scroll=on_scroll
            ></textarea>
        </div>
    }
}

/// Moves the cursor to a line, counted from 1, and selects the line.
pub fn go_to_line(field: &web_sys::HtmlTextAreaElement, line: u32) {
    let text = field.value();
    // positions in the field are counted in UTF-16 units
    let length = |line: &str| line.encode_utf16().count() as u32;
    let before: u32 = text.split('\n').take(line.saturating_sub(1) as usize).map(|line| length(line) + 1).sum();
    let own = text.split('\n').nth(line.saturating_sub(1) as usize).map_or(0, length);
    // the field is in the page and its text can be selected, so this cannot fail
    let _ = field.focus();
    let _ = field.set_selection_range(before, before + own);
}
