//! The page's late part, for its views.

use crate::app::prelude::*;
pub use crate::late::{apart, try_again};

/// Whether the whole program is loaded, for views of the late part.
pub fn signal() -> RwSignal<bool> {
    let is_whole = RwSignal::new(false);
    crate::late::when_here(move || {
        // the view may be gone
        let _ = is_whole.try_set(true);
    });
    is_whole
}

/// Whether the late part could not be loaded when that was tried last, for views that say so.
pub fn is_missed() -> RwSignal<bool> {
    let is_missed = RwSignal::new(false);
    // until its view is gone
    is_missed.set(crate::late::is_missed(move |now| is_missed.try_set(now).is_none()));
    is_missed
}
