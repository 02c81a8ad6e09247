//! Metrics: what a schedule did to response time, packing and fairness.
//!
//! Definitions and sources: METRICS §II-IV, §VII; CP §3.1; DYNP §5.1.

mod catalogue;
mod curve;
mod evaluation;

pub use catalogue::{About, Aim, Counted, Measure, Metric};
pub use curve::{Curves, Envelope, Line};
pub use evaluation::Evaluation;
