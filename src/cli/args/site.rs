//! Files of a Slurm site.

use crate::cli::{Failure, load, say};
use crate::slurm::{Finding, Site, SiteFile, Version, read_site};
use crate::study::limits::LARGEST_DESCRIPTION;
use crate::workload::Log;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Files of the site that a log is of.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct SiteArguments {
    /// Files of the log's Slurm site, for the scheduler slurm: slurm.conf, what sacctmgr -P show assoc, show qos and show
    /// event print, a script or dump of sacctmgr, scontrol show reservations; in any order. What is not understood is told
    /// with its line
    #[arg(long, value_name = "FILE", num_args = 1..)]
    slurm: Vec<PathBuf>,
}

/// What `packfair lint` reads.
#[derive(Debug, Args)]
pub(in crate::cli) struct LintArguments {
    /// Files of a Slurm site, in any order: slurm.conf, what sacctmgr -P show assoc, show qos and show event print, a script
    /// or dump of sacctmgr, scontrol show reservations
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
}

/// So many findings of one kind are told where a run begins; `packfair lint` tells all.
const TOLD: usize = 5;

impl SiteArguments {
    /// Reads the files and puts the site beside the log that it is of.
    ///
    /// # Errors
    /// Where one cannot be read at all.
    pub(in crate::cli) fn read(&self, log: &mut Log) -> Result<(), Failure> {
        if self.slurm.is_empty() {
            return Ok(());
        }
        let site = site(&self.slurm)?;
        tell(&site.findings);
        log.site = Some(Arc::new(site));
        Ok(())
    }
}

/// The site of some files.
///
/// # Errors
/// Where one cannot be read at all.
pub(in crate::cli) fn site(paths: &[PathBuf]) -> Result<Site, Failure> {
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
                format!("packfair: {} more lines {}: packfair lint tells them", kind.len() - TOLD, kind[0].kind.name());
            say(&words);
        }
    }
}
