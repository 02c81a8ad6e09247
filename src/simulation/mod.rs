//! Simulation: a cluster, a workload and the passing of time, instant by instant.
//!
//! A [`Simulation`] knows everything, run times included. A scheduler sees a [`View`](crate::model::View), which does
//! not lead to a run time.

mod calendar;
mod check;
mod check_cells;
mod completions;
mod correction;
mod driven;
mod explain;
mod fair_queue;
mod fair_start;
mod fault;
mod future;
mod guarantee;
mod instants;
mod options;
mod outlook;
mod progress;
mod reacting;
mod reestimation;
mod renumbered;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod running_tests;
mod safeguard;
#[cfg(test)]
pub(crate) mod test_jobs;
mod world;

pub use check::check;
pub use correction::Correction;
pub use driven::Driven;
pub use explain::ReasonSearch;
pub use fair_start::{FairStartSearch, fair_starts};
pub use fault::{Fault, StartRule};
pub use future::Present;
pub use guarantee::{check_conservative, check_earliest_fit, check_easy, check_fcfs, check_promises};
pub use instants::Simulation;
pub use options::Options;
pub use outlook::{Expected, Outlook, ReservationCourse, Reserved, outlook, reservation_course};
pub use progress::Progress;
pub use reacting::ReactingSimulation;
pub use safeguard::check_safeguard;
pub use world::World;
