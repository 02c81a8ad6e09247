//! Detects whether the page failed while it restored something.
//!
//! The page stores a mark before it restores anything, and deletes it once the restored content has been shown. If the
//! mark is still there at the next visit, the page failed and would fail again: it then begins without that content.

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

/// How long the page has to work after it restored something before the mark is deleted.
const STOOD: Duration = Duration::from_secs(1);

thread_local! {
    /// Whether any part of the page has failed; `None` until the page listens for failures.
    static FAILED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// What the page restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Restored {
    Session,
    Link,
}

/// What the page was restoring when it failed at the last visit; `None` if it did not fail.
pub fn failed_with() -> Option<Restored> {
    remembered::get_newest(MARK)
}

/// Stores the mark: something is about to be restored.
pub fn begin(what: Restored) {
    // if nothing can be stored, nothing is restored either
    remembered::set_newest(MARK, &what);
    listen();
    let has_stood = || {
        if FAILED.get() != Some(true) {
            remembered::forget_newest(MARK);
        }
    };
    set_timeout(has_stood, STOOD);
}

/// Deletes the mark: nothing is being restored, or it no longer matters.
pub fn forget() {
    remembered::forget_newest(MARK);
}

/// Parts of the messages of faults after which the page no longer works. Browsers also report harmless ones, such as a
/// layout that takes two frames.
const FATAL: [&str; 4] = ["runtimeerror", "unreachable", "memory", "call stack"];

/// Whether an `error` or `unhandledrejection` event reports such a fault.
fn is_fatal(event: &JsValue) -> bool {
    let said = ["message", "reason"].map(|name| Reflect::get(event, &name.into()).unwrap_or_default());
    // every value has a debug form, even undefined
    let said = said.map(|said| format!("{said:?}").to_lowercase());
    FATAL.iter().any(|words| said.iter().any(|said| said.contains(words)))
}

/// Listens for failures. If one part of the page traps (out of memory, for example), other parts still run; they must
/// not delete the mark.
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
    // a page that is left in good order did not fail, however soon it is left
    let left = Closure::<dyn Fn()>::new(|| {
        if FAILED.get() != Some(true) {
            forget();
        }
    });
    let listening = window.add_event_listener_with_callback("pagehide", left.as_ref().unchecked_ref());
    debug_assert!(listening.is_ok());
    // both closures listen as long as the page lives
    failed.forget();
    left.forget();
}
