//! Parts of the page's forms, menus and dialogs. They know nothing of the study.

mod field;
mod hint;
mod menu;

use crate::app::prelude::*;
use crate::app::{late, while_shown};
pub use field::{Chip, ChoiceOption, Choices, Field, ReadText, Segment, Segments, Select, optional, real, whole};
pub use hint::{HINT_ID, Hint, HintLayer, Hints, closest};
use leptos::children::ViewFn;
pub use menu::{ButtonMenu, Edge, List, Menu, MenuItem, MenuLabel, MenuList, Modal};
use std::cell::RefCell;
use std::time::Duration;

// A part of the page that exists only while a condition holds.

/// Shows `children` while `when` holds, else `fallback`.
///
/// Like Leptos' `Show`. That is compiled again for every condition and every content; this is compiled once.
#[component]
pub fn When(
    #[prop(into)] when: Signal<bool>,
    /// What is shown while the condition does not hold; nothing if not given.
    #[prop(optional, into)]
    fallback: ViewFn,
    /// What is shown while the condition holds; created again each time it begins to hold.
    children: ChildrenFn,
) -> impl IntoView {
    let holds = while_shown(move || when.get());
    move || if holds.get() { children() } else { fallback.run() }
}

// Parts of the page that are created one after another, so that the page stays responsive in between.

thread_local! {
    static WAITING: RefCell<Vec<(Vec<u32>, RwSignal<bool>)>> = RefCell::default();
}

/// The place of a part among all: its number within the part that contains it, after the numbers of that one.
#[derive(Clone)]
struct Place {
    numbers: Vec<u32>,
    parts_within: StoredValue<u32>,
}

/// Creates its children soon, in a task of their own. What a part contains is created before the part after it.
#[component]
pub fn Later(
    /// The part of the page that takes long to create.
    children: ChildrenFn,
) -> impl IntoView {
    let mut numbers = Vec::new();
    if let Some(Place { numbers: outer, parts_within }) = use_context::<Place>() {
        numbers = outer;
        // a part that contains this one is on the page
        numbers.push(parts_within.try_update_value(|count| std::mem::replace(count, *count + 1)).unwrap_or_default());
    }
    create_at(numbers, children)
}

/// Creates its children once no other part waits, in a task of their own.
#[component]
pub fn Last(
    /// The part of the page that a visitor needs last.
    children: ChildrenFn,
) -> impl IntoView {
    create_at(vec![u32::MAX], children)
}

fn create_at(numbers: Vec<u32>, children: ChildrenFn) -> impl IntoView {
    let is_due = RwSignal::new(false);
    let place = Place { numbers: numbers.clone(), parts_within: StoredValue::new(0) };
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push((numbers, is_due));
        waiting.len() == 1
    });
    if is_first {
        make_next();
    }
    move || {
        is_due.get().then(|| {
            provide_context(place.clone());
            children()
        })
    }
}

fn make_next() {
    set_timeout(
        || {
            let next =
                WAITING.with_borrow(|waiting| waiting.iter().min_by(|(one, _), (other, _)| one.cmp(other)).cloned());
            if let Some((_, next)) = &next {
                // a part that has left the page meanwhile is not created
                let _ = next.try_set(true);
            }
            let is_last = WAITING.with_borrow_mut(|waiting| {
                waiting.retain(|(_, part)| next.as_ref().is_none_or(|(_, made)| part != made));
                waiting.is_empty()
            });
            if !is_last {
                make_next();
            }
        },
        Duration::ZERO,
    );
}

// A place for what the late part of the page makes.

/// Shows `children` once the whole page is loaded. Where the rest of it cannot be loaded, the place says so, with a way to
/// try again.
#[component]
pub fn Whole(children: ChildrenFn) -> impl IntoView {
    let (is_whole, is_missed) = (late::signal(), late::is_missed());
    view! {
        <When when=move || is_whole.get()>{children()}</When>
        <When when=move || is_missed.get() && !is_whole.get()>
            <p class="missed-part" role="status" data-testid="missed-part">
                "This part of Packfair could not be loaded. Check the connection. "
                <button class="button" type="button" on:click=move |_| late::try_again()>"Try again"</button>
            </p>
        </When>
    }
}

// Icons, drawn as strokes in the colour of the text. Screen readers ignore them, so a button has a name of its own.

/// The symbol of an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// The product: packed boxes.
    Brand,
    Recipes,
    Share,
    /// An arrow out of a tray.
    Export,
    Help,
    /// Half dark, half light.
    System,
    Light,
    Dark,
    /// A triangle that points down.
    Open,
    Settings,
    /// A document with an arrow into it.
    Drop,
}

impl Glyph {
    fn path(self) -> &'static str {
        match self {
            Glyph::Brand => "M2 2h5v8H2zM2 12h9v2H2zM9 2h5v4H9zM9 8h5v2H9zM13 12h1v2h-1z",
            Glyph::Recipes => "M6 4h8M6 8h8M6 12h8M2.5 4h.5M2.5 8h.5M2.5 12h.5",
            Glyph::Share => {
                "M6.5 9.5l3-3M7 4.5l1.2-1.2a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.2 1.2a2.8 2.8 0 0 1-4-4L5 7.5"
            }
            Glyph::Export => "M8 2v8M5 5l3-3 3 3M2.5 10v3.5h11V10",
            Glyph::Help => "M5.8 6.2a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.2M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
            Glyph::System => "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
            Glyph::Light => {
                "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 \
                 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"
            }
            Glyph::Dark => "M13.2 9.7A5.7 5.7 0 0 1 6.3 2.8a5.7 5.7 0 1 0 6.9 6.9z",
            Glyph::Open => "M4.5 6.5L8 10l3.5-3.5",
            Glyph::Settings => "M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 3v3M6.5 10v3",
            Glyph::Drop => "M8 2v7M5 6l3 3 3-3M2.5 10v3.5h11V10",
        }
    }
}

/// An icon of the size of the text.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    let filled = matches!(glyph, Glyph::Brand);
    view! {
        <svg class="icon" class:icon-filled=filled viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}
