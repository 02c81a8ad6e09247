//! Opening, keeping and removing logs.

use crate::app::database;
use crate::app::long_lived::LongLived;
use crate::app::prelude::*;
use crate::app::state::{App, KnownLog, Tab};
use crate::app::store::{self, StoredLog};
use crate::run_queue::{Encoded, Event, LogExtras, Opened, Origin};
use leptos::task::spawn_local;
use packfair_schedulers::Policy;
use packfair_study::advice::suit_methods;
use packfair_study::grouped::as_logged;
use packfair_study::{Generated, Source, Study, Treatment};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

impl App {
    pub fn generate(self, generated: Generated) {
        self.begin(generated.name(), Origin::Generator(generated), Encoded::default());
    }

    /// Makes a log of the library the active one.
    pub fn open(self, source: Source) {
        let is_wanted = self.want_log();
        match source {
            Source::Generated(generated) if self.study.with_untracked(|study| study.needed_files().is_empty()) => {
                self.generate(generated);
            }
            Source::Generated(generated) => spawn_local(async move {
                let beside = store::extras(&Source::Generated(generated.clone())).await.unwrap_or_default();
                if is_wanted() {
                    self.begin(generated.name(), Origin::Generator(generated), beside);
                }
            }),
            Source::Trace { ref name, .. } => {
                let name = name.clone();
                self.forget_arrival();
                self.tell(Event::LogWanted { name: name.clone() });
                spawn_local(async move {
                    let file = stored_file(&source).await;
                    let beside = store::extras(&source).await.unwrap_or_default();
                    if !is_wanted() {
                        return;
                    }
                    let message = match file {
                        Ok(Some(blob)) => {
                            return self.begin(name.clone(), Origin::File { name, content: blob.into() }, beside);
                        }
                        Ok(None) => "This log is not stored here any more. Drop its file on the page again.".into(),
                        Err(message) => {
                            format!(
                                "The browser does not say what it has stored ({message}). Drop the file on the page again."
                            )
                        }
                    };
                    self.tell(Event::LogMissing { name, message });
                });
            }
        }
    }

    /// Removes a log and its results from the library and the storage. The user can undo this.
    pub fn remove_log(self, source: Source) {
        let Some(known) = self.library.get_untracked().into_iter().find(|log| log.source == source) else { return };
        self.library.change(|library| library.retain(|log| log.source != source));
        if self.study.get_untracked().source.key() == source.key() {
            let next = self.library.with_untracked(|library| library.first().map(|log| log.source.clone()));
            self.open(next.unwrap_or_else(|| Study::first_visit().source));
        }
        spawn_local(async move {
            let deleted = store::delete_log(&source).await.unwrap_or_else(|message| {
                self.complain(format!("The log could not be deleted from the browser's storage: {message}"));
                store::Deleted::default()
            });
            let undo = Arc::new(move || {
                self.add_to_library(known.clone());
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

    /// Notes that a log is asked for. Returns what tells whether it is still the last one asked for: while the browser
    /// looks for a stored log, the user may open another.
    pub(super) fn want_log(self) -> impl Fn() -> bool {
        let number = self.with_backend(|backend| {
            backend.logs_wanted += 1;
            backend.logs_wanted
        });
        move || self.with_backend(|backend| backend.logs_wanted == number)
    }

    /// Lets a worker begin to read or generate a log.
    pub(super) fn begin(self, name: String, origin: Origin<JsValue>, beside: Encoded<LogExtras>) {
        self.with_backend(|backend| backend.logs_wanted += 1);
        self.forget_arrival();
        self.tell(Event::LogFound { name, origin, beside });
    }

    pub(super) fn take_log(self, opened: Opened<JsValue>) {
        let Opened { source, name, records, file, others, tells_starts, names_requested_times, given } = opened;
        let read = source.clone();
        let is_new = self.library.with_untracked(|logs| logs.iter().all(|log| log.source.key() != source.key()));
        if let Some((file, _)) = &file {
            self.say_what_was_read(file, &name, &others);
        }
        if self.shared.with_untracked(Option::is_some) {
            if self.study.get_untracked().source.key() != source.key() {
                self.leave_shared();
            }
        } else {
            self.resume_shared(&source);
        }
        // who drops a log wants to see what comes of it; what came with it may show more (`keep_beside`)
        let has_come = self.with_backend(|backend| backend.arriving.is_some());
        if has_come && self.view.get_untracked() == Tab::Learn {
            self.show_tab(Tab::Compare);
        }
        let bytes = file.and_then(|(_, content)| content.dyn_into::<Blob>().ok()).map_or(0, |blob| blob.size() as u64);
        self.add_to_library(KnownLog { source: source.clone(), name: name.clone(), records, bytes });
        self.remember_log(StoredLog { source: source.clone(), name, records, bytes, content: None });
        let before = self.study.get_untracked().source;
        if before != source {
            let is_another = before.key() != source.key();
            if is_another {
                self.remember_study();
                // everything on screen is drawn again anyway
                self.forget_readers();
            }
            let returning = self.with_backend(|backend| backend.returning.take());
            let returning = returning.filter(|(left, _)| left.key() == source.key()).map(|(_, treatment)| treatment);
            // the rows of a recipe are its paper's
            let is_recipe = self.recipe.with_untracked(Option::is_some);
            self.study.change(|study| {
                study.source = source;
                if is_another {
                    // a filter, a machine size and a load are meaningful for their own log only
                    let cleaning = study.treatment.cleaning;
                    study.partitions.clear();
                    study.treatment = returning.unwrap_or(Treatment { cleaning, ..Treatment::default() });
                }
                if is_another && is_new && tells_starts && !is_recipe {
                    add_as_logged(study);
                }
                if is_another {
                    suit_methods(study, names_requested_times);
                }
            });
        }
        self.follow_study();
        self.tell(Event::LogTaken);
        self.site.set(None);
        let beside = self.with_backend(|backend| backend.queue.open_origin()).map(|(_, beside)| beside);
        if let Some(beside) = beside.filter(|beside| !beside.is_empty()) {
            self.keep_beside(read, &beside, &given);
        }
    }

    /// Tells the user which log of an archive was read: the archive's name differs from the log's, and it may hold
    /// several logs.
    fn say_what_was_read(self, file: &str, log: &str, others: &[String]) {
        let others = match others {
            // a remembered log has the name of the log itself, and one message is enough
            _ if file == log => return,
            [] => return,
            [other] => format!("{other} is not read"),
            [first, rest @ ..] => format!("{first} and {} more are not read", rest.len()),
        };
        self.notify(format!("{log} out of {file} is shown; {others}. To see another, unpack it and drop it."), None);
    }

    /// Drops the subscribers of signals that seldom change
    /// ([`LongLived::forget_readers`](crate::app::long_lived::LongLived::forget_readers)).
    fn forget_readers(self) {
        self.sorting.forget_readers();
        self.relative.forget_readers();
        self.highlighted.forget_readers();
        self.charted.forget_readers();
        self.window.forget_readers();
        self.fairness.forget_readers();
        self.theme.forget_readers();
        self.shared.forget_readers();
        self.repeats.forget_readers();
        self.trials.forget_readers();
        self.partition.forget_readers();
    }

    fn add_to_library(self, log: KnownLog) {
        self.library.change(|library| {
            library.retain(|l| l.source.key() != log.source.key());
            library.insert(0, log);
        });
    }
}

/// Adds the row "as logged", what the machine really did, to a study that has schedulers but not this one.
#[inline(never)]
fn add_as_logged(study: &mut Study) {
    if study.schedulers.is_empty() || study.schedulers.iter().any(Policy::is_as_logged) {
        return;
    }
    study.schedulers.push(as_logged().scheduler);
}

/// The file of a log that this browser remembers; `None` if it remembers none.
async fn stored_file(source: &Source) -> database::Result<Option<Blob>> {
    match store::logs().await?.into_iter().find(|log| log.source.key() == source.key()) {
        Some(log) => store::file(log).await,
        None => Ok(None),
    }
}
