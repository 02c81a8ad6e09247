//! Estimates of the same jobs from a file.

use super::{Estimator, EstimatorImplementation, Explanation};
use packfair_base::catalogue::{Entry, Kind, Parameter};
use packfair_workload::{JobId, Request, Seconds};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "external",
        name: "External estimates",
        help: "the estimates of a file of yours, requested times for jobs that it does not have",
        source: "a file of jobs and estimates",
        parameters: &[Parameter { id: "file", name: "File", help: "whose estimates are taken", kind: Kind::File }],
    },
    learns: false,
    build: |settings, workload| {
        let given = settings.file().and_then(|file| workload.external_estimates(&file).ok());
        Box::new(ExternalEstimates { given: given.unwrap_or_default() })
    },
};

/// E is what the file says; where it has no estimate for a job, E = L. Whether the file is there is checked before a
/// run begins ([`packfair_study::Running`]).
struct ExternalEstimates<'a> {
    /// The file's estimates of all jobs, in log order, seconds; 0 where it has none.
    given: &'a [f64],
}

impl ExternalEstimates<'_> {
    fn of(&self, job: JobId) -> Option<f64> {
        self.given.get(job.index()).copied().filter(|&estimate| estimate > 0.0)
    }
}

impl Estimator for ExternalEstimates<'_> {
    fn estimate(&mut self, job: JobId, request: &Request, _: Seconds) -> f64 {
        self.of(job).unwrap_or(request.limit as f64)
    }

    fn learns(&self) -> bool {
        false
    }

    fn explain(&self, job: JobId, _: &Request, _: Seconds) -> Explanation {
        Explanation::in_words(match self.of(job) {
            Some(_) => "The file of estimates says so.",
            None => "The file of estimates does not have this job; it is the time limit that the user asked for.",
        })
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(ExternalEstimates { given: self.given })
    }
}
