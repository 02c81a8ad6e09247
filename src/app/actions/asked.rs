//! Files of which a person is asked what they are: schedules and estimates of the open log, and tables whose columns
//! nobody knows.

use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState};
use crate::app::store;
use crate::catalogue::NamedFile;
use crate::run_queue::{Beside, GivenFile, GivenOutcome, Origin, TakenFile};
use crate::scheduler::Policy;
use crate::slurm::{Site, SiteFile, Version, is_of_site, read_site};
use crate::study::format::whole;
use crate::study::{NeededFile, Source};
use crate::workload::{ColumnMap, ExternalKind, TablePreview, external_kinds, printable};
use js_sys::Uint8Array;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

/// How much of a file tells what it may be, bytes.
const HEAD: f64 = 4_096.0;

/// How much of a table is shown and counted, bytes.
const SAMPLE: f64 = 2_000_000.0;

/// The largest file of starts or estimates, bytes.
const LARGEST: f64 = 100e6;

/// Under which is remembered what columns are, by the first lines of tables; and of how many.
const KEY: &str = "packfair.columns";
const MOST: usize = 50;

/// Words of which one is in the names of the columns of a file of starts or estimates.
const WORDS: [&str; 4] = ["start", "wait", "estimat", "predict"];

/// A file of which a person is asked what it is.
#[derive(Clone)]
pub struct AskedFile {
    /// What it is called.
    pub name: String,
    /// What is asked.
    pub question: FileQuestion,
}

/// What is asked of a file.
#[derive(Clone)]
pub enum FileQuestion {
    /// What is taken of it: it is about jobs of the open log.
    Beside {
        /// What it says of jobs.
        kinds: Vec<ExternalKind>,
        /// What is in it.
        content: Arc<Vec<u8>>,
    },
    /// What its columns are.
    Columns {
        /// Its first lines.
        preview: Arc<TablePreview>,
        /// What was said of them before.
        said: ColumnMap,
    },
}

/// What was said of the columns of a table with this first line.
#[derive(Serialize, Deserialize)]
struct RememberedColumns {
    header: String,
    columns: ColumnMap,
}

impl App {
    /// Takes a file that may be a log, or something beside the log that is open: then a person is asked.
    pub fn take_file(self, file: File) {
        let is_open = matches!(self.log.get_untracked(), LogState::Ready(_));
        let is_packed = [".swf", ".gz", ".zst", ".zip", ".tar"].iter().any(|end| file.name().ends_with(end));
        if is_packed {
            return self.load_file(file);
        }
        spawn_local(async move {
            let head = bytes(&file, HEAD).await.unwrap_or_default();
            if is_of_site(&head) {
                return self.take_site_files(vec![file]).await;
            }
            let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
            let first = String::from_utf8_lossy(&first);
            let is_beside = first.contains("job") && WORDS.iter().any(|word| first.contains(word));
            match (is_beside && !external_kinds(&head).is_empty(), is_open) {
                (true, true) => self.ask_beside(file, &head).await,
                (true, false) => self.complain(format!(
                    "{} tells starts or estimates of jobs, and no more: open the log of these jobs first.",
                    printable(&file.name())
                )),
                (false, _) => self.load_as_remembered(file, &head),
            }
        });
    }

    /// Asks what a file is to be that seems to be about the open log's jobs; loads it where it is a log.
    async fn ask_beside(self, file: File, head: &[u8]) {
        let kinds = external_kinds(head);
        if kinds.is_empty() || file.size() > LARGEST {
            return self.load_as_remembered(file, head);
        }
        self.ask_beside_of(file, kinds).await;
    }

    /// Asks what is to be taken of a file that was picked to stand beside the log.
    #[inline(never)]
    pub fn pick_beside(self, file: File) {
        spawn_local(async move {
            let head = bytes(&file, HEAD).await.unwrap_or_default();
            let kinds = external_kinds(&head);
            // whatever it is, it may be a log with waits
            let kinds = if kinds.is_empty() { vec![ExternalKind::Schedule] } else { kinds };
            if file.size() > LARGEST {
                return self.complain(format!("{} is too large to stand beside a log.", file.name()));
            }
            self.ask_beside_of(file, kinds).await;
        });
    }

    async fn ask_beside_of(self, file: File, kinds: Vec<ExternalKind>) {
        let name = printable(&file.name());
        match bytes(&file, LARGEST).await {
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

    /// Shows the dialog that asks.
    fn show_question(self, file: AskedFile) {
        self.asked.set(Some(file));
        self.asks.set(true);
    }

    /// Loads the file that was asked about, as a log.
    pub fn load_asked(self) {
        if let Some((name, blob)) = self.with_backend(|backend| backend.attempted.take()) {
            self.load_blob(name, blob, Vec::new());
        }
    }

    /// Loads the table that was asked about, with these columns, which are remembered for others like it.
    pub fn load_mapped(self, preview: &TablePreview, columns: ColumnMap) {
        let mut all: Vec<RememberedColumns> = remembered::get_newest(KEY).unwrap_or_default();
        let header = preview.header.clone();
        all.retain(|one| one.header != header);
        all.insert(0, RememberedColumns { header, columns: columns.clone() });
        all.truncate(MOST);
        remembered::set_newest(KEY, &all);
        if let Some((name, blob)) = self.with_backend(|backend| backend.attempted.take()) {
            self.load_blob(name, blob, Beside { columns, files: Vec::new() }.encode());
        }
    }

    /// Loads a log; where it is a table with columns like those of one before, these are what was said of that.
    fn load_as_remembered(self, file: File, head: &[u8]) {
        let all: Vec<RememberedColumns> = remembered::get_newest(KEY).unwrap_or_default();
        let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
        let first = String::from_utf8_lossy(first);
        match all.into_iter().find(|one| one.header == first) {
            Some(RememberedColumns { columns, .. }) => {
                let beside = Beside { columns, files: Vec::new() }.encode();
                self.load_blob(printable(&file.name()), file.into(), beside);
            }
            None => self.load_file(file),
        }
    }

    /// A file could not be read as a log: where it is a table, a person is asked what its columns are.
    #[inline(never)]
    pub(super) fn ask_columns_of_failed(self) {
        let Some((name, blob)) = self.with_backend(|backend| backend.attempted.clone()) else { return };
        self.ask_columns(name, blob, ColumnMap::default());
    }

    /// Asks what the columns of the open log are.
    #[inline(never)]
    pub fn ask_columns_of_log(self) {
        let Some((Origin::File { name, content }, beside)) = self.with_backend(|backend| backend.queue.open_origin())
        else {
            return;
        };
        if let Ok(blob) = content.dyn_into::<Blob>() {
            self.with_backend(|backend| backend.attempted = Some((name.clone(), blob.clone())));
            self.ask_columns(name, blob, Beside::decode(&beside).columns);
        }
    }

    fn ask_columns(self, name: String, blob: Blob, said: ColumnMap) {
        spawn_local(async move {
            let content = bytes(&blob, SAMPLE).await.unwrap_or_default();
            let is_whole = blob.size() <= SAMPLE;
            if let Some(preview) = TablePreview::of(&content, is_whole) {
                let question = FileQuestion::Columns { preview: Arc::new(preview), said };
                self.show_question(AskedFile { name, question });
            }
        });
    }

    /// Parts files that come together: those of a Slurm site go beside the log that the others are, or that is open. What is
    /// left is for the caller: the logs.
    #[inline(never)]
    pub async fn without_site_files(self, files: Vec<File>) -> Vec<File> {
        let (mut logs, mut of_site) = (Vec::new(), Vec::new());
        for file in files {
            let head = bytes(&file, HEAD).await.unwrap_or_default();
            if is_of_site(&head) { of_site.push(file) } else { logs.push(file) }
        }
        if logs.is_empty() {
            self.take_site_files(of_site).await;
        } else if !of_site.is_empty() {
            let files = self.read_site_files(of_site).await;
            self.with_backend(|backend| backend.site_files = files);
        }
        logs
    }

    /// What is in files of a site. Those that are too large are told of.
    async fn read_site_files(self, files: Vec<File>) -> Vec<GivenFile> {
        let mut read = Vec::new();
        for file in files {
            let name = printable(&file.name());
            match bytes(&file, LARGEST).await.filter(|_| file.size() <= LARGEST) {
                Some(content) => read.push(GivenFile { name, kind: ExternalKind::Site, content }),
                None => self.complain(format!("{name} cannot be read, or is too large for a file of a site.")),
            }
        }
        read
    }

    /// Puts files of a site beside the open log, which is read again with them; without one they wait for the next.
    async fn take_site_files(self, files: Vec<File>) {
        let given = self.read_site_files(files).await;
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else {
            self.with_backend(|backend| backend.site_files.extend(given));
            return self.notify("Read. Drop the log of this cluster now, as sacct prints it.".to_owned(), None);
        };
        let mut beside = Beside::decode(&beside);
        // a file of the same name is a newer one
        beside.files.retain(|file| file.kind != ExternalKind::Site || given.iter().all(|new| new.name != file.name));
        beside.files.extend(given);
        let name = self.study.with_untracked(|study| study.source.name());
        self.with_backend(|backend| backend.is_giving = true);
        self.begin(name, origin, beside.encode());
    }

    /// What was dropped for the log that comes now, and said of it, encoded.
    #[inline(never)]
    pub(super) fn with_site_files(self, said: Vec<u8>) -> Vec<u8> {
        let files = self.with_backend(|backend| std::mem::take(&mut backend.site_files));
        if files.is_empty() {
            return said;
        }
        self.with_backend(|backend| backend.is_giving = true);
        let mut beside = Beside::decode(&said);
        beside.files.extend(files);
        beside.encode()
    }

    /// The site whose files are beside the open log, read anew.
    #[inline(never)]
    pub fn site_beside(self) -> Option<Site> {
        let (_, beside) = self.with_backend(|backend| backend.queue.open_origin())?;
        let beside = Beside::decode(&beside);
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

    /// Takes the files of the site away from the open log, and the rows that change it.
    #[inline(never)]
    pub fn drop_site(self) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else { return };
        let mut beside = Beside::decode(&beside);
        beside.files.retain(|file| file.kind != ExternalKind::Site);
        self.edit(|study| {
            study.treatment.site.clear();
            study.schedulers.retain(|policy| policy.as_configured().is_none());
        });
        let name = self.study.with_untracked(|study| study.source.name());
        self.begin(name, origin, beside.encode());
    }

    /// Puts a schedule or estimates beside the open log. It is read again with them.
    #[inline(never)]
    pub fn give(self, given: GivenFile) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else {
            return self.complain("The log is not open any more. Open it again, and give the file then.");
        };
        let mut beside = Beside::decode(&beside);
        beside.files.retain(|file| file.kind != given.kind || file.content != given.content);
        beside.files.push(given);
        let name = self.study.with_untracked(|study| study.source.name());
        self.with_backend(|backend| backend.is_giving = true);
        self.begin(name, origin, beside.encode());
    }

    /// Remembers what was said of the log that was read and given beside it, and says what became of a file given just
    /// now: it is a row, or a way of estimating, or refused.
    #[inline(never)]
    pub(super) fn keep_beside(self, source: Source, beside: &[u8], given: &[u8]) {
        let mut beside = Beside::decode(beside);
        let outcomes: Vec<GivenOutcome> = postcard::from_bytes(given).unwrap_or_default();
        let mut fits = outcomes.iter().map(Result::is_ok);
        beside.files.retain(|_| fits.next().unwrap_or(false));
        spawn_local(async move {
            if let Err(message) = store::put_beside(&source, &beside.encode()).await {
                self.notify(
                    format!("What was given beside the log will not be here after a reload ({message})."),
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
                let count = site.questions.len();
                self.edit(move |study| {
                    // newer files take the place of older ones
                    study.treatment.site.clear();
                    files.iter().for_each(|&file| study.take_file(NeededFile { file, kind: ExternalKind::Site }));
                });
                self.notify(
                    format!("Slurm as configured is a row now. Under Workload, Slurm site: what was read, and {count} what-ifs."),
                    None,
                );
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

/// The first bytes of a file; none where the browser cannot read it.
async fn bytes(blob: &Blob, most: f64) -> Option<Vec<u8>> {
    let piece = blob.slice_with_f64_and_f64(0.0, most.min(blob.size())).ok()?;
    let buffer: JsValue = JsFuture::from(piece.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
