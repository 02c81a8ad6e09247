//! Files in and out of the page: picked, dropped, saved, copied.

use crate::app::controls::take_machine;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::machine::MachineText;
use crate::study::export::{begins_like_a_study, link_in, read_study};
use crate::study::limits::LARGEST_STUDY;
use crate::workload::printable;
use crate::workload::reading::tar_header;
use gloo::file::{Blob, ObjectUrl};
use js_sys::{Array, Uint8Array};
use leptos::html;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, HtmlAnchorElement, HtmlInputElement};

/// The size of the blocks of a tar archive, bytes.
const TAR_BLOCK: f64 = 512.0;

/// How long the content of a saved file is kept so that the browser can fetch it.
const KEPT: Duration = Duration::from_secs(60);

/// The page's hidden file inputs, which any button can open.
#[derive(Clone, Copy, Default)]
pub struct FileInputs {
    log: NodeRef<html::Input>,
    beside: NodeRef<html::Input>,
    study: NodeRef<html::Input>,
}

impl FileInputs {
    /// Lets the user pick a log.
    pub fn pick_log(self) {
        open(self.log);
    }

    /// Lets the user pick a schedule or estimates of the open log.
    pub fn pick_beside(self) {
        open(self.beside);
    }

    /// Lets the user pick a saved study.
    pub fn pick_study(self) {
        open(self.study);
    }
}

fn open(input: NodeRef<html::Input>) {
    if let Some(input) = input.get_untracked() {
        input.click();
    }
}

/// The inputs behind [`FileInputs`].
#[component]
pub fn PickedFiles() -> impl IntoView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let taken = move |input: NodeRef<html::Input>| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(list) = input.files() {
            take(app, &list);
        }
        reset(&input);
    };
    view! {
        <input
            type="file"
            multiple
            hidden
            aria-label="Log"
            data-testid="file-input"
            node_ref=inputs.log
            on:change=move |_| taken(inputs.log)
        />
        <input
            type="file"
            hidden
            aria-label="Schedule or estimates"
            data-testid="beside-input"
            node_ref=inputs.beside
            on:change=move |_| {
                let Some(input) = inputs.beside.get_untracked() else { return };
                if let Some(file) = input.files().and_then(|list| list.get(0)) {
                    app.pick_beside(file);
                }
                reset(&input);
            }
        />
        <input
            type="file"
            accept=".json"
            hidden
            aria-label="Study"
            node_ref=inputs.study
            on:change=move |_| taken(inputs.study)
        />
    }
}

/// Empties the input, so that picking the same file again counts as a change.
fn reset(input: &HtmlInputElement) {
    input.set_value("");
}

/// The size of the largest machine file that the page takes, bytes. A hundred thousand changes take about five million.
const MACHINE_BYTES: f64 = 10e6;

/// The number of bytes of a file from which the page tells whether it is a study.
const HEAD: i32 = 4_096;

/// Reads dropped or picked files. A single file that begins like a study is one, whatever its name; any other file is a
/// log. Several files are read as one log.
pub fn take(app: App, files: &FileList) {
    let Some(file) = files.get(0) else { return };
    if files.length() > 1 {
        let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
        return leptos::task::spawn_local(async move {
            let mut logs = app.without_site_files(files).await;
            match logs.len() {
                0 => {}
                1 => open_one(app, logs.remove(0)).await,
                _ => take_several(app, &logs),
            }
        });
    }
    leptos::task::spawn_local(open_one(app, file));
}

/// Opens a single file. Its name does not tell a study from a log, since a log may be JSON too.
async fn open_one(app: App, file: File) {
    let head = match file.slice_with_i32_and_i32(0, HEAD) {
        Ok(head) => JsFuture::from(head.text()).await.ok().and_then(|text| text.as_string()),
        Err(_) => None,
    };
    if head.as_ref().is_some_and(|head| begins_like_a_study(head)) {
        open_study(app, file).await;
    } else if head.is_some_and(|head| MachineText::recognise(&head).is_some()) {
        open_machine(app, file).await;
    } else {
        // if the file cannot be read, the attempt to read it as a log reports this
        app.take_file(file);
    }
}

/// Reads a file that describes the machine of the open log.
#[inline(never)]
async fn open_machine(app: App, file: File) {
    let name = printable(&file.name());
    if file.size() > MACHINE_BYTES {
        return app.complain(format!("{name} is larger than a machine's file may be here; take the command line"));
    }
    match JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) {
        Some(text) => take_machine(app, &name, &text),
        None => app.complain(format!("{name} cannot be read")),
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

/// Makes a file that holds a text.
pub fn of_text(name: &str, text: &str) -> Option<File> {
    // fails only if the parts are not a sequence
    File::new_with_str_sequence(&Array::of1(&JsValue::from_str(text)), name).ok()
}

async fn open_study(app: App, file: File) {
    let name = printable(&file.name());
    if file.size() > LARGEST_STUDY as f64 {
        app.complain(format!("{name} is too large to be a saved study."));
        return;
    }
    let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
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

/// The name of a file about the active log, such as `packfair-KTH-SP2-results.csv`.
pub fn of_log(app: App, end: &str) -> String {
    let log = app.study.with_untracked(|study| study.source.name());
    let kept = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let log: String = log.trim_end_matches(".gz").trim_end_matches(".swf").chars().take(60).map(kept).collect();
    format!("packfair-{log}-{end}")
}

/// Offers `content` as a file to save.
///
/// # Errors
/// A message: the browser refuses.
pub fn save(name: &str, media_type: &str, content: &[u8]) -> Result<(), String> {
    let refused = |_| format!("The browser refuses to save {name}.");
    let url = ObjectUrl::from(Blob::new_with_options(content, Some(media_type)));
    let anchor = document().create_element("a").map_err(refused)?;
    // an element made as "a" is an anchor
    let anchor = anchor.unchecked_into::<HtmlAnchorElement>();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    set_timeout(move || drop(url), KEPT);
    Ok(())
}

/// Puts `text` on the clipboard.
///
/// # Errors
/// A message: this page has no clipboard, or the browser refuses.
pub async fn copy(text: &str) -> Result<(), String> {
    let clipboard = window().navigator().clipboard();
    // pages that are not served securely have no clipboard, although the type says otherwise
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        return Err("This page has no access to the clipboard, as it is not served over https.".to_owned());
    }
    let written = JsFuture::from(clipboard.write_text(text)).await;
    written.map(drop).map_err(|_| "The browser does not let this page write to the clipboard.".to_owned())
}
