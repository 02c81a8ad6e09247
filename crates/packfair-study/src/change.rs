//! The change from one value to another.

/// The relative change from `baseline` to `value`; `None` where it is not defined.
pub(super) fn relative(value: f64, baseline: f64) -> Option<f64> {
    if value == baseline {
        return Some(0.0);
    }
    Some((value - baseline) / baseline.abs()).filter(|change| change.is_finite())
}
