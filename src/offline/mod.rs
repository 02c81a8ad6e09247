//! Off-line schedules (CP §4): the whole log as one problem, with arrivals and run times known beforehand.
//!
//! No scheduler could come to them: they say how much a better one could win at most, as far as a search finds it. They
//! are computed ahead of time from a [`Workload`](crate::workload::Workload), and so have a type of their own; nothing of them is a
//! [`Scheduler`](crate::model::Scheduler), which never sees a run time.
//!
//! A search begins with the better of two schedules: that of the on-line scheduler for the same objective, which knows
//! the run times, and all jobs placed in the order of r D² in one profile (`first`). It then takes out a waiting job and
//! some that started while it waited, and places them again (`annealing`). Schedule, seed and iterations decide what
//! comes out, nothing else.

mod annealing;
mod bounds;
mod first;
mod goal;
mod neighbours;
#[cfg(test)]
mod plain;
mod problem;
mod profile;
mod random;
mod search;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use search::{OfflineRule, OfflineSearch};
