//! Simulation: a cluster, a workload and the passing of time, instant by instant.
//!
//! A [`Simulation`] knows everything, run times included. A scheduler sees a [`Cluster`] and
//! [`Waiting`] jobs, and neither leads to a run time.

mod check;
mod cluster;
mod completions;
mod correction;
mod explain;
mod fair_start;
mod guarantee;
mod instants;
mod outlook;
mod profile;
mod reestimation;
mod running;
mod schedule;
#[cfg(test)]
pub(crate) mod test_jobs;
mod world;

pub use check::{Fault, Rule, check};
pub use cluster::{Cluster, Release, Waiting};
pub use correction::Correction;
pub use fair_start::{FairStartSearch, FairStarts, fair_starts};
pub use guarantee::{check_conservative, check_earliest_fit, check_easy, check_fcfs};
pub use instants::{Options, Progress, Simulation};
pub use outlook::{Expected, Outlook, ReservationCourse, Reserved, outlook, reservation_course};
pub use profile::{Profile, Span, Taken};
pub use reestimation::{Asking, Reestimation};
pub use schedule::Schedule;
pub use world::World;
