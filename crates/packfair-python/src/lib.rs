//! Packfair's engine as a Python module: the same studies, and the same results bit for bit.
//!
//! A file for each thing that Python sees. What the engine offers is used by its own names and notations; nothing is
//! computed here.

mod asking;
mod frame;
mod gym;
mod keywords;
mod log;
mod results;
mod scheduler;
mod table;
mod working;

use pyo3::prelude::*;

/// The compiled part of the package `packfair`.
#[pymodule]
mod _packfair {
    use super::*;

    #[pymodule_export]
    use super::asking::{catalogue, command_line, explore, generate, read, recipe, run, study, when};
    #[pymodule_export]
    use super::gym::Gym;
    #[pymodule_export]
    use super::keywords::keywords;
    #[pymodule_export]
    use super::log::Log;
    #[pymodule_export]
    use super::results::{Findings, Results};
    #[pymodule_export]
    use super::scheduler::{Actions, Job, Profile, View, scheduler_notation};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::working::{Spread, carry_out_task};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("engine_digest", packfair::study::Engine::THIS.to_string())
    }
}
