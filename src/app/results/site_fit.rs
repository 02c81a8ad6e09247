//! How near Slurm as configured comes to the log, by user, partition and QOS: asked for when it is opened. Comes late
//! (scripts/split).

use super::columns::grid_table;
use super::notes::Trying;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use leptos::task::spawn_local;
use packfair_engine::metric::Measure;
use packfair_study::format::estimate;
use packfair_study::query::Query;
use packfair_study::table::{TitledGrid, how_true, machine_grids, machines, stuck_in_words, windows_in_words};
use packfair_study::verdict::Fit;
use packfair_study::{Run, SiteFit, claiming, fitted, models};

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

// How each run used the cells and resources of the machine, what stood idle before maintenance windows, and what jobs
// are stuck behind. Belongs to
// the late part (scripts/split).

/// The largest number of windows of a run that are described in words.
const WINDOWS_IN_WORDS: usize = 2;

/// How many lines of what jobs are stuck behind are told in words of each run.
const STUCK_IN_WORDS: usize = 2;

/// The largest number of runs that are described in words.
const RUNS_IN_WORDS: usize = 3;

/// Tables of used and lost capacity by resource, cell and partition, and the windows in words.
#[inline(never)]
pub(super) fn machine_used(app: App) -> AnyView {
    let clock = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(log) => Some(log.summary.clock.clone()),
            _ => None,
        })
    });
    let grids = move || {
        let outcomes = app.results();
        let reports = outcomes.iter().map(|outcome| &outcome.report);
        clock.with(|clock| machine_grids(reports, clock.as_ref())).into_iter().map(table).collect_view()
    };
    let words = move || {
        let outcomes = app.results();
        let told = outcomes.iter().take(RUNS_IN_WORDS).flat_map(|outcome| {
            let of_windows = clock.with(|clock| windows_in_words(&outcome.report, clock.as_ref(), WINDOWS_IN_WORDS));
            of_windows.into_iter().chain(stuck_in_words(&outcome.report, STUCK_IN_WORDS))
        });
        told.map(|sentence| view! { <p>{sentence}</p> }).collect_view()
    };
    view! {
        <section class="machine-used" data-testid="machine-used" aria-label="The machine">
            <div class="headline">{words}</div>
            {grids}
        </section>
    }
}

fn table(TitledGrid { title, grid }: TitledGrid) -> AnyView {
    view! {
        <details open>
            <summary>{title.clone()}</summary>
            {grid_table(title, grid)}
        </details>
    }
}

// What was simulated, shown right below the table: the sizes of the machines, and how closely the model reproduces the
// log.

/// The scheduler that comes closest to the log, and how close it comes.
#[component]
pub fn Truth() -> impl IntoView {
    sentence(expect_context::<App>())
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn sentence(app: App) -> AnyView {
    let words = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| how_true(models(study, outcomes.iter().map(|outcome| &outcome.report))))
    });
    let sizes = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| machines(study, outcomes.iter().map(|outcome| &outcome.report)))
    });
    let is_on_cells = Memo::new(move |_| app.results().iter().any(|outcome| outcome.report.machine_use.is_some()));
    // what may be wrong is offered beside the fit, which stands here where no row claims to be the cluster's own
    let has_own = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| Fit::of(claiming(study, outcomes.iter().map(|outcome| &outcome.report))).is_some())
    });
    let has_site = Memo::new(move |_| app.study.with(|study| !study.treatment.site.is_empty()));
    view! {
        <When when=move || is_on_cells.get()>{machine_used(app)}</When>
        <p class="headline" data-testid="machines" hidden=move || sizes.with(Option::is_none)>{move || sizes.get()}</p>
        <p class="headline" data-testid="truth" hidden=move || words.with(Option::is_none)>{move || words.get()}</p>
        <When when=move || !has_own.get()>
            <Trying/>
        </When>
        <When when=move || has_site.get()>{site_fit(app)}</When>
    }
    .into_any()
}
