//! Beginning, and what survives a reload.

use crate::app::engine::Engine;
use crate::app::files;
use crate::app::pool::Pool;
use crate::app::prelude::*;
use crate::app::restoring::{self, Restored};
use crate::app::state::{App, LogState, RecentStudy, Shelved, Theme, View};
use crate::app::store;
use crate::metric::Metric;
use crate::study::Study;
use crate::study::check::Problem;
use crate::study::limits::MOST_RECENT;
use gloo::storage::{LocalStorage as Remembered, Storage};
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::rc::Rc;

const SESSION: &str = "packfair.session";
const RECENT: &str = "packfair.recent";

/// What is on screen.
#[derive(Serialize, Deserialize)]
struct Session {
    study: Study,
    view: View,
    relative: bool,
    theme: Theme,
}

/// The page did not survive the session before.
const FAILED: &str = "The page failed when it showed again what was on screen last. It begins without it this time.";

/// The session before as it is stored.
fn stored_session() -> Option<String> {
    Remembered::raw().get_item(SESSION).ok().flatten()
}

/// What is stored comes from another version, or from anybody: it is checked as a file is.
fn read_session(text: &str) -> Result<Session, String> {
    let mut session: Session = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let words = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    session.study = session.study.checked().map_err(words)?;
    Ok(session)
}

/// The studies that were on screen before, without those that cannot be run here.
fn stored_recent() -> Vec<RecentStudy> {
    let stored: Vec<serde_json::Value> = Remembered::get(RECENT).unwrap_or_default();
    let read = |value| {
        let RecentStudy { study, left_at } = serde_json::from_value(value).ok()?;
        Some(RecentStudy { study: study.checked().ok()?, left_at })
    };
    stored.into_iter().take(MOST_RECENT).filter_map(read).collect()
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
        let failed = restoring::failed_with();
        restoring::forget();
        let (session, lost) = match stored_session() {
            Some(text) if failed == Some(Restored::Session) => (None, Some((FAILED.to_owned(), text))),
            Some(text) => match read_session(&text) {
                Ok(session) => (Some(session), None),
                Err(why) => (None, Some((format!("What was on screen last cannot be shown: {why}."), text))),
            },
            None => (None, None),
        };
        if session.is_some() {
            restoring::begin(Restored::Session);
        }
        let app = App {
            study: RwSignal::new(session.as_ref().map_or_else(Study::first_visit, |session| session.study.clone())),
            library: RwSignal::new(Vec::new()),
            log: RwSignal::new(LogState::Absent),
            rows: RwSignal::new(Vec::new()),
            view: RwSignal::new(session.as_ref().map_or(View::Compare, |session| session.view)),
            highlighted: RwSignal::new(None),
            relative: RwSignal::new(session.as_ref().is_none_or(|session| session.relative)),
            sorting: RwSignal::new(None),
            charted: RwSignal::new(Vec::new()),
            window: RwSignal::new(None),
            touring: RwSignal::new(false),
            fairness: RwSignal::new(Metric::P2sf),
            notices: RwSignal::new(Vec::new()),
            shared: RwSignal::new(None),
            theme: RwSignal::new(session.as_ref().map_or(Theme::System, |session| session.theme)),
            first_visit: RwSignal::new(session.is_none() && lost.is_none()),
            recent: RwSignal::new(stored_recent()),
            engine: StoredValue::new_local(Engine::new(pool)),
        };
        listener.set(Some(app));
        app.list_library();
        if let Some((why, text)) = lost {
            app.offer(why, "Save it", move || {
                files::save("packfair-session.json", "application/json", text.as_bytes())
            });
        }
        if failed == Some(Restored::Link) {
            app.offer_link();
            app.take_up();
        } else if !app.open_fragment() {
            app.take_up();
        }
        app.watch_fragment();
        Effect::new(move |_| {
            app.view.track();
            app.relative.track();
            app.theme.track();
            app.save_session();
        });
        app
    }

    /// Opens the log of the study; a generated one is run.
    pub(super) fn take_up(self) {
        self.follow_study();
        self.open(self.study.get_untracked().source);
    }

    fn list_library(self) {
        spawn_local(async move {
            let logs = store::logs().await.unwrap_or_default();
            self.library.update(|library| {
                for log in logs {
                    if !library.iter().any(|l| l.source.key() == log.source.key()) {
                        let bytes = log.blob.as_ref().map_or(0, |blob| blob.size() as u64);
                        library.push(Shelved { source: log.source, name: log.name, records: log.records, bytes });
                    }
                }
            });
            // what stays behind takes room, and does no harm
            let _ = store::forget_other_engines().await;
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
        // where nothing can be stored, nothing is remembered
        let _ = Remembered::set(SESSION, session);
    }

    pub(super) fn save_recent(self) {
        let _ = Remembered::set(RECENT, self.recent.get_untracked());
    }
}
