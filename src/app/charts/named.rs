//! The figure of a paper that a recipe names, as wide as the page.

use super::chart::Chart;
use super::charted::{ChartedRuns, backdrop};
use super::charts_view::Sweeps;
use super::finer::Finer;
use super::improvements::Improvements;
use super::overview::figure;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds;

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
                behind.with(|behind| runs.with_chosen(finer, |runs| kinds::queue_jobs(runs, &behind.clock)))
            });
            view! { <Chart figure=queue zoom=app.window height=HEIGHT/> }
        }
        "cp-fig-7" => {
            let lengths = figure(move || runs.with_chosen(finer, kinds::queue_lengths));
            view! { <Chart figure=lengths height=HEIGHT/> }
        }
        "metrics-fig-4" | "metrics-fig-4-fine" | "metrics-fig-4-selected" => view! { <Sweeps runs/> },
        id if id.starts_with("dynp-fig") => view! { <Sweeps runs/> },
        "fairness-figs" => view! { <Improvements runs/> },
        _ => ().into_any(),
    }
}
