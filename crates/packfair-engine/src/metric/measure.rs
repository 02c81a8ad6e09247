//! The parameters of metrics.

use super::{Counted, CountedGroup, CountedJobs, Outcome};
use crate::power::PowerSeries;
use packfair_workload::{Clock, Header, JobId, UnitText, Workload};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// The parameters of metrics.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Measure {
    pub counted: Counted,
    /// The group whose jobs count; `None` for all jobs.
    pub only: Option<CountedGroup>,
    /// Bound τ of the bounded slowdown, seconds: 10 in METRICS and CP, 60 in CLASSIFY.
    pub bsld_bound: f64,
    /// Exponent a of PᵃSF, at least 0.
    pub alpha: f64,
    /// p of the l_p norm, at least 1.
    pub norm: f64,
    /// Bound τ of the width-weighted slowdown, seconds: 60 or 300 in DYNP.
    pub sldww_bound: f64,
    /// Priority weights p of groups of jobs, in AWF, AWQ and PᵃSF (METRICS §IV). Empty: all jobs have the same weight.
    pub weights: Vec<GroupWeight>,
    /// The price of a MWh over time.
    pub prices: Option<Box<PowerSeries>>,
    /// How many grams of CO2 a kWh emits over time.
    pub intensity: Option<Box<PowerSeries>>,
}

impl Serialize for Measure {
    /// As a derived implementation, except that human-readable formats (study files, links) leave out an empty list of
    /// weights and series that there are not, so that the text of older studies does not change. Messages between page
    /// and workers contain all fields, because fields have no names there.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Measure { counted, only, bsld_bound, alpha, norm, sldww_bound, weights, prices, intensity } = self;
        let is_text = serializer.is_human_readable();
        let tells_weights = !is_text || !weights.is_empty();
        let (tells_prices, tells_intensity) = (!is_text || prices.is_some(), !is_text || intensity.is_some());
        let told = [tells_weights, tells_prices, tells_intensity].map(usize::from).iter().sum::<usize>();
        let mut fields = serializer.serialize_struct("Measure", 6 + told)?;
        fields.serialize_field("counted", counted)?;
        fields.serialize_field("only", only)?;
        fields.serialize_field("bsld_bound", bsld_bound)?;
        fields.serialize_field("alpha", alpha)?;
        fields.serialize_field("norm", norm)?;
        fields.serialize_field("sldww_bound", sldww_bound)?;
        if tells_weights {
            fields.serialize_field("weights", weights)?;
        }
        if tells_prices {
            fields.serialize_field("prices", prices)?;
        }
        if tells_intensity {
            fields.serialize_field("intensity", intensity)?;
        }
        fields.end()
    }
}

impl Default for Measure {
    fn default() -> Self {
        Measure {
            counted: Counted::Metrics,
            only: None,
            bsld_bound: 10.0,
            alpha: 2.0,
            norm: 2.0,
            sldww_bound: 60.0,
            weights: Vec::new(),
            prices: None,
            intensity: None,
        }
    }
}

impl Measure {
    pub fn jobs(&self) -> CountedJobs {
        CountedJobs { counted: self.counted, only: self.only }
    }
}

// What is said of a metric.

/// The better direction of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Less is better.
    Low,
    /// More is better.
    High,
    /// Neither direction is better.
    None,
}

/// The description of a metric for a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Stable id, also the key in JSON and the heading in CSV.
    pub id: &'static str,
    /// Short name, as a table's heading.
    pub name: &'static str,
    pub help: UnitText,
    pub formula: &'static str,
    /// Unit: "s", "jobs" and so on; "" for ratios.
    pub unit: &'static str,
    /// The better direction.
    pub aim: Aim,
    /// Paper and section.
    pub source: &'static str,
}

// The positions of the jobs that count among each other, by their places in the log.

/// The position of each job of a workload among some of its jobs.
pub(super) struct Places(Vec<u32>);

/// The position of a job that is not among them.
const ABSENT: u32 = u32::MAX;

impl Places {
    /// The positions of `jobs`, which are jobs of `workload`.
    pub(super) fn of(workload: &Workload, jobs: &[Outcome]) -> Self {
        let mut places = vec![ABSENT; workload.len()];
        for (job, place) in jobs.iter().zip(0..) {
            places[job.job.index()] = place;
        }
        Places(places)
    }

    /// The position of a job; `None` if it is not among them.
    pub(super) fn of_job(&self, job: JobId) -> Option<usize> {
        let place = self.0[job.index()];
        (place != ABSENT).then_some(place as usize)
    }
}

// Priority weights p of jobs: how much the work of some jobs matters compared with others (METRICS §IV).
//
// METRICS names two kinds of priority. Priority for long waits is the exponent a of PᵃSF. Priority for important
// projects is a factor p on a job's weight: Σ p r D F / Σ p r D in AWF, and p times the weight of each unit of
// computation in PᵃSF. Logs do not tell p, so a person gives it, for users, accounts, queues or any other group of
// jobs.

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
