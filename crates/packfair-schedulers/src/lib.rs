//! Schedulers: which of the waiting jobs start now.
//!
//! A scheduler sees requests, estimates and the cluster, never a run time. Each family has a file or folder and a line
//! in the catalogue ([`SchedulerFamily`]); presets name the settings that papers use. EASY is `easy/`; the plain form
//! of each, as its paper states it, is in [`plain`], and tests hold the fast ones against it job by job.
//!
//! It knows nothing of the log, of metrics, and of the simulation but `Driven`, by which it is driven.

mod ahead;
mod block;
mod capacity;
mod catalogue;
mod classes;
mod contenders;
pub mod dynp;
mod easy;
mod freed;
mod guaranteed;
mod guarantees;
mod implementation;
mod list;
mod offline;
pub(crate) mod optimised;
mod order;
mod plain;
mod plan;
mod profile;
mod queue;
pub mod script;
mod slurm;
mod timetable;

pub use catalogue::{FAMILIES, NotOnMachine, PRESETS, Policy, SchedulerFamily, Schedulers};
pub use order::Order;
pub use profile::Profile;
