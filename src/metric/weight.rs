//! Priority weights p of jobs: how much the work of some jobs matters compared with others (METRICS §IV).
//!
//! METRICS names two kinds of priority. Priority for long waits is the exponent a of PᵃSF. Priority for important
//! projects is a factor p on a job's weight: Σ p r D F / Σ p r D in AWF, and p times the weight of each unit of
//! computation in PᵃSF. Logs do not tell p, so a person gives it, for users, accounts, queues or any other group of
//! jobs.

use super::{CountedGroup, Outcome};
use crate::workload::{Clock, Header, Workload};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The priority weight p of a group's jobs (METRICS §IV).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupWeight {
    pub group: CountedGroup,
    /// The weight p of its jobs: 1 is the weight of every other job; with 0 they do not count.
    pub weight: f64,
}

impl GroupWeight {
    /// Reads several weights, as in `user=ann:3, queue=2:0.5`. Names are those of the log's header.
    ///
    /// # Errors
    /// A message for a person on what is allowed.
    pub fn read_all(text: &str, header: &Header) -> Result<Vec<Self>, String> {
        let parts = text.split([',', ';', '\n']).map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| Self::read(part, header)).collect()
    }

    fn read(text: &str, header: &Header) -> Result<Self, String> {
        // A name may contain a colon.
        let parts = text.rsplit_once(':').and_then(|(group, weight)| Some((group, weight.trim().parse().ok()?)));
        let (group, weight) = parts.ok_or("a group, a colon and its weight, as in user=ann:3")?;
        Ok(GroupWeight { group: CountedGroup::read(group, header)?, weight })
    }
}

/// The text form, which [`GroupWeight::read_all`] reads.
impl fmt::Display for GroupWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.group, self.weight)
    }
}

/// The weight p of each of `jobs`, which are jobs of `workload`: the product of the weights of all its groups, or 1
/// where it is in none.
pub(super) fn weights_of(workload: &Workload, jobs: &[Outcome], weights: &[GroupWeight]) -> Vec<f64> {
    let clock = Clock::of_workload(workload);
    let of = |job: &Outcome| {
        let (request, run) = (workload.request(job.job), workload.run(job.job));
        let of_job = weights.iter().filter(|of| of.group.has(request, run, &clock)).map(|of| of.weight);
        of_job.fold(1.0, |product, weight| product * weight)
    };
    jobs.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Measure;

    #[test]
    fn a_measure_comes_back_from_a_worker_and_from_a_file() {
        let weights = GroupWeight::read_all("user=3:0.5, width=64:0", &Header::default()).unwrap();
        for measure in [Measure::default(), Measure { weights, ..Measure::default() }] {
            // Something behind it would show a field that was left out.
            let bytes = postcard::to_stdvec(&(&measure, 7_u8)).unwrap();
            assert_eq!(postcard::from_bytes::<(Measure, u8)>(&bytes).unwrap(), (measure.clone(), 7));
            let text = serde_json::to_string(&measure).unwrap();
            assert_eq!(serde_json::from_str::<Measure>(&text).unwrap(), measure);
            assert_eq!(
                text.contains("weights"),
                !measure.weights.is_empty(),
                "studies without have the text of before"
            );
        }
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        let labels = [("User", "3 ann"), ("Queue", "1 a:b")].map(|(label, name)| (label.to_owned(), name.to_owned()));
        let header = Header { labels: labels.into() };
        let weights = GroupWeight::read_all("user=ann:3, queue=a:b:0.5; width=64:0", &header).unwrap();
        let written: Vec<String> = weights.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["user=3:3", "queue=1:0.5", "width=33:0"]);
        assert_eq!(GroupWeight::read_all(&written.join(", "), &header), Ok(weights));
        assert_eq!(GroupWeight::read_all(" ", &header), Ok(Vec::new()));
        for wrong in ["user=ann", "user=ann:", "user=ann:much", "user=bob:2", "3", "user=ann:3:queue=1"] {
            assert!(GroupWeight::read_all(wrong, &header).is_err(), "{wrong}");
        }
    }
}
