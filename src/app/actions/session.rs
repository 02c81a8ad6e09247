//! Beginning, and what survives a reload.

use crate::address::Place;
use crate::app::arrival::Arrival;
use crate::app::engine::Engine;
use crate::app::pool::Pool;
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState, RecentStudy, Shelved, Theme, View};
use crate::app::store::{self, StoredLog};
use crate::metric::Metric;
use crate::study::Study;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::rc::Rc;

const SESSION: &str = "packfair.session";
const RECENT: &str = "packfair.recent";

/// How many studies are remembered.
const MOST_RECENT: usize = 20;

/// What is on screen.
#[derive(Serialize, Deserialize)]
struct Session {
    study: Study,
    view: View,
    relative: bool,
    theme: Theme,
}

impl App {
    /// The state of a page that has just been opened, and all that goes on by itself: it takes up the
    /// link it was opened with, else the session before, else it shows a generated workload.
    pub fn begin_session() -> App {
        let listener = Rc::new(Cell::new(None::<App>));
        let heard = listener.clone();
        let pool = Pool::new(Rc::new(move |event| {
            if let Some(app) = heard.get() {
                app.heard(event);
            }
        }));
        let session = remembered_session();
        let place = Place::of_page();
        let view = if place == Place::default() { session.as_ref().map(|session| session.view) } else { place.view };
        let app = App {
            study: RwSignal::new(session.as_ref().map_or_else(Study::first_visit, |session| session.study.clone())),
            library: RwSignal::new(Vec::new()),
            log: RwSignal::new(LogState::Absent),
            rows: RwSignal::new(Vec::new()),
            view: RwSignal::new(view.unwrap_or_default()),
            highlighted: RwSignal::new(None),
            relative: RwSignal::new(session.as_ref().is_none_or(|session| session.relative)),
            sorting: RwSignal::new(None),
            charted: RwSignal::new(Vec::new()),
            window: RwSignal::new(None),
            touring: RwSignal::new(false),
            fairness: RwSignal::new(Metric::P2sf),
            notices: RwSignal::new(Vec::new()),
            shared: RwSignal::new(None),
            left: RwSignal::new(None),
            theme: RwSignal::new(session.as_ref().map_or(Theme::System, |session| session.theme)),
            first_visit: RwSignal::new(session.is_none()),
            recent: RwSignal::new(remembered::get_newest::<Vec<RecentStudy>>(RECENT).unwrap_or_default()),
            engine: StoredValue::new_local(Engine::new(pool)),
        };
        listener.set(Some(app));
        app.list_library();
        if !place.link.as_deref().is_some_and(|link| app.open_link(link)) {
            app.begin_at(&place);
        }
        Effect::new(move |_| {
            app.view.track();
            app.relative.track();
            app.theme.track();
            app.save_session();
        });
        app
    }

    /// Opens the log that was being read when the page was loaded again, else that of the address, else the study's.
    fn begin_at(self, place: &Place) {
        self.follow_study();
        match (Arrival::interrupted(), &place.log) {
            (Some(arrival), _) => self.load_interrupted(arrival),
            (None, Some(log)) => self.open(log.clone()),
            (None, None) => self.open(self.study.get_untracked().source),
        }
    }

    /// Puts the study that was on screen before a link was opened there again, without its log.
    pub(super) fn resume_session(self) {
        self.shared.set(None);
        self.study.set(remembered_session().map_or_else(Study::first_visit, |session| session.study));
        self.follow_study();
    }

    /// Puts the study that was on screen before a link was opened among the recent ones.
    pub(super) fn remember_session(self) {
        if let Some(session) = remembered_session() {
            self.save_recent(Some(RecentStudy { study: session.study, left_at: js_sys::Date::now() }));
        }
    }

    fn list_library(self) {
        spawn_local(async move {
            let Ok(logs) = store::logs().await else { return };
            // what is too old to be of use takes no room; where it cannot be deleted, it does
            let _ = store::tidy(&logs).await;
            self.library.update(|library| {
                for StoredLog { source, name, records, bytes, .. } in logs {
                    if !library.iter().any(|l| l.source.key() == source.key()) {
                        library.push(Shelved { source, name, records, bytes });
                    }
                }
            });
        });
    }

    /// Remembers what is on screen; a result out of a link is not, for the link does.
    pub(super) fn save_session(self) {
        if self.shared.with_untracked(Option::is_some) {
            return;
        }
        let session = Session {
            study: self.study.get_untracked(),
            view: self.view.get_untracked(),
            relative: self.relative.get_untracked(),
            theme: self.theme.get_untracked(),
        };
        remembered::set(SESSION, &session);
    }

    /// Puts a study first among the recent ones, to which other tabs of the browser may have added meanwhile.
    pub(super) fn save_recent(self, first: Option<RecentStudy>) {
        let mut recent: Vec<RecentStudy> = first.into_iter().collect();
        let others = remembered::get_newest::<Vec<RecentStudy>>(RECENT).unwrap_or_default();
        for other in self.recent.get_untracked().into_iter().chain(others) {
            if !recent.iter().any(|known| known.study == other.study) {
                recent.push(other);
            }
        }
        recent.sort_by(|a, b| b.left_at.total_cmp(&a.left_at));
        recent.truncate(MOST_RECENT);
        self.set_recent(recent);
    }

    /// Forgets a recent study, in whichever tab it was.
    pub fn forget_recent(self, forgotten: &RecentStudy) {
        let mut recent = remembered::get_newest::<Vec<RecentStudy>>(RECENT).unwrap_or_default();
        recent.retain(|known| known.study != forgotten.study);
        self.set_recent(recent);
    }

    fn set_recent(self, recent: Vec<RecentStudy>) {
        remembered::set_newest(RECENT, &recent);
        self.recent.set(recent);
    }
}

/// What was on screen in this tab, else in the one that was used last.
fn remembered_session() -> Option<Session> {
    remembered::get::<Session>(SESSION).filter(|session| session.study.check().is_ok())
}
