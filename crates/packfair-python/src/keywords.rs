//! Keyword arguments and the options of the command line for which they stand.

use crate::scheduler::notations;
use packfair::cli::embedded::{Keyword, OptionAbout, OptionKind, in_keywords, options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use std::path::PathBuf;

/// What only a command line does with a run: it writes files and prints.
const OF_PRINTED_RUNS: &[&str] =
    &["by", "check", "curves", "figures", "figures_as", "site_fit", "sort", "starts", "starts_as"];

/// What only a command line does, whatever the command.
const OF_PRINTING: &[&str] = &["anonymise", "format", "timing"];

/// A function, or functions, with the options of a command as keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `read`.
    Read,
    /// `run`, `recipe` and `study`, and the environments of `gym`.
    Run,
    /// `explore`.
    Explore,
    /// `when`.
    When,
    /// `generate`.
    Generate,
    /// `Log.jobs`.
    Jobs,
}

impl Function {
    const ALL: [(&'static str, Function); 6] = [
        ("read", Function::Read),
        ("run", Function::Run),
        ("explore", Function::Explore),
        ("when", Function::When),
        ("generate", Function::Generate),
        ("jobs", Function::Jobs),
    ];

    fn commands(self) -> &'static [&'static [&'static str]] {
        match self {
            Function::Read => &[&["convert"]],
            Function::Run => &[&["run"]],
            Function::Explore => &[&["explore"]],
            Function::When => &[&["when"]],
            Function::Generate => &[&["generate", "lublin"], &["generate", "like"]],
            Function::Jobs => &[&["summary"]],
        }
    }

    /// Keywords that say more than the options for which they stand: keyword and option.
    fn renamed(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Function::Run => &[
                ("schedulers", "scheduler"),
                ("estimates", "estimator"),
                ("schedules", "schedule"),
                ("estimate_files", "estimates"),
                ("threads", "jobs"),
            ],
            Function::Explore | Function::When => &[("threads", "jobs")],
            Function::Read | Function::Generate | Function::Jobs => &[],
        }
    }

    /// The option for which a keyword stands, without `--`.
    ///
    /// # Errors
    /// It is for the command line alone.
    pub fn option(self, keyword: &str) -> PyResult<String> {
        if OF_PRINTING.contains(&keyword) || self == Function::Run && OF_PRINTED_RUNS.contains(&keyword) {
            return Err(PyValueError::new_err(format!(
                "{keyword} is an option of the command line alone; see the methods of the results"
            )));
        }
        let renamed = self.renamed().iter().find(|(name, _)| *name == keyword);
        Ok(renamed.map_or_else(|| keyword.trim_end_matches('_').replace('_', "-"), |(_, option)| (*option).to_owned()))
    }

    /// The keyword for an option without `--`.
    pub fn keyword(self, option: &str) -> String {
        let renamed = self.renamed().iter().find(|(_, of)| *of == option);
        match renamed {
            Some((keyword, _)) => (*keyword).to_owned(),
            // a word of Python itself
            None if option == "from" => "from_".to_owned(),
            None => option.replace('-', "_"),
        }
    }

    fn options(self) -> Vec<OptionAbout> {
        let mut all: Vec<OptionAbout> = self.commands().iter().flat_map(|command| options(command)).collect();
        all.retain(|option| self.option(&self.keyword(&option.name)).is_ok());
        all
    }

    /// A sentence of the command line in these keywords.
    pub fn in_words(self, sentence: &str) -> String {
        if !sentence.contains("--") && !sentence.contains(" on the page") {
            return sentence.to_owned();
        }
        let options = self.options();
        in_keywords(sentence, |name| {
            let option = options.iter().find(|option| option.name == name)?;
            Some(Keyword { name: self.keyword(name), is_switch: option.kind == OptionKind::Switch })
        })
    }
}

/// The keywords of a function: of each its name, type, help, whether it takes several values, and the value where it is not given.
#[pyfunction]
pub fn keywords<'py>(py: Python<'py>, function: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let Some((_, of)) = Function::ALL.iter().find(|(name, _)| *name == function) else {
        let names = Function::ALL.map(|(name, _)| name).join(", ");
        return Err(PyValueError::new_err(format!(
            "there is no function {function} with such keywords; there are {names}"
        )));
    };
    let mut told: Vec<Bound<'py, PyDict>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for option in of.options() {
        let name = of.keyword(&option.name);
        // of two commands of one function
        if names.contains(&name) {
            continue;
        }
        let about = PyDict::new(py);
        about.set_item("name", &name)?;
        about.set_item("help", of.in_words(&option.help))?;
        about.set_item("is_many", option.is_many)?;
        about.set_item("usual", option.usual)?;
        match option.kind {
            OptionKind::Switch => about.set_item("type", "bool")?,
            OptionKind::Whole => about.set_item("type", "int")?,
            OptionKind::Real => about.set_item("type", "float")?,
            OptionKind::Path => about.set_item("type", "path")?,
            OptionKind::Text => about.set_item("type", "str")?,
            OptionKind::Choice(ids) => about.set_item("type", ids)?,
        }
        names.push(name);
        told.push(about);
    }
    Ok(told)
}

// Keyword arguments as the options of the command line, so that both take the same.

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
