//! Schedulers: which of the waiting jobs start now.
//!
//! A scheduler sees requests, estimates and the cluster, never a run time. Families are one file
//! each, registered in the catalogue; presets name the settings that papers use.

mod block;
mod catalogue;
mod classes;
pub mod dynp;
mod easy;
mod freed;
mod guaranteed;
mod guarantees;
mod hole;
mod list;
mod logged;
mod needs;
mod optimised;
mod order;
mod plain;
mod plan;
mod profile;
mod queue;
mod recent;
mod room;
mod scan;
mod spot;
mod walk;

pub use catalogue::{FAMILIES, Family, PRESETS, Policy, Schedulers};
pub use order::Order;
pub use profile::Profile;
