//! How strongly a change relative to the baseline is coloured.

use crate::table::{CellDisplay, TableCell};
use packfair_engine::metric::Aim;

/// A change by a factor of ten, up or down, gets the full colour.
const FULL: f64 = std::f64::consts::LN_10;

/// Below about this change the colour grows in proportion; above it, with the logarithm.
const KNEE: f64 = 0.05;

/// The side of the diverging palette that a change is on, given the metric's aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Equal to the baseline, or neither better nor worse.
    Neutral,
    Better,
    Worse,
}

impl Side {
    /// The side of a relative change (0.07: 7 % more than the baseline).
    fn of(change: f64, aim: Aim) -> Side {
        match (aim, change) {
            (Aim::Low, c) if c < 0.0 => Side::Better,
            (Aim::High, c) if c > 0.0 => Side::Better,
            (Aim::Low | Aim::High, c) if c != 0.0 => Side::Worse,
            _ => Side::Neutral,
        }
    }

    /// The side of a cell's change, whether or not the cell shows it.
    pub fn of_cell(cell: &TableCell) -> Side {
        Side::of(cell.change.unwrap_or(0.0), cell.metric.about().aim)
    }

    /// The side of a cell's change that can be claimed: none where the change is not sure.
    pub fn of_sure_cell(cell: &TableCell) -> Side {
        if cell.is_unsure() { Side::Neutral } else { Side::of_cell(cell) }
    }

    /// The side in words, to follow a change.
    pub fn judgement(self) -> &'static str {
        match self {
            Side::Neutral => "",
            Side::Better => ", better",
            Side::Worse => ", worse",
        }
    }
}

/// The colour of a cell: its side, and the strength of the colour, from 0 to 1. A cell has no colour if it shows a
/// value or a change that is no fact ([`TableCell::is_unsure`]), or if its row is not judged
/// ([`Row::is_judged`](crate::table::Row::is_judged)).
pub fn tint(cell: &TableCell, is_judged: bool) -> (Side, f64) {
    match cell.change {
        Some(change) if is_judged && cell.shown == CellDisplay::Change && !cell.is_unsure() => {
            (Side::of_cell(cell), strength(change))
        }
        _ => (Side::Neutral, 0.0),
    }
}

/// The strength of the colour for a relative change: logarithmic, and the same for a factor and its inverse.
fn strength(change: f64) -> f64 {
    let ratio = libm::log((1.0 + change).max(f64::MIN_POSITIVE)).abs();
    (libm::log(1.0 + ratio / KNEE) / libm::log(1.0 + FULL / KNEE)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sureness::Interval;
    use packfair_engine::metric::Metric;

    #[test]
    fn a_factor_and_its_inverse_are_equally_strong() {
        assert!((strength(1.0) - strength(-0.5)).abs() < 1e-12);
        assert_eq!(strength(0.0), 0.0);
        assert_eq!(strength(20.0), 1.0);
        assert_eq!(strength(-1.0), 1.0);
        assert!(strength(0.04) > 0.1 && strength(0.04) < strength(0.4));
    }

    #[test]
    fn sides_follow_the_aim() {
        assert_eq!(Side::of(-0.1, Aim::Low), Side::Better);
        assert_eq!(Side::of(-0.1, Aim::High), Side::Worse);
        assert_eq!(Side::of(-0.1, Aim::None), Side::Neutral);
        assert_eq!(Side::of(0.0, Aim::Low), Side::Neutral);
    }

    #[test]
    fn what_says_nothing_has_no_colour() {
        let cell = TableCell {
            metric: Metric::Af,
            value: 80.0,
            baseline: Some(100.0),
            change: Some(-0.2),
            is_best: false,
            shown: CellDisplay::Change,
            interval: None,
            change_interval: None,
            no_interval: None,
            is_repeated: false,
        };
        assert_eq!(tint(&cell, true).0, Side::Better);
        assert_eq!(tint(&cell, false), (Side::Neutral, 0.0), "of a saturated row");
        assert_eq!(tint(&TableCell { shown: CellDisplay::Value, ..cell }, true), (Side::Neutral, 0.0));
        let unsure = Some(Interval { low: -0.3, high: 0.1 });
        let repeated = TableCell { is_repeated: true, ..cell };
        assert_eq!(tint(&TableCell { change_interval: unsure, ..repeated }, true), (Side::Neutral, 0.0));
        assert_eq!(tint(&repeated, true), (Side::Neutral, 0.0), "the interval does not fit, or there is none");
        let sure = Some(Interval { low: -0.3, high: -0.1 });
        assert_eq!(tint(&TableCell { change_interval: sure, ..repeated }, true).0, Side::Better);
    }
}
