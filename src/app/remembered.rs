//! What is remembered as text: each tab of the browser has its own, and a tab that is opened next begins with the newest.

use gloo::storage::{LocalStorage, SessionStorage, Storage};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Under which this tab keeps the question that it looks for an answer to.
pub const QUESTION: &str = "packfair.explore";

/// The text that this tab has under a key, else the newest of any tab.
pub fn get_text(key: &str) -> Option<String> {
    let of_tab = SessionStorage::raw().get_item(key).ok().flatten();
    of_tab.or_else(|| LocalStorage::raw().get_item(key).ok().flatten())
}

/// Remembers something for this tab, and as the newest. Where nothing can be stored, nothing is remembered.
pub fn set(key: &str, value: &impl Serialize) {
    set_of_tab(key, value);
    set_newest(key, value);
}

/// The newest that any tab has under a key.
pub fn get_newest<T: DeserializeOwned>(key: &str) -> Option<T> {
    LocalStorage::get(key).ok()
}

/// Remembers something for all tabs.
pub fn set_newest(key: &str, value: &impl Serialize) {
    let _ = LocalStorage::set(key, value);
}

/// What this tab alone has under a key.
pub fn get_of_tab<T: DeserializeOwned>(key: &str) -> Option<T> {
    SessionStorage::get(key).ok()
}

/// Remembers something for this tab alone.
pub fn set_of_tab(key: &str, value: &impl Serialize) {
    let _ = SessionStorage::set(key, value);
}

/// Forgets what this tab alone has.
pub fn forget_of_tab(key: &str) {
    SessionStorage::delete(key);
}
