//! Run-time estimators: they predict a job's run time from what was known at the time.
//!
//! Source: METRICS §VI. There is one file for each method. An estimator is told of submissions, starts and completions
//! as they happen, in the order of the simulation.

mod actual;
mod catalogue;
mod cvh;
mod external;
mod hierarchy;
mod last2;
mod requested;
mod sp;
mod survival;
pub use catalogue::{Estimate, Estimators, FAMILIES, K_RANGE, Method, PRESETS};
pub use requested::Requested;

use packfair_base::catalogue::{Entry, Settings};
use packfair_workload::{JobId, Request, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Predicts run times, and learns from completed jobs.
pub trait Estimator {
    /// The estimate E of a job submitted at `now`: seconds, above 0.
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64;

    /// Whether it learns from jobs that start and complete.
    fn learns(&self) -> bool {
        true
    }

    /// The estimates of all jobs, in log order, each as at its submission. Called once, and only if the estimator does
    /// not learn.
    ///
    /// The method is compiled for each estimator, which saves a dynamic call for every job.
    fn foresee(&mut self, workload: &Workload) -> Vec<f64> {
        let jobs = workload.jobs().map(|job| (job, workload.request(job)));
        jobs.map(|(job, request)| self.estimate(job, request, request.submit)).collect()
    }

    /// When the estimates of waiting jobs may change.
    fn revision(&self) -> Revision {
        Revision::Never
    }

    /// Estimates the jobs of `waiting` anew at `now`, and writes each E at the job's index in log order. Returns
    /// whether any estimate has changed.
    ///
    /// Each of these jobs was given to [`Estimator::estimate`] and has not started; `estimates` holds its latest
    /// estimate. Called only if [`Estimator::revision`] is not [`Revision::Never`].
    fn revise(&mut self, _waiting: &[JobId], _now: Seconds, _estimates: &mut [f64]) -> bool {
        false
    }

    /// Adds to `revised` each running job whose estimate at `now` differs from that of the last call, with its expected
    /// whole run time E, given how long it has run.
    ///
    /// Called only if [`Estimator::revision`] is [`Revision::WithTime`].
    fn revise_running(&mut self, _now: Seconds, _revised: &mut Vec<(JobId, f64)>) {}

    /// Explains the estimate of a job that has just been submitted at `now`.
    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation;

    /// Learns that a job starts. Called only if the estimator learns.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// Learns that a job completes after `run` seconds. Called only if the estimator learns.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// Learns that a running job is killed and waits again. Nothing is learned from the killed execution's run time.
    /// Called only if the estimator learns.
    fn killed(&mut self, _job: JobId, _request: &Request, _now: Seconds) {}

    /// A copy that goes on learning by itself.
    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b;
}

/// When an estimator may change the estimate of a waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    Never,
    /// Once another job has completed.
    AfterCompletions,
    WithTime,
}

/// Limits a learned estimate to at least a second and at most the requested time.
fn within(estimate: f64, limit: Seconds) -> f64 {
    estimate.min(limit as f64).max(1.0)
}

/// Sets the estimate of a waiting job. Returns whether it has changed.
fn note(estimate: f64, job: JobId, estimates: &mut [f64]) -> bool {
    std::mem::replace(&mut estimates[job.index()], estimate) != estimate
}

fn note_each(waiting: &[JobId], estimates: &mut [f64], estimate: impl Fn(JobId) -> f64) -> bool {
    let mut is_new = false;
    for &job in waiting {
        is_new |= note(estimate(job), job, estimates);
    }
    is_new
}

// What a family of estimators tells the catalogue about itself.

/// A family of estimators: a way of estimating, and its parameters.
#[derive(Clone, Copy, Debug)]
pub struct EstimatorFamily {
    /// The description for a person, with the parameters.
    pub entry: Entry,
    pub learns: bool,
}

/// A family and its algorithm.
#[derive(Debug)]
pub struct EstimatorImplementation {
    /// The description for a person, with the parameters.
    pub entry: Entry,
    pub learns: bool,
    /// Makes an estimator that has seen no jobs yet.
    pub build: for<'a> fn(&Settings, &'a Workload) -> Box<dyn Estimator + 'a>,
}

impl EstimatorImplementation {
    /// The family without its algorithm.
    pub const fn family(&self) -> EstimatorFamily {
        EstimatorFamily { entry: self.entry, learns: self.learns }
    }
}

// Why an estimator gives a job its estimate.

/// Why an estimator gives a job its estimate, in the estimator's own words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// How the estimate was made, in sentences.
    pub how: String,
    pub facts: Vec<(String, Quantity)>,
    /// Values of one kind that it rests on, as a table.
    pub listing: Option<Listing>,
}

/// A table of values of one kind that an estimate rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    pub title: String,
    pub headings: Vec<String>,
    /// One row for each value, as long as `headings`.
    pub rows: Vec<Vec<Quantity>>,
    /// The row from which the estimate was made, if it is a single row.
    pub used: Option<usize>,
}

/// A value and its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Quantity {
    /// A span of time, seconds.
    Time(f64),
    /// A number of things; with decay it need not be whole.
    Count(f64),
    /// A part of a whole, 1 for all of it.
    Share(f64),
    /// A number without unit.
    Number(f64),
    Text(String),
    Unknown,
}

impl Quantity {
    fn seconds(seconds: Seconds) -> Self {
        Quantity::Time(seconds as f64)
    }
}

impl Explanation {
    /// An explanation that needs only words.
    fn in_words(how: impl Into<String>) -> Self {
        Explanation { how: how.into(), ..Explanation::default() }
    }

    /// Adds a fact.
    fn with(mut self, name: impl Into<String>, value: Quantity) -> Self {
        self.facts.push((name.into(), value));
        self
    }

    /// Adds that an estimate of `value` seconds is cut to the requested time, if it is.
    fn capped(mut self, value: f64, limit: Seconds) -> Self {
        if value > limit as f64 {
            self.how.push_str(" That is more than the requested time, which is taken instead.");
        } else if value < 1.0 {
            self.how.push_str(" An estimate is a second at least.");
        }
        self
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::testing::{Learner, request};
    use super::*;
    use packfair_workload::Request;

    /// The explanation for a job after three similar ones of 300, 500 and 400 s.
    fn explained(method: &str) -> Explanation {
        let mut learner = Learner::new(method);
        for run in [300, 500, 400] {
            learner.run(&request(), run);
        }
        learner.explain(&request())
    }

    fn fact<'a>(explanation: &'a Explanation, name: &str) -> &'a Quantity {
        &explanation.facts.iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("{explanation:?}")).1
    }

    #[test]
    fn last2_tells_the_jobs_that_it_averages() {
        let explanation = explained("last2");
        assert_eq!(fact(&explanation, "Mean"), &Quantity::Time(450.0));
        let rows = explanation.listing.unwrap().rows;
        assert_eq!(rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>(), [400.0, 500.0].map(Quantity::Time));
    }

    #[test]
    fn hierarchy_tells_its_groups_and_which_one_it_used() {
        let mut learner = Learner::new("hierarchy");
        learner.run(&request(), 300);
        learner.run(&Request { processors: 7, ..request() }, 500);
        let explanation = learner.explain(&Request { processors: 3, ..request() });
        let listing = explanation.listing.clone().unwrap();
        assert_eq!((listing.rows.len(), listing.used), (15, Some(1)));
        assert_eq!(listing.rows[1][0], Quantity::Text("executable, user, L".to_owned()));
        assert_eq!(listing.rows[1][1], Quantity::Count(2.0));
        assert_eq!(listing.rows[0][1..], [Quantity::Count(0.0), Quantity::Unknown, Quantity::Unknown]);
        // (500 + 0.8 * 300) / 1.8
        assert_eq!(fact(&explanation, "Says"), &Quantity::Time(740.0 / 1.8));
    }

    #[test]
    fn what_is_said_is_the_estimate() {
        let said = [("last2", "Mean"), ("hierarchy", "Says"), ("sp4", "Threshold"), ("cvh", "Sum")];
        for (method, name) in said {
            let mut learner = Learner::new(method);
            for run in [300, 500, 400, 450, 380, 410] {
                learner.run(&request(), run);
            }
            let explanation = learner.explain(&request());
            let Quantity::Time(value) = *fact(&explanation, name) else { panic!("{explanation:?}") };
            let estimate = learner.estimate(&request());
            assert!((value.abs().min(1_000.0) - estimate).abs() <= 1.0, "{method}: {estimate}, {explanation:?}");
        }
    }

    #[test]
    fn survival_tells_the_probabilities_and_which_run_time_it_took() {
        let listing = explained("survival:x=50,decay=0").listing.unwrap();
        let shares: Vec<Quantity> = [2.0 / 3.0, 1.0 / 3.0, 0.0].map(Quantity::Share).to_vec();
        assert_eq!(listing.rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>(), shares);
        assert_eq!(listing.used, Some(1));
    }

    #[test]
    fn those_that_know_nothing_say_so() {
        for method in ["last2", "hierarchy", "sp2", "survival"] {
            let explanation = Learner::new(method).explain(&request());
            assert!(explanation.how.contains("requested time is taken"), "{method}: {}", explanation.how);
        }
    }
}
