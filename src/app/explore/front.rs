//! The settings that nothing beats, both parts of the log side by side.

use super::course::Course;
use super::make_row;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::explore::{Findings, FrontMember};
use crate::metric::{Aim, Metric};
use crate::study::format::{MISSING, TimeUnit, change, value};
use std::sync::Arc;

/// Most lines of the table; the picture has them all.
const MOST: usize = 60;

/// The table.
#[component]
pub fn FrontTable(course: Course) -> impl IntoView {
    let findings = course.findings.clone();
    let found = Memo::new(move |_| findings.get());
    view! {
        <div class="table-scroll">
            {move || found.get().map(|found| view! { <Rows found=found /> })}
        </div>
    }
}

#[component]
fn Rows(found: Arc<Findings>) -> impl IntoView {
    let app = expect_context::<App>();
    let metrics = found.question.metrics();
    let headings = metrics.iter().map(|metric| {
        let (name, help) = (metric.about().name, metric.about().help);
        view! {
            <th scope="col" class="number" data-hint=help>{name}</th>
            <th scope="col" class="number" data-hint=help>{format!("{name}, rest")}</th>
        }
    });
    let headings = headings.collect_view();
    let baseline = &found.baseline;
    let cells = metrics.iter().enumerate().map(|(place, &metric)| {
        [&baseline.chosen, &baseline.rest]
            .map(|part| cell(metric, part.get(place).copied().flatten(), None))
            .collect_view()
    });
    let own = view! {
        <tr data-testid="explore-baseline">
            <th scope="row">{found.baseline_name()} <p class="plain-help">"baseline"</p></th>
            <td></td>
            {cells.collect_view()}
        </tr>
    };
    let lines: Vec<AnyView> = found.front.iter().take(MOST).map(|member| line(app, &found, member, &metrics)).collect();
    let more = found.front.len().saturating_sub(MOST);
    view! {
        <table class="plain-table" data-testid="explore-front">
            <caption class="visually-hidden">"Settings that nothing beats, on both parts of the log"</caption>
            <thead>
                <tr>
                    <th scope="col">"Settings that nothing beats"</th>
                    <th scope="col"><span class="visually-hidden">"Comparison"</span></th>
                    {headings}
                </tr>
            </thead>
            <tbody>{own} {lines}</tbody>
        </table>
        {(more > 0).then(|| view! { <p class="quiet">{format!("and {more} more")}</p> })}
    }
}

fn line(app: App, found: &Findings, member: &FrontMember, metrics: &[Metric]) -> AnyView {
    let cells = metrics.iter().enumerate().map(|(place, &metric)| {
        let at = |values: &[Option<f64>]| values.get(place).copied().flatten();
        let (values, baseline) = (&member.values, &found.baseline);
        let chosen = cell(metric, at(&values.chosen), at(&baseline.chosen));
        [chosen, cell(metric, at(&values.rest), at(&baseline.rest))].collect_view()
    });
    let cells = cells.collect_view();
    let run = member.run.clone();
    let id = run.id();
    let label = format!("Make {id} a row of the comparison");
    let name = run.scheduler.name();
    let estimate = run.estimate.to_string();
    let estimate = (estimate != "requested").then(|| format!(" with {estimate}"));
    view! {
        <tr data-testid="explore-line" data-run=id>
            <th scope="row" class="wrap">
                {name} {estimate} <p class="plain-help" class:differs=!found.holds(member)>{found.verdict(member)}</p>
            </th>
            <td>
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label=label
                    data-testid="explore-take"
                    on:click=move |_| make_row(app, run.clone())
                >
                    "Add row"
                </button>
            </td>
            {cells}
        </tr>
    }
}

/// A value, and its change to the baseline's below it.
fn cell(metric: Metric, own: Option<f64>, baseline: Option<f64>) -> AnyView {
    let told = own.map_or(MISSING.to_owned(), |own| value(metric, own, TimeUnit::Fitting));
    let relative =
        own.zip(baseline).map(|(own, baseline)| if own == baseline { 0.0 } else { (own - baseline) / baseline.abs() });
    let is_better = |relative: f64| if metric.about().aim == Aim::High { relative > 0.0 } else { relative < 0.0 };
    let colour = relative.map_or("", |relative| match relative {
        0.0 => "var(--text-muted)",
        relative if is_better(relative) => "var(--shorter)",
        _ => "var(--longer)",
    });
    view! {
        <td class="number">
            {told}
            {relative.map(|relative| view! { <br /><span class="plain-help" style:color=colour>{change(relative)}</span> })}
        </td>
    }
}
