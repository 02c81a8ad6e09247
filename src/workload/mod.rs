//! Workloads: what was submitted to a cluster, when, and how long it ran.
//!
//! A log is read into [`Record`]s exactly as it says ([`swf`]), then cleaned into a [`Workload`]
//! ([`clean`]), the only form that simulations take. Nothing here knows of time passing.

mod account;
mod clean;
mod clock;
mod filter;
mod job;
pub mod like;
mod log;
mod lublin;
mod machine;
mod place;
mod printable;
mod random;
mod shrink;
mod similarity;
mod summary;
pub mod swf;
mod write;

pub use account::{Account, Entry, Reason};
pub use clean::{CleanError, Cleaning, clean};
pub use clock::{Clock, Zone};
pub use filter::Filter;
pub use job::{JobId, Request, Seconds, Workload};
pub use log::{Fingerprint, Header, LATEST, Log, Record};
pub use lublin::lublin;
pub use machine::{MOST_PROCESSORS, Machine, MachineSource};
pub use printable::printable;
pub use shrink::shrink;
pub use similarity::{Groups, IN_COMMON, KINDS, Similarity};
pub use summary::{Choice, Class, Common, Distribution, Quantiles, Span, Steps, Summary, UserShare, WidthClass};
pub use swf::ReadError;
pub use write::write_swf;
