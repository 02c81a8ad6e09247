//! Changing the study.

use crate::app::long_lived::LongLived;
use crate::app::prelude::*;
use crate::app::state::{App, RecentStudy};
use crate::metric::{Aim, Metric};
use crate::run_queue::Event;
use crate::study::verdict::Concern;
use crate::study::{Run, Study, advice, put_back, taken_out};
use std::sync::Arc;

impl App {
    /// Changes the study. Rows follow, and results that are still valid are kept. The user can undo the removal of
    /// rows.
    pub fn edit(self, change: impl FnOnce(&mut Study) + 'static) {
        let before = self.study.get_untracked();
        let mut after = before.clone();
        change(&mut after);
        let said = taken_out(&before, &after);
        self.take_study(before.clone(), after);
        if let Some(said) = said {
            self.notify(
                said,
                Some(Arc::new(move || {
                    let mut back = self.study.get_untracked();
                    put_back(&mut back, &before);
                    self.take_study(self.study.get_untracked(), back);
                })),
            );
        }
    }

    fn take_study(self, before: Study, after: Study) {
        if after == before {
            return;
        }
        let treated_anew = after.treatment != before.treatment;
        self.study.renew(after);
        self.follow_study();
        if treated_anew {
            self.tell(Event::TreatmentChanged);
        }
    }

    /// Replaces the study by a recipe or an opened file, on the active log. The user can undo this.
    pub fn replace_study(self, mut study: Study, why: String) {
        let before = self.study.get_untracked();
        let moved = advice::transfer(&mut study, &before.source);
        if study == before {
            return;
        }
        let why = moved.map_or(why.clone(), |moved| format!("{why} {moved}"));
        self.remember_study();
        self.take_study(before.clone(), study);
        self.notify(
            why,
            Some(Arc::new(move || {
                let now = self.study.get_untracked();
                let back = Study { source: now.source.clone(), ..before.clone() };
                self.take_study(now, back);
            })),
        );
    }

    /// Removes a row from the table. The user can undo this.
    pub fn remove_row(self, run: Run) {
        self.cancel(run.clone());
        let name = format!("{} with {}", run.scheduler.name(), run.estimate);
        let back = run.clone();
        self.edit(move |study| study.removed.push(run));
        self.notify(
            format!("{name} was taken out."),
            Some(Arc::new(move || {
                let back = back.clone();
                self.edit(move |study| study.removed.retain(|r| *r != back));
            })),
        );
    }

    /// Sorts the table by the first of these columns that serves this concern, if one does.
    pub fn sort_for(self, concern: Concern, columns: &[Metric]) {
        let is_high = |metric: Metric| metric.about().aim == Aim::High;
        self.sorting.set(concern.sorts_by(columns).map(|metric| (metric, is_high(metric))));
    }

    /// Adds the study on screen to the recent studies.
    pub(super) fn remember_study(self) {
        let study = self.study.get_untracked();
        self.save_recent(Some(RecentStudy { study, left_at: js_sys::Date::now() }));
    }

    /// Opens a recent study, with its log if that is still remembered.
    pub fn open_recent(self, recent: RecentStudy) {
        self.remember_study();
        let source = recent.study.source.clone();
        let same_log = source == self.study.get_untracked().source;
        self.study.renew(recent.study);
        self.tell(Event::SharedLeft);
        self.shared.set(None);
        self.shared_before.set(None);
        self.follow_study();
        if same_log {
            self.tell(Event::TreatmentChanged);
        } else {
            self.open(source);
        }
    }

    /// Makes the rows follow the study, each with its latest result, and stores the study.
    pub(super) fn follow_study(self) {
        self.save_session();
        self.tell(Event::StudyChanged(Box::new(self.study.get_untracked())));
    }
}
