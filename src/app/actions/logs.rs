//! Logs: opening, keeping, taking away.

use crate::app::engine::{Open, Origin};
use crate::app::prelude::*;
use crate::app::protocol::{FromWorker, LogId, ToWorker};
use crate::app::state::{App, Described, LogState, Shelved};
use crate::app::store::{self, StoredLog};
use crate::study::{Generated, Source, Study, Treatment};
use crate::workload::{Account, Summary};
use leptos::task::spawn_local;
use std::sync::Arc;
use wasm_bindgen::JsValue;

impl App {
    /// Makes a workload and makes it the active log.
    pub fn generate(self, generated: Generated) {
        self.begin(generated.name(), Origin::Generator(generated));
    }

    /// Makes a log of the library the active one.
    pub fn open(self, source: Source) {
        self.stop_loading();
        match source {
            Source::Generated(generated) => self.generate(generated),
            Source::Trace { ref name, .. } => {
                let name = name.clone();
                self.log.set(LogState::Loading { name: name.clone(), fraction: 0.0 });
                spawn_local(async move {
                    let message = match stored_file(&source).await {
                        Ok(Some(blob)) => return self.begin(name.clone(), Origin::File { name, blob }),
                        Ok(None) => "This log is not stored here any more. Drop its file on the page again.".into(),
                        Err(message) => {
                            format!(
                                "The browser does not say what it has stored ({message}). Drop the file on the page again."
                            )
                        }
                    };
                    self.log.set(LogState::Failed { name, message });
                });
            }
        }
    }

    /// Takes a log and its results out of the library and the storage; can be undone.
    pub fn remove_log(self, source: Source) {
        let Some(shelved) = self.library.get_untracked().into_iter().find(|log| log.source == source) else { return };
        self.library.update(|library| library.retain(|log| log.source != source));
        if self.study.get_untracked().source.key() == source.key() {
            let next = self.library.with_untracked(|library| library.first().map(|log| log.source.clone()));
            self.open(next.unwrap_or_else(|| Study::first_visit().source));
        }
        spawn_local(async move {
            let deleted = store::delete_log(&source).await.unwrap_or_else(|message| {
                self.complain(format!("The log could not be deleted from the browser's storage: {message}"));
                store::Deleted::default()
            });
            let undo = Callback::new(move |()| {
                self.shelve(shelved.clone());
                let deleted = deleted.clone();
                spawn_local(async move {
                    if let Err(message) = store::restore(&deleted).await {
                        self.complain(format!("The log could not be put back into the browser's storage: {message}"));
                    }
                });
            });
            self.notify("The log and its results were deleted.", Some(undo));
        });
    }

    /// A worker begins to read or make a log.
    pub(super) fn begin(self, name: String, origin: Origin) {
        self.stop_loading();
        self.log.set(LogState::Loading { name: name.clone(), fraction: 0.0 });
        let started = self.with_engine(|engine| {
            let desk = engine.pool.desk()?;
            let log = engine.number();
            engine.origins.insert(log, origin);
            engine.loading = Some(log);
            engine.give_log(desk, log);
            Ok(())
        });
        if let Err(message) = started {
            self.log.set(LogState::Failed { name, message });
        }
    }

    /// Another log is wanted than the one that is being read or described.
    pub(super) fn stop_loading(self) {
        self.forget_arrival();
        self.with_engine(|engine| {
            engine.describing = None;
            if let (Some(log), Ok(desk)) = (engine.loading.take(), engine.pool.desk()) {
                engine.pool.send(desk, &ToWorker::Forget { log }, &JsValue::UNDEFINED);
            }
        });
    }

    /// So much of a log is read.
    pub(super) fn log_progressed(self, log: LogId, fraction: f64) {
        if self.with_engine(|engine| engine.loading == Some(log)) {
            self.log.update(|state| {
                if let LogState::Loading { fraction: so_far, .. } = state {
                    *so_far = fraction;
                }
            });
        }
    }

    /// A log is read. Where it is the one that is waited for, it becomes the active one.
    pub(super) fn log_loaded(self, message: FromWorker) {
        let FromWorker::Loaded { log, fingerprint, header, records, name, others } = message else { return };
        if !self.with_engine(|engine| engine.loading == Some(log)) {
            return; // a runner, or a desk that was replaced, has read a log that is known
        }
        let Some(origin) = self.with_engine(|engine| {
            engine.loading = None;
            engine.origins.get(&log).cloned()
        }) else {
            return;
        };
        let (source, name, blob) = match origin {
            Origin::File { name: file, blob } => {
                self.say_what_was_read(&file, &name, &others);
                (Source::Trace { name: name.clone(), fingerprint }, name, Some(blob))
            }
            Origin::Generator(generated) => (Source::Generated(generated.clone()), generated.name(), None),
        };
        let replaced = self.with_engine(|engine| {
            engine.kept.clear();
            engine.open.replace(Open { id: log, source: source.clone(), fingerprint, header, records })
        });
        let shared = self.shared.get_untracked();
        if shared.is_some() {
            if self.study.get_untracked().source.key() != source.key() {
                self.leave_shared();
            }
        } else {
            self.resume_shared(&source);
        }
        let bytes = blob.as_ref().map_or(0, |blob| blob.size() as u64);
        self.shelve(Shelved { source: source.clone(), name: name.clone(), records, bytes });
        self.remember_log(StoredLog { source: source.clone(), name, records, bytes, content: None });
        let before = self.study.get_untracked().source;
        if before != source {
            let is_another = before.key() != source.key();
            if is_another {
                self.remember_study();
            }
            let returning = self.with_engine(|engine| engine.returning.take());
            let returning = returning.filter(|(left, _)| left.key() == source.key()).map(|(_, treatment)| treatment);
            self.study.update(|study| {
                study.source = source;
                if is_another {
                    // a filter, a machine's size and a load mean something for their own log only
                    let cleaning = study.treatment.cleaning;
                    study.treatment = returning.unwrap_or(Treatment { cleaning, ..Treatment::default() });
                }
            });
        }
        self.abandon_outdated();
        if let Some(replaced) = replaced {
            self.forget(replaced.id);
        }
        self.follow_study();
        self.describe();
    }

    /// Workers need not keep a log that no run is on any more.
    fn forget(self, log: LogId) {
        self.with_engine(|engine| {
            if !engine.tasks().any(|task| task.log == log) {
                engine.pool.send_to_all(&ToWorker::Forget { log });
                engine.origins.remove(&log);
                engine.packed.take_if(|packed| packed.log == log);
            }
        });
    }

    /// An archive is called otherwise than the log in it, and may hold others.
    fn say_what_was_read(self, file: &str, log: &str, others: &[String]) {
        let others = match others {
            // what is remembered is called as the log itself, and said once is enough
            _ if file == log => return,
            [] => return,
            [other] => format!("{other} is not read"),
            [first, rest @ ..] => format!("{first} and {} more are not read", rest.len()),
        };
        self.notify(format!("{log} out of {file} is shown; {others}. To see another, unpack it and drop it."), None);
    }

    fn shelve(self, log: Shelved) {
        self.library.update(|library| {
            library.retain(|l| l.source.key() != log.source.key());
            library.insert(0, log);
        });
    }

    /// A log cannot be read.
    pub(super) fn log_failed(self, log: LogId, message: String) {
        if self.with_engine(|engine| engine.loading == Some(log)) {
            self.with_engine(|engine| engine.loading = None);
            self.forget_arrival();
            let name = match self.log.get_untracked() {
                LogState::Loading { name, .. } => name,
                _ => String::new(),
            };
            self.log.set(LogState::Failed { name, message });
        }
    }

    /// Asks what the active log is like with the study's treatment.
    pub(super) fn describe(self) {
        let treatment = self.study.get_untracked().treatment;
        self.with_engine(|engine| {
            let Some(log) = engine.open.as_ref().map(|open| open.id) else { return };
            let Ok(desk) = engine.pool.desk() else { return };
            let ticket = engine.number();
            engine.describing = Some(ticket);
            engine.give_log(desk, log);
            engine.pool.send(desk, &ToWorker::Describe { ticket, log, treatment }, &JsValue::UNDEFINED);
        });
    }

    /// The active log was described.
    pub(super) fn described(self, ticket: u32, summary: Summary, unfiltered: Option<Box<Summary>>, account: Account) {
        let Some(open) = self.with_engine(|engine| {
            (engine.describing == Some(ticket)).then(|| engine.describing = None).and(engine.open.clone())
        }) else {
            return;
        };
        let is_trace = matches!(open.source, Source::Trace { .. });
        self.log.set(LogState::Ready(Arc::new(Described {
            summary,
            unfiltered,
            account,
            header: open.header,
            fingerprint: is_trace.then_some(open.fingerprint),
            records: open.records,
            treatment: self.study.get_untracked().treatment,
        })));
        if self.with_engine(|engine| std::mem::take(&mut engine.run_when_described)) {
            self.run_all();
        } else {
            self.run_if_quick();
        }
    }

    /// The active log has no usable job with the present treatment.
    pub(super) fn description_failed(self, message: String) {
        let name = self.with_engine(|engine| {
            engine.describing = None;
            engine.open.as_ref().map(|open| open.source.name())
        });
        self.log.set(LogState::Failed { name: name.unwrap_or_default(), message });
    }
}

/// The file of a log that this browser remembers; none where it does not.
async fn stored_file(source: &Source) -> store::Result<Option<web_sys::Blob>> {
    match store::logs().await?.into_iter().find(|log| log.source.key() == source.key()) {
        Some(log) => store::file(log).await,
        None => Ok(None),
    }
}
