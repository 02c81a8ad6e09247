//! Files of starts and estimates beside a log.

use crate::cli::{Failure, load, say};
use crate::study::NeededFile;
use crate::workload::reading::Limits;
use crate::workload::{ExternalKind, Log, read_external};
use clap::Args;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Files of starts and estimates of the log's jobs.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct ExternalArguments {
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
    /// Reads the files and puts them beside their log. Returns how a study refers to them, in order.
    ///
    /// # Errors
    /// One cannot be read, does not have the content that it should have, or is about another log.
    pub(in crate::cli) fn read(&self, log: &mut Log, limits: Limits) -> Result<Vec<NeededFile>, Failure> {
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
