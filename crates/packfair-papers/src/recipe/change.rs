//! What a recipe makes of a study.

use super::sweep::sweep;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::{Counted, Measure, Metric};
use packfair_schedulers::Policy;
use packfair_study::{Baseline, Run, Study, preset};
use packfair_workload::{Cleaning, Feedback, FeedbackRule};
use serde::Deserialize;

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
    pub(super) shrinks_by_log: bool,
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
    pub(super) fn make(&self, study: &mut Study) {
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
