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
}

/// A sort key, ascending: the first number, then the second.
pub(super) type Key = (f64, f64);

impl Order {
    /// All orders: id, display name.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("fcfs", "FCFS (submit time)"),
        ("sjf", "SJF (shortest estimate)"),
        ("ljf", "LJF (longest estimate)"),
        ("saf", "SAF (smallest area)"),
        ("laf", "LAF (largest area)"),
        ("spf", "SPF (smallest r E²)"),
        ("srf", "SRF (narrowest)"),
        ("lrf", "LRF (widest)"),
        ("wfp", "WFP ((wait / E)³ r)"),
    ];

    /// From an id of [`Order::OPTIONS`].
    ///
    /// # Panics
    /// For any other text: settings hold only these.
    pub fn from_id(id: &str) -> Order {
        match id {
            "fcfs" => Order::Fcfs,
            "sjf" => Order::Sjf,
            "ljf" => Order::Ljf,
            "saf" => Order::Saf,
            "laf" => Order::Laf,
            "spf" => Order::Spf,
            "srf" => Order::Srf,
            "lrf" => Order::Lrf,
            "wfp" => Order::Wfp,
            _ => panic!("no order {id}"),
        }
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
        self == Order::Wfp
    }

    /// Whether a job's key depends on its estimate.
    pub(super) fn depends_on_estimate(self) -> bool {
        !matches!(self, Order::Fcfs | Order::Srf | Order::Lrf)
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
        }
    }
}
