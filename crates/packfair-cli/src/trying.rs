//! Tries remedies for a model that explains little of the log, on all processors.

use packfair_study::settings::LogFacts;
use packfair_study::verdict::{Fit, Offer, Trials, Tried};
use packfair_study::{RunReport, Study, models, pace};
use packfair_workload::{Log, Summary, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The remedy that explains more of the logged starts than the runs of `study` do, if these explain few. `None` if no
/// remedy does, or if the trials would take too long to be made unasked.
pub(super) fn better_fit(
    study: &Study,
    log: &Log,
    workload: &Workload,
    reports: &[RunReport],
    threads: usize,
) -> Option<Offer> {
    let fit = Fit::of(models(study, reports))?;
    let summary = Summary::of(workload);
    let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
    let overfull = reports.iter().find_map(|report| report.overfull.as_ref());
    let trials = Trials::of(study, &facts, &fit, overfull)?;
    if trials.seconds(pace::again(fit.report)) > pace::AT_ONCE * threads as f64 {
        return None;
    }
    let next = AtomicUsize::new(0);
    let tried: Vec<Mutex<Option<Tried>>> = trials.trials.iter().map(|_| Mutex::default()).collect();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = trials.trials.get(place) else { return };
            let came = trial.try_on(log, study.rules(), &study.measure);
            // only this thread locks this element
            *tried[place].lock().unwrap() = came;
        }
    };
    std::thread::scope(|scope| (0..threads.min(trials.trials.len())).for_each(|_| drop(scope.spawn(work))));
    // no thread panics while holding the lock
    let tried: Vec<Option<Tried>> = tried.into_iter().map(|place| place.into_inner().unwrap()).collect();
    trials.offer(&tried)
}
