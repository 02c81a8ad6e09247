//! Lists without repeats.

use super::{Run, Study};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Each value once, at its first place. Values are equal where their keys are.
pub(super) fn distinct<T, K: Hash + Eq>(values: &[T], key: impl Fn(&T) -> K) -> Vec<&T> {
    let mut seen = FxHashSet::default();
    values.iter().filter(|value| seen.insert(key(value))).collect()
}

/// Removes values whose key came before.
fn lose_repeats<T, K: Hash + Eq>(values: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let mut seen = FxHashSet::default();
    values.retain(|value| seen.insert(key(value)));
}

impl Study {
    /// The study with each scheduler, estimator, factor, column, removed run and partition once, and each user, queue
    /// and partition of its filter once. Its runs are the same, in the same order.
    pub fn without_repeats(mut self) -> Self {
        lose_repeats(&mut self.schedulers, ToString::to_string);
        lose_repeats(&mut self.methods, ToString::to_string);
        lose_repeats(&mut self.methods_asked, ToString::to_string);
        lose_repeats(&mut self.distortions, |k| k.to_bits());
        self.shrinks = self.further_shrinks();
        self.users = self.further_users();
        lose_repeats(&mut self.what_ifs, ToString::to_string);
        lose_repeats(&mut self.removed, Run::id);
        lose_repeats(&mut self.partitions, |partition| partition.number);
        lose_repeats(&mut self.columns, |&metric| metric);
        let filter = &mut self.treatment.filter;
        for list in [&mut filter.users, &mut filter.queues, &mut filter.partitions] {
            lose_repeats(list, |&number| number);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunPartition;
    use packfair_engine::metric::Metric;

    #[test]
    fn every_list_loses_its_repeats_and_nothing_else() {
        let mut study = Study::first_visit();
        study.removed = vec![study.runs()[0].clone()];
        study.methods_asked = study.methods.clone();
        study.treatment.filter.users = vec![3, 1, 2];
        study.partitions = vec![RunPartition { number: 2, name: "small".to_owned(), processors: None }];
        let once = study.clone();
        let twice = |study: &mut Study| {
            study.schedulers.extend(once.schedulers.clone());
            study.methods.extend(once.methods.clone());
            study.methods_asked.extend(once.methods_asked.clone());
            study.distortions.extend(once.distortions.clone());
            study.removed.extend(once.removed.clone());
            study.columns.extend(once.columns.clone());
            study.partitions.extend(once.partitions.clone());
            let filter = &mut study.treatment.filter;
            filter.users.extend([1, 2, 3]);
            filter.queues.extend([5, 5]);
            filter.partitions.extend([6, 6]);
        };
        twice(&mut study);
        assert_eq!(study.runs(), once.runs());
        let mut expected = once.clone();
        expected.treatment.filter.queues = vec![5];
        expected.treatment.filter.partitions = vec![6];
        assert_eq!(study.without_repeats(), expected);
    }

    #[test]
    fn a_list_as_long_as_a_file_can_hold_is_done_with_at_once() {
        let mut study = Study::first_visit();
        study.columns = vec![Metric::Af; 300_000];
        study.removed = vec![study.runs()[0].clone(); 100_000];
        let study = study.without_repeats();
        assert_eq!((study.columns, study.removed.len()), (vec![Metric::Af], 1));
    }
}
