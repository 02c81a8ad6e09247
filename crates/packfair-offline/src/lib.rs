//! Off-line schedules (CP §4): the whole log as one problem, with arrivals and run times known beforehand.
//!
//! No scheduler could reach these schedules. They show how much a better scheduler could gain at most, as far as a
//! search finds it. They are computed ahead of time from a [`Workload`](packfair_workload::Workload), and so have types
//! of their own: a [`Scheduler`](packfair_engine::model::Scheduler) never sees a run time.
//!
//! A search begins with the better of two schedules: that of the on-line scheduler for the same objective, given the
//! run times, and the schedule with all jobs placed in the order of r D² in one profile (`first`). It then takes out a
//! waiting job and some jobs that started while it waited, and places them again (`annealing`). The result depends only
//! on the first schedule, the seed and the number of iterations.

#![warn(missing_docs)]

mod annealing;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod plain;
mod problem;
mod search;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use search::{OfflineRule, OfflineSearch};
