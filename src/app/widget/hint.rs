//! Hints: a line of help beside whatever the pointer or the focus is on.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget};

/// Widest that a hint becomes, as in style/dialogs.css, in pixels.
const WIDTH: f64 = 300.0;

/// Space between a hint and what it is about, and to the window's edges, in pixels.
const GAP: f64 = 6.0;

/// Height that a hint needs below what it is about, in pixels.
const ROOM: f64 = 100.0;

#[derive(Clone, Debug, PartialEq)]
struct Shown {
    text: String,
    left: String,
    top: String,
    bottom: String,
}

/// Shows the `data-hint` of the element under the pointer or with the focus. Elements with a hint
/// say the same to screen readers with `aria-description`.
#[component]
pub fn HintLayer() -> impl IntoView {
    let shown = RwSignal::new(None::<Shown>);
    let show = move |target: Option<EventTarget>| {
        let next = target.and_then(|t| t.dyn_into::<Element>().ok()).and_then(|e| hint_of(&e));
        if shown.with_untracked(|now| *now != next) {
            shown.set(next);
        }
    };
    let hide = move || {
        if shown.with_untracked(Option::is_some) {
            shown.set(None);
        }
    };
    let listeners = [
        window_event_listener(ev::pointerover, move |event| show(event.target())),
        window_event_listener(ev::focusin, move |event| show(event.target())),
        window_event_listener(ev::focusout, move |_| hide()),
        window_event_listener(ev::pointerdown, move |_| hide()),
        window_event_listener(ev::wheel, move |_| hide()),
        window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" {
                hide();
            }
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(|listener| listener.remove()));
    let hint = |Shown { text, left, top, bottom }: Shown| {
        view! {
            <div class="hint" role="tooltip" style:left=left style:top=top style:bottom=bottom>
                {text}
            </div>
        }
    };
    move || shown.get().map(hint)
}

fn hint_of(element: &Element) -> Option<Shown> {
    let owner = element.closest("[data-hint]").ok()??;
    let text = owner.get_attribute("data-hint").filter(|text| !text.is_empty())?;
    let (width, height) = (inner(window().inner_width()), inner(window().inner_height()));
    let rect = owner.get_bounding_client_rect();
    let left = rect.left().min(width - WIDTH - GAP).max(GAP);
    // below, unless there is hardly room
    let (top, bottom) = if rect.bottom() + ROOM < height {
        (pixels(rect.bottom() + GAP), "auto".to_owned())
    } else {
        ("auto".to_owned(), pixels(height - rect.top() + GAP))
    };
    Some(Shown { text, left: pixels(left), top, bottom })
}

fn inner(length: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>) -> f64 {
    length.ok().and_then(|value| value.as_f64()).unwrap_or(0.0)
}

fn pixels(length: f64) -> String {
    format!("{length:.0}px")
}
