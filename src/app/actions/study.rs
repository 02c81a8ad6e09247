//! Changing the study.

use crate::address::{PagePlace, Tab};
use crate::app::LongLived;
use crate::app::pool::OfferedScripts;
use crate::app::prelude::*;
use crate::app::state::{Act, App, RecentStudy};
use crate::run_queue::Event;
use packfair_base::catalogue::Script;
use packfair_engine::metric::{Aim, Metric};
use packfair_study::verdict::Concern;
use packfair_study::{Run, Study, Treatment, advice, put_back, taken_out};
use std::cell::RefCell;
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

// Scripts that came with a link or a file: they run only with the user's consent.

thread_local! {
    /// Scripts that may run: those written here, and those to which the user has consented. Each is kept once, so that
    /// its address identifies it.
    static TRUSTED: RefCell<Vec<&'static Script>> = const { RefCell::new(Vec::new()) };
}

fn scripts_of(study: &Study) -> impl Iterator<Item = &'static Script> + '_ {
    study.schedulers.iter().filter_map(|policy| policy.settings().script())
}

impl App {
    /// Opens a study from elsewhere by calling `open`. If it has scripts that are not trusted yet, the user is asked
    /// first. Returns whether the study was opened at once.
    pub fn open_with_scripts(self, study: &Study, open: Act) -> bool {
        if scripts_of(study).next().is_none() {
            open();
            return true;
        }
        self.ask_for_scripts(study, open)
    }

    #[inline(never)]
    fn ask_for_scripts(self, study: &Study, open: Act) -> bool {
        let own: Vec<&Script> = self.study.with_untracked(|own| scripts_of(own).collect());
        let is_known = |script: &&'static Script| {
            own.iter().any(|own| std::ptr::eq(*own, *script)) || TRUSTED.with_borrow(|trusted| trusted.contains(script))
        };
        let mut unknown: Vec<&'static Script> = scripts_of(study).filter(|script| !is_known(script)).collect();
        unknown.dedup();
        if unknown.is_empty() {
            open();
            return true;
        }
        self.offered.set(Some(OfferedScripts { scripts: unknown, accept: open }));
        self.offers.set(true);
        false
    }

    /// Whether the dialog that asks about the scripts is shown. Closing it resets this.
    #[inline(always)]
    pub fn scripts_dialog(self) -> RwSignal<bool> {
        self.offers
    }

    /// Trusts the scripts about which the user was asked, and opens their study.
    pub fn accept_scripts(self) {
        self.offers.set(false);
        if let Some(OfferedScripts { scripts, accept }) = self.offered.get_untracked() {
            TRUSTED.with_borrow_mut(|trusted| trusted.extend(scripts));
            self.offered.set(None);
            accept();
        }
    }

    /// Leaves the study of the scripts unopened.
    pub fn decline_scripts(self) {
        self.offers.set(false);
        self.offered.set(None);
    }
}

// Goes to the place that an address names.

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
