//! How jobs are weighed: the keys `Priority*`.

use serde::{Deserialize, Serialize};

/// What PriorityType and the keys about it say. Times are seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityPlan {
    /// priority/multifactor; otherwise the order of submission counts.
    pub is_multifactor: bool,
    /// Weights of the factors.
    pub weights: Weights,
    /// After which wait the age factor is 1 (PriorityMaxAge).
    pub max_age: i64,
    /// In which time usage becomes half (PriorityDecayHalfLife); none: it does not decay.
    pub half_life: Option<i64>,
    /// Every how many seconds waiting jobs are weighed anew (PriorityCalcPeriod).
    pub calc_period: i64,
    /// PriorityFavorSmall.
    pub favors_small: bool,
    /// Fair tree, as usual; otherwise the classic formula (NO_FAIR_TREE).
    pub is_fair_tree: bool,
    /// SMALL_RELATIVE_TO_TIME.
    pub is_relative_to_time: bool,
    /// FairShareDampeningFactor.
    pub dampening: f64,
    /// Factors of QOS, partition and nice count as they are (NO_NORMAL_...).
    pub is_raw: RawFactors,
}

/// Which factors are not divided by the largest of their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // each is a flag of that name
pub struct RawFactors {
    pub assoc: bool,
    pub partition: bool,
    pub qos: bool,
    pub tres: bool,
}

/// PriorityWeight...: whole numbers, 0 where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // each is PriorityWeight and its name
pub struct Weights {
    pub age: f64,
    pub fair_share: f64,
    pub job_size: f64,
    pub partition: f64,
    pub qos: f64,
    pub assoc: f64,
    /// PriorityWeightTRES of processors, memory, graphics processors.
    pub tres_cpu: f64,
    pub tres_memory: f64,
    pub tres_gpu: f64,
}

impl Default for PriorityPlan {
    fn default() -> Self {
        PriorityPlan {
            is_multifactor: false,
            weights: Weights::default(),
            max_age: 7 * 86_400,
            half_life: Some(7 * 86_400),
            calc_period: 300,
            favors_small: false,
            is_fair_tree: true,
            is_relative_to_time: false,
            dampening: 1.0,
            is_raw: RawFactors::default(),
        }
    }
}
