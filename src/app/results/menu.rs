//! A menu that opens beside the button of what it is about: one element for all rows or columns.

use crate::app::prelude::*;
use leptos::html;
use wasm_bindgen::JsCast;

/// A menu and whether it is open.
#[derive(Clone, Copy)]
pub struct Menu {
    node: NodeRef<html::Div>,
    opener: StoredValue<Option<web_sys::HtmlElement>, LocalStorage>,
    place: RwSignal<(f64, f64)>,
}

impl Menu {
    /// Closed.
    pub fn new() -> Self {
        Menu { node: NodeRef::new(), opener: StoredValue::new_local(None), place: RwSignal::new((0.0, 0.0)) }
    }

    /// Opens it beside a button and moves the focus to its first item.
    pub fn open(self, button: &web_sys::Element) {
        let Some(node) = self.node.get_untracked() else { return };
        self.opener.set_value(button.clone().dyn_into().ok());
        // a popover that is open already refuses, and is moved all the same
        let _ = node.show_popover();
        let (rect, own) = (button.get_bounding_client_rect(), node.get_bounding_client_rect());
        let width = window().inner_width().ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
        let height = window().inner_height().ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
        let left = (rect.right() - own.width()).clamp(8.0, (width - own.width() - 8.0).max(8.0));
        let fits_below = rect.bottom() + own.height() + 8.0 < height;
        let top = if fits_below { rect.bottom() + 2.0 } else { (rect.top() - own.height() - 2.0).max(8.0) };
        self.place.set((left, top));
        focus_item(&node, Step::First);
    }

    /// Closes it and gives the focus back.
    pub fn close(self) {
        if let Some(node) = self.node.get_untracked() {
            // fails only where it is closed already
            let _ = node.hide_popover();
        }
        if let Some(opener) = self.opener.try_update_value(Option::take).flatten() {
            let _ = opener.focus();
        }
    }
}

/// The menu itself; its items are buttons with `role="menuitem"`.
#[component]
pub fn MenuPopup(
    /// Which menu.
    menu: Menu,
    /// What it is about, for screen readers.
    #[prop(into)]
    label: Signal<String>,
    /// The items.
    children: Children,
) -> impl IntoView {
    let on_key = move |event: web_sys::KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowDown" => Step::Next,
            "ArrowUp" => Step::Previous,
            "Home" => Step::First,
            "End" => Step::Last,
            "Escape" | "Tab" => {
                menu.close();
                Step::Stay
            }
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(node) = menu.node.get_untracked() {
            focus_item(&node, step);
        }
    };
    view! {
        <div
            node_ref=menu.node
            class="popup-menu"
            popover="auto"
            role="menu"
            aria-label=label
            style:left=move || format!("{}px", menu.place.get().0)
            style:top=move || format!("{}px", menu.place.get().1)
            on:keydown=on_key
            on:click=move |_| menu.close()
        >
            {children()}
        </div>
    }
}

#[derive(Clone, Copy)]
enum Step {
    First,
    Last,
    Next,
    Previous,
    Stay,
}

fn focus_item(menu: &web_sys::HtmlElement, step: Step) {
    let Ok(items) = menu.query_selector_all("[role^=menuitem]:not(:disabled)") else { return };
    let count = items.length();
    if count == 0 {
        return;
    }
    let active = document().active_element();
    let now = (0..count).find(|&i| items.get(i).as_ref() == active.as_deref());
    let next = match (step, now) {
        (Step::Stay, _) => return,
        (Step::First, _) | (Step::Next, None) => 0,
        (Step::Last, _) | (Step::Previous, None) => count - 1,
        (Step::Next, Some(i)) => (i + 1) % count,
        (Step::Previous, Some(i)) => (i + count - 1) % count,
    };
    if let Some(item) = items.get(next).and_then(|n| n.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = item.focus();
    }
}
