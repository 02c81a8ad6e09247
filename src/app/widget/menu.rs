//! Menus under a button: arrow keys, Home, End, first letters, Esc.

use crate::app::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

/// What a menu's items match.
const ITEMS: &str = "[role^=menuitem]:not(:disabled)";

/// With which edge a menu is aligned to its button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Both begin together.
    Start,
    /// Both end together.
    End,
}

/// A button and the menu under it. Picking an item closes it.
#[component]
pub fn Menu(
    /// Accessible name of the button and the menu; it holds what the button shows as text.
    #[prop(into)]
    name: Signal<String>,
    /// Names the button to tests.
    #[prop(optional)]
    testid: Option<&'static str>,
    /// What the button shows.
    #[prop(into)]
    face: ViewFn,
    /// Class of the button.
    #[prop(default = "button")]
    class: &'static str,
    /// With which edge the menu is aligned to its button.
    #[prop(default = Edge::Start)]
    edge: Edge,
    /// [`MenuItem`]s and [`MenuLabel`]s, made anew each time the menu opens.
    children: ChildrenFn,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let root = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    let list = NodeRef::<html::Div>::new();

    let show = move || {
        open.set(true);
        // the list can take the focus only once it is visible
        request_animation_frame(move || focus(items(list).first()));
    };
    let close = move || {
        open.set(false);
        if let Some(button) = button.get_untracked() {
            let _ = button.focus();
        }
    };
    let outside = move |event: &web_sys::Event| {
        let target = event.target().and_then(|t| t.dyn_into::<Node>().ok());
        root.get_untracked().is_some_and(|root| !root.contains(target.as_ref()))
    };
    let listener = window_event_listener(ev::pointerdown, move |event| {
        if open.get_untracked() && outside(&event) {
            open.set(false);
        }
    });
    on_cleanup(move || listener.remove());

    let on_button_key = move |event: ev::KeyboardEvent| {
        if event.key() == "ArrowDown" {
            event.prevent_default();
            show();
        }
    };
    let on_key = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.stop_propagation();
            close();
        }
        "Tab" => open.set(false),
        key => {
            let items = items(list);
            let active = document().active_element();
            let at = items.iter().position(|item| active.as_ref() == Some(item.unchecked_ref()));
            if let Some(next) = next_item(&items, at, key) {
                event.prevent_default();
                focus(items.get(next));
            }
        }
    };
    let on_pick = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.and_then(|t| t.closest(ITEMS).ok().flatten()).is_some() {
            close();
        }
    };
    view! {
        <div class="menu-root" node_ref=root>
            <button
                class=class
                type="button"
                aria-label=name
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                data-testid=testid
                node_ref=button
                on:click=move |_| if open.get_untracked() { open.set(false) } else { show() }
                on:keydown=on_button_key
            >
                {face.run()}
            </button>
            <div
                class="menu"
                class:menu-end=edge == Edge::End
                role="menu"
                aria-label=name
                node_ref=list
                hidden=move || !open.get()
                on:keydown=on_key
                on:click=on_pick
            >
                {move || open.get().then(|| children())}
            </div>
        </div>
    }
}

/// One thing to pick in a [`Menu`].
#[component]
pub fn MenuItem(
    /// What picking it does.
    on_pick: impl Fn() + Send + Sync + 'static,
    /// Names it to tests.
    #[prop(optional, into)]
    testid: Option<String>,
    /// Whether it is there but cannot be picked now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    let picked = Callback::new(move |()| on_pick());
    view! { <Item picked testid disabled children/> }
}

/// A [`MenuItem`], whatever picking it does.
#[component]
fn Item(picked: Callback<()>, testid: Option<String>, disabled: Signal<bool>, children: Children) -> impl IntoView {
    view! {
        <button
            class="menu-item"
            type="button"
            role="menuitem"
            tabindex="-1"
            data-testid=testid
            disabled=disabled
            on:click=move |_| picked.run(())
        >
            {children()}
        </button>
    }
}

/// A heading within a [`Menu`].
#[component]
pub fn MenuLabel(
    /// The heading.
    text: &'static str,
) -> impl IntoView {
    view! { <p class="menu-label" role="presentation">{text}</p> }
}

fn items(list: NodeRef<html::Div>) -> Vec<HtmlElement> {
    let found = list.get_untracked().and_then(|list| list.query_selector_all(ITEMS).ok());
    let Some(found) = found else { return Vec::new() };
    (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).collect()
}

fn focus(item: Option<&HtmlElement>) {
    if let Some(item) = item {
        let _ = item.focus();
    }
}

/// Which item a key leads to, from the one at `at`.
fn next_item(items: &[HtmlElement], at: Option<usize>, key: &str) -> Option<usize> {
    let count = items.len();
    if count == 0 {
        return None;
    }
    match (key, at) {
        ("ArrowDown", at) => Some(at.map_or(0, |at| (at + 1) % count)),
        ("ArrowUp", at) => Some((at.unwrap_or(0) + count - 1) % count),
        ("Home", _) => Some(0),
        ("End", _) => Some(count - 1),
        (letter, at) if letter.chars().count() == 1 && letter != " " => {
            let from = at.map_or(0, |at| at + 1);
            let begins = |i: &usize| {
                let text = items[i % count].text_content().unwrap_or_default();
                text.trim().to_ascii_lowercase().starts_with(&letter.to_ascii_lowercase())
            };
            (from..from + count).find(begins).map(|i| i % count)
        }
        _ => None,
    }
}
