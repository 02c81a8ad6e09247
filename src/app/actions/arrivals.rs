//! Files that come: read and written to the browser's storage at the same time.

use super::LARGEST_BESIDE;
use super::asked::bytes;
use crate::app::arrival::{Arrival, Arriving, take_interrupted};
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Tab};
use crate::app::store::{self, StoredContent, StoredLog};
use crate::app::when;
use crate::run_queue::{Encoded, Event, LogExtras, Origin};
use js_sys::Array;
use leptos::prelude::set_timeout;
use leptos::task::spawn_local;
use packfair_study::Source;
use packfair_workload::{printable, read_queue};
use std::time::Duration;
use web_sys::{Blob, File};

/// How long a file that could not be read still counts as arriving. When a page is loaded again, a browser may first stop the
/// worker that reads the file: to the page this looks as if the file could not be read.
const GRACE: Duration = Duration::from_secs(10);

impl App {
    /// Reads a dropped or picked file and makes it the active log.
    pub fn load_file(self, file: File) {
        self.load_blob(printable(&file.name()), file.into(), Encoded::default());
    }

    /// Like [`App::load_file`]. `beside` is what the user said about the file and the files given beside it.
    pub(super) fn load_blob(self, name: String, blob: Blob, beside: Encoded<LogExtras>) {
        self.load_arriving(Arriving::begin(name, &blob), blob, beside);
    }

    /// Continues with the file that had come when the page was reloaded.
    pub(super) fn load_interrupted(self, arrival: Arrival) {
        let name = arrival.name.clone();
        self.tell(Event::LogWanted { name: name.clone() });
        let is_wanted = self.want_log();
        spawn_local(async move {
            let written = arrival.written().await;
            if !is_wanted() {
                return arrival.end();
            }
            let message = match written {
                Ok(Some(blob)) => match File::new_with_blob_sequence(&Array::of1(&blob), &name) {
                    Ok(file) => return take_interrupted(self, file, Arriving::written(arrival)).await,
                    Err(_) => {
                        "The browser refuses to make a file of what it has stored. Drop it on the page again.".into()
                    }
                },
                Ok(None) => {
                    "The page was loaded again before the browser had stored the file. Drop it on the page again."
                        .into()
                }
                Err(message) => {
                    format!("The browser does not say what it has stored ({message}). Drop the file on the page again.")
                }
            };
            arrival.end();
            self.tell(Event::LogMissing { name, message });
        });
    }

    pub(super) fn load_arriving(self, arriving: Arriving, blob: Blob, beside: Encoded<LogExtras>) {
        let name = arriving.arrival.name.clone();
        let has_site = self.with_backend(|backend| !backend.site_files.is_empty() || backend.queue_given.is_some());
        let beside = if has_site { self.with_site_files(beside) } else { beside };
        self.begin(name.clone(), Origin::File { name: name.clone(), content: blob.clone().into() }, beside.clone());
        self.with_backend(|backend| {
            backend.arriving = Some(arriving);
            backend.attempted = Some((name, blob));
            backend.said_of_attempted = beside;
        });
    }

    /// Reads the file called `name`, which was attempted last, again: the user accepts that many of its records are not
    /// understood.
    pub fn go_on_with_losses(self, name: &str) {
        let attempted = self.with_backend(|backend| backend.attempted.clone()).filter(|(other, _)| other == name);
        let Some((name, blob)) = attempted else {
            return self.complain(format!("The page does not have {name} any more. Drop it again."));
        };
        let said = self.with_backend(|backend| backend.said_of_attempted.decode()).unwrap_or_default();
        self.load_blob(name, blob, LogExtras { accepts_losses: true, ..said }.encoded());
    }

    /// Drops the arrival of a file that could not be read as a log, unless the page is loaded again within [`GRACE`].
    pub(super) fn forget_failed_arrival(self) {
        let Some(failed) = self.with_backend(|backend| backend.arriving.take()) else { return };
        let arrival = failed.arrival.clone();
        self.with_backend(|backend| backend.failed = Some(failed));
        let forget = move || {
            if self.with_backend(|backend| backend.failed.as_ref().is_some_and(|failed| failed.arrival == arrival)) {
                self.forget_failed();
            }
        };
        set_timeout(forget, GRACE);
    }

    /// Drops the arrival of a file that is no longer wanted, and deletes its content.
    pub(super) fn forget_arrival(self) {
        self.forget_failed();
        if let Some(arriving) = self.with_backend(|backend| backend.arriving.take()) {
            arriving.forget();
        }
    }

    fn forget_failed(self) {
        if let Some(failed) = self.with_backend(|backend| backend.failed.take()) {
            failed.forget();
        }
    }

    /// Drops the arrival of a file that turned out to be no log, and deletes its content.
    pub fn forget_file(self, file: Arriving) {
        file.forget();
        // the log that is still being read has its place in the tab's memory again
        self.with_backend(|backend| backend.arriving.as_ref().map(|arriving| arriving.arrival.remember()));
    }

    /// Stores a log that was generated here or whose file has just arrived; any other log is stored already.
    pub(super) fn remember_log(self, mut log: StoredLog) {
        let arriving = self.with_backend(|backend| backend.arriving.take());
        if arriving.is_none() && matches!(log.source, Source::Trace { .. }) {
            return;
        }
        spawn_local(async move {
            let stored = async {
                if let Some(Arriving { arrival, written }) = arriving {
                    log.content = Some(StoredContent::Apart(arrival.content.clone()));
                    let is_written = written.await.unwrap_or_else(|_| Err("it was interrupted".to_owned()));
                    let stored = match is_written {
                        Ok(()) => store::put_log(&log).await,
                        Err(message) => Err(message),
                    };
                    arrival.end();
                    stored
                } else {
                    store::put_log(&log).await
                }
            };
            if let Err(message) = stored.await {
                self.notify(
                    format!("The log will not be here after a reload: the browser did not store it ({message})."),
                    None,
                );
            }
        });
    }
}

// The queue of a moment, put beside the log of its cluster.

impl App {
    /// Puts a queue beside the open log, which is then read again, and shows when its jobs start. Without a log of a
    /// cluster, the queue waits for the next one.
    #[inline(never)]
    pub async fn take_queue(self, file: File) {
        if !self.hold_queue(file).await {
            return;
        }
        let is_of_cluster = self.study.with_untracked(|study| matches!(study.source, Source::Trace { .. }))
            && matches!(self.log.get_untracked(), LogState::Ready(_));
        if !is_of_cluster {
            let message = "Read. Drop the log of this cluster now, as sacct prints it: it tells how long jobs run.";
            return self.notify(message.to_owned(), None);
        }
        let queue = self.with_backend(|backend| backend.queue_given.take());
        self.read_beside(|beside| beside.queue = queue);
        when::look_at_queue();
        self.show_tab(Tab::When);
    }

    /// Reads a queue and keeps it for the next log. Returns whether it is one; if not, the user is told.
    pub(super) async fn hold_queue(self, file: File) -> bool {
        let name = printable(&file.name());
        let Some(content) = bytes(&file, LARGEST_BESIDE).await.filter(|_| file.size() <= LARGEST_BESIDE) else {
            self.complain(format!("{name} cannot be read, or is too large for a queue."));
            return false;
        };
        if let Err(error) = read_queue(&content) {
            self.complain(format!("{name}: {error}."));
            return false;
        }
        self.with_backend(|backend| backend.queue_given = Some((name, content)));
        true
    }

    /// Removes the queue from the open log.
    #[inline(never)]
    pub fn drop_queue(self) {
        self.read_beside(|beside| beside.queue = None);
    }

    /// Reads the open log again, with other things beside it.
    fn read_beside(self, change: impl FnOnce(&mut LogExtras)) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else { return };
        let mut beside = beside.decode().unwrap_or_default();
        change(&mut beside);
        let name = self.study.with_untracked(|study| study.source.name());
        self.begin(name, origin, beside.encoded());
    }
}
