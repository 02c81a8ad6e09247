//! Simulation: a cluster, a workload and the passing of time, instant by instant.
//!
//! A [`Simulation`] knows everything, run times included. A scheduler sees a [`View`](crate::model::View), which does
//! not lead to a run time.

mod check;
mod events;
mod fair_start;
mod guarantee;
mod instants;
mod outlook;
mod reacting;
mod reestimation;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod running_tests;
mod stepped;
mod world;

pub use check::{Fault, StartRule, check};
pub use fair_start::{FairStartSearch, fair_starts};
pub use guarantee::{check_conservative, check_earliest_fit, check_easy, check_fcfs, check_promises, check_safeguard};
pub use instants::{Driven, Options, Progress, Simulation};
pub use outlook::{Expected, Outlook, Present, ReasonSearch, ReservationCourse, Reserved, outlook, reservation_course};
pub use reacting::ReactingSimulation;
pub use reestimation::Correction;
pub use stepped::{NotStepped, Question, SteppedJob, SteppedSimulation, SteppedWorkload};
pub use world::World;
