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

/// Slowdowns are bounded as if every job ran this long at least, seconds.
pub const BOUND: f64 = 10.0;

/// What a metric is the quotient of, for one job or for some.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfflineTotal {
    /// What is divided.
    pub numerator: f64,
    /// What it is divided by.
    pub denominator: f64,
}

impl OfflineTotal {
    /// The metric.
    pub fn value(self) -> f64 {
        self.numerator / self.denominator
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator + other.numerator, denominator: self.denominator + other.denominator }
    }

    /// This without the other.
    pub fn minus(self, other: Self) -> Self {
        OfflineTotal { numerator: self.numerator - other.numerator, denominator: self.denominator - other.denominator }
    }
}

impl OfflineGoal {
    /// What a job adds that waits so many seconds.
    #[inline]
    pub fn cost(self, job: &OfflineJob, wait: f64) -> OfflineTotal {
        let (r, run) = (job.width, job.run);
        let response = wait + run;
        let (numerator, denominator) = match self {
            OfflineGoal::Bsld => ((response / run.max(BOUND)).max(1.0), 1.0),
            OfflineGoal::Af => (response, 1.0),
            OfflineGoal::Awf => (r * run * response, r * run),
            // by factors, so that nothing cancels
            OfflineGoal::P2sf => (
                0.75 * r * run * (response + wait) * (response * response + wait * wait),
                r * run * (response * response + response * wait + wait * wait),
            ),
        };
        OfflineTotal { numerator, denominator }
    }

    /// Whether its denominator is the same in every schedule.
    pub fn is_sum(self) -> bool {
        self != OfflineGoal::P2sf
    }

    /// The on-line scheduler of the same objective, by its id: of those that there are for it the best.
    pub fn online(self) -> &'static str {
        match self {
            OfflineGoal::Bsld => "opt-bsld-af",
            OfflineGoal::Af => "opt-af",
            OfflineGoal::Awf => "opt-awf",
            OfflineGoal::P2sf => "opt-p2sf-sum",
        }
    }
}
