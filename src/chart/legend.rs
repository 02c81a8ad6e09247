//! The legend of a drawing that leaves the page.

use super::Figure;
use super::layout::TEXT;
use super::text::{fitted, width_of};

/// Length of the line before a name, pixels.
pub const SWATCH: f64 = 20.0;

/// More rows than this would leave no room for the plot.
const MOST_ROWS: usize = 6;

/// A name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendItem {
    /// Which series; none for words about them all.
    pub series: Option<usize>,
    /// What is written.
    pub text: String,
    /// Where it begins, pixels from the left.
    pub left: f64,
}

/// The names of the `visible` series in rows of `width` pixels; none where one series says nothing new.
pub fn entries(figure: &Figure, visible: &[usize], width: f64) -> Vec<Vec<LegendItem>> {
    // points and boxes are named where they stand
    let named: Vec<usize> = visible.iter().copied().filter(|&i| !figure.series[i].data.is_scattered()).collect();
    if visible.len() < 2 || named.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<Vec<LegendItem>> = vec![Vec::new()];
    let mut left = 4.0;
    if !figure.common.is_empty() {
        let text = fitted(&format!("{}:", figure.common), TEXT, width - 8.0);
        left += width_of(&text, TEXT) + 12.0;
        rows[0].push(LegendItem { series: None, text, left: 4.0 });
    }
    for (nth, &i) in named.iter().enumerate() {
        let text = fitted(&figure.series[i].name, TEXT, width - SWATCH - 24.0);
        let needed = SWATCH + 6.0 + width_of(&text, TEXT) + 16.0;
        if left > 4.0 && left + needed > width {
            if rows.len() == MOST_ROWS {
                let text = format!("and {} more", named.len() - nth);
                rows.push(vec![LegendItem { series: None, text, left: 4.0 }]);
                return rows;
            }
            rows.push(Vec::new());
            left = 4.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(LegendItem { series: Some(i), text, left });
        }
        left += needed;
    }
    rows
}
