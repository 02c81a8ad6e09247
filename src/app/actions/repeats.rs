//! Repeating the study.

use crate::app::state::App;
use crate::run_queue::Event;

impl App {
    /// Makes the repeats of the study that are missing.
    #[inline(never)]
    pub fn want_repeats(self) {
        self.tell(Event::RepeatsWanted);
    }

    /// Stops them.
    #[inline(never)]
    pub fn stop_repeats(self) {
        self.tell(Event::RepeatsStopped);
    }
}
