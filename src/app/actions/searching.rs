//! The search among settings (Explore), which the run queue drives.

use crate::app::explore;
use crate::app::state::App;
use crate::run_queue::{Event, RunQueue, SearchNews};
use wasm_bindgen::JsValue;

impl App {
    /// Starts, stops or continues a search.
    pub fn search(self, event: Event<JsValue>) {
        self.tell(event);
    }

    /// Shows news of the search.
    pub(super) fn tell_search(self, news: SearchNews) {
        explore::hear(self, news);
    }

    /// Reads from the run queue.
    pub fn with_queue<T>(self, look: impl FnOnce(&RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| look(&backend.queue))
    }

    /// Changes the run queue by a call that returns no orders.
    pub fn with_queue_mut<T>(self, act: impl FnOnce(&mut RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| act(&mut backend.queue))
    }
}
