//! Metrics: what a schedule did to response time, packing and fairness.
//!
//! Definitions and sources: METRICS §II-IV, §VII; CP §3.1; DYNP §5.1. There is one function for each metric, by theme:
//! [`response`], [`packing`], [`fairness`], [`fair_share`], [`fair_start`], [`capacity`], [`killed`], [`estimates`],
//! [`logged`]. [`Evaluation`] gives all metrics that follow from a schedule, and its [`Curves`].

mod about;
mod accuracy;
pub mod capacity;
mod catalogue;
mod class_course;
pub mod classes;
mod counted;
mod counted_outcomes;
mod course;
mod curve;
mod envelope;
mod estimate_sums;
pub mod estimates;
mod evaluation;
pub mod fair_share;
pub mod fair_start;
pub mod fairness;
pub mod grouped;
pub mod grouping;
mod job_counts;
pub mod killed;
mod line;
pub mod logged;
mod machine_use;
mod measure;
mod noted;
mod outcome;
pub mod packing;
mod places;
mod power;
mod quartiles;
pub mod response;
mod saturation;
mod series;
mod sorted_waits;
mod sorting;
mod stuck;
mod sum;
mod sums;
mod suspended;
mod throughput;
mod timeline;
mod totals;
mod weight;

pub use about::{About, Aim};
pub use accuracy::{Accuracy, AccuracyCell, EstimateQuality, Period};
pub use catalogue::Metric;
pub use class_course::{ClassCourse, OfClass, WeekOfClasses};
pub use counted::{Counted, CountedGroup, CountedJobs};
pub use course::longest;
pub use curve::Curves;
pub use envelope::Envelope;
pub use evaluation::Evaluation;
pub use grouped::{GroupWaits, Spread, WaitCell, logged_outcomes, wait_cells, waits_by_group};
pub use grouping::Grouping;
pub use job_counts::{JobCounts, JobDistribution};
pub use line::Line;
pub use logged::{Distance, rank_correlation};
pub use machine_use::{MachinePart, MachineUse, ResourceUse, WindowUse};
pub use measure::Measure;
pub use noted::Noted;
pub use outcome::{Outcome, outcomes};
pub use quartiles::Quartiles;
pub use saturation::Saturation;
pub use series::{TimeSeries, time_series};
pub use stuck::StuckBehind;
pub use weight::GroupWeight;

#[cfg(test)]
mod tests;
