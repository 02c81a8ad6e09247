//! Workloads: what was submitted to a cluster, when, and how long it ran.
//!
//! A log is read into [`Record`]s exactly as it says ([`reading`]), then cleaned into a [`Workload`] ([`clean`]), the
//! only form that simulations take. Nothing here simulates.

mod account;
mod accounting;
mod clean;
mod clock;
mod cluster;
mod data_sets;
mod external;
mod feedback;
mod interned;
mod job;
pub mod like;
mod log;
mod lublin;
mod machine;
mod merge;
mod options;
mod portion;
mod queue;
pub mod reading;
mod resample;
mod shrink;
mod similarity;
mod site;
mod summary;
mod swf;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod ties;
mod under_way;
mod unit;
mod users;
mod write;

pub use account::{Account, AccountLine, OtherLine, OtherLines, Reason};
pub use accounting::{ColumnMap, LogColumn, MappedColumn, PreviewedJobs, TablePreview, ValueForm};
pub use clean::{CleanError, Cleaning, clean};
pub use clock::{Clock, Zone, local_date, read_moment, write_moment};
pub use cluster::{Cluster, DescribedFor};
pub use data_sets::{DATA_SETS, DataSet, SetMachine, data_set_of};
pub use external::{
    External, ExternalColumn, ExternalError, ExternalFault, ExternalKind, ExternalValues, PairingCounts,
    external_kinds, read_external,
};
pub use feedback::{
    Dependence, Feedback, FeedbackRule, GAP_RANGE, Habits, Life, NoFeedback, Reactions, SessionBy, StatedCounts,
    WaitedFor,
};
pub use interned::Fingerprint;
pub use job::{JobId, Request, Seconds, Workload};
pub use log::{Beyond, ComesAfter, Ending, Header, LATEST, Log, NamedJob, Names, Record, StillRunning, Unstarted};
pub use lublin::lublin;
pub use machine::{JobPower, MOST_PROCESSORS, Machine, MachineSource, down_times};
pub use merge::{MergeError, merge};
pub use options::{AskedMemory, JobOptions, JobPart, NodeSharing};
pub use packfair_base::encoding::printable;
pub use portion::{NeverStarted, Portion, UnstartedJob};
pub use queue::{HeldNodes, Joined, Queue, QueueError, QueuedJob, is_queue, read_queue};
pub use reading::ReadError;
pub use resample::{ResampleError, Resampling};
pub use shrink::{Filter, NoSplit, shrink, split};
pub use similarity::{Groups, IN_COMMON, KINDS, Similarity};
pub use site::{JobSite, SitePart, SiteRequest};
pub use summary::{
    BothUtilisations, Common, Distribution, HistogramClass, Quantiles, QueueChoice, Steps, Summary, Uncounted,
    UserShare, WidthClass, WorkloadPeriod, width_bounds, width_class,
};
pub use ties::{ArrayTask, JobArray, Tie, Ties};
pub use under_way::InitialJobs;
pub use unit::{Counting, Since, Unit, UnitText};
pub use users::{NoUsers, times_users};
pub use write::{anonymise, write_log, write_swf};
