//! Queue orders.

mod fair_share;
mod index;
mod learned;
mod multifactor;
mod written;

pub use fair_share::AgeSizeAndShare;
pub use index::Exponents;
pub use multifactor::AgeAndSize;
pub use written::Written;

use crate::catalogue::{Formula, Selection, Settings, Value};
use crate::model::{View, Waiting};
use crate::workload::Seconds;
use learned::Learned;

/// The order in which a queue is gone through. Equal keys keep log order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First come, first served.
    Fcfs,
    /// Shortest estimate first, ties narrowest first.
    Sjf,
    /// Longest estimate first, ties widest first.
    Ljf,
    /// Smallest estimated area r E first.
    Saf,
    /// Largest estimated area r E first.
    Laf,
    /// Smallest r E² first, ties smallest r E (CP §2.3).
    Spf,
    /// Narrowest first.
    Srf,
    /// Widest first.
    Lrf,
    /// Largest (wait / E)³ r first: changes as time passes.
    Wfp,
    /// Largest (wait + E) / E first, the slowdown if the job started now: changes as time passes.
    Lxf,
    /// Largest wait / (log2(r) E) first: changes as time passes (Tang et al., "Fault-aware, utility-based job
    /// scheduling on Blue Gene/P systems", CLUSTER 2009, there UNICEF). A job of one processor, for which log2(r) is 0,
    /// is before all others once it has waited.
    Unicef,
    /// Smallest F1 first ([`learned`]).
    F1,
    /// Smallest F2 first.
    F2,
    /// Smallest F3 first.
    F3,
    /// Smallest F4 first.
    F4,
    /// Largest wait^a / (E^b r^c) first: changes as time passes, unless a is 0.
    Index(Exponents),
    /// Largest weighted sum of age and size first: changes as time passes.
    Multifactor(AgeAndSize),
    /// Largest weighted sum of age, size and the share factor of the user first: changes as time passes.
    FairShare(AgeSizeAndShare),
    /// Largest value of a formula that a person has written first.
    Written(Written),
}

/// Id and name of an order.
struct OrderLine {
    order: Order,
    /// The stable id, as in links and on the command line.
    id: &'static str,
    /// Display name.
    name: &'static str,
}

/// What the key of a waiting job depends on, as far as that can change.
#[derive(Clone, Copy, PartialEq)]
enum DependsOn {
    /// The request alone, which does not change.
    Request,
    /// The estimate.
    Estimate,
    /// The estimate, and how long the job has waited.
    Wait,
}

/// All orders without numbers, in the order of the enum. New orders are added at the end.
const LINES: [OrderLine; 15] = [
    line(Order::Fcfs, "fcfs", "FCFS (submit time)"),
    line(Order::Sjf, "sjf", "SJF (shortest estimate)"),
    line(Order::Ljf, "ljf", "LJF (longest estimate)"),
    line(Order::Saf, "saf", "SAF (smallest area)"),
    line(Order::Laf, "laf", "LAF (largest area)"),
    line(Order::Spf, "spf", "SPF (smallest r E²)"),
    line(Order::Srf, "srf", "SRF (narrowest)"),
    line(Order::Lrf, "lrf", "LRF (widest)"),
    line(Order::Wfp, "wfp", "WFP ((wait / E)³ r)"),
    line(Order::Lxf, "lxf", "LXF (largest slowdown)"),
    line(Order::Unicef, "unicef", "UNICEF (wait / (log2(r) E))"),
    line(Order::F1, "f1", "F1 (log10(E) r + 870 log10(s))"),
    line(Order::F2, "f2", "F2 (√E r + 25600 log10(s))"),
    line(Order::F3, "f3", "F3 (E r + 6860000 log10(s))"),
    line(Order::F4, "f4", "F4 (E √r + 530000 log10(s))"),
];

const fn line(order: Order, id: &'static str, name: &'static str) -> OrderLine {
    OrderLine { order, id, name }
}

/// The job with the size by which it counts in orders, where that is not the number of processors that it asks for.
#[inline]
pub(super) fn sized(job: &Waiting, size: Option<u32>) -> Waiting {
    Waiting { processors: size.unwrap_or(job.processors), ..*job }
}

/// A sort key, ascending: the first number, then the second.
pub(super) type Key = (f64, f64);

impl Order {
    /// The id and display name of all orders without numbers.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &{
        let mut options = [("", ""); LINES.len()];
        let mut i = 0;
        while i < LINES.len() {
            options[i] = (LINES[i].id, LINES[i].name);
            i += 1;
        }
        options
    };

    /// The orders with numbers that every family has.
    pub const FORMULAS: &'static [Formula] = &[index::FORMULA, multifactor::FORMULA];

    /// The formula with exponents.
    pub const WITH_EXPONENTS: &'static Formula = &index::FORMULA;

    /// The orders with numbers of families that know how much of the machine each user has had.
    pub const FORMULAS_WITH_SHARE: &'static [Formula] = &[index::FORMULA, multifactor::FORMULA, fair_share::FORMULA];

    /// The order that is the value of a parameter.
    ///
    /// # Panics
    /// If the entry has no such parameter, which is a mistake in its file.
    pub fn of(settings: &Settings, parameter: &str) -> Order {
        match settings.get(parameter) {
            Value::Formula(filled) if filled.formula.id == index::FORMULA.id => {
                Order::Index(Exponents::of(filled.numbers()))
            }
            Value::Formula(filled) if filled.formula.id == fair_share::FORMULA.id => {
                Order::FairShare(AgeSizeAndShare::of(filled.numbers()))
            }
            Value::Formula(filled) => Order::Multifactor(AgeAndSize::of(filled.numbers())),
            Value::Written(expression) => Order::Written(Written::new(expression)),
            _ => Order::from_id(settings.choice(parameter)),
        }
    }

    /// The orders of a parameter that takes several: named orders, then formulas.
    pub(super) fn of_several(taken: Selection) -> Vec<Order> {
        let written = taken.written().iter().map(|expression| Order::Written(Written::new(expression)));
        taken.ids().map(Order::from_id).chain(written).collect()
    }

    /// The order with an id of [`Order::OPTIONS`].
    ///
    /// # Panics
    /// If there is no order with this id; settings hold only ids of orders.
    pub fn from_id(id: &str) -> Order {
        let line = LINES.iter().find(|line| line.id == id);
        line.unwrap_or_else(|| panic!("no order {id}")).order
    }

    /// The id of the order, as in [`Order::OPTIONS`]; empty for an order with numbers.
    pub fn id(self) -> &'static str {
        LINES.iter().find(|line| line.order == self).map_or("", |line| line.id)
    }

    /// The place of the order in [`Order::OPTIONS`].
    pub fn place(self) -> usize {
        Self::OPTIONS.iter().position(|&(id, _)| id == self.id()).unwrap_or_default()
    }

    /// Whether a job's key changes while it waits.
    #[inline]
    pub(super) fn depends_on_now(self) -> bool {
        self.depends_on() == DependsOn::Wait
    }

    /// Whether a job's key depends on its estimate.
    pub(super) fn depends_on_estimate(self) -> bool {
        self.depends_on() != DependsOn::Request
    }

    #[inline] // queues ask it in every round
    fn depends_on(self) -> DependsOn {
        match self {
            Order::Fcfs | Order::Srf | Order::Lrf => DependsOn::Request,
            Order::Sjf | Order::Ljf | Order::Saf | Order::Laf | Order::Spf => DependsOn::Estimate,
            Order::F1 | Order::F2 | Order::F3 | Order::F4 => DependsOn::Estimate,
            Order::Wfp | Order::Lxf | Order::Unicef => DependsOn::Wait,
            Order::Index(exponents) if !exponents.depend_on_wait() => DependsOn::Estimate,
            Order::Index(_) | Order::Multifactor(_) | Order::FairShare(_) => DependsOn::Wait,
            Order::Written(formula) => formula.depends_on(),
        }
    }

    /// Whether the key has a part that stays the same while a job waits and is costly to compute. A queue may keep that
    /// part for [`Order::key_over`].
    pub(super) fn has_lasting(self) -> bool {
        matches!(self, Order::Unicef | Order::Index(_) | Order::FairShare(_)) && self.depends_on_now()
    }

    /// Whether a job's key depends on more than the waiting job and the time. A queue cannot keep such a key, so the
    /// plain scheduler runs, which has the view at hand.
    pub(super) fn needs_view(self) -> bool {
        matches!(self, Order::Written(formula) if formula.needs_view())
    }

    /// Whether a job's key depends on the hour or the day of the week.
    pub(super) fn reads_clock(self) -> bool {
        matches!(self, Order::Written(formula) if formula.reads_clock())
    }

    /// Whether keys only fall as time passes, so that a job that comes first at some time never comes later in the
    /// order.
    pub(super) fn only_falls(self) -> bool {
        !matches!(self, Order::Written(_))
    }

    /// Whether a job's key depends on how much of the machine its user has had.
    pub(super) fn has_share(self) -> bool {
        matches!(self, Order::FairShare(_))
    }

    /// Whether keys depend on what users have had of the machine, so that this has to be counted.
    pub(super) fn counts_usage(self) -> bool {
        match self {
            Order::FairShare(_) => true,
            Order::Written(formula) => formula.counts_usage(),
            _ => false,
        }
    }

    /// Whether the view tells a part of a job's key when the job arrives, which is then kept.
    pub(super) fn has_told(self) -> bool {
        match self {
            Order::FairShare(_) => true,
            Order::Written(formula) => formula.names_request(),
            _ => false,
        }
    }

    /// The part that [`Order::has_told`] means: the request of a job, or the lasting part with the share factor of its
    /// user.
    pub(super) fn told(self, job: &Waiting, view: &View) -> f64 {
        match self {
            Order::Written(_) => view.request(job.job).limit as f64,
            other => other.lasting_with(job, view.share(job.job)),
        }
    }

    /// The lasting part of a job's key; where the order has a share factor, with this one.
    pub(super) fn lasting_with(self, job: &Waiting, factor: f64) -> f64 {
        match self {
            Order::FairShare(weights) => weights.request.size(f64::from(job.processors)) + weights.worth(factor),
            other => other.lasting(job),
        }
    }

    /// The key of a waiting job at the present time, by its definition.
    pub(super) fn key_in(self, view: &View, job: &Waiting) -> Key {
        let now = view.now();
        let job = &sized(job, view.size(job.job));
        if let Order::Written(formula) = self {
            formula.key_in(view, job)
        } else if self.has_share() {
            self.key_over(self.lasting_with(job, view.share(job.job)), job, now)
        } else {
            self.key(job, now)
        }
    }

    /// The number that the wait is divided by, or that is added to it, where [`Order::has_lasting`]; 1 otherwise.
    pub(super) fn lasting(self, job: &Waiting) -> f64 {
        let (r, e) = (f64::from(job.processors), job.estimate);
        match self {
            Order::Unicef => libm::log2(r) * e,
            Order::Index(exponents) => exponents.divisor(r, e),
            // with the factor of a user who has used nothing
            Order::FairShare(_) => self.lasting_with(job, 1.0),
            _ => 1.0,
        }
    }

    /// The key of a job at `now`, computed with the lasting part `lasting`.
    #[inline]
    pub(super) fn key_over(self, lasting: f64, job: &Waiting, now: Seconds) -> Key {
        let wait = (now - job.submit) as f64;
        match self {
            Order::Unicef if wait == 0.0 => (0.0, 0.0),
            Order::Unicef => (-(wait / lasting), 0.0),
            Order::Index(exponents) => (-(exponents.dividend(wait) / lasting), 0.0),
            Order::FairShare(weights) => (-(weights.request.age(now - job.submit) + lasting), 0.0),
            Order::Written(formula) => formula.key(job, now, lasting),
            other => other.key(job, now),
        }
    }

    /// The key of a job at `now`.
    #[inline]
    pub(super) fn key(self, job: &Waiting, now: Seconds) -> Key {
        let (r, e) = (f64::from(job.processors), job.estimate);
        match self {
            Order::Fcfs => (0.0, 0.0),
            Order::Sjf => (e, r),
            Order::Ljf => (-e, -r),
            Order::Saf => (r * e, 0.0),
            Order::Laf => (-(r * e), 0.0),
            Order::Spf => (r * e * e, r * e),
            Order::Srf => (r, 0.0),
            Order::Lrf => (-r, 0.0),
            Order::Wfp => {
                let ratio = (now - job.submit) as f64 / e;
                (-(ratio * ratio * ratio * r), 0.0)
            }
            Order::Lxf => (-(((now - job.submit) as f64 + e) / e), 0.0),
            other => other.computed_key(job, now),
        }
    }

    /// The key of a job at `now`, for the orders that take longer to compute.
    #[inline(never)] // so the other orders are short enough to be inlined
    fn computed_key(self, job: &Waiting, now: Seconds) -> Key {
        match self {
            Order::Unicef | Order::Index(_) | Order::FairShare(_) => self.key_over(self.lasting(job), job, now),
            Order::F1 => (Learned::F1.of(job), 0.0),
            Order::F2 => (Learned::F2.of(job), 0.0),
            Order::F3 => (Learned::F3.of(job), 0.0),
            Order::F4 => (Learned::F4.of(job), 0.0),
            Order::Multifactor(weights) => (-weights.priority(f64::from(job.processors), now - job.submit), 0.0),
            // a formula that names the request is computed by `Order::key_over`, as `Order::has_told` says
            Order::Written(formula) => formula.key(job, now, f64::NAN),
            Order::Fcfs | Order::Sjf | Order::Ljf | Order::Saf | Order::Laf | Order::Spf => self.key(job, now),
            Order::Srf | Order::Lrf | Order::Wfp | Order::Lxf => self.key(job, now),
        }
    }
}

#[cfg(test)]
mod tests;
