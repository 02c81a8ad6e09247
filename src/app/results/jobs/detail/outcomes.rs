//! The outcome of the job in each run.

use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, outcome, start};
use crate::app::results::naming::name;
use crate::app::widget::When;
use crate::study::Run;
use crate::study::format::{MISSING, number, whole};
use crate::study::query::JobRow;

/// The bound of the bounded slowdown that is shown, seconds; the value of METRICS.
const SLOWDOWN_BOUND: f64 = 10.0;

#[component]
pub fn Outcomes(
    row: JobRow,
    runs: Memo<Vec<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let line = move |(i, run): (usize, Run)| {
        let told = telling.get();
        let missing = || MISSING.to_owned();
        let begin = start(&row, i);
        let end = outcome(&row, i).map(|outcome| outcome.end);
        let response = outcome(&row, i).map(|outcome| outcome.response());
        let slowdown = response.map(|f| (f as f64 / (row.run as f64).max(SLOWDOWN_BOUND)).max(1.0));
        let estimate = outcome(&row, i).map(|outcome| outcome.estimate);
        view! {
            <tr>
                <th scope="row">{name(&run)}</th>
                <td class="number">{begin.map_or_else(missing, |b| told.time(b))}</td>
                <td class="number">{end.map_or_else(missing, |end| told.time(end))}</td>
                <td class="number">{outcome(&row, i).map_or_else(missing, |outcome| whole(outcome.wait()))}</td>
                <td class="number">{response.map_or_else(missing, whole)}</td>
                <td class="number">{slowdown.map_or_else(missing, number)}</td>
                <td class="number">{estimate.map_or_else(missing, number)}</td>
            </tr>
        }
    };
    let lines = move || runs.get().into_iter().enumerate().map(&line).collect_view();
    view! {
        <When when=move || !runs.with(Vec::is_empty)>
            <div class="table-scroll">
                <table class="plain-table">
                    <caption class="visually-hidden">"The job under each run"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Run"</th>
                            <th scope="col" class="number">"Start"</th>
                            <th scope="col" class="number">"Completion"</th>
                            <th scope="col" class="number">"Wait (s)"</th>
                            <th scope="col" class="number">"Response (s)"</th>
                            <th scope="col" class="number" title="Response over run time of at least 10 s">"Bounded slowdown"</th>
                            <th scope="col" class="number">"Estimate (s)"</th>
                        </tr>
                    </thead>
                    <tbody>{lines.clone()}</tbody>
                </table>
            </div>
        </When>
    }
}
