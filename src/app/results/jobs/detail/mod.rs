//! Everything known about the picked job, section by section.

mod estimated;

use self::estimated::{FairStart, ReservationOverTime, WhyEstimated, WhyItWaited};
use super::choice::JobsChoice;
use super::columns::{Telling, start};
use crate::app::notices::size;
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{known, outcome};
use crate::app::results::own_order::CountOnly;
use crate::app::results::row::name;
use crate::app::state::App;
use crate::app::widget::When;
use leptos::task::spawn_local;
use packfair_study::Run;
use packfair_study::format::{MISSING, duration, number, whole};
use packfair_study::query::{Answer, JobRow, Query};
use std::time::Duration;

/// The fields of the picked job, and its outcome in each run.
#[component]
pub fn JobDetail(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let run = Memo::new(move |_| runs.with(|runs| runs.first().cloned()));
    let content = move || {
        let row = choice.picked.get()?;
        let of_run = (start(&row, 0).is_some()).then(|| {
            view! {
                <div class="job-section">
                    <FairStart row=row.clone() run telling/>
                    <ReservationOverTime row=row.clone() run telling/>
                </div>
                <WhyEstimated row=row.clone() run telling/>
            }
            .into_any()
        });
        // the most important answer comes first
        let why = (start(&row, 0).is_some()).then(|| view! { <WhyItWaited row=row.clone() run telling/> }.into_any());
        Some(view! { {why} <Facts row=row.clone() telling/> <Outcomes row runs telling/> <div class="job-sections">{of_run}</div> }.into_any())
    };
    view! {
        <section
            class="job-detail"
            class:job-panel=move || choice.picked.with(Option::is_some)
            aria-label="The selected job"
            aria-live="polite"
            data-testid="job-detail"
        >
            <When
                when=move || choice.picked.with(Option::is_some)
                fallback=|| view! { <p class="headline">"Pick a job to see all of its fields and when it ran."</p> }
            >
                {move || content()}
            </When>
        </section>
    }
}

// What the log says about the job.

/// The selected job's fields.
#[component]
pub fn Facts(
    row: JobRow,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let request = row.request.clone();
    let area = f64::from(request.processors) * row.run as f64;
    let seconds = |s: i64| format!("{} s ({})", whole(s), duration(s as f64));
    let unit = telling.with_untracked(|telling| telling.unit);
    let submit = move || telling.with(|telling| telling.time(request.submit));
    let called = |field: &str| telling.with_untracked(|telling| telling.header.word(field).to_owned());
    let named = |label: &str, number: i32| telling.with_untracked(|telling| telling.named(label, number));
    let facts = [
        ("Width".to_owned(), size(row.request.processors, unit)),
        ("Requested".to_owned(), seconds(row.request.limit)),
        ("Run".to_owned(), seconds(row.run)),
        ("Requested / run".to_owned(), number(row.request.limit as f64 / row.run.max(1) as f64)),
        ("Area".to_owned(), format!("{} {}", number(area), unit.seconds())),
        ("User".to_owned(), named("User", row.request.user)),
        (called("Group"), named("Group", row.request.group)),
        (called("Executable"), known(row.request.executable)),
        (called("Queue"), named("Queue", row.request.queue)),
        ("Partition".to_owned(), named("Partition", row.request.partition)),
    ];
    view! {
        <h3 class="section-title">{format!("Job {}", row.request.number)}</h3>
        <dl class="workload-facts">
            <div>
                <dt>"Submit"</dt>
                <dd>{move || submit()}</dd>
            </div>
            {facts.into_iter().map(|(l, v)| view! { <div><dt>{l}</dt><dd>{v}</dd></div> }).collect_view()}
        </dl>
        <CountOnly row telling/>
    }
}

// A question about the picked job. It is asked again when the job or the run changes.

/// How long a job must stay picked before a worker is asked, so that moving through the table with the arrow keys does
/// not ask about every job.
const REST: Duration = Duration::from_millis(180);

/// The state of a question: `None` until there is an answer.
pub type AnswerSignal = RwSignal<Option<Result<Answer, String>>>;

/// Asks `query` whenever it changes. The result holds the answer, or `None` if there is no question or no answer yet.
pub fn ask(query: Memo<Option<Query>>) -> AnswerSignal {
    let app = expect_context::<App>();
    let answer = RwSignal::new(None);
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        answer.set(None);
        latest.update_value(|n| *n += 1);
        let number = latest.get_value();
        let Some(asked) = query.get() else { return };
        let ask = move || {
            spawn_local(async move {
                let received = app.ask(asked).await;
                // the section may be gone, or another job may have been picked meanwhile and then this one again
                if latest.try_get_value() == Some(number) {
                    answer.set(Some(received));
                }
            });
        };
        let timer = set_timeout_with_handle(ask, REST).ok();
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    answer
}

/// A list of labels and values, as the sections show them.
pub fn facts(facts: Vec<(&'static str, String)>) -> AnyView {
    let facts = facts.into_iter().map(|(label, value)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> });
    view! { <dl class="workload-facts">{facts.collect::<Vec<_>>()}</dl> }
}

/// The answer, or the view to show instead while there is none or if the question failed.
pub fn waiting_or_why<T>(answer: Option<Result<T, String>>) -> Result<T, AnyView> {
    match answer {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(why)) => Err(view! { <p class="headline">{why}</p> }),
        None => Err(view! { <p class="headline">"Computing …"</p> }),
    }
}

// The outcome of the job in each run.

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
