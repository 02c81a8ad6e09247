//! How good the estimates of the charted runs are: over time, by user, and where they lie.

use super::chart::{Chart, figure};
use super::charted::{ChartedRuns, summary};
use super::chooser::Chooser;
use super::judging::EstimateJudging;

use super::quality::{QualityRow, QualityTable};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select};
use crate::chart::kinds::{self, JudgedEstimates, OverTime, run_names};
use crate::chart::{AxisUnit, Hit, Ink};
use crate::metric::Accuracy;
use crate::study::format::whole;
use std::sync::Arc;

#[component]
pub fn EstimateCharts() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of_estimates(app);
    let summary = summary(app);
    let judging = EstimateJudging::of(app, runs);
    let picked = RwSignal::new(None::<String>);
    let shown = Memo::new(move |_| {
        let wanted = picked.get();
        let chosen = runs.chosen.get();
        let found = chosen.iter().find(|run| Some(run.id()) == wanted).or(chosen.first());
        found.cloned()
    });
    let accuracy = Memo::new(move |_| judging.of_run(&shown.get()?));
    let density = figure(move || {
        let (run, accuracy) = (shown.get(), accuracy.get());
        let judged = run.as_ref().zip(accuracy.as_ref().and_then(|a| a.as_ref().ok()));
        kinds::estimate_density(judged.map(|(run, accuracy)| JudgedEstimates { run, ink: Ink::Plain, accuracy }))
    });
    let tell = Callback::new(move |hit: Hit| reported(accuracy.get_untracked(), hit));
    let over_time = move |what| judging.over_time(what, summary);
    let options = Signal::derive(move || {
        let chosen = runs.chosen.get();
        let names = run_names(&chosen.iter().collect::<Vec<_>>());
        chosen.iter().zip(names).map(|(run, name)| ChoiceOption::new(run.id(), name, "")).collect::<Vec<_>>()
    });
    let problem = move || accuracy.get().and_then(Result::err);
    let users = Signal::derive(move || {
        rows(accuracy.get(), |accuracy| {
            let name = |user: i32| if user < 0 { "unknown".to_owned() } else { user.to_string() };
            accuracy.users.iter().map(|(user, q)| QualityRow::new(name(*user), f64::from(*user), *q)).collect()
        })
    });
    let widths = Signal::derive(move || {
        rows(accuracy.get(), |accuracy| {
            let name = |(from, to): (u32, u32)| {
                if from == to { whole(to) } else { format!("{} to {}", whole(from), whole(to)) }
            };
            accuracy.widths.iter().map(|(width, q)| QualityRow::new(name(*width), f64::from(width.0), *q)).collect()
        })
    });
    view! {
        <section class="estimate-charts" aria-label="Estimates, run by run" data-testid="estimate-charts">
            <h3 class="section-title">"Run by run"</h3>
            <p class="headline">
                "Made from the schedules on this computer; a link does not carry them."
            </p>
            <Chooser runs/>
            <div class="chart-grid">
                <Chart figure=judging.errors()/>
                <Chart figure=over_time(OverTime::R2) zoom=app.time_zoom()/>
                <Chart figure=over_time(OverTime::Under) zoom=app.time_zoom()/>
                <Chart figure=over_time(OverTime::Corrected) zoom=app.time_zoom()/>
            </div>
            <div class="estimate-picker">
                <Select
                    label="Look closer at"
                    options=options
                    value=Signal::derive(move || shown.get().map(|run| run.id()).unwrap_or_default())
                    on_change=move |id: String| picked.set(Some(id))
                />
            </div>
            <p class="headline" role="status" hidden=move || problem().is_none()>{move || problem()}</p>
            <div class="estimate-closer">
                <Chart figure=density tell=tell height=0.8/>
                <div class="estimate-tables">
                    <QualityTable title="By width" first="Width" rows=widths id="widths"/>
                    <QualityTable title="By user" first="User" rows=users id="users"/>
                </div>
            </div>
        </section>
    }
}

fn rows(
    accuracy: Option<Result<Arc<Accuracy>, String>>,
    make: impl Fn(&Accuracy) -> Vec<QualityRow>,
) -> Vec<QualityRow> {
    accuracy.and_then(Result::ok).map(|accuracy| make(&accuracy)).unwrap_or_default()
}

/// The tip of a cell of the density.
fn reported(accuracy: Option<Result<Arc<Accuracy>, String>>, hit: Hit) -> Vec<(String, String)> {
    let Some(Ok(accuracy)) = accuracy else { return Vec::new() };
    let Some(cell) = accuracy.density.get(hit.item) else { return Vec::new() };
    let span = |(from, to): (f64, f64)| {
        format!("{} to {}", AxisUnit::Duration.say(from.ceil()), AxisUnit::Duration.say(to.ceil()))
    };
    vec![
        ("Jobs".to_owned(), whole(cell.jobs)),
        ("Run time".to_owned(), span(cell.run)),
        ("Estimate".to_owned(), span(cell.estimate)),
    ]
}
