//! The figures from which similar workloads are generated: the rows of DYNP Table 2.

use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::export;
use crate::study::format::{number, whole};
use crate::workload::Summary;
use crate::workload::like::{Analysis, OF_DYNP, TimeExtent, Weibull};
use std::sync::Arc;

/// Jobs, widths, times and the law of arrivals, and why these differ from DYNP's own laws.
#[component]
pub fn LikenessTable(summary: Arc<Summary>) -> impl IntoView {
    let row = |(name, value): (&'static str, String)| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="number">{value}</td>
            </tr>
        }
    };
    let app = expect_context::<App>();
    let joint = summary.arrivals.joint.clone();
    let save = move |_| {
        if let Err(why) = files::save("joint-distribution.csv", "text/csv", export::joint_classes(&joint).as_bytes()) {
            app.complain(why);
        }
    };
    let of_dynp = OF_DYNP.map(|(log, Weibull { alpha, beta }, _)| format!("{log} {alpha}, {beta} s")).join("; ");
    view! {
        <h3 class="section-title">"As in Table 2 of DYNP"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="Rows of DYNP Table 2">
            <table class="plain-table" data-testid="likeness">
                <caption class="visually-hidden">"Rows of DYNP Table 2"</caption>
                <tbody>{rows(&summary.arrivals).into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        <button class="button button-quiet" type="button" data-testid="save-joint" on:click=save>
            "Save the joint distribution (CSV)"
        </button>
        <p class="quiet">
            "Table 2 prints other alpha and beta (" {of_dynp} "). They are not those of maximum likelihood, however gaps \
             of 0 s are treated: they look like a fit of the distribution function on a grid of 0.05 and 10 s. With \
             those of maximum likelihood a workload has more jobs a day than the log (KTH-SP2 21 %, CTC-SP2 11 %). So \
             alpha, beta and p0 can be set. What Table 2 calls the likelihood of interarrival time is p0."
        </p>
    }
}

fn rows(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let seconds =
        |extent: &TimeExtent| format!("{} (from {} to {})", number(extent.mean), whole(extent.min), whole(extent.max));
    let jobs = |count: usize| whole(count as i64);
    let mut rows = vec![
        ("Jobs", jobs(analysis.jobs)),
        ("Mean width", format!("{:.2}", analysis.mean_width)),
        ("Largest width", format!("{} of {}", whole(analysis.max_width), whole(analysis.processors))),
        ("Mean requested time (s)", seconds(&analysis.requested)),
        ("Mean run time (s)", seconds(&analysis.run)),
        ("Mean time between submissions (s)", seconds(&analysis.gap)),
        ("Jobs that ran for longer than requested", jobs(analysis.overruns)),
        ("Combinations of width, requested and run time", jobs(analysis.combinations)),
        ("p0: gaps of 0 s to jobs", format!("{:.7} ({})", analysis.p0, whole(analysis.zero_gaps as i64))),
    ];
    match &analysis.fit {
        Ok(fit) => rows.extend([
            ("Weibull law of gaps > 0: alpha", format!("{:.6}", fit.law.alpha)),
            ("beta (s)", format!("{:.4}", fit.law.beta)),
            ("Log-likelihood, the largest there is", format!("{:.1}", fit.log_likelihood)),
        ]),
        Err(none) => rows.push(("Weibull law of gaps > 0", none.to_string())),
    }
    rows
}
