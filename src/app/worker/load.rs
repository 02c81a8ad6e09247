//! Reads a dropped file piece by piece.

use super::post;
use crate::app::protocol::{FromWorker, LogId};
use crate::workload::Log;
use crate::workload::swf::Reader;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// How much of a file is read at once: large enough that the waiting between pieces does not count,
/// small enough that progress is seen and a packed piece unpacks in moderate time.
const PIECE: f64 = 1_048_576.0;

/// Reads the log in `blob`, telling how far it is.
pub(super) async fn read(log: LogId, name: String, blob: &JsValue) -> Result<Log, String> {
    let blob: &Blob = blob.dyn_ref().ok_or("no file came with the request to read one")?;
    let total = blob.size();
    let mut reader = Reader::new(name);
    let mut read = 0.0;
    while read < total {
        let end = (read + PIECE).min(total);
        let piece = blob.slice_with_f64_and_f64(read, end).map_err(|_| unreadable())?;
        let buffer = JsFuture::from(piece.array_buffer()).await.map_err(|_| unreadable())?;
        let bytes = Uint8Array::new(buffer.unchecked_ref::<ArrayBuffer>()).to_vec();
        reader.push(&bytes).map_err(|error| error.to_string())?;
        read = end;
        post(&FromWorker::Loading { log, read, total });
    }
    reader.finish().map_err(|error| error.to_string())
}

fn unreadable() -> String {
    "The browser could not read the file. Was it moved, changed or deleted after it was chosen? Choose it again."
        .to_owned()
}
