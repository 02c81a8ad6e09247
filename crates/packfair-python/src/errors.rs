//! Errors of the engine as exceptions, with its sentences in Python's words.

use crate::keywords::Function;
use packfair::cli::embedded::Refusal;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::{PyErr, PyResult};

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
