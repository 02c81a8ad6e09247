//! The functions of the module: reading, running, searching, forecasting.

use crate::frame;
use crate::keywords::{Function, Options, columns as columns_of, words};
use crate::log::{Log, from_json};
use crate::results::{Findings, Results};
use crate::scheduler::notations;
use crate::working::{Spread, to_python, value_error, work};
use packfair::cli::embedded::{self, Asked, Refusal, perform};
use packfair::study::export::read_study;
use packfair::study::{Source, Study};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};
use std::ffi::OsString;
use std::path::PathBuf;

/// Reads a log.
///
/// Parameters
/// ----------
/// source : path, list of paths, bytes, or a table
///     A file or folder in any format that ``packfair list`` names, plain or packed; several count as one log. Bytes are
///     such a file. A table is any object with ``__arrow_c_stream__`` (pandas, polars, pyarrow, duckdb) with a row for each
///     job: submit, start, end, processors ...; public data sets are known by their columns.
/// columns : dict or list of str, optional
///     What the columns of a table hold, where their names do not tell: ``{"submit": "submit_ts", "limit": ("wall", "min")}``,
///     or texts ``FIELD=COLUMN`` as of ``--columns``.
/// name : str, optional
///     What the log is called, for bytes and tables.
/// max_jobs, max_text : int, optional
///     The most jobs, and bytes of text, that the log may have.
/// accept_losses : bool
///     Go on where more than one record in a hundred was not understood.
///
/// Returns
/// -------
/// Log
///
/// Raises
/// ------
/// ValueError
///     The source is no log; the sentence says what is wrong, where, and what to do.
#[pyfunction]
#[pyo3(signature = (source, *, columns = None, name = None, max_jobs = None, max_text = None, accept_losses = false))]
pub fn read(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    name: Option<String>,
    max_jobs: Option<u64>,
    max_text: Option<u64>,
    accept_losses: bool,
) -> PyResult<Log> {
    let mut options = Options::default();
    options.add_words("columns", columns.map(columns_of).transpose()?.unwrap_or_default());
    options.add_words("max-jobs", max_jobs.map(|most| most.to_string()));
    options.add_words("max-text", max_text.map(|most| most.to_string()));
    if accept_losses {
        options.0.push("--accept-losses".to_owned());
    }
    let options = options.0;
    let heard = match given(source)? {
        Given::Paths(paths) => work(py, Function::Read, None, move |_| embedded::read(&paths, &options)),
        Given::Bytes(bytes) => {
            let name = name.unwrap_or_else(|| "bytes".to_owned());
            work(py, Function::Read, None, move |_| embedded::read_bytes(&name, &bytes, &options))
        }
        Given::Text(text) => {
            let name = name.unwrap_or_else(|| "table".to_owned());
            work(py, Function::Read, None, move |_| embedded::read_bytes(&name, &text, &options))
        }
    }?;
    Ok(Log::of(heard))
}

/// Where a log comes from.
enum Given {
    Paths(Vec<PathBuf>),
    Bytes(Vec<u8>),
    Text(Vec<u8>),
}

fn given(source: &Bound<'_, PyAny>) -> PyResult<Given> {
    let source = &source.py().import("packfair._frame")?.call_method1("carried", (source,))?;
    if source.is_instance_of::<PyString>() || source.hasattr("__fspath__")? {
        return Ok(Given::Paths(vec![source.extract()?]));
    }
    if source.is_instance_of::<PyBytes>() || source.is_instance_of::<pyo3::types::PyByteArray>() {
        return Ok(Given::Bytes(source.extract()?));
    }
    if source.hasattr("__arrow_c_stream__")? || source.hasattr("__arrow_c_array__")? {
        match source.extract::<AnyRecordBatch>() {
            Ok(table) => {
                let reader = table.into_reader()?;
                let schema = reader.schema();
                return frame::text(&schema, reader).map(Given::Text).map_err(value_error);
            }
            // pandas has the interface and needs pyarrow for it
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyImportError>(source.py()) => {}
            Err(_) if source.extract::<AnyArray>().is_ok() => {
                return Err(value_error("this is one column; give the table that it is from, with a row for each job"));
            }
            Err(error) => {
                return Err(value_error(format!("the table cannot be read: {}", sentence(&error, source.py()))));
            }
        }
    }
    if source.hasattr("to_csv")? {
        let keywords = PyDict::new(source.py());
        keywords.set_item("index", false)?;
        let text: String = source.call_method("to_csv", (), Some(&keywords))?.extract()?;
        return Ok(Given::Text(text.into_bytes()));
    }
    match source.extract::<Vec<PathBuf>>() {
        Ok(paths) if !paths.is_empty() => Ok(Given::Paths(paths)),
        _ => {
            let kind = source.get_type().name()?;
            Err(value_error(format!(
                "a log is read from a path, a list of paths, bytes, or a table with __arrow_c_stream__; this is of type {kind}"
            )))
        }
    }
}

/// What an error of a library says: some have several texts.
fn sentence(error: &PyErr, py: Python<'_>) -> String {
    let texts = error.value(py).getattr("args").and_then(|args| args.extract::<Vec<String>>());
    texts.map_or_else(|_| error.value(py).to_string(), |texts| texts.join("; "))
}

/// Runs schedulers on a log, and measures and compares them.
///
/// Parameters
/// ----------
/// log : Log
///     The log (``packfair.read``, ``packfair.generate``).
/// schedulers : str, scheduler, or list of them
///     By their ids (``packfair.catalogue()``), perhaps with parameters: ``"easy"``, ``"saf-justbf"``,
///     ``"easy:backfill=sjf,threshold=3600"``, ``"script:FILE"``; or your own, a class or an object with ``round(view, actions)``.
/// estimates : str or list of str, optional
///     What schedulers are told of run times: ``"requested"``, ``"actual"``, ``"cvh"``, ``"requested*2"``. Usually
///     ``"requested"``.
/// baseline : str, optional
///     What the others are compared with: a scheduler, an estimator, ``"easy__requested"``, or ``"none"``. Usually EASY, where it
///     is among them, and Slurm as configured where files of a site are given.
/// columns : list of str, optional
///     The metrics by their ids. Usually all are computed, and people are shown some.
/// machine : path or list of paths, optional
///     The machine as a TOML file, or as files of a Slurm site.
/// slurm : path or list of paths, optional
///     Files of the Slurm site that the log is from, for the scheduler ``slurm``.
/// schedules, estimate_files : path or list of paths, optional
///     Schedules and estimates from files (``--schedule`` and ``--estimates``).
/// threads : int, optional
///     The number of threads; usually one for each processor. It does not change the results.
/// progress : callable or bar, optional
///     Called with how many runs and repeats are done and how many there are, ``progress(done, total)``, some ten times a second;
///     or ``tqdm``, a bar of it, or the bar's ``update``.
/// executor : concurrent.futures.Executor, optional
///     Where runs and repeats are made instead of on threads: a process pool, Dask's ``client.get_executor()``, Ray's, mpi4py's. Workers
///     need this package, and no log. It does not change the results.
/// **settings
///     What else is set, by the keywords of ``packfair.settings.RunSettings``: ``procs=512``, ``repeats=40``, ``k=[1, 2]``,
///     ``feedback="sessions"``, ``fair_starts=True``, ``what_if="all"``, ``matters="fairness"``.
///
/// Returns
/// -------
/// Results
///     A run for each scheduler with each estimate (and each factor of ``k``), in this order; the same as the command line's,
///     bit for bit.
///
/// Raises
/// ------
/// ValueError
///     Something cannot be used, or every run has failed; the sentence says what, where, and what to do.
/// TypeError
///     There is no such keyword.
#[pyfunction]
#[pyo3(signature = (log, schedulers = None, estimates = None, *, baseline = None, columns = None, machine = None,
    slurm = None, schedules = None, estimate_files = None, threads = None, progress = None, executor = None,
    **settings))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn run(
    py: Python<'_>,
    log: &Bound<'_, Log>,
    schedulers: Option<&Bound<'_, PyAny>>,
    estimates: Option<&Bound<'_, PyAny>>,
    baseline: Option<&Bound<'_, PyAny>>,
    columns: Option<&Bound<'_, PyAny>>,
    machine: Option<&Bound<'_, PyAny>>,
    slurm: Option<&Bound<'_, PyAny>>,
    schedules: Option<&Bound<'_, PyAny>>,
    estimate_files: Option<&Bound<'_, PyAny>>,
    threads: Option<u16>,
    progress: Option<&Bound<'_, PyAny>>,
    executor: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<Results>> {
    let mut options = Options::default();
    let own = PyList::empty(py);
    let (schedulers, baseline) = (notations(schedulers, &own)?, notations(baseline, &own)?);
    let (schedulers, baseline) = (schedulers.as_ref(), baseline.as_ref());
    let given = [
        ("scheduler", schedulers),
        ("estimator", estimates),
        ("baseline", baseline),
        ("columns", columns),
        ("machine", machine),
        ("slurm", slurm),
        ("schedule", schedules),
        ("estimates", estimate_files),
    ];
    for (option, value) in given {
        options.add_words(option, value.map(words).transpose()?.unwrap_or_default());
    }
    if estimates.is_none() && estimate_files.is_none() {
        options.add_words("estimator", ["requested".to_owned()]);
    }
    options.add_words("jobs", threads.map(|threads| threads.to_string()));
    options.0.extend(Options::of_run(settings, &own)?.0);
    let (log, options) = (log.get().log.clone(), options.0);
    performed(py, move || Asked::of(&options, log), &own, executor, progress)
}

/// Runs a study here, or on the workers of an executor.
fn performed(
    py: Python<'_>,
    asked: impl FnOnce() -> Result<Asked, Refusal> + Send + 'static,
    own: &Bound<'_, PyList>,
    executor: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Results>> {
    let Some(executor) = executor else {
        let performed = work(py, Function::Run, progress, move |watch| perform(asked()?, watch))?;
        return Py::new(py, Results::made(performed)?);
    };
    let spread = Spread::of(py, to_python(asked())?)?;
    let results = py.import("packfair._executor")?.call_method1("spread", (spread, executor, own, progress))?;
    Ok(results.cast_into::<Results>()?.unbind())
}

/// Runs the study of a paper on a log: ``packfair.recipe("metrics-table-2", log)``.
///
/// Parameters
/// ----------
/// id : str
///     The recipe (``packfair.catalogue()`` lists them). It sets schedulers, estimates, metrics, baseline, cleaning and load, as
///     the paper says.
/// log : Log
///     The log. On one of the paper's, ``printed`` of the results has the paper's figures beside these.
/// progress, executor
///     As for ``run``.
/// **settings
///     What is to be otherwise, by the keywords of ``run``.
///
/// Returns
/// -------
/// Results
///
/// Raises
/// ------
/// ValueError
///     There is no such recipe, or something cannot be used.
#[pyfunction]
#[pyo3(signature = (id, log, *, progress = None, executor = None, **settings))]
pub fn recipe(
    py: Python<'_>,
    id: String,
    log: &Bound<'_, Log>,
    progress: Option<&Bound<'_, PyAny>>,
    executor: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<Results>> {
    let mut options = Options(vec![format!("--recipe={id}")]);
    let own = PyList::empty(py);
    options.0.extend(Options::of_run(settings, &own)?.0);
    let (log, options) = (log.get().log.clone(), options.0);
    performed(py, move || Asked::of(&options, log), &own, executor, progress)
}

/// Runs the study in a file that the page or ``Results.save`` has written.
///
/// Parameters
/// ----------
/// path : path
///     The file (JSON).
/// log : Log, optional
///     The log of the study; a study that generates its jobs needs none.
/// progress, executor
///     As for ``run``.
///
/// Returns
/// -------
/// Results
///
/// Raises
/// ------
/// ValueError
///     The file cannot be read, is no study, or needs a log.
#[pyfunction]
#[pyo3(signature = (path, log = None, *, progress = None, executor = None))]
pub fn study(
    py: Python<'_>,
    path: PathBuf,
    log: Option<&Bound<'_, Log>>,
    progress: Option<&Bound<'_, PyAny>>,
    executor: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Results>> {
    let text = std::fs::read_to_string(&path)
        .map_err(|error| value_error(format!("{} cannot be read: {error}", path.display())))?;
    let study = read_study(&text, &Study::first_visit().source)
        .map_err(|error| value_error(format!("{}: {error}", path.display())))?;
    let log = match (log, &study.source) {
        (Some(log), _) => log.get().log.clone(),
        (None, Source::Generated(generated)) => std::sync::Arc::new(generated.generate()),
        (None, Source::Trace { name, .. }) => {
            return Err(value_error(format!(
                "the study is about the log {name}; give that log after the path of the study"
            )));
        }
    };
    performed(py, move || Asked::of_study(study, log), &PyList::empty(py), executor, progress)
}

/// Generates a log.
///
/// Parameters
/// ----------
/// like : Log, optional
///     A log; the jobs are like its jobs: each is a copy of one, and the times between submissions follow the law that fits
///     them (Streit 2002, section 4.1). Without it they are those of the model of Lublin and Feitelson (2003).
/// jobs : int
///     The number of jobs.
/// procs : int
///     The number of processors of the machine; needed without ``like``.
/// seed : int
///     The same seed gives the same jobs everywhere; usually 1.
/// **settings
///     With ``like``, how that log is treated first: the keywords of ``packfair.settings.GenerateSettings``.
///
/// Returns
/// -------
/// Log
///
/// Raises
/// ------
/// ValueError
///     A number is out of its range, or no log can be made like that one.
#[pyfunction]
#[pyo3(signature = (*, like = None, **settings))]
pub fn generate(py: Python<'_>, like: Option<&Bound<'_, Log>>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Log> {
    let (like, options) = (like.map(|log| log.get().log.clone()), Options::of(settings, Function::Generate)?.0);
    Ok(Log::of(work(py, Function::Generate, None, move |_| embedded::generate(like.as_deref(), &options))?))
}

/// Searches for settings that nothing beats: ``explore(log, ["AF", "P2SF"], keep="max_wait<=2d", runs=1000)``.
///
/// Settings are chosen on one part of the log, selected on the next and confirmed on the last.
///
/// Parameters
/// ----------
/// log : Log
///     The log.
/// minimise : str or list of str
///     The metrics that are to be small, by their ids.
/// progress : callable or bar, optional
///     As for ``run``; it counts settings that are tried.
/// **settings
///     The keywords of ``packfair.settings.ExploreSettings``: ``keep``, ``runs``, ``families``, ``seed`` ...
///
/// Returns
/// -------
/// Findings
///
/// Raises
/// ------
/// ValueError
///     Something cannot be used, or the log is too short for it.
#[pyfunction]
#[pyo3(signature = (log, minimise, *, progress = None, **settings))]
pub fn explore(
    py: Python<'_>,
    log: &Bound<'_, Log>,
    minimise: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Findings> {
    let mut options = Options::of(settings, Function::Explore)?;
    options.add_words("minimise", words(minimise)?);
    let (log, options) = (log.get().log.clone(), options.0);
    let found = work(py, Function::Explore, progress, move |watch| {
        embedded::options::explore((*log).clone(), &options, watch)
    })?;
    Ok(Findings::of(found))
}

/// Forecasts when the jobs start that wait at a moment: ``when(log, queue="squeue.json")``, ``when(log, now=86400)``; or
/// tries such forecasts on the log: ``when(log, backtest=50)``.
///
/// Parameters
/// ----------
/// log : Log
///     The log until the moment, and its site's files where it has them.
/// progress : callable or bar, optional
///     As for ``run``; it counts futures that are drawn: of a forecast first those of the moment, then those of moments before.
/// **settings
///     The keywords of ``packfair.settings.WhenSettings``: ``queue``, ``now``, ``backtest``, ``futures``, ``slurm`` ...
///
/// Returns
/// -------
/// dict
///     What ``packfair when --format json`` prints: the waiting jobs with bands of their starts, in seconds, or the figures of the
///     back test.
///
/// Raises
/// ------
/// ValueError
///     The log does not tell what is asked, or something cannot be used.
#[pyfunction]
#[pyo3(signature = (log, *, progress = None, **settings))]
pub fn when<'py>(
    py: Python<'py>,
    log: &Bound<'py, Log>,
    progress: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (log, options) = (log.get().log.clone(), Options::of(settings, Function::When)?.0);
    let told = work(py, Function::When, progress, move |watch| embedded::when((*log).clone(), &options, watch))?;
    from_json(py, &told.value)
}

/// Everything that has an id, as text: formats of logs, schedulers, estimators, metrics, recipes.
#[pyfunction]
pub fn catalogue() -> String {
    Function::Run.in_words(&embedded::catalogues())
}

/// Carries out a command line as the program ``packfair`` does, and returns its exit code.
#[pyfunction]
#[pyo3(signature = (*arguments))]
pub fn command_line(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<u8> {
    let own = std::iter::once(Ok(OsString::from("packfair")));
    let words = own.chain(arguments.iter().map(|word| word.extract::<OsString>())).collect::<PyResult<Vec<_>>>()?;
    Ok(py.detach(|| embedded::command_line(words)))
}
