//! Features of jobs (CLASSIFY Table 4, and more).

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
    /// User.
    User,
    /// Group.
    Group,
    /// Executable.
    Executable,
    /// L q, processor-seconds.
    Area,
    /// Run time of the latest (0) or second latest (1) known job of its category, seconds; so far, if it still runs.
    Run(Category, u8),
    /// How long ago the latest known job of its category became known, seconds.
    Since(Category),
    /// How long ago the user last (0) or third last (2) submitted a job, seconds.
    SinceSubmission(u8),
    /// Whether the user's last job requested as much time.
    SameLimit,
    /// Whether the user's last job requested as many processors.
    SameWidth,
    /// How many of the user's jobs were submitted and are not known yet.
    Unknown,
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

/// Further features of `best`.
const MORE: [Feature; 32] = {
    use Category::{User as OfUser, UserExecutableLimit, UserLimit, UserLimitWidth, UserWidth};
    use Feature::{
        Area, Class, Executable, Group, Run, SameLimit, SameWidth, Share, Since, SinceSubmission, Unknown, User,
    };
    [
        User,
        Group,
        Executable,
        Area,
        Class(OfUser, 0),
        Class(OfUser, 1),
        Class(OfUser, 2),
        Share(OfUser),
        Class(UserLimitWidth, 0),
        Class(UserLimitWidth, 1),
        Class(UserLimitWidth, 2),
        Share(UserLimitWidth),
        Class(UserExecutableLimit, 0),
        Class(UserExecutableLimit, 1),
        Share(UserExecutableLimit),
        Run(OfUser, 0),
        Run(OfUser, 1),
        Since(OfUser),
        Run(UserLimitWidth, 0),
        Run(UserLimitWidth, 1),
        Since(UserLimitWidth),
        Run(UserLimit, 0),
        Run(UserLimit, 1),
        Since(UserLimit),
        Run(UserWidth, 0),
        Run(UserWidth, 1),
        Since(UserWidth),
        SinceSubmission(0),
        SinceSubmission(2),
        SameLimit,
        SameWidth,
        Unknown,
    ]
};

impl Feature {
    /// Its place among [`GROUPS`](super::feature_groups::GROUPS).
    fn group(self) -> usize {
        if let Some(place) = TABLE_4.iter().position(|&other| other == self) {
            return place;
        }
        let further = match self {
            Feature::User | Feature::Group | Feature::Executable => 0,
            Feature::Area => 1,
            Feature::Run(..) => 3,
            Feature::Since(_) | Feature::SinceSubmission(_) => 4,
            Feature::SameLimit | Feature::SameWidth | Feature::Unknown => 5,
            // classes of categories that Table 4 does not have
            _ => 2,
        };
        TABLE_4.len() + further
    }
}

/// The features of a classifier.
pub(super) fn of(options: &ClassifierOptions) -> Vec<Feature> {
    let further: &[Feature] = if options.by == By::Best { &MORE } else { &[] };
    let known: &[Feature] = if matches!(options.by, By::Forest | By::Best) { &TABLE_4 } else { &[] };
    let all = known.iter().chain(further);
    all.copied().filter(|feature| options.features.takes(feature.group())).collect()
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
            Feature::User => f.write_str("user"),
            Feature::Group => f.write_str("group"),
            Feature::Executable => f.write_str("executable"),
            Feature::Area => f.write_str("area L q"),
            Feature::Run(category, place) => write!(f, "run time of {} of ({})", ordinal(place), category.symbols()),
            Feature::Since(category) => write!(f, "time since latest of ({})", category.symbols()),
            Feature::SinceSubmission(0) => f.write_str("time since the user's last submission"),
            Feature::SinceSubmission(_) => f.write_str("time since the user's third last submission"),
            Feature::SameLimit => f.write_str("as much time as before"),
            Feature::SameWidth => f.write_str("as many processors as before"),
            Feature::Unknown => f.write_str("the user's jobs not known yet"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::feature_groups::GROUPS;
    use super::*;
    use packfair_base::catalogue::Taken;

    #[test]
    fn every_feature_is_of_a_group_and_every_group_has_features() {
        let of = |by, features| of(&ClassifierOptions { by, features, ..ClassifierOptions::default() });
        let all = Taken::all(GROUPS);
        assert_eq!(of(By::Forest, all), TABLE_4);
        assert_eq!(of(By::Best, all).len(), TABLE_4.len() + MORE.len());
        for (place, (id, name)) in GROUPS.iter().enumerate() {
            let without = all.with(place, false);
            let left_out: Vec<Feature> =
                of(By::Best, all).into_iter().filter(|feature| !of(By::Best, without).contains(feature)).collect();
            assert!(!left_out.is_empty(), "{id}");
            match place < TABLE_4.len() {
                true => assert_eq!(left_out.iter().map(ToString::to_string).collect::<Vec<_>>(), [*name]),
                false => assert!(left_out.iter().all(|feature| MORE.contains(feature)), "{id}"),
            }
        }
        assert!(of(By::Request, all).is_empty());
    }
}
