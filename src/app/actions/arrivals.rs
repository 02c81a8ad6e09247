//! Files that come: read and written to the browser's storage at the same time.

use crate::app::arrival::Arrival;
use crate::app::backend::Arriving;
use crate::app::state::App;
use crate::app::store::{self, StoredContent, StoredLog};
use crate::run_queue::{Beside, Encoded, Event, Origin};
use crate::study::Source;
use crate::workload::printable;
use futures_channel::oneshot;
use leptos::task::spawn_local;
use web_sys::{Blob, File};

impl App {
    /// Reads a dropped or picked file and makes it the active log.
    pub fn load_file(self, file: File) {
        self.load_blob(printable(&file.name()), file.into(), Encoded::default());
    }

    /// Like [`App::load_file`]. `beside` is what the user said about the file and the files given beside it.
    pub(super) fn load_blob(self, name: String, blob: Blob, beside: Encoded<Beside>) {
        let arrival = Arrival::begin(name, &blob);
        let (said, written) = oneshot::channel();
        {
            let (arrival, blob) = (arrival.clone(), blob.clone());
            spawn_local(async move {
                // nobody receives this if the file turned out not to be a log
                let _ = said.send(arrival.write(&blob).await);
            });
        }
        self.load_arrival(Arriving { arrival, written }, blob, beside);
    }

    /// Continues with the file that was being read when the page was reloaded.
    pub(super) fn load_interrupted(self, arrival: Arrival) {
        let name = arrival.name.clone();
        self.tell(Event::LogWanted { name: name.clone() });
        spawn_local(async move {
            let message = match arrival.written().await {
                Ok(Some(blob)) => {
                    let (said, written) = oneshot::channel();
                    // the receiver is used just below
                    let _ = said.send(Ok(()));
                    return self.load_arrival(Arriving { arrival, written }, blob, Encoded::default());
                }
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

    fn load_arrival(self, arriving: Arriving, blob: Blob, beside: Encoded<Beside>) {
        let name = arriving.arrival.name.clone();
        let has_site = self.with_backend(|backend| !backend.site_files.is_empty());
        let beside = if has_site { self.with_site_files(beside) } else { beside };
        self.begin(name.clone(), Origin::File { name: name.clone(), content: blob.clone().into() }, beside);
        self.with_backend(|backend| {
            backend.arriving = Some(arriving);
            backend.attempted = Some((name, blob));
        });
    }

    /// Drops the arrival of a file that is not a log or is no longer wanted, and deletes its content.
    pub(super) fn forget_arrival(self) {
        if let Some(Arriving { arrival, written }) = self.with_backend(|backend| backend.arriving.take()) {
            arrival.end();
            spawn_local(async move {
                if written.await.is_ok() {
                    // if it cannot be deleted now, a later tidy-up deletes it
                    let _ = store::delete_content(&arrival.content).await;
                }
            });
        }
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
