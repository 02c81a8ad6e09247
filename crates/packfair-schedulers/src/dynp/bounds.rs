//! The bounds by which basic dynP chooses its policy (DYNP §3.1).

use packfair_base::catalogue::Settings;

/// The bounds of the mean estimate between which FCFS is taken, seconds, and the least number of waiting jobs for a
/// try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    lower: f64,
    upper: f64,
    enough: i64,
}

impl Bounds {
    pub(super) fn of(settings: &Settings) -> Self {
        // these settings always have a value
        let whole = |id| settings.whole(id).unwrap_or_default();
        Bounds { lower: whole("lower") as f64, upper: whole("upper") as f64, enough: whole("jobs") }
    }

    /// Whether the policy is decided upon while `waiting` jobs wait.
    pub(super) fn is_try(self, waiting: usize) -> bool {
        waiting as i64 >= self.enough
    }

    /// The place of the policy after a try: 0 FCFS, 1 SJF, 2 LJF. `estimates` are those of the waiting jobs in log
    /// order.
    pub(super) fn decide(self, estimates: impl Iterator<Item = f64>, current: usize) -> usize {
        let (sum, jobs) = estimates.fold((0.0, 0.0), |(sum, jobs), estimate| (sum + estimate, jobs + 1.0));
        let [fcfs, sjf, ljf] = [0, 1, 2];
        if sum <= 0.0 {
            current
        } else if sum <= self.lower * jobs {
            sjf
        } else if sum <= self.upper * jobs {
            fcfs
        } else {
            ljf
        }
    }
}
