//! Values that clap cannot read by itself; each error says what can be read.

use crate::catalogue::UnknownId;
use crate::estimator::Estimate;
use crate::scheduler::Policy;
use crate::study::conclusion::Concern;
use crate::study::recipe::Recipe;
use crate::study::{Baseline, Run};

/// Reads what a person cares for.
pub(super) fn concern(id: &str) -> Result<Concern, String> {
    let found = Concern::ALL.into_iter().find(|concern| concern.id() == id);
    found.ok_or_else(|| format!("there are {}", Concern::ALL.map(Concern::id).join(", ")))
}

/// Reads a recipe's id.
pub(super) fn recipe(id: &str) -> Result<&'static Recipe, String> {
    id.parse().map_err(|error: UnknownId| error.to_string())
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
