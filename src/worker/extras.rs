//! Puts schedules, estimates and the files of a site beside a log that has been read.

use super::room::LIMITS;
use crate::run_queue::{Encoded, GivenFile, GivenOutcome, LogExtras, TakenFile, TakenSite};
use packfair_schedulers::Policy;
use packfair_slurm::{SiteFile, Version, read_site, settings};
use packfair_study::Treatment;
use packfair_study::what_if::{self, QUESTIONS, WorkloadSpan, changed_in_words, without_one_limit};
use packfair_workload::{ExternalKind, Log, PairingCounts, read_external};
use std::sync::Arc;

/// The single limits of which is asked what each costs; all of them together are a question of their own.
const MOST_LIMITS: usize = 8;

/// Decodes what the user said about a log and the files given beside it.
#[inline(never)]
pub(super) fn opened(encoded: &Encoded<LogExtras>) -> LogExtras {
    encoded.decode().unwrap_or_default()
}

#[inline(never)]
pub(super) fn apply(log: &mut Log, files: &[GivenFile]) -> Encoded<Vec<GivenOutcome>> {
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
        parts: what_if::described(&site),
        findings: findings.into_iter().map(ToString::to_string).collect(),
        settings: settings(&site),
        questions: Vec::new(),
    };
    log.site = Some(Arc::new(site));
    let Ok(workload) = treatment.apply(log) else { return Some(told) };
    if let (Some(jobs), Ok(base)) = (workload.site(), "slurm".parse::<Policy>()) {
        told.findings.extend(jobs.missing().iter().map(|missing| format!("the log: {missing}")));
        let span = WorkloadSpan::of(&workload);
        let asked = QUESTIONS.iter().filter_map(|question| question.to_policy(&base, &jobs.site, span));
        let limits = without_one_limit(&base, &jobs.site, MOST_LIMITS);
        let row = |policy: Policy| Some((changed_in_words(&policy, &jobs.site)?, policy.to_string()));
        told.questions = limits.into_iter().chain(asked).filter_map(row).collect();
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
