//! The start of a session, and the state that survives a reload.

use crate::address::PagePlace;
use crate::app::arrival::Arrival;
use crate::app::pool::{Backend, Pool, most_runners};
use crate::app::prelude::*;
use crate::app::remembered::{self, Restored, SetAside};
use crate::app::state::{App, KnownLog, LogState, RecentStudy, Tab, ThemeChoice};
use crate::app::store::{self, StoredLog};
use crate::app::{LongLived, files};
use crate::run_queue::{Event, RunQueue};
use leptos::task::spawn_local;
use packfair_engine::metric::Metric;
use packfair_study::Study;
use packfair_study::check::Problem;
use packfair_study::limits::{LONGEST_REMEMBERED, LONGEST_SESSION, MOST_RECENT};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

const SESSION: &str = "packfair.session";
const RECENT: &str = "packfair.recent";

/// What is on screen, as it is stored.
#[derive(Serialize, Deserialize)]
struct Session {
    study: Study,
    view: Tab,
    relative: bool,
    theme: ThemeChoice,
}

/// The message after a page that failed while it restored the last session.
const FAILED: &str = "The page failed while it restored the last session. This time it starts without it.";

/// The stored text of the session of this tab or, if it has none, of the tab that was used last.
fn stored_session() -> Option<String> {
    remembered::get_text(SESSION, LONGEST_SESSION)
}

/// Reads a stored session. It may come from another version or from anyone, so it is checked like a file.
fn read_session(text: &str) -> Result<Session, String> {
    // by way of a value, from which recent studies are read too: one reader of studies is enough for a first view
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut session: Session = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let words = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    session.study = session.study.checked().map_err(words)?;
    Ok(session)
}

/// The recent studies: those that were on screen before this one. Studies that this version cannot run are left out.
fn stored_recent() -> Vec<RecentStudy> {
    let stored: Vec<serde_json::Value> = remembered::get_newest(RECENT).unwrap_or_default();
    let read = |value| {
        let RecentStudy { study, left_at } = serde_json::from_value(value).ok()?;
        Some(RecentStudy { study: study.checked().ok()?, left_at })
    };
    stored.into_iter().take(MOST_RECENT).filter_map(read).collect()
}

impl App {
    /// The state of a page that has just been opened. Also starts everything that goes on by itself: the page takes up
    /// the link it was opened with or, without one, the last session or, without one, a generated workload.
    pub fn begin_session() -> App {
        let listener = Rc::new(Cell::new(None::<App>));
        let heard = listener.clone();
        let pool = Pool::new(Rc::new(move |what| {
            if let Some(app) = heard.get() {
                app.heard(what);
            }
        }));
        let failed = remembered::restoring_failed_with();
        remembered::end_restoring();
        let (session, lost) = match stored_session() {
            Some(text) if failed == Some(Restored::Session) => (None, Some((FAILED.to_owned(), text))),
            Some(text) => match read_session(&text) {
                Ok(session) => (Some(session), None),
                Err(why) => (None, Some((format!("What was on screen last cannot be shown: {why}."), text))),
            },
            None => (None, None),
        };
        if session.is_some() {
            remembered::begin_restoring(Restored::Session);
        }
        let place = PagePlace::of_page();
        let view =
            if place == PagePlace::default() { session.as_ref().map(|session| session.view) } else { place.view };
        let study = session.as_ref().map_or_else(Study::first_visit, |session| session.study.clone());
        let is_new = is_first_visit(&study, &place);
        let queue = RunQueue::new(study.clone(), most_runners(), super::runs::interrupted_runs());
        let app = App {
            study: RwSignal::new(study),
            library: RwSignal::new(Vec::new()),
            log: RwSignal::new(LogState::Absent),
            rows: RwSignal::new(Vec::new()),
            partition: RwSignal::new(None),
            view: RwSignal::new(view.unwrap_or_default()),
            is_new: RwSignal::new(is_new),
            lesson: RwSignal::new(place.lesson.clone()),
            highlighted: RwSignal::new(None),
            relative: RwSignal::new(session.as_ref().is_none_or(|session| session.relative)),
            sorting: RwSignal::new(None),
            charted: RwSignal::new(Vec::new()),
            window: RwSignal::new(None),
            on_several_logs: RwSignal::new(false),
            fairness: RwSignal::new(Metric::P2sf),
            notices: RwSignal::new(Vec::new()),
            verdict: RwSignal::new(None),
            concern: RwSignal::new(remembered::get_newest(remembered::CONCERN).unwrap_or_default()),
            recipe: RwSignal::new(None),
            taken_for: RwSignal::new(None),
            shared: RwSignal::new(None),
            shared_before: RwSignal::new(None),
            repeats: RwSignal::new(None),
            trials: RwSignal::new(None),
            site: RwSignal::new(None),
            asked: RwSignal::new(None),
            asks: RwSignal::new(false),
            offered: RwSignal::new(None),
            offers: RwSignal::new(false),
            theme: RwSignal::new(session.as_ref().map_or(ThemeChoice::System, |session| session.theme)),
            recent: RwSignal::new(stored_recent()),
            backend: StoredValue::new_local(Backend::new(queue, pool, session.is_none() && lost.is_none())),
        };
        listener.set(Some(app));
        app.list_library();
        if let Some((why, text)) = lost {
            app.offer(why, "Save it", move || {
                files::save("packfair-session.json", "application/json", text.as_bytes())
            });
        }
        app.tell_set_aside();
        // parts of the page read their remembered values when they are created
        set_timeout(move || app.tell_set_aside(), Duration::ZERO);
        if failed == Some(Restored::Link) {
            app.offer_link();
            app.begin_at(&PagePlace { link: None, ..place });
        } else if !place.link.as_deref().is_some_and(|link| app.open_link(link)) {
            app.begin_at(&place);
        }
        Effect::new(move |_| {
            let is_other = app.shared.with(Option::is_some) || app.study.with(|study| !is_of_first_visit(study));
            if is_other {
                app.go_on();
            }
        });
        Effect::new(move |_| {
            app.view.track();
            app.relative.track();
            app.theme.track();
            app.save_session();
        });
        app
    }

    /// Tells the user about remembered texts that could not be used, and offers them.
    fn tell_set_aside(self) {
        for SetAside { key, why, text } in remembered::set_aside() {
            let message = format!("What was stored as {key} is set aside: {why}.");
            let name = format!("{key}.txt");
            self.offer(message, "Save it", move || files::save(&name, "text/plain", text.as_bytes()));
        }
    }

    /// Opens the log that was being read when the page was reloaded or, if there is none, that of the address or,
    /// without one, the study's.
    fn begin_at(self, place: &PagePlace) {
        self.follow_study();
        match (Arrival::interrupted(), &place.log) {
            (Some(arrival), _) => self.load_interrupted(arrival),
            (None, Some(log)) => self.open(log.clone()),
            (None, None) => self.open(self.study.get_untracked().source),
        }
    }

    /// Shows the study again that was on screen before a link was opened, without its log.
    pub(super) fn resume_session(self) {
        self.tell(Event::SharedLeft);
        self.shared.set(None);
        self.study.renew(remembered_session().map_or_else(Study::first_visit, |session| session.study));
        self.follow_study();
    }

    /// Adds the study that was on screen before a link was opened to the recent studies.
    pub(super) fn remember_session(self) {
        if let Some(session) = remembered_session() {
            self.save_recent(Some(RecentStudy { study: session.study, left_at: js_sys::Date::now() }));
        }
    }

    fn list_library(self) {
        spawn_local(async move {
            let Ok(logs) = store::logs().await else { return };
            // deletes what is too old to be of use; if that fails, it merely takes up room
            let _ = store::tidy(&logs).await;
            self.library.change(|library| {
                for StoredLog { source, name, records, bytes, .. } in logs {
                    if !library.iter().any(|l| l.source.key() == source.key()) {
                        library.push(KnownLog { source, name, records, bytes });
                    }
                }
            });
            // results that stay behind take up room and do no harm
            let _ = store::forget_other_engines().await;
        });
    }

    /// Stores what is on screen. The result of a link is not stored: the link holds it.
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

    /// Puts a study first among the recent studies. Other browser tabs may have added studies meanwhile; those are
    /// kept.
    pub(super) fn save_recent(self, first: Option<RecentStudy>) {
        let mut recent: Vec<RecentStudy> = first.into_iter().collect();
        let others = stored_recent();
        for other in self.recent.get_untracked().into_iter().chain(others) {
            if !recent.iter().any(|known| known.study == other.study) {
                recent.push(other);
            }
        }
        recent.sort_by(|a, b| b.left_at.total_cmp(&a.left_at));
        recent.truncate(MOST_RECENT);
        self.set_recent(recent);
    }

    /// Removes a recent study, whichever tab added it. The user can undo this.
    pub fn forget_recent(self, forgotten: &RecentStudy) {
        let mut recent = stored_recent();
        recent.retain(|known| known.study != forgotten.study);
        self.set_recent(recent);
        let back = forgotten.clone();
        let said = format!("A study of {} was forgotten.", back.study.source.name());
        self.notify(said, Some(Arc::new(move || self.save_recent(Some(back.clone())))));
    }

    fn set_recent(self, mut recent: Vec<RecentStudy>) {
        // a text that is too long to be read again is not stored
        while recent.len() > 1 && serde_json::to_string(&recent).is_ok_and(|text| text.len() > LONGEST_REMEMBERED) {
            recent.pop();
        }
        remembered::set_newest(RECENT, &recent);
        self.recent.set(recent);
    }
}

/// Whether a study asks for what a first visit begins with.
fn is_of_first_visit(study: &Study) -> bool {
    let first = Study::first_visit();
    study.source == first.source && study.schedulers == first.schedulers && study.methods == first.methods
}

/// Whether the page is opened by somebody who has not opened a log or asked for anything yet.
fn is_first_visit(study: &Study, place: &PagePlace) -> bool {
    place.link.is_none()
        && place.log.as_ref().is_none_or(|log| *log == study.source)
        && remembered::get_newest(remembered::STARTED) != Some(true)
        && is_of_first_visit(study)
}

/// The session of this tab or, if it has none, of the tab that was used last.
fn remembered_session() -> Option<Session> {
    read_session(&stored_session()?).ok()
}
