//! The names of runs in the table and in sentences.

use packfair_engine::estimator::Method;
use packfair_study::Run;
pub use packfair_study::format::estimate;
use packfair_study::format::factor;

/// The name of a run, such as "SAF-JustBF, requested", with k if it is not 1 and the shrinking factor if it is not the
/// study's.
pub fn name(run: &Run) -> String {
    if run.scheduler.is_given() {
        return run.scheduler_name();
    }
    let shrink = run.shrink.map(|shrink| format!(", f = {}", factor(shrink))).unwrap_or_default();
    format!("{}, {}{shrink}", run.scheduler_name(), estimate(&run.estimate))
}

/// The conditions of a run, such as "requested", "actual × 1.5, f = 0.5". A given schedule has no estimates. The
/// shrinking factor is included if several are swept; `of_study` is then the study's own factor.
pub fn conditions(run: &Run, of_study: Option<f64>) -> String {
    let estimate = (!run.scheduler.is_given()).then(|| estimate(&run.estimate));
    let shrink = of_study.map(|of_study| format!("f = {}", factor(run.shrink.unwrap_or(of_study))));
    estimate.into_iter().chain(shrink).collect::<Vec<_>>().join(", ")
}

/// The name of a method within a sentence, such as "requested time" or "Last2".
pub fn method(method: &Method) -> String {
    if method.family().learns { method.name() } else { method.name().to_ascii_lowercase() }
}

/// One line of help on a scheduler: that of its preset or of its family.
pub fn scheduler_help(run: &Run) -> &'static str {
    run.scheduler.preset().map_or(run.scheduler.family().entry.help, |preset| preset.help)
}
