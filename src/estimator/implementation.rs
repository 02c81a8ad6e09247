//! What a family of estimators tells the catalogue about itself.

use super::Estimator;
use crate::catalogue::{Entry, Settings};
use crate::workload::Workload;

/// A family of estimators: a way of estimating, and its parameters.
#[derive(Clone, Copy, Debug)]
pub struct EstimatorFamily {
    /// The description for a person, with the parameters.
    pub entry: Entry,
    pub learns: bool,
}

/// A family and its algorithm.
#[derive(Debug)]
pub struct EstimatorImplementation {
    /// The description for a person, with the parameters.
    pub entry: Entry,
    pub learns: bool,
    /// Makes an estimator that has seen no jobs yet.
    pub build: for<'a> fn(&Settings, &'a Workload) -> Box<dyn Estimator + 'a>,
}

impl EstimatorImplementation {
    /// The family without its algorithm.
    pub const fn family(&self) -> EstimatorFamily {
        EstimatorFamily { entry: self.entry, learns: self.learns }
    }
}
