//! Trying what may be wrong where the model explains little of the log.

use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::run_queue::Event;
use crate::study::verdict::{Fit, Offer, Trials};
use crate::study::{Study, models};
use std::sync::Arc;

impl App {
    /// What may be wrong with the study as it stands, all runs of which have ended; none where its fit is good.
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

    /// What they would take, seconds; none while it cannot be told.
    pub fn seconds_trials(self, trials: &Trials) -> Option<f64> {
        let run = self.results().into_iter().find(|outcome| trials.is_tried_with(&outcome.report.run))?;
        let of_run = self.seconds_exploring(&run.report.run, 1.0, 1)?;
        Some(trials.seconds(of_run))
    }

    /// Tries it in the background.
    pub fn want_trials(self, trials: Trials) {
        self.tell(Event::TrialsWanted(Arc::new(trials)));
    }

    /// Stops that.
    pub fn stop_trials(self) {
        self.tell(Event::TrialsStopped);
    }

    /// Takes what is offered; can be undone.
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
