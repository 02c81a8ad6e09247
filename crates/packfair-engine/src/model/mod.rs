//! What simulation and schedulers have in common: plain data and the trait [`Scheduler`].
//!
//! A scheduler is given a [`View`] of the cluster and answers with [`Actions`]. What became of the jobs is a
//! [`Schedule`]. Nothing a scheduler is given leads to a run time: a [`View`] holds requests and estimates only.

mod actions;
mod class;
mod cluster_state;
mod failure;
mod fair_starts;
mod job_set;
mod note;
mod printed;
mod release;
pub mod reported;
mod rules;
mod running;
mod schedule;
mod scheduler;
mod usage;
mod view;
mod waiting;

pub use actions::{Actions, Start};
pub(crate) use actions::{NEVER, Pause};
pub use class::{Class, SizeClass};
pub use cluster_state::ClusterState;
pub use cluster_state::{AnnouncedStep, Needs};
pub use failure::SchedulerFailure;
pub use fair_starts::FairStarts;
pub use job_set::JobSet;
pub use note::{NoteId, NoteSeries, Notes};
pub use printed::{Printed, PrintedLine};
pub use release::{Release, Token};
pub use rules::{Reestimation, RoundTrigger, Usual};
pub use running::{RunningJob, RunningJobs, Slot};
pub(crate) use schedule::ends;
pub use schedule::{Execution, KilledBy, Placed, Schedule, Suspension, Suspensions};
pub use scheduler::{Reservation, Scheduler};
pub(crate) use usage::Usage;
pub use view::View;
pub use waiting::Waiting;
