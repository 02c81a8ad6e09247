//! Fair start times as data (FAIRNESS §3.1).

use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// Fair start times of a range of jobs, in log order. They may be later than the actual starts, because jobs that
/// arrived later may have helped a job. Unfairness is max(0, start - fair start).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FairStarts {
    /// Strict: the start that the job would get if no job arrived after it in log order.
    pub strict: Vec<Seconds>,
    /// Relaxed: like `strict`, but the job is withheld from the scheduler until the last of the other jobs that were
    /// queued at its arrival has started. It is estimated as if it waited.
    pub relaxed: Vec<Seconds>,
    /// Hybrid: the start that the job would get if processors were given to the waiting jobs and then to this job, in
    /// order of arrival, as they are expected to become free (Leung et al. 2010, which FAIRNESS §5 cites). Empty for
    /// machines with cells or a calendar.
    #[serde(default)]
    pub hybrid: Vec<Seconds>,
    /// Independent of the scheduler: the start that the job would get if all jobs had been scheduled by Conservative
    /// until it arrived, and first come first served without backfilling from then on (Srinivasan et al. 2002, which
    /// FAIRNESS §5 cites). Empty for machines with cells or a calendar.
    #[serde(default)]
    pub independent: Vec<Seconds>,
}

impl FairStarts {
    /// The strict and the relaxed fair start of a job, if it is in the range.
    pub fn of(&self, job: JobId) -> Option<(Seconds, Seconds)> {
        Some((*self.strict.get(job.index())?, *self.relaxed.get(job.index())?))
    }

    /// Appends the fair starts of the jobs that follow.
    pub fn append(&mut self, mut next: FairStarts) {
        self.strict.append(&mut next.strict);
        self.relaxed.append(&mut next.relaxed);
        self.hybrid.append(&mut next.hybrid);
        self.independent.append(&mut next.independent);
    }
}
