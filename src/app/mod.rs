//! The page and its workers: Leptos components, worker pool, storage. Browser only.

pub mod protocol;
pub mod results;
pub mod state;
mod virtual_list;
