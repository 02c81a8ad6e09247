//! The figure of a paper that a recipe names, as wide as the page.

use super::chart::Chart;
use super::charted::{ChartedRuns, backdrop, summary};
use super::charts_view::Sweeps;
use super::classing::{ClassedRuns, MakeFigure};
use super::finer::Finer;
use super::improvements::Improvements;
use super::overview::figure;
use super::sizes::sizes;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds::{self, Rate};

/// Height as a share of the width.
const HEIGHT: f64 = 0.4;

/// What a recipe's paper draws; nothing where it prints a table.
#[component]
pub fn NamedFigure(
    /// The recipe's.
    id: &'static str,
) -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of(app);
    let finer = Finer::of(app, runs);
    let behind = backdrop(app);
    match id {
        "metrics-fig-3" => {
            let cwa = figure(move || {
                behind.with(|behind| runs.with_chosen(finer, |runs| kinds::cwa(runs, behind.area.as_ref())))
            });
            view! { <Chart figure=cwa height=HEIGHT/> }
        }
        "cp-fig-5" => {
            let queue = figure(move || {
                behind.with(|behind| {
                    runs.with_chosen(finer, |runs| {
                        kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down)
                    })
                })
            });
            view! { <Chart figure=queue zoom=app.window height=HEIGHT/> }
        }
        "cp-fig-7" => {
            let lengths = figure(move || runs.with_chosen(finer, kinds::queue_lengths));
            view! { <Chart figure=lengths height=HEIGHT/> }
        }
        "metrics-fig-4" | "metrics-fig-4-fine" | "metrics-fig-4-selected" => view! { <Sweeps runs/> },
        id if id.starts_with("dynp-fig") || id.starts_with("users-") => view! { <Sweeps runs/> },
        "fairness-figs" | "classify-table-7" | "classify-fig-9" | "cp-fig-2" | "cp-fig-3" | "cp-fig-4" | "cp-fig-6" => {
            view! { <Improvements runs/> }
        }
        "classify-tables-2-3" => view! { <OfSizes/> },
        "classify-tables-5-6" => {
            classes(app, runs, &[|runs, clock| kinds::class_weeks(runs, Rate::Accuracy, clock), kinds::importances])
        }
        "classify-figs-6-8" => classes(
            app,
            runs,
            &[kinds::cumulative_slowdown, kinds::monthly_slowdown, |runs, _| kinds::class_slowdowns(runs)],
        ),
        "classify-thresholds" => {
            let lost = figure(move || runs.with_all(kinds::lost_work));
            view! { <Chart figure=lost height=HEIGHT/> }
        }
        _ => ().into_any(),
    }
}

/// Figures of what the charted runs did to small and large jobs.
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
    view! {
        <div class="chart-grid">
            <Chart figure=requests/>
            <Chart figure=lags/>
        </div>
    }
}
