//! What survives a reload: logs and results in IndexedDB, the session in local storage.

use super::protocol::ScheduleKey;
use crate::study::{Engine, RunReport, Source};
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use rexie::{KeyRange, ObjectStore, Rexie, TransactionMode};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// The database; its name changes when the form of what is in it does.
const DATABASE: &str = "packfair-1";
const LOGS: &str = "logs";
const RESULTS: &str = "results";

/// Up to this size, bytes, a log's content is stored as such. Browsers write a file apart from the database,
/// which takes them a while: a reload straight after a drop would come before that.
const SMALL: f64 = 8e6;

/// A log as it is remembered.
#[derive(Clone)]
pub struct StoredLog {
    /// What studies call it.
    pub source: Source,
    /// Display name.
    pub name: String,
    /// Jobs, as read.
    pub records: usize,
    /// The file, where it was one.
    pub blob: Option<Blob>,
}

/// The database could not be used; nothing is remembered then, and everything else works.
pub type Result<T> = std::result::Result<T, String>;

async fn open() -> Result<Rexie> {
    Rexie::builder(DATABASE)
        .version(1)
        .add_object_store(ObjectStore::new(LOGS))
        .add_object_store(ObjectStore::new(RESULTS))
        .build()
        .await
        .map_err(words)
}

fn words(error: rexie::Error) -> String {
    error.to_string()
}

/// Remembers a log.
pub async fn put_log(log: &StoredLog) -> Result<()> {
    let value = Object::new();
    set(&value, "source", &serde_json::to_string(&log.source).map_err(|e| e.to_string())?.into());
    set(&value, "name", &log.name.as_str().into());
    set(&value, "records", &(log.records as f64).into());
    if let Some(blob) = &log.blob {
        let content = if blob.size() <= SMALL {
            JsFuture::from(blob.array_buffer()).await.map_err(|_| "its file cannot be read any more")?
        } else {
            blob.into()
        };
        set(&value, "blob", &content);
    }
    put(LOGS, &log.source.key(), &value).await
}

/// Every remembered log.
pub async fn logs() -> Result<Vec<StoredLog>> {
    let database = open().await?;
    let transaction = database.transaction(&[LOGS], TransactionMode::ReadOnly).map_err(words)?;
    let values = transaction.store(LOGS).map_err(words)?.get_all(None, None).await.map_err(words)?;
    database.close();
    Ok(values.iter().filter_map(stored_log).collect())
}

fn stored_log(value: &JsValue) -> Option<StoredLog> {
    Some(StoredLog {
        source: serde_json::from_str(&get(value, "source")?.as_string()?).ok()?,
        name: get(value, "name")?.as_string()?,
        records: get(value, "records")?.as_f64()? as usize,
        blob: get(value, "blob").and_then(blob),
    })
}

/// The content of a stored log.
fn blob(content: JsValue) -> Option<Blob> {
    match content.dyn_into::<ArrayBuffer>() {
        Ok(bytes) => Blob::new_with_buffer_source_sequence(&Array::of1(&bytes)).ok(),
        Err(content) => content.dyn_into().ok(),
    }
}

/// What [`delete_log`] took out of the database, as it was in there.
#[derive(Clone, Default)]
pub struct Deleted {
    /// Keys and values of the two stores.
    logs: Vec<(JsValue, JsValue)>,
    results: Vec<(JsValue, JsValue)>,
}

/// Forgets a log and all results on it.
pub async fn delete_log(source: &Source) -> Result<Deleted> {
    let database = open().await?;
    let transaction = database.transaction(&[LOGS, RESULTS], TransactionMode::ReadWrite).map_err(words)?;
    let logs = transaction.store(LOGS).map_err(words)?;
    let key = JsValue::from(source.key());
    let log = logs.get(key.clone()).await.map_err(words)?;
    logs.delete(key.clone()).await.map_err(words)?;
    // keys of results begin with their log's key and a bar; '}' is the next character after the bar
    let prefix = source.key();
    let range = KeyRange::bound(&format!("{prefix}|").into(), &format!("{prefix}}}").into(), None, Some(true))
        .map_err(|e| e.to_string())?;
    let store = transaction.store(RESULTS).map_err(words)?;
    let results = store.scan(Some(range), None, None, None).await.map_err(words)?;
    for (key, _) in &results {
        store.delete(key.clone()).await.map_err(words)?;
    }
    transaction.done().await.map_err(words)?;
    database.close();
    Ok(Deleted { logs: log.map(|log| (key, log)).into_iter().collect(), results })
}

/// Puts back what was deleted.
pub async fn restore(deleted: &Deleted) -> Result<()> {
    let database = open().await?;
    let transaction = database.transaction(&[LOGS, RESULTS], TransactionMode::ReadWrite).map_err(words)?;
    for (store, entries) in [(LOGS, &deleted.logs), (RESULTS, &deleted.results)] {
        let store = transaction.store(store).map_err(words)?;
        for (key, value) in entries {
            store.put(value, Some(key)).await.map_err(words)?;
        }
    }
    transaction.done().await.map_err(words)?;
    database.close();
    Ok(())
}

/// Remembers a result.
pub async fn put_result(key: &ScheduleKey, report: &RunReport, schedule: &Uint8Array) -> Result<()> {
    let value = Object::new();
    let report = postcard::to_stdvec(report).map_err(|e| e.to_string())?;
    set(&value, "report", &Uint8Array::from(report.as_slice()));
    set(&value, "schedule", schedule);
    put(RESULTS, key, &value).await
}

/// The remembered results among `keys`.
pub async fn reports(keys: Vec<ScheduleKey>) -> Result<Vec<(ScheduleKey, RunReport)>> {
    let database = open().await?;
    let transaction = database.transaction(&[RESULTS], TransactionMode::ReadOnly).map_err(words)?;
    let results = transaction.store(RESULTS).map_err(words)?;
    let mut found = Vec::new();
    for key in keys {
        let value = results.get(key.as_str().into()).await.map_err(words)?;
        let report = value.and_then(|value| bytes(&value, "report"));
        // one of an older form of reports is as good as none
        if let Some(report) = report.and_then(|bytes| postcard::from_bytes(&bytes.to_vec()).ok()) {
            found.push((key, report));
        }
    }
    drop(transaction);
    database.close();
    Ok(found)
}

/// Forgets the results of other engines than this one: they are not looked for any more.
pub async fn forget_other_engines() -> Result<()> {
    let database = open().await?;
    let transaction = database.transaction(&[RESULTS], TransactionMode::ReadWrite).map_err(words)?;
    let results = transaction.store(RESULTS).map_err(words)?;
    let of_this = format!("|{}-", Engine::THIS);
    for key in results.get_all_keys(None, None).await.map_err(words)? {
        if !key.as_string().is_some_and(|key| key.contains(&of_this)) {
            results.delete(key).await.map_err(words)?;
        }
    }
    transaction.done().await.map_err(words)?;
    database.close();
    Ok(())
}

/// A remembered schedule.
pub async fn schedule(key: &ScheduleKey) -> Result<Option<Uint8Array>> {
    let database = open().await?;
    let transaction = database.transaction(&[RESULTS], TransactionMode::ReadOnly).map_err(words)?;
    let value = transaction.store(RESULTS).map_err(words)?.get(key.as_str().into()).await.map_err(words)?;
    database.close();
    Ok(value.and_then(|value| bytes(&value, "schedule")))
}

async fn put(store: &str, key: &str, value: &JsValue) -> Result<()> {
    let database = open().await?;
    let transaction = database.transaction(&[store], TransactionMode::ReadWrite).map_err(words)?;
    transaction.store(store).map_err(words)?.put(value, Some(&key.into())).await.map_err(words)?;
    transaction.done().await.map_err(words)?;
    database.close();
    Ok(())
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
