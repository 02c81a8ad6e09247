//! Packfair's engine as a Python module: the same studies, and the same results bit for bit.
//!
//! A file for each thing that Python sees. What the engine offers is used by its own names and notations; nothing is
//! computed here.

mod errors;

use pyo3::prelude::*;

/// The compiled part of the package `packfair`.
#[pymodule]
mod _packfair {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("engine_digest", packfair::study::Engine::THIS.to_string())
    }
}
