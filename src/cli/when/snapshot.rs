//! The files of a forecast: logs, and the queue of a moment, in any order.

use crate::cli::args::WhenArguments;
use crate::cli::{Failure, load, say};
use crate::workload::{Account, Beyond, Fingerprint, Header, Log, Names, Queue, QueueError, read_queue};
use std::path::{Path, PathBuf};

/// The most bytes that a file of a queue may have.
const LARGEST: u64 = 1 << 30;

/// A log, and the queue beside it where one is given.
pub(super) struct Given {
    pub(super) log: Log,
    pub(super) queue: Option<Queue>,
}

/// Reads the logs and the queue. A queue may stand among the logs. Without one and without a moment, the rows of running
/// and waiting jobs in the logs themselves are the queue.
pub(super) fn read(arguments: &WhenArguments) -> Result<Given, Failure> {
    let limits = arguments.limits.limits();
    let (mut logs, mut queues): (Vec<PathBuf>, Vec<Queue>) = (Vec::new(), Vec::new());
    if let Some(path) = &arguments.queue {
        queues.push(queue(path)?);
    }
    let mut refusal = None;
    for path in &arguments.traces {
        match path.is_file().then(|| load::log(path, limits)) {
            Some(Err(failure)) => match queue(path) {
                Ok(queue) if !queue.jobs.is_empty() => queues.push(queue),
                _ => refusal = Some(failure),
            },
            Some(Ok(_)) | None => logs.push(path.clone()),
        }
    }
    if let Some(failure) = refusal {
        return Err(failure);
    }
    let log = if logs.is_empty() {
        say(
            "packfair: there is a queue and no log: nothing tells how long similar jobs ran, so that run times are drawn up to the requested times",
        );
        empty()
    } else {
        load::logs(&logs, limits, &[])?
    };
    if queues.is_empty() && arguments.now.is_none() && arguments.back_test.is_none() {
        queues.extend(logs.iter().filter(|path| path.is_file()).filter_map(|path| queue(path).ok()));
        queues.retain(|queue| !queue.jobs.is_empty());
    }
    if queues.len() > 1 {
        return Err(Failure::input("there are several queues: give the one of the moment that is asked"));
    }
    Ok(Given { log, queue: queues.pop() })
}

fn queue(path: &Path) -> Result<Queue, Failure> {
    let content = load::bytes(path, LARGEST)?;
    read_queue(&content).map_err(|error: QueueError| Failure::input(format!("{}: {error}", path.display())))
}

/// A log without jobs.
fn empty() -> Log {
    Log {
        name: "queue".to_owned(),
        header: Header::default(),
        records: Vec::new(),
        account: Account::default(),
        fingerprint: Fingerprint(0),
        names: Names::default(),
        beyond: Beyond::default(),
        external: Vec::new(),
        own_zero: 0,
        site: None,
        is_table: false,
    }
}
