//! Logs in JSON: Slurm's `sacct --json`, Batsim's workloads, Philly's jobs, and records of any origin. All of the text is needed
//! before any of it can be read.

mod batsim;
mod objects;
mod philly;
mod rows;
mod slurm;

use super::jobs::JobCollector;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use objects::Records;

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
        if let Some(profiles) = batsim::profiles(&self.text)? {
            batsim::read(&self.text, &profiles, &mut jobs)?;
        } else if slurm::is_dump(&self.text) {
            slurm::read(Records::of(&self.text), &mut jobs)?;
        } else {
            return rows::read(Records::of(&self.text), self.limits);
        }
        if jobs.len() == 0
            && let Some(why) = damage(&self.text)
        {
            return Err(why);
        }
        jobs.finish(None)
    }
}

/// Why a text of which nothing could be read is no JSON; none where it is.
fn damage(text: &[u8]) -> Option<ReadError> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<serde::de::IgnoredAny>();
    values.find_map(Result::err).map(|error| ReadError::Json(error.to_string()))
}
