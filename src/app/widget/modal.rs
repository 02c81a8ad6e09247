//! Dialogs, made with the browser's own element: it traps the focus, closes on Esc and returns the focus.

use super::when::When;
use crate::app::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;

/// A modal dialog that is shown while `open` holds.
#[component]
pub fn Modal(
    /// Whether the dialog is shown; closing it resets this.
    open: RwSignal<bool>,
    /// The heading and accessible name.
    title: &'static str,
    /// The content, created again each time the dialog opens.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            // fails only if the dialog is shown already or not in the page
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let on_backdrop = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlElement>().ok());
        if target.is_some_and(|t| t.tag_name() == "DIALOG") {
            open.set(false);
        }
    };
    let children = StoredValue::new(children);
    view! {
        <dialog class="modal" aria-label=title node_ref=node on:close=move |_| open.set(false) on:click=on_backdrop>
            <When when=move || open.get()>
                <div class="modal-body">
                    <header class="modal-head">
                        <h2>{title}</h2>
                        <button class="icon-button" type="button" aria-label="Close" on:click=move |_| open.set(false)>
                            "×"
                        </button>
                    </header>
                    {children.with_value(|children| children())}
                </div>
            </When>
        </dialog>
    }
}
