//! Shares of small and large jobs in number and in area (CLASSIFY Tables 2 and 3).

use crate::classifier::Class;
use crate::classifier::divider::median;
use packfair_workload::{Seconds, Workload};

/// Jobs of a workload by classes, by the median of all its run times (CLASSIFY Tables 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Shares {
    /// The divider, seconds.
    pub divider: Seconds,
    /// Shares in the number of jobs (Table 2).
    pub jobs: Parts,
    /// Shares in their area, the sum of q D (Table 3).
    pub area: Parts,
}

/// Shares of classes, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Parts {
    /// Large: D is not below the divider.
    pub large: f64,
    /// Small, and L is at most the divider: "non premature".
    pub expected: f64,
    /// Small, though L is above the divider: "premature".
    pub premature: f64,
}

/// Shares of the classes of a workload's jobs; `None` where it has no job.
pub fn shares(workload: &Workload) -> Option<Shares> {
    let divider = median(workload.runs())?;
    let (mut jobs, mut area) = (Parts::default(), Parts::default());
    for job in workload.jobs() {
        let is_small = Class::of(workload.run(job), divider).is_small();
        let part = |parts: &'_ mut Parts, value: f64| match (is_small, workload.request(job).limit <= divider) {
            (false, _) => parts.large += value,
            (true, true) => parts.expected += value,
            (true, false) => parts.premature += value,
        };
        part(&mut jobs, 1.0);
        part(&mut area, workload.area(job));
    }
    Some(Shares { divider, jobs: jobs.of_whole(), area: area.of_whole() })
}

impl Parts {
    fn of_whole(self) -> Self {
        let whole = self.large + self.expected + self.premature;
        if whole == 0.0 {
            return self;
        }
        Parts { large: self.large / whole, expected: self.expected / whole, premature: self.premature / whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::testing::{of, request};
    use packfair_workload::Request;

    #[test]
    fn small_jobs_are_premature_if_they_requested_more_than_the_divider() {
        let job = |limit, processors, run| (Request { limit, processors, ..request(0) }, run);
        let workload = of([job(100, 1, 10), job(50, 2, 20), job(100, 1, 80), job(100, 4, 90)]);
        let shares = shares(&workload).unwrap();
        assert_eq!(shares.divider, 50);
        assert_eq!(shares.jobs, Parts { large: 0.5, expected: 0.25, premature: 0.25 });
        let whole = 10.0 + 40.0 + 80.0 + 360.0;
        assert_eq!(shares.area, Parts { large: 440.0 / whole, expected: 40.0 / whole, premature: 10.0 / whole });
    }

    #[test]
    fn no_jobs_have_no_shares_and_no_area_is_no_share() {
        assert_eq!(shares(&of([])), None);
        assert_eq!(shares(&of([(request(0), 0)])).unwrap().area, Parts::default());
    }
}
