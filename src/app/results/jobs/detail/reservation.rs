//! The reservation of the job while it waited, and its guaranteed start.

use super::asked::{ask, facts, waiting_or_why};
use crate::app::charts::{Chart, clock, summary};
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, outcome};
use crate::app::state::App;
use crate::chart::kinds;
use crate::study::Run;
use crate::study::format::duration;
use crate::study::query::{Answer, JobRow, Query};
use std::sync::Arc;

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
