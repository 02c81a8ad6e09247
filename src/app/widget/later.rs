//! Parts of the page that are made one after another, so that it answers in between.

use crate::app::prelude::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

thread_local! {
    /// Parts that are still to be made, in their order.
    static WAITING: RefCell<VecDeque<RwSignal<bool>>> = RefCell::default();
}

/// Makes its children soon, in a task of their own.
#[component]
pub fn Later(
    /// What takes long to make.
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
                // one that has left the page meanwhile is not made
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
