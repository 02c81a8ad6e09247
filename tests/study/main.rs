//! Studies, tables, drawings and links, and what comes from outside.
#![cfg(not(target_arch = "wasm32"))]

mod charts;
mod coverage;
mod feedback_asked;
mod finds;
mod fuzz;
mod limits;
mod link;
#[cfg(unix)]
mod promises;
#[path = "../random/mod.rs"]
mod random;
#[path = "../shared/mod.rs"]
mod shared;
mod site_cards;
mod slurm;
mod studies;
mod when;
