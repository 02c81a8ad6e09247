//! Errors of the engine as exceptions.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// A `ValueError` with the engine's own sentence.
pub fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}
