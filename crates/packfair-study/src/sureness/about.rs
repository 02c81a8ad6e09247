//! The interval about a log's own number, by how far its repeats lie from it.

use super::{Interval, NoInterval, interval};

/// The probability with which a further workload would come out within an interval, were spreads normal.
const LEVEL: f64 = 0.95;

/// Repeats that lie so far to one side of the own number that this happens with a smaller probability than the rest are
/// not like the log.
const SIDED: f64 = 0.999;

/// The least share of the repeats that have a value.
const LEAST_DEFINED: f64 = 0.9;

/// An interval whose upper bound is so many times the lower one says nothing.
const SAYS_NOTHING: f64 = 100.0;

/// The part of the distance of the repeats' mean from the own number that counts as spread.
const BIAS: f64 = 0.5;

/// How many times as wide as that of Student's t the interval of a change is. With this it holds the truth as often as it
/// should on logs whose law is known, as that of a value does without (docs/sure.md).
const OF_CHANGES: f64 = 0.9;

/// Means that differ by less differ by rounding.
const ROUNDING: f64 = 1e-9;

/// The scale on which numbers spread about evenly to both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// Logarithms, of numbers above 0.
    Ratio,
    /// Logarithms of odds, of shares.
    Odds,
    Difference,
}

impl Scale {
    /// The scale for all of these values. Values that all lie between 0 and 1 are taken for shares.
    fn of_values(values: &[f64]) -> Self {
        if values.iter().all(|&value| value > 0.0 && value < 1.0) { Scale::Odds } else { Scale::of_multiples(values) }
    }

    /// The scale for values as multiples of others.
    fn of_multiples(multiples: &[f64]) -> Self {
        if multiples.iter().all(|&multiple| multiple > 0.0) { Scale::Ratio } else { Scale::Difference }
    }

    fn to(self, number: f64) -> f64 {
        match self {
            Scale::Ratio => libm::log(number),
            Scale::Odds => libm::log(number / (1.0 - number)),
            Scale::Difference => number,
        }
    }

    fn back(self, place: f64) -> f64 {
        match self {
            Scale::Ratio => libm::exp(place),
            Scale::Odds => 1.0 / (1.0 + libm::exp(-place)),
            Scale::Difference => place,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Value,
    Change,
}

impl Quantity {
    /// What is added before numbers are compared: a relative change and 1 are a multiple of the baseline's value.
    fn added(self) -> f64 {
        match self {
            Quantity::Value => 0.0,
            Quantity::Change => 1.0,
        }
    }

    /// How many times as wide as that of Student's t the interval is.
    fn width(self) -> f64 {
        match self {
            Quantity::Value => 1.0,
            Quantity::Change => OF_CHANGES,
        }
    }

    fn scale(self, numbers: &[f64]) -> Scale {
        match self {
            Quantity::Value => Scale::of_values(numbers),
            Quantity::Change => Scale::of_multiples(numbers),
        }
    }
}

impl Interval {
    /// The 95 % interval of a log's own value, from the values on its repeats; `None` stands for a value that is not
    /// defined.
    ///
    /// It is the interval of Student's t about the own value, on the scale on which values spread evenly to both sides.
    /// Where the repeats' mean is another than the own value, half of that distance is counted into their spread.
    ///
    /// # Errors
    /// Why there is no interval.
    pub fn of_value(own: f64, repeats: &[Option<f64>]) -> Result<Self, NoInterval> {
        about(own, repeats, Quantity::Value)
    }

    /// The 95 % interval of a log's own relative change, from the changes on its repeats: as [`Interval::of_value`], of
    /// the value as a multiple of the baseline's.
    ///
    /// # Errors
    /// Why there is no interval.
    pub fn of_change(own: f64, repeats: &[Option<f64>]) -> Result<Self, NoInterval> {
        about(own, repeats, Quantity::Change)
    }
}

fn about(own: f64, repeats: &[Option<f64>], quantity: Quantity) -> Result<Interval, NoInterval> {
    let added = quantity.added();
    let numbers = repeats.iter().flatten().copied().filter(|number| number.is_finite());
    let numbers: Vec<f64> = std::iter::once(own).chain(numbers).map(|number| number + added).collect();
    let count = numbers.len() - 1;
    if repeats.len() < 2 {
        return Err(NoInterval::TooFew);
    }
    if count < 2 || (count as f64) < LEAST_DEFINED * repeats.len() as f64 {
        return Err(NoInterval::Undefined);
    }
    let scale = quantity.scale(&numbers);
    let own = scale.to(numbers[0]);
    let off: Vec<f64> = numbers[1..].iter().map(|&number| scale.to(number) - own).collect();
    let mean = off.iter().sum::<f64>() / count as f64;
    let degrees = count - 1;
    let variance = off.iter().map(|off| (off - mean) * (off - mean)).sum::<f64>() / degrees as f64;
    let one_more = libm::sqrt(variance * (1.0 + 1.0 / count as f64));
    if mean.abs() > ROUNDING + interval::two_sided(SIDED, degrees) * one_more {
        return Err(NoInterval::Misfit);
    }
    let spread = libm::sqrt(variance + BIAS * mean * BIAS * mean);
    if spread == 0.0 {
        return Ok(Interval { low: numbers[0] - added, high: numbers[0] - added });
    }
    let half = quantity.width() * interval::two_sided(LEVEL, degrees) * spread;
    if scale != Scale::Difference && 2.0 * half > libm::log(SAYS_NOTHING) {
        return Err(NoInterval::FewDecide);
    }
    let mut interval = Interval { low: scale.back(own - half), high: scale.back(own + half) };
    if numbers.iter().all(|&number| number >= 0.0) {
        interval.low = interval.low.max(0.0);
    }
    Ok(Interval { low: interval.low - added, high: interval.high - added })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(values: impl IntoIterator<Item = f64>) -> Vec<Option<f64>> {
        values.into_iter().map(Some).collect()
    }

    #[test]
    fn a_value_above_0_has_an_interval_of_the_same_factor_to_both_sides() {
        // logarithms 1, -1, 0: their standard deviation is 1, and t with 2 degrees of freedom 4.303
        let spread = 1.2_f64;
        let repeats = some([100.0 * spread, 100.0 / spread, 100.0]);
        let interval = Interval::of_value(100.0, &repeats).unwrap();
        let factor = spread.powf(4.302_653);
        assert!((interval.high / 100.0 / factor - 1.0).abs() < 1e-6, "{interval:?}, {factor}");
        assert!((interval.low * interval.high - 1e4).abs() < 1e-6);
    }

    #[test]
    fn a_mean_off_the_own_value_widens_the_interval() {
        let repeats = |off: f64| some((0..40).map(|i| 100.0 * off * libm::exp(f64::from(i % 5 - 2) / 10.0)));
        let width = |off| {
            let interval = Interval::of_value(100.0, &repeats(off)).unwrap();
            assert!(interval.holds(100.0));
            libm::log(interval.high / interval.low)
        };
        assert!(width(1.3) > 1.2 * width(1.0) && (width(1.3) - width(1.0 / 1.3)).abs() < 1e-9);
    }

    #[test]
    fn shares_stay_between_0_and_1_and_what_may_be_0_never_lies_below() {
        let high = Interval::of_value(0.97, &some((0..40).map(|i| 0.9 + 0.099 * f64::from(i % 10) / 10.0))).unwrap();
        assert!(high.low > 0.0 && high.high < 1.0 && high.holds(0.97), "{high:?}");
        let rare = Interval::of_value(3.0, &some((0..40).map(|i| f64::from(i % 6)))).unwrap();
        assert!(rare.low == 0.0 && rare.high > 5.0, "{rare:?}");
        let below = Interval::of_value(-3.0, &some((0..40).map(|i| -f64::from(i % 6)))).unwrap();
        assert!(below.low < -5.0, "{below:?}");
    }

    #[test]
    fn a_change_is_one_of_the_value_as_a_multiple() {
        let repeats = some((0..40).map(|i| -0.5 + 0.01 * f64::from(i % 3 - 1)));
        let change = Interval::of_change(-0.5, &repeats).unwrap();
        assert!(!change.is_unsure() && change.low < -0.51 && change.high > -0.49 && change.low > -0.52, "{change:?}");
        let none = Interval::of_change(0.0, &some([0.0; 5])).unwrap();
        assert_eq!((none, none.is_unsure()), (Interval { low: 0.0, high: 0.0 }, false), "it is surely none");
        // a value of 0 is a change of -100 %: less there is none
        let gone = Interval::of_change(-0.9, &some([-1.0, -0.8, -0.9, -1.0])).unwrap();
        assert!(gone.low == -1.0 && gone.holds(-0.9), "{gone:?}");
    }

    #[test]
    fn where_there_is_no_interval_the_reason_is_told() {
        let why = |own, repeats: &[Option<f64>]| Interval::of_value(own, repeats).unwrap_err();
        assert_eq!(why(1.0, &[]), NoInterval::TooFew);
        assert_eq!(why(1.0, &[Some(1.0)]), NoInterval::TooFew);
        assert_eq!(why(1.0, &[Some(1.0), None]), NoInterval::Undefined);
        assert_eq!(why(1.0, &[Some(1.0), Some(2.0), None]), NoInterval::Undefined);
        let near = |i: i32| Some(200.0 + f64::from(i % 5));
        assert_eq!(why(100.0, &(0..40).map(near).collect::<Vec<_>>()), NoInterval::Misfit);
        let far = |i: i32| Some(libm::exp(f64::from(i % 9)));
        assert_eq!(why(50.0, &(0..40).map(far).collect::<Vec<_>>()), NoInterval::FewDecide);
    }

    #[test]
    fn few_repeats_on_one_side_are_no_misfit() {
        // of three repeats of the same law a quarter lies on one side
        let interval = Interval::of_value(100.0, &some([110.0, 120.0, 125.0])).unwrap();
        assert!(interval.holds(100.0) && interval.holds(140.0), "{interval:?}");
        assert!(Interval::of_change(0.0, &some([0.1, 0.12, 0.13])).unwrap().is_unsure());
    }
}
