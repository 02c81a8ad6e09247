//! The mean of a user's last completed jobs (Tsafrir, Etsion, Feitelson 2007).

use super::{Estimator, EstimatorImplementation, Explanation, Listing, Quantity, Revision, note_each, within};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_workload::{JobId, Request, Seconds, Similarity};
use std::collections::VecDeque;

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
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
    build: |settings, workload| Box::new(Last::new(settings, workload.similarity())),
};

/// Most jobs that an explanation shows.
const MOST_SHOWN: usize = 10;

#[derive(Clone)]
struct Last<'a> {
    n: usize,
    similarity: &'a Similarity,
    recent: Vec<RecentRuns>,
}

/// The run times of the last completed jobs, the latest at the back.
#[derive(Clone, Default)]
struct RecentRuns {
    runs: VecDeque<Seconds>,
    sum: Seconds,
    /// The mean in whole seconds; below 0 until there are enough jobs.
    mean: f64,
}

impl<'a> Last<'a> {
    fn new(settings: &Settings, similarity: &'a Similarity) -> Self {
        // The setting has a default, so there is always a number.
        let n = settings.whole("n").unwrap_or(2) as usize;
        let nothing = RecentRuns { mean: -1.0, ..RecentRuns::default() };
        Last { n, similarity, recent: vec![nothing; similarity.users()] }
    }

    fn predict(&self, job: JobId) -> f64 {
        let limit = self.similarity.limit(self.similarity.class(job));
        let mean = self.recent[self.similarity.user(job)].mean;
        if mean < 0.0 { limit as f64 } else { within(mean, limit) }
    }
}

impl Estimator for Last<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, _: Seconds) -> f64 {
        self.predict(job)
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) -> bool {
        note_each(waiting, estimates, |job| self.predict(job))
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        let recent = &mut self.recent[self.similarity.user(job)];
        recent.runs.push_back(run);
        recent.sum += run;
        if recent.runs.len() > self.n
            && let Some(oldest) = recent.runs.pop_front()
        {
            recent.sum -= oldest;
        }
        if recent.runs.len() == self.n {
            recent.mean = (recent.sum / self.n as Seconds) as f64;
        }
    }

    fn explain(&self, job: JobId, request: &Request, _: Seconds) -> Explanation {
        let RecentRuns { runs, mean, .. } = &self.recent[self.similarity.user(job)];
        let (wanted, seen) = (self.n, runs.len());
        let how = if *mean < 0.0 {
            format!(
                "{seen} of the {wanted} completed jobs of the user that are averaged are there: the requested time is taken."
            )
        } else {
            format!("The mean run time of the user's last {wanted} completed jobs, in whole seconds.")
        };
        let rows = (1..).zip(runs.iter().rev().take(MOST_SHOWN));
        let rows = rows.map(|(place, &run)| vec![Quantity::Count(f64::from(place)), Quantity::seconds(run)]);
        let listing = Listing {
            title: "The user's last completed jobs, latest first".to_owned(),
            headings: ["Job", "Run time"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
            used: None,
        };
        let explanation = Explanation { how, facts: Vec::new(), listing: (seen > 0).then_some(listing) };
        if *mean < 0.0 {
            return explanation;
        }
        explanation.with("Mean", Quantity::Time(*mean)).capped(*mean, request.limit)
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};

    #[test]
    fn the_mean_of_two_is_rounded_down_and_capped_by_the_request() {
        let mut learner = Learner::new("last2");
        let user = |user, limit| packfair_workload::Request { user, limit, ..request() };
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
