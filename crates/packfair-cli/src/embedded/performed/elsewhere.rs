//! A study whose runs other processes make: tasks as bytes, which any process with this engine carries out, and the bytes
//! that come back. A task has all that its runs need, so nobody needs the log.

use super::{Asked, Kept, MOST_KEPT, Performed};
use crate::args::OutputFormat;
use crate::embedded::{Refusal, heard};
use crate::pool::{guarded, simulate};
use crate::{Failure, results, run};
use packfair_engine::metric::Metric;
use packfair_engine::model::Schedule;
use packfair_study::sureness::{
    Repeated, RepeatedLoads, RepeatedValues, RepeatedWorkloads, Repeats, Unshrunk, measured, repeatable,
};
use packfair_study::table::FailedRun;
use packfair_study::{CannotRun, Ended, Engine, Run, RunReport, Running, Study, Workloads};
use packfair_workload::Workload;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// At most so many tasks are made of the runs, because each has the workloads of its runs with it.
const MOST_TASKS: usize = 64;

/// A study that is computed elsewhere.
pub struct Elsewhere {
    asked: Asked,
    workloads: Workloads,
    runs: Vec<Run>,
    reported: BTreeMap<usize, Reported>,
    failed: BTreeMap<usize, String>,
    repeats: Option<RepeatsElsewhere>,
    said: Vec<String>,
    /// What was said by task, in the order of the tasks: those of runs by their first run, then those of repeats.
    told: BTreeMap<(Option<u32>, usize), Vec<String>>,
    /// The runs of which a repeat has failed.
    failed_repeats: BTreeSet<usize>,
}

struct RepeatsElsewhere {
    repeats: Repeats,
    unshrunk: Unshrunk,
    runs: Vec<Run>,
    repeated: Repeated,
}

/// Some runs with their workloads. Studies and runs are texts: their fields may be absent.
#[derive(Serialize, Deserialize)]
struct Task {
    engine: Engine,
    study: String,
    workloads: Vec<Workload>,
    runs: Vec<TaskRun>,
    /// Whether schedules are sent back.
    keeps: bool,
    /// The metrics of a repeat; none for the runs of the study itself.
    repeat: Option<(u32, Vec<String>)>,
}

#[derive(Serialize, Deserialize)]
struct TaskRun {
    place: usize,
    run: String,
    /// The place of its workload in the task.
    workload: usize,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    repeat: Option<u32>,
    runs: Vec<(usize, Outcome)>,
    said: Vec<String>,
}

#[derive(Serialize, Deserialize)]
enum Outcome {
    Reported(Box<Reported>),
    Repeated(RepeatedValues),
    Failed(String),
}

#[derive(Serialize, Deserialize)]
struct Reported {
    report: String,
    /// The schedule, and the workload where users reacted; none where all schedules together are too large to be kept.
    kept: Option<(Schedule, Option<Workload>)>,
}

fn written<T: Serialize>(value: &T) -> String {
    // plain data can always be written
    serde_json::to_string(value).unwrap_or_default()
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|_| other_engine())
}

fn other_engine() -> Failure {
    Failure::input("another version of Packfair works there; install the same everywhere")
}

impl Task {
    fn of<'a>(study: &Study, runs: impl Iterator<Item = (usize, Run, &'a Workload)>) -> Self {
        let mut task = Task {
            engine: Engine::THIS,
            study: written(study),
            workloads: Vec::new(),
            runs: Vec::new(),
            keeps: false,
            repeat: None,
        };
        let mut known: Vec<&Workload> = Vec::new();
        for (place, run, workload) in runs {
            let same = known.iter().position(|other| std::ptr::eq(*other, workload));
            let workload = same.unwrap_or_else(|| {
                known.push(workload);
                task.workloads.push(workload.clone());
                known.len() - 1
            });
            task.runs.push(TaskRun { place, run: written(&run), workload });
        }
        task
    }

    fn bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }
}

impl Elsewhere {
    /// A study of which nothing is computed yet.
    ///
    /// # Errors
    /// The log does not suit the study.
    pub fn new(asked: Asked) -> Result<Self, Refusal> {
        let told = heard(|| {
            let workloads = Workloads::of(&asked.study, &asked.log).map_err(Failure::input)?;
            run::tell_before(&asked.study, &asked.log, workloads.first());
            Ok(workloads)
        })?;
        let (reported, failed) = (BTreeMap::new(), BTreeMap::new());
        let (runs, workloads) = (asked.study.runs(), told.value);
        let mut said = asked.said.clone();
        said.extend(told.said);
        let (told, failed_repeats) = (BTreeMap::new(), BTreeSet::new());
        Ok(Elsewhere { asked, workloads, runs, reported, failed, repeats: None, said, told, failed_repeats })
    }

    fn shares(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let all = self.runs.len();
        let each = all.div_ceil(MOST_TASKS).max(1);
        (0..all).step_by(each).map(move |first| first..(first + each).min(all))
    }

    /// The number of tasks for the runs of the study.
    pub fn tasks(&self) -> usize {
        self.shares().count()
    }

    /// A task for some runs of the study.
    pub fn task(&self, number: usize) -> Vec<u8> {
        let runs = self.shares().nth(number).unwrap_or_default();
        let of_run = |place: usize| {
            let run = &self.runs[place];
            (place, run.clone(), self.workloads.of_run(run))
        };
        let mut task = Task::of(&self.asked.study, runs.map(of_run));
        task.keeps = self.runs.len().saturating_mul(self.workloads.first().len()) <= MOST_KEPT;
        task.bytes()
    }

    /// The number of tasks for the repeats of the study, once all its runs have come.
    ///
    /// # Errors
    /// The log is too short to be repeated.
    pub fn repeat_tasks(&mut self) -> Result<usize, Refusal> {
        let Asked { study, log, columns, .. } = &self.asked;
        let Some(repeats) = study.repeats else { return Ok(0) };
        let columns = results::columns(study, &self.reports()?, columns, OutputFormat::Json);
        let unshrunk = Unshrunk::of(study, log).map_err(Failure::input)?;
        let runs = study.repeated_runs();
        let repeated = Repeated::new(repeats, repeatable(&columns), &runs);
        self.repeats = Some(RepeatsElsewhere { repeats, unshrunk, runs, repeated });
        Ok(repeats.count as usize)
    }

    /// The task of a repeat, from 0.
    ///
    /// # Errors
    /// The log is too short to be repeated.
    pub fn repeat_task(&self, repeat: u32) -> Result<Vec<u8>, Refusal> {
        let Some(of) = &self.repeats else { return Err(Refusal::Input("there are no repeats".to_owned())) };
        let loads = RepeatedLoads::of(&self.asked.study);
        let mut drawn = Vec::new();
        for (what_if, unshrunk) in of.unshrunk.machines() {
            let workloads = RepeatedWorkloads::of(&loads, &of.repeats, unshrunk, repeat).map_err(Failure::input)?;
            drawn.push((what_if, workloads));
        }
        let of_run = |(place, run): (usize, &Run)| {
            let workloads = drawn.iter().find(|(what_if, _)| *what_if == run.what_if.as_ref());
            workloads.map(|(_, workloads)| (place, Repeats::drawn(run, repeat), workloads.of_run(run)))
        };
        let mut task = Task::of(&self.asked.study, of.runs.iter().enumerate().filter_map(of_run));
        let metrics = of.repeated.metrics.iter().map(|metric| metric.about().id.to_owned()).collect();
        task.repeat = Some((repeat, metrics));
        Ok(task.bytes())
    }

    /// Takes what a task came to.
    ///
    /// # Errors
    /// It is of another version of Packfair.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let Answer { repeat, runs, said } = postcard::from_bytes(bytes).map_err(|_| other_engine())?;
        let told = self.told.entry((repeat, runs.first().map_or(0, |&(place, _)| place))).or_insert(said);
        for (place, outcome) in runs {
            match (outcome, repeat, &mut self.repeats) {
                (Outcome::Reported(reported), None, _) => _ = self.reported.insert(place, *reported),
                (Outcome::Failed(why), None, _) => _ = self.failed.insert(place, why),
                (Outcome::Repeated(values), Some(repeat), Some(of)) => {
                    let Some(run) = of.runs.get(place).filter(|_| repeat < of.repeats.count) else { continue };
                    of.repeated.set(run, repeat, values);
                }
                (Outcome::Failed(why), Some(repeat), Some(of)) if self.failed_repeats.insert(place) => {
                    let run = of.runs.get(place).map(Run::short_id).unwrap_or_default();
                    told.push(format!("packfair: {run}, repeat {}, failed: {why}", repeat + 1));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn reports(&self) -> Result<Vec<RunReport>, Refusal> {
        self.reported.values().map(|reported| Ok(read(&reported.report)?)).collect()
    }

    /// The study as if it had been computed here.
    ///
    /// # Errors
    /// What came was of another version of Packfair.
    pub fn finish(mut self) -> Result<Performed, Refusal> {
        let reports = self.reports()?;
        let failed = std::mem::take(&mut self.failed).into_iter().map(|(place, reason)| {
            let run = self.runs[place].clone();
            let shrink = self.workloads.of_run(&run).shrunk();
            self.said.push(format!("packfair: {} failed: {reason}", run.short_id()));
            FailedRun { run, place, shrink, reason }
        });
        let failed = failed.collect();
        self.said.extend(self.told.into_values().flatten());
        let mut kept = BTreeMap::new();
        for (place, reported) in self.reported {
            let Some((schedule, lived)) = reported.kept else { continue };
            kept.insert(self.runs[place].id(), Kept { lived: lived.map(Arc::new), schedule: Arc::new(schedule) });
        }
        Ok(Performed {
            asked: self.asked,
            workloads: self.workloads,
            reports,
            failed,
            repeated: self.repeats.map(|of| of.repeated),
            said: self.said,
            kept: Mutex::new(kept),
        })
    }
}

/// Carries out a task.
///
/// # Errors
/// It is of another version of Packfair, or one of its runs cannot be made.
pub fn carry_out(task: &[u8]) -> Result<Vec<u8>, Refusal> {
    let task: Task = postcard::from_bytes(task).map_err(|_| other_engine())?;
    if task.engine != Engine::THIS {
        return Err(other_engine().into());
    }
    let told = heard(|| {
        let study: Study = read(&task.study)?;
        let metrics = task.repeat.as_ref().map(|(_, ids)| ids.iter().filter_map(|id| id.parse().ok()).collect());
        let metrics: Option<Vec<Metric>> = metrics;
        let mut runs = Vec::with_capacity(task.runs.len());
        for TaskRun { place, run, workload } in &task.runs {
            let run: Run = read(run)?;
            let workload = task.workloads.get(*workload).ok_or_else(other_engine)?;
            let outcome = match &metrics {
                Some(metrics) => guarded(|| repeated(&study, &run, workload, metrics)),
                None => guarded(|| reported(&study, &run, workload, task.keeps)),
            };
            runs.push((
                *place,
                match outcome {
                    Ok(Ok(outcome)) => outcome,
                    // a repeat that cannot be made is told, as the repeats of one process are
                    Ok(Err(cannot)) if metrics.is_none() && cannot.is_of_one_run() => {
                        Outcome::Failed(cannot.to_string())
                    }
                    Ok(Err(cannot)) => return Err(cannot.into()),
                    Err(mistake) => Outcome::Failed(mistake.to_string()),
                },
            ));
        }
        Ok(runs)
    })?;
    let answer = Answer { repeat: task.repeat.map(|(repeat, _)| repeat), runs: told.value, said: told.said };
    Ok(postcard::to_stdvec(&answer).unwrap_or_default())
}

fn reported(study: &Study, run: &Run, workload: &Workload, keeps: bool) -> Result<Outcome, CannotRun> {
    let (finished, ended) = simulate(run, study, workload, 1, |_| true)?;
    run::tell_of_run(&finished, workload);
    let report = written(&finished.report);
    let lived = |ended: Ended<'_>| match ended.workload {
        Cow::Borrowed(_) => (ended.schedule, None),
        Cow::Owned(lived) => (ended.schedule, Some(lived)),
    };
    Ok(Outcome::Reported(Box::new(Reported { report, kept: keeps.then(|| lived(ended)) })))
}

fn repeated(study: &Study, run: &Run, workload: &Workload, metrics: &[Metric]) -> Result<Outcome, CannotRun> {
    let Ended { workload, schedule } = Running::begin(run, workload, study.rules())?.ended()?;
    Ok(Outcome::Repeated(measured(&workload, &schedule, &study.measure, metrics)))
}
