//! What confirming the selected setting of a search came to.

use super::ExploreQuestion;
use crate::study::Effects;
use crate::study::sureness::{CarriedInterval, Interval};
use serde::{Deserialize, Serialize};

/// The selected setting beside the baseline, on jobs that the search has not seen and on the whole log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The selected setting, by its index in [`super::Findings::front`].
    pub place: u32,
    /// The values of the baseline and of the setting on the confirm part, in the order of the question's aspects.
    pub own: [Vec<Option<f64>>; 2],
    /// The same on the whole log, in the order of [`super::Findings::told_metrics`].
    pub whole: [Vec<Option<f64>>; 2],
    /// The intervals of the changes from the baseline to the setting in the metrics to minimise, over the draws of the
    /// confirm part, or why there is none.
    pub intervals: Vec<CarriedInterval>,
    /// What changes for the jobs of the whole log; `None` where a run cannot be made.
    pub effects: Option<Effects>,
    /// The share of the logged starts that Slurm as configured explains, where that is too little for conclusions.
    pub badly_fitting: Option<f64>,
}

impl Confirmed {
    /// Whether these can be the values of a question with so many settings on its front, as a link may not say.
    pub(super) fn is_sound(&self, question: &ExploreQuestion, front: usize, told: usize) -> bool {
        let is_sound = |values: &[Vec<Option<f64>>; 2], count: usize| {
            values.iter().all(|values| values.len() == count && values.iter().flatten().all(|value| value.is_finite()))
        };
        let are_finite = |interval: &Interval| interval.low.is_finite() && interval.high.is_finite();
        (self.place as usize) < front
            && is_sound(&self.own, question.aspects().len())
            && is_sound(&self.whole, told)
            && self.intervals.len() == question.minimise.len()
            && self.intervals.iter().flatten().all(are_finite)
    }
}
