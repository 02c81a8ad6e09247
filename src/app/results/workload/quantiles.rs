//! How run times, requests and over-estimation are distributed, in numbers.

use crate::study::format::number;
use crate::workload::{Distribution, Summary};
use leptos::prelude::*;
use std::sync::Arc;

/// Quantiles of the distributions that the charts show.
#[component]
pub fn QuantileTable(
    /// What the workload is like.
    summary: Arc<Summary>,
) -> impl IntoView {
    let line = |name: &'static str, distribution: &Distribution| {
        let q = distribution.quantiles;
        let values = [q.min, q.p10, q.p25, q.median, q.p75, q.p90, q.p99, q.max, distribution.mean];
        view! {
            <tr>
                <th scope="row">{name}</th>
                {values.map(|value| view! { <td class="number">{number(value)}</td> }).collect_view()}
            </tr>
        }
    };
    let headings = ["Least", "10 %", "25 %", "Median", "75 %", "90 %", "99 %", "Most", "Mean"];
    view! {
        <h3 class="section-title">"Distributions over jobs"</h3>
        <div class="table-scroll">
            <table class="plain-table" data-testid="quantiles">
                <caption class="visually-hidden">"Quantiles over jobs"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Quantity"</th>
                        {headings.map(|heading| view! { <th scope="col" class="number">{heading}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {line("Run time (s)", &summary.runs)} {line("Requested time (s)", &summary.limits)}
                    {line("Requested / run", &summary.overestimation)}
                </tbody>
            </table>
        </div>
    }
}
