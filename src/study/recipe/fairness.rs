//! Recipes of FAIRNESS.

use super::Recipe;
use crate::catalogue::Entry;
use crate::estimator::Method;
use crate::metric::{Counted, Metric};
use crate::study::{Baseline, Study, preset, presets};
use crate::workload::Cleaning;

/// FAIRNESS Figs 4, 6, 7, 8.
pub(super) const FAIRNESS_FIGS: Recipe = Recipe {
    entry: Entry {
        id: "fairness-figs",
        name: "FAIRNESS Figs 4, 6, 7, 8",
        help: "EASY, PC and DC against Conservative, cleaned as in the paper: strict and relaxed unfairness, unfair \
               share, average wait. Bars of the improvement are under Charts, for all logs at hand",
        source: "FAIRNESS §4, Figs 4, 6-8",
        parameters: &[],
    },
    change: fairness_figs,
};

/// FAIRNESS reports averages over all jobs. Its percentages of weighted unfair share cannot follow from eq. 2, whose
/// average is 0 for every scheduler. Here they are percentages of what jobs lack of their shares
/// ([`crate::metric::fair_share::weighted_shortfall`]).
fn fairness_figs(study: &mut Study) {
    // The paper's premises: no job outlives its request, and a job is as wide as the processors that it used.
    study.treatment.cleaning = Cleaning::FairnessCutUsed;
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
