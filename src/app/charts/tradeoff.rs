//! Packing against fairness, with a choice of the fairness metric.

use super::chart::{Chart, figure};
use super::charted::ChartedRuns;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds;
use crate::metric::Metric;
use crate::study::table::Mode;

/// A scatter plot of all runs. Unfairness by fair start time is offered once it was computed for some run.
#[component]
pub fn Tradeoff(
    runs: ChartedRuns,
    /// The height as a share of the width.
    height: f64,
) -> impl IntoView {
    let app = expect_context::<App>();
    let has_fair = Memo::new(move |_| runs.all.with(|all| all.iter().any(|outcome| outcome.has_fair_starts())));
    let fairness = Memo::new(move |_| if has_fair.get() { app.fairness.get() } else { Metric::P2sf });
    let figure = figure(move || {
        let mode = if app.relative.get() { Mode::Change } else { Mode::Absolute };
        runs.with_all(|runs| app.study.with(|study| kinds::tradeoff(runs, study, fairness.get(), mode)))
    });
    let option = move |metric: Metric| {
        let about = metric.about();
        view! {
            <option value=about.id selected=move || fairness.get() == metric>
                {about.name}
            </option>
        }
    };
    let choose = move |event| {
        if let Ok(metric) = event_target_value(&event).parse() {
            app.plot_against(metric);
        }
    };
    let tools = view! {
        <label class="chart-choice" hidden=move || !has_fair.get()>
            "Fairness is "
            <select data-testid="tradeoff-fairness" on:change=choose>
                {option(Metric::P2sf)}
                {Metric::UNFAIRNESS.map(option).into_iter().collect::<Vec<_>>()}
            </select>
        </label>
    };
    view! { <Chart figure=figure height=height tools=tools/> }
}
