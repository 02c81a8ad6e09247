//! Trials of remedies, for a study whose model explains little of the log.

use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::run_queue::Event;
use crate::study::verdict::{Fit, Offer, Trials};
use crate::study::{Study, models};
use std::sync::Arc;

impl App {
    /// The trials that are due for the study as it stands, once all its runs have ended; `None` if its fit is good.
    pub fn trials_due(self) -> Option<Trials> {
        let outcomes = self.results();
        let reports = || outcomes.iter().map(|outcome| &outcome.report);
        let fit = self.study.with(|study| Fit::of(models(study, reports())))?;
        let overfull = reports().find_map(|report| report.overfull.as_ref());
        self.log.with(|log| match log {
            LogState::Ready(described) => {
                self.study.with(|study| Trials::of(study, &described.facts(), &fit, overfull))
            }
            _ => None,
        })
    }

    /// Starts the trials in the background.
    pub fn want_trials(self, trials: Trials) {
        self.tell(Event::TrialsWanted(Arc::new(trials)));
    }

    pub fn stop_trials(self) {
        self.tell(Event::TrialsStopped);
    }

    /// Applies an offered remedy to the study. The user can undo this.
    pub fn take_offer(self, offer: Offer) {
        let before = self.study.get_untracked();
        let what = format!("{}: the study is run so now.", offer.remedy.name());
        self.edit(move |study| offer.remedy.apply(study));
        self.run_all();
        let undo: crate::app::state::Act = Arc::new(move || {
            let Study { treatment, partitions, schedulers, .. } = before.clone();
            self.edit(move |study| {
                study.treatment = treatment;
                study.partitions = partitions;
                study.schedulers = schedulers;
            });
        });
        self.notify(what, Some(undo));
    }
}
