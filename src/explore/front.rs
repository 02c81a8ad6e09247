//! Dominance between settings.

use crate::metric::{Aim, Metric};

/// What dominance is decided by: how far the bounds are broken, and the metrics as costs, where less is better.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Merit {
    /// How far the bounds are broken; 0 where all are kept.
    broken: f64,
    costs: Vec<f64>,
    /// The number of changes of what a file says. Of equal settings those with fewer are better: each is work for
    /// somebody.
    changes: usize,
}

impl Merit {
    /// The merit of the values of these metrics, of how far they break the bounds, and of the number of changes.
    pub(super) fn new(broken: f64, metrics: &[Metric], values: &[Option<f64>], changes: usize) -> Self {
        let cost = |(metric, value): (&Metric, &Option<f64>)| {
            let value = value.unwrap_or(f64::INFINITY);
            if metric.about().aim == Aim::High { -value } else { value }
        };
        Merit { broken, costs: metrics.iter().zip(values).map(cost).collect(), changes }
    }

    pub(super) fn keeps_bounds(&self) -> bool {
        self.broken == 0.0
    }

    /// Whether this one is better: it breaks the bounds less or, where both keep them, it is worse in no metric and
    /// better in some, or equal in all with fewer changes.
    pub(super) fn dominates(&self, other: &Merit) -> bool {
        if !self.keeps_bounds() || !other.keeps_bounds() {
            return self.broken < other.broken;
        }
        if self.costs == other.costs {
            return self.changes < other.changes;
        }
        let mut pairs = self.costs.iter().zip(&other.costs);
        pairs.all(|(own, others)| own <= others)
    }

    /// Whether neither is better.
    fn equals(&self, other: &Merit) -> bool {
        !self.dominates(other) && !other.dominates(self) && (!self.keeps_bounds() || self.costs == other.costs)
    }
}

/// By how many others each of several settings is beaten. Of equal settings the first beats the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    merits: Vec<Merit>,
    beaten_by: Vec<u32>,
}

impl Ranking {
    /// Adds a setting.
    pub(super) fn add(&mut self, merit: Merit) {
        let mut beaten = 0;
        for (other, count) in self.merits.iter().zip(&mut self.beaten_by) {
            if other.dominates(&merit) || other.equals(&merit) {
                beaten += 1;
            } else if merit.dominates(other) {
                *count += 1;
            }
        }
        self.merits.push(merit);
        self.beaten_by.push(beaten);
    }

    /// The settings that keep the bounds and that no others beat, in the order in which they were added.
    pub(super) fn front(&self) -> Vec<usize> {
        (0..self.merits.len()).filter(|&i| self.beaten_by[i] == 0 && self.merits[i].keeps_bounds()).collect()
    }

    /// The settings beaten by the fewest others, unbeaten ones first. All unbeaten ones are taken, but at most `most`;
    /// at least `least` settings are taken in any case.
    pub(super) fn best(&self, least: usize, most: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.merits.len()).collect();
        places.sort_by_key(|&i| (self.beaten_by[i], i));
        let unbeaten = places.iter().take_while(|&&i| self.beaten_by[i] == 0).count();
        places.truncate(unbeaten.min(most).max(least));
        places
    }

    /// The number of settings that keep the bounds.
    pub(super) fn keeping(&self) -> usize {
        self.merits.iter().filter(|merit| merit.keeps_bounds()).count()
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranking(merits: &[(u8, Vec<u8>)]) -> Ranking {
        let mut ranking = Ranking::default();
        for (broken, costs) in merits {
            ranking.add(Merit {
                broken: f64::from(*broken),
                costs: costs.iter().map(|&cost| f64::from(cost)).collect(),
                changes: 0,
            });
        }
        ranking
    }

    #[test]
    fn the_front_is_what_nothing_beats() {
        let points =
            [(0, vec![3, 3]), (0, vec![1, 4]), (0, vec![4, 1]), (0, vec![4, 4]), (1, vec![0, 0]), (0, vec![1, 4])];
        let ranking = ranking(&points);
        assert_eq!(ranking.front(), [0, 1, 2], "of equal ones the first; bounds come first");
        assert_eq!(ranking.best(4, 10), [0, 1, 2, 5]);
        assert_eq!((ranking.best(1, 2).len(), ranking.keeping()), (2, 5));
    }

    #[test]
    fn more_is_better_where_the_metric_says_so() {
        let merit = |value| Merit::new(0.0, &[Metric::Utilisation], &[Some(value)], 0);
        assert!(merit(0.8).dominates(&merit(0.7)) && !merit(0.7).dominates(&merit(0.8)));
    }

    #[test]
    fn of_equal_settings_those_with_fewer_changes_are_better() {
        let merit = |value, changes| Merit::new(0.0, &[Metric::Aq], &[Some(value)], changes);
        assert!(merit(7.0, 1).dominates(&merit(7.0, 2)) && !merit(7.0, 2).dominates(&merit(7.0, 1)));
        assert!(merit(6.0, 9).dominates(&merit(7.0, 0)), "values come first");
        let mut ranking = Ranking::default();
        [merit(7.0, 3), merit(7.0, 1), merit(7.0, 2)].into_iter().for_each(|merit| ranking.add(merit));
        assert_eq!(ranking.front(), [1]);
    }

    proptest! {
        #[test]
        fn each_is_on_the_front_or_beaten_by_somebody_on_it(
            points in prop::collection::vec((0..3_u8, prop::collection::vec(0..6_u8, 3)), 1..60),
        ) {
            let ranking = ranking(&points);
            let front = ranking.front();
            let merits = &ranking.merits;
            for &one in &front {
                prop_assert!(front.iter().all(|&other| !merits[other].dominates(&merits[one])));
            }
            prop_assert_eq!(front.is_empty(), ranking.keeping() == 0);
            for i in (0..merits.len()).filter(|i| merits[*i].keeps_bounds() && !front.contains(i)) {
                prop_assert!(front.iter().any(|&f| merits[f].dominates(&merits[i]) || merits[f].equals(&merits[i])));
            }
        }
    }
}
