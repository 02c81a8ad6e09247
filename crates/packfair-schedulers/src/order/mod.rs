//! Queue orders.

mod written;

pub use written::Written;

use packfair_base::catalogue::{FormulaPreset, Selection, Settings, Value};
use packfair_engine::model::{View, Waiting};
use packfair_workload::Seconds;
use written::Learned;

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
    /// Smallest F1 first ([`written`]).
    F1,
    /// Smallest F2 first.
    F2,
    /// Smallest F3 first.
    F3,
    /// Smallest F4 first.
    F4,
    /// Largest value of a formula first.
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

/// All orders that are no formulas, in the order of the enum. New orders are added at the end.
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
    /// The id and display name of all orders that are no formulas.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &{
        let mut options = [("", ""); LINES.len()];
        let mut i = 0;
        while i < LINES.len() {
            options[i] = (LINES[i].id, LINES[i].name);
            i += 1;
        }
        options
    };

    /// The orders that are formulas with names. A search always tries the first.
    pub const PRESETS: &'static [FormulaPreset] = written::PRESETS;

    /// The order that is the value of a parameter.
    ///
    /// # Panics
    /// If the entry has no such parameter, which is a mistake in its file.
    pub fn of(settings: &Settings, parameter: &str) -> Order {
        match settings.get(parameter) {
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

    /// The id of the order, as in [`Order::OPTIONS`]; empty for a formula.
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
            Order::Written(formula) => formula.depends_on(),
        }
    }

    /// Whether the key has a part that stays the same while a job waits and is costly to compute. A queue may keep that
    /// part for [`Order::key_over`].
    pub(super) fn has_lasting(self) -> bool {
        match self {
            Order::Unicef => true,
            Order::Written(formula) => formula.has_lasting(),
            _ => false,
        }
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
        match self {
            Order::Written(formula) => formula.only_falls(),
            _ => true,
        }
    }

    /// Whether a job's key depends on the share factor of its user, which changes while the job waits.
    pub(super) fn has_share(self) -> bool {
        matches!(self, Order::Written(formula) if formula.names_share())
    }

    /// Whether keys depend on what users have had of the machine, so that this has to be counted.
    pub(super) fn counts_usage(self) -> bool {
        matches!(self, Order::Written(formula) if formula.counts_usage())
    }

    /// Whether the view tells a part of a job's key when the job arrives, which is then kept.
    pub(super) fn has_reported(self) -> bool {
        matches!(self, Order::Written(formula) if formula.has_reported())
    }

    /// The part that [`Order::has_reported`] means.
    pub(super) fn reported(self, job: &Waiting, view: &View) -> f64 {
        match self {
            Order::Written(formula) => formula.reported(job, view),
            _ => f64::NAN,
        }
    }

    /// The key of a waiting job at the present time, by its definition.
    pub(super) fn key_in(self, view: &View, job: &Waiting) -> Key {
        let job = &sized(job, view.size(job.job));
        match self {
            Order::Written(formula) => formula.key_in(view, job),
            _ => self.key(job, view.now()),
        }
    }

    /// The number that the wait is divided by, or that is added to it, where [`Order::has_lasting`]; 1 otherwise.
    pub(super) fn lasting(self, job: &Waiting) -> f64 {
        match self {
            Order::Unicef => libm::log2(f64::from(job.processors)) * job.estimate,
            Order::Written(formula) => formula.lasting(job),
            _ => 1.0,
        }
    }

    /// The key of a job at `now`, computed with the part of it that was kept.
    #[inline]
    pub(super) fn key_over(self, kept: f64, job: &Waiting, now: Seconds) -> Key {
        let wait = (now - job.submit) as f64;
        match self {
            Order::Unicef if wait == 0.0 => (0.0, 0.0),
            Order::Unicef => (-(wait / kept), 0.0),
            Order::Written(formula) => formula.key_over(kept, job, now),
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
            Order::Unicef => self.key_over(self.lasting(job), job, now),
            Order::F1 => (Learned::F1.of(job), 0.0),
            Order::F2 => (Learned::F2.of(job), 0.0),
            Order::F3 => (Learned::F3.of(job), 0.0),
            Order::F4 => (Learned::F4.of(job), 0.0),
            // a formula of which the view tells a part is computed by `Order::key_over`, as `Order::has_reported` says
            Order::Written(formula) => formula.key(job, now),
            Order::Fcfs | Order::Sjf | Order::Ljf | Order::Saf | Order::Laf | Order::Spf => self.key(job, now),
            Order::Srf | Order::Lrf | Order::Wfp | Order::Lxf => self.key(job, now),
        }
    }
}

#[cfg(test)]
mod tests;
