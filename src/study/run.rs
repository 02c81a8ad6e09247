//! One run of a study: a scheduler and the estimates that it works with.

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

/// Longest file name, without its ending, that spells out a run's id, bytes.
const LONGEST_STEM: usize = 180;

/// A scheduler and the estimates that it works with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The scheduler.
    pub scheduler: Policy,
    /// The run times that the scheduler is told.
    pub estimate: Estimate,
    /// The shrinking factor of the run's workload, if it is one of the study's further factors
    /// ([`shrinks`](super::Study::shrinks)). `None`: that of the study's treatment.
    #[serde(default)]
    pub shrink: Option<f64>,
    /// The partition whose jobs and machine the run is on, where the study simulates partitions separately
    /// ([`partitions`](super::Study::partitions)). `None`: the jobs and machine of the study's treatment.
    #[serde(default)]
    pub partition: Option<RunPartition>,
    /// The number of users as a multiple of the log's, where the study has several
    /// ([`all_users`](super::Study::all_users)). `None`: that of the study's treatment.
    #[serde(default)]
    pub users: Option<f64>,
    /// Whether jobs are submitted when the log says, although the study's users react. Such a replay is compared with
    /// the run with reacting users ([`beside_replay`](super::Study::beside_replay)).
    #[serde(default)]
    pub replayed: bool,
    /// The what-if of the run's machine, if it is one of the study's ([`what_ifs`](super::Study::what_ifs)). `None`:
    /// the machine of the study's treatment.
    #[serde(default)]
    pub what_if: Option<WhatIf>,
}

/// A partition that is simulated separately, as a machine of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPartition {
    /// Its number in the log.
    pub number: i32,
    /// What the log calls it; its number where it has no name.
    pub name: String,
    /// The size of its machine, where a person has given it; otherwise the size that the log tells.
    #[serde(default)]
    pub processors: Option<u32>,
}

impl RunPartition {
    /// The treatment of this partition, made from that of the whole log.
    pub fn treatment(&self, mut of_all: Treatment) -> Treatment {
        of_all.filter.partitions = vec![self.number];
        // The size of the whole machine is not that of a part of it.
        of_all.processors = self.processors;
        let number = self.number.to_string();
        of_all.machine = of_all.machine.map(|machine| Box::new(machine.of_partition(&[&self.name, &number])));
        of_all
    }
}

impl Run {
    /// A scheduler with estimates. The log's own schedule and that of a file use no estimates, so they have only one
    /// run. An off-line schedule knows the run times, so it has only one run too.
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

    /// This run with a further shrinking factor of its study. The log's own schedule and that of a file keep the log's
    /// arrivals, so they stay as they are.
    pub fn at_shrink(self, shrink: Option<f64>) -> Self {
        let shrink = shrink.filter(|_| !self.scheduler.is_given());
        Run { shrink, ..self }
    }

    /// This run with a number of users. The log's own schedule and that of a file keep their users, so they stay as
    /// they are.
    pub fn with_users(self, users: Option<f64>) -> Self {
        let users = users.filter(|_| !self.scheduler.is_given());
        Run { users, ..self }
    }

    /// This run as a replay with the log's submit times, or with reacting users. The log's own schedule and that of a
    /// file stay as they are.
    pub fn replayed(self, replayed: bool) -> Self {
        let replayed = replayed && !self.scheduler.is_given();
        Run { replayed, ..self }
    }

    /// This run on the machine of a what-if. The log's own schedule and that of a file keep their machine, so they stay
    /// as they are.
    pub fn what_if(self, what_if: Option<WhatIf>) -> Self {
        let what_if = what_if.filter(|_| !self.scheduler.is_given());
        Run { what_if, ..self }
    }

    /// This run on the workload of `other`.
    pub fn beside(self, other: &Run) -> Self {
        self.at_shrink(other.shrink)
            .with_users(other.users)
            .replayed(other.replayed)
            .what_if(other.what_if.clone())
            .on_partition(other.partition.clone())
    }

    /// This run on one partition.
    pub fn on_partition(self, partition: Option<RunPartition>) -> Self {
        Run { partition, ..self }
    }

    /// Whether both runs are on the same workload of their study: the same load, number of users, partition and
    /// machine, and users who react in both or in neither.
    pub fn shares_workload(&self, other: &Run) -> bool {
        let of = |run: &Run| (run.shrink, run.users, run.replayed);
        of(self) == of(other) && self.partition == other.partition && self.what_if == other.what_if
    }

    /// The treatment of this run's workload, made from that of its study.
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

    /// The simulation of the run before its first job arrives. `None` for the log's own schedule, that of a file, and
    /// an off-line one, and where users react, which leads to a workload of its own ([`Running`]).
    pub fn simulation<'a>(&self, workload: &'a Workload, rules: impl Into<Rules>) -> Option<Simulation<'a>> {
        let scheduler = self.scheduler.build_on(workload).filter(|_| workload.reactions().is_none())?;
        let (estimator, options) = (self.estimate.build(workload), rules.into().options(self));
        let simulation = Simulation::new(workload, scheduler, estimator, options);
        Some(simulation.with_classifier(self.scheduler.classifier(workload)))
    }

    /// The simulation of the run on a workload whose users react, before its first job arrives.
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

    /// The run's id, the key of its results: `scheduler__estimator`, followed by the parts that differ from the study's
    /// treatment: `__shrinkF` (shrinking factor), `__usersF` (number of users), `__replay` (users do not react),
    /// `__if_...` (what-if), and `__partitionN` or, with a size of its own, `__partitionN_onP`.
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

    /// The id for a person: a script appears by its name alone.
    pub fn short_id(&self) -> String {
        match self.scheduler.settings().script() {
            Some(script) => self.id().replacen(&script.to_string(), script.name(), 1),
            None => self.id(),
        }
    }

    /// The scheduler's name for a person, with the partition before it, and with the number of users, the replay and
    /// the what-if after it, where the run has them.
    pub fn scheduler_name(&self) -> String {
        let partition = self.partition.as_ref().map(|of| format!("{}: ", of.name)).unwrap_or_default();
        let users = self.users.map(|factor| format!(", {} x users", format::factor(factor))).unwrap_or_default();
        let replay = if self.replayed { ", replayed" } else { "" };
        let what_if = self.what_if.as_ref().map(|what_if| format!(", {}", what_if.name())).unwrap_or_default();
        format!("{partition}{}{users}{replay}{what_if}", self.scheduler.name())
    }

    /// The id as a file name without ending, valid on any system: no `:` and no `*` (`easy.threshold=5__requested-x2`).
    /// Two runs never share a name: a very long name, or one with other special characters, ends with a digest.
    pub fn file_stem(&self) -> String {
        let stem = self.id().replace(':', ".").replace('*', "-x");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+=,@".contains(c);
        if stem.len() <= LONGEST_STEM && stem.chars().all(is_plain) {
            return stem;
        }
        // File names may have 255 bytes.
        let begin: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).take(LONGEST_STEM).collect();
        format!("{begin}-{:016x}", xxhash_rust::xxh3::xxh3_64(stem.as_bytes()))
    }
}

/// A run under way, which can be advanced step by step.
pub struct Running<'a> {
    run: Run,
    workload: &'a Workload,
    course: StartSource<'a>,
}

/// Where the starts of a run come from.
enum StartSource<'a> {
    /// A scheduler decides.
    Simulated(Box<Simulation<'a>>),
    /// A scheduler decides, and users react to it.
    Reacting(Box<ReactingSimulation<'a>>),
    /// A search finds them; it knows run times and arrivals beforehand.
    Offline(Box<OfflineSearch<'a>>),
    /// The log or a file tells them.
    Logged(Box<Schedule>),
}

/// What a run came to.
pub struct Ended<'a> {
    /// The workload of the schedule: the run's own or, where users react, the lived workload.
    pub workload: Cow<'a, Workload>,
    /// The schedule of that workload.
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
        /// How many jobs have an unknown start.
        unknown: usize,
        /// How many jobs there are.
        jobs: usize,
    },
    /// The scheduler cannot run on this machine.
    #[error("{0}")]
    NotOnMachine(#[from] NotOnMachine),
    /// A what-if, or a change of the site, is about something that the site does not have.
    #[error("{name}: {why}.")]
    NotAtSite {
        /// The scheduler.
        name: String,
        /// What the site does not have.
        why: String,
    },
    /// A needed file is not there.
    #[error("The file {name} ({fingerprint:032x}) is not here: give it again, with {option} or by dropping it on the page.",
        name = file.name(), fingerprint = file.digest(), option = option(*kind))]
    NoFile {
        /// The file.
        file: NamedFile,
        /// What it is needed for.
        kind: ExternalKind,
    },
    /// A file does not go with the log.
    #[error("{0}.")]
    NotOfLog(ExternalFault),
    /// A file's schedule keeps the log's own arrivals, but the load is changed.
    #[error("{name} is a schedule of other arrivals: set the load back to that of the log (shrinking factor 1).")]
    OtherArrivals {
        /// What the file is called.
        name: String,
    },
    /// A given schedule keeps the log's own arrivals, but users react.
    #[error(
        "{name} is a schedule of the log's own arrivals, and users who react come at other times: take feedback off."
    )]
    LoggedArrivals {
        /// What the file is called.
        name: String,
    },
    /// An off-line schedule needs all arrivals beforehand, but users react.
    #[error(
        "{name} plans with all arrivals known beforehand, and where users react they follow from the schedule: take \
         feedback off, or {name} out of the schedulers."
    )]
    ArrivalsUnknown {
        /// The scheduler.
        name: String,
    },
    /// A person's own scheduler made a mistake.
    #[error("{0}")]
    Mistaken(Failure),
    /// A person's own scheduler left jobs waiting for ever.
    #[error(
        "{name} has not started {left} of {jobs} jobs, and nothing happens any more. The first is job {first} of the log."
    )]
    LeftWaiting {
        /// The scheduler.
        name: String,
        /// How many jobs still wait.
        left: usize,
        /// How many jobs there are.
        jobs: usize,
        /// The first waiting job, by its number in the log.
        first: i64,
    },
    /// The checker does not accept a file's schedule.
    #[error("{name} is no schedule of this workload. {first}{}", others_in_words(*others))]
    Refused {
        /// What the file is called.
        name: String,
        /// The first fault, which names the job, as a sentence.
        first: String,
        /// How many other faults there are.
        others: usize,
    },
}

impl CannotRun {
    /// Whether only this run fails, because a person's own scheduler is at fault. Other runs of the study may have
    /// schedules.
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
    /// Where the machine, the site or the users who react do not suit the scheduler, where the log does not tell its
    /// own schedule, or where a file is missing or does not go with the workload.
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

    /// Advances by up to `instants` further instants; an off-line search by as many steps. A run that has failed, or
    /// that goes no further, counts as done too; [`Running::ended`] tells.
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

    /// Whether the scheduler has failed, or nothing is left to decide.
    fn is_over(&self) -> bool {
        match &self.course {
            StartSource::Simulated(simulation) => simulation.failure().is_some() || simulation.is_at_rest(),
            StartSource::Reacting(simulation) => simulation.failure().is_some() || simulation.is_at_rest(),
            StartSource::Offline(_) | StartSource::Logged(_) => false,
        }
    }

    /// Runs to the end and gives the schedule, with its workload.
    ///
    /// # Errors
    /// A person's own scheduler makes a mistake, or leaves jobs waiting for ever.
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

    /// Runs to the end and measures. `seconds` is the time that the simulation took, where it was timed.
    ///
    /// # Errors
    /// As [`Running::ended`].
    pub fn finish(self, measure: &Measure, seconds: f64) -> Result<RunResult, CannotRun> {
        let run = self.run.clone();
        let Ended { workload, schedule } = self.ended()?;
        Ok(RunResult { report: RunReport::of(run, &workload, &schedule, measure, seconds), schedule })
    }
}

/// Checks that every job has started.
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
