//! Packfair compares batch-job schedulers of HPC clusters.
//!
//! The data flow: bytes of a log → [`workload`] → [`simulation`] (a [`scheduler`] decides, an [`estimator`] predicts, a
//! [`classifier`] distinguishes small and large jobs) → schedule → [`metric`] → report of a [`study`] → [`chart`] and
//! tables → page, file or link. This package is the page; each of these is a crate of its own (`ARCHITECTURE.md`).
//!
//! Papers are cited by short names: METRICS (2022), FAIRNESS (2013), CLASSIFY (2022), CP (2024),
//! DYNP (2002); `CITATION.cff` lists them in full.

pub mod address;
// what a worker does not need is not compiled for one (`page` in Cargo.toml)
#[cfg(all(target_arch = "wasm32", feature = "page"))]
pub mod app;
#[cfg(target_arch = "wasm32")]
mod envelope;
#[cfg(target_arch = "wasm32")]
pub mod late;
pub mod run_queue;
#[cfg(target_arch = "wasm32")]
pub mod worker;

pub use packfair_base::{catalogue, expression, machine};
pub use packfair_chart as chart;
#[cfg(not(target_arch = "wasm32"))]
pub use packfair_cli as cli;
pub use packfair_engine::{classifier, estimator, metric, model, power, simulation};
pub use packfair_offline as offline;
pub use packfair_papers as papers;
pub use packfair_schedulers as scheduler;
pub use packfair_slurm as slurm;
pub use packfair_study as study;
pub use packfair_study::explore;
pub use packfair_when as when;
pub use packfair_workload as workload;
