//! Recipes: studies of the papers, which can be repeated on any workload. They stand in the papers' files
//! ([`super::papers`]).

use packfair_base::catalogue::Entry;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::{Counted, Measure, Metric};
use packfair_engine::simulation::Correction;
use packfair_schedulers::Policy;
use packfair_study::{Baseline, Run, Study, Treatment, preset};
use packfair_workload::like::OF_DYNP;
use packfair_workload::{Cleaning, Feedback, FeedbackRule};
use serde::Deserialize;

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

// What a recipe makes of a study.

/// The columns of METRICS Table II, which are also the four plots of its Fig. 4.
const METRICS_COLUMNS: [Metric; 4] = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf];

/// What a recipe makes of a study, as it stands in its paper's file. What is not said is as in METRICS.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RecipeChange {
    /// The schedulers; `None` keeps those that the study has.
    schedulers: Option<Vec<Policy>>,
    /// The estimation methods; `None` keeps those that the study has.
    methods: Option<Vec<Method>>,
    cleaning: Cleaning,
    feedback: Feedback,
    beside_replay: bool,
    /// All numbers of users, as multiples of the log's; empty for its own.
    users: Vec<f64>,
    /// Whether each run is made with the shrinking factors that the paper has for the log.
    shrinks_by_log: bool,
    /// The number of steps of the factor k, as in METRICS Fig. 4; `None` where estimates are not distorted.
    sweep: Option<usize>,
    /// Runs that the paper does not make.
    removed: Vec<RemovedRuns>,
    counted: Counted,
    /// Bound of the bounded slowdown, seconds; `None` for the usual one.
    bsld_bound: Option<f64>,
    /// Bound of the width-weighted slowdown, seconds; `None` for the usual one.
    sldww_bound: Option<f64>,
    /// The columns; `None` for those of METRICS Table II.
    columns: Option<Vec<Metric>>,
    /// The baseline; `None` for JustBF with the same estimates or, in a sweep, the first method without distortion.
    baseline: Option<Baseline>,
}

/// Runs that a paper does not make: those of some methods, under some schedulers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RemovedRuns {
    methods: Vec<Method>,
    /// The only schedulers under which the methods are used; `None` for any.
    only_under: Option<Vec<Policy>>,
    /// Schedulers under which the methods are not used.
    #[serde(default)]
    not_under: Vec<Policy>,
}

impl RecipeChange {
    /// Makes the change, except for shrinking factors, on a study without removed runs.
    fn make(&self, study: &mut Study) {
        if let Some(schedulers) = &self.schedulers {
            study.schedulers = schedulers.clone();
        }
        if let Some(methods) = &self.methods {
            study.methods = methods.clone();
        }
        study.treatment.cleaning = self.cleaning;
        study.treatment.feedback = FeedbackRule { feedback: self.feedback, ..FeedbackRule::default() };
        study.beside_replay = self.beside_replay;
        study.set_users(&self.users);
        study.distortions = self.sweep.map_or_else(|| vec![1.0], sweep);
        if !self.removed.is_empty() {
            let is_removed = |run: &Run| self.removed.iter().any(|removed| removed.has(run));
            study.removed = study.runs().into_iter().filter(is_removed).collect();
        }
        let usual = Measure::default();
        study.measure = Measure {
            counted: self.counted,
            bsld_bound: self.bsld_bound.unwrap_or(usual.bsld_bound),
            sldww_bound: self.sldww_bound.unwrap_or(usual.sldww_bound),
            ..usual
        };
        study.columns = self.columns.clone().unwrap_or_else(|| METRICS_COLUMNS.to_vec());
        study.baseline = match (&self.baseline, self.sweep) {
            (Some(baseline), _) => baseline.clone(),
            (None, None) => Baseline::Scheduler(preset("justbf")),
            (None, Some(_)) => {
                study.methods.first().map_or(Baseline::None, |method| Baseline::Estimate(Estimate::of(method.clone())))
            }
        };
    }
}

impl RemovedRuns {
    fn has(&self, run: &Run) -> bool {
        let is_absent = |only: &Vec<Policy>| !only.contains(&run.scheduler);
        self.methods.contains(&run.estimate.method)
            && (self.not_under.contains(&run.scheduler) || self.only_under.as_ref().is_some_and(is_absent))
    }
}

// Shrinking factors that a paper has for each of its logs.

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogShrinks {
    log: &'static str,
    shrinks: Vec<f64>,
}

impl LogShrinks {
    /// The factors of the study's log, or of the log whose law its jobs are made by; those of the first of `all` for
    /// any other log.
    fn of_study(all: &'static [LogShrinks], study: &Study) -> &'static [f64] {
        let name = study.source.name().to_uppercase();
        let arrivals = study.treatment.like.map(|like| like.arrivals);
        let is_law_of = |log: &str| {
            OF_DYNP.iter().any(|(of, law, _)| {
                of.contains(log) && arrivals.is_some_and(|a| (a.alpha, a.beta) == (Some(law.alpha), Some(law.beta)))
            })
        };
        let by_law = all.iter().find(|of| is_law_of(of.log));
        let found = by_law.or_else(|| all.iter().find(|of| name.contains(of.log))).or_else(|| all.first());
        found.map_or(&[], |of| &of.shrinks)
    }
}

// The factors of METRICS Fig. 4, by which run times are multiplied.

/// The step between factors of METRICS Fig. 4, the double nearest to 2^(1/50).
const STEP: f64 = 1.013_959_479_790_029;

/// Number of steps from 1 up to 2, and from 1 down to 0.5.
const STEPS: usize = 50;

/// So many of the factors of METRICS Fig. 4, ascending, at equal distances: 101 are all of them.
fn sweep(count: usize) -> Vec<f64> {
    all().into_iter().step_by(2 * STEPS / (count - 1)).collect()
}

/// All factors, ascending. They come from repeated multiplication and division, as in the paper: its k = 2 is
/// 1.999999999999994.
fn all() -> Vec<f64> {
    let up = std::iter::successors(Some(1.0), |k| Some(k * STEP));
    let down = std::iter::successors(Some(1.0), |k| Some(k / STEP));
    let mut ks: Vec<f64> = down.skip(1).take(STEPS).collect();
    ks.reverse();
    ks.extend(up.take(STEPS + 1));
    ks
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

#[cfg(test)]
mod change_tests {
    use super::*;
    use crate::recipe::Recipe;
    use packfair_study::Source;
    use packfair_workload::Fingerprint;
    use packfair_workload::like::{Arrivals, Likeness};

    fn study_on(name: &str) -> Study {
        Study::on(Source::Trace { name: name.to_owned(), fingerprint: Fingerprint(1) })
    }

    fn applied(id: &str, mut study: Study) -> Study {
        id.parse::<&Recipe>().unwrap().apply(&mut study);
        study
    }

    #[test]
    fn each_log_has_its_own_factors() {
        let study = applied("dynp-figs-4-5-8", study_on("CTC-SP2.swf.gz"));
        assert_eq!(study.all_shrinks(), [1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65]);
        assert_eq!(study.runs().len(), 5 * 8);
        let study = applied("dynp-fig-6", study);
        assert_eq!(study.runs().len(), 4 * 8);
        let ends = |name: &str| {
            let factors = applied("dynp-fig-6", study_on(name)).all_shrinks();
            (factors[0], factors[factors.len() - 1])
        };
        assert_eq!([ends("kth-sp2.swf"), ends("mine.swf"), ends("SDSC-BLUE")], [(1.0, 0.6), (1.0, 0.6), (0.6, 0.3)]);
        // Jobs made by the law of another log.
        let (_, law, p0) = OF_DYNP.iter().find(|(log, ..)| log.contains("PC2")).expect("it has a row in Table 2");
        let arrivals = Arrivals { alpha: Some(law.alpha), beta: Some(law.beta), p0: Some(*p0) };
        let mut study = study_on("kth-sp2.swf");
        study.treatment.like = Some(Likeness { jobs: 10_000, seed: 1, arrivals });
        assert_eq!(applied("dynp-fig-6", study).all_shrinks()[0], 0.8);
    }
}

#[cfg(test)]
mod sweep_tests {
    use super::*;

    #[test]
    fn the_sweep_s_factors_are_exactly_the_paper_s() {
        let ks = sweep(101);
        assert_eq!(ks.len(), 101);
        assert!(ks.is_sorted());
        assert_eq!(ks[0], 0.5000000000000009);
        assert_eq!(ks[50], 1.0);
        assert_eq!(ks[60], 1.148698354997034);
        assert_eq!(ks[100], 1.999999999999994);
        assert_eq!(sweep(11)[6], ks[60]);
    }
}
