//! The catalogue of estimators.

use super::Estimator;
use super::actual::Actual;
use super::distorted::Distorted;
use super::requested::Requested;
use crate::catalogue::{Entry, UnknownId};
use crate::workload::Workload;
use std::fmt;
use std::str::FromStr;

/// The smallest and the largest distortion factor k.
pub const K_RANGE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// A way of estimating run times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The actual run time.
    Actual,
    /// The requested time.
    Requested,
}

impl Method {
    /// All methods, in the order in which they are offered.
    pub const ALL: &'static [Method] = &[Method::Actual, Method::Requested];

    /// What a person is told of it.
    pub fn entry(self) -> Entry {
        match self {
            Method::Actual => Entry {
                id: "actual",
                name: "Actual run time",
                help: "E = D: what if run times were known",
                source: "METRICS §VI",
                parameters: &[],
            },
            Method::Requested => Entry {
                id: "requested",
                name: "Requested time",
                help: "E = L: the time limit the user asked for",
                source: "METRICS §VI",
                parameters: &[],
            },
        }
    }
}

impl FromStr for Method {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = Method::ALL.iter().find(|m| m.entry().id == id).copied();
        found.ok_or_else(|| UnknownId::entry("estimator", id, Method::ALL.iter().map(|m| m.entry().id)))
    }
}

/// What a run's estimates are: a method and a distortion factor k. As text: `actual`, `requested*2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The method.
    pub method: Method,
    /// The distortion factor k, 0.1 to 10; 1 leaves the estimate as it is.
    pub k: f64,
}

impl Estimate {
    /// The method's own estimate.
    pub fn of(method: Method) -> Self {
        Estimate { method, k: 1.0 }
    }

    /// An estimator for a simulation of `workload`.
    pub fn build<'a>(&self, workload: &'a Workload) -> Box<dyn Estimator + 'a> {
        match self.method {
            Method::Actual => self.distort(Actual::new(workload.runs())),
            Method::Requested => self.distort(Requested),
        }
    }

    fn distort<'a>(&self, inner: impl Estimator + 'a) -> Box<dyn Estimator + 'a> {
        if self.k == 1.0 { Box::new(inner) } else { Box::new(Distorted::new(inner, self.k)) }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.entry().id)?;
        if self.k != 1.0 {
            write!(f, "*{}", self.k)?;
        }
        Ok(())
    }
}

impl FromStr for Estimate {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        let (method, k) = text.split_once('*').unwrap_or((text, "1"));
        let k_value = k.trim().parse::<f64>().ok().filter(|k| K_RANGE.contains(k));
        let k = k_value.ok_or_else(|| UnknownId::Value {
            of: method.to_owned(),
            parameter: "k".to_owned(),
            given: k.chars().take(40).collect(),
            takes: format!("a number from {} to {}", K_RANGE.start(), K_RANGE.end()),
        })?;
        Ok(Estimate { method: method.trim().parse()?, k })
    }
}

crate::serde_as_text!(Estimate);

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().id)
    }
}

crate::serde_as_text!(Method);
