//! Why an estimator says what it says of a job.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// Why an estimator says what it says of a job, told by the estimator itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// How the estimate came about, in sentences.
    pub how: String,
    /// What it rests on, by name.
    pub facts: Vec<(String, Quantity)>,
    /// The same where it is many things of a kind.
    pub listing: Option<Listing>,
}

/// Things of a kind that an estimate rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// What they are.
    pub title: String,
    /// Headings of the columns.
    pub headings: Vec<String>,
    /// A row for each, as long as `headings`.
    pub rows: Vec<Vec<Quantity>>,
    /// The row that the estimate is made of, if it is one of them.
    pub used: Option<usize>,
}

/// A value and its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Quantity {
    /// A span of time, seconds.
    Time(f64),
    /// A number of things, which decay may have made no whole one.
    Count(f64),
    /// A part of a whole, 1 for all of it.
    Share(f64),
    /// A number without unit.
    Number(f64),
    /// Words.
    Text(String),
    /// Nothing is known.
    Unknown,
}

impl Quantity {
    /// Whole seconds.
    pub(super) fn seconds(seconds: Seconds) -> Self {
        Quantity::Time(seconds as f64)
    }
}

impl Explanation {
    /// An estimate that needs no more than words.
    pub(super) fn in_words(how: impl Into<String>) -> Self {
        Explanation { how: how.into(), ..Explanation::default() }
    }

    /// Adds a fact.
    pub(super) fn with(mut self, name: impl Into<String>, value: Quantity) -> Self {
        self.facts.push((name.into(), value));
        self
    }

    /// Adds that an estimate of `value` seconds is cut to the requested time, where it is.
    pub(super) fn capped(mut self, value: f64, limit: Seconds) -> Self {
        if value > limit as f64 {
            self.how.push_str(" That is more than the requested time, which is taken instead.");
        } else if value < 1.0 {
            self.how.push_str(" An estimate is a second at least.");
        }
        self
    }
}
