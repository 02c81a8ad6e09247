//! Values that are stored as text. Each browser tab has its own, and a newly opened tab begins with the newest.
//!
//! A stored value may come from another version, or from anyone. Its size is checked before it is read. A value that is
//! too large or cannot be read is set aside: it is removed from the storage and kept until the user is told
//! ([`set_aside`]).

use js_sys::Reflect;
use leptos::prelude::set_timeout;
use packfair_study::format::whole;
use packfair_study::limits::LONGEST_REMEMBERED;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::time::Duration;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Storage;

/// A stored text that could not be used.
pub struct SetAside {
    pub key: String,
    /// Why it could not be used, as the end of a sentence.
    pub why: String,
    pub text: String,
}

thread_local! {
    static ASIDE: RefCell<Vec<SetAside>> = const { RefCell::new(Vec::new()) };
}

/// The texts set aside since the last call.
pub fn set_aside() -> Vec<SetAside> {
    ASIDE.take()
}

/// The storage key of the question that Explore answers in this tab.
pub const QUESTION: &str = "packfair.explore";

/// The storage key of the forecast that a link has brought to this tab.
pub const FORECAST: &str = "packfair.forecast";

/// The storage key of the user's concern.
pub const CONCERN: &str = "packfair.concern";

/// The storage key of whether a person has gone on from the first screen.
pub const STARTED: &str = "packfair.started";

/// The storage key of whether a person has opened the settings.
pub const SETTINGS: &str = "packfair.settings";

/// This tab's text under a key or, if it has none, the newest of any tab. A text longer than `most` bytes is set aside.
pub fn get_text(key: &str, most: usize) -> Option<String> {
    text_in(of_this_tab(), key, most).or_else(|| text_in(of_all_tabs(), key, most))
}

/// Stores a value for this tab, and as the newest of all tabs. If the browser cannot store anything, nothing happens.
pub fn set(key: &str, value: &impl Serialize) {
    set_of_tab(key, value);
    set_newest(key, value);
}

pub fn get_newest<T: DeserializeOwned>(key: &str) -> Option<T> {
    value_in(of_all_tabs(), key)
}

/// Whether anything is stored for all tabs.
pub fn has_newest(key: &str) -> bool {
    of_all_tabs().is_some_and(|storage| storage.get_item(key).is_ok_and(|text| text.is_some()))
}

pub fn set_newest(key: &str, value: &impl Serialize) {
    set_in(of_all_tabs(), key, value);
}

pub fn get_of_tab<T: DeserializeOwned>(key: &str) -> Option<T> {
    value_in(of_this_tab(), key)
}

/// Stores a value for this tab only.
pub fn set_of_tab(key: &str, value: &impl Serialize) {
    set_in(of_this_tab(), key, value);
}

/// Deletes this tab's own value.
pub fn forget_of_tab(key: &str) {
    delete_in(of_this_tab(), key);
}

/// Deletes the value for all tabs.
pub fn forget_newest(key: &str) {
    delete_in(of_all_tabs(), key);
}

/// The browser's storage for this tab; `None` if the browser is set to store nothing and refuses access.
fn of_this_tab() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The browser's storage for all tabs; `None` if the browser refuses access.
fn of_all_tabs() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn text_in(storage: Option<Storage>, key: &str, most: usize) -> Option<String> {
    let text = storage.as_ref()?.get_item(key).ok()??;
    if text.len() <= most {
        return Some(text);
    }
    let why = format!("it has {} bytes; it may have {}", whole(text.len() as i128), whole(most as i128));
    put_aside(storage, key, why, text);
    None
}

fn value_in<T: DeserializeOwned>(storage: Option<Storage>, key: &str) -> Option<T> {
    let text = text_in(storage.clone(), key, LONGEST_REMEMBERED)?;
    match serde_json::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            put_aside(storage, key, error.to_string(), text);
            None
        }
    }
}

fn put_aside(storage: Option<Storage>, key: &str, why: String, text: String) {
    delete_in(storage, key);
    ASIDE.with_borrow_mut(|aside| aside.push(SetAside { key: key.to_owned(), why, text }));
}

fn set_in(storage: Option<Storage>, key: &str, value: &impl Serialize) {
    if let (Some(storage), Ok(text)) = (storage, serde_json::to_string(value)) {
        // a value for which there is no room is not stored
        let _ = storage.set_item(key, &text);
    }
}

fn delete_in(storage: Option<Storage>, key: &str) {
    if let Some(storage) = storage {
        // if there is nothing to delete, nothing is lost
        let _ = storage.remove_item(key);
    }
}

// Detects whether the page failed while it restored something.
//
// The page stores a mark before it restores anything, and deletes it once the restored content has been shown. If the
// mark is still there at the next visit, the page failed and would fail again: it then begins without that content.

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
pub fn restoring_failed_with() -> Option<Restored> {
    get_newest(MARK)
}

/// Stores the mark: something is about to be restored.
pub fn begin_restoring(what: Restored) {
    // if nothing can be stored, nothing is restored either
    set_newest(MARK, &what);
    listen();
    let has_stood = || {
        if FAILED.get() != Some(true) {
            forget_newest(MARK);
        }
    };
    set_timeout(has_stood, STOOD);
}

/// Deletes the mark: nothing is being restored, or it no longer matters.
pub fn end_restoring() {
    forget_newest(MARK);
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
            end_restoring();
        }
    });
    let listening = window.add_event_listener_with_callback("pagehide", left.as_ref().unchecked_ref());
    debug_assert!(listening.is_ok());
    // both closures listen as long as the page lives
    failed.forget();
    left.forget();
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_too_large_or_broken_is_set_aside_and_the_rest_is_read() {
        let (key, stored) = ("packfair.test", || of_all_tabs().unwrap().get_item("packfair.test").unwrap());
        let put = |text: &str| of_all_tabs().unwrap().set_item(key, text).unwrap();
        // one text below the limit, and one above
        put(&"x".repeat(1_000));
        assert_eq!(get_text(key, 1_000).map(|text| text.len()), Some(1_000));
        assert!(set_aside().is_empty() && stored().is_some());
        put(&"x".repeat(1_001));
        assert_eq!(get_text(key, 1_000), None);
        let aside = set_aside();
        assert_eq!((aside.len(), aside[0].key.as_str(), aside[0].text.len()), (1, key, 1_001));
        assert!(aside[0].why.contains("may have"), "{}", aside[0].why);
        assert_eq!((stored(), set_aside().len()), (None, 0), "it is gone, and told once");
        put("[1, 2");
        assert_eq!(get_newest::<Vec<u32>>(key), None);
        assert_eq!((set_aside().len(), stored()), (1, None));
        put("[1, 2]");
        assert_eq!(get_newest::<Vec<u32>>(key), Some(vec![1, 2]));
        assert!(set_aside().is_empty());
        delete_in(of_all_tabs(), key);
    }
}
