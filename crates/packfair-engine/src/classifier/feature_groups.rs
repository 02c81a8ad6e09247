//! Groups of features.

/// Groups of features that may be left out, in the order of [`Feature`](super::feature::Feature): each of Table 4 by itself, and the further
/// ones of `best` by what they tell.
pub(super) const GROUPS: &[(&str, &str)] = &[
    ("limit", "requested time L"),
    ("width", "processors q"),
    ("hour", "hour"),
    ("weekday", "day of the week"),
    ("day", "day of the month"),
    ("month", "month"),
    ("week", "week of the year"),
    ("quarter", "quarter"),
    ("ul1", "latest of (u, L)"),
    ("ul2", "second latest of (u, L)"),
    ("ul3", "third latest of (u, L)"),
    ("ul", "share in (u, L)"),
    ("uq1", "latest of (u, q)"),
    ("uq2", "second latest of (u, q)"),
    ("uq3", "third latest of (u, q)"),
    ("uq", "share in (u, q)"),
    ("ud1", "latest of (u, d)"),
    ("ud2", "second latest of (u, d)"),
    ("ud3", "third latest of (u, d)"),
    ("ud", "share in (u, d)"),
    ("who", "user, group, executable"),
    ("area", "area L q"),
    ("categories", "classes of further categories"),
    ("runs", "run times of earlier jobs"),
    ("since", "how long ago the latest of a category, and the user's last, came"),
    ("habit", "what repeats the user's last job, and the user's jobs not known yet"),
];
