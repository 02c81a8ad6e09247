//! Why the job got its estimate, as the estimator explains it.

use super::asked::{ask, waiting_or_why};
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, outcome};
use crate::app::state::App;
use packfair_study::Run;
use packfair_study::format::{duration, number, whole};
use packfair_study::query::{Answer, Estimated, EstimatedTable, JobRow, Query};

/// The estimate that the estimator of the first run made when the job was submitted, and the reason.
#[component]
pub fn WhyEstimated(row: JobRow, run: Memo<Option<Run>>, telling: Memo<Telling>) -> impl IntoView {
    let app = expect_context::<App>();
    let job = row.job;
    let answer = ask(Memo::new(move |_| {
        let run = run.get()?;
        Some(Query::Estimated { rules: app.rules_of(&run)?, run, job })
    }));
    let said = sentence(&row);
    let content = move || match waiting_or_why(answer.get()) {
        Ok(Answer::Estimated(estimated)) => {
            reported(telling.with_untracked(|telling| estimated.in_words_of(&telling.header)))
        }
        Ok(_) => ().into_any(),
        Err(view) => view,
    };
    view! {
        <section class="job-section" data-testid="job-estimated">
            <h4 class="job-section-title">"Why this estimate?"</h4>
            <p class="job-why">{said}</p>
            {move || content()}
        </section>
    }
}

fn sentence(row: &JobRow) -> String {
    let Some(estimate) = outcome(row, 0).map(|outcome| outcome.estimate) else { return String::new() };
    let time = |seconds: f64| {
        let exact = if seconds.fract() == 0.0 { whole(seconds as i64) } else { number(seconds) };
        if seconds < 60.0 { format!("{exact} s") } else { format!("{exact} s ({})", duration(seconds)) }
    };
    let run = row.run as f64;
    let verdict = match estimate - run {
        0.0 => ", exactly as long".to_owned(),
        error if error > 0.0 => format!(", {} less", time(error)),
        error => format!(", {} more", time(-error)),
    };
    format!("At its submission the job was estimated to run {}. It ran {}{verdict}.", time(estimate), time(run))
}

fn reported(estimated: Estimated) -> AnyView {
    let fact = |(label, value): (String, String)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> };
    let facts = estimated.facts.into_iter().map(fact).collect::<Vec<_>>();
    view! {
        <p class="headline" data-testid="estimated-how">{estimated.how} " " {estimated.after}</p>
        <dl class="workload-facts">{facts}</dl>
        {estimated.table.map(table)}
    }
}

fn table(table: EstimatedTable) -> AnyView {
    let heads = table
        .headings
        .iter()
        .enumerate()
        .map(|(i, head)| view! { <th scope="col" class:number={ i > 0 }>{head.clone()}</th> });
    let heads = heads.collect::<Vec<_>>();
    let (used, title) = (table.used, table.title);
    let label = title.clone();
    let lines = table.rows.into_iter().enumerate().map(|(i, row)| {
        let is_used = used == Some(i);
        let cells = row.into_iter().enumerate().map(|(i, cell)| match i {
            0 => view! { <th scope="row">{cell} {is_used.then_some(" ← used")}</th> },
            _ => view! { <td class="number">{cell}</td> },
        });
        view! { <tr class:used-row=is_used>{cells.collect::<Vec<_>>()}</tr> }
    });
    let lines = lines.collect::<Vec<_>>();
    view! {
        <div class="table-scroll job-others" tabindex="0" role="group" aria-label=label>
            <table class="plain-table" data-testid="estimated-table">
                <caption>{title}</caption>
                <thead><tr>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}
