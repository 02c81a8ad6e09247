//! The actual run time, for "what if run times were known".

use super::implementation::EstimatorImplementation;
use super::{Estimator, Explanation};
use crate::catalogue::Entry;
use crate::workload::{JobId, Request, Seconds};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "actual",
        name: "Actual run time",
        help: "E = D: what if run times were known",
        source: "METRICS §VI",
        parameters: &[],
    },
    learns: false,
    build: |_, workload| Box::new(Actual { runs: workload.runs() }),
};

/// E = D. This is the only estimator that sees run times before jobs complete. It holds them itself; schedulers do not
/// get it.
struct Actual<'a> {
    runs: &'a [Seconds],
}

impl Estimator for Actual<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, _: Seconds) -> f64 {
        self.runs[job.index()].max(1) as f64
    }

    fn learns(&self) -> bool {
        false
    }

    fn explain(&self, _: JobId, _: &Request, _: Seconds) -> Explanation {
        Explanation::in_words("The run time itself, as if it were known: no estimator of a real cluster can say this.")
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(Actual { runs: self.runs })
    }
}
