//! An online linear model with an asymmetric loss (Gaussier et al. 2015; METRICS "CVH").

use super::{Estimator, EstimatorImplementation, Explanation, Listing, Quantity, Revision, note, note_each};
use model::{FEATURES, Features, LinearModel, UserHistory};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_workload::{JobId, Request, Seconds, Similarity};

mod model;

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "cvh",
        name: "CVH",
        help: "a linear model on 157 features of the job, its user's history and the time of day, learned online",
        source: "METRICS §VI; Gaussier et al. 2015",
        parameters: &[
            Parameter {
                id: "rate",
                name: "Learning rate",
                help: "length of a step of the normalised adaptive gradient",
                kind: Kind::Real { min: 1e-3, max: 1e9, default: 5_000.0, unit: "" },
            },
            Parameter {
                id: "lambda",
                name: "Regularisation",
                help: "weight of the squared coefficients in what is minimised",
                kind: Kind::Real { min: 0.0, max: 1e15, default: 4e9, unit: "" },
            },
            loss("over", "Loss above", "what an estimate above the run time costs", "square"),
            loss("under", "Loss below", "what an estimate below the run time costs", "absolute"),
        ],
    },
    learns: true,
    build: |settings, workload| Box::new(Cvh::new(settings, workload.similarity())),
};

const fn loss(id: &'static str, name: &'static str, help: &'static str, default: &'static str) -> Parameter {
    let options = &[("square", "its square"), ("absolute", "its size")];
    Parameter { id, name, help, kind: Kind::Choice { options, default } }
}

/// Most contributions that an explanation shows.
const MOST_SHOWN: usize = 10;

/// The row of a job that is not known or has completed.
const NO_ROW: u32 = u32::MAX;

#[derive(Clone)]
struct Cvh<'a> {
    model: LinearModel,
    similarity: &'a Similarity,
    histories: Vec<UserHistory>,
    /// The features of waiting and running jobs, as they were at submission.
    rows: Vec<FeatureRow>,
    /// Indices of rows that are free again, because their jobs have completed.
    vacant: Vec<u32>,
    /// The index of each job's row, in log order.
    of_jobs: Vec<u32>,
}

#[derive(Clone)]
struct FeatureRow {
    features: Features,
    limit: Seconds,
    processors: u32,
    user: usize,
}

impl<'a> Cvh<'a> {
    fn new(settings: &Settings, similarity: &'a Similarity) -> Self {
        Cvh {
            model: LinearModel::new(settings),
            similarity,
            histories: std::iter::repeat_with(UserHistory::default).take(similarity.users()).collect(),
            rows: Vec::new(),
            vacant: Vec::new(),
            of_jobs: Vec::new(),
        }
    }

    /// Assigns a row to a new job, and gives its index.
    fn take_row(&mut self, job: JobId) -> u32 {
        let row = self.vacant.pop().unwrap_or_else(|| {
            self.rows.push(FeatureRow { features: [0.0; FEATURES], limit: 0, processors: 0, user: 0 });
            self.rows.len() as u32 - 1
        });
        if self.of_jobs.len() <= job.index() {
            self.of_jobs.resize(job.index() + 1, NO_ROW);
        }
        self.of_jobs[job.index()] = row;
        row
    }

    fn row(&self, job: JobId) -> &FeatureRow {
        &self.rows[self.of_jobs[job.index()] as usize]
    }
}

/// The estimate for a value of the model, seconds: without sign and fraction, at least 1 and at most the requested
/// time.
fn estimate(value: f64, limit: Seconds) -> f64 {
    value.abs().trunc().max(1.0).min(limit as f64)
}

impl Estimator for Cvh<'_> {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        let user = self.similarity.user(job);
        let place = self.take_row(job);
        let row = &mut self.rows[place as usize];
        (row.limit, row.processors, row.user) = (request.limit, request.processors, user);
        model::of(request, &self.histories[user], now, &mut row.features);
        estimate(self.model.predict(&row.features), request.limit)
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) -> bool {
        let mut is_new = false;
        let mut blocks = waiting.chunks_exact(model::BLOCK);
        for block in &mut blocks {
            let rows: [&FeatureRow; model::BLOCK] = std::array::from_fn(|i| self.row(block[i]));
            let values = self.model.predict_block(rows.map(|row| &row.features));
            for ((&job, row), value) in block.iter().zip(rows).zip(values) {
                is_new |= note(estimate(value, row.limit), job, estimates);
            }
        }
        let one = |job| {
            let row = self.row(job);
            estimate(self.model.predict(&row.features), row.limit)
        };
        note_each(blocks.remainder(), estimates, one) || is_new
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        let &FeatureRow { user, processors, .. } = self.row(job);
        self.histories[user].started(job, processors, now);
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        let place = std::mem::replace(&mut self.of_jobs[job.index()], NO_ROW);
        let FeatureRow { features, user, .. } = &self.rows[place as usize];
        let area = f64::from(request.processors) * run.max(1) as f64;
        self.model.learn(features, run as f64, 1.0 + libm::log(area));
        self.histories[*user].completed(job, request, run, now);
        self.vacant.push(place);
    }

    fn killed(&mut self, job: JobId, _: &Request, _: Seconds) {
        let user = self.row(job).user;
        self.histories[user].killed(job);
    }

    fn explain(&self, job: JobId, request: &Request, _: Seconds) -> Explanation {
        let FeatureRow { features, user, .. } = self.row(job);
        let value = self.model.predict(features);
        let how = "The sum of 157 features of the job, its user's history and the time, each times a weight learned from \
                   all completed jobs; without its sign and fraction, from a second to the requested time.";
        let weights = self.model.weights();
        let mut parts: Vec<(usize, f64)> = weights.iter().zip(features).map(|(w, x)| w * x).enumerate().collect();
        // Equal contributions stay in the order of the features.
        parts.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
        let rest: f64 = parts[MOST_SHOWN..].iter().map(|(_, part)| part).sum();
        let mut rows: Vec<Vec<Quantity>> = parts[..MOST_SHOWN]
            .iter()
            .map(|&(i, part)| vec![Quantity::Text(model::name(i)), Quantity::Number(features[i]), Quantity::Time(part)])
            .collect();
        let others = format!("the other {}", parts.len() - MOST_SHOWN);
        rows.push(vec![Quantity::Text(others), Quantity::Unknown, Quantity::Time(rest)]);
        let listing = Listing {
            title: "What contributes most".to_owned(),
            headings: ["Feature", "Value", "Contribution"].map(str::to_owned).to_vec(),
            rows,
            used: None,
        };
        Explanation { how: how.to_owned(), facts: Vec::new(), listing: Some(listing) }
            .with("Sum", Quantity::Time(value))
            .with("Completed jobs of the user", Quantity::Count(f64::from(self.histories[*user].jobs())))
            .with("Running jobs of the user", Quantity::Count(self.histories[*user].running() as f64))
            .capped(value.abs(), request.limit)
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
    use super::*;

    #[test]
    fn estimates_stay_between_a_second_and_the_request() {
        assert_eq!(estimate(0.0, 100), 1.0);
        assert_eq!(estimate(-57.9, 100), 57.0);
        assert_eq!(estimate(1e9, 100), 100.0);
        assert_eq!(estimate(f64::NAN, 100), 1.0);
    }

    #[test]
    fn it_begins_with_a_second_and_learns() {
        let mut learner = Learner::new("cvh:rate=5,lambda=0,over=absolute");
        assert_eq!(learner.run(&request(), 500), 1.0);
        let estimates: Vec<f64> = (0..300).map(|_| learner.run(&request(), 500)).collect();
        let error = |estimates: &[f64]| estimates.iter().map(|e| (e - 500.0).abs()).sum::<f64>();
        assert!(error(&estimates[200..]) < error(&estimates[..100]), "{estimates:?}");
    }

    #[test]
    fn a_block_is_estimated_as_job_by_job() {
        let mut learner = Learner::new("cvh");
        for run in [300, 20, 700] {
            learner.run(&request(), run);
        }
        let limits = 100..117;
        let waiting: Vec<JobId> = limits.map(|limit| learner.submit(&Request { limit, ..request() }).0).collect();
        learner.run(&request(), 400);
        let mut together = vec![0.0; 40];
        learner.estimator.revise(&waiting, learner.now, &mut together);
        for job in waiting {
            let mut alone = vec![0.0; 40];
            learner.estimator.revise(&[job], learner.now, &mut alone);
            assert_eq!(alone[job.index()], together[job.index()]);
        }
    }
}
