//! Reads a dropped file piece by piece.

use super::simulate::now;
use super::{load_zip, post};
use crate::run_queue::protocol::{FromWorker, LogId};
use crate::workload::reading::{Limits, Reader, is_zip};
use crate::workload::{ColumnMap, Log, ReadError};
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, console};

/// The number of bytes of a file that are read at once: large enough that the wait between pieces does not matter,
/// small enough that progress is seen and a compressed piece is unpacked in moderate time.
const PIECE: f64 = 1_048_576.0;

/// The largest number of jobs that are read. A job takes about 250 bytes while it is read and cleaned, twice that when
/// lists grow, and a worker has 4 GB of memory.
const MOST_JOBS: f64 = 8e6;

/// The limits for reading a log: a small gzip file can hide a very large text.
pub(super) const LIMITS: Limits = Limits { jobs: MOST_JOBS as usize, text: 4_000_000_000 };
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

/// The message that says why a log cannot be read, and what to do with a log that is too large.
pub(super) fn words(error: &ReadError) -> String {
    use ReadError::{NoMemory, TooManyJobs, TooMuchText};
    let is_too_large = matches!(error, TooManyJobs { .. } | TooMuchText { .. } | NoMemory { .. });
    if is_too_large { format!("{error}, or simulate it with {COMMAND_LINE}") } else { error.to_string() }
}

/// The advice for a log that needs more memory than a browser has.
const COMMAND_LINE: &str = "the command line, which has room for as many as your machine: packfair run LOG";
async fn piece(blob: &Blob, from: f64, until: f64) -> Result<ArrayBuffer, String> {
    let piece = blob.slice_with_f64_and_f64(from, until).map_err(|_| unreadable())?;
    let buffer = JsFuture::from(piece.array_buffer()).await.map_err(|_| unreadable())?;
    buffer.dyn_into().map_err(|_| unreadable())
}

async fn bytes(blob: &Blob, from: f64, until: f64) -> Result<Vec<u8>, String> {
    let piece = piece(blob, from, until.min(blob.size())).await?;
    Ok(Uint8Array::new(&piece).to_vec())
}

/// Checks whether there is enough memory for a log of which a part (from 0 to 1) holds `jobs` jobs. `tells` says
/// whether this part is large enough for an estimate.
pub(super) fn check_memory(jobs: f64, part: f64, tells: bool) -> Result<(), String> {
    let all = jobs / part;
    // the lines of later jobs may be shorter or longer
    if jobs <= MOST_JOBS && !(tells && all > 1.5 * MOST_JOBS) {
        return Ok(());
    }
    Err(format!(
        "it has about {} million jobs, and a browser tab has room for {} million. Take a part of it, a year say, or \
         simulate it with {COMMAND_LINE}",
        (all / 1e6).round().max(MOST_JOBS / 1e6 + 1.0),
        MOST_JOBS / 1e6,
    ))
}

pub(super) fn unreadable() -> String {
    "The browser could not read the file. Was it moved, changed or deleted after it was chosen? Choose it again."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_bomb_is_stopped_with_its_limit_and_a_way_out() {
        let said = words(&ReadError::TooManyJobs { most: LIMITS.jobs });
        assert!(said.starts_with("it has more than 8,000,000 jobs") && said.contains("packfair run"), "{said}");
        assert_eq!(words(&ReadError::Empty), ReadError::Empty.to_string());
    }

    #[wasm_bindgen_test]
    fn a_log_that_is_too_large_is_refused_early_and_with_a_way_out() {
        // a million jobs in a tenth of the file, but little of it read so far
        assert_eq!(check_memory(1e6, 0.1, false), Ok(()));
        let refused = check_memory(2e6, 0.1, true).unwrap_err();
        assert!(refused.contains("about 20 million jobs") && refused.contains("packfair run"), "{refused}");
        assert_eq!(check_memory(1e6, 0.1, true), Ok(()));
        assert_eq!(check_memory(8e6, 1.0, true), Ok(()));
        assert!(check_memory(8e6 + 1.0, 0.9, true).unwrap_err().contains("about 9 million jobs"));
    }
}
