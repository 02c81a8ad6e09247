//! Runs on all processors, their results in order.

use crate::simulation::Schedule;
use crate::study::{NoLoggedStarts, Run, RunReport, Running, Study};
use crate::workload::Workload;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A run that has ended.
pub(super) struct Finished {
    /// What came out.
    pub(super) report: RunReport,
    /// How long the simulation took.
    pub(super) simulated: Duration,
    /// How long measuring took.
    pub(super) measured: Duration,
}

/// Runs all of `study` on `workload`, `threads` at a time, and shows each schedule to `keep`, on the
/// thread where it was made. Gives the results in the order of [`Study::runs`].
///
/// # Errors
/// The first of `keep`'s, or that the log does not tell the schedule that is asked for; no further
/// run is begun then.
pub(super) fn run_all<E: Send + From<NoLoggedStarts>>(
    study: &Study,
    workload: &Workload,
    threads: usize,
    keep: impl Fn(&Run, &Schedule) -> Result<(), E> + Sync,
) -> Result<Vec<Finished>, E> {
    let runs = study.runs();
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<Finished, E>>>> = runs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(runs.len()) {
            scope.spawn(|| {
                // each takes the next run that nobody has begun
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(i) else { return };
                    let result = simulate(run, study, workload)
                        .map_err(E::from)
                        .and_then(|(finished, schedule)| keep(run, &schedule).map(|()| finished));
                    if result.is_err() {
                        next.store(runs.len(), Ordering::Relaxed);
                    }
                    // no other thread ever takes this place, so none can have panicked while holding it
                    *results[i].lock().unwrap() = Some(result);
                }
            });
        }
    });
    // as above
    results.into_iter().filter_map(|result| result.into_inner().unwrap()).collect()
}

fn simulate(run: &Run, study: &Study, workload: &Workload) -> Result<(Finished, Schedule), NoLoggedStarts> {
    let begin = Instant::now();
    let mut running = Running::begin(run, workload, study.rules())?;
    running.advance(usize::MAX);
    let simulated = begin.elapsed();
    let begin = Instant::now();
    let result = running.finish(&study.measure, simulated.as_secs_f64());
    Ok((Finished { report: result.report, simulated, measured: begin.elapsed() }, result.schedule))
}
