//! A job's features: 18 numbers, with a constant and products of two numbers.

use super::history::{CompletedJob, Load, UserHistory};
use crate::workload::{Request, Seconds};
use std::f64::consts::PI;

/// The number of features: the constant, the numbers themselves, products of two of the first [`CROSSED`], and squares.
pub(super) const FEATURES: usize = 1 + NUMBERS + CROSSED * (CROSSED - 1) / 2 + NUMBERS;

/// The number of basic numbers; all other features are products of these.
const NUMBERS: usize = 18;

/// How many of the numbers are multiplied with each other.
const CROSSED: usize = 16;

const DAY: Seconds = 86_400;
const WEEK: Seconds = 7 * DAY;

pub(super) type Features = [f64; FEATURES];

/// Computes the features of a job that is submitted at `now`, given its user's history.
pub(super) fn of(request: &Request, history: &UserHistory, now: Seconds, features: &mut Features) {
    let numbers = numbers(request, history, now);
    features[0] = 1.0;
    features[1..=NUMBERS].copy_from_slice(&numbers);
    let crossed = &numbers[..CROSSED];
    let products = crossed.iter().enumerate().flat_map(|(i, a)| crossed[i + 1..].iter().map(move |b| a * b));
    let squares = numbers.iter().map(|a| a * a);
    for (feature, value) in features[1 + NUMBERS..].iter_mut().zip(products.chain(squares)) {
        *feature = value;
    }
}

fn numbers(request: &Request, history: &UserHistory, now: Seconds) -> [f64; NUMBERS] {
    let limit = request.limit as f64;
    let last = history.last();
    let [first, second, third] = last.map(|job| job.map_or(limit, |job| seen(job, now).min(limit)));
    let (of_two, of_three) = match last.iter().flatten().count() {
        0 => (limit, limit),
        1 => (first, first),
        2 => (0.5 * (first + second), 0.5 * (first + second)),
        _ => (0.5 * (first + second), 0.33 * (first + second + third)),
    };
    let Load { jobs, processors, elapsed, longest } = history.load(now);
    let (day, week) = (angle(request.submit, DAY), angle(request.submit, WEEK));
    [
        first,
        second,
        third,
        limit,
        of_two,
        of_three,
        history.mean_run(),
        history.idle(now),
        history.relative_width(request.processors),
        processors,
        elapsed,
        jobs,
        longest,
        libm::cos(day),
        libm::sin(day),
        libm::cos(week),
        libm::sin(week),
        f64::from(request.processors),
    ]
}

pub(super) fn name(feature: usize) -> String {
    let crossed = (0..CROSSED).flat_map(|i| (i + 1..CROSSED).map(move |j| (i, j)));
    match feature.checked_sub(1) {
        None => "constant".to_owned(),
        Some(i) if i < NUMBERS => NAMES[i].to_owned(),
        Some(i) => match crossed.chain((0..NUMBERS).map(|i| (i, i))).nth(i - NUMBERS) {
            Some((i, j)) if i == j => format!("{}, squared", NAMES[i]),
            Some((i, j)) => format!("{} \u{d7} {}", NAMES[i], NAMES[j]),
            None => String::new(),
        },
    }
}

const NAMES: [&str; NUMBERS] = [
    "last run time",
    "run time before",
    "third last run time",
    "requested time",
    "mean of the last two",
    "mean of the last three",
    "mean of all",
    "time since the last completion",
    "width by mean width",
    "processors in use",
    "time run by running jobs",
    "running jobs",
    "longest running",
    "hour of day (cos)",
    "hour of day (sin)",
    "day of week (cos)",
    "day of week (sin)",
    "width",
];

/// A completed job's run time if its submission plus its run time lies beyond `now`; otherwise the time since its
/// submission. The method's program computes it so.
fn seen(job: CompletedJob, now: Seconds) -> f64 {
    if job.submit + job.run > now { job.run as f64 } else { (now - job.submit) as f64 }
}

/// The position of a time in the day or the week, as an angle.
fn angle(time: Seconds, period: Seconds) -> f64 {
    2.0 * PI * time.rem_euclid(period) as f64 / period as f64
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::request;
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn a_first_job_is_known_by_its_request() {
        let mut features = [f64::NAN; FEATURES];
        let request = Request { submit: DAY / 4, ..request() };
        of(&request, &UserHistory::default(), request.submit, &mut features);
        let numbers = &features[1..=NUMBERS];
        assert_eq!(numbers[..6], [1_000.0; 6]);
        assert_eq!(numbers[6..13], [0.0; 7]);
        assert!(numbers[13].abs() < 1e-15 && numbers[14] == 1.0, "a quarter of the day");
        assert_eq!(numbers[17], 2.0);
        assert_eq!(features[19], 1e6, "the first product");
        assert_eq!(features[19 + 120 + 17], 4.0, "the last square");
        assert!(features.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        let mut names: Vec<String> = (0..FEATURES).map(name).collect();
        assert_eq!([&names[0], &names[4]], ["constant", "requested time"]);
        assert_eq!(names[19], "last run time \u{d7} run time before");
        assert_eq!(names[19 + 120], "last run time, squared");
        assert_eq!(names[FEATURES - 1], "width, squared");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), FEATURES);
    }

    #[test]
    fn a_user_is_known_by_jobs_that_completed_and_that_run() {
        let mut history = UserHistory::default();
        for (job, submit, run, now) in [(0, 100, 50, 150), (1, 120, 400, 530), (2, 140, 300, 440)] {
            history.started(JobId(job), 4, now - run);
            history.completed(JobId(job), &Request { submit, processors: 4, ..request() }, run, now);
        }
        history.started(JobId(3), 6, 400);
        history.started(JobId(4), 8, 430);
        let numbers = numbers(&Request { processors: 6, ..request() }, &history, 450);
        // The last job: 140 + 300 is not beyond 450, so it counts 450 - 140; the others count 400 and 450 - 100.
        assert_eq!(numbers[..6], [310.0, 400.0, 350.0, 1_000.0, 355.0, 0.33 * 1_060.0]);
        assert_eq!(numbers[6..9], [250.0, 10.0, 1.5]);
        assert_eq!(numbers[9..13], [14.0, 70.0, 2.0, 50.0]);
    }
}
