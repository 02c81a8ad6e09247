//! Recipes of METRICS.

use super::Recipe;
use crate::catalogue::Entry;
use crate::estimator::{Estimate, Method};
use crate::metric::Metric;
use crate::study::{Baseline, Run, Study, methods, presets};

/// METRICS Table II.
pub(super) const METRICS_TABLE_2: Recipe = Recipe {
    entry: Entry {
        id: "metrics-table-2",
        name: "METRICS Table II",
        help: "ten schedulers with actual and requested times, as changes to JustBF with the same estimates",
        source: "METRICS §V, Table II",
        parameters: &[],
    },
    change: table_2,
};

/// METRICS Fig. 3.
pub(super) const METRICS_FIG_3: Recipe = Recipe {
    entry: Entry {
        id: "metrics-fig-3",
        name: "METRICS Fig. 3",
        help: "who waits, small or large jobs: cumulative wait area under four schedulers, run times known",
        source: "METRICS §V, Fig. 3",
        parameters: &[],
    },
    change: fig_3,
};

/// METRICS Fig. 4 (distortion sweep).
pub(super) const METRICS_FIG_4: Recipe = Recipe {
    entry: Entry {
        id: "metrics-fig-4",
        name: "METRICS Fig. 4 (distortion sweep)",
        help: "run times known but for a factor k from 0.5 to 2, in 11 steps, under three schedulers",
        source: "METRICS §VI, Fig. 4",
        parameters: &[],
    },
    change: |study| fig_4(study, 10),
};

/// METRICS Fig. 4 (fine sweep).
pub(super) const METRICS_FIG_4_FINE: Recipe = Recipe {
    entry: Entry {
        id: "metrics-fig-4-fine",
        name: "METRICS Fig. 4 (fine sweep)",
        help: "run times known but for a factor k from 0.5 to 2, in 101 steps (how many the paper does not say), under three schedulers",
        source: "METRICS §VI, Fig. 4",
        parameters: &[],
    },
    change: |study| fig_4(study, 1),
};

/// METRICS Fig. 4 for the selected schedulers and estimators.
pub(super) const METRICS_FIG_4_SELECTED: Recipe = Recipe {
    entry: Entry {
        id: "metrics-fig-4-selected",
        name: "METRICS Fig. 4 of what is selected",
        help: "the chosen schedulers and estimators, each estimate times a factor k from 0.5 to 2, in 11 steps",
        source: "METRICS §VI, Fig. 4",
        parameters: &[],
    },
    change: sweep_of_selected,
};

/// METRICS Table III.
pub(super) const METRICS_TABLE_3: Recipe = Recipe {
    entry: Entry {
        id: "metrics-table-3",
        name: "METRICS Table III",
        help: "four schedulers with learned estimates, as changes to requested times: BSLD of EASY-SJBF and \
               SAF-JustBF, AWF of LAF-JustBF, P²SF of JustBF",
        source: "METRICS §VI, Table III",
        parameters: &[],
    },
    change: table_3,
};

/// METRICS Table IV.
pub(super) const METRICS_TABLE_4: Recipe = Recipe {
    entry: Entry {
        id: "metrics-table-4",
        name: "METRICS Table IV",
        help: "how accurate learned estimates and requested times are under four schedulers: R²",
        source: "METRICS §VI, Table IV",
        parameters: &[],
    },
    change: table_4,
};

/// The step between factors of METRICS Fig. 4, the double nearest to 2^(1/50).
const SWEEP_STEP: f64 = 1.013_959_479_790_029;

/// Number of steps of METRICS Fig. 4 from 1 up to 2, and from 1 down to 0.5.
const SWEEP_STEPS: usize = 50;

fn table_2(study: &mut Study) {
    study.schedulers = presets(&[
        "justbf",
        "laf-justbf",
        "laf-aggressive",
        "easy",
        "easy-sjbf",
        "sjf-aggressive",
        "saf-aggressive",
        "sjf-justbf",
        "saf-justbf",
        "saf-easy",
    ]);
    study.methods = vec![Method::actual(), Method::requested()];
}

fn fig_3(study: &mut Study) {
    study.schedulers = presets(&["saf-justbf", "easy-sjbf", "justbf", "laf-justbf"]);
    study.methods = vec![Method::actual()];
}

/// Keeps the schedulers and estimators; compares runs with the first estimator, undistorted.
fn sweep_of_selected(study: &mut Study) {
    study.distortions = every_factor(10);
    study.baseline = match study.methods.first() {
        Some(method) => Baseline::Estimate(Estimate::of(method.clone())),
        None => Baseline::None,
    };
}

fn fig_4(study: &mut Study, every: usize) {
    study.schedulers = presets(&["saf-justbf", "laf-justbf", "justbf"]);
    study.methods = vec![Method::actual()];
    study.distortions = every_factor(every);
    study.baseline = Baseline::Estimate(Estimate::of(Method::actual()));
}

/// The four blocks of the table. Each metric applies to the schedulers that are meant for it.
fn table_3(study: &mut Study) {
    learned(study);
    study.methods.insert(1, Method::actual());
    study.columns = vec![Metric::Bsld, Metric::Awf, Metric::P2sf];
    study.baseline = Baseline::Estimate(Estimate::of(Method::requested()));
}

fn table_4(study: &mut Study) {
    learned(study);
    study.columns = vec![Metric::R2];
    study.baseline = Baseline::None;
}

/// Requested times and learned estimates under four schedulers. SP, which is meant for packing efficiency, is used only
/// under the two packing schedulers.
fn learned(study: &mut Study) {
    study.schedulers = presets(&["easy-sjbf", "saf-justbf", "laf-justbf", "justbf"]);
    study.methods = methods(&["requested", "last2", "cvh", "hierarchy", "sp2", "sp3", "sp4"]);
    let without = presets(&["easy-sjbf", "saf-justbf"]);
    let is_absent = |run: &Run| without.contains(&run.scheduler) && run.estimate.method.family().entry.id == "sp";
    study.removed = study.runs().into_iter().filter(is_absent).collect();
}

/// Every `every`-th factor of METRICS Fig. 4.
fn every_factor(every: usize) -> Vec<f64> {
    sweep().into_iter().step_by(every).collect()
}

/// All factors of METRICS Fig. 4, ascending. They come from repeated multiplication and division, as in the paper: its
/// k = 2 is 1.999999999999994.
fn sweep() -> Vec<f64> {
    let up = std::iter::successors(Some(1.0), |k| Some(k * SWEEP_STEP));
    let down = std::iter::successors(Some(1.0), |k| Some(k / SWEEP_STEP));
    let mut ks: Vec<f64> = down.skip(1).take(SWEEP_STEPS).collect();
    ks.reverse();
    ks.extend(up.take(SWEEP_STEPS + 1));
    ks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_s_factors_are_exactly_the_paper_s() {
        let ks = sweep();
        assert_eq!(ks.len(), 101);
        assert!(ks.is_sorted());
        assert_eq!(ks[0], 0.5000000000000009);
        assert_eq!(ks[50], 1.0);
        assert_eq!(ks[60], 1.148698354997034);
        assert_eq!(ks[100], 1.999999999999994);
    }
}
