//! A log that was read or made.

use crate::keywords::{Function, Options};
use crate::table::Table;
use crate::working::{refused, value_error};
use packfair::cli::embedded::{Heard, summary};
use packfair::study::Treatment;
use packfair::study::query::job_values;
use packfair::workload::{Log as EngineLog, write_log};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// A workload log: jobs, and what became of the records that it was read from.
#[pyclass(frozen, module = "packfair")]
pub struct Log {
    pub log: Arc<EngineLog>,
    notes: Vec<String>,
}

impl Log {
    /// A log, with what was said as it was read.
    pub fn of(heard: Heard<EngineLog>) -> Self {
        let notes = heard.said.iter().map(|said| Function::Read.in_words(said)).collect();
        Log { log: Arc::new(heard.value), notes }
    }
}

/// The Python value of a text in JSON.
pub fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

#[pymethods]
impl Log {
    /// The name of the log, usually that of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.log.name
    }

    /// The fingerprint of the log's content, as in links and tables.
    #[getter]
    fn fingerprint(&self) -> String {
        self.log.fingerprint.to_string()
    }

    /// What the command line would say of the log as it is read, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// What is in the log: jobs, machine, load, users, quantiles of run times. Times are in seconds, shares from 0 to 1.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.described(py)?.get_item("summary")
    }

    /// What became of the log's records: what was repaired, dropped, or not understood, with lines.
    #[getter]
    fn account<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.described(py)?.get_item("account")
    }

    /// The jobs as a table, in log order: job, submit, procs, limit, run, user ... Times are in seconds of the log's own
    /// clock. Keywords treat the log first, as for ``run``.
    #[pyo3(signature = (**treatment))]
    fn jobs(&self, py: Python<'_>, treatment: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let options = Options::of(treatment, Function::Jobs)?;
        let values = py.detach(|| -> Result<_, String> {
            let treatment = self.treatment(&options)?;
            let workload = treatment.apply(&self.log).map_err(|error| error.to_string())?;
            Ok(job_values(&workload, None))
        });
        values.map(Table::of_jobs).map_err(value_error)
    }

    /// The log in the Standard Workload Format, with everything that is known of its jobs.
    fn to_swf<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut text = Vec::new();
        write_log(&mut text, &self.log)?;
        Ok(PyBytes::new(py, &text))
    }

    fn __len__(&self) -> usize {
        self.log.records.len()
    }

    /// The log itself: it never changes.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The log itself: it never changes.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<packfair.Log {}: {} jobs>", self.log.name, self.log.records.len())
    }

    fn __str__(&self) -> PyResult<String> {
        let text = summary(&self.log, &[]).map_err(|refusal| refused(refusal, Function::Jobs))?;
        Ok(Function::Run.in_words(&text))
    }
}

impl Log {
    fn described<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = py.detach(|| summary(&self.log, &["--format=json".to_owned()]));
        let text = text.map_err(|refusal| refused(refusal, Function::Jobs))?;
        from_json(py, &text)
    }

    fn treatment(&self, options: &Options) -> Result<Treatment, String> {
        packfair::cli::embedded::treatment(&self.log, &options.0).map_err(|refusal| refusal.to_string())
    }
}
