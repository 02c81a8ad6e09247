//! What is remembered as text: each tab of the browser has its own, and a tab that is opened next begins with the newest.
//!
//! What is stored may be from another version, or from anybody. Its size is looked at before it is read; what is too large,
//! or cannot be read, is set aside: it is taken out of the storage and kept until somebody is told of it
//! ([`set_aside`]).

use crate::study::format::whole;
use crate::study::limits::LONGEST_REMEMBERED;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use web_sys::Storage;

/// A text that was remembered and is of no use.
pub struct SetAside {
    /// Under which key.
    pub key: String,
    /// Why it is of no use, as the end of a sentence.
    pub why: String,
    /// The text itself.
    pub text: String,
}

thread_local! {
    static ASIDE: RefCell<Vec<SetAside>> = const { RefCell::new(Vec::new()) };
}

/// What was set aside since this was last asked.
pub fn set_aside() -> Vec<SetAside> {
    ASIDE.take()
}

/// Under which this tab keeps the question that it looks for an answer to.
pub const QUESTION: &str = "packfair.explore";

/// Under which it is kept what a person cares for.
pub const CONCERN: &str = "packfair.concern";

/// The text that this tab has under a key, else the newest of any tab: of at most so many bytes.
pub fn get_text(key: &str, most: usize) -> Option<String> {
    text_in(of_this_tab(), key, most).or_else(|| text_in(of_all_tabs(), key, most))
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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_too_large_or_broken_is_set_aside_and_the_rest_is_read() {
        let (key, stored) = ("packfair.test", || of_all_tabs().unwrap().get_item("packfair.test").unwrap());
        let put = |text: &str| of_all_tabs().unwrap().set_item(key, text).unwrap();
        // one below the limit, and one above
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
