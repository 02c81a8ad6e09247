//! `packfair lint`: checks the files of a Slurm site.

use super::args::{LintArguments, site};
use super::{Failure, load, print};
use packfair_slurm::{FindingKind, Site, without_effect};
use packfair_study::Treatment;
use packfair_workload::reading::Limits;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Reads the files of a site. Prints what was read, and every line that is wrong, ignored, not understood or not
/// modelled.
pub(super) fn lint(arguments: &LintArguments) -> Result<(), Failure> {
    let site = site(&arguments.files)?;
    let mut text = String::new();
    let mut findings: Vec<_> = site.findings.iter().collect();
    // the worst kind first; within a kind in the order of files and lines
    findings.sort_by_key(|finding| finding.kind);
    // writing into a string cannot fail
    findings.iter().for_each(|finding| writeln!(text, "{finding}").unwrap());
    let users = site.accounts.all.iter().filter(|association| !association.user.is_empty()).count();
    let mut counts = vec![
        format!("{} nodes of {} processors", site.nodes.len(), site.cpus()),
        format!("{} partitions", site.partitions.len()),
    ];
    if !site.accounts.all.is_empty() {
        counts.push(format!("{} accounts, {users} users in them", site.accounts.all.len() - users));
    }
    let more =
        [(site.qos.len(), "QOS"), (site.reservations.len(), "reservations"), (site.events.len(), "outages of nodes")];
    counts.extend(more.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    writeln!(text, "read: {}", counts.join(", ")).unwrap();
    let changed = site.parameters.text();
    if !changed.is_empty() {
        writeln!(text, "SchedulerParameters that are not at their defaults: {changed}").unwrap();
    }
    let without = without_effect(&site);
    if !without.is_empty() {
        writeln!(text, "without effect on waits: {}", without.join(", ")).unwrap();
    }
    if let Some(log) = &arguments.log {
        of_log(&site, log)?.iter().for_each(|missing| writeln!(text, "{}: {missing}", log.display()).unwrap());
    }
    print(&text)?;
    let wrong = findings.iter().filter(|finding| finding.kind == FindingKind::Wrong).count();
    if wrong > 0 { Err(Failure::Lint { wrong }) } else { Ok(()) }
}

/// What the jobs of a log ask for that the files of their site do not have or allow, in sentences.
fn of_log(site: &Site, path: &Path) -> Result<Vec<String>, Failure> {
    let mut log = load::log(path, Limits::default())?;
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site.clone()));
    let workload = treatment.apply(&log).map_err(Failure::input)?;
    Ok(workload.site().map(|jobs| jobs.missing().to_vec()).unwrap_or_default())
}
