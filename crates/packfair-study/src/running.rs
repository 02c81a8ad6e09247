//! Runs under way: from their first instant to their schedule and its report.

use super::report::{CannotRun, RunReport, RunResult};
use super::rules::Rules;
use super::run::Run;
use super::{Study, external, logged};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::Measure;
use packfair_engine::model::{Printed, Schedule};
use packfair_engine::simulation::{Progress, ReactingSimulation, Simulation};
use packfair_offline::{OfflineRule, OfflineSearch};
use packfair_workload::{Reactions, Seconds, Unit, Workload};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::hash::Hash;

impl Run {
    /// The simulation of the run before its first job arrives. `None` for the log's own schedule, that of a file, and
    /// an off-line one, and where users react, which leads to a workload of its own ([`Running`]).
    pub fn simulation<'a>(&self, workload: &'a Workload, rules: impl Into<Rules>) -> Option<Simulation<'a>> {
        let scheduler = self.scheduler.build_on(workload).filter(|_| workload.reactions().is_none())?;
        let (estimator, options) = (self.estimate.build(workload), rules.into().options(self));
        let simulation = Simulation::new(workload, scheduler, estimator, options);
        let simulation = simulation.with_deferred(self.deferred(workload));
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
}

/// A run under way, which can be advanced step by step.
pub struct Running<'a> {
    run: Run,
    workload: &'a Workload,
    course: StartSource<'a>,
}

enum StartSource<'a> {
    Simulated(Box<Simulation<'a>>),
    Reacting(Box<ReactingSimulation<'a>>),
    /// A search finds them; it knows run times and arrivals beforehand.
    Offline(Box<OfflineSearch<'a>>),
    Logged(Box<Schedule>),
}

/// What a run came to.
pub struct Ended<'a> {
    /// The workload of the schedule: the run's own or, where users react, the lived workload.
    pub workload: Cow<'a, Workload>,
    pub schedule: Schedule,
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
        // nodes that partitions have more or fewer are nodes of the workload's site
        let is_in_processors = workload.cells().is_none() && workload.counting().unit == Unit::Processors;
        let is_of_site =
            |what_if: &&WhatIf| what_if.is_of_jobs() || what_if.nodes_alone().is_some() && is_in_processors;
        let counts = run.scheduler.counts_nodes_of(workload);
        if let Some(what_if) = run.what_if.as_ref().filter(|what_if| counts && !is_of_site(what_if)) {
            return Err(not_there(format!(
                "it counts the nodes of its site's files, so that it cannot run with {}; add nodes to a partition \
                 (nodes=+20 cell=PARTITION), or ask it what if nodes were drained",
                what_if.name()
            )));
        }
        run.check_deferral(workload).map_err(not_there)?;
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

// Lists without repeats.

/// Each value once, at its first place. Values are equal where their keys are.
pub(super) fn distinct<T, K: Hash + Eq>(values: &[T], key: impl Fn(&T) -> K) -> Vec<&T> {
    let mut seen = FxHashSet::default();
    values.iter().filter(|value| seen.insert(key(value))).collect()
}

/// Removes values whose key came before.
fn lose_repeats<T, K: Hash + Eq>(values: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let mut seen = FxHashSet::default();
    values.retain(|value| seen.insert(key(value)));
}

impl Study {
    /// The study with each scheduler, estimator, factor, column, removed run and partition once, and each user, queue
    /// and partition of its filter once. Its runs are the same, in the same order.
    pub fn without_repeats(mut self) -> Self {
        lose_repeats(&mut self.schedulers, ToString::to_string);
        lose_repeats(&mut self.methods, ToString::to_string);
        lose_repeats(&mut self.methods_asked, ToString::to_string);
        lose_repeats(&mut self.distortions, |k| k.to_bits());
        self.shrinks = self.further_shrinks();
        self.users = self.further_users();
        lose_repeats(&mut self.what_ifs, ToString::to_string);
        lose_repeats(&mut self.removed, Run::id);
        lose_repeats(&mut self.partitions, |partition| partition.number);
        lose_repeats(&mut self.columns, |&metric| metric);
        let filter = &mut self.treatment.filter;
        for list in [&mut filter.users, &mut filter.queues, &mut filter.partitions] {
            lose_repeats(list, |&number| number);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::estimator::{Estimate, Method};
    use packfair_engine::simulation::Correction;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    fn workload(waits: [i64; 2]) -> Workload {
        let lines = waits.iter().zip(1..).map(|(wait, n)| format!("{n} {n} {wait} 50 4 -1 -1 4 60 -1 1\n"));
        let log =
            reading::read("waits.swf", format!("; Version: 2.2\n{}", lines.collect::<String>()).as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap()
    }

    fn run_as_logged(workload: &Workload) -> Result<RunResult, CannotRun> {
        let run = Run::new("as-logged".parse().unwrap(), Estimate { method: Method::actual(), k: 2.0 });
        execute(&run, workload, Correction::default(), &Measure::default())
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

#[cfg(test)]
mod repeats_tests {
    use super::*;
    use crate::RunPartition;
    use packfair_engine::metric::Metric;

    #[test]
    fn every_list_loses_its_repeats_and_nothing_else() {
        let mut study = Study::first_visit();
        study.removed = vec![study.runs()[0].clone()];
        study.methods_asked = study.methods.clone();
        study.treatment.filter.users = vec![3, 1, 2];
        study.partitions = vec![RunPartition { number: 2, name: "small".to_owned(), processors: None }];
        let once = study.clone();
        let twice = |study: &mut Study| {
            study.schedulers.extend(once.schedulers.clone());
            study.methods.extend(once.methods.clone());
            study.methods_asked.extend(once.methods_asked.clone());
            study.distortions.extend(once.distortions.clone());
            study.removed.extend(once.removed.clone());
            study.columns.extend(once.columns.clone());
            study.partitions.extend(once.partitions.clone());
            let filter = &mut study.treatment.filter;
            filter.users.extend([1, 2, 3]);
            filter.queues.extend([5, 5]);
            filter.partitions.extend([6, 6]);
        };
        twice(&mut study);
        assert_eq!(study.runs(), once.runs());
        let mut expected = once.clone();
        expected.treatment.filter.queues = vec![5];
        expected.treatment.filter.partitions = vec![6];
        assert_eq!(study.without_repeats(), expected);
    }

    #[test]
    fn a_list_as_long_as_a_file_can_hold_is_done_with_at_once() {
        let mut study = Study::first_visit();
        study.columns = vec![Metric::Af; 300_000];
        study.removed = vec![study.runs()[0].clone(); 100_000];
        let study = study.without_repeats();
        assert_eq!((study.columns, study.removed.len()), (vec![Metric::Af], 1));
    }
}
