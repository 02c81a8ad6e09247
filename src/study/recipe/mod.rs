//! Recipes: studies of the papers, to be repeated on any workload. A file for each paper.

mod classes;
mod cp;
mod dynp;
mod fairness;
mod metrics;

use super::{Baseline, Study, preset};
use crate::catalogue::{Entry, UnknownId};
use crate::metric::{Measure, Metric};
use crate::simulation::Correction;
use std::str::FromStr;

/// All recipes, in the order in which they are offered.
pub const RECIPES: &[Recipe] = &[
    metrics::METRICS_TABLE_2,
    metrics::METRICS_FIG_3,
    metrics::METRICS_FIG_4,
    metrics::METRICS_FIG_4_FINE,
    metrics::METRICS_FIG_4_SELECTED,
    metrics::METRICS_TABLE_3,
    metrics::METRICS_TABLE_4,
    fairness::FAIRNESS_FIGS,
    cp::CP_TABLE_2,
    cp::CP_FIG_2,
    cp::CP_FIG_3,
    cp::CP_FIG_4,
    cp::CP_FIG_5,
    cp::CP_FIG_6,
    cp::CP_FIG_7,
    dynp::TABLE_4,
    dynp::TABLE_5,
    dynp::TABLE_6,
    dynp::FIGS_2_3,
    dynp::FIGS_4_5_8,
    dynp::FIG_6,
    dynp::FIG_7,
    classes::TABLES_2_3,
    classes::TABLES_5_6,
    classes::TABLE_7,
    classes::FIGS_6_8,
    classes::FIG_9,
    classes::THRESHOLDS,
];

/// The columns of METRICS Table II, and the four plots of its Fig. 4.
const METRICS_COLUMNS: [Metric; 4] = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf];

/// A study of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// What a person is told of it.
    pub entry: Entry,
    change: fn(&mut Study),
}

impl Recipe {
    /// One without parameters.
    const fn plain(
        id: &'static str,
        name: &'static str,
        help: &'static str,
        source: &'static str,
        change: fn(&mut Study),
    ) -> Recipe {
        Recipe { entry: Entry { id, name, help, source, parameters: &[] }, change }
    }

    /// Makes `study` that of the paper: schedulers, estimates, columns, baseline and measure. Its
    /// workload, and what is done to it, stay; but FAIRNESS' own cleaning comes with it, and DYNP's shrinking factors.
    pub fn apply(&self, study: &mut Study) {
        study.distortions = vec![1.0];
        study.shrinks.clear();
        study.correction = Correction::Request;
        (study.reestimation, study.trigger) = (None, None);
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
            if !recipe.entry.id.starts_with("dynp") {
                assert_eq!(study.all_shrinks(), [0.5], "{}", recipe.entry.id);
            }
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
        assert_eq!(runs("cp-table-2").len(), 34);
        let figures = ["cp-fig-2", "cp-fig-3", "cp-fig-4", "cp-fig-6"].map(|figure| runs(figure).len());
        assert_eq!(figures, [4, 7, 5, 5]);
        assert_eq!(runs("cp-fig-2")[0].id(), "off-awf__actual");
        assert_eq!(runs("cp-fig-5").len(), 3);
        assert_eq!(runs("cp-fig-7").len(), 3);
        assert_eq!(runs("classify-tables-2-3").len(), 2);
        assert_eq!(runs("classify-tables-5-6").len(), 4);
        assert_eq!(runs("classify-table-7").len(), 10);
        assert_eq!(runs("classify-figs-6-8").len(), 9);
        assert_eq!(runs("classify-fig-9").len(), 20, "with actual times only what has no classes");
        assert_eq!(runs("classify-thresholds").len(), 11);
        assert!(runs("metrics-table-2").iter().any(|run| run.id() == "saf-easy__requested"));
    }
}
