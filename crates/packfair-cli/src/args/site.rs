//! Files of a Slurm site.

use crate::{Failure, load, say};
use clap::Args;
use packfair_schedulers::Policy;
use packfair_slurm::{Finding, Site, SiteFile, Version, read_site};
use packfair_study::Study;
use packfair_study::limits::LARGEST_DESCRIPTION;
use packfair_study::what_if::{QUESTIONS, Question, WorkloadSpan};
use packfair_workload::Log;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// Files of the site that a log is of.
#[derive(Debug, Default, Args)]
pub(crate) struct SiteArguments {
    /// Files of the Slurm site that the log is from, for the scheduler slurm, in any order: slurm.conf, or the output
    /// of scontrol show config, show partition and show node; topology.conf; that of sacctmgr -P show assoc, show qos
    /// and show event, a script or dump of sacctmgr, that of scontrol show reservations; of nodes, partitions, reservations,
    /// assoc and qos also that with --json. Lines that are not understood are reported
    #[arg(long, value_name = "FILE", num_args = 1..)]
    slurm: Vec<PathBuf>,
}

/// Questions about it.
#[derive(Debug, Default, Args)]
pub(crate) struct QuestionArguments {
    /// Ask what a change of the site would do, by the ids of the questions (packfair list), or all: each is a row
    /// beside Slurm as configured. Below the table stand the answers and the lines to change. Other changes are
    /// settings of the scheduler: -s slurm slurm:bf_max_job_test=1000,PriorityWeightAge=4000
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = questions)]
    what_if: Vec<&'static [Question]>,
}

/// The question with this id, or all questions.
fn questions(id: &str) -> Result<&'static [Question], String> {
    if id == "all" {
        return Ok(QUESTIONS);
    }
    let found = QUESTIONS.iter().position(|question| question.id == id).map(|at| &QUESTIONS[at..=at]);
    let known = || QUESTIONS.iter().map(|question| question.id).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("there is no such question; ask one of these: all, {}", known()))
}

/// What `packfair lint` reads.
#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    /// Files of a Slurm site, in any order: slurm.conf, or the output of scontrol show config, show partition and show
    /// node; topology.conf; that of sacctmgr -P show assoc, show qos and show event, a script or dump of sacctmgr, that of
    /// scontrol show reservations; of nodes, partitions, reservations, assoc and qos also that with --json
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A log of the site, as sacct prints it: tell what its jobs ask for that the site's files do not have, or that they
    /// do not allow
    #[arg(long, value_name = "LOG")]
    pub(crate) log: Option<PathBuf>,
}

/// The number of findings of one kind that are shown when a run begins; `packfair lint` shows all.
const TOLD: usize = 5;

impl SiteArguments {
    /// Whether any are given.
    pub(crate) fn is_given(&self) -> bool {
        !self.slurm.is_empty()
    }

    /// Reads the files and puts the site beside its log.
    ///
    /// # Errors
    /// A file cannot be read at all.
    pub(crate) fn read(&self, log: &mut Log) -> Result<(), Failure> {
        if self.slurm.is_empty() {
            return Ok(());
        }
        let site = site(&self.slurm)?;
        tell(&site.findings);
        log.site = Some(Arc::new(site));
        Ok(())
    }
}

impl QuestionArguments {
    /// Adds the rows of the questions to a study, beside Slurm as configured.
    ///
    /// # Errors
    /// The log has no jobs.
    pub(crate) fn ask(&self, study: &mut Study, log: &Log) -> Result<(), Failure> {
        if self.what_if.is_empty() {
            return Ok(());
        }
        let workload = study.treatment.apply(log).map_err(Failure::input)?;
        let span = WorkloadSpan::of(&workload);
        let is_base = |policy: &&Policy| policy.goes_by_site() && policy.as_configured().is_none();
        let base = match study.schedulers.iter().find(is_base) {
            Some(base) => base.clone(),
            None => {
                // the catalogue contains this family
                let base: Policy = "slurm".parse().map_err(Failure::input)?;
                study.schedulers.push(base.clone());
                base
            }
        };
        base.check_at(&workload).map_err(Failure::input)?;
        let plain = || Cow::Owned(Site::plain(workload.machine.processors, Version::default()));
        let site = &*workload.site().map_or_else(plain, |site| Cow::Borrowed(&site.site));
        for question in self.what_if.iter().flat_map(|questions| questions.iter()) {
            match question.to_policy(&base, site, span) {
                Some(row) if !study.schedulers.contains(&row) => study.schedulers.push(row),
                Some(_) => {}
                None => say(&format!(
                    "packfair: {} ({}) is left out: the site is configured so already, or has nothing to change",
                    question.name, question.id
                )),
            }
        }
        Ok(())
    }
}

/// The site that these files describe.
///
/// # Errors
/// A file cannot be read at all.
pub(crate) fn site(paths: &[PathBuf]) -> Result<Site, Failure> {
    let mut read = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        read.push((name, load::bytes(path, LARGEST_DESCRIPTION)?));
    }
    let files: Vec<SiteFile<'_>> = read.iter().map(|(name, content)| SiteFile { name, content }).collect();
    Ok(read_site(&files, Version::default()))
}

fn tell(findings: &[Finding]) {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.kind);
    for kind in sorted.chunk_by(|a, b| a.kind == b.kind) {
        kind.iter().take(TOLD).for_each(|finding| say(&format!("packfair: {finding}")));
        if kind.len() > TOLD {
            let words =
                format!("packfair: {}: {} more; packfair lint lists them all", kind[0].kind.name(), kind.len() - TOLD);
            say(&words);
        }
    }
}
