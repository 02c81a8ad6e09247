//! Values that clap cannot read by itself; each error says what can be read.

use crate::catalogue::{Script, UnknownId};
use crate::estimator::Estimate;
use crate::scheduler::Policy;
use crate::study::printed;
use crate::study::recipe::Recipe;
use crate::study::verdict::Concern;
use crate::study::{Baseline, Run};
use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

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

/// Reads a scheduler: by its id, or a script from its file.
pub(super) fn scheduler(text: &str) -> Result<Policy, String> {
    let policy = match text.strip_prefix("script:") {
        Some(path) if !is_settings(path) => return script(Path::new(path)),
        _ => text.parse(),
    };
    policy.map_err(|error: UnknownId| error.to_string())
}

/// Whether what stands behind `script:` are settings, as in the id of a run, and no path.
fn is_settings(text: &str) -> bool {
    text.starts_with("code=") || text.starts_with("limit=")
}

/// Reads a script.
fn script(path: &Path) -> Result<Policy, String> {
    let told = |error: &dyn Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| told(&error))?;
    let mut text = String::new();
    file.take(Script::LONGEST as u64 + 1).read_to_string(&mut text).map_err(|error| told(&error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let script = Script::new(&name, &text).map_err(|error| told(&error))?;
    Ok(Policy::of_script(script))
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
        let scheduler = self::scheduler(scheduler)?;
        let estimate: Estimate = estimate.parse().map_err(|e| format!("{e}"))?;
        return Ok(Baseline::Run(Run::new(scheduler, estimate)));
    }
    match (scheduler(text), text.parse::<Estimate>()) {
        (Ok(scheduler), _) => Ok(Baseline::Scheduler(scheduler)),
        (_, Ok(estimate)) => Ok(Baseline::Estimate(estimate)),
        (Err(error), _) => Err(error),
    }
}
