//! How sure one wants to be.

use crate::study::limits::REPEAT_RANGE;
use crate::study::sureness::Repeats;
use crate::workload::Resampling;
use clap::Args;

/// On how many further workloads the runs are repeated.
#[derive(Debug, Args)]
pub(in crate::cli) struct RepeatArguments {
    /// Repeat all runs on so many further workloads of the same cluster, and give each value and each change with the
    /// interval that holds 95 % of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(*REPEAT_RANGE.start())..=i64::from(*REPEAT_RANGE.end())))]
    repeats: Option<u32>,
    /// How these workloads are made: users (users' weeks drawn with replacement), shake (each submission up to three
    /// minutes earlier or later) [usually users]
    #[arg(long, value_name = "WAY", requires = "repeats")]
    resample: Option<Resampling>,
    /// Seed of their random numbers [usually 1]
    #[arg(long, value_name = "S", requires = "repeats")]
    repeat_seed: Option<u64>,
}

impl RepeatArguments {
    /// What is asked for; none where no repeats are.
    pub(in crate::cli) fn repeats(&self) -> Option<Repeats> {
        let Repeats { count, way, seed } = Repeats::of(self.repeats?);
        Some(Repeats { count, way: self.resample.unwrap_or(way), seed: self.repeat_seed.unwrap_or(seed) })
    }
}
