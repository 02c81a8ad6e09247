//! The mean of a user's last completed jobs (Tsafrir, Etsion, Feitelson 2007).

use super::catalogue::Family;
use super::classes::{Classes, Numbers};
use super::{Estimator, Revision, within};
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::workload::{JobId, Request, Seconds};
use std::collections::VecDeque;

/// The method's catalogue line.
pub const FAMILY: Family = Family {
    entry: Entry {
        id: "last2",
        name: "Last2",
        help: "the mean run time of the user's last two completed jobs, at most L; fewer than two: L",
        source: "METRICS §VI; Tsafrir et al. 2007",
        parameters: &[Parameter {
            id: "n",
            name: "Jobs",
            help: "how many of the user's last completed jobs are averaged",
            kind: Kind::Whole { min: 1, max: 1_000, default: Some(2), unit: "jobs" },
        }],
    },
    learns: true,
    build: |settings, _| Box::new(Last::new(settings)),
};

struct Last {
    n: usize,
    users: Numbers<i32>,
    /// Of each user, the last completed jobs.
    recent: Vec<Recent>,
    /// The user's number and the requested time.
    classes: Classes<(u32, Seconds)>,
}

/// Run times of the last completed jobs, latest at the back.
#[derive(Clone, Default)]
struct Recent {
    runs: VecDeque<Seconds>,
    sum: Seconds,
}

impl Last {
    fn new(settings: &Settings) -> Self {
        // it has a default, so there is always a number
        let n = settings.whole("n").unwrap_or(2) as usize;
        Last { n, users: Numbers::default(), recent: Vec::new(), classes: Classes::default() }
    }

    fn predict(&self, user: u32, limit: Seconds) -> f64 {
        let Recent { runs, sum } = &self.recent[user as usize];
        if runs.len() < self.n {
            return limit as f64;
        }
        within((sum / self.n as Seconds) as f64, limit)
    }
}

impl Estimator for Last {
    fn estimate(&mut self, job: JobId, request: &Request, _: Seconds) -> f64 {
        let users = &mut self.users;
        let (user, limit) = *self.classes.enter(job, request, |class| (users.of(class.user), class.limit));
        self.recent.resize(self.users.len(), Recent::default());
        self.predict(user, limit)
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) {
        for &job in waiting {
            let (user, limit) = *self.classes.of(job);
            estimates[job.index()] = self.predict(user, limit);
        }
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        let (user, _) = *self.classes.of(job);
        let recent = &mut self.recent[user as usize];
        recent.runs.push_back(run);
        recent.sum += run;
        if recent.runs.len() > self.n
            && let Some(oldest) = recent.runs.pop_front()
        {
            recent.sum -= oldest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};

    #[test]
    fn the_mean_of_two_is_rounded_down_and_capped_by_the_request() {
        let mut learner = Learner::new("last2");
        let user = |user, limit| crate::workload::Request { user, limit, ..request() };
        assert_eq!(learner.run(&user(1, 100), 40), 100.0, "nothing is known");
        assert_eq!(learner.run(&user(1, 100), 61), 100.0, "one job is not enough");
        assert_eq!(learner.run(&user(1, 100), 7), 50.0, "(40 + 61) / 2");
        assert_eq!(learner.run(&user(1, 20), 9), 20.0, "(61 + 7) / 2 is above the request");
        assert_eq!(learner.run(&user(1, 100), 1), 8.0, "(7 + 9) / 2");
        assert_eq!(learner.run(&user(2, 100), 1), 100.0, "another user");
    }

    #[test]
    fn it_is_never_below_a_second() {
        let mut learner = Learner::new("last2:n=1");
        learner.run(&request(), 0);
        assert_eq!(learner.run(&request(), 5), 1.0);
        assert_eq!(learner.run(&request(), 5), 5.0);
    }
}
