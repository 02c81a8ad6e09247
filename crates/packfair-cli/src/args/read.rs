//! Parses values that clap cannot parse by itself. Each error says what can be given.

use packfair_base::catalogue::{Script, UnknownId};
use packfair_base::encoding::as_utf8;
use packfair_engine::estimator::Estimate;
use packfair_papers::printed;
use packfair_papers::recipe::Recipe;
use packfair_schedulers::Policy;
use packfair_study::verdict::Concern;
use packfair_study::{Baseline, Run};
use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Parses a concern.
pub(super) fn concern(id: &str) -> Result<Concern, String> {
    Concern::from_id(id)
}

/// Parses the id of a recipe.
pub(super) fn recipe(id: &str) -> Result<&'static Recipe, String> {
    id.parse().map_err(|error: UnknownId| error.to_string())
}

/// Parses the name that the papers give to a log.
pub(super) fn paper_log(name: &str) -> Result<&'static str, String> {
    printed::paper_log(name).map_err(|error| error.to_string())
}

/// Parses a scheduler: an id, or a script from its file.
pub(super) fn scheduler(text: &str) -> Result<Policy, String> {
    let policy = match text.strip_prefix("script:") {
        Some(path) if !is_settings(path) => return script(Path::new(path)),
        _ => text.parse(),
    };
    policy.map_err(|error: UnknownId| error.to_string())
}

/// Whether the text after `script:` consists of settings, as in the id of a run, and is not a path.
fn is_settings(text: &str) -> bool {
    text.starts_with("code=") || text.starts_with("limit=")
}

/// Reads a script from a file.
fn script(path: &Path) -> Result<Policy, String> {
    let told = |error: &dyn Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| told(&error))?;
    let mut content = Vec::new();
    file.take(Script::LONGEST as u64 + 1).read_to_end(&mut content).map_err(|error| told(&error))?;
    let text = String::from_utf8(as_utf8(&content).into_owned()).map_err(|error| told(&error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let script = Script::new(&name, &text).map_err(|error| told(&error))?;
    Ok(Policy::of_script(script))
}

/// Parses the run that is a search's baseline: a scheduler, with requested times if no estimates are given.
pub(super) fn explored_baseline(text: &str) -> Result<Run, String> {
    let (scheduler, estimate) = text.split_once("__").unwrap_or((text, "requested"));
    let scheduler: Policy = scheduler.parse().map_err(|error: UnknownId| error.to_string())?;
    let estimate: Estimate = estimate.parse().map_err(|error| format!("{error}"))?;
    Ok(Run::new(scheduler, estimate))
}

/// Parses a baseline.
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
