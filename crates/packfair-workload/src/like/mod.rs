//! Workloads made from a log (DYNP §4): any number of jobs that arrive like the log's and are like them.
//!
//! The share of gaps of 0 s between submissions is the log's; the other gaps follow a Weibull law. Every job is a copy
//! of one of the log's.

mod analysis;

pub use analysis::{
    Analysis, Combination, GapShare, JointClass, NoFit, OF_DYNP, TimeExtent, Weibull, WeibullFit, combinations,
    gap_shares, gaps,
};

use super::lublin::{fingerprint, rigid};
use super::{Account, Beyond, Header, JobId, Log, Names, Record, Request, Seconds, Workload};
use packfair_base::random::Random;
use serde::{Deserialize, Serialize};

/// The shapes of the Weibull law that can be set.
pub const ALPHA_RANGE: std::ops::RangeInclusive<f64> = 0.05..=20.0;

/// The scales of the Weibull law that can be set, seconds.
pub const BETA_RANGE: std::ops::RangeInclusive<f64> = 0.001..=1e9;

/// The shares of gaps of 0 s that can be set.
pub const P0_RANGE: std::ops::RangeInclusive<f64> = 0.0..=1.0;

/// The longest time between two submissions, seconds: ten years. Extreme laws would exceed what a clock can show.
const LONGEST: f64 = 315_360_000.0;

/// How jobs follow each other. Settings that are none are those of the log, by maximum likelihood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrivals {
    /// Shape of the Weibull law of gaps above 0.
    pub alpha: Option<f64>,
    /// Scale of the Weibull law, seconds.
    pub beta: Option<f64>,
    /// Share of gaps of 0 s.
    pub p0: Option<f64>,
}

/// Why no workload can be made from a log.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LikeError {
    #[error("the log has no job to draw from")]
    NoJobs,
    #[error("{0}")]
    NoFit(#[from] NoFit),
    #[error("{what} is {given}; it must be from {from} to {to}")]
    Range {
        /// The setting: alpha, beta or p0.
        what: &'static str,
        given: f64,
        /// The least value.
        from: f64,
        to: f64,
    },
}

impl Arrivals {
    /// The share of gaps of 0 s, and the law of the others.
    fn of(self, workload: &Workload) -> Result<(f64, Weibull), LikeError> {
        self.check()?;
        let own = gaps(workload);
        let law = match (self.alpha, self.beta) {
            (Some(alpha), Some(beta)) => Weibull { alpha, beta },
            (alpha, beta) => {
                let Weibull { alpha: fitted_alpha, beta: fitted_beta } = Weibull::fit(&own)?.law;
                Weibull { alpha: alpha.unwrap_or(fitted_alpha), beta: beta.unwrap_or(fitted_beta) }
            }
        };
        let zero_gaps = own.first().filter(|(gap, _)| *gap == 0).map_or(0, |&(_, times)| times);
        let p0 = self.p0.unwrap_or(zero_gaps as f64 / workload.len() as f64);
        Ok((p0, law))
    }

    /// Checks that the settings are in range.
    ///
    /// # Errors
    /// The first setting that is out of range.
    pub fn check(self) -> Result<(), LikeError> {
        let settings = [("alpha", self.alpha, ALPHA_RANGE), ("beta", self.beta, BETA_RANGE), ("p0", self.p0, P0_RANGE)];
        for (what, given, range) in settings {
            if let Some(given) = given.filter(|given| !range.contains(given)) {
                return Err(LikeError::Range { what, given, from: *range.start(), to: *range.end() });
            }
        }
        Ok(())
    }
}

/// How to make a workload that is like another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Likeness {
    pub jobs: u32,
    pub seed: u64,
    #[serde(default)]
    pub arrivals: Arrivals,
}

struct LikenessDraw {
    p0: f64,
    law: Weibull,
    /// Submit times, and the jobs of the other workload that are repeated then, as indices in log order.
    jobs: Vec<(Seconds, usize)>,
}

impl Likeness {
    /// Draws jobs of `workload`. The result is the same on every machine.
    ///
    /// For each job in turn: a gap, of 0 s with probability p0, otherwise of the Weibull law, rounded half up and at
    /// least a second (the first job is submitted at 0); then one of the workload's jobs, each with the same
    /// probability.
    fn draw(&self, workload: &Workload) -> Result<LikenessDraw, LikeError> {
        if workload.is_empty() {
            return Err(LikeError::NoJobs);
        }
        let (p0, law) = self.arrivals.of(workload)?;
        let mut random = Random::seeded(self.seed);
        let mut submit: Seconds = 0;
        let draw = |index| {
            if index > 0 {
                submit += draw_gap(p0, law, &mut random);
            }
            (submit, (random.uniform() * workload.len() as f64) as usize) // less than the number of jobs
        };
        Ok(LikenessDraw { p0, law, jobs: (0..self.jobs).map(draw).collect() })
    }

    /// The log of jobs that are like those of `workload`. It is the same on every machine.
    ///
    /// Each job has the width, requested and run time of a job that was drawn, so the three come from their joint
    /// distribution. Nothing else is known of the jobs.
    ///
    /// # Errors
    /// If the workload has no jobs, no law is given and none fits its gaps, or settings are out of range.
    pub fn log(&self, workload: &Workload) -> Result<Log, LikeError> {
        let drawn = self.draw(workload)?;
        let header = self.header(workload, &drawn);
        let first_line = header.labels.len() as u32 + 1;
        let record = |(index, &(submit, job)): (u32, &(Seconds, usize))| {
            let (request, run) = (&workload.requests()[job], workload.runs()[job]);
            let width = i32::try_from(request.processors).unwrap_or(i32::MAX);
            Record { line: first_line + index, ..rigid(i64::from(index) + 1, submit, run, width, request.limit) }
        };
        let records: Vec<Record> = (0..).zip(&drawn.jobs).map(record).collect();
        let fingerprint = fingerprint(&header, &records);
        Ok(Log {
            name: self.name(workload),
            header,
            records,
            account: Account::default(),
            fingerprint,
            names: Names::default(),
            beyond: Beyond::default(),
            external: Vec::new(),
            own_zero: 0,
            site: None,
            is_table: false,
        })
    }

    /// The workload of jobs that are like those of `workload`: that of [`Likeness::log`], but each job's record is that
    /// of the job that it repeats.
    ///
    /// # Errors
    /// As for [`Likeness::log`].
    pub fn workload(&self, workload: &Workload) -> Result<Workload, LikeError> {
        let drawn = self.draw(workload)?;
        let mut made = Workload::empty(self.name(workload), workload.machine, self.header(workload, &drawn));
        made.account = workload.account.clone();
        for (number, &(submit, job)) in (1..).zip(&drawn.jobs) {
            let job = JobId(job as u32);
            let Request { processors, limit, .. } = *workload.request(job);
            let (user, group, executable, queue, partition) = (-1, -1, -1, -1, -1);
            let request = Request { number, submit, processors, limit, user, group, executable, queue, partition };
            made.push(request, workload.run(job), -1, workload.record(job) as u32);
        }
        Ok(made)
    }

    fn name(&self, workload: &Workload) -> String {
        format!("{} jobs like {}, seed {}", self.jobs, workload.name, self.seed)
    }

    fn header(&self, workload: &Workload, drawn: &LikenessDraw) -> Header {
        let LikenessDraw { p0, law: Weibull { alpha, beta }, .. } = drawn;
        let name: String = workload.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let note = format!(
            "generated by Packfair from {name}, as Streit (2002) does: Weibull alpha {alpha}, beta {beta} s, \
             gaps of 0 s with probability {p0}, seed {}",
            self.seed
        );
        let jobs = self.jobs.to_string();
        let labels = [
            ("Version", "2.2"),
            ("MaxJobs", &jobs),
            ("MaxRecords", &jobs),
            ("MaxProcs", &workload.machine.processors.to_string()),
            ("Note", &note),
        ];
        Header { labels: labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec() }
    }
}

fn draw_gap(p0: f64, law: Weibull, random: &mut Random) -> Seconds {
    if random.uniform() < p0 {
        return 0;
    }
    let gap = law.quantile(random.uniform());
    ((gap + 0.5).floor().min(LONGEST) as Seconds).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::{Cleaning, Filter, clean};

    fn like(workload: &Workload, jobs: u32, seed: u64, arrivals: Arrivals) -> Result<Log, LikeError> {
        Likeness { jobs, seed, arrivals }.log(workload)
    }

    fn workload() -> Workload {
        let jobs: Vec<_> = (0..50).map(|i| (i * i / 3, 1 + i as u32 % 4, 10 + i, 60 + 60 * (i % 3))).collect();
        testing::jobs(8, &jobs)
    }

    #[test]
    fn jobs_are_the_workload_s_own() {
        let workload = workload();
        let log = like(&workload, 500, 3, Arrivals::default()).unwrap();
        assert_eq!((log.records.len(), log.records[0].submit), (500, 0));
        assert!(log.records.is_sorted_by_key(|record| record.submit));
        let known = combinations(&workload);
        for record in &log.records {
            let is_it = |known: &&Combination| {
                (known.width as i32, known.requested, known.run)
                    == (record.requested, record.requested_time, record.run)
            };
            assert!(known.iter().any(|known| is_it(&known)), "{record:?}");
        }
        assert_eq!(log.header.positive("MaxProcs"), Some(8));
    }

    #[test]
    fn numbers_are_drawn_in_their_order() {
        let law = Weibull { alpha: 0.5, beta: 100.0 };
        let arrivals = Arrivals { alpha: Some(0.5), beta: Some(100.0), p0: Some(0.25) };
        let (workload, log) = (workload(), like(&workload(), 40, 9, arrivals).unwrap());
        let mut random = Random::seeded(9);
        let mut submit = 0;
        for (i, record) in log.records.iter().enumerate() {
            if i > 0 && random.uniform() >= 0.25 {
                submit += ((law.beta * libm::pow(-libm::log(1.0 - random.uniform()), 2.0) + 0.5) as Seconds).max(1);
            }
            let drawn = (random.uniform() * 50.0) as usize;
            assert_eq!((record.submit, record.run), (submit, workload.runs()[drawn]));
        }
    }

    #[test]
    fn the_workload_is_that_of_the_log() {
        let likeness = Likeness { jobs: 200, seed: 4, arrivals: Arrivals::default() };
        let log = likeness.log(&workload()).unwrap();
        let read = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
        let made = likeness.workload(&workload()).unwrap();
        assert_eq!((made.requests(), made.runs()), (read.requests(), read.runs()));
        assert_eq!((made.name.as_str(), &made.header), (read.name.as_str(), &read.header));
        assert_eq!(made.machine.processors, read.machine.processors);
    }

    #[test]
    fn a_law_that_is_given_needs_no_fit() {
        let one = testing::jobs(8, &[(5, 2, 10, 60)]);
        assert_eq!(like(&one, 5, 1, Arrivals::default()), Err(LikeError::NoFit(NoFit { distinct: 0 })));
        let given = Arrivals { alpha: Some(0.35), beta: Some(200.0), p0: None };
        assert_eq!(like(&one, 5, 1, given).unwrap().records.len(), 5);
        assert_ne!(like(&one, 5, 1, given).unwrap().fingerprint, like(&one, 5, 2, given).unwrap().fingerprint);
        assert_eq!(like(&testing::jobs(8, &[]), 5, 1, given), Err(LikeError::NoJobs));
    }

    #[test]
    fn what_is_out_of_range_is_said() {
        let message = |arrivals| like(&workload(), 5, 1, arrivals).unwrap_err().to_string();
        let alpha = Arrivals { alpha: Some(0.0), ..Arrivals::default() };
        assert_eq!(message(alpha), "alpha is 0; it must be from 0.05 to 20");
        let p0 = Arrivals { p0: Some(f64::NAN), ..Arrivals::default() };
        assert_eq!(message(p0), "p0 is NaN; it must be from 0 to 1");
    }

    #[test]
    fn all_at_once_and_the_wildest_law_are_logs() {
        let once = Arrivals { p0: Some(1.0), ..Arrivals::default() };
        assert!(like(&workload(), 100, 1, once).unwrap().records.iter().all(|record| record.submit == 0));
        let wild = Arrivals { alpha: Some(0.05), beta: Some(1e9), p0: Some(0.0) };
        let records = like(&workload(), 100, 1, wild).unwrap().records;
        assert!(records.windows(2).all(|pair| (1..=315_360_000).contains(&(pair[1].submit - pair[0].submit))));
    }
}
