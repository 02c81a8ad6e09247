//! Computes what is missing of a spread study, possibly at the same time as other processes.

use super::folder::{SpreadFailure, SpreadFolder, SpreadResult, VERSION};
use super::unit::{SpreadGroup, SpreadLog, SpreadUnit};
use crate::cli::Failure;
use crate::cli::guarded::{Mistake, guarded};
use crate::cli::pool::simulate;
use crate::cli::progress::Progress;
use crate::cli::watch::OnTerminal;
use crate::machine::WhatIf;
use crate::study::sureness::{
    RepeatedLoads, RepeatedValues, RepeatedWorkloads, Repeats, Unshrunk, measured, repeatable,
};
use crate::study::{Ended, RunReport, Running, Study, Workloads};
use crate::workload::{Log, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A log and the workloads made from it.
pub(super) struct SpreadWorkloads {
    workloads: Workloads,
    unshrunk: Option<Unshrunk>,
}

impl SpreadWorkloads {
    /// The workloads of the study on a log.
    pub(super) fn of(study: &Study, log: &Log) -> Result<Self, Failure> {
        let workloads = Workloads::of(study, log).map_err(Failure::input)?;
        let unshrunk = study.repeats.map(|_| Unshrunk::of(study, log).map_err(Failure::input)).transpose()?;
        Ok(SpreadWorkloads { workloads, unshrunk })
    }

    /// The workload of the study's own treatment.
    pub(super) fn first(&self) -> &Workload {
        self.workloads.first()
    }
}

/// How many runs were computed, and how many were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SpreadTally {
    /// The number of runs that were computed.
    pub(super) computed: usize,
    /// The number of runs that failed.
    pub(super) failed: usize,
    /// The number of runs that another process is computing or has computed meanwhile.
    pub(super) elsewhere: usize,
}

/// Why a run has no result.
#[derive(Clone, Debug)]
enum Fault {
    /// The run cannot be made, for the reason in the message.
    Cannot(String),
    /// A mistake of Packfair's own.
    Mistake(Mistake),
}

impl Fault {
    fn cannot(why: impl ToString) -> Self {
        Fault::Cannot(why.to_string())
    }

    /// The failure to store for a run of this name.
    fn kept(self, name: String) -> SpreadFailure {
        match self {
            Fault::Cannot(reason) => SpreadFailure { name, reason, mistake_of: None },
            Fault::Mistake(mistake) => {
                SpreadFailure { name, reason: mistake.to_string(), mistake_of: Some(VERSION.to_owned()) }
            }
        }
    }
}

/// Does work that may fail by a mistake of Packfair's own.
fn within<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    guarded(work).map_err(Fault::Mistake).flatten()
}

/// Computes these runs on several threads.
///
/// # Errors
/// The folder cannot be written.
pub(super) fn work(
    folder: &SpreadFolder,
    logs: &[SpreadLog],
    workloads: &[SpreadWorkloads],
    groups: &[SpreadGroup],
    threads: usize,
) -> Result<SpreadTally, Failure> {
    let watch = OnTerminal::new();
    let progress = Progress::of("runs", groups.iter().map(|group| group.units.len()).sum(), &watch);
    let (next, tally, failed) = (AtomicUsize::new(0), Mutex::new(SpreadTally::default()), Mutex::new(None));
    let work = || {
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(failure) = one(folder, logs, workloads, group, &tally, || progress.finish(1.0)) {
                next.store(groups.len(), Ordering::Relaxed);
                // no thread panics while holding the lock
                *failed.lock().unwrap() = Some(failure);
            }
        }
    };
    std::thread::scope(|scope| (0..threads.min(groups.len())).for_each(|_| drop(scope.spawn(work))));
    // no thread panics while holding the lock
    match failed.into_inner().unwrap() {
        Some(failure) => Err(failure),
        None => Ok(tally.into_inner().unwrap()),
    }
}

/// Computes what is missing of a group.
fn one(
    folder: &SpreadFolder,
    logs: &[SpreadLog],
    workloads: &[SpreadWorkloads],
    group: &SpreadGroup,
    tally: &Mutex<SpreadTally>,
    ended: impl Fn(),
) -> Result<(), Failure> {
    // the workloads of the repeat, by machine
    let mut repeated: Vec<(Option<WhatIf>, Result<RepeatedWorkloads, Fault>)> = Vec::new();
    for unit in &group.units {
        let claim = folder.claim(unit)?;
        let mut counted = SpreadTally::default();
        if claim.is_some() {
            let (study, of_log, begun) = (&logs[unit.log].study, &workloads[unit.log], Instant::now());
            let name = unit.name(logs);
            let end = match unit.repeat {
                None => within(|| on_log(study, of_log, unit)).map(|report| (Some(report), None)),
                Some(repeat) => {
                    let what_if = &unit.run.what_if;
                    let place = repeated.iter().position(|(own, _)| own == what_if).unwrap_or_else(|| {
                        let made = within(|| on_repeat(study, of_log, what_if.as_ref(), repeat));
                        repeated.push((what_if.clone(), made));
                        repeated.len() - 1
                    });
                    let made = &repeated[place].1;
                    let values = made
                        .as_ref()
                        .map_err(Clone::clone)
                        .and_then(|made| within(|| values(study, made, unit, repeat)));
                    values.map(|values| (None, Some(values)))
                }
            };
            let seconds = begun.elapsed().as_secs_f64();
            let end = match end {
                Ok((report, values)) => Ok(SpreadResult { name, seconds, report, values }),
                Err(fault) => Err(fault.kept(name)),
            };
            counted = match end {
                Ok(_) => SpreadTally { computed: 1, ..counted },
                Err(_) => SpreadTally { failed: 1, ..counted },
            };
            folder.keep(unit, end)?;
        } else {
            counted.elsewhere = 1;
        }
        // the result is stored before the claim is released
        drop(claim);
        // no thread panics while holding the lock
        let mut tally = tally.lock().unwrap();
        tally.computed += counted.computed;
        tally.failed += counted.failed;
        tally.elsewhere += counted.elsewhere;
        drop(tally);
        ended();
    }
    Ok(())
}

/// Makes a run on the log itself. The time it took is not in its report, so that the report is the same wherever it is
/// made.
fn on_log(study: &Study, of_log: &SpreadWorkloads, unit: &SpreadUnit) -> Result<RunReport, Fault> {
    let (finished, _) =
        simulate(&unit.run, study, of_log.workloads.of_run(&unit.run), 1, |_| true).map_err(Fault::cannot)?;
    Ok(RunReport { wall_s: 0.0, ..finished.report })
}

/// Makes the workloads of a repeat on a machine.
fn on_repeat(
    study: &Study,
    of_log: &SpreadWorkloads,
    what_if: Option<&WhatIf>,
    repeat: u32,
) -> Result<RepeatedWorkloads, Fault> {
    let unshrunk = of_log.unshrunk.as_ref().and_then(|unshrunk| unshrunk.on(what_if));
    let (Some(repeats), Some(unshrunk)) = (&study.repeats, unshrunk) else {
        return Err(Fault::cannot("the study is not repeated"));
    };
    RepeatedWorkloads::of(&RepeatedLoads::of(study), repeats, unshrunk, repeat).map_err(Fault::cannot)
}

/// Makes a run on a repeat.
fn values(
    study: &Study,
    repeated: &RepeatedWorkloads,
    unit: &SpreadUnit,
    repeat: u32,
) -> Result<RepeatedValues, Fault> {
    let workload = repeated.of_run(&unit.run);
    let running = Running::begin(&Repeats::drawn(&unit.run, repeat), workload, study.rules()).map_err(Fault::cannot)?;
    let Ended { workload, schedule } = running.ended().map_err(Fault::cannot)?;
    Ok(measured(&workload, &schedule, &study.measure, &repeatable(&study.columns)))
}
