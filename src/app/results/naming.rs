//! What runs are called in the table and in sentences.

use crate::estimator::Estimate;
use crate::study::Run;
use crate::study::format::factor;

/// "SAF-JustBF, requested", with k where it is not 1.
pub fn name(run: &Run) -> String {
    if run.scheduler.is_as_logged() {
        return run.scheduler.name();
    }
    format!("{}, {}", run.scheduler.name(), estimate(run.estimate))
}

/// "requested", "actual × 1.5".
pub fn estimate(estimate: Estimate) -> String {
    let method = estimate.method.entry().id;
    if estimate.k == 1.0 { method.to_owned() } else { format!("{method} × {}", factor(estimate.k)) }
}

/// One line of help on a scheduler: its preset's, or its family's.
pub fn scheduler_help(run: &Run) -> &'static str {
    run.scheduler.preset().map_or(run.scheduler.family().entry.help, |preset| preset.help)
}
