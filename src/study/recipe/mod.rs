//! Recipes: studies of the papers, which can be repeated on any workload. Each paper has its own file.

mod classes;
mod cp;
mod dynp;
mod fairness;
mod metrics;
mod users;

use super::{Baseline, Study, Treatment, preset};
use crate::catalogue::{Entry, UnknownId};
use crate::metric::{Measure, Metric};
use crate::simulation::Correction;
use crate::workload::FeedbackRule;
use std::str::FromStr;

/// All recipes, in the order in which the page offers them.
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
    users::SATURATION,
];

/// The papers, in the order of their recipes, each with its subject.
pub const PAPERS: [(&str, &str); 6] = [
    ("METRICS", "measures of response, packing and fairness"),
    ("FAIRNESS", "backfilling that is fair"),
    ("CP", "schedules by optimisation"),
    ("DYNP", "a policy that changes with the queue"),
    ("CLASSIFY", "small and large jobs told apart"),
    ("FEEDBACK", "users who react"),
];

/// The columns of METRICS Table II, which are also the four plots of its Fig. 4.
const METRICS_COLUMNS: [Metric; 4] = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf];

/// A recipe: a study that makes a table or a figure of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The id, name, help and source for a person.
    pub entry: Entry,
    change: fn(&mut Study),
}

impl Recipe {
    /// A recipe without parameters.
    const fn plain(
        id: &'static str,
        name: &'static str,
        help: &'static str,
        source: &'static str,
        change: fn(&mut Study),
    ) -> Recipe {
        Recipe { entry: Entry { id, name, help, source, parameters: &[] }, change }
    }

    /// The recipe of that id, if there is one.
    pub fn of_id(id: &str) -> Option<&'static Recipe> {
        RECIPES.iter().find(|recipe| recipe.entry.id == id)
    }

    /// The paper of the recipe, by its name in [`PAPERS`].
    pub fn paper(&self) -> &'static str {
        let of = self.entry.source.trim_start_matches("after ");
        of.split_once([' ', ',']).map_or(of, |(paper, _)| paper)
    }

    /// Whether name, help and source together contain each of these words.
    pub fn matches(&self, words: &str) -> bool {
        let Entry { name, help, source, .. } = self.entry;
        let told = format!("{name} {help} {source}").to_lowercase();
        words.to_lowercase().split_whitespace().all(|word| told.contains(word))
    }

    /// Makes `study` that of the paper: its schedulers, estimates, columns, baseline and measure, and what the paper
    /// does to jobs (cleaning, load, users who do not react, no jobs from before the log). The workload stays: the log
    /// or the jobs made like it, the filter, and the machine.
    pub fn apply(&self, study: &mut Study) {
        let own = Treatment::default();
        study.treatment.cleaning = own.cleaning;
        study.treatment.shrink = own.shrink;
        study.treatment.feedback = own.feedback;
        study.treatment.initial = own.initial;
        study.distortions = vec![1.0];
        study.shrinks.clear();
        // The papers replay their logs.
        study.treatment.feedback = FeedbackRule::default();
        study.set_users(&[1.0]);
        study.what_ifs.clear();
        study.beside_replay = false;
        study.correction = Correction::Request;
        (study.reestimation, study.trigger) = (None, None);
        study.removed.clear();
        study.measure = Measure::default();
        study.columns = METRICS_COLUMNS.to_vec();
        study.baseline = Baseline::Scheduler(preset("justbf"));
        (self.change)(study);
    }
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        self.entry.id == other.entry.id
    }
}

impl FromStr for &'static Recipe {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        Recipe::of_id(id).ok_or_else(|| UnknownId::entry("recipe", id, RECIPES.iter().map(|recipe| recipe.entry.id)))
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
            study.treatment.processors = Some(64);
            study.removed = study.runs();
            recipe.apply(&mut study);
            assert_eq!(study.check(), Ok(()), "{}", recipe.entry.id);
            assert_eq!(study.source, Study::first_visit().source);
            if !recipe.entry.id.starts_with("dynp") {
                assert_eq!(study.all_shrinks(), [1.0], "{}", recipe.entry.id);
            }
            assert_eq!(study.treatment.processors, Some(64));
            assert_eq!(recipe.entry.id.parse::<&Recipe>().unwrap().entry.name, recipe.entry.name);
        }
    }

    #[test]
    fn a_recipe_is_the_same_whatever_was_there_before() {
        let taken = |ids: &[&str]| {
            let mut study = Study::first_visit();
            ids.iter().for_each(|id| id.parse::<&Recipe>().unwrap().apply(&mut study));
            study
        };
        for recipe in RECIPES.iter().filter(|recipe| recipe.entry.id != "metrics-fig-4-selected") {
            let alone = taken(&[recipe.entry.id]);
            for before in RECIPES {
                assert_eq!(
                    taken(&[before.entry.id, recipe.entry.id]),
                    alone,
                    "{} after {}",
                    recipe.entry.id,
                    before.entry.id
                );
            }
        }
    }

    #[test]
    fn recipes_are_found_by_paper_and_words() {
        for recipe in RECIPES {
            assert!(PAPERS.iter().any(|(paper, _)| *paper == recipe.paper()), "{}", recipe.entry.source);
        }
        let found = |words: &str| RECIPES.iter().filter(|recipe| recipe.matches(words)).count();
        assert_eq!(found(""), RECIPES.len());
        assert_eq!(found("metrics table ii"), 2, "II and III");
        assert_eq!(found("nothing has this"), 0);
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
        assert_eq!(runs("users-saturation").len(), 36, "three schedulers, six numbers of users, each beside a replay");
        assert_eq!(runs("fairness-figs").len(), 4);
        assert_eq!(runs("cp-table-2").len(), 34);
        let figures = ["cp-fig-2", "cp-fig-3", "cp-fig-4", "cp-fig-6"].map(|figure| runs(figure).len());
        assert_eq!(figures, [4, 7, 5, 5]);
        assert_eq!(runs("cp-fig-2")[0].id(), "off-awf__actual");
        assert_eq!(runs("cp-fig-5").len(), 3);
        assert_eq!(runs("cp-fig-7").len(), 3);
        assert_eq!(runs("classify-tables-2-3").len(), 2);
        assert_eq!(runs("classify-tables-5-6").len(), 4);
        assert_eq!(runs("classify-table-7").len(), 11);
        assert_eq!(runs("classify-figs-6-8").len(), 9);
        assert_eq!(runs("classify-fig-9").len(), 20, "with actual times only what has no classes");
        assert_eq!(runs("classify-thresholds").len(), 18, "eleven with thresholds of votes, seven against starvation");
        assert!(runs("metrics-table-2").iter().any(|run| run.id() == "saf-easy__requested"));
    }
}
