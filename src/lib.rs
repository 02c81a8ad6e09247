//! Packfair compares batch-job schedulers of HPC clusters.
//!
//! The data flow: bytes of a log → [`workload`] → [`simulation`] (a [`scheduler`] decides, an [`estimator`] predicts, a
//! [`classifier`] distinguishes small and large jobs) → schedule → [`metric`] → report of a [`study`] → [`chart`] and
//! tables → page, file or link. Simulation and schedulers share the [`model`]: the trait of all schedulers, what a
//! scheduler sees and what it answers. A module uses only modules above it in the table of `CONTRIBUTING.md`.
//!
//! Papers are cited by short names: METRICS (2022), FAIRNESS (2013), CLASSIFY (2022), CP (2024),
//! DYNP (2002); `CITATION.cff` lists them in full.

pub mod address;
pub mod catalogue;
pub mod chart;
pub mod classifier;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
mod column;
pub mod estimator;
pub mod explore;
pub mod expression;
pub mod machine;
pub mod metric;
pub mod model;
pub mod offline;
pub mod power;
mod random;
pub mod run_queue;
pub mod scheduler;
pub mod simulation;
pub mod slurm;
pub mod study;
pub mod when;
pub mod workload;

#[cfg(target_arch = "wasm32")]
pub mod app;
