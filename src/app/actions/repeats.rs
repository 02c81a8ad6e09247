//! Repeating the study.

use crate::app::state::App;
use crate::run_queue::Event;
use crate::study::sureness::Repeats;

impl App {
    /// Makes the repeats that are missing: those of the study, or these where it asks for none.
    #[inline(never)]
    pub fn want_repeats(self, by_itself: Option<Repeats>) {
        self.tell(Event::RepeatsWanted(by_itself));
    }

    /// Stops them.
    #[inline(never)]
    pub fn stop_repeats(self) {
        self.tell(Event::RepeatsStopped);
    }
}
