//! What is said of a metric.

use crate::workload::UnitText;

/// The better direction of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Less is better.
    Low,
    /// More is better.
    High,
    /// Neither direction is better.
    None,
}

/// The description of a metric for a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Stable id, also the key in JSON and the heading in CSV.
    pub id: &'static str,
    /// Short name, as a table's heading.
    pub name: &'static str,
    pub help: UnitText,
    pub formula: &'static str,
    /// Unit: "s", "jobs" and so on; "" for ratios.
    pub unit: &'static str,
    /// The better direction.
    pub aim: Aim,
    /// Paper and section.
    pub source: &'static str,
}
