//! `packfair lint`: checks the files of a Slurm site.

use super::args::{LintArguments, site};
use super::{Failure, print};
use packfair_slurm::FindingKind;
use std::fmt::Write;

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
    print(&text)?;
    let wrong = findings.iter().filter(|finding| finding.kind == FindingKind::Wrong).count();
    if wrong > 0 { Err(Failure::Lint { wrong }) } else { Ok(()) }
}
