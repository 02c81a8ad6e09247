//! Menus. A button opens a menu; arrow keys, Home, End and first letters move within it; Esc closes it.

use super::When;
use crate::app::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

/// The selector of a menu's items.
const ITEMS: &str = "[role^=menuitem]:not(:disabled)";

/// The gap between a menu and its button or the edges of the window, pixels.
const GAP: f64 = 4.0;

/// The edges of a menu and its button that are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Start,
    End,
}

/// A menu. Any number of buttons may open it: all rows of a table share one.
#[derive(Clone, Copy)]
pub struct Menu {
    node: NodeRef<html::Div>,
    edge: Edge,
    opener: StoredValue<Option<HtmlElement>, LocalStorage>,
    /// The position of its left and top edges, pixels.
    place: RwSignal<(f64, f64)>,
    is_open: RwSignal<bool>,
}

impl Menu {
    pub fn new(edge: Edge) -> Self {
        Menu {
            node: NodeRef::new(),
            edge,
            opener: StoredValue::new_local(None),
            place: RwSignal::new((0.0, 0.0)),
            is_open: RwSignal::new(false),
        }
    }

    /// Opens the menu beside a button and moves the focus to its first item.
    pub fn open(self, button: &Element) {
        let Some(node) = self.node.get_untracked() else { return };
        self.opener.set_value(button.clone().dyn_into().ok());
        // a menu that is open already refuses, but it is moved all the same
        let _ = node.show_popover();
        self.put_beside(button, &node);
        focus(items(&node).first());
        // items that depend on the button that opened the menu appear a frame later and make it larger
        let button = button.clone();
        request_animation_frame(move || {
            if let Some(Some(node)) = self.node.try_get_untracked() {
                self.put_beside(&button, &node);
            }
        });
    }

    fn put_beside(self, button: &Element, node: &HtmlElement) {
        let (rect, own) = (button.get_bounding_client_rect(), node.get_bounding_client_rect());
        let window = (length(window().inner_width()), length(window().inner_height()));
        let start = if self.edge == Edge::Start { rect.left() } else { rect.right() - own.width() };
        let place = within(window, (own.width(), own.height()), start, (rect.top(), rect.bottom()));
        if self.place.get_untracked() != place {
            self.place.set(place);
        }
    }

    /// Closes the menu and returns the focus.
    pub fn close(self) {
        if let Some(node) = self.node.get_untracked() {
            // fails only if the menu is closed already
            let _ = node.hide_popover();
        }
        if let Some(opener) = self.opener.try_update_value(Option::take).flatten() {
            let _ = opener.focus();
        }
    }

    fn on_key(self, event: &ev::KeyboardEvent) {
        let Some(node) = self.node.get_untracked() else { return };
        let key = event.key();
        if key == "Escape" || key == "Tab" {
            self.close();
        } else {
            let items = items(&node);
            let active = document().active_element();
            let at = items.iter().position(|item| active.as_ref() == Some(item.unchecked_ref()));
            let Some(next) = next_item(&items, at, &key) else { return };
            focus(items.get(next));
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

/// The list of a menu, of [`MenuItem`]s and [`MenuLabel`]s. Picking an item closes it.
#[component]
pub fn MenuList(menu: Menu, #[prop(into)] label: Signal<String>, children: Children) -> impl IntoView {
    let on_pick = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.and_then(|target| target.closest(ITEMS).ok().flatten()).is_some() {
            menu.close();
        }
    };
    let on_toggle = move || {
        let is_open = menu.node.get_untracked().is_some_and(|node| node.matches(":popover-open").unwrap_or(false));
        menu.is_open.set(is_open);
    };
    view! {
        <div
            node_ref=menu.node
            class="menu"
            popover="auto"
            role="menu"
            aria-label=label
            style:left=move || format!("{}px", menu.place.get().0)
            style:top=move || format!("{}px", menu.place.get().1)
            on:keydown=move |event| menu.on_key(&event)
            on:click=on_pick
            on:toggle=move |_| on_toggle()
        >
            {children()}
        </div>
    }
}

#[component]
pub fn ButtonMenu(
    /// The accessible name of the button and the menu; it contains the text of the button.
    #[prop(into)]
    name: Signal<String>,
    #[prop(optional)] testid: Option<&'static str>,
    #[prop(into)] face: ViewFn,
    #[prop(default = "button")] class: &'static str,
    #[prop(default = Edge::Start)] edge: Edge,
    /// [`MenuItem`]s and [`MenuLabel`]s, created again each time the menu opens.
    children: ChildrenFn,
) -> impl IntoView {
    let menu = Menu::new(edge);
    let button = NodeRef::<html::Button>::new();
    let show = move || {
        menu.is_open.set(true);
        // the position and the focus depend on the items, which are there a frame later
        request_animation_frame(move || {
            // the button may be gone by then
            if let Some(Some(button)) = button.try_get_untracked() {
                menu.open(&button);
            }
        });
    };
    // pressing the pointer closes an open menu before the click reaches the button
    let was_open = StoredValue::new(false);
    let on_click = move |_| {
        if !was_open.try_update_value(std::mem::take).unwrap_or_default() {
            show();
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "ArrowDown" {
            event.prevent_default();
            show();
        }
    };
    view! {
        <div class="menu-root">
            <button
                class=class
                type="button"
                aria-label=name
                aria-haspopup="menu"
                aria-expanded=move || menu.is_open.get().to_string()
                data-testid=testid
                node_ref=button
                on:pointerdown=move |_| was_open.set_value(menu.is_open.get_untracked())
                on:click=on_click
                on:keydown=on_key
            >
                {face.run()}
            </button>
            <MenuList menu label=name>{move || menu.is_open.get().then(|| children())}</MenuList>
        </div>
    }
}

#[component]
pub fn MenuItem(
    on_pick: impl Fn() + Send + Sync + 'static,
    #[prop(optional, into)] testid: Option<String>,
    /// Whether the item is shown but cannot be picked now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    #[prop(optional, into)] why_disabled: Signal<Option<String>>,
    children: Children,
) -> impl IntoView {
    let picked = Callback::new(move |()| on_pick());
    view! { <Item picked testid disabled why_disabled children/> }
}

/// The part of a [`MenuItem`] that is the same for every action.
#[component]
fn Item(
    picked: Callback<()>,
    testid: Option<String>,
    disabled: Signal<bool>,
    why_disabled: Signal<Option<String>>,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            class="menu-item"
            type="button"
            role="menuitem"
            tabindex="-1"
            data-testid=testid
            disabled=disabled
            title=why_disabled
            on:click=move |_| picked.run(())
        >
            {children()}
        </button>
    }
}

/// A heading within a menu.
#[component]
pub fn MenuLabel(#[prop(into)] text: Signal<String>) -> impl IntoView {
    view! { <p class="menu-label" role="presentation">{text}</p> }
}

/// The left and top edges of a menu of this width and height that would begin at `start`, beside a button that extends
/// from `top` to `bottom`. The menu is below the button, or above it if there is no room below, and always inside the
/// window.
fn within(window: (f64, f64), (width, height): (f64, f64), start: f64, (top, bottom): (f64, f64)) -> (f64, f64) {
    let left = start.min(window.0 - width - GAP).max(GAP);
    let below = bottom + GAP;
    let fits_below = below + height + GAP <= window.1;
    let place = if fits_below { below } else { (top - height - GAP).min(window.1 - height - GAP).max(GAP) };
    (left, place)
}

fn items(list: &HtmlElement) -> Vec<HtmlElement> {
    let Ok(found) = list.query_selector_all(ITEMS) else { return Vec::new() };
    (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).collect()
}

fn focus(item: Option<&HtmlElement>) {
    if let Some(item) = item {
        let _ = item.focus();
    }
}

fn length(value: Result<JsValue, JsValue>) -> f64 {
    value.ok().and_then(|value| value.as_f64()).unwrap_or(0.0)
}

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

// Lists of views. When the items change, only the views of new items are created.

type MakeItem = Box<dyn FnOnce() -> AnyView + Send>;

/// Like Leptos' `For`. That is compiled again for every type of item; of this, only a thin shell is.
#[component]
pub fn List<T, K, E, F, C>(
    each: E,
    /// The key that identifies an item.
    key: F,
    children: C,
) -> impl IntoView
where
    T: Send + 'static,
    K: ToString,
    E: Fn() -> Vec<T> + Send + 'static,
    F: Fn(&T) -> K + Send + 'static,
    C: Fn(T) -> AnyView + Clone + Send + 'static,
{
    keyed(Box::new(move || {
        let made = |item: T| {
            let (key, children) = (key(&item).to_string(), children.clone());
            (key, Box::new(move || children(item)) as MakeItem)
        };
        each().into_iter().map(made).collect()
    }))
}

fn keyed(each: Box<dyn Fn() -> Vec<(String, MakeItem)> + Send>) -> AnyView {
    view! { <For each key=|(key, _)| key.clone() children=|(_, make)| make() /> }
}

// Dialogs, made with the browser's own element: it traps the focus, closes on Esc and returns the focus.

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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_menu_stays_in_the_window() {
        let place = |size, start, button| within((400.0, 800.0), size, start, button);
        assert_eq!(place((200.0, 300.0), 100.0, (40.0, 64.0)), (100.0, 68.0), "below");
        assert_eq!(place((200.0, 300.0), 100.0, (700.0, 724.0)), (100.0, 396.0), "above");
        assert_eq!(place((200.0, 600.0), 350.0, (400.0, 424.0)), (196.0, 4.0), "neither");
        assert_eq!(place((200.0, 300.0), 100.0, (820.0, 844.0)), (100.0, 496.0), "a button that is scrolled away");
        assert_eq!(place((500.0, 300.0), -20.0, (40.0, 64.0)), (4.0, 68.0), "wider than the window");
    }
}
