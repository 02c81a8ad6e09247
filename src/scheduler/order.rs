//! Queue orders.

use crate::model::Waiting;
use crate::workload::Seconds;

/// The order in which a queue is gone through. Equal keys keep log order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

/// Id and name of an order, and what its keys depend on.
struct OrderLine {
    order: Order,
    /// Stable, as in links and on the command line.
    id: &'static str,
    /// Display name.
    name: &'static str,
    depends_on: DependsOn,
}

/// What changes the key of a waiting job.
#[derive(PartialEq)]
enum DependsOn {
    /// Nothing: it is made of the request.
    Request,
    /// Its estimate.
    Estimate,
    /// Its estimate, and how long it has waited.
    Wait,
}

/// All orders, in the order of the enum. A new one goes to the end.
const LINES: [OrderLine; 10] = {
    use DependsOn::{Estimate, Request, Wait};
    [
        line(Order::Fcfs, "fcfs", "FCFS (submit time)", Request),
        line(Order::Sjf, "sjf", "SJF (shortest estimate)", Estimate),
        line(Order::Ljf, "ljf", "LJF (longest estimate)", Estimate),
        line(Order::Saf, "saf", "SAF (smallest area)", Estimate),
        line(Order::Laf, "laf", "LAF (largest area)", Estimate),
        line(Order::Spf, "spf", "SPF (smallest r E²)", Estimate),
        line(Order::Srf, "srf", "SRF (narrowest)", Request),
        line(Order::Lrf, "lrf", "LRF (widest)", Request),
        line(Order::Wfp, "wfp", "WFP ((wait / E)³ r)", Wait),
        line(Order::Lxf, "lxf", "LXF (largest slowdown)", Wait),
    ]
};

const fn line(order: Order, id: &'static str, name: &'static str, depends_on: DependsOn) -> OrderLine {
    OrderLine { order, id, name, depends_on }
}

// an order finds its line by its place
const _: () = {
    let mut i = 0;
    while i < LINES.len() {
        assert!(LINES[i].order as usize == i);
        i += 1;
    }
};

/// A sort key, ascending: the first number, then the second.
pub(super) type Key = (f64, f64);

impl Order {
    /// All orders: id, display name.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &{
        let mut options = [("", ""); LINES.len()];
        let mut i = 0;
        while i < LINES.len() {
            options[i] = (LINES[i].id, LINES[i].name);
            i += 1;
        }
        options
    };

    /// From an id of [`Order::OPTIONS`].
    ///
    /// # Panics
    /// For any other text: settings hold only these.
    pub fn from_id(id: &str) -> Order {
        let line = LINES.iter().find(|line| line.id == id);
        line.unwrap_or_else(|| panic!("no order {id}")).order
    }

    /// The id, as in [`Order::OPTIONS`].
    pub fn id(self) -> &'static str {
        let own = Self::OPTIONS.iter().find(|&&(id, _)| Order::from_id(id) == self);
        own.map_or("", |&(id, _)| id)
    }

    /// The place in [`Order::OPTIONS`].
    pub fn place(self) -> usize {
        Self::OPTIONS.iter().position(|&(id, _)| id == self.id()).unwrap_or_default()
    }

    /// Whether a job's key changes while it waits.
    pub(super) fn depends_on_now(self) -> bool {
        LINES[self as usize].depends_on == DependsOn::Wait
    }

    /// Whether a job's key depends on its estimate.
    pub(super) fn depends_on_estimate(self) -> bool {
        LINES[self as usize].depends_on != DependsOn::Request
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
        }
    }
}
