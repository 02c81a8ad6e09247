//! Values that clap cannot read by itself; each error says what can be read.

use crate::catalogue::UnknownId;
use crate::estimator::Estimate;
use crate::scheduler::Policy;
use crate::study::printed;
use crate::study::recipe::Recipe;
use crate::study::verdict::Concern;
use crate::study::{Baseline, Run};

/// Reads what a person cares for.
pub(super) fn concern(id: &str) -> Result<Concern, String> {
    Concern::from_id(id)
}

/// Reads a recipe's id.
pub(super) fn recipe(id: &str) -> Result<&'static Recipe, String> {
    id.parse().map_err(|error: UnknownId| error.to_string())
}

/// Reads a log's name as the papers have it.
pub(super) fn paper_log(name: &str) -> Result<&'static str, String> {
    printed::paper_log(name).map_err(|error| error.to_string())
}

/// Reads the run with which a search compares: a scheduler, with requested times where it names no estimates.
pub(super) fn explored_baseline(text: &str) -> Result<Run, String> {
    let (scheduler, estimate) = text.split_once("__").unwrap_or((text, "requested"));
    let scheduler: Policy = scheduler.parse().map_err(|error: UnknownId| error.to_string())?;
    let estimate: Estimate = estimate.parse().map_err(|error| format!("{error}"))?;
    Ok(Run::new(scheduler, estimate))
}

/// Reads what values are compared with.
pub(super) fn baseline(text: &str) -> Result<Baseline, String> {
    if text == "none" {
        return Ok(Baseline::None);
    }
    if let Some((scheduler, estimate)) = text.split_once("__") {
        let scheduler: Policy = scheduler.parse().map_err(|e| format!("{e}"))?;
        let estimate: Estimate = estimate.parse().map_err(|e| format!("{e}"))?;
        return Ok(Baseline::Run(Run::new(scheduler, estimate)));
    }
    match (text.parse::<Policy>(), text.parse::<Estimate>()) {
        (Ok(scheduler), _) => Ok(Baseline::Scheduler(scheduler)),
        (_, Ok(estimate)) => Ok(Baseline::Estimate(estimate)),
        (Err(error), _) => Err(error.to_string()),
    }
}
