//! Where a study's jobs come from, and what is done to them.

use crate::workload::{CleanError, Cleaning, Filter, Fingerprint, Log, Workload, clean, lublin, shrink};
use serde::{Deserialize, Serialize};

/// What a study's jobs come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A log, known by its content.
    Trace {
        /// What it was called.
        name: String,
        /// Of the decompressed content.
        fingerprint: Fingerprint,
    },
    /// A generator, that makes the same jobs anywhere.
    Generated(Generated),
}

/// A generator and all it needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Generated {
    /// The Lublin-Feitelson model of rigid jobs (1999/2003).
    Lublin {
        /// How many jobs.
        jobs: u32,
        /// Machine size R.
        processors: u32,
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// What is done to a log's jobs before they are simulated, in this order: filter, clean, shrink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Treatment {
    /// Which of the log's jobs are taken.
    pub filter: Filter,
    /// How they are cleaned.
    pub cleaning: Cleaning,
    /// Machine size R, where the user gives one.
    pub processors: Option<u32>,
    /// Shrinking factor: every inter-arrival time is multiplied by it (0.8: 25 % more load).
    pub shrink: f64,
}

impl Generated {
    /// Makes the log: the same anywhere.
    pub fn generate(&self) -> Log {
        match *self {
            Generated::Lublin { jobs, processors, seed } => lublin(jobs, processors, seed),
        }
    }
}

impl Treatment {
    /// The workload that it makes of a log.
    ///
    /// # Errors
    /// Where no job is left, or the machine or the shrinking factor is out of range.
    pub fn apply(&self, log: &Log) -> Result<Workload, CleanError> {
        let mut workload = clean(log, &self.filter, self.cleaning, self.processors)?;
        shrink(&mut workload, self.shrink)?;
        Ok(workload)
    }
}

impl Default for Treatment {
    fn default() -> Self {
        Treatment { filter: Filter::default(), cleaning: Cleaning::default(), processors: None, shrink: 1.0 }
    }
}

impl Source {
    /// A text that identifies it: storage is ordered by it.
    pub fn key(&self) -> String {
        match self {
            Source::Trace { fingerprint, .. } => fingerprint.to_string(),
            Source::Generated(generated) => format!("generated-{}", generated.key()),
        }
    }

    /// Display name.
    pub fn name(&self) -> String {
        match self {
            Source::Trace { name, .. } => name.clone(),
            Source::Generated(generated) => generated.name(),
        }
    }
}

impl Generated {
    fn key(&self) -> String {
        let Generated::Lublin { jobs, processors, seed } = self;
        format!("lublin-{jobs}-{processors}-{seed}")
    }

    /// Display name.
    pub fn name(&self) -> String {
        let Generated::Lublin { seed, .. } = self;
        format!("Lublin-Feitelson, seed {seed}")
    }
}
