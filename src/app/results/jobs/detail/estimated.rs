//! Why the job got its estimate, as the estimator explains it.

use super::{ask, facts, waiting_or_why};
use crate::app::charts::{Chart, clock, summary};
use crate::app::notices::{jobs, size};
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, outcome, start};
use crate::app::state::App;
use packfair_chart::kinds;
use packfair_study::Run;
use packfair_study::format::{duration, number, whole};
use packfair_study::query::{Answer, Estimated, EstimatedTable, JobRow, Other, Query, Reasons, Waited};
use packfair_workload::{Seconds, Unit, UnitText};
use std::sync::Arc;

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

// The fair start times of the job. They are computed for this job alone if they are not known.

/// The strict and relaxed fair starts of the job in the first run, and how unfair its start is.
#[component]
pub fn FairStart(
    row: JobRow,
    run: Memo<Option<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let job = row.job;
    let answer = ask(Memo::new(move |_| {
        let run = run.get()?;
        Some(Query::FairStart { rules: app.rules_of(&run)?, run, job })
    }));
    let begin = start(&row, 0);
    let content = move || {
        let (strict, relaxed) = match waiting_or_why(answer.get()) {
            Ok(Answer::FairStart(strict, relaxed)) => (strict, relaxed),
            Ok(_) => return ().into_any(),
            Err(view) => return view,
        };
        let Some(begin) = begin else { return ().into_any() };
        let time = |at: Seconds| telling.get().time(at);
        let unfair = |at: Seconds| match begin - at {
            ..=0 => "0 s".to_owned(),
            late => format!("{} s ({})", whole(late), duration(late as f64)),
        };
        facts(vec![
            ("Start", time(begin)),
            ("Strict fair start", time(strict)),
            ("Strict unfairness", unfair(strict)),
            ("Relaxed fair start", time(relaxed)),
            ("Relaxed unfairness", unfair(relaxed)),
        ])
    };
    view! {
        <section class="job-section" data-testid="job-fair">
            <h4 class="job-section-title">"Was that fair?"</h4>
            <p class="chart-help">
                "Strict: when it would have started if no later job had arrived. Relaxed: the same, but not before the others \
                 that were queued at its arrival. "
                <span class="chart-source">"FAIRNESS §3.1"</span>
            </p>
            {move || content()}
        </section>
    }
}

// Why the job waited: which jobs ran, which were ahead of it, and which overtook it.

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
            {waited_reported(&waited, telling.get().unit)}
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

fn waited_reported(waited: &Waited, unit: Unit) -> AnyView {
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

// The reservation of the job while it waited, and its guaranteed start.

#[component]
pub fn ReservationOverTime(
    row: JobRow,
    run: Memo<Option<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let job = row.job;
    let waits = outcome(&row, 0).is_some_and(|outcome| outcome.wait() > 0);
    let answer = ask(Memo::new(move |_| {
        let run = run.get().filter(|_| waits)?;
        Some(Query::Reservation { rules: app.rules_of(&run)?, run, job })
    }));
    let summary = summary(app);
    let promised = outcome(&row, 0).and_then(|outcome| Some((outcome.promise?, outcome.delay()?)));
    let promise = move || {
        let (promise, delay) = promised?;
        let against = match delay {
            0 => "as promised".to_owned(),
            1.. => format!("{} later", duration(delay as f64)),
            _ => format!("{} earlier", duration(-delay as f64)),
        };
        Some(facts(vec![("Promised at submission", telling.get().time(promise)), ("Start against promise", against)]))
    };
    let (submit, begin) = outcome(&row, 0).map_or((row.request.submit, 0), |outcome| (outcome.submit, outcome.start));
    let content = move || {
        let course = match waiting_or_why(answer.get()) {
            Ok(Answer::Reservation(course)) => course,
            Ok(_) => return ().into_any(),
            Err(view) => return view,
        };
        if course.iter().all(|reserved| reserved.start.is_none()) {
            let text = "This scheduler gave it no reservation while it waited.";
            return view! { <p class="headline">{text}</p> };
        }
        let figure = Arc::new(kinds::reservation(&course, submit, begin, &clock(summary)));
        view! { <Chart figure=Signal::derive(move || figure.clone()) height=0.3/> }
    };
    view! {
        <section class="job-section" data-testid="job-reservation" hidden=!waits>
            <h4 class="job-section-title">"Its reservation over time"</h4>
            {move || promise()}
            {move || content()}
        </section>
    }
}
