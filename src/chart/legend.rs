//! The legend inside a drawing that is saved.

use super::Figure;
use super::text::TEXT;
use super::text::{fitted, width_of};

/// The length of the line before a name, pixels.
pub const SWATCH: f64 = 20.0;

/// The largest number of rows: more would leave no room for the plot.
const MOST_ROWS: usize = 6;

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendItem {
    /// The index of the series; `None` for words about all series.
    pub series: Option<usize>,
    pub text: String,
    /// The left edge, pixels from the left.
    pub left: f64,
}

/// The names of the `visible` series in rows of `width` pixels; empty if there is only one series.
pub fn entries(figure: &Figure, visible: &[usize], width: f64) -> Vec<Vec<LegendItem>> {
    // points and boxes have their names beside them
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

/// Words in rows of `width` pixels.
pub fn words(words: &[String], width: f64) -> Vec<Vec<LegendItem>> {
    let mut rows: Vec<Vec<LegendItem>> = Vec::new();
    let mut left = width;
    for word in words {
        let text = fitted(word, TEXT, width - 8.0);
        let needed = width_of(&text, TEXT) + 12.0;
        if left + needed > width {
            rows.push(Vec::new());
            left = 4.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(LegendItem { series: None, text, left });
        }
        left += needed;
    }
    rows
}
