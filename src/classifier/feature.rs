//! Features of jobs (CLASSIFY Table 4).

use super::categories::Category;
use super::options::{By, ClassifierOptions};
use std::fmt;

/// Something known of a job when it is submitted, as a number; -1 if it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Feature {
    /// Requested time L, seconds.
    Limit,
    /// Processors q.
    Width,
    /// Hour of its submission, 0 to 23.
    Hour,
    /// Day of the week, Monday 0.
    Weekday,
    /// Day of the month.
    Day,
    /// Month.
    Month,
    /// Week of the year by ISO 8601.
    Week,
    /// Quarter of the year.
    Quarter,
    /// Class of the latest (0), second (1) or third latest (2) known job of its category: small 1, large 0.
    Class(Category, u8),
    /// Share of small ones among all known jobs of its category.
    Share(Category),
}

/// The features of CLASSIFY Table 4, in its order.
pub const TABLE_4: [Feature; 20] = {
    use Category::{UserLimit, UserWeekday, UserWidth};
    use Feature::{Class, Day, Hour, Limit, Month, Quarter, Share, Week, Weekday, Width};
    [
        Limit,
        Width,
        Hour,
        Weekday,
        Day,
        Month,
        Week,
        Quarter,
        Class(UserLimit, 0),
        Class(UserLimit, 1),
        Class(UserLimit, 2),
        Share(UserLimit),
        Class(UserWidth, 0),
        Class(UserWidth, 1),
        Class(UserWidth, 2),
        Share(UserWidth),
        Class(UserWeekday, 0),
        Class(UserWeekday, 1),
        Class(UserWeekday, 2),
        Share(UserWeekday),
    ]
};

/// The features of a classifier.
pub(super) fn of(options: &ClassifierOptions) -> Vec<Feature> {
    let known: &[Feature] = if options.by == By::Forest { &TABLE_4 } else { &[] };
    (0..).zip(known).filter(|&(place, _)| options.features.takes(place)).map(|(_, &feature)| feature).collect()
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ordinal = |place: u8| ["latest", "second latest", "third latest"][usize::from(place.min(2))];
        match *self {
            Feature::Limit => f.write_str("requested time L"),
            Feature::Width => f.write_str("processors q"),
            Feature::Hour => f.write_str("hour"),
            Feature::Weekday => f.write_str("day of the week"),
            Feature::Day => f.write_str("day of the month"),
            Feature::Month => f.write_str("month"),
            Feature::Week => f.write_str("week of the year"),
            Feature::Quarter => f.write_str("quarter"),
            Feature::Class(category, place) => write!(f, "{} of ({})", ordinal(place), category.symbols()),
            Feature::Share(category) => write!(f, "share in ({})", category.symbols()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::feature_names::FEATURES;
    use super::*;
    use crate::catalogue::Selection;

    #[test]
    fn every_feature_may_be_left_out_by_its_name() {
        let of = |by, features| of(&ClassifierOptions { by, features, ..ClassifierOptions::default() });
        let all = Selection::all(FEATURES);
        assert_eq!(of(By::Forest, all), TABLE_4);
        for (place, (_, name)) in FEATURES.iter().enumerate() {
            let left = of(By::Forest, all.with(place, false));
            let left_out: Vec<String> =
                TABLE_4.iter().filter(|feature| !left.contains(feature)).map(ToString::to_string).collect();
            assert_eq!(left_out, [*name]);
        }
        assert!(of(By::Request, all).is_empty());
    }
}
