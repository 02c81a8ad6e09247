//! The ids and names of the features.

/// The features, any of which may be left out, in the order of [`TABLE_4`](super::feature::TABLE_4).
pub(super) const FEATURES: &[(&str, &str)] = &[
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
];
