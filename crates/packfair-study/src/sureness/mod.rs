//! How sure results are: the same runs on many further workloads of the same cluster.
//!
//! A study can be repeated on workloads made from its own ([`Resampling`]). All runs of a repeat see the same workload,
//! so a change relative to the baseline is computed within each repeat (paired). A repeat keeps only metrics and, where
//! charts are drawn, counts of jobs for the bands around distributions.

mod about;
mod interval;
mod repeated;

pub use interval::{CarriedInterval, CarriedIntervals, DistributionBand, Interval, NoInterval, Unshrunk};
pub use repeated::{Repeated, RepeatedLoads, RepeatedRun, RepeatedValues, RepeatedWorkloads, measured};

use super::{Run, Study};
use packfair_engine::metric::Metric;
use packfair_workload::{ResampleError, Resampling, Workload};
use serde::{Deserialize, Serialize};

/// The further workloads on which a study is repeated: their number, and how they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    pub count: u32,
    #[serde(default)]
    pub way: Resampling,
    #[serde(default = "first_seed")]
    pub seed: u64,
}

impl Repeats {
    /// The number of repeats for a study that does not set one, if they take only a moment.
    pub const BY_ITSELF: u32 = 40;

    /// `count` repeats with the defaults.
    pub fn of(count: u32) -> Self {
        Repeats { count, way: Resampling::default(), seed: first_seed() }
    }

    /// The workload of a repeat, counted from 0. It is made from the study's workload before shrinking.
    ///
    /// # Errors
    /// Where the log is too short for this kind of resampling.
    pub fn workload(&self, unshrunk: &Workload, repeat: u32) -> Result<Workload, ResampleError> {
        self.way.workload(unshrunk, self.seed, repeat)
    }

    /// The run of a repeat, counted from 0. It gets random numbers of its own where these stand for what differs
    /// between runs of a real scheduler.
    pub fn drawn(run: &Run, repeat: u32) -> Run {
        Run { scheduler: run.scheduler.drawn(repeat), ..run.clone() }
    }

    /// Whether a run can be repeated. The log's own schedule cannot, because there is only one, and files are about the
    /// log's own jobs.
    pub fn can_repeat(run: &Run) -> bool {
        run.partition.is_none() && !run.scheduler.is_given() && run.estimate.method.settings().file().is_none()
    }
}

impl Study {
    pub fn repeated_runs(&self) -> Vec<Run> {
        self.runs().into_iter().filter(Repeats::can_repeat).collect()
    }
}

/// The metrics of `columns` that a repeat can have. Metrics that need fair start times or the log's own schedule are
/// left out.
pub fn repeatable(columns: &[Metric]) -> Vec<Metric> {
    let cannot = |metric: &Metric| Metric::OF_FAIR_STARTS.contains(metric) || Metric::OF_LOG.contains(metric);
    columns.iter().copied().filter(|metric| !cannot(metric)).collect()
}

fn first_seed() -> u64 {
    1
}
