//! Parses values that clap cannot parse by itself. Each error says what can be given.

use crate::{Failure, load, say};
use clap::Args;
use packfair_base::catalogue::{Script, UnknownId};
use packfair_base::encoding::as_utf8;
use packfair_engine::estimator::Estimate;
use packfair_papers::printed;
use packfair_papers::recipe::Recipe;
use packfair_schedulers::Policy;
use packfair_study::verdict::Concern;
use packfair_study::{Baseline, NeededFile, Run};
use packfair_workload::reading::Limits;
use packfair_workload::{ExternalKind, Log, read_external};
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

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

// Files of starts and estimates beside a log.

/// Files of starts and estimates of the log's jobs.
#[derive(Debug, Default, Args)]
pub(crate) struct ExternalArguments {
    /// Compare a schedule of the log's jobs that comes from elsewhere, as a row of its own. FILE is a table with the
    /// columns job and start (as --starts writes it; a start is in seconds of the log, in seconds since 1970, or a
    /// date), Batsim's jobs.csv, or a log with waits. In the schedule every job must start, none before its submission,
    /// and all must fit on the processors of the machine. NAME names the row [usually the name of FILE]
    #[arg(long, value_name = "FILE[=NAME]")]
    schedule: Vec<NamedPath>,
    /// Add estimates of the log's jobs that come from elsewhere, as an estimator of its own. FILE is a table with the
    /// columns job and estimate, in seconds. A job that it does not have gets its requested time. NAME names the
    /// estimator [usually the name of FILE]
    #[arg(long, value_name = "FILE[=NAME]")]
    estimates: Vec<NamedPath>,
}

/// A file and the name to give it; with `None`, its own name.
#[derive(Clone, Debug)]
struct NamedPath {
    path: PathBuf,
    name: Option<String>,
}

impl FromStr for NamedPath {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let named = text.rsplit_once('=').filter(|(path, name)| {
            // file names may contain =
            !name.is_empty() && !name.contains('/') && !Path::new(text).exists() && !path.is_empty()
        });
        Ok(match named {
            Some((path, name)) => NamedPath { path: path.into(), name: Some(name.to_owned()) },
            None => NamedPath { path: text.into(), name: None },
        })
    }
}

impl ExternalArguments {
    /// Whether any are given.
    pub(crate) fn is_given(&self) -> bool {
        !self.schedule.is_empty() || !self.estimates.is_empty()
    }

    /// Reads the files and puts them beside their log. Returns how a study refers to them, in order.
    ///
    /// # Errors
    /// One cannot be read, does not have the content that it should have, or is about another log.
    pub(crate) fn read(&self, log: &mut Log, limits: Limits) -> Result<Vec<NeededFile>, Failure> {
        let schedules = self.schedule.iter().map(|file| (file, ExternalKind::Schedule));
        let estimates = self.estimates.iter().map(|file| (file, ExternalKind::Estimates));
        let mut read = Vec::new();
        for (NamedPath { path, name }, kind) in schedules.chain(estimates) {
            let content = load::bytes(path, limits.text)?;
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let mut external = read_external(&file, kind, &content, limits).map_err(Failure::input)?;
            if let Some(name) = name {
                external = external.called(name);
            }
            for remark in external.agreement(log).map_err(Failure::input)?.remarks() {
                say(&format!("packfair: {}: {remark}", external.file.name()));
            }
            read.push(NeededFile { file: external.file, kind });
            log.external.push(external);
        }
        Ok(read)
    }
}
