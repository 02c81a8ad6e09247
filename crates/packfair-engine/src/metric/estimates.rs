//! How good the estimates made at submission were. Jobs without an estimate do not count.

use super::line::POINTS;
use super::sums::{Sum, Sums, mean, ratio, sum};
use super::{CountedJobs, Line, Outcome, outcomes};
use crate::model::Schedule;
use packfair_workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A job with an estimate, and its outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimatedJob {
    pub outcome: Outcome,
    /// The estimate E made at submission, seconds.
    pub estimate: f64,
    /// How often the estimate was corrected while the job ran.
    pub corrections: u32,
}

impl EstimatedJob {
    /// Actual run time D, seconds.
    pub(super) fn run(&self) -> f64 {
        self.outcome.run as f64
    }
}

/// Those of `jobs` that have an estimate. In a log's own schedule no job has one.
pub fn estimated(jobs: &[Outcome], schedule: &Schedule) -> Vec<EstimatedJob> {
    let of = |outcome: &Outcome| {
        let job = outcome.job.index();
        let corrections = schedule.corrections.get(job).copied().unwrap_or(0);
        Some(EstimatedJob { outcome: *outcome, estimate: *schedule.estimates.get(job)?, corrections })
    };
    jobs.iter().filter_map(of).collect()
}

/// Coefficient of determination R² = 1 - Σ (E - D)² / Σ (D - mean D)² (METRICS Table IV); `None` where all run times
/// are the same.
pub fn r_squared(jobs: &[EstimatedJob]) -> Option<f64> {
    let middle = mean(jobs.iter().map(EstimatedJob::run))?;
    let square = |x: f64| x * x;
    let error = sum(jobs.iter().map(|job| square(job.estimate - job.run())));
    Some(1.0 - ratio(error, sum(jobs.iter().map(|job| square(job.run() - middle))))?)
}

/// Mean absolute error, mean |E - D|, seconds (METRICS §VI).
pub fn mean_absolute_error(jobs: &[EstimatedJob]) -> Option<f64> {
    mean(jobs.iter().map(|job| (job.estimate - job.run()).abs()))
}

/// Share of jobs whose estimate at submission was below their run time, E < D (METRICS §VI).
pub fn under_rate(jobs: &[EstimatedJob]) -> Option<f64> {
    mean(jobs.iter().map(|job| f64::from(u8::from(job.estimate < job.run()))))
}

/// Number of corrections of estimates; `None` if there are no estimates.
pub fn corrections(jobs: &[EstimatedJob]) -> Option<f64> {
    let counts = jobs.iter().map(|job| u64::from(job.corrections));
    counts.reduce(|a, b| a + b).map(|count| count as f64)
}

// The same in one pass over the jobs. The terms and their order are those of the functions above, so every digit is too.

pub(super) struct EstimateSums {
    jobs: f64,
    mean_run: Option<f64>,
    /// Σ |E − D| and Σ (E − D)².
    errors: [f64; 2],
    /// Σ (D − mean D)².
    variance: f64,
    /// Jobs whose estimate was below their run time.
    under: u64,
    corrections: u64,
}

impl EstimateSums {
    /// Sums over these jobs; jobs without an estimate do not count.
    pub(super) fn of(jobs: &[Outcome], schedule: &Schedule) -> Self {
        let estimate_of = |job: &Outcome| schedule.estimates.get(job.job.index()).copied();
        let (mut count, mut under, mut corrections) = (0_u64, 0, 0);
        let mut sums = Sums::<3>::default();
        for (job, estimate) in jobs.iter().filter_map(|job| Some((job, estimate_of(job)?))) {
            let run = job.run as f64;
            let error = estimate - run;
            sums.add([run, error.abs(), error * error]);
            count += 1;
            under += u64::from(estimate < run);
            corrections += u64::from(schedule.corrections.get(job.job.index()).copied().unwrap_or(0));
        }
        let [runs, absolute, squared] = sums.values();
        let mean_run = ratio(runs, count as f64);
        let mut variance = Sum::default();
        if let Some(middle) = mean_run {
            for job in jobs.iter().filter(|job| estimate_of(job).is_some()) {
                let beyond = job.run as f64 - middle;
                variance.add(beyond * beyond);
            }
        }
        let (jobs, errors, variance) = (count as f64, [absolute, squared], variance.value());
        EstimateSums { jobs, mean_run, errors, variance, under, corrections }
    }

    /// [`r_squared`](super::estimates::r_squared).
    pub(super) fn r_squared(&self) -> Option<f64> {
        self.mean_run?;
        Some(1.0 - ratio(self.errors[1], self.variance)?)
    }

    /// [`mean_absolute_error`](super::estimates::mean_absolute_error).
    pub(super) fn mean_absolute_error(&self) -> Option<f64> {
        ratio(self.errors[0], self.jobs)
    }

    /// [`under_rate`](super::estimates::under_rate).
    pub(super) fn under_rate(&self) -> Option<f64> {
        ratio(self.under as f64, self.jobs)
    }

    /// [`corrections`](super::estimates::corrections).
    pub(super) fn corrections(&self) -> Option<f64> {
        (self.jobs > 0.0).then_some(self.corrections as f64)
    }
}

// How good a run's estimates were: by user and width, over time, and how they are distributed.

/// Number of periods of equal length into which the time of the submissions is divided.
const PERIODS: usize = 24;

/// With fewer jobs than this in a period, R² says nothing.
const ENOUGH: usize = 10;

/// Cells of the density in each factor of ten.
const CELLS: f64 = 8.0;

/// How good the estimates made at submission were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    pub all: EstimateQuality,
    /// The quality by user, most jobs first; -1 for jobs of unknown users.
    pub users: Vec<(i32, EstimateQuality)>,
    /// The quality by class of widths, given by its smallest and largest width: 1, 2, 3-4, 5-8, ... Only classes with
    /// jobs are listed.
    pub widths: Vec<((u32, u32), EstimateQuality)>,
    /// How estimates and run times are distributed together; only cells with jobs are listed.
    pub density: Vec<AccuracyCell>,
    /// Cumulative fraction of jobs against estimate over run time, E / D; run times below a second count
    /// as one.
    pub errors: Line,
    /// The quality by time of submission, in periods of equal length.
    pub periods: Vec<Period>,
}

/// The quality of the estimates of some jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EstimateQuality {
    pub jobs: usize,
    /// R² (METRICS Table IV); `None` if all run times are the same.
    pub r2: Option<f64>,
    /// Mean absolute error, seconds.
    pub mae: Option<f64>,
    /// Share of jobs that ran longer than estimated.
    pub under: Option<f64>,
    pub corrections: u64,
    /// Share of jobs whose estimate was corrected at least once.
    pub corrected: Option<f64>,
}

/// A cell of run times and estimates. Each range goes from its first value to just below its second, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccuracyCell {
    /// Actual run time.
    pub run: (f64, f64),
    pub estimate: (f64, f64),
    pub jobs: u32,
}

/// A period of time and the jobs submitted in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Period {
    /// Begin, seconds of the log's clock.
    pub from: f64,
    /// End, seconds of the log's clock.
    pub until: f64,
    /// The quality for the jobs submitted in the period; R² is only there with at least ten jobs.
    pub quality: EstimateQuality,
}

impl EstimateQuality {
    fn of(jobs: &[EstimatedJob]) -> Self {
        let corrected = jobs.iter().filter(|job| job.corrections > 0).count();
        EstimateQuality {
            jobs: jobs.len(),
            r2: r_squared(jobs).filter(|r2| r2.is_finite()),
            mae: mean_absolute_error(jobs),
            under: under_rate(jobs),
            corrections: jobs.iter().map(|job| u64::from(job.corrections)).sum(),
            corrected: (!jobs.is_empty()).then(|| corrected as f64 / jobs.len() as f64),
        }
    }
}

impl Accuracy {
    /// The accuracy of the estimates in a schedule of `workload`, over the jobs that count.
    pub fn of(workload: &Workload, schedule: &Schedule, counted: CountedJobs) -> Self {
        let jobs = estimated(&counted.of(workload, &outcomes(workload, schedule)), schedule);
        let mut users: Vec<(i32, EstimateQuality)> =
            grouped(&jobs, |job| workload.request(job.outcome.job).user).collect();
        users.sort_by_key(|(user, quality)| (std::cmp::Reverse(quality.jobs), *user));
        Accuracy {
            all: EstimateQuality::of(&jobs),
            users,
            widths: grouped(&jobs, |job| width_class(job.outcome.processors)).collect(),
            density: density(&jobs),
            errors: Line::distribution(jobs.iter().map(quotient).collect()).reduced(POINTS),
            periods: periods(&jobs),
        }
    }
}

/// The quality of each group of jobs, by key.
fn grouped<K: Ord>(
    jobs: &[EstimatedJob],
    key: impl Fn(&EstimatedJob) -> K,
) -> impl Iterator<Item = (K, EstimateQuality)> {
    let mut groups: BTreeMap<K, Vec<EstimatedJob>> = BTreeMap::new();
    for job in jobs {
        groups.entry(key(job)).or_default().push(*job);
    }
    groups.into_iter().map(|(key, jobs)| (key, EstimateQuality::of(&jobs)))
}

/// The smallest and the largest width of a width's class: 1, 2, 3-4, 5-8, ...
fn width_class(processors: u32) -> (u32, u32) {
    // For the largest widths the upper end does not fit into a u32.
    let to = processors.checked_next_power_of_two().unwrap_or(u32::MAX);
    if to <= 2 { (to, to) } else { (to / 2 + 1, to) }
}

fn quotient(job: &EstimatedJob) -> f64 {
    job.estimate / job.run().max(1.0)
}

/// The number of jobs in each cell that has any, by run time, then by estimate.
fn density(jobs: &[EstimatedJob]) -> Vec<AccuracyCell> {
    let place = |seconds: f64| (libm::log10(seconds.max(1.0)) * CELLS).floor() as i32;
    let mut cells: BTreeMap<(i32, i32), u32> = BTreeMap::new();
    for job in jobs {
        *cells.entry((place(job.run()), place(job.estimate))).or_default() += 1;
    }
    let edge = |place: i32| libm::pow(10.0, f64::from(place) / CELLS);
    let span = |place: i32| (edge(place), edge(place + 1));
    let cell =
        |((run, estimate), jobs): ((i32, i32), u32)| AccuracyCell { run: span(run), estimate: span(estimate), jobs };
    cells.into_iter().map(cell).collect()
}

fn periods(jobs: &[EstimatedJob]) -> Vec<Period> {
    // The jobs are in log order.
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else { return Vec::new() };
    let (from, length) =
        (first.outcome.submit, (last.outcome.submit - first.outcome.submit + 1) as f64 / PERIODS as f64);
    let begin = |period: usize| from as f64 + period as f64 * length;
    let place = |submit: Seconds| (((submit - from) as f64 / length) as usize).min(PERIODS - 1);
    let quality: BTreeMap<usize, EstimateQuality> = grouped(jobs, |job| place(job.outcome.submit)).collect();
    let period = |(period, mut quality): (usize, EstimateQuality)| {
        quality.r2 = quality.r2.filter(|_| quality.jobs >= ENOUGH);
        Period { from: begin(period), until: begin(period + 1), quality }
    };
    quality.into_iter().map(period).collect()
}

#[cfg(test)]
mod tests {
    use super::super::estimates;
    use super::*;
    use packfair_workload::testing::workload;

    #[test]
    fn in_one_pass_every_metric_has_the_digits_that_it_has_by_itself() {
        for count in [0_i64, 1, 2, 300] {
            let jobs: Vec<_> = (0..count).map(|i| (i, 1 + (i * i * 7_919) % 40_000, 1 + i as u32 % 8)).collect();
            let workload = workload(8, &jobs);
            let mut schedule = Schedule::of_starts(&workload, (0..count).map(|i| i * 3).collect());
            for estimated in [0, count / 2, count] {
                schedule.estimates = (0..estimated).map(|i| 0.7 + ((i * 104_729) % 50_000) as f64 / 3.0).collect();
                schedule.corrections = (0..estimated).map(|i| (i % 3) as u32).collect();
                let outcomes = super::super::outcomes(&workload, &schedule);
                let plain = estimates::estimated(&outcomes, &schedule);
                let sums = EstimateSums::of(&outcomes, &schedule);
                assert_eq!(sums.r_squared(), estimates::r_squared(&plain), "{estimated} of {count}");
                assert_eq!(sums.mean_absolute_error(), estimates::mean_absolute_error(&plain));
                assert_eq!(sums.under_rate(), estimates::under_rate(&plain));
                assert_eq!(sums.corrections(), estimates::corrections(&plain));
            }
        }
    }
}

#[cfg(test)]
mod accuracy_tests {
    use super::*;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    /// The accuracy for jobs given as (submit, processors, run time, user) on 64 processors, with these estimates and
    /// corrections.
    fn accuracy(jobs: &[(i64, u32, i64, i32)], estimates: &[f64], corrections: &[u32]) -> Accuracy {
        let line = |(number, (submit, width, run, user)): (usize, &(i64, u32, i64, i32))| {
            format!("{number} {submit} 0 {run} {width} -1 -1 {width} 9000 -1 1 {user} -1 -1 -1 -1 -1 -1\n")
        };
        let text: String = (1..).zip(jobs).map(line).collect();
        let log = reading::read("jobs.swf", text.as_bytes()).unwrap();
        let workload = clean(&log, &Filter::default(), Cleaning::Raw, Some(64)).unwrap();
        let schedule = Schedule {
            estimates: estimates.to_vec(),
            corrections: corrections.to_vec(),
            ..Schedule::of_starts(&workload, jobs.iter().map(|job| job.0).collect())
        };
        Accuracy::of(&workload, &schedule, CountedJobs { counted: crate::metric::Counted::All, only: None })
    }

    #[test]
    fn users_and_widths_are_told_apart() {
        let jobs = [(0, 1, 100, 5), (10, 3, 200, 5), (20, 4, 300, 7), (30, 2, 50, 5)];
        let accuracy = accuracy(&jobs, &[150.0, 100.0, 300.0, 50.0], &[0, 2, 0, 0]);
        assert_eq!(accuracy.all.jobs, 4);
        // The errors are 50, 100, 0 and 0; the mean run time is 162.5.
        assert_eq!((accuracy.all.mae, accuracy.all.under), (Some(37.5), Some(0.25)));
        assert_eq!((accuracy.all.corrections, accuracy.all.corrected), (2, Some(0.25)));
        let jobs_of: Vec<(i32, usize, Option<f64>)> = accuracy.users.iter().map(|(u, q)| (*u, q.jobs, q.mae)).collect();
        assert_eq!(jobs_of, [(5, 3, Some(50.0)), (7, 1, Some(0.0))]);
        let widths: Vec<((u32, u32), usize)> = accuracy.widths.iter().map(|(w, q)| (*w, q.jobs)).collect();
        assert_eq!(widths, [((1, 1), 1), ((2, 2), 1), ((3, 4), 2)]);
        assert_eq!(accuracy.users[1].1.r2, None, "one run time has no variance");
    }

    #[test]
    fn every_job_lies_in_a_cell_and_a_period() {
        let jobs: Vec<(i64, u32, i64, i32)> = (0..200).map(|i| (i * 50, 1, 1 + i * i, 1)).collect();
        let estimates: Vec<f64> = (0..200).map(|i| f64::from(1 + i * 100)).collect();
        let accuracy = accuracy(&jobs, &estimates, &[0; 200]);
        assert_eq!(accuracy.density.iter().map(|cell| cell.jobs).sum::<u32>(), 200);
        for (job, estimate) in jobs.iter().zip(&estimates) {
            let holds = |(from, to): (f64, f64), value: f64| from <= value * 1.000_001 && value <= to * 1.000_001;
            let inside = |cell: &&AccuracyCell| holds(cell.run, job.2 as f64) && holds(cell.estimate, *estimate);
            assert!(accuracy.density.iter().any(|cell| inside(&cell)), "{job:?}, {estimate}");
        }
        assert_eq!(accuracy.periods.iter().map(|period| period.quality.jobs).sum::<usize>(), 200);
        assert!(accuracy.periods.len() == PERIODS && accuracy.periods.windows(2).all(|p| p[0].until <= p[1].from));
        assert!(accuracy.periods[0].quality.r2.is_none(), "8 or 9 jobs are not enough");
        assert_eq!(accuracy.errors.y.last(), Some(&1.0));
    }

    #[test]
    fn widths_lie_between_powers_of_two() {
        let classes = [1, 2, 3, 4, 5, 8, 9, 1 << 31, u32::MAX].map(width_class);
        let last = [(9, 16), ((1 << 30) + 1, 1 << 31), ((1 << 31), u32::MAX)];
        assert_eq!(classes[..6], [(1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8)]);
        assert_eq!(classes[6..], last);
    }
}
