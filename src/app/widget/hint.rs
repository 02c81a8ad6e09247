//! Hints: a line of help beside whatever the pointer or the focus is on.

use crate::app::prelude::*;
use leptos::ev;
use leptos::leptos_dom::helpers::TimeoutHandle;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, EventTarget};

/// Widest that a hint becomes, as in style/dialogs.css, in pixels.
const WIDTH: f64 = 300.0;

/// Height that a hint may need, in pixels.
const HEIGHT: f64 = 120.0;

/// Space between a hint and what it is about, and to the window's edges, in pixels.
const GAP: f64 = 6.0;

/// How long the pointer must rest. The focus comes on purpose and waits for nothing.
const REST: Duration = Duration::from_millis(300);

#[derive(Clone, Debug, PartialEq)]
struct Shown {
    text: String,
    left: String,
    top: String,
    bottom: String,
}

/// Shows the `data-hint` of the element under the pointer or with the keyboard's focus. Elements with
/// a hint say the same to screen readers with `aria-description`.
#[component]
pub fn HintLayer() -> impl IntoView {
    let shown = RwSignal::new(None::<Shown>);
    let resting = StoredValue::new(None::<TimeoutHandle>);
    let show = move |owner: Option<Element>| {
        resting.update_value(|timer| timer.take().into_iter().for_each(|timer| timer.clear()));
        let next = owner.and_then(|owner| hint_of(&owner));
        if shown.with_untracked(|now| *now != next) {
            shown.set(next);
        }
    };
    let show_soon = move |owner: Option<Element>| {
        show(None);
        let Some(owner) = owner else { return };
        let timer = set_timeout_with_handle(move || show(Some(owner)), REST);
        resting.set_value(timer.ok());
    };
    let listeners = [
        window_event_listener(ev::pointerover, move |event| show_soon(owner_of(event.target()))),
        window_event_listener(ev::focusin, move |event| show(by_keyboard(event.target()))),
        window_event_listener(ev::focusout, move |_| show(None)),
        window_event_listener(ev::pointerdown, move |_| show(None)),
        window_event_listener(ev::wheel, move |_| show(None)),
        window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" {
                show(None);
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

/// The closest element that has a hint.
fn owner_of(target: Option<EventTarget>) -> Option<Element> {
    target?.dyn_into::<Element>().ok()?.closest("[data-hint]").ok()?
}

/// The same, for an element that shows its focus.
fn by_keyboard(target: Option<EventTarget>) -> Option<Element> {
    let element = target?.dyn_into::<Element>().ok()?;
    element.matches(":focus-visible").ok()?.then(|| owner_of(Some(element.into())))?
}

fn hint_of(owner: &Element) -> Option<Shown> {
    let text = owner.get_attribute("data-hint").filter(|text| !text.is_empty())?;
    let (width, height) = (length(window().inner_width()), length(window().inner_height()));
    let rect = owner.get_bounding_client_rect();
    let left = rect.left().min(width - WIDTH - GAP).max(GAP);
    // above, so that messages below a field stay in sight
    let (top, bottom) = if rect.top() > HEIGHT {
        ("auto".to_owned(), pixels(height - rect.top() + GAP))
    } else {
        (pixels(rect.bottom() + GAP), "auto".to_owned())
    };
    Some(Shown { text, left: pixels(left), top, bottom })
}

fn length(value: Result<JsValue, JsValue>) -> f64 {
    value.ok().and_then(|value| value.as_f64()).unwrap_or(0.0)
}

fn pixels(length: f64) -> String {
    format!("{length:.0}px")
}
