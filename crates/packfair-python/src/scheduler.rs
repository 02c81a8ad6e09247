//! Schedulers that are Python classes: the words of scripts as Python sees them, and how the engine calls them.

use crate::working::value_error;
use packfair::catalogue::Script;
use packfair::scheduler::script::{
    HOSTED, Hosted, HostedCall, HostedMistake, HostedProfile, HostedRound, ScriptJob, set_host,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::collections::HashMap;
use std::sync::{Mutex, Once, PoisonError};

/// What makes the scheduler of each text: a function without arguments, called once for each run.
static MADE_BY: Mutex<Option<HashMap<String, Py<PyAny>>>> = Mutex::new(None);

static HOSTING: Once = Once::new();

/// Keeps what makes a scheduler, and returns the notation by which a study names it. `text` is for people to read, and
/// tells this scheduler from all others.
#[pyfunction]
pub fn scheduler_notation(name: &str, text: &str, factory: Py<PyAny>) -> PyResult<String> {
    let script = Script::new(name, &format!("{HOSTED}python\n{text}")).map_err(value_error)?;
    // no thread panics while it holds the lock
    let mut made_by = MADE_BY.lock().unwrap_or_else(PoisonError::into_inner);
    made_by.get_or_insert_default().insert(script.text().to_owned(), factory);
    HOSTING.call_once(|| set_host(host));
    Ok(format!("script:code={script}"))
}

/// Names of schedulers as a study takes them, of what Python has: ids stay, and those of one's own get a notation. `own`
/// gets what another process needs of the latter.
///
/// # Errors
/// One of them is no scheduler.
pub fn notations<'py>(
    given: Option<&Bound<'py, PyAny>>,
    own: &Bound<'py, PyList>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(given) = given else { return Ok(None) };
    if given.is_instance_of::<PyString>() {
        return Ok(Some(given.clone()));
    }
    given.py().import("packfair.scheduler")?.call_method1("notations", (given, own)).map(Some)
}

fn host(script: &'static Script) -> Option<Box<dyn Hosted>> {
    Python::attach(|py| {
        let made_by = MADE_BY.lock().unwrap_or_else(PoisonError::into_inner);
        let factory = made_by.as_ref()?.get(script.text())?.clone_ref(py);
        drop(made_by);
        let made = factory.call0(py).map_err(|error| mistake(py, &error, None));
        let scheduler = made.map(|scheduler| PythonScheduler::of(py, scheduler));
        Some(Box::new(Made(scheduler)) as Box<dyn Hosted>)
    })
}

/// A scheduler, or why none was made.
struct Made(Result<PythonScheduler, HostedMistake>);

struct PythonScheduler {
    object: Py<PyAny>,
    round: Py<PyAny>,
    arrived: Option<Py<PyAny>>,
    completed: Option<Py<PyAny>>,
}

impl PythonScheduler {
    fn of(py: Python<'_>, object: Py<PyAny>) -> Self {
        let bound = object.bind(py);
        let method = |name| bound.getattr_opt(name).ok().flatten().map(Bound::unbind);
        PythonScheduler {
            // the package has seen that there is one
            round: method("round").unwrap_or_else(|| py.None()),
            arrived: method("arrived"),
            completed: method("completed"),
            object,
        }
    }

    fn call(&self, py: Python<'_>, call: &HostedCall, round: &HostedRound) -> PyResult<()> {
        let view = View { round: round.clone() };
        let job = |job: &ScriptJob| Job { facts: job.clone() };
        match (call, &self.arrived, &self.completed) {
            (HostedCall::Round, ..) => self.round.call1(py, (view, Actions { round: round.clone() })).map(drop),
            (HostedCall::Arrived(arrived), Some(method), _) => method.call1(py, (job(arrived), view)).map(drop),
            (HostedCall::Completed(completed), _, Some(method)) => method.call1(py, (job(completed), view)).map(drop),
            (HostedCall::Arrived(_) | HostedCall::Completed(_), ..) => Ok(()),
        }
    }
}

impl Hosted for Made {
    fn listens(&self) -> bool {
        self.0.as_ref().is_ok_and(|scheduler| scheduler.arrived.is_some() || scheduler.completed.is_some())
    }

    fn call(&mut self, call: &HostedCall, round: &HostedRound) -> Result<(), HostedMistake> {
        let scheduler = self.0.as_ref().map_err(Clone::clone)?;
        Python::attach(|py| {
            scheduler.call(py, call, round).map_err(|error| mistake(py, &error, Some(&scheduler.round)))
        })
    }

    fn copy(&self) -> Box<dyn Hosted> {
        let copied = |scheduler: &PythonScheduler| {
            Python::attach(|py| {
                let copy = py.import("copy").and_then(|module| module.call_method1("deepcopy", (&scheduler.object,)));
                copy.map(|copy| PythonScheduler::of(py, copy.unbind())).map_err(|error| mistake(py, &error, None))
            })
        };
        Box::new(Made(self.0.as_ref().map_err(Clone::clone).and_then(copied)))
    }
}

/// An exception as a mistake: its traceback, and the line in the file of the scheduler.
fn mistake(py: Python<'_>, error: &PyErr, round: Option<&Py<PyAny>>) -> HostedMistake {
    let told = || -> PyResult<(Option<u32>, String)> {
        let lines = py
            .import("traceback")?
            .call_method1("format_exception", (error.get_type(py), error.value(py), error.traceback(py)))?;
        let lines: Vec<String> = lines.extract()?;
        let file: Option<String> = round.and_then(|round| {
            round.bind(py).getattr("__code__").and_then(|code| code.getattr("co_filename")?.extract()).ok()
        });
        let (mut line, mut traceback) = (None, error.traceback(py).map(Bound::into_any));
        while let Some(at) = traceback.filter(|at| !at.is_none()) {
            let within: String = at.getattr("tb_frame")?.getattr("f_code")?.getattr("co_filename")?.extract()?;
            if file.as_ref() == Some(&within) {
                line = Some(at.getattr("tb_lineno")?.extract()?);
            }
            traceback = Some(at.getattr("tb_next")?);
        }
        Ok((line, lines.concat().trim_end().trim_end_matches('.').to_owned()))
    };
    let (line, what) = told().unwrap_or_else(|_| (None, error.to_string()));
    HostedMistake { line, what: format!("an exception\n{what}") }
}

/// A job as a scheduler sees it: what it asks for and its estimate, never its run time.
#[pyclass(frozen, module = "packfair")]
pub struct Job {
    facts: ScriptJob,
}

#[pymethods]
impl Job {
    /// Its place in the log, from 0.
    #[getter]
    fn id(&self) -> u32 {
        self.facts.id()
    }

    /// Its number in the log.
    #[getter]
    fn number(&self) -> i64 {
        self.facts.request().number
    }

    /// When it was submitted, seconds of the log.
    #[getter]
    fn submit(&self) -> i64 {
        self.facts.request().submit
    }

    /// How long it has waited, seconds.
    #[getter]
    fn wait(&self) -> i64 {
        self.facts.wait()
    }

    /// The processors it takes.
    #[getter]
    fn processors(&self) -> u32 {
        self.facts.processors()
    }

    /// Its estimated run time, seconds.
    #[getter]
    fn estimate(&self) -> f64 {
        self.facts.estimate()
    }

    /// The run time that its user asked for, seconds.
    #[getter]
    fn requested(&self) -> i64 {
        self.facts.request().limit
    }

    /// Processors times estimate.
    #[getter]
    fn area(&self) -> f64 {
        self.facts.area()
    }

    /// The number of its user in the log; -1 where unknown.
    #[getter]
    fn user(&self) -> i32 {
        self.facts.request().user
    }

    /// The number of its group; -1 where unknown.
    #[getter]
    fn group(&self) -> i32 {
        self.facts.request().group
    }

    /// The number of its executable; -1 where unknown.
    #[getter]
    fn executable(&self) -> i32 {
        self.facts.request().executable
    }

    /// The number of its queue; -1 where unknown.
    #[getter]
    fn queue(&self) -> i32 {
        self.facts.request().queue
    }

    /// The number of its partition; -1 where unknown.
    #[getter]
    fn partition(&self) -> i32 {
        self.facts.request().partition
    }

    /// 1 for a job that a classifier takes for small, else 0.
    #[getter]
    fn class_(&self) -> u8 {
        u8::from(self.facts.is_small())
    }

    /// The processor-seconds that its user has had, half of them forgotten every 7 days.
    #[getter]
    fn user_usage(&self) -> f64 {
        self.facts.user_usage()
    }

    /// The processor-seconds that its account (the log's group) has had, half of them forgotten every 7 days.
    #[getter]
    fn account_usage(&self) -> f64 {
        self.facts.account_usage()
    }

    /// When it started, where it runs.
    #[getter]
    fn start(&self) -> Option<i64> {
        self.facts.start()
    }

    /// When it is expected to end, where it runs.
    #[getter]
    fn end(&self) -> Option<f64> {
        self.facts.end()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Job>().is_ok_and(|other| other.get().facts.id() == self.facts.id())
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.facts.id())
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let (id, number) = (self.facts.id(), self.facts.request().number);
        let (processors, estimate) = (self.facts.processors(), self.facts.estimate());
        format!("Job(id={id}, number={number}, processors={processors}, estimate={estimate})")
    }
}

/// The present, as a scheduler sees it.
#[pyclass(unsendable, frozen, module = "packfair")]
pub struct View {
    round: HostedRound,
}

fn listed<'py>(py: Python<'py>, jobs: &[ScriptJob]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, jobs.iter().map(|facts| Job { facts: facts.clone() }))
}

#[pymethods]
impl View {
    /// The present, seconds of the log.
    #[getter]
    fn now(&self) -> i64 {
        self.round.now()
    }

    /// The idle processors at the beginning of the round.
    #[getter]
    fn free(&self) -> u32 {
        self.round.free()
    }

    /// All processors.
    #[getter]
    fn processors(&self) -> u32 {
        self.round.processors()
    }

    /// The waiting jobs, in log order.
    #[getter]
    fn waiting<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.round.waiting())
    }

    /// The running jobs, in log order.
    #[getter]
    fn running<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.round.running())
    }

    /// How many jobs wait.
    #[getter]
    fn queue_length(&self) -> usize {
        self.round.waiting().len()
    }

    /// The hour of the day, 0 to 23, in the log's zone.
    #[getter]
    fn hour(&self) -> u8 {
        self.round.hour()
    }

    /// The day of the week, 1 (Monday) to 7, in the log's zone; 0 where it is unknown.
    #[getter]
    fn weekday(&self) -> u8 {
        self.round.weekday()
    }

    /// When how many processors will be free, by the estimates of running jobs.
    fn profile(&self) -> PyResult<Profile> {
        self.round.profile().map(|profile| Profile { profile }).map_err(value_error)
    }
}

/// A time or another number; infinity is one, NaN is none.
fn number(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    match value.extract::<f64>() {
        Ok(number) if number.is_nan() => Err(value_error("this should be a number, and is none (NaN)")),
        Ok(number) => Ok(number),
        Err(_) => Err(PyTypeError::new_err(format!("this should be a number, and is a {}", value.get_type().name()?))),
    }
}

/// When how many processors will be free.
#[pyclass(unsendable, frozen, module = "packfair")]
pub struct Profile {
    profile: HostedProfile,
}

#[pymethods]
impl Profile {
    /// The first time from which the job fits for its estimate.
    fn earliest(&self, job: &Job) -> PyResult<f64> {
        self.profile.earliest(&job.facts).map_err(value_error)
    }

    /// Whether the job fits from then on for its estimate.
    fn fits(&self, job: &Job, at: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.profile.fits(&job.facts, number(at)?).map_err(value_error)
    }

    /// Takes what the job needs for its estimate.
    fn reserve(&self, job: &Job, at: &Bound<'_, PyAny>) -> PyResult<()> {
        self.profile.reserve(&job.facts, number(at)?).map_err(value_error)
    }

    /// Gives back what was reserved for the job.
    fn release(&self, job: &Job) -> PyResult<()> {
        self.profile.release(&job.facts).map_err(value_error)
    }

    /// The processors that are free then.
    fn free_at(&self, at: &Bound<'_, PyAny>) -> PyResult<i64> {
        self.profile.free_at(number(at)?).map_err(value_error)
    }
}

/// What a scheduler does in a round.
#[pyclass(unsendable, frozen, module = "packfair")]
pub struct Actions {
    round: HostedRound,
}

#[pymethods]
impl Actions {
    /// The processors that are left beside the jobs started in this round.
    #[getter]
    fn free(&self) -> u32 {
        self.round.left()
    }

    /// Whether the job could start now beside those that were started.
    fn fits(&self, job: &Job) -> bool {
        self.round.fits(&job.facts)
    }

    /// Starts a waiting job.
    fn start(&self, job: &Job) -> PyResult<()> {
        self.round.start(&job.facts).map_err(value_error)
    }

    /// Kills a running job that has not started at this instant; it waits again.
    fn kill(&self, job: &Job) -> PyResult<()> {
        self.round.kill(&job.facts).map_err(value_error)
    }

    /// Asks for a round then, though nothing else may happen.
    fn wake_at(&self, time: &Bound<'_, PyAny>) -> PyResult<()> {
        self.round.wake_at(number(time)?).map_err(value_error)
    }

    /// Remembers a number of a waiting job.
    fn keep(&self, job: &Job, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.round.keep(&job.facts, number(value)?).map_err(value_error)
    }

    /// The number that is remembered of a waiting job.
    fn kept(&self, job: &Job) -> Option<f64> {
        self.round.kept(&job.facts)
    }

    /// Notes a value of a job: "promise", the start that it is guaranteed.
    fn note(&self, note: &str, job: &Job, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.round.note(note, &job.facts, number(value)?).map_err(value_error)
    }
}
