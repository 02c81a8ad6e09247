//! Workloads: what was submitted to a cluster, when, and how long it ran.
//!
//! A log is read into [`Record`]s exactly as it says ([`reading`]), then cleaned into a [`Workload`] ([`clean`]), the
//! only form that simulations take. Nothing here simulates.

mod account;
mod accounting;
mod anonymise;
mod clean;
mod clock;
mod cluster;
mod data_sets;
mod down;
mod external;
mod feedback;
mod filter;
mod fingerprint;
mod initial;
mod interned;
mod job;
mod job_power;
pub mod like;
mod log;
mod lublin;
mod machine;
mod merge;
mod moment;
mod options;
mod orders;
mod plausible;
mod portion;
mod power;
mod queue;
pub mod reading;
mod request;
mod resample;
mod shrink;
mod similarity;
mod site;
mod split;
mod summary;
mod swf;
#[cfg(any(test, feature = "testing"))]
pub mod test_jobs;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod ties;
mod under_way;
mod unit;
mod users;
mod write;

pub use account::{Account, AccountLine, OtherLine, OtherLines, Reason};
pub use accounting::{ColumnMap, LogColumn, MappedColumn, PreviewedJobs, TablePreview, ValueForm};
pub use anonymise::anonymise;
pub use clean::{CleanError, Cleaning, clean};
pub use clock::{Clock, Zone};
pub use cluster::{Cluster, DescribedFor};
pub use data_sets::{DATA_SETS, DataSet, SetMachine, data_set_of};
pub use down::down_times;
pub use external::{
    External, ExternalColumn, ExternalError, ExternalFault, ExternalKind, ExternalValues, PairingCounts,
    external_kinds, read_external,
};
pub use feedback::WaitedFor;
pub use feedback::{
    Dependence, Feedback, FeedbackRule, GAP_RANGE, Habits, Life, NoFeedback, Reactions, SessionBy, StatedCounts,
};
pub use filter::Filter;
pub use fingerprint::Fingerprint;
pub use initial::InitialJobs;
pub use job::Workload;
pub use job_power::JobPower;
pub use log::{Beyond, ComesAfter, Ending, Header, LATEST, Log, NamedJob, Names, Record, StillRunning, Unstarted};
pub use lublin::lublin;
pub use machine::{MOST_PROCESSORS, Machine, MachineSource};
pub use merge::{MergeError, merge};
pub use moment::{local_date, read_moment, write_moment};
pub use options::{AskedMemory, JobOptions, JobPart, NodeSharing};
pub use packfair_base::printable::printable;
pub use portion::{NeverStarted, Portion, UnstartedJob};
pub use queue::{HeldNodes, Joined, Queue, QueueError, QueuedJob, is_queue, read_queue};
pub use reading::ReadError;
pub use request::{JobId, Request, Seconds};
pub use resample::{ResampleError, Resampling};
pub use shrink::shrink;
pub use similarity::{Groups, IN_COMMON, KINDS, Similarity};
pub use site::{JobSite, SitePart, SiteRequest};
pub use split::{NoSplit, split};
pub use summary::{
    BothUtilisations, Common, Distribution, HistogramClass, Quantiles, QueueChoice, Steps, Summary, Uncounted,
    UserShare, WidthClass, WorkloadPeriod, width_bounds, width_class,
};
pub use ties::{ArrayTask, JobArray, Tie, Ties};
pub use unit::{Counting, Since, Unit, UnitText};
pub use users::{NoUsers, times_users};
pub use write::{write_log, write_swf};
