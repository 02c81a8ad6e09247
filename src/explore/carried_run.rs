//! A run as links to a search carry it: what no search sets is not in it, so that a run may have more to say without a link
//! of before becoming unreadable.

use crate::estimator::Estimate;
use crate::scheduler::Policy;
use crate::study::{Run, RunPartition};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The fields of a run in a link. They never change.
#[derive(Serialize, Deserialize)]
struct CarriedRun {
    scheduler: Policy,
    estimate: Estimate,
    shrink: Option<f64>,
    partition: Option<RunPartition>,
}

/// Writes a run: as it is where texts are written, as links carry it elsewhere.
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
