//! The three most informative charts, below the comparison table.

use super::chart::{Chart, figure};
use super::charted::{ChartedRuns, backdrop};
use super::finer::Finer;
use super::shelf::Shelf;
use super::tradeoff::Tradeoff;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Last;
use packfair_chart::kinds;

/// Packing against fairness, cumulative wait area, and the queue over time.
#[component]
pub fn Overview() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of(app);
    let finer = Finer::of(app, runs);
    let behind = backdrop(app);
    let cwa = figure(move || {
        behind.with(|behind| runs.with_chosen(finer, |runs| kinds::cwa(runs, behind.area.as_ref(), behind.unit)))
    });
    let queue = figure(move || {
        behind.with(|behind| {
            runs.with_chosen(finer, |runs| kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down))
        })
    });
    view! {
        <Shelf runs>
            <div class="chart-grid chart-overview" data-testid="overview">
                <Last><Tradeoff runs height=0.62/></Last>
                <Last><Chart figure=cwa height=0.62/></Last>
                <Last><Chart figure=queue zoom=app.time_zoom() height=0.62/></Last>
            </div>
        </Shelf>
    }
}
