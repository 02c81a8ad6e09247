//! A linear model, learned by the normalised adaptive gradient (Ross, Mineiro, Langford 2013, "NAG").
//!
//! Sums go from the first feature to the last, because their rounding can change estimates by seconds.

use super::features::{FEATURES, Features};
use crate::catalogue::Settings;

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
