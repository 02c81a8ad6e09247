//! A search for settings in memory.

use super::{Heard, Refusal, Watch, heard, words};
use crate::args::Command;
use crate::{Failure, explore};
use packfair_study::explore::{Findings, csv, json, table};
use packfair_workload::Log;

/// Searches for settings; the options are those of `packfair explore`.
///
/// # Errors
/// An option is wrong, the log is too short, or the watch has stopped the search.
pub fn explore(log: Log, options: &[String], watch: &dyn Watch) -> Result<Heard<Findings>, Refusal> {
    let Command::Explore(arguments) = words::of_command("explore", options)? else { return Err(Refusal::not_here()) };
    heard(|| {
        let findings = explore::of_log(&arguments, log, watch)?;
        if watch.is_stopped() { Err(Failure::Stopped) } else { Ok(findings) }
    })
}

/// What was found, for people.
pub fn in_words(findings: &Findings) -> String {
    table(findings)
}

/// What was found as JSON.
pub fn as_json(findings: &Findings) -> String {
    json(findings)
}

/// What was found as CSV.
pub fn as_csv(findings: &Findings) -> String {
    csv(findings)
}
