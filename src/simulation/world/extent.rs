//! What a simulation has besides jobs and one number of processors, so that the usual one need not look for it.

/// What the functions of an instant are compiled for. Most simulations have one number of processors and nothing else,
/// and an instant has so little to do that to look for the rest at each one would take a noticeable part of its time.
pub(super) trait SimulationExtent {
    /// Whether there may be cells, a calendar, users who react, a classifier, or shares of users.
    const IS_WIDE: bool;
}

/// One number of processors that never changes, and jobs that are submitted as in the log.
pub(super) struct Narrow;

impl SimulationExtent for Narrow {
    const IS_WIDE: bool = false;
}

pub(super) struct Wide;

impl SimulationExtent for Wide {
    const IS_WIDE: bool = true;
}
