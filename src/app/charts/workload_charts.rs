//! The distributions of a workload, for the Workload tab.

use super::chart::{Chart, figure};

use super::sizes::sizes;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Later;
use packfair_chart::Figure;
use packfair_chart::kinds;
use packfair_workload::Summary;
use std::sync::Arc;

/// Histograms of widths, times and submissions, and the two curves by area.
#[component]
pub fn WorkloadCharts(#[prop(into)] summary: Signal<Arc<Summary>>) -> impl IntoView {
    let of = move |make: fn(&Summary) -> Figure| figure(move || summary.with(|summary| make(summary)));
    let area: fn(&Summary) -> Figure =
        |summary| kinds::area_distribution(&summary.jobs_by_area, &summary.area_by_area, summary.counting.unit);
    let app = expect_context::<App>();
    let sizes = sizes(app, Memo::new(|_| true));
    let requests =
        figure(move || summary.with(|summary| sizes.with(|sizes| kinds::requests(summary, sizes.as_deref()))));
    let autocorrelation = figure(move || sizes.with(|sizes| kinds::autocorrelation(sizes.as_deref())));
    let charts = [
        of(area),
        of(kinds::widths),
        of(kinds::run_times),
        of(kinds::limits),
        of(kinds::overestimations),
        of(kinds::hours),
        of(kinds::weekdays),
        of(|summary| kinds::gaps(&summary.name, &summary.arrivals)),
        of(|summary| joint(summary, 0)),
        of(|summary| joint(summary, 1)),
        of(|summary| joint(summary, 2)),
        requests,
        autocorrelation,
    ];
    // each in a task of its own
    let charts = charts.map(|figure| view! { <Later><Chart figure=figure/></Later> });
    view! { <div class="chart-grid chart-small" data-testid="workload-charts">{charts.into_iter().collect_view()}</div> }
}

/// A heat map of jobs by two of width, requested time and run time, of which there are three.
fn joint(summary: &Summary, which: usize) -> Figure {
    kinds::joint(&summary.arrivals, summary.counting.unit)[which].clone()
}
