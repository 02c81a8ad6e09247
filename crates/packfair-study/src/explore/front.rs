//! Dominance between settings.

use super::{Findings, PartValues};
use packfair_engine::metric::{Aim, Metric};

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

// A picture of what was tried, by two metrics. Each is the change to the baseline's value on the same part of the log, in
// percent, as everywhere: run less baseline. So both parts have the same scale, and the baseline is at 0 on both.

/// The share of the tried settings that is within the picture. Settings that are far worse would squeeze the others
/// into a corner.
const WITHIN: f64 = 0.85;

/// The two metrics of the axes, by their indices in the question.
pub type Axes = (usize, usize);

/// A point, as changes to the baseline, percent.
pub type PicturePoint = (f64, f64);

/// The data of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The range of the x axis, percent.
    pub x: (f64, f64),
    /// The range of the y axis, percent.
    pub y: (f64, f64),
    /// The tried settings in their order, on the part on which settings are chosen; `None` where a value is missing.
    pub tried: Vec<Option<PicturePoint>>,
    /// The settings that no others beat, as in the findings: their points on the choose part and on the select part.
    /// `None` where a value is missing.
    pub front: Vec<Option<(PicturePoint, Option<PicturePoint>)>>,
    /// The number of tried settings outside the picture.
    pub beyond: usize,
}

impl Picture {
    /// The picture of `tried`, which are values on the part on which settings are chosen. `None` where the baseline has
    /// no value or 0, because a percentage of it is not defined.
    pub fn of<'a>(
        findings: &Findings,
        tried: impl IntoIterator<Item = &'a [Option<f64>]>,
        (x, y): Axes,
    ) -> Option<Picture> {
        let PartValues { choose, select } = &findings.baseline;
        let percent = |values: &[Option<f64>], baseline: &[Option<f64>], place: usize| {
            let (value, baseline) = (values.get(place).copied()??, baseline.get(place).copied()??);
            Some(100.0 * (value - baseline) / baseline.abs()).filter(|percent| percent.is_finite())
        };
        let point = |values: &[Option<f64>], baseline: &[Option<f64>]| {
            Some((percent(values, baseline, x)?, percent(values, baseline, y)?))
        };
        point(choose, choose)?;
        let tried: Vec<Option<PicturePoint>> = tried.into_iter().map(|values| point(values, choose)).collect();
        let front: Vec<Option<(PicturePoint, Option<PicturePoint>)>> = findings
            .front
            .iter()
            .map(|member| Some((point(&member.values.choose, choose)?, point(&member.values.select, select))))
            .collect();
        let seen = || front.iter().flatten().flat_map(|(choose, select)| [Some(*choose), *select]).flatten();
        let range = |of: fn(&PicturePoint) -> f64| {
            let mut values: Vec<f64> = tried.iter().flatten().map(of).collect();
            values.sort_unstable_by(f64::total_cmp);
            let most = values.get((values.len() as f64 * WITHIN) as usize).or(values.last()).copied();
            let ends = [values.first().copied(), most].into_iter().flatten().chain(seen().map(|point| of(&point)));
            let (least, most) = ends.fold((0.0_f64, 0.0_f64), |(least, most), v| (least.min(v), most.max(v)));
            let margin = ((most - least) * 0.04).max(0.5);
            (least - margin, most + margin)
        };
        let (x, y) = (range(|point| point.0), range(|point| point.1));
        let within = |(from, to): (f64, f64), value: f64| (from..=to).contains(&value);
        let is_beyond = |point: &&PicturePoint| !(within(x, point.0) && within(y, point.1));
        let beyond = tried.iter().flatten().filter(is_beyond).count();
        Some(Picture { x, y, tried, front, beyond })
    }

    /// Whether a point is within the picture.
    pub fn holds(&self, (x, y): PicturePoint) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }
}

/// About five round numbers within a range.
pub fn round_steps((from, to): (f64, f64)) -> Vec<f64> {
    let wanted = (to - from) / 5.0;
    let decade = libm::pow(10.0, libm::floor(libm::log10(wanted)));
    let step = [1.0, 2.0, 5.0, 10.0].iter().map(|unit| unit * decade).find(|step| *step >= wanted).unwrap_or(wanted);
    let first = libm::ceil(from / step) as i64;
    (first..first + 12).map(|n| n as f64 * step).take_while(|tick| *tick <= to).collect()
}

#[cfg(test)]
mod picture_tests {
    use super::*;
    use crate::explore::{ExploreQuestion, FrontMember};
    use packfair_engine::metric::Metric;

    fn findings(baseline: PartValues) -> Findings {
        let run = crate::Run::new("fcfs".parse().unwrap(), "requested".parse().unwrap());
        let values = PartValues { choose: vec![Some(80.0), Some(5.0)], select: vec![Some(900.0), Some(12.0)] };
        Findings {
            question: ExploreQuestion { minimise: vec![Metric::Af, Metric::Bsld], ..ExploreQuestion::default() },
            tried: 3,
            keeping: 3,
            jobs: [60, 20, 20],
            baseline,
            front: vec![FrontMember { run, values }],
            machines: Vec::new(),
            confirmed: None,
            again: None,
        }
    }

    #[test]
    fn each_part_is_a_change_to_its_own_baseline() {
        let found =
            findings(PartValues { choose: vec![Some(100.0), Some(10.0)], select: vec![Some(1_000.0), Some(10.0)] });
        let tried: [&[Option<f64>]; 3] = [&[Some(80.0), Some(5.0)], &[Some(120.0), Some(11.0)], &[Some(90.0), None]];
        let picture = Picture::of(&found, tried, (0, 1)).unwrap();
        assert_eq!(picture.tried, [Some((-20.0, -50.0)), Some((20.0, 10.0)), None]);
        assert_eq!(picture.front, [Some(((-20.0, -50.0), Some((-10.0, 20.0))))]);
        assert!(picture.holds((0.0, 0.0)) && picture.holds((-10.0, 20.0)), "baseline and front are in sight");
        assert_eq!(picture.beyond, 0);
        assert_eq!(Picture::of(&found, tried, (1, 0)).unwrap().tried[0], Some((-50.0, -20.0)));
        let far: Vec<Vec<Option<f64>>> =
            (1..=100).map(|i| vec![Some(f64::from(i) * f64::from(i)), Some(10.0)]).collect();
        let picture = Picture::of(&found, far.iter().map(Vec::as_slice), (0, 1)).unwrap();
        assert!((5..20).contains(&picture.beyond), "{}", picture.beyond);
    }

    #[test]
    fn of_nothing_there_are_no_percentages() {
        let none = findings(PartValues { choose: vec![Some(0.0), Some(10.0)], select: vec![None, None] });
        assert_eq!(Picture::of(&none, [], (0, 1)), None);
        let found = findings(PartValues { choose: vec![Some(1.0), Some(10.0)], select: Vec::new() });
        let picture = Picture::of(&found, [], (0, 1)).unwrap();
        assert_eq!(picture.front[0].unwrap().1, None, "before it is judged");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_steps((38.0, 122.0)), [40.0, 60.0, 80.0, 100.0, 120.0]);
        assert_eq!(round_steps((-0.5, 0.5)).len(), 5);
        assert_eq!(round_steps((-22.0, 15.0)), [-20.0, -10.0, 0.0, 10.0]);
    }
}
