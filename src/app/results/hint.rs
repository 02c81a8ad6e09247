//! A hint beside whatever is pointed at or focused: one element for all of a view.
//!
//! It stays while the pointer is over it, goes with Escape, and is the description (`aria-describedby`)
//! of the elements that have one.

use crate::app::prelude::*;
use crate::app::widget::When;
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;

/// The id by which elements name the hint as their description.
pub const HINT_ID: &str = "cell-hint";

/// How long a hint stays when the pointer leaves, so that it can be reached.
const GRACE_MS: u32 = 120;

/// How long the pointer rests before a hint comes, so that passing over the table shows none.
const REST_MS: u32 = 350;

/// The most room that a hint takes, pixels: it is put above its element where less is left below.
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 170.0;

/// What a hint says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hint {
    /// First line, in bold.
    pub title: String,
    /// A formula, in monospace.
    pub formula: Option<String>,
    /// Pairs of a label and a value.
    pub facts: Vec<(String, String)>,
    /// Last lines, muted.
    pub notes: Vec<String>,
}

/// The hint of a view.
#[derive(Clone, Copy)]
pub struct Hints {
    shown: RwSignal<Option<(Hint, Place)>>,
    /// Shows or hides it in a moment.
    pending: StoredValue<Option<Timeout>, LocalStorage>,
}

#[derive(Clone, Copy, PartialEq)]
struct Place {
    left: f64,
    top: Option<f64>,
    bottom: Option<f64>,
}

impl Hints {
    /// None shown.
    pub fn new() -> Self {
        Hints { shown: RwSignal::new(None), pending: StoredValue::new_local(None) }
    }

    /// Shows a hint beside an element.
    pub fn show(self, hint: Hint, beside: &web_sys::Element) {
        self.keep();
        let rect = beside.get_bounding_client_rect();
        let (width, height) = window_size();
        let left = rect.left().min(width - WIDTH - 8.0).max(8.0);
        let below = height - rect.bottom() > HEIGHT || rect.top() < HEIGHT;
        let place = if below {
            Place { left, top: Some(rect.bottom() + 4.0), bottom: None }
        } else {
            Place { left, top: None, bottom: Some(height - rect.top() + 4.0) }
        };
        self.shown.set(Some((hint, place)));
    }

    /// Shows a hint beside an element when the pointer rests there; at once where one is shown already.
    pub fn show_on_rest(self, hint: Hint, beside: web_sys::Element) {
        if self.shown.with_untracked(Option::is_some) {
            return self.show(hint, &beside);
        }
        self.pending.set_value(Some(Timeout::new(REST_MS, move || self.show(hint, &beside))));
    }

    /// Takes the hint away, unless the pointer reaches it in time.
    pub fn leave(self) {
        self.keep();
        if self.shown.with_untracked(Option::is_some) {
            let shown = self.shown;
            self.pending.set_value(Some(Timeout::new(GRACE_MS, move || shown.set(None))));
        }
    }

    /// Takes the hint away at once. Returns whether there was one.
    pub fn close(self) -> bool {
        self.keep();
        let was_shown = self.shown.with_untracked(Option::is_some);
        if was_shown {
            self.shown.set(None);
        }
        was_shown
    }

    fn keep(self) {
        // dropping the timer cancels it
        self.pending.set_value(None);
    }
}

fn window_size() -> (f64, f64) {
    let of = |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
    (of(window().inner_width()), of(window().inner_height()))
}

/// Where the hint of a view appears.
#[component]
pub fn HintLayer(
    /// The view's hint.
    hints: Hints,
) -> impl IntoView {
    let place = move || hints.shown.with(|s| s.as_ref().map(|(_, place)| *place));
    let pixels = |value: Option<f64>| value.map_or("auto".to_owned(), |v| format!("{v}px"));
    view! {
        <div
            id=HINT_ID
            class="cell-hint"
            role="tooltip"
            class:shown=move || place().is_some()
            style:left=move || pixels(place().map(|p| p.left))
            style:top=move || pixels(place().and_then(|p| p.top))
            style:bottom=move || pixels(place().and_then(|p| p.bottom))
            on:pointerenter=move |_| hints.keep()
            on:pointerleave=move |_| hints.leave()
        >
            {move || hints.shown.with(|s| s.as_ref().map(|(hint, _)| content(hint)))}
        </div>
    }
}

fn content(hint: &Hint) -> impl IntoView + use<> {
    let facts = hint.facts.clone();
    let has_facts = !facts.is_empty();
    view! {
        <p class="cell-hint-title">{hint.title.clone()}</p>
        {hint.formula.clone().map(|f| view! { <p class="cell-hint-formula">{f}</p> })}
        <When when=move || has_facts>
            <dl class="cell-hint-facts">
                {facts
                    .iter()
                    .map(|(label, value)| view! { <dt>{label.clone()}</dt><dd>{value.clone()}</dd> })
                    .collect_view()}
            </dl>
        </When>
        {hint.notes.iter().map(|n| view! { <p class="cell-hint-note">{n.clone()}</p> }).collect_view()}
    }
}

/// The element of an event's target, or the closest ancestor, that `selector` describes.
pub fn closest(target: Option<web_sys::EventTarget>, selector: &str) -> Option<web_sys::Element> {
    target?.dyn_into::<web_sys::Element>().ok()?.closest(selector).ok().flatten()
}
