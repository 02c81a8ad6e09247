//! The charts on the page, so that several can be printed as one figure.

use super::state::ChartState;
use crate::app::prelude::*;

/// The charts in the document, in the order in which they were added.
#[derive(Clone, Copy, Default)]
pub struct ShownCharts(RwSignal<Vec<ChartState>>);

impl ShownCharts {
    /// Adds a chart for as long as its view exists.
    pub fn add(self, chart: ChartState) {
        self.0.update(|charts| charts.push(chart));
        on_cleanup(move || {
            // the page itself may be gone
            let _ = self.0.try_update(|charts| charts.retain(|other| other.width != chart.width));
        });
    }

    /// All charts except this one.
    pub fn but(self, chart: ChartState) -> Vec<ChartState> {
        self.0.with(|charts| charts.iter().copied().filter(|other| other.width != chart.width).collect())
    }
}
