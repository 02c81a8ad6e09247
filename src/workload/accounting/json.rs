//! Logs in JSON: Slurm's `sacct --json`, Batsim's workloads and Philly's jobs. All of the text is needed before any of it can be read.

mod batsim;
mod philly;
mod slurm;

use super::jobs::JobCollector;
use crate::workload::reading::{FileLine, Format, Limits, LogContent, ReadError};

pub(super) struct Json {
    text: Vec<u8>,
    limits: Limits,
    is_philly: bool,
}

impl Json {
    /// The reader of a file with these first lines, if it is JSON.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let first = lines.iter().map(|line| line.trim_ascii()).find(|line| !line.is_empty())?;
        let is_philly = philly::is_philly(lines);
        (is_philly || first.starts_with(b"{")).then(|| Json { text: Vec::new(), limits, is_philly })
    }
}

impl Format for Json {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        self.text.extend_from_slice(line.bytes);
        if !line.cut {
            self.text.push(b'\n');
        }
        Ok(())
    }

    fn takes_long_lines(&self) -> bool {
        true
    }

    fn jobs(&self) -> usize {
        0
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        if self.is_philly {
            return philly::read(&self.text, self.limits)?.finish(None);
        }
        let mut jobs = JobCollector::within(self.limits);
        match serde_json::from_slice::<JsonKind>(&self.text).map_err(|error| ReadError::Json(error.to_string()))? {
            JsonKind { jobs: false, .. } => {
                return Err(ReadError::Json("it has no list \"jobs\"".to_owned()));
            }
            JsonKind { profiles: true, .. } => batsim::read(&self.text, &mut jobs)?,
            JsonKind { .. } => slurm::read(&self.text, &mut jobs)?,
        }
        jobs.finish(None)
    }
}

/// Which of the two lists a JSON text has, by its keys. They tell its format.
struct JsonKind {
    jobs: bool,
    profiles: bool,
}

impl<'de> serde::Deserialize<'de> for JsonKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Keys {
            #[serde(default)]
            jobs: Option<serde::de::IgnoredAny>,
            #[serde(default)]
            profiles: Option<serde::de::IgnoredAny>,
        }
        let keys = Keys::deserialize(deserializer)?;
        Ok(JsonKind { jobs: keys.jobs.is_some(), profiles: keys.profiles.is_some() })
    }
}
