//! A linear model, learned by the normalised adaptive gradient (Ross, Mineiro, Langford 2013, "NAG").
//!
//! Sums go from the first feature to the last, because their rounding can change estimates by seconds.

use packfair_base::catalogue::Settings;
use packfair_workload::{JobId, Request, Seconds};
use std::f64::consts::PI;

/// The number of jobs that are estimated at a time: their sums do not depend on each other.
pub(super) const BLOCK: usize = 8;

/// The initial value of scales and sums of squares, so that there is no division by 0.
const TINY: f64 = 1e-9;

/// The weights of the model, and what their steps depend on.
#[derive(Clone)]
pub(super) struct LinearModel {
    rate: f64,
    lambda: f64,
    over: LossFunction,
    under: LossFunction,
    weights: Features,
    /// The largest absolute value of each feature so far.
    scales: Features,
    /// For each feature, the sum of the squares of its gradients.
    gradients: Features,
    /// The sum, over all jobs, of the squares of their features relative to the scales.
    norm: f64,
    /// A measure of age, which grows by 2 with each job.
    age: f64,
}

/// The cost of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LossFunction {
    /// The square of the error.
    Square,
    /// The absolute value of the error.
    Absolute,
}

impl LossFunction {
    fn from_id(id: &str) -> LossFunction {
        if id == "square" { LossFunction::Square } else { LossFunction::Absolute }
    }

    /// The derivative, at `error`, of the cost of a job of this weight with respect to a feature's weight. It is given
    /// as two factors, by which the feature is multiplied one after the other.
    fn slope(self, weight: f64, error: f64) -> [f64; 2] {
        match self {
            LossFunction::Square => [weight * 2.0, error],
            LossFunction::Absolute if error < 0.0 => [-weight, 1.0],
            LossFunction::Absolute => [weight, 1.0],
        }
    }
}

impl LinearModel {
    pub(super) fn new(settings: &Settings) -> Self {
        LinearModel {
            rate: settings.real("rate"),
            lambda: settings.real("lambda"),
            over: LossFunction::from_id(settings.choice("over")),
            under: LossFunction::from_id(settings.choice("under")),
            weights: [0.0; FEATURES],
            scales: [TINY; FEATURES],
            gradients: [TINY; FEATURES],
            norm: TINY,
            age: 1.0,
        }
    }

    pub(super) fn weights(&self) -> &Features {
        &self.weights
    }

    pub(super) fn predict(&self, features: &Features) -> f64 {
        self.weights.iter().zip(features).fold(0.0, |sum, (w, x)| sum + w * x)
    }

    /// The model's value for each of several jobs.
    pub(super) fn predict_block(&self, jobs: [&Features; BLOCK]) -> [f64; BLOCK] {
        let mut sums = [0.0; BLOCK];
        for (i, w) in self.weights.iter().enumerate() {
            for (sum, features) in sums.iter_mut().zip(jobs) {
                *sum += w * features[i];
            }
        }
        sums
    }

    /// Learns that a job with these features ran for `run` seconds; `weight` is its importance.
    pub(super) fn learn(&mut self, features: &Features, run: f64, weight: f64) {
        self.rescale(features);
        let (given, in_scale) = self.sums(features);
        self.norm += in_scale;
        let error = given - run;
        let loss = if error > 0.0 { self.over } else { self.under };
        let [first, second] = if error == 0.0 { [0.0, 0.0] } else { loss.slope(weight, error) };
        let LinearModel { rate, lambda, norm, age, .. } = *self;
        let columns = self.weights.iter_mut().zip(&mut self.gradients).zip(&self.scales).zip(features);
        for (((w, squares), scale), x) in columns {
            let gradient = x * first * second + lambda * *w;
            *squares += gradient * gradient;
            let length = (norm * *squares / age).sqrt() * scale;
            *w -= rate * gradient / length;
        }
        self.age += 2.0;
    }

    /// The model's value for a job, and the sum of the squares of its features relative to the scales.
    fn sums(&self, features: &Features) -> (f64, f64) {
        let mut squares = [0.0; FEATURES];
        for ((square, x), r) in squares.iter_mut().zip(features).zip(&self.scales) {
            *square = (x * x) / (r * r);
        }
        // The two sums are made side by side, because each step of a sum waits for the step before.
        let terms = self.weights.iter().zip(features).zip(&squares);
        terms.fold((0.0, 0.0), |(given, in_scale), ((w, x), square)| (given + w * x, in_scale + square))
    }

    /// Widens the scales where features are larger than any before.
    fn rescale(&mut self, features: &Features) {
        for ((w, r), x) in self.weights.iter_mut().zip(&mut self.scales).zip(features) {
            let size = x.abs();
            if size > *r {
                *w *= *r / size;
                *r = size;
            }
        }
    }
}

// The history of a user.

/// The completed and running jobs of a user.
#[derive(Clone, Debug, Default)]
pub(super) struct UserHistory {
    last: [Option<CompletedJob>; 3],
    completed: u32,
    runs: Seconds,
    processors: i64,
    /// The time of the last completion; 0 if there is none.
    last_completion: Seconds,
    running: Vec<RunningOfUser>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CompletedJob {
    pub(super) submit: Seconds,
    pub(super) run: Seconds,
}

#[derive(Clone, Copy, Debug)]
struct RunningOfUser {
    job: JobId,
    start: Seconds,
    processors: u32,
}

/// Sums over a user's running jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    pub(super) jobs: f64,
    pub(super) processors: f64,
    /// The total time that they have run, seconds.
    pub(super) elapsed: f64,
    /// The longest time that one of them has run, seconds.
    pub(super) longest: f64,
}

impl UserHistory {
    pub(super) fn started(&mut self, job: JobId, processors: u32, now: Seconds) {
        self.running.push(RunningOfUser { job, start: now, processors });
    }

    pub(super) fn killed(&mut self, job: JobId) {
        self.running.retain(|other| other.job != job);
    }

    pub(super) fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.running.retain(|other| other.job != job);
        let [first, second, _] = self.last;
        self.last = [Some(CompletedJob { submit: request.submit, run }), first, second];
        self.completed += 1;
        self.runs += run;
        self.processors += i64::from(request.processors);
        self.last_completion = now;
    }

    /// The number of completed jobs.
    pub(super) fn jobs(&self) -> u32 {
        self.completed
    }

    pub(super) fn running(&self) -> usize {
        self.running.len()
    }

    /// The last completed jobs, latest first.
    pub(super) fn last(&self) -> [Option<CompletedJob>; 3] {
        self.last
    }

    /// The mean run time of the completed jobs, seconds; 0 if there is none.
    pub(super) fn mean_run(&self) -> f64 {
        self.mean(self.runs).unwrap_or(0.0)
    }

    /// `processors` over the mean width of the completed jobs; 0 if there is none.
    pub(super) fn relative_width(&self, processors: u32) -> f64 {
        self.mean(self.processors).map_or(0.0, |mean| f64::from(processors) / mean)
    }

    fn mean(&self, sum: i64) -> Option<f64> {
        (self.completed > 0).then(|| sum as f64 / f64::from(self.completed))
    }

    /// The time since the last completion, seconds; 0 if there is none.
    pub(super) fn idle(&self, now: Seconds) -> f64 {
        // As in the method's program, a completion at time 0 counts as none.
        if self.last_completion == 0 { 0.0 } else { (now - self.last_completion) as f64 }
    }

    /// Sums over the running jobs at `now`.
    pub(super) fn load(&self, now: Seconds) -> Load {
        let mut load = Load { jobs: self.running.len() as f64, ..Load::default() };
        for job in &self.running {
            let elapsed = (now - job.start) as f64;
            load.processors += f64::from(job.processors);
            load.elapsed += elapsed;
            load.longest = load.longest.max(elapsed);
        }
        load
    }
}

// A job's features: 18 numbers, with a constant and products of two numbers.

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
    use super::super::FAMILY;
    use super::*;

    fn model(settings: &str) -> LinearModel {
        LinearModel::new(&Settings::parse(FAMILY.entry.parameters, "CVH", settings).unwrap())
    }

    /// Features with only the constant and one other value.
    fn features(x: f64) -> Features {
        let mut features = [0.0; FEATURES];
        (features[0], features[1]) = (1.0, x);
        features
    }

    #[test]
    fn a_first_step_is_as_by_hand() {
        let mut model = model("rate=2,lambda=0");
        model.learn(&features(4.0), 10.0, 3.0);
        assert_eq!((model.scales[0], model.scales[1]), (1.0, 4.0));
        // The model gives 0, which is too little, so the gradient is -3 x; N = 1e-9 + 2, G = 1e-9 + 9 x².
        let weight = |x: f64| 2.0 * 3.0 * x / ((1e-9 + 2.0) * (1e-9 + 9.0 * x * x)).sqrt() / x;
        for (i, x) in [(0, 1.0), (1, 4.0)] {
            assert!((model.weights[i] - weight(x)).abs() < 1e-12, "{} instead of {}", model.weights[i], weight(x));
        }
        assert_eq!(model.weights[2..], [0.0; FEATURES - 2]);
        assert_eq!(model.age, 3.0);
    }

    #[test]
    fn errors_cost_what_was_chosen() {
        let (square, absolute) = (LossFunction::from_id("square"), LossFunction::from_id("absolute"));
        assert_eq!(square.slope(3.0, 5.0), [6.0, 5.0]);
        assert_eq!(absolute.slope(3.0, 5.0), [3.0, 1.0]);
        assert_eq!(absolute.slope(3.0, -5.0), [-3.0, 1.0]);
    }

    #[test]
    fn larger_features_shrink_their_weights() {
        let mut model = model("");
        model.weights[1] = 6.0;
        model.scales[1] = 2.0;
        model.rescale(&features(-4.0));
        assert_eq!((model.weights[1], model.scales[1]), (3.0, 4.0));
    }
}

#[cfg(test)]
mod features_tests {
    use super::super::super::testing::request;
    use super::*;
    use packfair_workload::JobId;

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
