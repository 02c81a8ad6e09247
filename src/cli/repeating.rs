//! The repeats of a study, on all processors.

use super::Failure;
use super::progress::Progress;
use crate::metric::Metric;
use crate::study::sureness::{Repeated, RepeatedWorkloads, Repeats, measured, repeatable};
use crate::study::{Ended, Running, Study, Treatment};
use crate::workload::{Log, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The study's workload before it is shrunk, of which repeats are made.
pub(super) fn unshrunk(study: &Study, log: &Log) -> Result<Workload, Failure> {
    Treatment { shrink: 1.0, ..study.treatment.clone() }.apply(log).map_err(Failure::input)
}

/// Repeats all runs of `study`, on so many threads: the values of those of `columns` that repeats can have. None where no
/// repeats are asked for.
///
/// # Errors
/// Where the log is too short for them.
pub(super) fn repeat_all(
    study: &Study,
    log: &Log,
    columns: &[Metric],
    threads: usize,
) -> Result<Option<Repeated>, Failure> {
    let Some(repeats) = study.repeats else { return Ok(None) };
    let (unshrunk, runs) = (unshrunk(study, log)?, study.repeated_runs());
    let repeated = Mutex::new(Repeated::new(repeats, repeatable(columns), &runs));
    let (next, failed) = (AtomicU32::new(0), Mutex::new(None));
    let progress = Progress::of("repeats", repeats.count as usize);
    let work = || {
        loop {
            let repeat = next.fetch_add(1, Ordering::Relaxed);
            if repeat >= repeats.count {
                return;
            }
            if let Err(failure) = one(study, &repeats, &unshrunk, repeat, &repeated) {
                // no further repeat is begun; nobody panics while holding it
                next.store(repeats.count, Ordering::Relaxed);
                *failed.lock().unwrap() = Some(failure);
            }
            progress.advance(1.0 / f64::from(repeats.count));
        }
    };
    std::thread::scope(|scope| {
        (0..threads.min(repeats.count as usize)).for_each(|_| drop(scope.spawn(work)));
    });
    // as above
    match failed.into_inner().unwrap() {
        Some(failure) => Err(failure),
        None => Ok(Some(repeated.into_inner().unwrap())),
    }
}

/// All runs of one repeat.
fn one(
    study: &Study,
    repeats: &Repeats,
    unshrunk: &Workload,
    repeat: u32,
    repeated: &Mutex<Repeated>,
) -> Result<(), Failure> {
    let workloads = RepeatedWorkloads::of(&study.all_shrinks(), repeats, unshrunk, repeat).map_err(Failure::input)?;
    // nobody panics while holding it
    let metrics = repeated.lock().unwrap().metrics.clone();
    for run in study.repeated_runs() {
        let workload = workloads.of_run(&run);
        let Ended { workload, schedule } = Running::begin(&run, workload, study.rules())?.ended();
        let values = measured(&workload, &schedule, &study.measure, &metrics);
        // as above
        repeated.lock().unwrap().set(&run, repeat, values);
    }
    Ok(())
}
