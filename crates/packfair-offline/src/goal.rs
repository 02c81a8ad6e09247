//! What an off-line schedule minimises: a metric of METRICS §III over all jobs.

use super::problem::OfflineJob;

/// The objective of a whole schedule (CP §2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfflineGoal {
    /// Bounded slowdown: the mean of max(1, F / max(10, D)).
    Bsld,
    /// The average response time: the mean of F.
    Af,
    /// The area-weighted response time: Σ r D F / Σ r D.
    Awf,
    /// Level-2 priority-weighted specific response time: 3/4 Σ r (F⁴ - Q⁴) / Σ r (F³ - Q³).
    P2sf,
}

/// The bound of slowdowns: every job counts as if it ran at least this long, seconds.
pub const BOUND: f64 = 10.0;

/// The numerator and denominator of a metric, for one job or for several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfflineTotal {
    /// The sum that is divided.
    pub numerator: f64,
    /// The sum by which it is divided.
    pub denominator: f64,
}

impl OfflineTotal {
    pub fn value(self) -> f64 {
        self.numerator / self.denominator
    }

    /// The sum of two totals.
    pub fn plus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator + other.numerator, denominator: self.denominator + other.denominator }
    }

    /// The difference of two totals.
    pub fn minus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator - other.numerator, denominator: self.denominator - other.denominator }
    }
}

impl OfflineGoal {
    /// What a job adds to the total if it waits `wait` seconds.
    #[inline]
    pub fn cost(self, job: &OfflineJob, wait: f64) -> OfflineTotal {
        let (r, run) = (job.width, job.run);
        let response = wait + run;
        let (numerator, denominator) = match self {
            OfflineGoal::Bsld => ((response / run.max(BOUND)).max(1.0), 1.0),
            OfflineGoal::Af => (response, 1.0),
            OfflineGoal::Awf => (r * run * response, r * run),
            // computed as factors, so that nothing cancels
            OfflineGoal::P2sf => (
                0.75 * r * run * (response + wait) * (response * response + wait * wait),
                r * run * (response * response + response * wait + wait * wait),
            ),
        };
        OfflineTotal { numerator, denominator }
    }

    /// Whether the denominator is the same in every schedule.
    pub fn is_sum(self) -> bool {
        self != OfflineGoal::P2sf
    }

    /// The best on-line scheduler that there is for the same objective.
    pub fn online(self) -> &'static str {
        match self {
            OfflineGoal::Bsld => "optimised:objective=weighted,wb=1,wf=0.01",
            OfflineGoal::Af => "opt-af",
            OfflineGoal::Awf => "opt-awf",
            OfflineGoal::P2sf => "optimised:objective=p2sf-sum",
        }
    }
}
