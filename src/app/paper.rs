//! Whether the page is being printed: what a screen shows a part of at a time is whole on paper.

use super::prelude::*;
use leptos::ev::Custom;

/// Whether the page is laid out for paper, for as long as the view lives in which this is called.
pub fn is_on_paper() -> RwSignal<bool> {
    let is_on_paper = RwSignal::new(false);
    for (event, is_printed) in [("beforeprint", true), ("afterprint", false)] {
        let listening = window_event_listener(Custom::<web_sys::Event>::new(event), move |_| {
            // the view may be gone
            let _ = is_on_paper.try_set(is_printed);
        });
        on_cleanup(move || listening.remove());
    }
    is_on_paper
}
