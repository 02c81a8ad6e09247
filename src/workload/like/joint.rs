//! The joint distribution of width, requested and run time, in classes: for a chart, and for a page that should not
//! carry every job.

use super::Combination;
use serde::{Deserialize, Serialize};

/// Jobs whose width, requested and run time lie in the same classes. Each class reaches from a power of two to below the
/// next; a time of 0 s is in the class from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointClass {
    /// Widths of at least 2 to the power of this.
    pub width: u8,
    /// Requested times of at least 2 to the power of this, seconds.
    pub requested: u8,
    /// Run times of at least 2 to the power of this, seconds.
    pub run: u8,
    pub jobs: u64,
}

impl JointClass {
    /// The bounds of a class: from the first to below the second.
    pub fn bounds(class: u8) -> (f64, f64) {
        let from = 2_f64.powi(i32::from(class));
        (from, 2.0 * from)
    }

    /// The classes in which there are jobs, ascending.
    pub(super) fn all(combinations: &[Combination]) -> Vec<JointClass> {
        let class = |value: i64| value.max(1).ilog2() as u8;
        let mut all: Vec<JointClass> = combinations
            .iter()
            .map(|alike| JointClass {
                width: class(i64::from(alike.width)),
                requested: class(alike.requested),
                run: class(alike.run),
                jobs: alike.jobs,
            })
            .collect();
        all.sort_unstable_by_key(JointClass::classes);
        all.dedup_by(|next, kept| {
            let is_same = next.classes() == kept.classes();
            kept.jobs += if is_same { next.jobs } else { 0 };
            is_same
        });
        all
    }

    fn classes(&self) -> (u8, u8, u8) {
        (self.width, self.requested, self.run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_all_jobs() {
        let of = |width, requested, run, jobs| Combination { width, requested, run, jobs };
        let all = JointClass::all(&[of(1, 60, 0, 2), of(1, 63, 1, 3), of(3, 64, 40, 1), of(1, 32, 1, 4)]);
        let class = |width, requested, run, jobs| JointClass { width, requested, run, jobs };
        assert_eq!(all, [class(0, 5, 0, 9), class(1, 6, 5, 1)]);
        assert_eq!(JointClass::bounds(5), (32.0, 64.0));
        assert!(JointClass::all(&[]).is_empty());
    }
}
