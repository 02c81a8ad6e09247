//! Makes the repeats of a study on all processors.

use super::pool::{advance, guarded};
use super::results::ProgressLine;
use super::watch::Watch;
use super::{Failure, say};
use packfair_engine::metric::Metric;
use packfair_study::sureness::{Repeated, RepeatedLoads, RepeatedWorkloads, Repeats, Unshrunk, measured, repeatable};
use packfair_study::{CannotRun, Ended, Run, Running, Study};
use packfair_workload::Log;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) struct RepeatsEnded {
    pub(super) repeated: Repeated,
    /// The runs of which a repeat failed by a mistake of Packfair's own; each was reported.
    pub(super) failed: BTreeSet<String>,
}

/// Repeats all runs of `study` on several threads, as often as these repeats are, from 0; returns the values of those `columns` that can be repeated;
/// `None` if no repeats are asked for.
///
/// # Errors
/// The log is too short to be repeated, or the watch has stopped the repeats.
pub(super) fn repeat_all(
    study: &Study,
    log: &Log,
    columns: &[Metric],
    which: &[u32],
    threads: usize,
    watch: &dyn Watch,
) -> Result<Option<RepeatsEnded>, Failure> {
    let Some(repeats) = study.repeats else { return Ok(None) };
    let repeated = Repeated::new(repeats, repeatable(columns), &study.repeated_runs());
    let repeated = Mutex::new(RepeatsEnded { repeated, failed: BTreeSet::new() });
    let unshrunk = Unshrunk::of(study, log).map_err(Failure::input)?;
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let progress = ProgressLine::of("repeats", which.len(), watch);
    let work = || {
        while let Some(&repeat) = which.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(failure) = one(study, &repeats, &unshrunk, repeat, &repeated, watch) {
                // no further repeat is started; no thread panics while holding the lock
                next.store(which.len(), Ordering::Relaxed);
                *failed.lock().unwrap() = Some(failure);
            }
            progress.finish(1.0);
        }
    };
    std::thread::scope(|scope| {
        (0..threads.min(which.len())).for_each(|_| drop(scope.spawn(work)));
    });
    // no thread panics while holding the lock
    match failed.into_inner().unwrap() {
        Some(failure) => Err(failure),
        None => Ok(Some(repeated.into_inner().unwrap())),
    }
}

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
