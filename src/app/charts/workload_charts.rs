//! The distributions of a workload, for the Workload tab.

use super::chart::{Chart, figure};

use super::sizes::sizes;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::Figure;
use crate::chart::kinds;
use crate::workload::Summary;
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
    view! {
        <div class="chart-grid chart-small" data-testid="workload-charts">
            <Chart figure=of(area)/>
            <Chart figure=of(kinds::widths)/>
            <Chart figure=of(kinds::run_times)/>
            <Chart figure=of(kinds::limits)/>
            <Chart figure=of(kinds::overestimations)/>
            <Chart figure=of(kinds::hours)/>
            <Chart figure=of(kinds::weekdays)/>
            <Chart figure=of(|summary| kinds::gaps(&summary.name, &summary.arrivals))/>
            <Chart figure=of(|summary| { let [map, _, _] = joint(summary); map })/>
            <Chart figure=of(|summary| { let [_, map, _] = joint(summary); map })/>
            <Chart figure=of(|summary| { let [_, _, map] = joint(summary); map })/>
            <Chart figure=requests/>
            <Chart figure=autocorrelation/>
        </div>
    }
}

/// The heat maps of jobs by two of width, requested time and run time.
fn joint(summary: &Summary) -> [Figure; 3] {
    kinds::joint(&summary.arrivals, summary.counting.unit)
}
