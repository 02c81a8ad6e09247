//! Puts schedules, estimates and the files of a site beside a log that has been read.

use super::room::LIMITS;
use crate::run_queue::{Encoded, GivenFile, GivenOutcome, LogExtras, TakenFile, TakenSite};
use crate::scheduler::Policy;
use crate::slurm::{SiteFile, Version, read_site, settings};
use crate::study::Treatment;
use crate::study::what_if::{self, QUESTIONS, Question, WorkloadSpan};
use crate::workload::{ExternalKind, Log, PairingCounts, read_external};
use std::sync::Arc;

/// Decodes what the user said about a log and the files given beside it.
#[inline(never)]
pub(super) fn opened(encoded: &Encoded<LogExtras>) -> LogExtras {
    encoded.decode().unwrap_or_default()
}

#[inline(never)]
pub(super) fn taken(log: &mut Log, files: &[GivenFile]) -> Encoded<Vec<GivenOutcome>> {
    let site = site(log, files);
    let mut left = files.iter().filter(|file| file.kind == ExternalKind::Site).count();
    let mut outcome = |file: &GivenFile| match file.kind {
        ExternalKind::Site => {
            left -= 1;
            let of_site = SiteFile { name: &file.name, content: &file.content };
            let agreement =
                PairingCounts { given: log.records.len(), common: log.records.len(), jobs: log.records.len(), cut: 0 };
            let site = site.clone().filter(|_| left == 0);
            Ok(TakenFile { file: of_site.named(), kind: file.kind, agreement, site })
        }
        _ => take(log, file),
    };
    let outcomes: Vec<GivenOutcome> = files.iter().map(&mut outcome).collect();
    Encoded::of(&outcomes)
}

/// Puts the site that the files describe beside the log, if there are such files. Returns what to tell about the site.
fn site(log: &mut Log, files: &[GivenFile]) -> Option<TakenSite> {
    let of_site = files.iter().filter(|file| file.kind == ExternalKind::Site);
    let of_site: Vec<SiteFile<'_>> =
        of_site.map(|file| SiteFile { name: &file.name, content: &file.content }).collect();
    if of_site.is_empty() {
        return None;
    }
    let site = read_site(&of_site, Version::default());
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    let mut findings: Vec<_> = site.findings.iter().collect();
    findings.sort_by_key(|finding| finding.kind);
    let mut told = TakenSite {
        parts: what_if::told(&site),
        findings: findings.into_iter().map(ToString::to_string).collect(),
        settings: settings(&site),
        questions: Vec::new(),
    };
    log.site = Some(Arc::new(site));
    let Ok(workload) = treatment.apply(log) else { return Some(told) };
    if let (Some(jobs), Ok(base)) = (workload.site(), "slurm".parse::<Policy>()) {
        told.findings.extend(jobs.missing().iter().map(|missing| format!("the log: {missing}")));
        let span = WorkloadSpan::of(&workload);
        let row = |question: &Question| {
            Some((question.name.to_owned(), question.asked(&base, &jobs.site, span)?.to_string()))
        };
        told.questions = QUESTIONS.iter().filter_map(row).collect();
    }
    Some(told)
}

fn take(log: &mut Log, given: &GivenFile) -> GivenOutcome {
    let GivenFile { name, kind, content } = given;
    let external = read_external(name, *kind, content, LIMITS).map_err(|error| error.to_string())?.called(name);
    let agreement = external.agreement(log).map_err(|fault| fault.to_string())?;
    let taken = TakenFile { file: external.file, kind: *kind, agreement, site: None };
    log.external.push(external);
    Ok(taken)
}
