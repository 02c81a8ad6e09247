//! What the site's own plugin adds to priorities (`priority/site_factor`).

use packfair_base::expression::{Expression, Variable};
use packfair_engine::model::Waiting;
use packfair_workload::Seconds;

/// A formula of a job and the time.
#[derive(Clone, Copy, Debug)]
pub struct SiteFactor(&'static Expression);

impl SiteFactor {
    /// None where the formula names more than the job, what its user asked for, and the time.
    pub fn of(formula: &'static Expression) -> Option<Self> {
        let is_known = |variable| variable == Variable::Requested || Waiting::tells(variable);
        formula.variables().all(is_known).then_some(SiteFactor(formula))
    }

    /// The value for a job whose user asked for `requested` seconds, or 0 if it has none.
    pub(crate) fn value(self, job: &Waiting, now: Seconds, requested: f64) -> f64 {
        let of = |variable| if variable == Variable::Requested { requested } else { job.value_of(variable, now) };
        let value = self.0.value(&of);
        if value.is_nan() { 0.0 } else { value }
    }
}
