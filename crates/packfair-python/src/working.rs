//! Long work: on a thread of its own, without the interpreter, which meanwhile answers signals and tells the progress.

use packfair::cli::embedded::{Asked, Elsewhere, Refusal, Step, Watch, carry_out};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::keywords::Function;
use crate::results::Results;
use pyo3::types::PyBytes;
use pyo3::{PyErr, PyResult};

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

// Studies whose runs are made elsewhere, by any executor: tasks out, answers in.

/// A study that is computed elsewhere.
#[pyclass(frozen, module = "packfair")]
pub struct Spread {
    of: Arc<Mutex<Option<Elsewhere>>>,
}

impl Spread {
    /// A study of which nothing is computed yet.
    ///
    /// # Errors
    /// The log does not suit the study.
    pub fn of(py: Python<'_>, asked: Asked) -> PyResult<Self> {
        let elsewhere = work(py, Function::Run, None, move |_| Elsewhere::new(asked))?;
        Ok(Spread { of: Arc::new(Mutex::new(Some(elsewhere))) })
    }

    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Elsewhere) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            // no thread panics while it holds the lock
            let mut of: MutexGuard<'_, Option<Elsewhere>> = self.of.lock().unwrap_or_else(PoisonError::into_inner);
            of.as_mut().map(work)
        })
        .ok_or_else(|| value_error("its results were taken already"))
    }
}

#[pymethods]
impl Spread {
    /// The number of tasks for the runs of the study.
    fn tasks(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |of| of.tasks())
    }

    /// A task for some runs.
    fn task<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, |of| of.task(number))?))
    }

    /// The number of tasks for its repeats, once all runs have come.
    fn repeat_tasks(&self, py: Python<'_>) -> PyResult<usize> {
        to_python(self.with(py, Elsewhere::repeat_tasks)?)
    }

    /// The task of a repeat.
    fn repeat_task<'py>(&self, py: Python<'py>, repeat: u32) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &to_python(self.with(py, |of| of.repeat_task(repeat))?)?))
    }

    /// Takes what a task came to.
    fn receive(&self, py: Python<'_>, answer: &[u8]) -> PyResult<()> {
        to_python(self.with(py, |of| of.receive(answer))?)
    }

    /// The results, as if they had been computed here.
    fn finish(&self, py: Python<'_>) -> PyResult<Results> {
        let of = self.of.lock().unwrap_or_else(PoisonError::into_inner).take();
        let of = of.ok_or_else(|| value_error("its results were taken already"))?;
        Results::made(work(py, Function::Run, None, move |_| of.finish())?)
    }
}

/// Carries out a task of a study, in whichever process.
#[pyfunction]
pub fn carry_out_task<'py>(py: Python<'py>, task: Vec<u8>) -> PyResult<Bound<'py, PyBytes>> {
    let answer = work(py, Function::Run, None, move |_| carry_out(&task))?;
    Ok(PyBytes::new(py, &answer))
}

// Errors of the engine as exceptions, with its sentences in Python's words.

/// A `ValueError` with the engine's own sentence, in which options are keywords of `run`.
pub fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(Function::Run.in_words(&message.to_string()))
}

/// A value, or the exception of its refusal.
pub fn to_python<T>(result: Result<T, Refusal>) -> PyResult<T> {
    result.map_err(|refusal| refused(refusal, Function::Run))
}

/// The exception of a refusal, in the keywords of a function: `TypeError` for one that it does not have, as of any function of
/// Python.
pub fn refused(refusal: Refusal, by: Function) -> PyErr {
    match refusal {
        Refusal::Input(why) => PyValueError::new_err(by.in_words(&why)),
        Refusal::Unknown { name, like } => {
            let keyword = |option: &str| by.keyword(option.trim_start_matches('-'));
            let like = like.map(|like| format!("; perhaps {} is meant", keyword(&like))).unwrap_or_default();
            PyTypeError::new_err(format!("there is no keyword {}{like}", keyword(&name)))
        }
        Refusal::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}
