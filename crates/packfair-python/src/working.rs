//! Long work: on a thread of its own, without the interpreter, which meanwhile answers signals and tells the progress.

use packfair::cli::embedded::{Refusal, Step, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::errors::refused;
use crate::keywords::Function;

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// The time between two calls of a progress function.
const TELL: Duration = Duration::from_millis(100);

/// How long work that is to stop is waited for. What has not noticed by then ends on its own, and nobody waits.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a person asked for, as seen from the threads that work on it.
#[derive(Default)]
pub struct Watching {
    is_stopped: AtomicBool,
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Watch for Watching {
    fn come(&self, step: &Step) {
        // a whole number of items, so that the last call says that all is done
        self.done.store(step.items, Ordering::Relaxed);
        self.all.store(step.all, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// Does a function's work on a thread of its own, without holding the interpreter. `progress` is a bar, or is called with what
/// is done and with all that is to do (`packfair._progress`).
///
/// # Errors
/// The work refuses, the person interrupts it, or the progress function raises something: then the work is stopped.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    function: Function,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watching) -> Result<T, Refusal> + Send + 'static,
) -> PyResult<T> {
    let progress = match progress {
        Some(progress) => Some(py.import("packfair._progress")?.call_method1("teller", (progress,))?),
        None => None,
    };
    let watching = Arc::new(Watching::default());
    let (sender, receiver) = channel();
    // only this thread waits, with or without the interpreter
    let receiver = Mutex::new(receiver);
    let wait = |most: Duration| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(most);
    let seen = watching.clone();
    thread::spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&seen)));
        // where nobody waits any more, nobody wants the result
        let _ = sender.send(done);
    });
    let (mut told, mut last) = (Instant::now(), (0, 0));
    let mut tell = |is_over: bool| -> PyResult<()> {
        let now = (watching.done.load(Ordering::Relaxed), watching.all.load(Ordering::Relaxed));
        if let Some(progress) = &progress
            && now != last
            && (is_over || told.elapsed() >= TELL)
        {
            (told, last) = (Instant::now(), now);
            progress.call1(now)?;
        }
        Ok(())
    };
    loop {
        let received = py.detach(|| wait(LOOK));
        match received {
            Ok(Ok(done)) => {
                tell(true)?;
                return done.map_err(|refusal| refused(refusal, function));
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "a mistake of Packfair's own; please report it, with the lines above",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupted) = py.check_signals().and_then(|()| tell(false)) {
                    watching.is_stopped.store(true, Ordering::Relaxed);
                    let _ = py.detach(|| wait(PATIENCE));
                    return Err(interrupted);
                }
            }
        }
    }
}
