//! Curves of a schedule, reduced to what a chart can show.

use serde::{Deserialize, Serialize};

/// A line or step function: `y[i]` holds from `x[i]` on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Ascending.
    pub x: Vec<f64>,
    /// As many as `x`.
    pub y: Vec<f64>,
}

/// A series over time, reduced to bins of equal length that keep the extremes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Where the first bin begins.
    pub begin: f64,
    /// Length of a bin.
    pub step: f64,
    /// Smallest value in each bin.
    pub low: Vec<f64>,
    /// Largest value in each bin.
    pub high: Vec<f64>,
    /// Time average in each bin.
    pub mean: Vec<f64>,
}

/// The curves of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// Cumulative wait area against job area (METRICS Fig. 3, bottom).
    pub cwa: Line,
    /// Cumulative fraction of jobs against wait, seconds.
    pub waits: Line,
    /// Cumulative fraction of jobs against bounded slowdown.
    pub slowdowns: Line,
    /// Waiting jobs over time (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs over time, processors.
    pub queue_width: Envelope,
    /// Share of processors in use over time.
    pub utilisation: Envelope,
}
