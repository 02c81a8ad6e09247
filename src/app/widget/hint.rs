//! Hints: help beside the element under the pointer or with the keyboard focus. The page has one hint element.
//!
//! An element gives its hint in `data-hint`; a view with many elements provides their hints itself
//! ([`Hints::tell_of`]). A hint stays while the pointer is over it, and Escape closes it.

use super::When;
use crate::app::prelude::*;
use gloo::timers::callback::Timeout;
use leptos::ev;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, EventTarget};

/// The id of the hint, which elements use to name it as their description.
pub const HINT_ID: &str = "hint";

/// How long a hint stays after the pointer has left, so that the pointer can reach it, milliseconds.
const GRACE_MS: u32 = 120;

/// How long the pointer must rest before a hint appears, milliseconds. The focus moves on purpose, so its hint appears
/// at once.
const REST_MS: u32 = 350;

/// The largest size of a hint, pixels, as in style/dialogs.css. If there is less room, the hint goes to the other side
/// of its element.
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 170.0;

/// The gap between a hint and its element or the edges of the window, pixels.
const GAP: f64 = 6.0;

/// The content of a hint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hint {
    /// The first line, in bold; a hint without a title is plain text.
    pub title: String,
    /// A formula, in a monospaced font.
    pub formula: Option<String>,
    /// Pairs of a label and a value.
    pub facts: Vec<(String, String)>,
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
struct Position {
    left: f64,
    top: Option<f64>,
    bottom: Option<f64>,
}

impl Position {
    /// The position beside an element. Plain text goes above it, so that messages below a field stay visible; other
    /// hints go below it.
    fn beside(element: &Element, is_plain: bool) -> Self {
        let rect = element.get_bounding_client_rect();
        let (width, height) = (length(window().inner_width()), length(window().inner_height()));
        let left = rect.left().min(width - WIDTH - GAP).max(GAP);
        let (above, below) = (rect.top() > HEIGHT, height - rect.bottom() > HEIGHT);
        if if is_plain { above } else { above && !below } {
            Position { left, top: None, bottom: Some(height - rect.top() + GAP) }
        } else {
            Position { left, top: Some(rect.bottom() + GAP), bottom: None }
        }
    }
}

/// Gives the hint for an element of a view, and the element beside which it appears.
type Teller = Rc<dyn Fn(&Element) -> Option<(Hint, Element)>>;

/// The page's hint.
#[derive(Clone, Copy)]
pub struct Hints {
    shown: RwSignal<Option<(Hint, Position)>>,
    /// The timer that will show or hide the hint.
    pending: StoredValue<Option<Timeout>, LocalStorage>,
    tellers: StoredValue<Vec<Teller>, LocalStorage>,
}

impl Hints {
    pub fn provide() {
        provide_context(Hints {
            shown: RwSignal::new(None),
            pending: StoredValue::new_local(None),
            tellers: StoredValue::new_local(Vec::new()),
        });
    }

    /// Uses `teller` for elements without a hint of their own, as long as the calling view exists.
    pub fn tell_of(self, teller: impl Fn(&Element) -> Option<(Hint, Element)> + 'static) {
        let teller: Teller = Rc::new(teller);
        let own = StoredValue::new_local(teller.clone());
        self.tellers.update_value(|tellers| tellers.push(teller));
        on_cleanup(move || {
            if let Some(own) = own.try_get_value() {
                self.tellers.update_value(|tellers| tellers.retain(|teller| !Rc::ptr_eq(teller, &own)));
            }
        });
    }

    pub fn close(self) -> bool {
        self.keep();
        let was_shown = self.shown.with_untracked(Option::is_some);
        if was_shown {
            self.shown.set(None);
        }
        was_shown
    }

    fn hint_of(self, element: &Element) -> Option<(Hint, Element)> {
        if let Some(owner) = element.closest("[data-hint]").ok().flatten() {
            let text = owner.get_attribute("data-hint").filter(|text| !text.is_empty())?;
            return Some((Hint { notes: vec![text], ..Hint::default() }, owner));
        }
        self.tellers.get_value().iter().find_map(|teller| teller(element))
    }

    fn show(self, hint: Hint, beside: &Element) {
        self.keep();
        let position = Position::beside(beside, hint.title.is_empty());
        self.shown.set(Some((hint, position)));
    }

    /// Called when the pointer is over another element. Its hint appears when the pointer rests there, or at once if
    /// another hint is shown.
    fn point_at(self, target: Option<EventTarget>) {
        let Some(element) = target.and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        if is_hint(&element) {
            return self.keep();
        }
        let is_shown = self.shown.with_untracked(Option::is_some);
        match self.hint_of(&element) {
            Some((hint, beside)) if is_shown => self.show(hint, &beside),
            Some((hint, beside)) => {
                self.pending.set_value(Some(Timeout::new(REST_MS, move || self.show(hint, &beside))));
            }
            None => {
                self.keep();
                if is_shown {
                    self.pending.set_value(Some(Timeout::new(GRACE_MS, move || self.shown.set(None))));
                }
            }
        }
    }

    /// Called when an element gets the focus. A focus that is not visible came from the pointer and shows no hint.
    fn focus_on(self, target: Option<EventTarget>) {
        let element = target.and_then(|target| target.dyn_into::<Element>().ok());
        let element = element.filter(|element| element.matches(":focus-visible").unwrap_or(false));
        match element.and_then(|element| self.hint_of(&element)) {
            Some((hint, beside)) => self.show(hint, &beside),
            None => drop(self.close()),
        }
    }

    /// Cancels the timer that would show or hide the hint.
    fn keep(self) {
        // dropping the timer cancels it
        self.pending.set_value(None);
    }
}

/// The layer in which hints appear. Needs [`Hints::provide`].
#[component]
pub fn HintLayer() -> impl IntoView {
    let hints = expect_context::<Hints>();
    let listeners = [
        window_event_listener(ev::pointerover, move |event| hints.point_at(event.target())),
        window_event_listener(ev::focusin, move |event| hints.focus_on(event.target())),
        window_event_listener(ev::focusout, move |_| {
            hints.close();
        }),
        window_event_listener(ev::pointerdown, move |event| {
            let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            // a press inside the hint stays possible, to select its text
            if !element.is_some_and(|element| is_hint(&element)) {
                hints.close();
            }
        }),
        window_event_listener(ev::wheel, move |_| {
            hints.close();
        }),
        window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" {
                hints.close();
            }
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(|listener| listener.remove()));
    let position = move || hints.shown.with(|shown| shown.as_ref().map(|(_, position)| *position));
    view! {
        <div
            id=HINT_ID
            class="hint"
            role="tooltip"
            class:shown=move || position().is_some()
            style:left=move || pixels(position().map(|at| at.left))
            style:top=move || pixels(position().and_then(|at| at.top))
            style:bottom=move || pixels(position().and_then(|at| at.bottom))
        >
            {move || hints.shown.with(|shown| shown.as_ref().map(|(hint, _)| content(hint)))}
        </div>
    }
}

fn content(hint: &Hint) -> AnyView {
    let facts = hint.facts.clone();
    let has_facts = !facts.is_empty();
    let (title, note) =
        if hint.title.is_empty() { (None, "hint-text") } else { (Some(hint.title.clone()), "hint-note") };
    view! {
        {title.map(|title| view! { <p class="hint-title">{title}</p> })}
        {hint.formula.clone().map(|formula| view! { <p class="hint-formula">{formula}</p> })}
        <When when=move || has_facts>
            <dl class="hint-facts">
                {facts
                    .iter()
                    .map(|(label, value)| view! { <dt>{label.clone()}</dt><dd>{value.clone()}</dd> })
                    .collect_view()}
            </dl>
        </When>
        {hint.notes.iter().map(|text| view! { <p class=note>{text.clone()}</p> }).collect_view()}
    }
}

fn is_hint(element: &Element) -> bool {
    element.closest(".hint").is_ok_and(|hint| hint.is_some())
}

/// The target of an event, or its closest ancestor, that matches `selector`.
pub fn closest(target: Option<EventTarget>, selector: &str) -> Option<Element> {
    target?.dyn_into::<Element>().ok()?.closest(selector).ok().flatten()
}

fn length(value: Result<JsValue, JsValue>) -> f64 {
    value.ok().and_then(|value| value.as_f64()).unwrap_or(0.0)
}

fn pixels(length: Option<f64>) -> String {
    length.map_or("auto".to_owned(), |length| format!("{length:.0}px"))
}
