//! Whether the page failed while it restored something.
//!
//! A mark is stored before anything is restored, and taken away once that is shown. Where the mark is still there at
//! the next visit, the page failed, and would again: it begins without what it failed with.

use super::remembered;
use js_sys::Reflect;
use leptos::prelude::set_timeout;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

const MARK: &str = "packfair.restoring";

/// How long the page must have stood since it restored something.
const STOOD: Duration = Duration::from_secs(1);

thread_local! {
    /// Whether anything of the page has failed; none before anybody listens.
    static FAILED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// What is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Restored {
    /// The session before.
    Session,
    /// What a link carries.
    Link,
}

/// What the page failed with when it was open last, if it did.
pub fn failed_with() -> Option<Restored> {
    remembered::get_newest(MARK)
}

/// Something is about to be restored.
pub fn begin(what: Restored) {
    // where nothing can be stored, nothing is restored either
    remembered::set_newest(MARK, &what);
    listen();
    let has_stood = || {
        if FAILED.get() != Some(true) {
            remembered::forget_newest(MARK);
        }
    };
    set_timeout(has_stood, STOOD);
}

/// Nothing is restored, or what was is of no interest any more.
pub fn forget() {
    remembered::forget_newest(MARK);
}

/// What is said of faults after which the page does not work any more. Browsers report others as well, such as a
/// layout that takes two frames.
const FATAL: [&str; 4] = ["runtimeerror", "unreachable", "memory", "call stack"];

/// Whether an `error` or an `unhandledrejection` tells of such a fault.
fn is_fatal(event: &JsValue) -> bool {
    let said = ["message", "reason"].map(|name| Reflect::get(event, &name.into()).unwrap_or_default());
    // the form for debugging is there for every value, undefined included
    let said = said.map(|said| format!("{said:?}").to_lowercase());
    FATAL.iter().any(|words| said.iter().any(|said| said.contains(words)))
}

/// A part of the page that traps (memory runs out, say) leaves others running, which must not take the mark away.
fn listen() {
    if FAILED.get().is_some() {
        return;
    }
    FAILED.set(Some(false));
    let failed = Closure::<dyn Fn(JsValue)>::new(|event: JsValue| {
        if is_fatal(&event) {
            FAILED.set(Some(true));
        }
    });
    let Some(window) = web_sys::window() else { return };
    for event in ["error", "unhandledrejection"] {
        let listening = window.add_event_listener_with_callback(event, failed.as_ref().unchecked_ref());
        debug_assert!(listening.is_ok());
    }
    // a page that is left in good order did not fail, however soon that is
    let left = Closure::<dyn Fn()>::new(|| {
        if FAILED.get() != Some(true) {
            forget();
        }
    });
    let listening = window.add_event_listener_with_callback("pagehide", left.as_ref().unchecked_ref());
    debug_assert!(listening.is_ok());
    // both listen as long as the page lives
    failed.forget();
    left.forget();
}
