//! Files about which the page has to ask the user: schedules and estimates of the open log, and tables whose columns
//! are unknown.

use crate::app::arrival::Arriving;
use crate::app::pool::{AskedFile, FileQuestion};
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Tab};
use crate::app::{remembered, store, when};
use crate::run_queue::protocol::Ticket;
use crate::run_queue::{Encoded, Event, GivenFile, GivenOutcome, LogExtras, Origin, TakenFile};
use futures_channel::oneshot;
use gloo::timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use leptos::task::spawn_local;
use packfair_base::catalogue::NamedFile;
use packfair_base::encoding::as_utf8;
use packfair_schedulers::Policy;
use packfair_slurm::{Site, SiteFile, Version, is_of_site, read_site};
use packfair_study::format::whole;
use packfair_study::query::{Answer, Query};
use packfair_study::{NeededFile, Rules, Run, Source, Study};
use packfair_workload::reading::is_parquet;
use packfair_workload::{ColumnMap, ExternalKind, TablePreview, external_kinds, is_queue, printable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

/// The length of a file's [`head`], bytes.
const HEAD: f64 = 4_096.0;

/// The number of bytes of a table that are read for the preview and the counts.
const SAMPLE: f64 = 2_000_000.0;

/// The size of the largest Parquet file whose columns the page asks about, bytes: all of it is needed for that.
const LARGEST_PARQUET: f64 = 200_000_000.0;

/// How often is looked whether a log has been read, milliseconds.
const GLANCE: u32 = 50;

/// The size of the largest file of starts or estimates that is taken, bytes.
pub const LARGEST_BESIDE: f64 = 100e6;

/// The storage key of the remembered column meanings, and how many tables are remembered. A table is known by its first
/// line.
const KEY: &str = "packfair.columns";
const MOST: usize = 50;

/// What the user said about the columns of a table with this first line.
#[derive(Serialize, Deserialize)]
struct RememberedColumns {
    header: String,
    columns: ColumnMap,
}

impl App {
    /// Asks the user what to take from a file that was picked to go beside the log.
    #[inline(never)]
    pub fn pick_beside(self, file: File) {
        spawn_local(async move {
            let head = head(&file).await;
            let kinds = external_kinds(&head);
            // the first line does not tell: the file may be a log with wait times
            let kinds = if kinds.is_empty() { vec![ExternalKind::Schedule] } else { kinds };
            if file.size() > LARGEST_BESIDE {
                return self.complain(format!("{} is too large to stand beside a log.", file.name()));
            }
            self.ask_beside(file, kinds).await;
        });
    }

    pub async fn ask_beside(self, file: File, kinds: Vec<ExternalKind>) {
        let name = printable(&file.name());
        match bytes(&file, LARGEST_BESIDE).await {
            Some(content) => {
                self.with_backend(|backend| backend.attempted = Some((name.clone(), file.into())));
                self.show_question(AskedFile {
                    name,
                    question: FileQuestion::Beside { kinds, content: Arc::new(content) },
                });
            }
            None => self.complain(format!("{name} cannot be read. Was it moved or deleted?")),
        }
    }

    /// Shows the dialog that asks about this file.
    fn show_question(self, file: AskedFile) {
        self.asked.set(Some(file));
        self.asks.set(true);
    }

    /// Whether the dialog that asks about this file is shown. Closing it resets this.
    #[inline(always)]
    pub fn file_dialog(self) -> RwSignal<bool> {
        self.asks
    }

    /// Closes the dialog that asks about this file.
    pub fn close_question(self) {
        self.asks.set(false);
    }

    /// Loads, as a log, the file about which the user was asked.
    pub fn load_asked(self) {
        if let Some((name, blob)) = self.with_backend(|backend| backend.attempted.take()) {
            self.load_blob(name, blob, Encoded::default());
        }
    }

    /// Loads, as a log, the table about which the user was asked. The meaning of its columns is remembered for tables
    /// with the same first line.
    pub fn load_mapped(self, preview: &TablePreview, columns: ColumnMap) {
        let mut all: Vec<RememberedColumns> = remembered::get_newest(KEY).unwrap_or_default();
        let header = preview.header.clone();
        all.retain(|one| one.header != header);
        all.insert(0, RememberedColumns { header, columns: columns.clone() });
        all.truncate(MOST);
        remembered::set_newest(KEY, &all);
        if let Some((name, blob)) = self.with_backend(|backend| backend.attempted.take()) {
            self.load_blob(name, blob, LogExtras { columns, ..LogExtras::default() }.encoded());
        }
    }

    /// Loads a log. If a table with the same first line was loaded before, its columns are read the same way.
    pub fn load_as_remembered(self, file: File, head: &[u8], arriving: Arriving) {
        let all: Vec<RememberedColumns> = remembered::get_newest(KEY).unwrap_or_default();
        let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
        let first = String::from_utf8_lossy(first);
        let remembered = all.into_iter().find(|one| one.header == first);
        let beside = remembered.map(|one| LogExtras { columns: one.columns, ..LogExtras::default() }.encoded());
        self.load_arriving(arriving, file.into(), beside.unwrap_or_default());
    }

    /// Called when a file could not be read as a log: if it is a table, asks the user what its columns mean.
    #[inline(never)]
    pub(super) fn ask_columns_of_failed(self) {
        let Some((name, blob)) = self.with_backend(|backend| backend.attempted.clone()) else { return };
        self.ask_columns(name, blob, ColumnMap::default());
    }

    /// Asks the user what the columns of the open log mean.
    #[inline(never)]
    pub fn ask_columns_of_log(self) {
        let Some((Origin::File { name, content }, beside)) = self.with_backend(|backend| backend.queue.open_origin())
        else {
            return;
        };
        if let Ok(blob) = content.dyn_into::<Blob>() {
            self.with_backend(|backend| backend.attempted = Some((name.clone(), blob.clone())));
            self.ask_columns(name, blob, beside.decode().unwrap_or_default().columns);
        }
    }

    fn ask_columns(self, name: String, blob: Blob, said: ColumnMap) {
        spawn_local(async move {
            let mut content = bytes(&blob, SAMPLE).await.unwrap_or_default();
            let mut is_whole = blob.size() <= SAMPLE;
            if !is_whole && is_parquet(&content) && blob.size() <= LARGEST_PARQUET {
                content = bytes(&blob, LARGEST_PARQUET).await.unwrap_or_default();
                is_whole = true;
            }
            if let Some(preview) = TablePreview::of(&content, is_whole) {
                let question = FileQuestion::Columns { preview: Arc::new(preview), said };
                self.show_question(AskedFile { name, question });
            }
        });
    }

    /// Separates files that arrive together. Files of a Slurm site and a queue are put beside the log that arrives with
    /// them, or beside the open log. Returns the other files, which are logs.
    #[inline(never)]
    pub async fn without_site_files(self, files: Vec<File>) -> Vec<File> {
        let (mut logs, mut of_site, mut queues) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let head = head(&file).await;
            let kind = match () {
                () if is_queue(&head) => &mut queues,
                () if is_of_site(&head) => &mut of_site,
                () => &mut logs,
            };
            kind.push(file);
        }
        if queues.len() > 1 {
            self.complain("These are several queues: drop the one of the moment that is asked.");
            queues.clear();
        }
        if logs.is_empty() {
            self.until_read().await;
            if !of_site.is_empty() {
                self.take_site_files(of_site).await;
            }
            for queue in queues {
                self.take_queue(queue).await;
            }
            return logs;
        }
        for queue in queues {
            self.hold_queue(queue).await;
        }
        if !of_site.is_empty() {
            let files = self.read_site_files(of_site).await;
            self.with_backend(|backend| backend.site_files = files);
        }
        logs
    }

    /// Waits while a log is being read: what comes after a log is for that one.
    pub async fn until_read(self) {
        while self.log.with_untracked(|log| matches!(log, LogState::Loading { .. })) {
            TimeoutFuture::new(GLANCE).await;
        }
    }

    /// Reads the files of a site. Files that are too large are reported to the user and left out.
    async fn read_site_files(self, files: Vec<File>) -> Vec<GivenFile> {
        let mut read = Vec::new();
        for file in files {
            let name = printable(&file.name());
            match bytes(&file, LARGEST_BESIDE).await.filter(|_| file.size() <= LARGEST_BESIDE) {
                Some(content) => read.push(GivenFile { name, kind: ExternalKind::Site, content }),
                None => self.complain(format!("{name} cannot be read, or is too large for a file of a site.")),
            }
        }
        read
    }

    /// Puts files of a site beside the open log, which is then read again. Without an open log, they wait for the next
    /// one.
    pub async fn take_site_files(self, files: Vec<File>) {
        let given = self.read_site_files(files).await;
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else {
            self.with_backend(|backend| backend.site_files.extend(given));
            return self.notify("Read. Drop the log of this cluster now, as sacct prints it.".to_owned(), None);
        };
        let mut beside = beside.decode().unwrap_or_default();
        // a new file replaces one of the same name
        beside.files.retain(|file| file.kind != ExternalKind::Site || given.iter().all(|new| new.name != file.name));
        beside.files.extend(given);
        let name = self.study.with_untracked(|study| study.source.name());
        self.with_backend(|backend| backend.is_giving = true);
        self.begin(name, origin, beside.encoded());
    }

    /// Adds the site files that were dropped together with a log to what the user said about the log.
    #[inline(never)]
    pub(super) fn with_site_files(self, said: Encoded<LogExtras>) -> Encoded<LogExtras> {
        let (files, queue) =
            self.with_backend(|backend| (std::mem::take(&mut backend.site_files), backend.queue_given.take()));
        let mut beside = said.decode().unwrap_or_default();
        if !files.is_empty() {
            self.with_backend(|backend| backend.is_giving = true);
            beside.files.extend(files);
        }
        if queue.is_some() {
            beside.queue = queue;
            when::look_at_queue();
            self.show_tab(Tab::When);
        }
        beside.encoded()
    }

    #[inline(never)]
    pub fn site_beside(self) -> Option<Site> {
        let (_, beside) = self.with_backend(|backend| backend.queue.open_origin())?;
        let beside = beside.decode().unwrap_or_default();
        let files = beside.files.iter().filter(|file| file.kind == ExternalKind::Site);
        let files: Vec<SiteFile<'_>> =
            files.map(|file| SiteFile { name: &file.name, content: &file.content }).collect();
        (!files.is_empty()).then(|| read_site(&files, Version::default()))
    }

    /// Adds a row that changes the site, and Slurm as configured, which it is compared with.
    #[inline(never)]
    pub fn ask_of_site(self, policy: Policy) {
        self.edit(move |study| {
            for row in policy.as_configured().into_iter().chain([policy]) {
                if !study.schedulers.contains(&row) {
                    study.schedulers.push(row);
                }
            }
        });
    }

    /// Removes the site's files from the open log, and the rows that change the site from the study.
    #[inline(never)]
    pub fn drop_site(self) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else { return };
        let mut beside = beside.decode().unwrap_or_default();
        beside.files.retain(|file| file.kind != ExternalKind::Site);
        self.edit(Study::leave_site);
        let name = self.study.with_untracked(|study| study.source.name());
        self.begin(name, origin, beside.encoded());
    }

    /// Puts a schedule or estimates beside the open log, and reads the log again with them.
    #[inline(never)]
    pub fn give(self, given: GivenFile) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else {
            return self.complain("The log is not open any more. Open it again, and give the file then.");
        };
        let mut beside = beside.decode().unwrap_or_default();
        beside.files.retain(|file| file.kind != given.kind || file.content != given.content);
        beside.files.push(given);
        let name = self.study.with_untracked(|study| study.source.name());
        self.with_backend(|backend| backend.is_giving = true);
        self.begin(name, origin, beside.encoded());
    }

    /// Stores what the user said about the log and the files given beside it. If a file was given just now, tells the
    /// user whether it became a row, became a way of estimating or was refused.
    #[inline(never)]
    pub(super) fn keep_beside(self, source: Source, beside: &Encoded<LogExtras>, given: &Encoded<Vec<GivenOutcome>>) {
        let mut beside = beside.decode().unwrap_or_default();
        let outcomes = given.decode().unwrap_or_default();
        let mut fits = outcomes.iter().map(Result::is_ok);
        beside.files.retain(|_| fits.next().unwrap_or(false));
        spawn_local(async move {
            if let Err(message) = store::put_beside(&source, &beside.encoded()).await {
                self.notify(
                    format!(
                        "The files beside this log could not be stored, and will be gone after a reload ({message})."
                    ),
                    None,
                );
            }
        });
        let is_giving = self.with_backend(|backend| std::mem::take(&mut backend.is_giving));
        let taken = || outcomes.iter().filter_map(|outcome| outcome.as_ref().ok());
        if let Some(site) = taken().find_map(|taken| taken.site.clone()) {
            let of_site = taken().filter(|taken| taken.kind == ExternalKind::Site).map(|taken| taken.file);
            let files: Vec<NamedFile> = of_site.collect();
            if is_giving {
                self.edit(move |study| {
                    let is_new = study.treatment.site.is_empty();
                    // newer files replace older ones
                    study.treatment.site.clear();
                    files.iter().for_each(|&file| study.take_file(NeededFile { file, kind: ExternalKind::Site }));
                    if is_new {
                        study.keep_to_site();
                    }
                });
                self.notify(
                    "Slurm as configured is the baseline now. My cluster ranks what changes of it would bring; Workload, Slurm site shows what was read.".to_owned(),
                    None,
                );
                // a queue that came along is what its owner asks about
                if self.view.get_untracked() != Tab::When {
                    self.show_tab(Tab::Cluster);
                }
            }
            self.site.set(Some(Arc::new(site)));
        }
        for message in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
            self.complain(format!("{message}."));
        }
        if let (true, Some(Ok(taken))) = (is_giving, outcomes.last()) {
            let &TakenFile { file, kind, agreement, .. } = taken;
            if kind == ExternalKind::Site {
                return;
            }
            self.edit(move |study| study.take_file(NeededFile { file, kind }));
            let (what, are) = match kind {
                ExternalKind::Schedule => ("starts", "a row of the table"),
                ExternalKind::Estimates => ("estimates", "among the estimates"),
                ExternalKind::Site => ("a site", "beside the log"),
            };
            let (common, jobs) = (whole(agreement.common as i128), whole(agreement.jobs as i128));
            let remarks: String = agreement.remarks().iter().map(|remark| format!(" {remark}.")).collect();
            self.notify(format!("{}: {what} of {common} of {jobs} jobs, {are} now.{remarks}", file.name()), None);
        }
    }
}

/// The bytes at the start of a file from which its kind is recognised, in UTF-8 if it is a text; none if the browser
/// cannot read it.
pub async fn head(file: &Blob) -> Vec<u8> {
    as_utf8(&bytes(file, HEAD).await.unwrap_or_default()).into_owned()
}

/// The text of a file; `None` if the browser cannot read it.
pub async fn text(file: &Blob) -> Option<String> {
    let content = bytes(file, file.size()).await?;
    Some(String::from_utf8_lossy(&as_utf8(&content)).into_owned())
}

/// The first bytes of a file, at most `most`; `None` if the browser cannot read it.
pub(super) async fn bytes(blob: &Blob, most: f64) -> Option<Vec<u8>> {
    let piece = blob.slice_with_f64_and_f64(0.0, most.min(blob.size())).ok()?;
    let buffer: JsValue = JsFuture::from(piece.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

// Questions about schedules.

impl App {
    /// Asks about schedules; the answer comes from a worker.
    ///
    /// # Errors
    /// A message for the user: there is no result yet, or the log is not loaded.
    pub async fn ask(self, query: Query) -> Result<Answer, String> {
        let question = self.with_backend(|backend| backend.queue.number());
        self.ask_as(question, query).await
    }

    /// Asks as [`App::ask`] does, by a number of the queue's that nobody has used, by which the question can be withdrawn.
    ///
    /// # Errors
    /// As [`App::ask`].
    pub async fn ask_as(self, question: Ticket, query: Query) -> Result<Answer, String> {
        let (sender, receiver) = oneshot::channel();
        self.with_backend(|backend| backend.questions.insert(question, sender));
        self.tell(Event::Queried { question, query });
        receiver.await.unwrap_or_else(|_| Err("The question was lost. Ask again.".to_owned()))
    }

    /// The rules with which the schedule of a run was made; `None` if the run has no result.
    pub fn rules_of(self, run: &Run) -> Option<Rules> {
        let rules = |row: &crate::app::state::RunRow| row.result.as_ref().map(|result| result.settings.rules);
        self.rows.with(|rows| rows.iter().find(|row| row.run == *run).and_then(rules))
    }
}
