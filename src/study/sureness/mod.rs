//! How sure one can be of results: the same runs on many further workloads of the same cluster.
//!
//! A study can be repeated on workloads that are made from its own ([`Resampling`]). All runs of a repeat see the same
//! workload, so that a change to the baseline is computed within each repeat (paired). Of a repeat only metrics are kept,
//! and, where charts are drawn, counts of jobs for the bands around distributions.

mod band;
mod carried;
mod interval;
mod repeated;

pub use band::DistributionBand;
pub use carried::CarriedIntervals;
pub use interval::{Interval, LEVEL, share_held};
pub use repeated::{Repeated, RepeatedLoads, RepeatedRun, RepeatedValues, RepeatedWorkloads, measured};

use super::{Run, Study};
use crate::metric::Metric;
use crate::workload::{ResampleError, Resampling, Workload};
use serde::{Deserialize, Serialize};

/// On how many workloads a study is repeated, and how they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    /// How many.
    pub count: u32,
    /// How each is made.
    #[serde(default)]
    pub way: Resampling,
    /// Seed of the random numbers.
    #[serde(default = "first_seed")]
    pub seed: u64,
}

impl Repeats {
    /// On how many workloads a study is repeated that does not say so, where that takes a moment: from so many on some lie
    /// beyond the interval, at either end.
    pub const BY_ITSELF: u32 = 40;

    /// So many, as most want them.
    pub fn of(count: u32) -> Self {
        Repeats { count, way: Resampling::default(), seed: first_seed() }
    }

    /// The workload of a repeat, from 0: made of that of the study, which is not shrunk yet.
    ///
    /// # Errors
    /// Where the log is too short for the way of resampling.
    pub fn workload(&self, unshrunk: &Workload, repeat: u32) -> Result<Workload, ResampleError> {
        self.way.workload(unshrunk, self.seed, repeat)
    }

    /// A run as it is on a repeat, from 0: with random numbers of its own where these stand for what differs from run to run
    /// of a real scheduler.
    pub fn drawn(run: &Run, repeat: u32) -> Run {
        Run { scheduler: run.scheduler.drawn(repeat), ..run.clone() }
    }

    /// Whether repeats of a run can be made: the log's own schedule is the one that there was, and files are about the
    /// log's jobs.
    pub fn can_repeat(run: &Run) -> bool {
        run.partition.is_none() && !run.scheduler.is_given() && run.estimate.method.settings().file().is_none()
    }
}

impl Study {
    /// The runs that are repeated, in the order of the table.
    pub fn repeated_runs(&self) -> Vec<Run> {
        self.runs().into_iter().filter(Repeats::can_repeat).collect()
    }
}

/// The metrics of `columns` that a repeat can have: neither what takes fair start times nor what is told beside the log's
/// own schedule.
pub fn repeatable(columns: &[Metric]) -> Vec<Metric> {
    let cannot = |metric: &Metric| Metric::OF_FAIR_STARTS.contains(metric) || Metric::OF_LOG.contains(metric);
    columns.iter().copied().filter(|metric| !cannot(metric)).collect()
}

fn first_seed() -> u64 {
    1
}
