//! The options of a run.

use super::Correction;
use crate::model::{Reestimation, RoundTrigger};

/// The options of a run that belong neither to the scheduler nor to the estimator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How an estimate that runs out is corrected.
    pub correction: Correction,
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    pub trigger: RoundTrigger,
}
