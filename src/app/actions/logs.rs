//! Opening, keeping and removing logs.

use crate::app::LongLived;
use crate::app::prelude::*;
use crate::app::state::{App, KnownLog, LogState, RunOutcome, RunRow, RunSettings, Tab};
use crate::app::store::{self, StoredLog};
use crate::run_queue::{Encoded, Event, LogExtras, Opened, Origin};
use leptos::task::spawn_local;
use packfair_schedulers::Policy;
use packfair_study::advice::suit_methods;
use packfair_study::grouped::as_logged;
use packfair_study::{Generated, RunPartition, RunReport, Source, Study, Treatment};
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
async fn stored_file(source: &Source) -> store::Result<Option<Blob>> {
    match store::logs().await?.into_iter().find(|log| log.source.key() == source.key()) {
        Some(log) => store::file(log).await,
        None => Ok(None),
    }
}

// Runs the same study on several logs.

/// The settings with which `study` runs on a log. For the log on screen these are the present settings, for any other
/// those with which the page would open it.
fn settings_on(study: &Study, source: &Source) -> RunSettings {
    let mut settings = RunSettings::of(study);
    if settings.source.key() != source.key() {
        settings.treatment = Treatment { cleaning: study.treatment.cleaning, ..Treatment::default() };
        settings.source = source.clone();
    }
    settings
}

impl App {
    pub async fn results_on(self, study: &Study, source: &Source) -> Vec<RunReport> {
        let settings = settings_on(study, source);
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for run in study.runs() {
            let key = settings.key(&run);
            match self.with_backend(|backend| backend.queue.outcome(&key).cloned()) {
                Some(outcome) => found.push(outcome.report.clone()),
                None => missing.push(key),
            }
        }
        if !missing.is_empty() {
            let stored = store::reports(missing).await.unwrap_or_default();
            found.extend(stored.into_iter().map(|(_, report)| report));
        }
        found
    }

    /// Opens the logs one after the other, runs the study on each, and then opens the log on screen again.
    pub fn run_on_logs(self, sources: Vec<Source>) {
        self.tell(Event::RunOnLogs(sources));
    }

    /// Stops running the study on several logs, and the runs under way for it.
    pub fn stop_running_on_logs(self) {
        self.tell(Event::RunOnLogsStopped);
    }
}

// The log's partitions: taken together as one machine, or each by itself. In the second case, the page can show a
// single one.

impl App {
    /// The partitions that can each be taken by themselves; empty if the log has only one.
    pub fn partitions_apart(self) -> Vec<RunPartition> {
        self.log.with(|log| match log {
            LogState::Ready(described) => self.study.with(|study| described.facts().partitions_apart(study)),
            _ => self.study.with(|study| study.partitions.clone()),
        })
    }

    /// The partition that is shown by itself; `None` if all partitions of the study are shown.
    pub fn partition_chosen(self) -> Option<RunPartition> {
        let number = self.partition.get()?;
        self.study.with(|study| study.partitions.iter().find(|of| of.number == number).cloned())
    }

    /// Takes all partitions as one machine, and starts the runs that this makes necessary.
    pub fn take_as_one(self) {
        self.look_at(None);
        self.edit(|study| study.partitions.clear());
    }

    /// Takes each partition by itself, and shows one of them or, with `None`, all.
    pub fn take_each(self, looked_at: Option<i32>) {
        let each = untrack(|| self.partitions_apart());
        self.edit(move |study| {
            // sizes that the user has set stay
            if study.partitions.is_empty() {
                study.partitions = each;
            }
        });
        self.look_at(looked_at);
    }

    pub(super) fn look_at(self, partition: Option<i32>) {
        if self.partition.get_untracked() != partition {
            self.partition.set(partition);
            self.tell(Event::PartitionChosen(partition));
            self.show_rows();
        }
    }

    pub(super) fn looked_at(self, mut rows: Vec<RunRow>) -> Vec<RunRow> {
        if self.partition.with_untracked(Option::is_some) {
            let chosen = untrack(|| self.partition_chosen());
            rows.retain(|row| chosen.is_none() || row.run.partition == chosen);
        }
        rows
    }

    /// The results of all partitions that are not stale, in the table's order.
    pub(super) fn results_of_all(self) -> Vec<Arc<RunOutcome>> {
        if untrack(|| self.partition_chosen()).is_none() {
            return self.results();
        }
        let settings = self.study.with(RunSettings::of);
        let fresh = |row: &RunRow| row.result.clone().filter(|result| result.settings == settings);
        self.with_backend(|backend| backend.queue.rows().iter().filter_map(fresh).collect())
    }
}
