//! The figure of a paper that a recipe names, as wide as the page.

use super::changes::Changes;
use super::chart::{Chart, figure};
use super::charted::{ChartedRuns, backdrop, summary};
use super::charts_view::Sweeps;
use super::classing::{ClassedRuns, MakeFigure};
use super::finer::Finer;

use super::sizes::sizes;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::NamedChart;
use crate::chart::kinds::{self, Rate};
use crate::metric::Metric;

/// The height as a share of the width.
const HEIGHT: f64 = 0.4;

/// The figure that the recipe's paper draws; nothing if the paper prints a table.
#[component]
pub fn NamedFigure(id: &'static str) -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of_recipe(app);
    let charts = NamedChart::of_recipe(id);
    if charts.iter().any(|chart| chart.is_of_sizes()) {
        return view! { <OfSizes/> };
    }
    if charts.iter().any(|chart| chart.is_of_classes()) {
        let makes: Vec<MakeFigure> = charts.iter().filter_map(|&chart| of_classes(chart)).collect();
        return classes(app, runs, &makes);
    }
    charts.iter().map(|&chart| of_runs(app, runs, chart)).collect_view().into_any()
}

/// A chart of runs; nothing if the figure is about classes of jobs or about the log.
fn of_runs(app: App, runs: ChartedRuns, chart: NamedChart) -> AnyView {
    let finer = Finer::of(app, runs);
    let behind = backdrop(app);
    match chart {
        NamedChart::Cwa => {
            let cwa = figure(move || {
                behind
                    .with(|behind| runs.with_chosen(finer, |runs| kinds::cwa(runs, behind.area.as_ref(), behind.unit)))
            });
            view! { <Chart figure=cwa height=HEIGHT/> }
        }
        NamedChart::QueueJobs => {
            let queue = figure(move || {
                behind.with(|behind| {
                    runs.with_chosen(finer, |runs| {
                        kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down)
                    })
                })
            });
            view! { <Chart figure=queue zoom=app.time_zoom() height=HEIGHT/> }
        }
        NamedChart::QueueLengths => {
            let lengths = figure(move || runs.with_chosen(finer, kinds::queue_lengths));
            view! { <Chart figure=lengths height=HEIGHT/> }
        }
        NamedChart::LostWork => {
            let lost = figure(move || runs.with_all(kinds::lost_work));
            view! { <Chart figure=lost height=HEIGHT/> }
        }
        NamedChart::ByPolicy => {
            let of_metric = |place: usize| {
                figure(move || {
                    let metric = app.study.with(|study| study.columns.get(place).copied()).unwrap_or(Metric::Bsld);
                    runs.with_all(|runs| kinds::by_policy(runs, metric))
                })
            };
            let charts: Vec<AnyView> =
                (0..kinds::METRICS_BY_POLICY).map(|place| view! { <Chart figure=of_metric(place)/> }).collect();
            view! { <div class="chart-grid">{charts}</div> }
        }
        NamedChart::Sweeps => view! { <Sweeps runs/> },
        NamedChart::Changes => view! { <Changes runs make=kinds::changes/> },
        NamedChart::OfBaseline => view! { <Changes runs make=kinds::of_baseline/> },
        _ => ().into_any(),
    }
}

/// The function that makes a chart of classes; `None` if the chart is about something else.
fn of_classes(chart: NamedChart) -> Option<MakeFigure> {
    let make: MakeFigure = match chart {
        NamedChart::ClassWeeks(Rate::Accuracy) => |runs, clock| kinds::class_weeks(runs, Rate::Accuracy, clock),
        NamedChart::ClassWeeks(Rate::Precision) => |runs, clock| kinds::class_weeks(runs, Rate::Precision, clock),
        NamedChart::ClassWeeks(Rate::Recall) => |runs, clock| kinds::class_weeks(runs, Rate::Recall, clock),
        NamedChart::Importances => kinds::importances,
        NamedChart::ImportanceBoxes => |runs, _| kinds::importance_boxes(runs),
        NamedChart::CumulativeSlowdown => kinds::cumulative_slowdown,
        NamedChart::MonthlySlowdown => kinds::monthly_slowdown,
        NamedChart::ClassSlowdowns => |runs, _| kinds::class_slowdowns(runs),
        _ => return None,
    };
    Some(make)
}

/// Figures of how small and large jobs fared in the charted runs.
fn classes(app: App, runs: ChartedRuns, makes: &[MakeFigure]) -> AnyView {
    let classed = ClassedRuns::of(app, runs, summary(app), Memo::new(|_| true));
    let charts: Vec<AnyView> = makes.iter().map(|&make| view! { <Chart figure=classed.figure(make)/> }).collect();
    view! { <div class="chart-grid">{charts}</div> }
}

/// Requested and actual run times with the divider, and autocorrelation within categories (CLASSIFY Figs 1 and 2).
#[component]
fn OfSizes() -> impl IntoView {
    let app = expect_context::<App>();
    let summary = summary(app);
    let sizes = sizes(app, Memo::new(|_| true));
    let requests = figure(move || {
        sizes.with(|sizes| match summary.get() {
            Some(summary) => kinds::requests(&summary, sizes.as_deref()),
            None => kinds::autocorrelation(None),
        })
    });
    let lags = figure(move || sizes.with(|sizes| kinds::autocorrelation(sizes.as_deref())));
    let of_user = figure(move || sizes.with(|sizes| kinds::user_autocorrelation(sizes.as_deref())));
    view! {
        <div class="chart-grid">
            <Chart figure=requests/>
            <Chart figure=lags/>
            <Chart figure=of_user/>
        </div>
    }
}
