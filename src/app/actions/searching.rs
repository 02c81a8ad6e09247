//! The search among settings (Explore), which the run queue drives.

use crate::app::explore;
use crate::app::state::App;
use crate::run_queue::{Event, RunQueue, SearchNews};
use wasm_bindgen::JsValue;

impl App {
    pub fn search(self, event: Event<JsValue>) {
        self.tell(event);
    }

    pub(super) fn tell_search(self, news: SearchNews) {
        explore::hear(self, news);
    }

    pub fn with_queue<T>(self, look: impl FnOnce(&RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| look(&backend.queue))
    }

    /// Changes the run queue by a call that returns no orders.
    pub fn with_queue_mut<T>(self, act: impl FnOnce(&mut RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| act(&mut backend.queue))
    }
}
