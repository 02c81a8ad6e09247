//! The fair start times of the job. They are computed for this job alone if they are not known.

use super::asked::{ask, facts, waiting_or_why};
use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, start};
use crate::app::state::App;
use crate::study::Run;
use crate::study::format::{duration, whole};
use crate::study::query::{Answer, JobRow, Query};
use crate::workload::Seconds;

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
