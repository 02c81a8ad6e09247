//! Where the search for a job's start begins.

use super::plans::{FreeSteps, PlacedJobs};
use super::queue::Batch;
use packfair_base::catalogue::Settings;

/// How many pairs of width and estimate are remembered; a power of two.
const SLOTS: usize = 64;

/// Where jobs of one width and estimate were last placed.
#[derive(Clone, Copy, Debug)]
struct LastPlaced {
    processors: u32,
    estimate: f64,
    begin: f64,
    /// The place of the step with which they began when they were placed. Later insertions of steps only move that step
    /// on.
    place: usize,
}

/// An unused entry. No job is so narrow that it could match.
const EMPTY: LastPlaced = LastPlaced { processors: 0, estimate: 0.0, begin: 0.0, place: 0 };

/// Places in the profile before which a job cannot begin. While jobs are placed, a profile only fills up. So a job that
/// is at least as wide and as long as another, placed before it, begins no earlier than that one.
#[derive(Clone, Debug)]
pub(super) struct LowerBounds {
    last: LastPlaced,
    /// Indexed by a hash of width and estimate; used only where many jobs are to be placed.
    slots: Vec<LastPlaced>,
    is_long: bool,
    /// With fewer jobs to place than this, remembering more than the last placement costs more than it saves.
    worth: usize,
}

impl LowerBounds {
    /// Bounds that know nothing yet.
    pub(super) fn new(worth: usize) -> Self {
        LowerBounds { last: EMPTY, slots: vec![EMPTY; SLOTS], is_long: false, worth }
    }

    /// Forgets everything; `jobs` is how many jobs are to be placed next.
    pub(super) fn clear(&mut self, jobs: usize) {
        self.last = EMPTY;
        self.is_long = jobs >= self.worth;
        if self.is_long {
            self.slots.fill(EMPTY);
        }
    }

    /// The place before which no job of `batch` begins, at least `from`.
    #[inline]
    pub(super) fn below(&self, batch: &Batch, steps: &FreeSteps, from: usize) -> usize {
        let last = self.last;
        let is_above = last.processors <= batch.processors && last.estimate <= batch.estimate;
        let from = if is_above { last.place.max(from) } else { from };
        if self.is_long {
            let slot = &self.slots[slot(batch)];
            if slot.processors == batch.processors && slot.estimate == batch.estimate {
                return steps.place_at(from.max(slot.place), slot.begin);
            }
        }
        from
    }

    /// Remembers where jobs of `batch` were placed.
    #[inline]
    pub(super) fn placed(&mut self, batch: &Batch, placed: PlacedJobs) {
        let now = LastPlaced {
            processors: batch.processors,
            estimate: batch.estimate,
            begin: placed.begin,
            place: placed.first,
        };
        self.last = now;
        if self.is_long {
            self.slots[slot(batch)] = now;
        }
    }
}

/// The slot of jobs of this width and estimate.
#[inline]
fn slot(batch: &Batch) -> usize {
    // Fibonacci hashing: the upper bits of the product depend on all of a number
    let mixed = (batch.estimate.to_bits() ^ u64::from(batch.processors)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}

// The bounds by which basic dynP chooses its policy (DYNP §3.1).

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Profile;

    #[test]
    fn only_jobs_as_wide_and_as_long_begin_no_earlier() {
        let batch = |processors, estimate| Batch { processors, estimate, jobs: 1 };
        let mut steps = FreeSteps::default();
        let mut profile = Profile::idle(0.0, 8);
        profile.reserve_until(15.0, 4);
        steps.read(&profile);
        let mut lower_bounds = LowerBounds::new(1000);
        lower_bounds.clear(1000);
        lower_bounds.placed(&batch(4, 20.0), PlacedJobs { begin: 15.0, jobs: 1, first: 1 });
        assert_eq!(lower_bounds.below(&batch(5, 20.0), &steps, 0), 1);
        assert_eq!(lower_bounds.below(&batch(4, 10.0), &steps, 0), 0, "a shorter one may begin before");
        assert_eq!(lower_bounds.below(&batch(3, 30.0), &steps, 0), 0, "and so may a narrower one");
        lower_bounds.placed(&batch(1, 5.0), PlacedJobs { begin: 0.0, jobs: 1, first: 0 });
        assert_eq!(lower_bounds.below(&batch(4, 20.0), &steps, 0), 1, "it is remembered");
    }
}
