//! What the page holds besides its signals: the run queue, the workers, the channels on which answers are awaited, and
//! what can be undone.

use super::act::Act;
use super::arrival::Arriving;
use super::pool::Pool;
use crate::run_queue::protocol::Ticket;
use crate::run_queue::{Encoded, GivenFile, LogExtras, QueueOrder, RunQueue};
use crate::study::query::Answer;
use crate::study::{Source, Treatment};
use futures_channel::oneshot;
use std::collections::{HashMap, VecDeque};
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// The run queue, and what is needed to carry out its orders.
pub(super) struct Backend {
    /// Decides what is to be done. For the queue, bytes are an opaque JavaScript value.
    pub queue: RunQueue<JsValue>,
    /// Orders that have not been carried out yet.
    pub orders: VecDeque<QueueOrder<JsValue>>,
    /// Whether orders are being carried out at this moment.
    pub is_at_orders: bool,
    /// Whether rows have changed and are not shown yet.
    pub rows_are_due: bool,
    /// Whether rows are not shown until a task of its own shows them.
    pub rows_are_held: bool,
    pub pool: Pool,
    /// Whether the browser stores no results: on a first visit, until there is one.
    pub stores_no_results: bool,
    pub questions: HashMap<Ticket, oneshot::Sender<Result<Answer, String>>>,
    pub logs_wanted: u32,
    /// The file that is being read and stored; `None` if the log that is being read was stored before.
    pub arriving: Option<Arriving>,
    /// The file that could not be read a moment ago, and that counts as arriving if the page is loaded again now.
    pub failed: Option<Arriving>,
    /// Slurm site files that came together with a log or before it, and wait for it.
    pub site_files: Vec<GivenFile>,
    /// The file that was last tried as a log or that the user was last asked about, and its name.
    pub attempted: Option<(String, Blob)>,
    pub said_of_attempted: Encoded<LogExtras>,
    /// Whether the log is being read because the user has just given a file beside it.
    pub is_giving: bool,
    /// The log to which Back or Forward leads again, and its treatment when it was left.
    pub returning: Option<(Source, Treatment)>,
    /// Actions that can be undone, the latest last, each with the number of its message. They stay after the message is
    /// gone.
    pub undoable: Vec<(u32, Act)>,
}

impl Backend {
    pub fn new(queue: RunQueue<JsValue>, pool: Pool, is_first_visit: bool) -> Self {
        Backend {
            queue,
            orders: VecDeque::new(),
            is_at_orders: false,
            rows_are_due: false,
            rows_are_held: false,
            pool,
            stores_no_results: is_first_visit,
            questions: HashMap::new(),
            logs_wanted: 0,
            arriving: None,
            failed: None,
            attempted: None,
            said_of_attempted: Encoded::default(),
            is_giving: false,
            site_files: Vec::new(),
            returning: None,
            undoable: Vec::new(),
        }
    }
}
