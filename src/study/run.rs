//! One run of a study: a scheduler and the estimates it works with.

use super::report::{RunReport, RunResult};
use super::rules::Rules;
use super::source::Treatment;
use super::{external, format, logged};
use crate::catalogue::NamedFile;
use crate::estimator::{Estimate, Method};
use crate::machine::WhatIf;
use crate::metric::Measure;
use crate::model::{Failure, Printed, Schedule};
use crate::offline::{OfflineRule, OfflineSearch};
use crate::scheduler::{NotOnMachine, Policy};
use crate::simulation::{Progress, ReactingSimulation, Simulation};
use crate::workload::{ExternalFault, ExternalKind, Feedback, Reactions, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Longest name of a run's file that is written out, bytes.
const LONGEST_STEM: usize = 180;

/// A scheduler and the estimates it works with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The scheduler.
    pub scheduler: Policy,
    /// What it is told of run times.
    pub estimate: Estimate,
    /// The shrinking factor of its workload, where it is one of the study's further ones ([`shrinks`](super::Study::shrinks)); none: that
    /// of the study's treatment.
    #[serde(default)]
    pub shrink: Option<f64>,
    /// The partition whose jobs and machine it is on, where the study takes each by itself ([`partitions`](super::Study::partitions));
    /// none: those of the study's treatment.
    #[serde(default)]
    pub partition: Option<RunPartition>,
    /// How many times as many users there are, where the study has several ([`all_users`](super::Study::all_users)); none: as
    /// the study's treatment says.
    #[serde(default)]
    pub users: Option<f64>,
    /// Whether jobs are submitted when the log says, though the study's users react: the replay beside which a run with
    /// users who react is seen ([`beside_replay`](super::Study::beside_replay)).
    #[serde(default)]
    pub replayed: bool,
    /// What is otherwise on its machine, where it is one of the study's further ones
    /// ([`what_ifs`](super::Study::what_ifs)); none: that of the study's treatment.
    #[serde(default)]
    pub what_if: Option<WhatIf>,
}

/// A partition that is taken by itself, as a machine of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPartition {
    /// Its number in the log.
    pub number: i32,
    /// What the log calls it; its number where it has no name.
    pub name: String,
    /// The size of its machine, where a person has given it; else it is as the log tells.
    #[serde(default)]
    pub processors: Option<u32>,
}

impl RunPartition {
    /// What is done to the log where all of it is treated so.
    pub fn treatment(&self, mut of_all: Treatment) -> Treatment {
        of_all.filter.partitions = vec![self.number];
        // the size of the whole machine is not that of a part of it
        of_all.processors = self.processors;
        let number = self.number.to_string();
        of_all.machine = of_all.machine.map(|machine| Box::new(machine.of_partition(&[&self.name, &number])));
        of_all
    }
}

impl Run {
    /// A scheduler with estimates. The log's own schedule and that of a file have but one run: estimates play no part in
    /// them. So has an
    /// off-line one, which knows the run times.
    pub fn new(scheduler: Policy, estimate: Estimate) -> Self {
        let estimate = if scheduler.is_given() {
            Estimate::of(Method::requested())
        } else if scheduler.is_offline() {
            Estimate::of(Method::actual())
        } else {
            estimate
        };
        Run { scheduler, estimate, shrink: None, partition: None, users: None, replayed: false, what_if: None }
    }

    /// The same with a further shrinking factor of its study. The log's own schedule is not one of other arrivals: it
    /// stays as it is.
    pub fn at_shrink(self, shrink: Option<f64>) -> Self {
        let shrink = shrink.filter(|_| !self.scheduler.is_given());
        Run { shrink, ..self }
    }

    /// The same with so many times as many users. The log's own schedule is one of its own users: it stays as it is.
    pub fn with_users(self, users: Option<f64>) -> Self {
        let users = users.filter(|_| !self.scheduler.is_given());
        Run { users, ..self }
    }

    /// The same with the log's submit times, or with users who react as the study says. The log's own schedule has its own.
    pub fn replayed(self, replayed: bool) -> Self {
        let replayed = replayed && !self.scheduler.is_given();
        Run { replayed, ..self }
    }

    /// The same on a machine that is otherwise. The log's own schedule is one of its own machine: it stays as it is.
    pub fn what_if(self, what_if: Option<WhatIf>) -> Self {
        let what_if = what_if.filter(|_| !self.scheduler.is_given());
        Run { what_if, ..self }
    }

    /// The same on the workload of another.
    pub fn beside(self, other: &Run) -> Self {
        self.at_shrink(other.shrink)
            .with_users(other.users)
            .replayed(other.replayed)
            .what_if(other.what_if.clone())
            .on_partition(other.partition.clone())
    }

    /// The same on a partition by itself.
    pub fn on_partition(self, partition: Option<RunPartition>) -> Self {
        Run { partition, ..self }
    }

    /// Whether it is on the same workload as another run of its study: under the same load, of as many users, on the same
    /// partition of the same machine, and both with users who react or neither.
    pub fn shares_workload(&self, other: &Run) -> bool {
        let of = |run: &Run| (run.shrink, run.users, run.replayed);
        of(self) == of(other) && self.partition == other.partition && self.what_if == other.what_if
    }

    /// What is done to the log before it is simulated, in a study that treats it so.
    pub fn treatment(&self, of_study: &Treatment) -> Treatment {
        let mut treatment = of_study.clone();
        treatment.shrink = self.shrink.unwrap_or(of_study.shrink);
        treatment.users = self.users.unwrap_or(of_study.users);
        if self.what_if.is_some() {
            treatment.what_if.clone_from(&self.what_if);
        }
        if self.replayed {
            treatment.feedback.feedback = Feedback::Off;
        }
        match &self.partition {
            Some(partition) => partition.treatment(treatment),
            None => treatment,
        }
    }

    /// The run on a workload, before its first job arrives; none for the log's own schedule, for an off-line one, and where
    /// users are yet to react: what they come to is a workload of its own ([`Running`]).
    pub fn simulation<'a>(&self, workload: &'a Workload, rules: impl Into<Rules>) -> Option<Simulation<'a>> {
        let scheduler = self.scheduler.build_on(workload).filter(|_| workload.reactions().is_none())?;
        let (estimator, options) = (self.estimate.build(workload), rules.into().options(self));
        let simulation = Simulation::new(workload, scheduler, estimator, options);
        Some(simulation.with_classifier(self.scheduler.classifier(workload)))
    }

    /// The run on a workload whose users react, before its first job arrives.
    fn reacting<'a>(
        &self,
        workload: &'a Workload,
        reactions: &'a Reactions,
        rules: Rules,
    ) -> Result<ReactingSimulation<'a>, CannotRun> {
        let name = || self.scheduler.name();
        if self.scheduler.is_offline() {
            return Err(CannotRun::ArrivalsUnknown { name: name() });
        }
        let scheduler = self.scheduler.build_on(workload).ok_or_else(|| CannotRun::LoggedArrivals { name: name() })?;
        let (estimator, options) = (self.estimate.build(workload), rules.options(self));
        let simulation = ReactingSimulation::new(workload, reactions, scheduler, estimator, options);
        Ok(simulation.with_classifier(self.scheduler.classifier(workload)))
    }

    /// As the keys of results: `scheduler__estimator`, `__shrinkF` where it has a further shrinking factor, and
    /// `__partitionN` where it is on a partition by itself, `__partitionN_onP` where that has a size of its own; `__usersF`
    /// with a further number of users, `__replay` where its users do not react, though others' do, and `__if_...` on a
    /// machine that is otherwise.
    pub fn id(&self) -> String {
        let shrink = self.shrink.map(|factor| format!("__shrink{factor}")).unwrap_or_default();
        let partition = self.partition.as_ref().map(|of| {
            let size = of.processors.map(|size| format!("_on{size}")).unwrap_or_default();
            format!("__partition{}{size}", of.number)
        });
        let partition = partition.unwrap_or_default();
        let users = self.users.map(|factor| format!("__users{factor}")).unwrap_or_default();
        let replay = if self.replayed { "__replay" } else { "" };
        let what_if = self.what_if.as_ref().map(|what_if| format!("__if_{}", what_if.to_string().replace(' ', "_")));
        let what_if = what_if.unwrap_or_default();
        format!("{}__{}{shrink}{users}{replay}{what_if}{partition}", self.scheduler, self.estimate)
    }

    /// The same for a person to read: of a script its name alone.
    pub fn short_id(&self) -> String {
        match self.scheduler.settings().script() {
            Some(script) => self.id().replacen(&script.to_string(), script.name(), 1),
            None => self.id(),
        }
    }

    /// The scheduler's name, behind that of the partition where it is on one by itself; and what sets its users apart from
    /// those of the study's treatment, and its machine likewise.
    pub fn scheduler_name(&self) -> String {
        let partition = self.partition.as_ref().map(|of| format!("{}: ", of.name)).unwrap_or_default();
        let users = self.users.map(|factor| format!(", {} x users", format::factor(factor))).unwrap_or_default();
        let replay = if self.replayed { ", replayed" } else { "" };
        let what_if = self.what_if.as_ref().map(|what_if| format!(", {}", what_if.name())).unwrap_or_default();
        format!("{partition}{}{users}{replay}{what_if}", self.scheduler.name())
    }

    /// The id as a file's name without ending, on any system: no `:` and no `*` (`easy.threshold=5__requested-x2`).
    /// Two runs never have the same: a very long one, and one with signs of a formula in it, ends with a digest.
    pub fn file_stem(&self) -> String {
        let stem = self.id().replace(':', ".").replace('*', "-x");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+=,@".contains(c);
        if stem.len() <= LONGEST_STEM && stem.chars().all(is_plain) {
            return stem;
        }
        // names of files may have 255 bytes
        let begin: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).take(LONGEST_STEM).collect();
        format!("{begin}-{:016x}", xxhash_rust::xxh3::xxh3_64(stem.as_bytes()))
    }
}

/// A run under way, that can be advanced bit by bit.
pub struct Running<'a> {
    run: Run,
    workload: &'a Workload,
    course: StartSource<'a>,
}

/// Where the starts come from.
enum StartSource<'a> {
    /// A scheduler decides.
    Simulated(Box<Simulation<'a>>),
    /// A scheduler decides, and users react to it.
    Reacting(Box<ReactingSimulation<'a>>),
    /// A search finds them, with run times and arrivals known.
    Offline(Box<OfflineSearch<'a>>),
    /// The log says.
    Logged(Box<Schedule>),
}

/// What a run came to.
pub struct Ended<'a> {
    /// The workload of the schedule: the run's own, or, where users react, as it came about.
    pub workload: Cow<'a, Workload>,
    /// When every job of it started.
    pub schedule: Schedule,
}

/// Why a run has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    /// The log's own schedule was asked for, and the log does not tell it.
    #[error(
        "The log does not tell when its jobs started: the wait time (field 3) is unknown for {unknown} of {jobs} jobs. \
         Take \"As logged\" out of the schedulers."
    )]
    NoLoggedStarts {
        /// Jobs whose start is unknown.
        unknown: usize,
        /// Of so many.
        jobs: usize,
    },
    /// The scheduler cannot do the machine.
    #[error("{0}")]
    NotOnMachine(#[from] NotOnMachine),
    /// What is set otherwise is of something that the site does not have.
    #[error("{name}: {why}.")]
    NotAtSite {
        /// The scheduler.
        name: String,
        /// What there is not.
        why: String,
    },
    /// A file is not there.
    #[error("The file {name} ({fingerprint:032x}) is not here: give it again, with {option} or by dropping it on the page.",
        name = file.name(), fingerprint = file.digest(), option = option(*kind))]
    NoFile {
        /// Which.
        file: NamedFile,
        /// For what.
        kind: ExternalKind,
    },
    /// A file does not go with the log.
    #[error("{0}.")]
    NotOfLog(ExternalFault),
    /// A file's schedule is one of the log's own arrivals.
    #[error("{name} is a schedule of other arrivals: set the load back to that of the log (shrinking factor 1).")]
    OtherArrivals {
        /// What the file is called.
        name: String,
    },
    /// A file's schedule is one of the log's own arrivals, and users react.
    #[error(
        "{name} is a schedule of the log's own arrivals, and users who react come at other times: take feedback off."
    )]
    LoggedArrivals {
        /// What the file is called.
        name: String,
    },
    /// An off-line schedule knows all arrivals beforehand, and users react.
    #[error(
        "{name} plans with all arrivals known beforehand, and where users react they follow from the schedule: take \
         feedback off, or {name} out of the schedulers."
    )]
    ArrivalsUnknown {
        /// The scheduler.
        name: String,
    },
    /// A scheduler that a person has written has made a mistake.
    #[error("{0}")]
    Mistaken(Failure),
    /// Such a scheduler has let jobs wait for ever.
    #[error(
        "{name} has not started {left} of {jobs} jobs, and nothing happens any more. The first is job {first} of the log."
    )]
    LeftWaiting {
        /// The scheduler.
        name: String,
        /// How many still wait.
        left: usize,
        /// Of so many.
        jobs: usize,
        /// The first of them, by its number in the log.
        first: i64,
    },
    /// The checker does not agree with a file's schedule.
    #[error("{name} is no schedule of this workload. {first}{}", others_in_words(*others))]
    Refused {
        /// What the file is called.
        name: String,
        /// The first fault, which names the job, as a sentence.
        first: String,
        /// How many others there are.
        others: usize,
    },
}

impl CannotRun {
    /// Whether only this run has no schedule, and others of its study may well have: a person's own scheduler is at fault.
    pub fn is_of_one_run(&self) -> bool {
        matches!(self, CannotRun::Mistaken(_) | CannotRun::LeftWaiting { .. })
    }
}

fn option(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Schedule => "--schedule",
        ExternalKind::Estimates => "--estimates",
        ExternalKind::Site => "--slurm (of a study: --site)",
    }
}

fn others_in_words(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " There is 1 more fault.".to_owned(),
        _ => format!(" There are {others} more faults."),
    }
}

impl<'a> Running<'a> {
    /// Begins `run` on `workload`.
    ///
    /// # Errors
    /// A machine that the scheduler cannot do; the log's own schedule, where the log does not tell it; a file that is not there or not of this workload.
    pub fn begin(run: &Run, workload: &'a Workload, rules: impl Into<Rules>) -> Result<Self, CannotRun> {
        run.scheduler.check_on(workload)?;
        let not_there = |why| CannotRun::NotAtSite { name: run.scheduler.name(), why };
        run.scheduler.check_at(workload).map_err(not_there)?;
        if let Some(what_if) = run.what_if.as_ref().filter(|_| run.scheduler.counts_nodes_of(workload)) {
            return Err(not_there(format!(
                "it counts the nodes of its site's files, so that it cannot run with {}; change these files, or ask it what if \
                 nodes were drained",
                what_if.name()
            )));
        }
        if let Some(file) = run.estimate.method.settings().file() {
            external::check_estimates(workload, &file)?;
        }
        let rules = rules.into();
        if let Some(reactions) = workload.reactions().filter(|_| !run.scheduler.is_as_logged()) {
            let simulation = run.reacting(workload, reactions, rules)?;
            return Ok(Running { run: run.clone(), workload, course: StartSource::Reacting(Box::new(simulation)) });
        }
        let course = match (run.simulation(workload, rules), OfflineRule::of(&run.scheduler)) {
            (Some(simulation), _) => StartSource::Simulated(Box::new(simulation)),
            (None, Some(rule)) => StartSource::Offline(Box::new(OfflineSearch::begin(rule, workload))),
            (None, None) => StartSource::Logged(Box::new(match run.scheduler.settings().file() {
                Some(file) => external::schedule(workload, &file)?,
                None => logged::schedule(workload)?,
            })),
        };
        Ok(Running { run: run.clone(), workload, course })
    }

    /// Lives through up to `instants` further instants, or goes on with a search for as many steps. Done is also what has failed,
    /// or goes no further: the end says so.
    pub fn advance(&mut self, instants: usize) -> Progress {
        let jobs = self.workload.len();
        let progress = match &mut self.course {
            StartSource::Simulated(simulation) => simulation.advance(instants),
            StartSource::Reacting(simulation) => simulation.advance(instants),
            StartSource::Offline(search) => search.advance(instants),
            StartSource::Logged(_) => Progress { completed: jobs, jobs },
        };
        if self.is_over() { Progress { completed: jobs, jobs } } else { progress }
    }

    /// What the scheduler has printed so far.
    pub fn printed(&self) -> Printed {
        match &self.course {
            StartSource::Simulated(simulation) => simulation.printed(),
            StartSource::Reacting(simulation) => simulation.printed(),
            StartSource::Offline(_) | StartSource::Logged(_) => Printed::default(),
        }
    }

    /// Whether the scheduler decides nothing any more, or nothing is left to decide upon.
    fn is_over(&self) -> bool {
        match &self.course {
            StartSource::Simulated(simulation) => simulation.failure().is_some() || simulation.is_at_rest(),
            StartSource::Reacting(simulation) => simulation.failure().is_some() || simulation.is_at_rest(),
            StartSource::Offline(_) | StartSource::Logged(_) => false,
        }
    }

    /// Runs to the end and gives the schedule, with the workload that it is of.
    ///
    /// # Errors
    /// A scheduler that a person has written makes a mistake, or lets jobs wait for ever.
    pub fn ended(self) -> Result<Ended<'a>, CannotRun> {
        let schedule = match self.course {
            StartSource::Simulated(mut simulation) => {
                simulation.advance(usize::MAX);
                match simulation.failure() {
                    Some(failure) => return Err(CannotRun::Mistaken(failure)),
                    None => simulation.finish(),
                }
            }
            StartSource::Reacting(mut simulation) => {
                simulation.advance(usize::MAX);
                if let Some(failure) = simulation.failure() {
                    return Err(CannotRun::Mistaken(failure));
                }
                let (lived, schedule) = simulation.finish();
                check_started(&self.run, &lived, &schedule)?;
                return Ok(Ended { workload: Cow::Owned(lived), schedule });
            }
            StartSource::Offline(search) => search.finish(),
            StartSource::Logged(schedule) => *schedule,
        };
        check_started(&self.run, self.workload, &schedule)?;
        Ok(Ended { workload: Cow::Borrowed(self.workload), schedule })
    }

    /// Runs to the end and measures. `seconds` is the time the simulation took, where it was timed.
    ///
    /// # Errors
    /// As [`Running::ended`].
    pub fn finish(self, measure: &Measure, seconds: f64) -> Result<RunResult, CannotRun> {
        let run = self.run.clone();
        let Ended { workload, schedule } = self.ended()?;
        Ok(RunResult { report: RunReport::of(run, &workload, &schedule, measure, seconds), schedule })
    }
}

/// That every job has started.
fn check_started(run: &Run, workload: &Workload, schedule: &Schedule) -> Result<(), CannotRun> {
    let Some(first) = schedule.starts.iter().position(|&start| start == Seconds::MIN) else { return Ok(()) };
    Err(CannotRun::LeftWaiting {
        name: run.scheduler.name(),
        left: schedule.starts.iter().filter(|&&start| start == Seconds::MIN).count(),
        jobs: workload.len(),
        first: workload.requests()[first].number,
    })
}

/// Runs `run` on `workload` from beginning to end.
///
/// # Errors
/// As [`Running::begin`] and [`Running::ended`].
pub fn execute(
    run: &Run,
    workload: &Workload,
    rules: impl Into<Rules>,
    measure: &Measure,
) -> Result<RunResult, CannotRun> {
    Running::begin(run, workload, rules)?.finish(measure, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Correction;
    use crate::workload::{Cleaning, Filter, clean, reading};

    fn workload(waits: [i64; 2]) -> Workload {
        let lines = waits.iter().zip(1..).map(|(wait, n)| format!("{n} {n} {wait} 50 4 -1 -1 4 60 -1 1\n"));
        let log = reading::read("waits.swf", lines.collect::<String>().as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap()
    }

    fn run_as_logged(workload: &Workload) -> Result<RunResult, CannotRun> {
        let run = Run::new("as-logged".parse().unwrap(), Estimate { method: Method::actual(), k: 2.0 });
        execute(&run, workload, Correction::default(), &Measure::default())
    }

    #[test]
    fn names_of_files_are_valid_everywhere_and_differ() {
        let schedulers = ["easy", "easy:threshold=5", "easy:threshold=50", "list:order=wfp,depth=3", "pc:order=sjf"];
        let estimates = ["requested", "requested*2", "requested*0.5", "sp2", "sp:x=30", "sp:x=30*1.5", "survival:x=40"];
        let mut stems = Vec::new();
        for scheduler in schedulers.into_iter().chain(crate::scheduler::PRESETS.iter().map(|preset| preset.id)) {
            for estimate in estimates {
                let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
                stems.push((run.file_stem(), run.id()));
            }
        }
        stems.sort_unstable();
        stems.dedup();
        assert!(stems.windows(2).all(|pair| pair[0].0 != pair[1].0), "{stems:?}");
        let is_fine = |c: char| c.is_ascii_alphanumeric() || "-_.=,+".contains(c);
        assert!(stems.iter().all(|(stem, _)| stem.chars().all(is_fine) && stem.len() < 200), "{stems:?}");
        assert!(stems.iter().any(|(stem, _)| stem == "easy.threshold=5__requested-x2"));
    }

    #[test]
    fn the_log_s_own_schedule_is_that_of_its_waits() {
        let result = run_as_logged(&workload([0, 70])).unwrap();
        assert_eq!(result.schedule.starts, [1, 72]);
        assert_eq!(result.report.run.id(), "as-logged__requested", "whatever the estimates");
    }

    #[test]
    fn a_log_that_does_not_tell_its_starts_says_so() {
        let message = run_as_logged(&workload([0, -1])).unwrap_err().to_string();
        assert!(message.contains("is unknown for 1 of 2 jobs"), "{message}");
    }
}
