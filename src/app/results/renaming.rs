//! The field in which a row is renamed.

use super::table_state::TableState;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::closest;
use leptos::html;
use packfair_study::{LONGEST_ROW_NAME, Run};
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// The field, with the present name selected. Enter takes what is typed, and so does leaving it; Escape does not; nothing
/// gives the row its own name back.
// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
pub fn field(table: TableState, run: Run) -> AnyView {
    let app = table.app;
    let own = run.scheduler_name();
    let present = app.study.with_untracked(|study| study.row_names.of(&run).map(str::to_owned));
    let present = present.unwrap_or_else(|| own.clone());
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let taken = run.clone();
    // when the field goes, the browser says that it was left
    let close = move || table.renamed.try_update(Option::take).flatten().is_some();
    let take = move |text: String| {
        if close() {
            rename(app, &taken, text);
        }
    };
    let on_blur = {
        let take = take.clone();
        move |event| take(event_target_value(&event))
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        event.stop_propagation();
        let row = closest(event.target(), "tr").and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok());
        match event.key().as_str() {
            "Enter" => take(event_target_value(&event)),
            "Escape" => drop(close()),
            _ => return,
        }
        event.prevent_default();
        if let Some(row) = row {
            let _ = row.focus();
        }
    };
    view! {
        <input
            type="text"
            class="rename-field"
            data-testid="rename"
            node_ref=input
            aria-label=format!("Name of the row of {}", super::naming::name(&run))
            placeholder=own
            maxlength=LONGEST_ROW_NAME.to_string()
            value=present
            on:click=|event| event.stop_propagation()
            on:keydown=on_key
            on:blur=on_blur
        />
    }
    .into_any()
}

/// Gives a row a name. The user can undo it.
fn rename(app: App, run: &Run, text: String) {
    let set = move |run: Run, text: String| app.edit(move |study| study.row_names.set(&run, &text));
    let of = || app.study.with_untracked(|study| study.row_names.of(run).map(str::to_owned));
    let before = of();
    set(run.clone(), text);
    let after = of();
    if before == after {
        return;
    }
    let own = run.scheduler_name();
    let said = match &after {
        Some(given) => format!("{} is called {given} now.", before.as_ref().unwrap_or(&own)),
        None => format!("The row has its own name again, {own}."),
    };
    let run = run.clone();
    let back = before.unwrap_or_default();
    app.notify(said, Some(Arc::new(move || set(run.clone(), back.clone()))));
}
