//! The requested time.

use super::{Estimator, EstimatorImplementation, Explanation};
use packfair_base::catalogue::Entry;
use packfair_workload::{JobId, Request, Seconds};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "requested",
        name: "Requested time",
        help: "E = L: the time limit the user asked for",
        source: "METRICS §VI",
        parameters: &[],
    },
    learns: false,
    build: |_, _| Box::new(Requested),
};

/// E = L: what users state, and what nearly all production schedulers use.
pub struct Requested;

impl Estimator for Requested {
    fn estimate(&mut self, _: JobId, request: &Request, _: Seconds) -> f64 {
        request.limit as f64
    }

    fn learns(&self) -> bool {
        false
    }

    fn explain(&self, _: JobId, _: &Request, _: Seconds) -> Explanation {
        Explanation::in_words("The time limit that the user asked for.")
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(Requested)
    }
}
