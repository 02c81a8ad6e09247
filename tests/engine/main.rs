//! Schedules, metrics and users who react: against plain schedulers, reference schedules and checkers of their own.
#![cfg(not(target_arch = "wasm32"))]

mod allocations;
mod calendar;
mod classes;
mod dynp;
mod fair_starts;
mod fairness;
mod feedback;
mod formulas;
mod gold;
mod hosted;
mod machine;
mod machine_use;
mod metrics;
mod naive;
mod outlook;
mod plain;
mod power;
mod properties;
#[path = "../random/mod.rs"]
mod random;
mod reestimation;
mod safeguard;
mod saturation;
mod scripts;
#[path = "../shared/mod.rs"]
mod shared;
mod slurm_by_hand;
mod slurm_live;
mod slurm_rules;
mod slurm_truth;
mod starts;
mod stepped;
mod throughput;
mod tiny;
mod told;
#[path = "../truth/mod.rs"]
mod truth;
