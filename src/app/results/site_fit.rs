//! How near Slurm as configured comes to the log, by user, partition and QOS: asked for when it is opened. Comes late
//! (scripts/split).

use super::grid::grid_table;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use leptos::task::spawn_local;
use packfair_engine::metric::Measure;
use packfair_study::format::estimate;
use packfair_study::query::Query;
use packfair_study::{Run, SiteFit, fitted};

#[derive(Clone, PartialEq)]
enum FitState {
    NotAsked,
    Asked,
    /// It is there; none where the log does not tell when its jobs started.
    Found(Option<SiteFit>),
    /// It cannot be had, and why.
    Failed(String),
}

/// A table that opens, where Slurm as configured was run at a site that is known.
#[inline(never)]
pub(super) fn site_fit(app: App) -> AnyView {
    let asked = Memo::new(move |_| {
        let outcomes: Vec<_> = app.results().into_iter().filter(|outcome| outcome.has_schedule).collect();
        let run = fitted(outcomes.iter().map(|outcome| &outcome.report.run))?;
        let found = outcomes.iter().find(|outcome| outcome.report.run == *run)?;
        app.study.with(|study| (!study.treatment.site.is_empty()).then(|| (found.clone(), study.measure.clone())))
    });
    let title = move || {
        let estimate = asked.with(|asked| asked.as_ref().map(|(outcome, _)| estimate(&outcome.report.run.estimate)));
        let estimate = estimate.unwrap_or_default();
        format!("How near Slurm as configured with {estimate} estimates comes, by user, partition and QOS")
    };
    let is_open = RwSignal::new(false);
    let known = RwSignal::new(FitState::NotAsked);
    Effect::new(move |_| {
        let (true, Some((outcome, measure))) = (is_open.get(), asked.get()) else { return };
        known.set(FitState::Asked);
        spawn_local(async move {
            let found = ask(app, outcome.report.run.clone(), measure).await;
            // the view may be gone when an answer comes
            let _ = known.try_set(found);
        });
    });
    view! {
        <When when=move || asked.with(Option::is_some)>
            <details class="site-fit" data-testid="site-fit" on:toggle=move |_| is_open.update(|open| *open = !*open)>
                <summary>{title}</summary>
                <div aria-live="polite">{move || known.with(shown)}</div>
            </details>
        </When>
    }
}

async fn ask(app: App, run: Run, measure: Measure) -> FitState {
    match app.ask(Query::SiteFit { run, measure }).await.and_then(|answer| answer.decoded()) {
        Ok(fit) => FitState::Found(fit),
        Err(why) => FitState::Failed(why),
    }
}

fn shown(known: &FitState) -> AnyView {
    match known {
        FitState::NotAsked => ().into_any(),
        FitState::Asked => view! { <p class="quiet">"Comparing waits and priorities with the log\u{2019}s …"</p> },
        FitState::Failed(why) => view! { <p class="field-error">{why.clone()}</p> },
        FitState::Found(None) => view! {
            <p class="quiet">"The log does not tell when its jobs started, so there is nothing to compare with."</p>
        },
        FitState::Found(Some(fit)) => {
            let caption = "Waits of Slurm as configured beside the log\u{2019}s, by user, partition and QOS";
            let none = "No user, partition or QOS has the 20 jobs that this table needs.";
            let table = match fit.rows.is_empty() {
                true => view! { <p class="quiet">{none}</p> },
                false => grid_table(caption.to_owned(), fit.grid()),
            };
            let priorities = fit.of_priorities().map(|words| view! { <p class="quiet">{words}</p> });
            view! {
                {table}
                {priorities}
            }
        }
    }
}
