//! The engine: what simulation and schedulers have in common ([`model`]), the loop over instants ([`simulation`]),
//! estimators ([`estimator`]), classifiers ([`classifier`]), metrics and curves of a schedule ([`metric`]).
//!
//! - A scheduler is given a [`View`](model::View) of requests, estimates and the cluster. No type that it sees holds an
//!   actual run time.
//! - An estimator sees a run time once its job has completed, and never before.
//! - The same workload, scheduler, estimator and options give the same schedule, bit for bit, on every target.
//! - Metrics are computed from a schedule alone, whichever scheduler made it.
//!
//! It knows nothing of any particular scheduler, of studies, and of texts for people beyond names.
pub mod classifier;
pub mod estimator;
pub mod metric;
pub mod model;
/// Power over time: series of prices and of carbon intensities, and nodes that are switched off while they idle
/// (docs/power.md).
pub mod power {
    mod saving;
    mod series;

    pub use saving::{NodeRate, NodesOff, Saving};
    pub use series::{PowerSeries, SeriesKind};
}
pub mod simulation;
