//! Simulation: a cluster, a workload and the passing of time, instant by instant.
//!
//! A [`Simulation`] knows everything, run times included. A scheduler sees a [`Cluster`] and
//! [`Waiting`] jobs, and neither leads to a run time.

mod cluster;
mod correction;
mod instants;
mod profile;
mod schedule;

pub use cluster::{Cluster, Release, Waiting};
pub use correction::Correction;
pub use instants::{Options, Progress, Simulation};
pub use profile::Profile;
pub use schedule::Schedule;
