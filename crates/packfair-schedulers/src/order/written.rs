//! A queue order that is a formula.

use super::{DependsOn, Key};
use packfair_base::catalogue::FormulaPreset;
use packfair_base::expression::{Aging, Expression, Variable, VariableNeeds};
use packfair_base::machine::Machine;
use packfair_engine::model::{Class, View, Waiting};
use packfair_workload::Seconds;

/// A formula. The largest value comes first, ties in log order. A job without a value, as for 0 / 0, comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    formula: &'static Expression,
    kept: KeptPart,
}

/// What a queue keeps of each job's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeptPart {
    /// Nothing: the waiting job and the time tell all.
    Nothing,
    /// The value of a variable that only the view tells.
    Reported(Variable),
    /// What lasts of the formula's compiled form; whether only the view tells it.
    Lasting { is_reported: bool },
    /// Nothing, for the value depends on more than the job and the time.
    NeedsView,
}

/// The variables that the view tells once, when a job arrives or shares are calculated.
const REPORTED: [Variable; 2] = [Variable::Requested, Variable::Share];

impl KeptPart {
    fn of(formula: &Expression) -> Self {
        if !formula.variables().all(|variable| Waiting::tells(variable) || REPORTED.contains(&variable)) {
            return KeptPart::NeedsView;
        }
        let reported: Vec<Variable> = REPORTED.into_iter().filter(|&variable| formula.names(variable)).collect();
        // what is reported cannot be computed anew where a job is estimated anew
        let is_estimated = formula.names(Variable::Estimate) || formula.names(Variable::Area);
        match reported[..] {
            _ if formula.aging().is_some() && (reported.is_empty() || !is_estimated) => {
                KeptPart::Lasting { is_reported: !reported.is_empty() }
            }
            [] => KeptPart::Nothing,
            [variable] => KeptPart::Reported(variable),
            _ => KeptPart::NeedsView,
        }
    }
}

impl Written {
    pub(super) fn new(formula: &'static Expression) -> Self {
        Written { formula, kept: KeptPart::of(formula) }
    }

    pub(super) fn depends_on(self) -> DependsOn {
        match self.formula.needs() {
            VariableNeeds::Request => DependsOn::Request,
            VariableNeeds::Estimate => DependsOn::Estimate,
            VariableNeeds::Time | VariableNeeds::Cluster => DependsOn::Wait,
        }
    }

    /// Whether keys depend on more than the job and the time, and what is reported of a job once.
    pub(super) fn needs_view(self) -> bool {
        self.kept == KeptPart::NeedsView
    }

    /// Whether the formula names what users or accounts have had of the machine.
    pub(super) fn counts_usage(self) -> bool {
        self.names_share() || self.formula.names(Variable::UserUsage) || self.formula.names(Variable::AccountUsage)
    }

    pub(super) fn names_share(self) -> bool {
        self.formula.names(Variable::Share)
    }

    /// Whether the formula names the hour or the day of the week.
    pub(super) fn reads_clock(self) -> bool {
        self.formula.names(Variable::Hour) || self.formula.names(Variable::Weekday)
    }

    pub(super) fn has_lasting(self) -> bool {
        matches!(self.kept, KeptPart::Lasting { .. })
    }

    pub(super) fn has_reported(self) -> bool {
        matches!(self.kept, KeptPart::Reported(_) | KeptPart::Lasting { is_reported: true })
    }

    pub(super) fn only_falls(self) -> bool {
        self.has_lasting() && self.formula.aging().is_some_and(Aging::never_falls)
    }

    /// The kept part of a job's key, where the view tells it.
    pub(super) fn reported(self, job: &Waiting, view: &View) -> f64 {
        match (self.kept, self.formula.aging()) {
            (KeptPart::Reported(variable), _) => of_view(variable, job, view),
            (_, Some(aging)) => aging.lasting().value(&|variable| of_view(variable, job, view)),
            (_, None) => f64::NAN,
        }
    }

    /// The kept part of a job's key, where the job tells it.
    pub(super) fn lasting(self, job: &Waiting) -> f64 {
        // what lasts depends on no time
        let value = |aging: &Aging| aging.lasting().value(&|variable| job.value_of(variable, job.submit));
        self.formula.aging().map_or(f64::NAN, value)
    }

    /// The key of a job. For formulas that need no more than the job and the time.
    #[inline]
    pub(super) fn key(self, job: &Waiting, now: Seconds) -> Key {
        (self.formula.key(&|variable| job.value_of(variable, now)), 0.0)
    }

    /// The key of a job with its kept part.
    #[inline]
    pub(super) fn key_over(self, kept: f64, job: &Waiting, now: Seconds) -> Key {
        let key = match (self.kept, self.formula.aging()) {
            (KeptPart::Lasting { .. }, Some(aging)) => aging.key((now - job.submit) as f64, kept),
            (KeptPart::Reported(reported), _) => {
                self.formula.key(&|variable| if variable == reported { kept } else { job.value_of(variable, now) })
            }
            _ => self.formula.key(&|variable| job.value_of(variable, now)),
        };
        (key, 0.0)
    }

    /// The key of a job, for any formula.
    pub(super) fn key_in(self, view: &View, job: &Waiting) -> Key {
        (self.formula.key(&|variable| of_view(variable, job, view)), 0.0)
    }
}

/// The value of any variable, reported by the view.
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
        Variable::Gpus => view.requested(job, Machine::GPUS) as f64,
        Variable::Memory => view.requested(job, Machine::MEMORY) as f64,
        Variable::Hour => f64::from(view.hour()),
        Variable::Weekday => f64::from(view.weekday()),
        Variable::Class => f64::from(u8::from(view.present_class(job.job) == Class::Small)),
        Variable::Share => view.share(job.job),
        Variable::Requested => request.limit as f64,
        _ => job.value_of(variable, view.now()),
    }
}

// The queue orders that are formulas with names.

/// The orders; a search always tries the first.
pub(super) const PRESETS: &[FormulaPreset] = &[INDEX, MULTIFACTOR, FAIR_SHARE];

/// Many orders of the literature are cases of it: (3, 3, -1) is WFP, (0, 1, 1) SAF, (0, 1, 0) shortest first, (0, -1,
/// -1) LAF, (1, 1, 0) longest expansion, (1, 0, 0) first come first served.
const INDEX: FormulaPreset = FormulaPreset {
    id: "index",
    name: "Index (wait^a / (E^b r^c))",
    help: "largest wait^a / (E^b r^c) first, with exponents to choose",
    template: "wait^a/(estimate^b*processors^c) where a=0..4 by 0.25, b=-1..4 by 0.25, c=-2..3 by 0.25",
    usual: &[1.0, 1.0, 0.0],
};

/// Slurm's multifactor plugin has priority = PriorityWeightAge min(1, age / PriorityMaxAge) + PriorityWeightJobSize r /
/// N, with the age since submission and the N processors of the machine. Divided by PriorityWeightAge / PriorityMaxAge,
/// which changes no order, this is min(age, PriorityMaxAge) + z r. A processor counts as much as z =
/// PriorityWeightJobSize / PriorityWeightAge PriorityMaxAge / N seconds of waiting; with PriorityFavorSmall z is
/// negative.
const MULTIFACTOR: FormulaPreset = FormulaPreset {
    id: "multifactor",
    name: "Multifactor (age and size, as Slurm)",
    help: "largest min(wait, age) + size r first: Slurm's age and job size factors, scaled so that a second of waiting is \
           1; the age is PriorityMaxAge, the size PriorityWeightJobSize / PriorityWeightAge * PriorityMaxAge / N",
    template: "min(wait,a)+b*processors where a=4h..28d by 4h, b=-4h..4h by 5min",
    usual: &[604_800.0, 3_600.0],
};

/// The same with the share factor of the job's user, of which a full one is worth PriorityWeightFairshare /
/// PriorityWeightAge PriorityMaxAge of waiting. All users have equal shares
/// ([`packfair_engine::model::View::share`]). Accounts have no shares of their own, and there are no factors of
/// partition and quality of service.
const FAIR_SHARE: FormulaPreset = FormulaPreset {
    id: "fairshare",
    name: "Multifactor with fair share (as Slurm)",
    help: "largest min(wait, age) + share f first, with f from 1 for who has used nothing of the machine lately to 0: \
           PriorityMaxAge, and PriorityWeightFairshare / PriorityWeightAge * PriorityMaxAge",
    template: "min(wait,a)+b*share where a=4h..28d by 4h, b=4h..28d by 4h",
    usual: &[604_800.0, 604_800.0],
};

// F1 to F4: functions of a job's run time, width and submit time. Regression found them in simulations of which job is
// best first (Carastan-Santos and de Camargo, "Obtaining dynamic scheduling policies with simulation and machine
// learning", SC '17, Table 3). The job with the smallest value comes first.
//
// The paper uses the processing time; here the estimate takes its place. s is the submit time in seconds since the log
// begins, at least 1. The larger s, the more slowly its logarithm grows: late in a long log submit times count for
// less.

/// One of the functions.
#[derive(Clone, Copy)]
pub(super) enum Learned {
    /// log10(E) r + 8.70e2 log10(s)
    F1,
    /// sqrt(E) r + 2.56e4 log10(s)
    F2,
    /// E r + 6.86e6 log10(s)
    F3,
    /// E sqrt(r) + 5.30e5 log10(s)
    F4,
}

impl Learned {
    /// The value for a job.
    #[inline(never)] // a logarithm costs more than the call
    pub(super) fn of(self, job: &Waiting) -> f64 {
        let (r, e) = (f64::from(job.processors), job.estimate);
        let submitted = libm::log10(job.submit.max(1) as f64);
        match self {
            Learned::F1 => libm::log10(e) * r + 8.70e2 * submitted,
            Learned::F2 => e.sqrt() * r + 2.56e4 * submitted,
            Learned::F3 => e * r + 6.86e6 * submitted,
            Learned::F4 => e * r.sqrt() + 5.30e5 * submitted,
        }
    }
}
