//! A log file that has just arrived. It survives a reload from its first moment.
//!
//! A browser takes about as long to write a large file as the page takes to read it, and what a page writes is lost
//! when the page ends. So the service worker writes the file: it goes on when the page is reloaded. Without a service
//! worker, the page writes the file itself.

use super::actions::{LARGEST_BESIDE, head, text};
use super::controls::{take_machine, take_series};
use super::state::{App, LogState};
use super::{remembered, store};
use crate::app::prelude::*;
use futures_channel::oneshot;
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Object, Reflect, Uint8Array};
use leptos::task::spawn_local;
use packfair_base::machine::MachineText;
use packfair_engine::power::SeriesKind;
use packfair_slurm::is_of_site;
use packfair_study::export::{begins_like_a_study, link_in, read_study};
use packfair_study::limits::{LARGEST_SERIES, LARGEST_STUDY};
use packfair_workload::reading::tar_header;
use packfair_workload::{ExternalKind, external_kinds, is_queue, printable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::{Blob, File, FileList, ServiceWorker};

/// The storage key of the file that this tab is reading.
const KEY: &str = "packfair.arriving";

/// How often to check whether the service worker has written a file, and for how long.
const GLANCE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(30);

/// A file that is being read: what the page has to know of it after a reload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    pub name: String,
    pub content: store::ContentKey,
    is_handed_over: bool,
}

impl Arrival {
    /// Begins the arrival of a file that has just come. When this returns, the arrival is stored and the content is
    /// being written.
    fn begin(name: String, content: &Blob) -> Arrival {
        let mut arrival = Arrival { name, content: store::new_content_key(), is_handed_over: false };
        if let Some(worker) = service_worker() {
            arrival.is_handed_over = worker.post_message(&arrival.request(content)).is_ok();
        }
        arrival.remember();
        arrival
    }

    pub fn remember(&self) {
        remembered::set_of_tab(KEY, self);
    }

    /// The file that this tab was reading when it was reloaded.
    pub fn interrupted() -> Option<Arrival> {
        remembered::get_of_tab(KEY)
    }

    /// Ends the arrival: the file is read and stored, or cannot be.
    pub fn end(&self) {
        if Arrival::interrupted().as_ref() == Some(self) {
            remembered::forget_of_tab(KEY);
        }
    }

    /// Ensures that the content is written.
    ///
    /// # Errors
    /// A message: the browser did not store the content.
    async fn write(&self, content: &Blob) -> store::Result<()> {
        // a service worker of an older build ignores requests
        if self.is_handed_over && self.written().await?.is_some() {
            Ok(())
        } else {
            store::put_content(&self.content, content).await
        }
    }

    /// The content, once it is written; `None` if it will not be.
    ///
    /// # Errors
    /// A message: the browser does not say what it has stored.
    pub async fn written(&self) -> store::Result<Option<Blob>> {
        let mut glances = if self.is_handed_over { PATIENCE.as_millis() / GLANCE.as_millis() } else { 1 };
        loop {
            let content = store::content(&self.content).await?;
            glances -= 1;
            if content.is_some() || glances == 0 {
                return Ok(content);
            }
            TimeoutFuture::new(GLANCE.as_millis() as u32).await;
        }
    }

    /// The request to the service worker (public/sw.js).
    fn request(&self, content: &Blob) -> Object {
        let request = Object::new();
        let stores: Array = store::STORES.iter().map(|name| JsValue::from_str(name)).collect();
        let fields: [(&str, JsValue); 6] = [
            ("database", store::DATABASE.into()),
            ("version", store::VERSION.into()),
            ("stores", stores.into()),
            ("into", store::CONTENTS.into()),
            ("key", self.content.as_str().into()),
            ("value", content.into()),
        ];
        for (name, value) in fields {
            // setting a property of a fresh object cannot fail
            let _ = Reflect::set(&request, &name.into(), &value);
        }
        request
    }
}

/// A file that has just come and is being stored.
pub struct Arriving {
    /// What the page has to know of the file after a reload.
    pub arrival: Arrival,
    /// Receives a message when the content is written, or the reason why it could not be.
    pub written: oneshot::Receiver<store::Result<()>>,
}

impl Arriving {
    /// Begins to store a file. When this returns, a reload loses it no more.
    pub fn begin(name: String, content: &Blob) -> Arriving {
        let arrival = Arrival::begin(name, content);
        let (said, written) = oneshot::channel();
        let (of_task, content) = (arrival.clone(), content.clone());
        spawn_local(async move {
            // nobody receives this if the file turned out not to be a log
            let _ = said.send(of_task.write(&content).await);
        });
        Arriving { arrival, written }
    }

    pub fn written(arrival: Arrival) -> Arriving {
        let (said, written) = oneshot::channel();
        // the receiver is returned just below
        let _ = said.send(Ok(()));
        Arriving { arrival, written }
    }

    /// Deletes what was stored: the file is not a log, or no longer wanted.
    pub fn forget(self) {
        self.arrival.end();
        spawn_local(async move {
            if self.written.await.is_ok() {
                // if it cannot be deleted now, a later tidy-up deletes it
                let _ = store::delete_content(&self.arrival.content).await;
            }
        });
    }
}

/// The service worker that controls this page, if there is one.
fn service_worker() -> Option<ServiceWorker> {
    let navigator = web_sys::window()?.navigator();
    // pages that are not served securely have none, although the type says otherwise
    let has = Reflect::has(&navigator, &"serviceWorker".into()).unwrap_or(false);
    has.then(|| navigator.service_worker().controller()).flatten()
}

// Files that the user drops, picks or pastes: what each of them is, and what happens with it.

/// The size of the blocks of a tar archive, bytes.
const TAR_BLOCK: f64 = 512.0;

/// The size of the largest machine file that the page takes, bytes. A hundred thousand changes take about five million.
const MACHINE_BYTES: f64 = 10e6;

/// Ends of the names of logs. Such a file is neither of a site nor the start times of another log's jobs.
const LOGS: [&str; 8] = [".swf", ".gz", ".zst", ".bz2", ".xz", ".zip", ".tar", ".parquet"];

/// Words that name the columns of a file of starts or estimates; the first line of such a file contains at least one.
const WORDS: [&str; 4] = ["start", "wait", "estimat", "predict"];

/// A file that is no log. Its name does not tell, since a log may be JSON as a study is.
enum OtherFile {
    Study,
    Machine,
    /// Prices of energy, or intensities of a grid, over time.
    Series(SeriesKind),
    /// A file of a Slurm site, such as slurm.conf.
    Site,
    /// The queue of a cluster at a moment, such as squeue --json prints.
    Queue,
    /// Start times or estimates of the jobs of a log.
    Beside(Vec<ExternalKind>),
}

impl OtherFile {
    /// What a file is that begins with `head`. `None` if it is a log or nothing that is read here: in the second case, the
    /// attempt to read it as a log says so.
    fn of(file: &File, head: &[u8]) -> Option<OtherFile> {
        let text = String::from_utf8_lossy(head);
        if begins_like_a_study(&text) {
            return Some(OtherFile::Study);
        }
        if MachineText::recognise(&text).is_some() {
            return Some(OtherFile::Machine);
        }
        if LOGS.iter().any(|end| file.name().ends_with(end)) {
            return None;
        }
        if is_queue(head) {
            return Some(OtherFile::Queue);
        }
        if is_of_site(head) {
            return Some(OtherFile::Site);
        }
        let first = text.split('\n').next().unwrap_or_default().to_ascii_lowercase();
        if let Some(kind) = SeriesKind::recognise(&first) {
            return Some(OtherFile::Series(kind));
        }
        let tells_of_jobs = first.contains("job") && WORDS.iter().any(|word| first.contains(word));
        let kinds = if tells_of_jobs && file.size() <= LARGEST_BESIDE { external_kinds(head) } else { Vec::new() };
        (!kinds.is_empty()).then_some(OtherFile::Beside(kinds))
    }
}

/// Takes dropped, picked or pasted files. Several logs are read as one.
pub fn take(app: App, files: &FileList) {
    let Some(file) = files.get(0) else { return };
    if files.length() == 1 {
        // before the file is looked at, because the page may be loaded again any moment
        let arriving = Arriving::begin(printable(&file.name()), &file);
        return spawn_local(take_one(app, file, arriving));
    }
    let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
    spawn_local(async move {
        let mut logs = app.without_site_files(files).await;
        match logs.len() {
            0 => {}
            1 => {
                let file = logs.remove(0);
                let arriving = Arriving::begin(printable(&file.name()), &file);
                take_one(app, file, arriving).await;
            }
            _ => take_several(app, &logs),
        }
    });
}

async fn take_one(app: App, file: File, arriving: Arriving) {
    let begins = head(&file).await;
    match OtherFile::of(&file, &begins) {
        None => app.load_as_remembered(file, &begins, arriving),
        Some(kind) => {
            take_no_log(app, file, kind).await;
            // not before, because the page may be loaded again until now
            app.forget_file(arriving);
        }
    }
}

/// Takes the file that had come when the page was loaded again.
pub(super) async fn take_interrupted(app: App, file: File, arriving: Arriving) {
    // a page that fails at the file must not try it again for ever
    arriving.arrival.end();
    let begins = head(&file).await;
    match OtherFile::of(&file, &begins) {
        None => {
            arriving.arrival.remember();
            app.load_as_remembered(file, &begins, arriving);
        }
        Some(kind) => {
            app.forget_file(arriving);
            app.open(app.study.with_untracked(|study| study.source.clone()));
            take_no_log(app, file, kind).await;
        }
    }
}

#[inline(never)]
async fn take_no_log(app: App, file: File, kind: OtherFile) {
    app.until_read().await;
    match kind {
        OtherFile::Study => open_study(app, file).await,
        OtherFile::Machine => open_machine(app, file).await,
        OtherFile::Series(kind) => open_series(app, file, kind).await,
        OtherFile::Site => app.take_site_files(vec![file]).await,
        OtherFile::Queue => app.take_queue(file).await,
        OtherFile::Beside(kinds) if matches!(app.log.get_untracked(), LogState::Ready(_)) => {
            app.ask_beside(file, kinds).await;
        }
        OtherFile::Beside(_) => app.complain(format!(
            "{} has start times or estimates of jobs, and no more. Open the log with these jobs first.",
            printable(&file.name())
        )),
    }
}

/// Reads a file that describes the machine of the open log.
async fn open_machine(app: App, file: File) {
    let name = printable(&file.name());
    if file.size() > MACHINE_BYTES {
        return app.complain(format!("{name} is larger than a machine's file may be here; take the command line"));
    }
    match text(&file).await {
        Some(text) => take_machine(app, &name, &text),
        None => app.complain(format!("{name} cannot be read")),
    }
}

/// Reads a file of prices or intensities.
async fn open_series(app: App, file: File, kind: SeriesKind) {
    let name = printable(&file.name());
    if file.size() > LARGEST_SERIES as f64 {
        return app.complain(format!("{name} is larger than a table of prices may be"));
    }
    match text(&file).await {
        Some(text) => take_series(app, &name, &text, kind),
        None => app.complain(format!("{name} cannot be read")),
    }
}

async fn open_study(app: App, file: File) {
    let name = printable(&file.name());
    if file.size() > LARGEST_STUDY as f64 {
        app.complain(format!("{name} is too large to be a saved study."));
        return;
    }
    let text = text(&file).await;
    if let Some(link) = text.as_deref().and_then(link_in) {
        // `open_link` reports what is wrong with the link
        app.open_link(&link);
        return;
    }
    let source = app.study.with_untracked(|study| study.source.clone());
    match text.map(|text| read_study(&text, &source)) {
        Some(Ok(study)) => {
            let opened = study.clone();
            let open = move || app.replace_study(opened.clone(), format!("Opened {name}."));
            app.open_with_scripts(&study, Arc::new(open));
        }
        Some(Err(error)) => app.complain(format!("{name} cannot be opened: {error}.")),
        None => app.complain(format!("{name} cannot be read. Was it moved or deleted?")),
    }
}

/// Reads several files as one log: a tar archive of them, which the browser assembles without reading them.
#[inline(never)]
fn take_several(app: App, files: &[File]) {
    let parts = Array::new();
    let padding = |size: f64| Uint8Array::new_with_length((TAR_BLOCK - size % TAR_BLOCK) as u32 % TAR_BLOCK as u32);
    for file in files {
        // sizes are whole numbers
        parts.push(&Uint8Array::from(&tar_header(&file.name(), file.size() as u64)[..]));
        parts.push(file);
        parts.push(&padding(file.size()));
    }
    parts.push(&Uint8Array::new_with_length(2 * TAR_BLOCK as u32));
    match File::new_with_blob_sequence(&parts, &format!("{} files", files.len())) {
        Ok(archive) => app.load_file(archive),
        Err(_) => app.complain("The browser refuses to put these files together. Drop a .tar or .zip of them."),
    }
}
