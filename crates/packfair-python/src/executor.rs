//! Studies whose runs are made elsewhere, by any executor: tasks out, answers in.

use crate::errors::{to_python, value_error};
use crate::keywords::Function;
use crate::results::Results;
use crate::working::work;
use packfair::cli::embedded::{Asked, Elsewhere, carry_out};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
