//! The search among settings, which the run queue drives.

use crate::app::explore;
use crate::app::state::App;
use crate::run_queue::{Event, RunQueue, SearchNews};
use wasm_bindgen::JsValue;

impl App {
    /// Begins, stops or goes on with a search.
    pub fn search(self, event: Event<JsValue>) {
        self.tell(event);
    }

    /// Shows what has become of it.
    pub(super) fn tell_search(self, news: SearchNews) {
        explore::hear(self, news);
    }

    /// Looks at the run queue.
    pub fn with_queue<T>(self, look: impl FnOnce(&RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| look(&backend.queue))
    }

    /// Does something with the run queue that orders nothing.
    pub fn with_queue_mut<T>(self, act: impl FnOnce(&mut RunQueue<JsValue>) -> T) -> T {
        self.with_backend(|backend| act(&mut backend.queue))
    }
}
