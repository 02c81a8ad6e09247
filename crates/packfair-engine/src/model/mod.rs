//! What simulation and schedulers have in common: plain data and the trait [`Scheduler`].
//!
//! A scheduler is given a [`View`] of the cluster and answers with [`Actions`]. What became of the jobs is a
//! [`Schedule`]. Nothing a scheduler is given leads to a run time: a [`View`] holds requests and estimates only.

mod cluster_state;
pub mod note;
mod running;
mod schedule;
mod scheduler;
mod usage;
mod view;

pub use cluster_state::{AnnouncedStep, ClusterState, Needs, Release, Token};
pub use note::{Class, NoteId, NoteSeries, Notes, Printed, PrintedLine, SizeClass};
pub use running::{JobSet, RunningJob, RunningJobs, Slot, Waiting};
pub(crate) use schedule::ends;
pub use schedule::{Execution, FairStarts, KilledBy, Placed, Schedule, SchedulerFailure, Suspension, Suspensions};
pub use scheduler::{Actions, Reestimation, Reservation, RoundTrigger, Scheduler, Start, Usual};
pub(crate) use scheduler::{NEVER, Pause};
pub(crate) use usage::Usage;
pub use view::View;
