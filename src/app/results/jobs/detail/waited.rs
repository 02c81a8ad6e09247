//! Why the job waited: which jobs ran, which were ahead of it, and which overtook it.

use super::asked::{ask, facts, waiting_or_why};
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, outcome};
use crate::app::state::App;
use crate::app::wording::{jobs, size};
use crate::study::Run;
use crate::study::format::{number, whole};
use crate::study::query::{Answer, JobRow, Other, Query, Reasons, Waited};
use crate::workload::{Unit, UnitText};

#[component]
pub fn WhyItWaited(
    row: JobRow,
    run: Memo<Option<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let job = row.job;
    let answer = ask(Memo::new(move |_| Some(Query::Waited { run: run.get()?, job })));
    let wait = outcome(&row, 0).map_or(0, |outcome| outcome.wait());
    let app = expect_context::<App>();
    let reasons = ask(Memo::new(move |_| {
        let run = run.get().filter(|_| wait > 0)?;
        Some(Query::Reasons { rules: app.rules_of(&run)?, run, job })
    }));
    let content = move || {
        let waited = match waiting_or_why(answer.get()) {
            Ok(Answer::Waited(waited)) => waited,
            Ok(_) => return ().into_any(),
            Err(view) => return view,
        };
        view! {
            <p class="job-why" data-testid="why">{waited.in_words(telling.get().unit)}</p>
            {(!waited.classified.is_empty())
                .then(|| view! { <p data-testid="job-class">{waited.classified.join(" ")}</p> })}
            {reported(&waited, telling.get().unit)}
            {overtakers(waited, &telling.get())}
        }
    };
    // a job that was killed and started again at once has not waited
    let has_waited = move || matches!(answer.get(), Some(Ok(Answer::Waited(waited))) if waited.waits > 0);
    view! {
        <section class="job-section" data-testid="job-waited">
            <h4 class="job-section-title">"Why did it wait?"</h4>
            {move || content()}
            {move || given(reasons.get().filter(|_| has_waited())?, &telling.get())}
        </section>
    }
}

/// The reason that the scheduler gives, if it gives one.
fn given(answer: Result<Answer, String>, telling: &Telling) -> Option<AnyView> {
    // without a reason, the section shows what the schedule tells
    let Ok(Answer::Reasons(Reasons { plan: Some((at, said)) })) = answer else { return None };
    let text = format!("In the round at {} it was {said}.", telling.time(at));
    Some(view! { <p data-testid="reasons">{text}</p> })
}

fn reported(waited: &Waited, unit: Unit) -> AnyView {
    let area = |area: f64| format!("{} {}", number(area), unit.seconds());
    let mut all = vec![
        ("Running at its submission", format!("{} on {}", jobs(waited.running), size(waited.busy, unit))),
        ("Ahead in the queue", format!("{} for {}", jobs(waited.ahead), size(waited.ahead_width, unit))),
    ];
    if waited.ahead > 0 {
        all.push(("Of these before it", whole(waited.ahead_first as i64)));
    }
    if waited.overtakers > 0 {
        all.push(("Area of those who overtook it", area(waited.overtakers_area)));
    }
    facts(all)
}

/// The line above the jobs that overtook this one.
const LATER: UnitText =
    UnitText::new("Jobs that came later and started earlier, the largest area ({unit}-seconds) first:");

/// The jobs that overtook this one, the largest area first.
fn overtakers(waited: Waited, telling: &Telling) -> AnyView {
    if waited.named.is_empty() {
        return ().into_any();
    }
    let line = |other: &Other| {
        let cells = [
            telling.short_time(other.submit),
            telling.short_time(other.start),
            whole(other.processors),
            whole(other.run),
            number(other.area()),
        ];
        let cells = cells.map(|cell| view! { <td class="number">{cell}</td> });
        view! { <tr><th scope="row">{other.number.to_string()}</th>{cells.into_iter().collect::<Vec<_>>()}</tr> }
    };
    let lines = waited.named.iter().map(line).collect::<Vec<_>>();
    let left_out = waited.overtakers - waited.named.len();
    let heads = ["Submit", "Start", "Width", "Run (s)", "Area"];
    let heads = heads.map(|head| view! { <th scope="col" class="number">{head}</th> });
    view! {
        <p class="headline">{LATER.in_unit(telling.unit)}</p>
        <div class="table-scroll job-others" tabindex="0" role="group" aria-label="Jobs that overtook it">
            <table class="plain-table" data-testid="overtakers">
                <thead><tr><th scope="col">"Job"</th>{heads.into_iter().collect::<Vec<_>>()}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        {(left_out > 0).then(|| view! { <p class="headline">{format!("and {} smaller ones", whole(left_out as i64))}</p> })}
    }
}
