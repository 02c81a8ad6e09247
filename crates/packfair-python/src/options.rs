//! Keyword arguments as the options of the command line, so that both take the same.

use crate::keywords::Function;
use crate::scheduler::notations;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use std::path::PathBuf;

/// Options of a command.
#[derive(Default)]
pub struct Options(pub Vec<String>);

impl Options {
    /// The options of a function's keywords: `drop_status=[5]` is `--drop-status=5`, and `True` is an option without a value.
    pub fn of(keywords: Option<&Bound<'_, PyDict>>, function: Function) -> PyResult<Self> {
        let mut options = Options::default();
        for (name, value) in keywords.into_iter().flatten() {
            options.add(&function.option(&name.extract::<String>()?)?, &value)?;
        }
        Ok(options)
    }

    /// The options of a run. `own` gets the schedulers that are Python's own.
    pub fn of_run(keywords: Option<&Bound<'_, PyDict>>, own: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut options = Options::default();
        for (name, value) in keywords.into_iter().flatten() {
            let option = Function::Run.option(&name.extract::<String>()?)?;
            let is_scheduler = matches!(option.as_str(), "scheduler" | "baseline");
            let named = if is_scheduler { notations(Some(&value), own)? } else { None };
            options.add(&option, named.as_ref().unwrap_or(&value))?;
        }
        Ok(options)
    }

    /// Adds an option, once for each value of a sequence. `None` and `False` say nothing.
    fn add(&mut self, option: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() || value.cast::<PyBool>().is_ok_and(|is_on| !is_on.is_true()) {
            return Ok(());
        }
        if value.is_instance_of::<PyBool>() {
            self.0.push(format!("--{option}"));
            return Ok(());
        }
        self.add_words(option, words(value)?);
        Ok(())
    }

    /// Adds an option with words of one's own.
    pub fn add_words(&mut self, option: &str, words: impl IntoIterator<Item = String>) {
        self.0.extend(words.into_iter().map(|word| format!("--{option}={word}")));
    }
}

/// A value, or each value of a sequence, as the command line writes it.
pub fn words(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Some(word) = word(value)? {
        return Ok(vec![word]);
    }
    let Ok(items) = value.try_iter() else {
        return Ok(vec![value.str()?.to_string()]);
    };
    let mut words = Vec::new();
    for item in items {
        let item = item?;
        words.push(match word(&item)? {
            Some(word) => word,
            None => item.str()?.to_string(),
        });
    }
    Ok(words)
}

fn word(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
        return Ok(Some(value.str()?.to_string()));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // the shortest text that is this number, as Rust reads it
        return Ok(Some(number.value().to_string()));
    }
    if value.hasattr("isoformat")? {
        return Ok(Some(value.call_method0("isoformat")?.str()?.to_string()));
    }
    if value.hasattr("__fspath__")? {
        let path: PathBuf = value.extract()?;
        return Ok(Some(path.to_string_lossy().into_owned()));
    }
    Ok(None)
}

/// What the columns of a table hold, as `--columns` takes it: a mapping of fields to columns, or texts `FIELD=COLUMN`.
pub fn columns(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let Ok(mapping) = value.cast::<PyDict>() else { return words(value) };
    let mut columns = Vec::new();
    for (field, column) in mapping {
        let column = if column.is_none() { String::new() } else { words(&column)?.join(":") };
        columns.push(format!("{}={column}", field.extract::<String>()?));
    }
    Ok(columns)
}
