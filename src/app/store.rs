//! Data that survives a reload: logs and results are stored in IndexedDB ([`self`]), the session as text
//! ([`super::remembered`]).
//!
//! A log's content is stored apart from its description, because it is written first: from the moment the file is
//! dropped, before anyone knows what is in it.

use crate::run_queue::protocol::ScheduleKey;
use crate::run_queue::{Encoded, LogExtras};
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use leptos::prelude::set_timeout;
use packfair_study::{Engine, RunReport, Source};
use rexie::{KeyRange, ObjectStore, Rexie, Transaction, TransactionMode, TransactionResult};
use std::cell::{Cell, RefCell};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// The key of a log's content in the database. It begins with the time of arrival, in milliseconds since 1970, in
/// hexadecimal.
pub type ContentKey = String;

/// How long a content without a log is kept, milliseconds. Such a content is left if a page is closed before it has
/// read the file.
const KEPT_UNKNOWN: f64 = 24.0 * 3_600e3;

/// The size up to which a log's content is stored in the database as bytes. Browsers store a larger file apart from the
/// database, which takes a while: a reload right after a drop would come too early.
const SMALL: f64 = 8e6;

/// A remembered log.
#[derive(Clone)]
pub struct StoredLog {
    pub source: Source,
    pub name: String,
    pub records: usize,
    /// The size of the file, bytes; 0 for a generated workload.
    pub bytes: u64,
    /// Where the file's content is; `None` for a generated workload.
    pub content: Option<StoredContent>,
}

/// Where the content of a log is stored.
#[derive(Clone)]
pub enum StoredContent {
    Apart(ContentKey),
    /// In the log's own entry: how versions before this one stored it.
    Within(Blob),
}

/// A new key for a content that arrives now.
pub fn new_content_key() -> ContentKey {
    // the second number distinguishes contents that arrive in the same millisecond
    format!("{:x}-{:x}", js_sys::Date::now() as u64, (js_sys::Math::random() * 1e15) as u64)
}

pub async fn put_content(key: &str, content: &Blob) -> Result<()> {
    let content = if content.size() <= SMALL {
        JsFuture::from(content.array_buffer()).await.map_err(|_| "its file cannot be read any more")?
    } else {
        content.into()
    };
    put(CONTENTS, key, &content).await
}

pub async fn content(key: &str) -> Result<Option<Blob>> {
    let transaction = read(&[CONTENTS]).await?;
    let value = transaction.store(CONTENTS).map_err(words)?.get(key.into()).await.map_err(words)?;
    Ok(value.and_then(blob))
}

/// The file of a remembered log.
pub async fn file(log: StoredLog) -> Result<Option<Blob>> {
    match log.content {
        Some(StoredContent::Apart(key)) => content(&key).await,
        Some(StoredContent::Within(blob)) => Ok(Some(blob)),
        None => Ok(None),
    }
}

pub async fn delete_content(key: &str) -> Result<()> {
    let transaction = write(&[CONTENTS]).await?;
    transaction.store(CONTENTS).map_err(words)?.delete(key.into()).await.map_err(words)?;
    finish(transaction).await
}

/// Deletes old contents that belong to no log.
pub async fn tidy(logs: &[StoredLog]) -> Result<()> {
    let transaction = read(&[CONTENTS]).await?;
    let keys = transaction.store(CONTENTS).map_err(words)?.get_all_keys(None, None).await.map_err(words)?;
    for key in keys.iter().filter_map(JsValue::as_string) {
        let is_known = logs.iter().any(|log| beside_key(&log.source) == key)
            || logs.iter().any(|log| matches!(&log.content, Some(StoredContent::Apart(known)) if *known == key));
        if !is_known && received_at(&key).is_none_or(|at| at + KEPT_UNKNOWN < js_sys::Date::now()) {
            delete_content(&key).await?;
        }
    }
    Ok(())
}

fn beside_key(source: &Source) -> String {
    format!("beside-{}", source.key())
}

#[inline(never)]
pub async fn put_beside(source: &Source, beside: &Encoded<LogExtras>) -> Result<()> {
    put(CONTENTS, &beside_key(source), &Uint8Array::from(beside.bytes())).await
}

/// What the user said about a log and the files given beside it; empty if there is nothing.
pub async fn extras(source: &Source) -> Result<Encoded<LogExtras>> {
    let transaction = read(&[CONTENTS]).await?;
    let value = transaction.store(CONTENTS).map_err(words)?.get(beside_key(source).into()).await.map_err(words)?;
    let bytes = value.and_then(|value| value.dyn_into::<Uint8Array>().ok());
    Ok(bytes.map(|bytes| Encoded::from_bytes(bytes.to_vec())).unwrap_or_default())
}

/// When a content arrived, milliseconds since 1970.
fn received_at(key: &str) -> Option<f64> {
    let (at, _) = key.split_once('-')?;
    u64::from_str_radix(at, 16).ok().map(|at| at as f64)
}

/// Stores a log whose content is stored already, and deletes the content that the log had before.
pub async fn put_log(log: &StoredLog) -> Result<()> {
    let value = Object::new();
    set(&value, "source", &serde_json::to_string(&log.source).map_err(|e| e.to_string())?.into());
    set(&value, "name", &log.name.as_str().into());
    set(&value, "records", &(log.records as f64).into());
    set(&value, "bytes", &(log.bytes as f64).into());
    match &log.content {
        Some(StoredContent::Apart(key)) => set(&value, "content", &key.as_str().into()),
        Some(StoredContent::Within(blob)) => set(&value, "blob", blob),
        None => {}
    }
    let before = logs().await?.into_iter().find(|before| before.source.key() == log.source.key());
    put(LOGS, &log.source.key(), &value).await?;
    match (before.and_then(|before| before.content), &log.content) {
        (Some(StoredContent::Apart(before)), Some(StoredContent::Apart(now))) if before != *now => {
            delete_content(&before).await
        }
        _ => Ok(()),
    }
}

/// All remembered logs.
pub async fn logs() -> Result<Vec<StoredLog>> {
    let transaction = read(&[LOGS]).await?;
    let values = transaction.store(LOGS).map_err(words)?.get_all(None, None).await.map_err(words)?;
    Ok(values.iter().filter_map(stored_log).collect())
}

fn stored_log(value: &JsValue) -> Option<StoredLog> {
    let apart = get(value, "content").and_then(|key| key.as_string());
    let within = get(value, "blob").and_then(blob);
    Some(StoredLog {
        source: serde_json::from_str(&get(value, "source")?.as_string()?).ok()?,
        name: get(value, "name")?.as_string()?,
        records: get(value, "records")?.as_f64()? as usize,
        bytes: get(value, "bytes").and_then(|bytes| bytes.as_f64()).or(within.as_ref().map(Blob::size)).unwrap_or(0.0)
            as u64,
        content: apart.map(StoredContent::Apart).or(within.map(StoredContent::Within)),
    })
}

/// A stored content as a blob.
fn blob(content: JsValue) -> Option<Blob> {
    match content.dyn_into::<ArrayBuffer>() {
        Ok(bytes) => Blob::new_with_buffer_source_sequence(&Array::of1(&bytes)).ok(),
        Err(content) => content.dyn_into().ok(),
    }
}

/// What [`delete_log`] has removed from the database, in its stored form.
#[derive(Clone, Default)]
pub struct Deleted {
    logs: Vec<(JsValue, JsValue)>,
    results: Vec<(JsValue, JsValue)>,
    contents: Vec<(JsValue, JsValue)>,
}

pub async fn delete_log(source: &Source) -> Result<Deleted> {
    let transaction = write(&STORES).await?;
    let logs = transaction.store(LOGS).map_err(words)?;
    let key = JsValue::from(source.key());
    let log = logs.get(key.clone()).await.map_err(words)?;
    logs.delete(key.clone()).await.map_err(words)?;
    let mut contents = Vec::new();
    if let Some(of_log) = log.as_ref().and_then(|log| get(log, "content")) {
        let store = transaction.store(CONTENTS).map_err(words)?;
        let content = store.get(of_log.clone()).await.map_err(words)?;
        store.delete(of_log.clone()).await.map_err(words)?;
        contents.extend(content.map(|content| (of_log, content)));
    }
    // the key of a result begins with its log's key and a bar; '}' is the character after the bar
    let prefix = source.key();
    let range = KeyRange::bound(&format!("{prefix}|").into(), &format!("{prefix}}}").into(), None, Some(true))
        .map_err(|e| e.to_string())?;
    let store = transaction.store(RESULTS).map_err(words)?;
    let results = store.scan(Some(range), None, None, None).await.map_err(words)?;
    for (key, _) in &results {
        store.delete(key.clone()).await.map_err(words)?;
    }
    finish(transaction).await?;
    Ok(Deleted { logs: log.map(|log| (key, log)).into_iter().collect(), results, contents })
}

pub async fn restore(deleted: &Deleted) -> Result<()> {
    let transaction = write(&STORES).await?;
    for (store, entries) in [(CONTENTS, &deleted.contents), (LOGS, &deleted.logs), (RESULTS, &deleted.results)] {
        let store = transaction.store(store).map_err(words)?;
        for (key, value) in entries {
            store.put(value, Some(key)).await.map_err(words)?;
        }
    }
    finish(transaction).await
}

pub async fn put_result(key: &ScheduleKey, report: &RunReport, schedule: &Uint8Array) -> Result<()> {
    put(RESULTS, key, &stored_result(report, schedule)?).await
}

fn stored_result(report: &RunReport, schedule: &Uint8Array) -> Result<JsValue> {
    let value = Object::new();
    let report = postcard::to_stdvec(report).map_err(|e| e.to_string())?;
    set(&value, "report", &Uint8Array::from(report.as_slice()));
    set(&value, "schedule", schedule);
    Ok(value.into())
}

pub async fn reports(keys: Vec<ScheduleKey>) -> Result<Vec<(ScheduleKey, RunReport)>> {
    let transaction = read(&[RESULTS]).await?;
    let results = transaction.store(RESULTS).map_err(words)?;
    let mut found = Vec::new();
    for key in keys {
        let value = results.get(key.as_str().into()).await.map_err(words)?;
        let report = value.and_then(|value| bytes(&value, "report"));
        // a report in an older form is ignored
        if let Some(report) = report.and_then(|bytes| postcard::from_bytes(&bytes.to_vec()).ok()) {
            found.push((key, report));
        }
    }
    Ok(found)
}

/// Deletes the results of other engine versions: they are never used again.
pub async fn forget_other_engines() -> Result<()> {
    let transaction = write(&[RESULTS]).await?;
    let results = transaction.store(RESULTS).map_err(words)?;
    let of_this = format!("|{}-", Engine::THIS);
    for key in results.get_all_keys(None, None).await.map_err(words)? {
        if !key.as_string().is_some_and(|key| key.contains(&of_this)) {
            results.delete(key).await.map_err(words)?;
        }
    }
    finish(transaction).await
}

pub async fn schedule(key: &ScheduleKey) -> Result<Option<Uint8Array>> {
    let transaction = read(&[RESULTS]).await?;
    let value = transaction.store(RESULTS).map_err(words)?.get(key.as_str().into()).await.map_err(words)?;
    Ok(value.and_then(|value| bytes(&value, "schedule")))
}

async fn put(store: &str, key: &str, value: &JsValue) -> Result<()> {
    let transaction = write(&[store]).await?;
    transaction.store(store).map_err(words)?.put(value, Some(&key.into())).await.map_err(words)?;
    finish(transaction).await
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // setting a property of a fresh object cannot fail
    let _ = Reflect::set(object, &name.into(), value);
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok().filter(|value| !value.is_undefined() && !value.is_null())
}

fn bytes(object: &JsValue, name: &str) -> Option<Uint8Array> {
    get(object, name)?.dyn_into().ok()
}

// The page's database in the browser, and the one connection to it.
//
// A connection costs time and memory, so it is kept while it is used. It is closed soon after, because a page of
// another version has to wait until no page has a connection.

/// The database's name and version. The name changes when the form of stored values changes, the version when stores
/// are added.
pub(super) const DATABASE: &str = "packfair-1";
pub(super) const VERSION: u32 = 2;

pub(super) const LOGS: &str = "logs";

pub(super) const RESULTS: &str = "results";

pub(super) const CONTENTS: &str = "contents";

pub(super) const STORES: [&str; 3] = [LOGS, RESULTS, CONTENTS];

/// How long an unused connection is kept.
const KEPT_UNUSED: Duration = Duration::from_secs(5);

/// A result whose error says why the database could not be used. Then nothing is stored, and everything else works.
pub type Result<T> = std::result::Result<T, String>;

thread_local! {
    static CONNECTION: RefCell<Option<Rexie>> = const { RefCell::new(None) };

    /// Whether the connection was used since this was last checked.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

pub(super) async fn read(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadOnly).await
}

/// Begins a transaction that writes to these stores. It ends with [`finish`].
pub(super) async fn write(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadWrite).await
}

/// Waits until the transaction's writes are stored. If there is no room, some browsers report it only now, and undo all
/// of them.
pub(super) async fn finish(transaction: Transaction) -> Result<()> {
    match transaction.done().await.map_err(words)? {
        TransactionResult::Committed => Ok(()),
        TransactionResult::Aborted => Err("it gave up, as where no room is left".to_owned()),
    }
}

/// The error message of the database.
pub(super) fn words(error: rexie::Error) -> String {
    error.to_string()
}

async fn begin(stores: &[&str], mode: TransactionMode) -> Result<Transaction> {
    IS_USED.set(true);
    // the browser may have closed the connection meanwhile
    let kept =
        CONNECTION.with_borrow(|kept| kept.as_ref().and_then(|database| database.transaction(stores, mode).ok()));
    if let Some(transaction) = kept {
        return Ok(transaction);
    }
    let database = connect().await?;
    let transaction = database.transaction(stores, mode).map_err(words);
    match CONNECTION.replace(Some(database)) {
        // transactions under way are still completed
        Some(before) => before.close(),
        None => let_go_when_unused(),
    }
    transaction
}

async fn connect() -> Result<Rexie> {
    let builder = Rexie::builder(DATABASE).version(VERSION);
    let builder = STORES.iter().fold(builder, |builder, name| builder.add_object_store(ObjectStore::new(name)));
    builder.build().await.map_err(words)
}

fn let_go_when_unused() {
    let look = || {
        if IS_USED.replace(false) {
            let_go_when_unused();
        } else if let Some(unused) = CONNECTION.take() {
            unused.close();
        }
    };
    set_timeout(look, KEPT_UNUSED);
}
