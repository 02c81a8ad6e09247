//! How priorities are computed: the keys `Priority*`.

use serde::{Deserialize, Serialize};

/// The values of PriorityType and related keys. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityPlan {
    /// Whether priority/multifactor is used; otherwise the order of submission counts.
    pub is_multifactor: bool,
    pub weights: PriorityWeights,
    /// The wait after which the age factor is 1 (PriorityMaxAge).
    pub max_age: i64,
    /// The half-life of usage (PriorityDecayHalfLife); none: usage does not decay.
    pub half_life: Option<i64>,
    /// The time between two calculations of priorities (PriorityCalcPeriod).
    pub calc_period: i64,
    /// Whether small jobs are favoured (PriorityFavorSmall).
    pub favors_small: bool,
    /// Whether fair tree is used, the default; otherwise the classic formula (NO_FAIR_TREE).
    pub is_fair_tree: bool,
    /// Whether job sizes are divided by time limits (SMALL_RELATIVE_TO_TIME).
    pub is_relative_to_time: bool,
    /// The FairShareDampeningFactor.
    pub dampening: f64,
    /// Which factors count as they are, and are not divided by the largest of their kind (NO_NORMAL_...).
    pub is_raw: RawFactors,
}

/// Which factors are not divided by the largest of their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawFactors {
    pub assoc: bool,
    pub partition: bool,
    pub qos: bool,
    pub tres: bool,
}

/// The weights of the factors, PriorityWeight...: whole numbers, 0 by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PriorityWeights {
    pub age: f64,
    pub fair_share: f64,
    pub job_size: f64,
    pub partition: f64,
    pub qos: f64,
    pub assoc: f64,
    /// The weights of processors, memory and GPUs in PriorityWeightTRES.
    pub tres_cpu: f64,
    pub tres_memory: f64,
    pub tres_gpu: f64,
}

impl PriorityPlan {
    /// The factor by which usage decays in a second, as Slurm approximates it.
    pub fn decay(&self) -> f64 {
        self.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }
}

impl Default for PriorityPlan {
    fn default() -> Self {
        PriorityPlan {
            is_multifactor: false,
            weights: PriorityWeights::default(),
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
