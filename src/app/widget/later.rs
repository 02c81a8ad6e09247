//! Parts of the page that are created one after another, so that the page stays responsive in between.

use crate::app::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

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
