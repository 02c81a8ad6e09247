//! What the page keeps besides its signals: the run queue, the workers themselves, and senders for answers.

use super::arrival::Arrival;
use super::pool::Pool;
use crate::run_queue::protocol::Ticket;
use crate::run_queue::{GivenFile, QueueOrder, RunQueue};
use crate::study::query::Answer;
use crate::study::{Source, Treatment};
use futures_channel::oneshot;
use std::collections::{HashMap, VecDeque};
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// A file that has just come.
pub(super) struct Arriving {
    /// What a page that is loaded again knows of it.
    pub arrival: Arrival,
    /// Says when its content is written, or why not.
    pub written: oneshot::Receiver<Result<(), String>>,
}

/// The run queue, and what carries out its orders.
pub(super) struct Backend {
    /// Says what is to be done. Bytes are a JavaScript value to it.
    pub queue: RunQueue<JsValue>,
    /// Orders that are not carried out yet.
    pub orders: VecDeque<QueueOrder<JsValue>>,
    /// Whether orders are being carried out at this moment.
    pub is_at_orders: bool,
    /// Whether rows have changed that are not shown yet.
    pub rows_are_due: bool,
    pub pool: Pool,
    /// Senders for the answers to open questions.
    pub questions: HashMap<Ticket, oneshot::Sender<Result<Answer, String>>>,
    /// What is written meanwhile of the file that is being read, where it was not stored before.
    pub arriving: Option<Arriving>,
    /// Files of a Slurm site that came with a log that is about to be read, or before it.
    pub site_files: Vec<GivenFile>,
    /// The file that was last asked about or tried as a log, and its name.
    pub attempted: Option<(String, Blob)>,
    /// Whether a person gives a file beside the log that is being read.
    pub is_giving: bool,
    /// What was done to a log when it was left, which Back or Forward leads to again.
    pub returning: Option<(Source, Treatment)>,
}

impl Backend {
    pub fn new(queue: RunQueue<JsValue>, pool: Pool) -> Self {
        Backend {
            queue,
            orders: VecDeque::new(),
            is_at_orders: false,
            rows_are_due: false,
            pool,
            questions: HashMap::new(),
            arriving: None,
            attempted: None,
            is_giving: false,
            site_files: Vec::new(),
            returning: None,
        }
    }
}
