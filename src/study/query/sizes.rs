//! How small and large jobs of a workload differ, and how well run times predict later ones (CLASSIFY §3.3, §4.1).

use crate::classifier::evaluation::{Autocorrelation, Shares, autocorrelation, shares};
use crate::classifier::{CATEGORIES, Category};
use crate::workload::Workload;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The largest lag that is shown (CLASSIFY Fig. 2).
const LAGS: usize = 10;

/// Categories with fewer jobs are left out.
const LEAST: usize = 50;

/// The same limit for categories of one user, who has few jobs.
const LEAST_OF_USER: usize = 20;

/// Number of kinds of categories, as in CLASSIFY Table 4: the jobs of a user with the same requested time, width or
/// weekday.
const KINDS: usize = 3;

/// What a classifier can learn from a workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedSizes {
    /// Shares of small and large jobs by the median run time (Tables 2 and 3); `None` where there are no jobs.
    pub shares: Option<Shares>,
    /// For each kind of categories, the autocorrelation of run times within them, by lag.
    pub lags: Vec<(Category, Vec<Autocorrelation>)>,
    /// The autocorrelation for the user with the most jobs, as in Fig. 2; `None` where no job names a user.
    pub of_user: Option<UserLags>,
}

/// Autocorrelation of the run times of one user (CLASSIFY Fig. 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserLags {
    pub user: i32,
    /// How many jobs the user submitted.
    pub jobs: u64,
    /// The autocorrelation by lag, over the user's categories of jobs of the same width.
    pub lags: Vec<Autocorrelation>,
}

impl LearnedSizes {
    /// Evaluates a workload.
    pub fn of(workload: &Workload) -> Self {
        let of_kind = |&category: &Category| (category, autocorrelation(workload, category, None, LEAST, LAGS));
        LearnedSizes {
            shares: shares(workload),
            lags: CATEGORIES.iter().take(KINDS).map(of_kind).collect(),
            of_user: of_user(workload),
        }
    }
}

/// The autocorrelation for the user with the most jobs; among equals, the user with the lowest number.
fn of_user(workload: &Workload) -> Option<UserLags> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    let users = workload.requests().iter().map(|request| request.user);
    users.filter(|&user| user >= 0).for_each(|user| *counts.entry(user).or_default() += 1);
    let (&user, &jobs) = counts.iter().max_by_key(|&(&user, &jobs)| (jobs, Reverse(user)))?;
    let lags = autocorrelation(workload, Category::UserWidth, Some(user), LEAST_OF_USER, LAGS);
    Some(UserLags { user, jobs, lags })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::test_jobs;
    use crate::workload::{Header, Machine, MachineSource, Request};

    /// A workload of jobs given as (user, width, run time), one each second.
    fn of_users(jobs: &[(i32, u32, i64)]) -> Workload {
        let plain = test_jobs::workload(8, &[(0, 1, 1, 100)]);
        let machine = Machine { processors: 8, source: MachineSource::Given };
        let mut workload = Workload::empty("test", machine, Header::default());
        for (number, &(user, processors, run)) in (1..).zip(jobs) {
            let request = Request { number, user, processors, submit: number, ..plain.requests()[0].clone() };
            workload.push(request, run, -1, 0);
        }
        workload
    }

    #[test]
    fn who_submitted_most_is_told_of() {
        // (user, width, run): the second user's jobs of width 2 alternate; those of width 1 are few.
        let mut jobs: Vec<(i32, u32, i64)> = (0..30).map(|i| (2, 2, 10 + i % 2)).collect();
        jobs.extend([(2, 1, 5); 3]);
        jobs.extend([(1, 4, 7); 20]);
        jobs.extend([(-1, 4, 7); 60]);
        let lags = of_user(&of_users(&jobs)).unwrap();
        assert_eq!((lags.user, lags.jobs, lags.lags.len()), (2, 33, LAGS));
        assert_eq!(
            (lags.lags[0].coefficients.as_slice(), lags.lags[1].coefficients.as_slice()),
            (&[-1.0][..], &[1.0][..])
        );
        assert_eq!(of_user(&of_users(&[(-1, 4, 7)])), None);
    }
}
