//! Recipes: studies of the papers, to be repeated on any workload.

use super::{Baseline, Run, Study, methods, preset, presets};
use crate::catalogue::{Entry, UnknownId};
use crate::estimator::{Estimate, Method};
use crate::metric::{Counted, Measure, Metric};
use crate::simulation::Correction;
use crate::workload::Cleaning;
use std::str::FromStr;

/// All recipes, in the order in which they are offered.
pub const RECIPES: &[Recipe] = &[
    Recipe {
        entry: Entry {
            id: "metrics-table-2",
            name: "METRICS Table II",
            help: "ten schedulers with actual and requested times, as changes to JustBF with the same estimates",
            source: "METRICS §VI, Table II",
            parameters: &[],
        },
        change: table_2,
    },
    Recipe {
        entry: Entry {
            id: "metrics-fig-3",
            name: "METRICS Fig. 3",
            help: "who waits, small or large jobs: cumulative wait area under four schedulers, run times known",
            source: "METRICS §VI, Fig. 3",
            parameters: &[],
        },
        change: fig_3,
    },
    Recipe {
        entry: Entry {
            id: "metrics-fig-4",
            name: "METRICS Fig. 4 (distortion sweep)",
            help: "run times known but for a factor k from 0.5 to 2, in 11 steps, under three schedulers",
            source: "METRICS §VI, Fig. 4",
            parameters: &[],
        },
        change: |study| fig_4(study, 10),
    },
    Recipe {
        entry: Entry {
            id: "metrics-fig-4-fine",
            name: "METRICS Fig. 4 (fine sweep)",
            help: "run times known but for a factor k from 0.5 to 2, in the paper's 101 steps, under three schedulers",
            source: "METRICS §VI, Fig. 4",
            parameters: &[],
        },
        change: |study| fig_4(study, 1),
    },
    Recipe {
        entry: Entry {
            id: "metrics-fig-4-selected",
            name: "METRICS Fig. 4 of what is selected",
            help: "the chosen schedulers and estimators, each estimate times a factor k from 0.5 to 2, in 11 steps",
            source: "METRICS §VI, Fig. 4",
            parameters: &[],
        },
        change: sweep_of_selected,
    },
    Recipe {
        entry: Entry {
            id: "metrics-table-3",
            name: "METRICS Table III",
            help: "four schedulers with learned estimates, as changes to requested times: BSLD of EASY-SJBF and \
                   SAF-JustBF, AWF of LAF-JustBF, P²SF of JustBF",
            source: "METRICS §VI, Table III",
            parameters: &[],
        },
        change: table_3,
    },
    Recipe {
        entry: Entry {
            id: "metrics-table-4",
            name: "METRICS Table IV",
            help: "how accurate learned estimates and requested times are under four schedulers: R²",
            source: "METRICS §VI, Table IV",
            parameters: &[],
        },
        change: table_4,
    },
    Recipe {
        entry: Entry {
            id: "fairness-figs",
            name: "FAIRNESS Figs 4, 6, 7, 8",
            help: "EASY, PC and DC against Conservative, cleaned as in the paper: strict and relaxed unfairness, unfair \
                   share, average wait. Bars of the improvement are under Charts, for all logs at hand",
            source: "FAIRNESS §4, Figs 4, 6-8",
            parameters: &[],
        },
        change: fairness_figs,
    },
];

/// The columns of METRICS Table II, and the four plots of its Fig. 4.
const METRICS_COLUMNS: [Metric; 4] = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf];

/// The step of METRICS Fig. 4, the double nearest to 2^(1/50).
const SWEEP_STEP: f64 = 1.013_959_479_790_029;

/// Steps of METRICS Fig. 4 from 1 up to 2, and as many from 1 down to 0.5.
const SWEEP_STEPS: usize = 50;

/// A study of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// What a person is told of it.
    pub entry: Entry,
    change: fn(&mut Study),
}

impl Recipe {
    /// Makes `study` that of the paper: schedulers, estimates, columns, baseline and measure. Its
    /// workload, and what is done to it, stay; but FAIRNESS' own cleaning comes with it.
    pub fn apply(&self, study: &mut Study) {
        study.distortions = vec![1.0];
        study.correction = Correction::Request;
        (study.reestimation, study.asking) = (None, None);
        study.removed.clear();
        study.measure = Measure::default();
        study.columns = METRICS_COLUMNS.to_vec();
        study.baseline = Baseline::Scheduler(preset("justbf"));
        (self.change)(study);
    }
}

impl FromStr for &'static Recipe {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = RECIPES.iter().find(|recipe| recipe.entry.id == id);
        found.ok_or_else(|| UnknownId::entry("recipe", id, RECIPES.iter().map(|recipe| recipe.entry.id)))
    }
}

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

/// The schedulers and estimators stay; runs are compared with the first estimator, undistorted.
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

/// The four blocks of the table; each metric counts for the schedulers that are meant for it.
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

/// FAIRNESS reports averages over all jobs. Its percentages of weighted unfair share cannot be of eq. 2, whose
/// average is 0 whatever the scheduler: here they are of what jobs lack of their shares
/// ([`crate::metric::fair_share::weighted_shortfall`]).
fn fairness_figs(study: &mut Study) {
    study.treatment.cleaning = Cleaning::Fairness;
    study.schedulers = presets(&["conservative", "easy", "pc", "dc"]);
    study.methods = vec![Method::requested()];
    study.measure.counted = Counted::All;
    study.columns = vec![
        Metric::StrictUnfairness,
        Metric::RelaxedUnfairness,
        Metric::UnfairShare,
        Metric::UnfairShareShort,
        Metric::Aq,
    ];
    study.baseline = Baseline::Scheduler(preset("conservative"));
}

/// Requested times and learned estimates under four schedulers; SP, which is meant for packing
/// efficiency, only under the two that are.
fn learned(study: &mut Study) {
    study.schedulers = presets(&["easy-sjbf", "saf-justbf", "laf-justbf", "justbf"]);
    study.methods = methods(&["requested", "last2", "cvh", "hierarchy", "sp2", "sp3", "sp4"]);
    let without = presets(&["easy-sjbf", "saf-justbf"]);
    let is_absent = |run: &Run| without.contains(&run.scheduler) && run.estimate.method.family().entry.id == "sp";
    study.removed = study.runs().into_iter().filter(is_absent).collect();
}

/// Every `every`-th of the factors of METRICS Fig. 4.
fn every_factor(every: usize) -> Vec<f64> {
    sweep().into_iter().step_by(every).collect()
}

/// All factors of METRICS Fig. 4, ascending. By repeated multiplication and division, as the paper
/// made them: its k = 2 is 1.999999999999994.
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
    fn every_recipe_makes_a_sound_study_and_leaves_the_workload_alone() {
        for recipe in RECIPES {
            let mut study = Study::first_visit();
            study.treatment.shrink = 0.5;
            study.removed = study.runs();
            recipe.apply(&mut study);
            assert_eq!(study.check(), Ok(()), "{}", recipe.entry.id);
            assert_eq!(study.source, Study::first_visit().source);
            assert_eq!(study.treatment.shrink, 0.5);
            assert_eq!(recipe.entry.id.parse::<&Recipe>().unwrap().entry.name, recipe.entry.name);
        }
    }

    #[test]
    fn the_recipes_have_the_papers_runs() {
        let runs = |id: &str| {
            let mut study = Study::first_visit();
            id.parse::<&Recipe>().unwrap().apply(&mut study);
            study.runs()
        };
        assert_eq!(runs("metrics-table-2").len(), 20);
        assert_eq!(runs("metrics-fig-3").len(), 4);
        assert_eq!(runs("metrics-fig-4").len(), 33);
        assert_eq!(runs("metrics-fig-4-fine").len(), 303);
        assert_eq!(runs("metrics-fig-4-selected").len(), 88, "of 4 schedulers and 2 estimators of a first visit");
        assert_eq!(runs("metrics-table-3").len(), 26);
        assert_eq!(runs("metrics-table-4").len(), 22);
        assert_eq!(runs("fairness-figs").len(), 4);
        assert!(runs("metrics-table-2").iter().any(|run| run.id() == "saf-easy__requested"));
    }

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
