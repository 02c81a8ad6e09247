//! All that is known of the picked job.

use super::choice::JobsChoice;
use super::columns::{Telling, known, start};
use crate::app::results::naming::name;
use crate::study::Run;
use crate::study::format::{MISSING, duration, number, whole};
use crate::study::query::JobRow;
use leptos::prelude::*;

/// Bound of the slowdown shown, seconds: METRICS' own.
const SLOWDOWN_BOUND: f64 = 10.0;

/// The picked job's fields, and what became of it under each run.
#[component]
pub fn JobDetail(
    /// What is picked.
    choice: JobsChoice,
    /// The runs shown.
    runs: Memo<Vec<Run>>,
    /// How times are told.
    telling: Memo<Telling>,
) -> impl IntoView {
    let content = move || {
        let row = choice.picked.get()?;
        Some(view! { <Fields row=row.clone() telling/> <Outcomes row runs telling/> })
    };
    view! {
        <section class="job-detail" aria-label="The picked job" aria-live="polite" data-testid="job-detail">
            <Show
                when=move || choice.picked.with(Option::is_some)
                fallback=|| view! { <p class="headline">"Pick a job to see all of its fields and when it ran."</p> }
            >
                {content}
            </Show>
        </section>
    }
}

#[component]
fn Fields(row: JobRow, telling: Memo<Telling>) -> impl IntoView {
    let request = row.request.clone();
    let area = f64::from(request.processors) * row.run as f64;
    let seconds = |s: i64| format!("{} s ({})", whole(s), duration(s as f64));
    let submit = move || telling.with(|telling| telling.time(request.submit));
    let facts = [
        ("Processors", whole(row.request.processors)),
        ("Requested", seconds(row.request.limit)),
        ("Run", seconds(row.run)),
        ("Requested / run", number(row.request.limit as f64 / row.run.max(1) as f64)),
        ("Area", format!("{} processor-seconds", number(area))),
        ("User", known(row.request.user)),
        ("Group", known(row.request.group)),
        ("Executable", known(row.request.executable)),
        ("Queue", known(row.request.queue)),
        ("Partition", known(row.request.partition)),
    ];
    view! {
        <h3 class="section-title">{format!("Job {}", row.request.number)}</h3>
        <dl class="workload-facts">
            <div>
                <dt>"Submit"</dt>
                <dd>{submit}</dd>
            </div>
            {facts.into_iter().map(|(l, v)| view! { <div><dt>{l}</dt><dd>{v}</dd></div> }).collect_view()}
        </dl>
    }
}

/// What became of the job under each run.
#[component]
fn Outcomes(row: JobRow, runs: Memo<Vec<Run>>, telling: Memo<Telling>) -> impl IntoView {
    let line = move |(i, run): (usize, Run)| {
        let told = telling.get();
        let missing = || MISSING.to_owned();
        let begin = start(&row, i);
        let response = begin.map(|b| b + row.run - row.request.submit);
        let slowdown = response.map(|f| (f as f64 / (row.run as f64).max(SLOWDOWN_BOUND)).max(1.0));
        let estimate = row.outcomes.get(i).copied().flatten().map(|(_, estimate)| estimate);
        view! {
            <tr>
                <th scope="row">{name(&run)}</th>
                <td class="number">{begin.map_or_else(missing, |b| told.time(b))}</td>
                <td class="number">{begin.map_or_else(missing, |b| told.time(b + row.run))}</td>
                <td class="number">{begin.map_or_else(missing, |b| whole(b - row.request.submit))}</td>
                <td class="number">{response.map_or_else(missing, whole)}</td>
                <td class="number">{slowdown.map_or_else(missing, number)}</td>
                <td class="number">{estimate.map_or_else(missing, number)}</td>
            </tr>
        }
    };
    let lines = move || runs.get().into_iter().enumerate().map(&line).collect_view();
    view! {
        <Show when=move || !runs.with(Vec::is_empty)>
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
        </Show>
    }
}
