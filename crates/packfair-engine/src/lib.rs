//! TODO
pub mod classifier;
pub mod estimator;
pub mod metric;
pub mod model;
pub mod simulation;
