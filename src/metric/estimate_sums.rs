//! How good the estimates made at submission were, computed in one pass over the jobs. [`estimates`](super::estimates)
//! defines the metrics one by one; here the terms and their order are the same, so every digit is too.

use super::Outcome;
use super::sum::{Sum, Sums, ratio};
use crate::model::Schedule;

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

#[cfg(test)]
mod tests {
    use super::super::estimates;
    use super::*;
    use crate::study::testing::workload;

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
