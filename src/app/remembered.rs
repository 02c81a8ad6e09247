//! What is remembered as text: each tab of the browser has its own, and a tab that is opened next begins with the newest.

use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

/// Under which this tab keeps the question that it looks for an answer to.
pub const QUESTION: &str = "packfair.explore";

/// The text that this tab has under a key, else the newest of any tab.
pub fn get_text(key: &str) -> Option<String> {
    text_in(of_this_tab(), key).or_else(|| text_in(of_all_tabs(), key))
}

/// Remembers something for this tab, and as the newest. Where nothing can be stored, nothing is remembered.
pub fn set(key: &str, value: &impl Serialize) {
    set_of_tab(key, value);
    set_newest(key, value);
}

/// The newest that any tab has under a key.
pub fn get_newest<T: DeserializeOwned>(key: &str) -> Option<T> {
    value_in(of_all_tabs(), key)
}

/// Remembers something for all tabs.
pub fn set_newest(key: &str, value: &impl Serialize) {
    set_in(of_all_tabs(), key, value);
}

/// What this tab alone has under a key.
pub fn get_of_tab<T: DeserializeOwned>(key: &str) -> Option<T> {
    value_in(of_this_tab(), key)
}

/// Remembers something for this tab alone.
pub fn set_of_tab(key: &str, value: &impl Serialize) {
    set_in(of_this_tab(), key, value);
}

/// Forgets what this tab alone has.
pub fn forget_of_tab(key: &str) {
    delete_in(of_this_tab(), key);
}

/// Forgets what is remembered for all tabs.
pub fn forget_newest(key: &str) {
    delete_in(of_all_tabs(), key);
}

/// What the browser keeps of this tab; none where it is told to keep nothing of any page: who asks is refused then.
fn of_this_tab() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// What it keeps of all tabs, likewise.
fn of_all_tabs() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn text_in(storage: Option<Storage>, key: &str) -> Option<String> {
    storage?.get_item(key).ok()?
}

fn value_in<T: DeserializeOwned>(storage: Option<Storage>, key: &str) -> Option<T> {
    serde_json::from_str(&text_in(storage, key)?).ok()
}

fn set_in(storage: Option<Storage>, key: &str, value: &impl Serialize) {
    if let (Some(storage), Ok(text)) = (storage, serde_json::to_string(value)) {
        // what has no room there is not remembered
        let _ = storage.set_item(key, &text);
    }
}

fn delete_in(storage: Option<Storage>, key: &str) {
    if let Some(storage) = storage {
        // what is not there need not go
        let _ = storage.remove_item(key);
    }
}
