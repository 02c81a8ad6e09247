//! Makes the repeats of a study on all processors.

use super::guarded::guarded;
use super::pool::advance;
use super::progress::Progress;
use super::watch::Watch;
use super::{Failure, say};
use crate::metric::Metric;
use crate::study::sureness::{Repeated, RepeatedLoads, RepeatedWorkloads, Repeats, Unshrunk, measured, repeatable};
use crate::study::{CannotRun, Ended, Run, Running, Study};
use crate::workload::Log;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The results of repeats.
pub(super) struct RepeatsEnded {
    /// The values of the repeats that succeeded.
    pub(super) repeated: Repeated,
    /// The runs of which a repeat failed by a mistake of Packfair's own; each was reported.
    pub(super) failed: BTreeSet<String>,
}

/// Repeats all runs of `study` on several threads, and returns the values of those `columns` that can be repeated;
/// `None` if no repeats are asked for.
///
/// # Errors
/// The log is too short to be repeated, or the watch has stopped the repeats.
pub(super) fn repeat_all(
    study: &Study,
    log: &Log,
    columns: &[Metric],
    threads: usize,
    watch: &dyn Watch,
) -> Result<Option<RepeatsEnded>, Failure> {
    let Some(repeats) = study.repeats else { return Ok(None) };
    let (unshrunk, runs) = (Unshrunk::of(study, log).map_err(Failure::input)?, study.repeated_runs());
    let repeated = Repeated::new(repeats, repeatable(columns), &runs);
    let repeated = Mutex::new(RepeatsEnded { repeated, failed: BTreeSet::new() });
    let (next, failed) = (AtomicU32::new(0), Mutex::new(None));
    let progress = Progress::of("repeats", repeats.count as usize, watch);
    let work = || {
        loop {
            let repeat = next.fetch_add(1, Ordering::Relaxed);
            if repeat >= repeats.count {
                return;
            }
            if let Err(failure) = one(study, &repeats, &unshrunk, repeat, &repeated, watch) {
                // no further repeat is started; no thread panics while holding the lock
                next.store(repeats.count, Ordering::Relaxed);
                *failed.lock().unwrap() = Some(failure);
            }
            progress.finish(1.0);
        }
    };
    std::thread::scope(|scope| {
        (0..threads.min(repeats.count as usize)).for_each(|_| drop(scope.spawn(work)));
    });
    // no thread panics while holding the lock
    match failed.into_inner().unwrap() {
        Some(failure) => Err(failure),
        None => Ok(Some(repeated.into_inner().unwrap())),
    }
}

/// Makes all runs of one repeat.
fn one(
    study: &Study,
    repeats: &Repeats,
    unshrunk: &Unshrunk,
    repeat: u32,
    ended: &Mutex<RepeatsEnded>,
    watch: &dyn Watch,
) -> Result<(), Failure> {
    for (what_if, unshrunk) in unshrunk.machines() {
        let runs: Vec<Run> = study.repeated_runs().into_iter().filter(|run| run.what_if.as_ref() == what_if).collect();
        let workloads =
            RepeatedWorkloads::of(&RepeatedLoads::of(study), repeats, unshrunk, repeat).map_err(Failure::input)?;
        on_machine(study, &runs, &workloads, repeat, ended, watch)?;
    }
    Ok(())
}

/// Makes these runs of one repeat, all on the machine of the workloads.
fn on_machine(
    study: &Study,
    runs: &[Run],
    workloads: &RepeatedWorkloads,
    repeat: u32,
    ended: &Mutex<RepeatsEnded>,
    watch: &dyn Watch,
) -> Result<(), Failure> {
    // no thread panics while holding the lock
    let metrics = ended.lock().unwrap().repeated.metrics.clone();
    for run in runs {
        let workload = workloads.of_run(run);
        let values = guarded(|| {
            let run = Repeats::drawn(run, repeat);
            let mut running = Running::begin(&run, workload, study.rules())?;
            advance(&mut running, |_| !watch.is_stopped())?;
            let Ended { workload, schedule } = running.ended()?;
            Ok::<_, CannotRun>(measured(&workload, &schedule, &study.measure, &metrics))
        });
        // no thread panics while holding the lock
        let mut ended = ended.lock().unwrap();
        match values {
            Ok(values) => ended.repeated.set(run, repeat, values?),
            Err(mistake) => {
                if ended.failed.insert(run.id()) {
                    say(&format!("packfair: {}, repeat {}, failed: {mistake}", run.short_id(), repeat + 1));
                }
            }
        }
    }
    Ok(())
}
