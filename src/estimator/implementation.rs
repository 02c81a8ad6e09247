//! What a file of a family of estimators says of it, for the catalogue.

use super::Estimator;
use crate::catalogue::{Entry, Settings};
use crate::workload::Workload;

/// A family of estimators: a way of estimating, and what can be set of it.
#[derive(Clone, Copy, Debug)]
pub struct EstimatorFamily {
    /// What a person is told of it.
    pub entry: Entry,
    /// Whether it learns from completed jobs.
    pub learns: bool,
}

/// A family and its algorithm.
#[derive(Debug)]
pub struct EstimatorImplementation {
    /// What a person is told of it.
    pub entry: Entry,
    /// Whether it learns from completed jobs.
    pub learns: bool,
    /// Makes an estimator that has seen nothing yet.
    pub build: for<'a> fn(&Settings, &'a Workload) -> Box<dyn Estimator + 'a>,
}

impl EstimatorImplementation {
    /// What is told of it.
    pub const fn family(&self) -> EstimatorFamily {
        EstimatorFamily { entry: self.entry, learns: self.learns }
    }
}
