//! A queue order that a person has written as a formula.

use super::{DependsOn, Key};
use crate::expression::{Expression, Variable, VariableNeeds};
use crate::machine::Machine;
use crate::model::{Class, View, Waiting};
use crate::workload::Seconds;

/// A formula. The largest value comes first, ties in log order. A job without a value, as for 0 / 0, comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written(&'static Expression);

impl Written {
    pub(in crate::scheduler) fn new(expression: &'static Expression) -> Self {
        Written(expression)
    }

    pub(super) fn depends_on(self) -> DependsOn {
        match self.0.needs() {
            VariableNeeds::Request => DependsOn::Request,
            VariableNeeds::Estimate => DependsOn::Estimate,
            VariableNeeds::Time | VariableNeeds::Cluster => DependsOn::Wait,
        }
    }

    /// Whether the formula names the run time that the user asked for.
    pub(super) fn names_request(self) -> bool {
        self.0.names(Variable::Requested)
    }

    /// Whether keys depend on more than the job and the time.
    pub(in crate::scheduler) fn needs_view(self) -> bool {
        let is_of_job = |variable| {
            matches!(
                variable,
                Variable::Wait
                    | Variable::Submit
                    | Variable::Now
                    | Variable::Estimate
                    | Variable::Requested
                    | Variable::Processors
                    | Variable::Area
            )
        };
        self.0.variables().any(|variable| !is_of_job(variable))
    }

    /// Whether the formula names what users or accounts have had of the machine.
    pub(super) fn counts_usage(self) -> bool {
        self.0.names(Variable::UserUsage) || self.0.names(Variable::AccountUsage)
    }

    /// Whether the formula names the hour or the day of the week.
    pub(super) fn reads_clock(self) -> bool {
        self.0.names(Variable::Hour) || self.0.names(Variable::Weekday)
    }

    /// The key of a job whose user asked for `requested` seconds. For formulas that need no more than the job and the
    /// time.
    #[inline]
    pub(super) fn key(self, job: &Waiting, now: Seconds, requested: f64) -> Key {
        (self.0.key(&|variable| of_job(variable, job, now, requested)), 0.0)
    }

    /// The value for a job whose user asked for `requested` seconds, or 0 if it has none. For formulas that need no
    /// more than the job and the time.
    pub(in crate::scheduler) fn worth(self, job: &Waiting, now: Seconds, requested: f64) -> f64 {
        let value = self.0.value(&|variable| of_job(variable, job, now, requested));
        if value.is_nan() { 0.0 } else { value }
    }

    /// The key of a job, for any formula.
    pub(super) fn key_in(self, view: &View, job: &Waiting) -> Key {
        (self.0.key(&|variable| of_view(variable, job, view)), 0.0)
    }
}

/// The value of a variable that the waiting job or the time tells; NaN for any other.
#[inline(always)]
fn of_job(variable: Variable, job: &Waiting, now: Seconds, requested: f64) -> f64 {
    match variable {
        Variable::Wait => (now - job.submit) as f64,
        Variable::Submit => job.submit as f64,
        Variable::Now => now as f64,
        Variable::Estimate => job.estimate,
        Variable::Processors => f64::from(job.processors),
        Variable::Area => job.area(),
        Variable::Requested => requested,
        // formulas with these variables are computed with the view: `Written::needs_view`
        _ => f64::NAN,
    }
}

/// The value of any variable, told by the view.
fn of_view(variable: Variable, job: &Waiting, view: &View) -> f64 {
    let request = view.request(job.job);
    let user = request.user;
    match variable {
        Variable::Free => f64::from(view.free()),
        Variable::QueueLength => view.waiting().count() as f64,
        Variable::UserWaiting => view.waiting().filter(|other| view.request(other.job).user == user).count() as f64,
        Variable::UserRunning => view.running().filter(|other| view.request(other.job).user == user).count() as f64,
        Variable::UserUsage => view.used(job.job),
        Variable::AccountUsage => view.used_by_account(job.job),
        Variable::Nodes => f64::from(view.needs().of_waiting(job).parts),
        Variable::Gpus => view.asked(job, Machine::GPUS) as f64,
        Variable::Memory => view.asked(job, Machine::MEMORY) as f64,
        Variable::Hour => f64::from(view.hour()),
        Variable::Weekday => f64::from(view.weekday()),
        Variable::Class => f64::from(u8::from(view.present_class(job.job) == Class::Small)),
        _ => of_job(variable, job, view.now(), request.limit as f64),
    }
}
