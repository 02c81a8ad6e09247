//! What runs are called in the table and in sentences.

use crate::estimator::Method;
use crate::study::Run;
pub use crate::study::format::estimate;
use crate::study::format::factor;

/// "SAF-JustBF, requested", with k where it is not 1, and a further shrinking factor.
pub fn name(run: &Run) -> String {
    if run.scheduler.is_given() {
        return run.scheduler_name();
    }
    let shrink = run.shrink.map(|shrink| format!(", f = {}", factor(shrink))).unwrap_or_default();
    format!("{}, {}{shrink}", run.scheduler_name(), estimate(&run.estimate))
}

/// A method within a sentence: "requested time", "Last2".
pub fn method(method: &Method) -> String {
    if method.family().learns { method.name() } else { method.name().to_ascii_lowercase() }
}

/// One line of help on a scheduler: its preset's, or its family's.
pub fn scheduler_help(run: &Run) -> &'static str {
    run.scheduler.preset().map_or(run.scheduler.family().entry.help, |preset| preset.help)
}
