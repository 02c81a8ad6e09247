//! How settings compare with the baseline.

use crate::metric::{Aim, Metric};

/// How values compare with those of the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub better: Vec<Metric>,
    pub worse: Vec<Metric>,
}

impl Standing {
    /// The standing of values of these metrics. A metric without a value on either side counts as neither.
    pub(super) fn of(metrics: &[Metric], values: &[Option<f64>], baseline: &[Option<f64>]) -> Self {
        let mut standing = Standing::default();
        for ((&metric, value), baseline) in metrics.iter().zip(values).zip(baseline) {
            let (Some(value), Some(baseline)) = (value, baseline) else { continue };
            match gain(metric, *value, *baseline) {
                gain if gain > 0.0 => standing.better.push(metric),
                gain if gain < 0.0 => standing.worse.push(metric),
                _ => {}
            }
        }
        standing
    }

    pub fn is_better_in_all(&self, metrics: &[Metric]) -> bool {
        self.better.len() == metrics.len()
    }
}

/// By how much a value is better than the baseline's, as a share of the baseline's; negative where it is worse.
pub(super) fn gain(metric: Metric, value: f64, baseline: f64) -> f64 {
    let less = if metric.about().aim == Aim::High { value - baseline } else { baseline - value };
    if less == 0.0 { 0.0 } else { less / baseline.abs().max(f64::MIN_POSITIVE) }
}

/// Names joined into a list: `AF`, `AF and BSLD`, `AF, AWF and BSLD`.
pub(super) fn listed(metrics: &[Metric]) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.about().name).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
