//! How near Slurm as configured comes to the log: a sentence, and a gauge.

use crate::app::prelude::*;
use crate::app::state::App;
use packfair_engine::metric::Metric;
use packfair_study::claiming;
use packfair_study::format::duration;
use packfair_study::verdict::Fit;

/// What is told of the model.
#[derive(Clone, PartialEq)]
struct NearnessTold {
    grade: &'static str,
    /// The share of the logged starts that are met.
    near: f64,
    words: String,
}

#[component]
pub(super) fn Nearness() -> impl IntoView {
    let app = expect_context::<App>();
    let told = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| {
            let fit = Fit::of(claiming(study, outcomes.iter().map(|outcome| &outcome.report)))?;
            Some(NearnessTold { grade: fit.grade().id(), near: fit.closeness.near, words: fit.in_words() })
        })
    });
    let now = Memo::new(move |_| {
        let outcomes = app.results();
        let own = outcomes.iter().find(|outcome| {
            let policy = &outcome.report.run.scheduler;
            policy.goes_by_site() && policy.as_configured().is_none()
        })?;
        own.report.values.get(&Metric::Aq).copied()
    });
    let grade = move || told.with(|told| told.as_ref().map_or("none", |told| told.grade));
    let percent = move || told.with(|told| told.as_ref().map_or(0.0, |told| 100.0 * told.near));
    let words = move || {
        told.with(|told| match told {
            Some(told) => told.words.clone(),
            None if now.with(Option::is_some) => {
                "The log does not tell when its jobs started, so how near the model is cannot be told.".to_owned()
            }
            None => "How near Slurm as configured comes to the log is being computed.".to_owned(),
        })
    };
    let wait = move || now.get().map(|wait| format!("Mean wait as configured: {}.", duration(wait)));
    view! {
        <div class="cluster-fit" data-testid="cluster-fit" data-grade=grade>
            <div
                class="gauge"
                role="meter"
                aria-label="Logged starts that the model explains, percent"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", percent())
            >
                <span class="gauge-level" style:--level=move || format!("{:.1}%", percent())></span>
                <span class="gauge-number">
                    {move || told.with(|told| told.as_ref().map(|told| format!("{:.0} %", 100.0 * told.near)))}
                </span>
            </div>
            <p class="cluster-fit-words">{words} " " {wait}</p>
        </div>
    }
}
