//! The charts under the comparison table: three that tell most.

use super::chart::Chart;
use super::charted::{ChartedRuns, clock, summary};
use super::finer::Finer;
use super::tradeoff::Tradeoff;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Later;
use crate::chart::Figure;
use crate::chart::kinds;
use std::sync::Arc;

/// Packing against fairness, cumulative wait area, and the queue over time.
#[component]
pub fn Overview() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of(app);
    let finer = Finer::of(app, runs);
    let summary = summary(app);
    let cwa = figure(move || {
        summary.with(|summary| {
            let area = summary.as_ref().map(|summary| &summary.area_by_area);
            runs.with_chosen(finer, |runs| kinds::cwa(runs, area))
        })
    });
    let queue = figure(move || runs.with_chosen(finer, |runs| kinds::queue_jobs(runs, &clock(summary))));
    view! {
        <div class="chart-grid chart-overview" data-testid="overview">
            <Later><Tradeoff runs height=0.62/></Later>
            <Later><Chart figure=cwa height=0.62/></Later>
            <Later><Chart figure=queue zoom=app.window height=0.62/></Later>
        </div>
    }
}

/// A figure that is made anew when what it shows changes.
pub fn figure(make: impl Fn() -> Figure + Send + Sync + 'static) -> Signal<Arc<Figure>> {
    Memo::new(move |_| Arc::new(make())).into()
}
