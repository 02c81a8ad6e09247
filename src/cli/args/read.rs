//! Values that clap cannot read by itself; each error says what can be read.

use crate::catalogue::UnknownId;
use crate::estimator::Estimate;
use crate::model::{Reestimation, RoundTrigger};
use crate::scheduler::Policy;
use crate::simulation::Correction;
use crate::study::conclusion::Concern;
use crate::study::recipe::Recipe;
use crate::study::{Baseline, Run};

/// Reads a number within a range.
pub(super) fn real(range: std::ops::RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let value = text.parse::<f64>().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| format!("it takes a number from {} to {}", range.start(), range.end()))
    }
}

/// Reads a rule for estimates that run out.
pub(super) fn correction(id: &str) -> Result<Correction, String> {
    let found = Correction::ALL.into_iter().find(|rule| rule.id() == id);
    found.ok_or_else(|| format!("there are {}", Correction::ALL.map(Correction::id).join(", ")))
}

/// Reads when waiting jobs are estimated.
pub(super) fn reestimation(id: &str) -> Result<Reestimation, String> {
    let found = Reestimation::ALL.into_iter().find(|when| when.id() == id);
    found.ok_or_else(|| format!("there are {}", Reestimation::ALL.map(Reestimation::id).join(", ")))
}

/// Reads which submissions trigger a round.
pub(super) fn trigger(id: &str) -> Result<RoundTrigger, String> {
    let found = RoundTrigger::ALL.into_iter().find(|which| which.id() == id);
    found.ok_or_else(|| format!("there are {}", RoundTrigger::ALL.map(RoundTrigger::id).join(", ")))
}

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
