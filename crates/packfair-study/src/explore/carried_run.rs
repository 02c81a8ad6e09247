//! A run as links to a search carry it. It only has the fields that a search can set, so that a run may get further
//! fields without older links becoming unreadable.

use packfair_engine::estimator::Estimate;
use packfair_schedulers::Policy;
use crate::{Run, RunPartition};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The fields of a run in a link. They never change.
#[derive(Serialize, Deserialize)]
struct CarriedRun {
    scheduler: Policy,
    estimate: Estimate,
    shrink: Option<f64>,
    partition: Option<RunPartition>,
}

/// Writes a run: in full in human-readable formats, and in its carried form otherwise.
pub(super) fn serialize<S: Serializer>(run: &Run, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return run.serialize(serializer);
    }
    let Run { scheduler, estimate, shrink, partition, .. } = run.clone();
    CarriedRun { scheduler, estimate, shrink, partition }.serialize(serializer)
}

/// Reads what [`serialize`] has written.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Run, D::Error> {
    if deserializer.is_human_readable() {
        return Run::deserialize(deserializer);
    }
    let CarriedRun { scheduler, estimate, shrink, partition } = CarriedRun::deserialize(deserializer)?;
    Ok(Run { shrink, partition, ..Run::new(scheduler, estimate) })
}
