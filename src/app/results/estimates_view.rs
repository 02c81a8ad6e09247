//! The Estimates tab: how good the estimates made at submission were.

use super::row::estimate;
use crate::app::charts::EstimateCharts;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome};
use crate::app::widget::When;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::Metric;
use packfair_study::format::{self, MISSING, TimeUnit};
use packfair_study::query::INVENTED;
use std::sync::Arc;

/// The metrics of estimates that are shown, each with its meaning in one line.
const MEASURES: [(Metric, &str); 4] = [
    (
        Metric::R2,
        "Share of the variance of run times that the estimates explain: 1 is perfect, below 0 is worse than always guessing the mean.",
    ),
    (Metric::Mae, "By how many seconds an estimate is off on average, either way."),
    (Metric::UnderRate, "Share of jobs that ran longer than estimated: each of them breaks a promise made to others."),
    (Metric::Corrections, "How often the estimate of a running job ran out and had to be raised."),
];

/// The results that share one kind of estimates.
#[derive(Clone, Debug, PartialEq)]
struct EstimateGroup {
    estimate: Estimate,
    /// The name of each scheduler, and its value of each of [`MEASURES`].
    runs: Vec<(String, [Option<f64>; MEASURES.len()])>,
}

impl EstimateGroup {
    /// The smallest and the largest value of a metric among the schedulers.
    fn range(&self, measure: usize) -> Option<(f64, f64)> {
        let values = || self.runs.iter().filter_map(|(_, values)| values[measure]);
        Some((values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?))
    }
}

/// The results grouped by their estimates, in order of first appearance.
fn groups(results: &[Arc<RunOutcome>]) -> Vec<EstimateGroup> {
    let mut groups: Vec<EstimateGroup> = Vec::new();
    for report in results.iter().map(|outcome| &outcome.report) {
        let run = (report.run.scheduler.name(), MEASURES.map(|(metric, _)| report.values.get(&metric).copied()));
        match groups.iter_mut().find(|group| group.estimate == report.run.estimate) {
            Some(group) => group.runs.push(run),
            None => groups.push(EstimateGroup { estimate: report.run.estimate.clone(), runs: vec![run] }),
        }
    }
    groups
}

/// For each kind of estimates in the results: how accurate they were, and how often they were corrected.
#[component]
pub fn EstimatesView() -> impl IntoView {
    let app = expect_context::<App>();
    let found = Memo::new(move |_| groups(&app.results()));
    view! {
        <section class="estimates" aria-label="Estimates">
            <When
                when=move || !found.with(Vec::is_empty)
                fallback=|| {
                    view! {
                        <p class="empty-state">
                            "No result yet. Run the study: this page then tells how good the estimates were that the schedulers worked with."
                        </p>
                    }
                }
            >
                <p class="headline">
                    "Estimates as they were made at submission, over the jobs that count. A range tells that estimates, or the jobs that count, differ from scheduler to scheduler."
                </p>
                <div class="table-scroll">
                    <table class="plain-table" data-testid="estimates-table">
                        <caption class="visually-hidden">"Quality of the estimates"</caption>
                        <Head/>
                        <tbody>{move || found.get().into_iter().map(|group| view! { <GroupRows group/> }).collect_view()}</tbody>
                    </table>
                </div>
                <Explanations/>
                <EstimateCharts/>
            </When>
        </section>
    }
}

#[component]
fn Head() -> impl IntoView {
    let heading = |(metric, _): (Metric, &str)| {
        let unit = match format::unit(metric, TimeUnit::Seconds) {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        view! {
            <th scope="col" class="number">
                {metric.about().name} {unit}
            </th>
        }
    };
    view! {
        <thead>
            <tr>
                <th scope="col">"Estimate"</th>
                {MEASURES.map(heading).collect_view()}
                <th scope="col" class="number">"Runs"</th>
            </tr>
        </thead>
    }
}

#[component]
fn GroupRows(group: EstimateGroup) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let app = expect_context::<App>();
    let names_none = app.log.with_untracked(|log| match log {
        LogState::Ready(described) => described.summary.jobs > 0 && described.summary.requested == 0.0,
        _ => false,
    });
    let method = &group.estimate.method;
    let help = match names_none && *method == Method::requested() {
        true => INVENTED.to_owned(),
        false => format!("{} ({})", method.help(), method.source()),
    };
    let ranges = (0..MEASURES.len()).map(|i| view! { <td class="number">{range_text(i, group.range(i))}</td> });
    let ranges = ranges.collect_view();
    let count = group.runs.len();
    let label = format!("{count} {} with {}", if count == 1 { "run" } else { "runs" }, estimate(&group.estimate));
    let details = move || {
        let rows = group.runs.iter().map(|(scheduler, values)| {
            let cells = values.iter().enumerate().map(|(i, v)| view! { <td class="number">{text(i, *v)}</td> });
            view! {
                <tr class="detail-row">
                    <th scope="row">{scheduler.clone()}</th>
                    {cells.collect_view()}
                    <td></td>
                </tr>
            }
        });
        is_open.get().then(|| rows.collect_view())
    };
    view! {
        <tr data-testid="estimate-row" data-estimate=group.estimate.to_string()>
            <th scope="row">
                <span class="plain-name">{estimate(&group.estimate)}</span>
                <span class="plain-help">{help}</span>
            </th>
            {ranges}
            <td class="number">
                <button
                    type="button"
                    class="cell-button"
                    aria-label=label
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| is_open.update(|open| *open = !*open)
                >
                    {count}
                    <span aria-hidden="true">{move || if is_open.get() { " ▴" } else { " ▾" }}</span>
                </button>
            </td>
        </tr>
        {move || details()}
    }
}

#[component]
fn Explanations() -> impl IntoView {
    let explain = |(metric, help): (Metric, &'static str)| {
        let about = metric.about();
        view! {
            <dt>{about.name}</dt>
            <dd>
                {help} " " <code>{about.formula}</code> " " <span class="plain-help">{about.source}</span>
            </dd>
        }
    };
    view! { <dl class="explanations">{MEASURES.map(explain).collect_view()}</dl> }
}

fn text(measure: usize, value: Option<f64>) -> String {
    value.map_or_else(|| MISSING.to_owned(), |v| format::value(MEASURES[measure].0, v, TimeUnit::Seconds))
}

fn range_text(measure: usize, range: Option<(f64, f64)>) -> String {
    match range {
        Some((low, high)) if text(measure, Some(low)) != text(measure, Some(high)) => {
            format!("{} to {}", text(measure, Some(low)), text(measure, Some(high)))
        }
        range => text(measure, range.map(|(low, _)| low)),
    }
}
