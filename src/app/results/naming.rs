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

/// With what a run ran: "requested", "actual × 1.5, f = 0.5"; nothing of a schedule that is given, for it takes no
/// estimates. The shrinking factor is told where several are swept, beside that of the study.
pub fn conditions(run: &Run, of_study: Option<f64>) -> String {
    let estimate = (!run.scheduler.is_given()).then(|| estimate(&run.estimate));
    let shrink = of_study.map(|of_study| format!("f = {}", factor(run.shrink.unwrap_or(of_study))));
    estimate.into_iter().chain(shrink).collect::<Vec<_>>().join(", ")
}

/// A method within a sentence: "requested time", "Last2".
pub fn method(method: &Method) -> String {
    if method.family().learns { method.name() } else { method.name().to_ascii_lowercase() }
}

/// One line of help on a scheduler: its preset's, or its family's.
pub fn scheduler_help(run: &Run) -> &'static str {
    run.scheduler.preset().map_or(run.scheduler.family().entry.help, |preset| preset.help)
}
