//! Repeating the study.

use crate::app::state::App;
use crate::run_queue::Event;
use crate::study::sureness::Repeats;

impl App {
    /// Makes the missing repeats: those that the study asks for or, if it asks for none, `by_itself`.
    #[inline(never)]
    pub fn want_repeats(self, by_itself: Option<Repeats>) {
        self.tell(Event::RepeatsWanted(by_itself));
    }

    #[inline(never)]
    pub fn stop_repeats(self) {
        self.tell(Event::RepeatsStopped);
    }
}
