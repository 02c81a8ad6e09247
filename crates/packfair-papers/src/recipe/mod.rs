//! Recipes: studies of the papers, which can be repeated on any workload. They stand in the papers' files
//! ([`super::papers`]).

mod change;
mod shrinks;
mod sweep;

pub(super) use change::RecipeChange;
pub(super) use shrinks::LogShrinks;

use packfair_base::catalogue::Entry;
use packfair_engine::simulation::Correction;
use packfair_study::Study;
use packfair_study::Treatment;

/// A recipe: a study that makes a table or a figure of a paper.
#[derive(Debug)]
pub struct Recipe {
    /// The id, name, help and source for a person.
    pub entry: Entry,
    /// The shrinking factors of its paper's figures, by log; those of the first for any other log.
    shrinks_by_log: &'static [LogShrinks],
    change: RecipeChange,
}

impl Recipe {
    /// A recipe that makes this change, of a paper with these shrinking factors.
    pub(super) fn new(entry: Entry, shrinks_by_log: &'static [LogShrinks], change: RecipeChange) -> Self {
        Recipe { entry, shrinks_by_log, change }
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
        study.treatment.shrink = own.shrink;
        study.treatment.initial = own.initial;
        study.shrinks.clear();
        study.set_users(&[1.0]);
        study.what_ifs.clear();
        study.correction = Correction::Request;
        (study.reestimation, study.trigger) = (None, None);
        study.removed.clear();
        if self.change.shrinks_by_log {
            study.set_shrinks(LogShrinks::of_study(self.shrinks_by_log, study));
        }
        self.change.make(study);
    }
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        self.entry.id == other.entry.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_makes_a_sound_study_and_leaves_the_workload_alone() {
        for recipe in Recipe::all() {
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
        for recipe in Recipe::all().filter(|recipe| recipe.entry.id != "metrics-fig-4-selected") {
            let alone = taken(&[recipe.entry.id]);
            for before in Recipe::all() {
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
    fn recipes_are_found_by_words() {
        let found = |words: &str| Recipe::all().filter(|recipe| recipe.matches(words)).count();
        assert_eq!(found(""), Recipe::all().count());
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
        assert_eq!(runs("metrics-fig-4-selected").len(), 44, "of the 4 schedulers of a first visit");
        assert_eq!(runs("metrics-table-3").len(), 26);
        assert_eq!(runs("metrics-table-4").len(), 22);
        assert_eq!(runs("users-saturation").len(), 36, "three schedulers, six numbers of users, each beside a replay");
        assert_eq!(runs("fairness-figs").len(), 4);
        assert_eq!(runs("cp-table-2").len(), 26);
        let figures = ["cp-fig-2", "cp-fig-3", "cp-fig-4", "cp-fig-6"].map(|figure| runs(figure).len());
        assert_eq!(figures, [4, 7, 5, 4]);
        assert_eq!(runs("cp-fig-2")[0].id(), "off-awf__actual");
        assert_eq!(runs("cp-fig-5").len(), 3);
        assert_eq!(runs("cp-fig-7").len(), 3);
        assert_eq!(runs("classify-tables-2-3").len(), 2);
        assert_eq!(runs("classify-tables-5-6").len(), 3);
        assert_eq!(runs("classify-table-7").len(), 11);
        assert_eq!(runs("classify-figs-6-8").len(), 9);
        assert_eq!(runs("classify-fig-9").len(), 20, "with actual times only what has no classes");
        assert_eq!(runs("classify-thresholds").len(), 18, "eleven with thresholds of votes, seven against starvation");
        assert!(runs("metrics-table-2").iter().any(|run| run.id() == "saf-easy__requested"));
    }

    #[test]
    fn the_tables_of_dynp_have_the_paper_s_columns() {
        let ids = |id: &str| {
            let mut study = Study::first_visit();
            study.shrinks = vec![0.5];
            id.parse::<&Recipe>().unwrap().apply(&mut study);
            assert_eq!(study.all_shrinks(), [1.0]);
            study.columns.iter().map(|metric| metric.about().id).collect::<Vec<_>>()
        };
        assert_eq!(
            ids("dynp-table-4"),
            ["ARTwW", "utilisation", "LOC", "dynp_started_sjf", "dynp_started_fcfs", "dynp_started_ljf"]
        );
        let five = ids("dynp-table-5");
        assert_eq!((five.len(), five[8], five[12], five[13]), (14, "dynp_tries", "dynp_same_policy", "dynp_backlog"));
        assert_eq!(ids("dynp-table-6").len(), 17, "tries, 15 cases, and where the deciders differ");
    }
}
