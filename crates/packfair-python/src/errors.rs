//! Errors of the engine as exceptions.

use packfair::cli::embedded::Refusal;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::{PyErr, PyResult};

/// A `ValueError` with the engine's own sentence.
pub fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// A value, or the exception of its refusal.
pub fn told<T>(result: Result<T, Refusal>) -> PyResult<T> {
    result.map_err(refused)
}

/// The exception of a refusal: `TypeError` for a keyword that does not exist, as of any function of Python.
pub fn refused(refusal: Refusal) -> PyErr {
    let keyword = |option: &str| option.trim_start_matches('-').replace('-', "_");
    match refusal {
        Refusal::Input(why) => value_error(why),
        Refusal::Unknown { name, like } => {
            let like = like.map(|like| format!("; perhaps {} is meant", keyword(&like))).unwrap_or_default();
            PyTypeError::new_err(format!("there is no keyword {}{like}", keyword(&name)))
        }
        Refusal::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}
