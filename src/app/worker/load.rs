//! Reads a dropped file piece by piece.

use super::room::{LIMITS, check_memory, unreadable, words};
use super::simulate::now;
use super::{load_zip, post};
use crate::run_queue::protocol::{FromWorker, LogId};
use crate::workload::reading::{Reader, is_zip};
use crate::workload::{ColumnMap, Log};
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, console};

/// The number of bytes of a file that are read at once: large enough that the wait between pieces does not matter,
/// small enough that progress is seen and a compressed piece is unpacked in moderate time.
const PIECE: f64 = 1_048_576.0;

/// The number of bytes of a file from which an archive is recognised.
const HEAD: f64 = 4.0;

/// The number of bytes of a file from which the number of its jobs is estimated.
const SAMPLE: f64 = 8.0 * PIECE;

/// Reads the log in `blob` and reports progress. `columns` may say what its columns mean. Also returns the names of the
/// other logs if the file is an archive. Writes the reading speed to the console, at the debug level.
pub(super) async fn read(
    log: LogId,
    name: String,
    blob: &JsValue,
    columns: ColumnMap,
) -> Result<(Log, Vec<String>), String> {
    let blob: &Blob = blob.dyn_ref().ok_or("no file came with the request to read one")?;
    // the user was shown its content, so it is no archive
    if columns.columns.is_empty() && is_zip(&bytes(blob, 0.0, HEAD).await?) {
        return load_zip::read(log, blob).await;
    }
    read_plain(log, name, blob, columns).await.map(|log| (log, Vec::new()))
}

async fn read_plain(log: LogId, name: String, blob: &Blob, columns: ColumnMap) -> Result<Log, String> {
    let total = blob.size();
    let mut reader = Reader::mapped(name, LIMITS, columns);
    let (mut read, mut spent) = (0.0, 0.0);
    while read < total {
        let end = (read + PIECE).min(total);
        let buffer = piece(blob, read, end).await?;
        let begin = now();
        let bytes = Uint8Array::new(&buffer).to_vec();
        reader.push(&bytes).map_err(|error| words(&error))?;
        spent += now() - begin;
        read = end;
        check_memory(reader.jobs() as f64, read / total, read >= SAMPLE)?;
        post(&FromWorker::Loading { log, read, total });
    }
    let (begin, megabytes) = (now(), reader.text_length() as f64 / 1e6);
    let log = reader.finish().map_err(|error| words(&error))?;
    spent += now() - begin;
    let speed = megabytes * 1_000.0 / spent;
    console::debug_1(&format!("{}: {megabytes:.1} MB of text read in {spent:.0} ms, {speed:.0} MB/s", log.name).into());
    Ok(log)
}

async fn piece(blob: &Blob, from: f64, until: f64) -> Result<ArrayBuffer, String> {
    let piece = blob.slice_with_f64_and_f64(from, until).map_err(|_| unreadable())?;
    let buffer = JsFuture::from(piece.array_buffer()).await.map_err(|_| unreadable())?;
    buffer.dyn_into().map_err(|_| unreadable())
}

async fn bytes(blob: &Blob, from: f64, until: f64) -> Result<Vec<u8>, String> {
    let piece = piece(blob, from, until.min(blob.size())).await?;
    Ok(Uint8Array::new(&piece).to_vec())
}
