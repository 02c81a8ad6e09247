//! Goes to the place that an address names.

use crate::address::{PagePlace, Tab};
use crate::app::prelude::*;
use crate::app::state::App;
use packfair_study::{Study, Treatment};

impl PagePlace {
    /// The place that the page's address names.
    pub fn of_page() -> PagePlace {
        PagePlace::parse(&window().location().hash().unwrap_or_default())
    }
}

impl App {
    /// Shows another place. `treatment` is the treatment of its log when the place was left. Returns whether the place
    /// could be shown. Does not look for the job that the place picks.
    #[inline(never)]
    pub fn go_to(self, place: &PagePlace, treatment: Option<Treatment>) -> bool {
        self.view.set(place.view.unwrap_or_default());
        if place.view == Some(Tab::Learn) {
            self.lesson.set(place.lesson.clone());
        }
        if let Some(link) = &place.link {
            let is_shown = self.shared.with_untracked(|shared| shared.as_ref().is_some_and(|s| *s.link == **link));
            return is_shown || self.open_link_soon(link);
        }
        let from_link = self.shared.with_untracked(Option::is_some);
        if from_link {
            self.resume_session();
        }
        self.shared_before.set(None);
        let study = self.study.get_untracked();
        let log = place.log.clone().unwrap_or_else(|| study.source.clone());
        if from_link || log.key() != study.source.key() || !self.is_open(&log) {
            let would_hold = |treatment: &Treatment| {
                Study { source: log.clone(), treatment: treatment.clone(), ..study.clone() }.check().is_ok()
            };
            let returning = treatment.filter(would_hold).map(|treatment| (log.clone(), treatment));
            self.with_backend(|backend| backend.returning = returning);
            self.open(log);
        }
        true
    }

    fn is_open(self, log: &packfair_study::Source) -> bool {
        self.with_backend(|backend| backend.queue.open_log().is_some_and(|open| open.key() == log.key()))
    }
}
