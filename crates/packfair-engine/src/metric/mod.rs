//! Metrics: what a schedule did to response time, packing and fairness.
//!
//! Definitions and sources: METRICS §II-IV, §VII; CP §3.1; DYNP §5.1. There is one function for each metric, by theme:
//! [`response`] (and packing), [`fairness`], [`capacity`], [`counted`] (and what was killed), [`estimates`], [`logged`].
//! [`Evaluation`] gives all metrics that follow from a schedule, and its [`Curves`].

pub mod capacity;
mod catalogue;
pub mod class_course;
pub mod counted;
mod curve;
pub mod estimates;
mod evaluation;
pub mod fairness;
pub mod grouping;
mod job_counts;
mod line;
pub mod logged;
mod machine_use;
mod measure;
mod noted;
mod power;
pub mod response;
mod saturation;
mod sorting;
mod sums;
mod timeline;

pub use catalogue::Metric;
pub use class_course::{ClassCourse, OfClass, WeekOfClasses};
pub use counted::{Counted, CountedGroup, CountedJobs};
pub use curve::{Curves, Envelope, longest};
pub use estimates::{Accuracy, AccuracyCell, EstimateQuality, Period};
pub use evaluation::Evaluation;
pub use grouping::{GroupWaits, Grouping, Spread, WaitCell, logged_outcomes, wait_cells, waits_by_group};
pub use job_counts::{JobCounts, JobDistribution, Outcome, outcomes};
pub use line::{Line, TimeSeries, time_series};
pub use logged::{Distance, rank_correlation};
pub use machine_use::{MachinePart, MachineUse, ResourceUse, WindowUse};
pub use measure::{About, Aim, GroupWeight, Measure};
pub use noted::Noted;
pub use response::Quartiles;
pub use saturation::{Saturation, StuckBehind};

#[cfg(test)]
mod tests;
