//! How measures are judged, and their names in sentences.

use crate::RunReport;
use packfair_engine::metric::{Aim, Metric};

/// The smallest relative difference worth acting on. A value must be ahead by this share of the larger of the two to be
/// better, and a change must be as large to be mentioned.
pub const WORTH_ACTING_ON: f64 = 0.01;

/// Metrics without a value for a scheduler that never does such a thing: it did it 0 times.
const NEVER: [Metric; 6] =
    [Metric::Kills, Metric::JobsKilled, Metric::LostArea, Metric::LostShare, Metric::Late, Metric::Remade];

/// Whether the metric has a better direction, so that rows can be judged by it.
pub(super) fn is_judged(metric: Metric) -> bool {
    metric.about().aim != Aim::None
}

/// 1 where less is better, −1 where more is: multiplied with it, less is always better.
pub(super) fn sign(metric: Metric) -> f64 {
    if metric.about().aim == Aim::High { -1.0 } else { 1.0 }
}

/// The value of a metric in a result. A metric of [`NEVER`] without a value is 0 where `others` has one.
pub(super) fn value(report: &RunReport, metric: Metric, others: &RunReport) -> Option<f64> {
    let own = report.values.get(&metric).copied();
    own.or_else(|| (NEVER.contains(&metric) && others.values.contains_key(&metric)).then_some(0.0))
}

/// Whether `value` is better than `other` in this metric, by at least [`WORTH_ACTING_ON`].
pub(super) fn is_ahead(metric: Metric, value: f64, other: f64) -> bool {
    let sign = sign(metric);
    sign * value < sign * other && (other - value).abs() >= WORTH_ACTING_ON * value.abs().max(other.abs())
}

/// Whether any of these runs is ahead of another in a metric, whatever repeats say. If any is, the best is ahead of the
/// worst, so not all pairs need a look; a table may have thousands of rows.
pub(super) fn tells_apart(metric: Metric, reports: &[&RunReport]) -> bool {
    let known = |report: &&RunReport| report.values.contains_key(&metric);
    let Some(one) = reports.iter().copied().find(known) else { return false };
    let values = || reports.iter().filter_map(|report| value(report, metric, one));
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    is_ahead(metric, least, most) || is_ahead(metric, most, least)
}

/// The metric's name within a sentence.
pub(super) fn name(metric: Metric) -> String {
    match metric {
        Metric::Bsld => "slowdown".to_owned(),
        Metric::Af => "response time".to_owned(),
        Metric::Awf => "packing".to_owned(),
        Metric::MaxWait => "longest wait".to_owned(),
        _ => {
            let name = metric.about().name;
            let mut letters = name.chars();
            // An abbreviation keeps its capitals.
            match (letters.next(), letters.next()) {
                (Some(first), Some(second)) if second.is_lowercase() => {
                    first.to_lowercase().chain(name.chars().skip(1)).collect()
                }
                _ => name.to_owned(),
            }
        }
    }
}

/// Joins words into a list: "slowdown, packing and fairness".
pub(super) fn and(words: &[String]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}
