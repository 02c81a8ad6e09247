//! Parts of the page that are created one after another, so that the page stays responsive in between.

use crate::app::prelude::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

thread_local! {
    /// Parts that are still to be created, in order.
    static WAITING: RefCell<VecDeque<RwSignal<bool>>> = RefCell::default();
}

/// Creates its children soon, in a task of their own.
#[component]
pub fn Later(
    /// The part of the page that takes long to create.
    children: ChildrenFn,
) -> impl IntoView {
    let is_due = RwSignal::new(false);
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push_back(is_due);
        waiting.len() == 1
    });
    if is_first {
        make_next();
    }
    move || is_due.get().then(|| children())
}

fn make_next() {
    set_timeout(
        || {
            let next = WAITING.with_borrow(|waiting| waiting.front().copied());
            if let Some(next) = next {
                // a part that has left the page meanwhile is not created
                let _ = next.try_set(true);
            }
            let is_last = WAITING.with_borrow_mut(|waiting| {
                waiting.pop_front();
                waiting.is_empty()
            });
            if !is_last {
                make_next();
            }
        },
        Duration::ZERO,
    );
}
