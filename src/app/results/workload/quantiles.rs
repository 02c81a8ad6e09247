//! The distributions of run times, requests and over-estimation, in numbers.

use crate::app::prelude::*;
use crate::study::format::{number, whole};
use crate::workload::{Distribution, Summary};
use std::sync::Arc;

/// Quantiles of the distributions that the charts show.
#[component]
pub fn QuantileTable(summary: Arc<Summary>) -> impl IntoView {
    // quantiles are values that occur in the log, and its times are whole seconds
    let seconds = |x: f64| whole(x as i64);
    let line = |name: &'static str, distribution: &Distribution, text: fn(f64) -> String| {
        let q = distribution.quantiles;
        let values = [q.min, q.p10, q.p25, q.median, q.p75, q.p90, q.p99, q.max];
        view! {
            <tr>
                <th scope="row">{name}</th>
                {values.map(|value| view! { <td class="number">{text(value)}</td> }).collect_view()}
                <td class="number">{number(distribution.mean)}</td>
            </tr>
        }
    };
    let headings = ["Least", "10 %", "25 %", "Median", "75 %", "90 %", "99 %", "Most", "Mean"];
    view! {
        <h3 class="section-title">"Distributions over jobs"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="Quantiles over jobs">
            <table class="plain-table" data-testid="quantiles">
                <caption class="visually-hidden">"Quantiles over jobs"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Quantity"</th>
                        {headings.map(|heading| view! { <th scope="col" class="number">{heading}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {line("Run time (s)", &summary.runs, seconds)}
                    {line("Requested time (s)", &summary.limits, seconds)}
                    {line("Requested / run", &summary.overestimation, number)}
                </tbody>
            </table>
        </div>
    }
}
