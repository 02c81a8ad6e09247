//! Why an estimator gives a job its estimate.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

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
    pub(super) fn seconds(seconds: Seconds) -> Self {
        Quantity::Time(seconds as f64)
    }
}

impl Explanation {
    /// An explanation that needs only words.
    pub(super) fn in_words(how: impl Into<String>) -> Self {
        Explanation { how: how.into(), ..Explanation::default() }
    }

    /// Adds a fact.
    pub(super) fn with(mut self, name: impl Into<String>, value: Quantity) -> Self {
        self.facts.push((name.into(), value));
        self
    }

    /// Adds that an estimate of `value` seconds is cut to the requested time, if it is.
    pub(super) fn capped(mut self, value: f64, limit: Seconds) -> Self {
        if value > limit as f64 {
            self.how.push_str(" That is more than the requested time, which is taken instead.");
        } else if value < 1.0 {
            self.how.push_str(" An estimate is a second at least.");
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};
    use super::*;
    use crate::workload::Request;

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
