//! Logs in JSON: Slurm's `sacct --json`, Batsim's workloads, Philly's jobs, and records of any origin. All of the text is needed
//! before any of it can be read.

mod batsim;
mod philly;
mod rows;
mod slurm;

use super::jobs::JobCollector;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};

pub(super) struct Json {
    text: Vec<u8>,
    limits: Limits,
    is_philly: bool,
}

impl Json {
    /// The reader of a file with these first lines, if it is JSON: an object, or a list of objects.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let mut bytes = lines.iter().flat_map(|line| line.iter()).filter(|byte| !byte.is_ascii_whitespace());
        let is_object = match bytes.next()? {
            b'{' => true,
            b'[' => bytes.next() == Some(&b'{'),
            _ => false,
        };
        is_object.then(|| Json { text: Vec::new(), limits, is_philly: philly::is_philly(lines) })
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
        match serde_json::from_slice::<JsonKind>(&self.text) {
            Ok(JsonKind { jobs: true, profiles: true }) => batsim::read(&self.text, &mut jobs)?,
            Ok(JsonKind { jobs: true, .. }) if slurm::is_dump(&self.text) => slurm::read_dump(&self.text, &mut jobs)?,
            // a list, several texts one behind the other, or other names: records
            _ => {
                let records = rows::records(&self.text)?;
                if !records.iter().any(slurm::is_job) {
                    return rows::read(records, self.limits);
                }
                slurm::read(records.into_iter(), &mut jobs)?;
            }
        }
        jobs.finish(None)
    }
}

/// Which of two lists a JSON text has, by its keys. They tell its format.
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
