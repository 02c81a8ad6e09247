//! The Jobs tab: every job, and when it ran in one or two runs.

mod choice;
mod columns;
mod detail;
mod pages;
mod table;

pub use choice::JobsChoice;
pub use columns::Telling;

use self::choice::JobsControls;
use self::columns::{outcome, start};
use self::detail::JobDetail;
use self::pages::Pages;
use self::table::JobsTable;
use crate::address::Picked;
use crate::app::charts::Gantt;
use crate::app::late;
use crate::app::prelude::*;
use crate::app::results::table::Memory;
use crate::app::state::{App, DescribedLog, LogState};
use crate::app::widget::When;
use packfair_study::Run;
use packfair_study::query::JobsQuery;
use packfair_workload::JobId;
use std::sync::Arc;

/// The table of jobs, with its controls above and the picked job below.
#[component]
pub fn JobsView() -> impl IntoView {
    let app = expect_context::<App>();
    let choice = Memory::of_page().jobs;
    choice.forget_readers();
    let runs = choice.runs(app);
    let pages = Pages::new(app);
    let log = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(log) => Some(log.clone()),
            _ => None,
        })
    });
    let only = Memo::new(move |_| app.study.with(|study| study.measure.only));
    let telling = Memo::new(move |_| {
        let clock = log.with(|log| log.as_ref().map(|log| log.summary.clock.clone()));
        let header = log.with(|log| log.as_ref().map(|log| Arc::new(log.header.clone())));
        Telling {
            clock,
            times: choice.times.get(),
            header: header.unwrap_or_default(),
            only: only.get(),
            unit: app.unit(),
        }
    });
    choice::follow(app, choice, runs, log);
    let is_there = move || log.with(Option::is_some);
    ask_whenever_needed(choice, pages, runs, log);
    // the schedule of the first run, around the picked job if there is one
    let run = Memo::new(move |_| runs.with(|runs| runs.first().cloned()));
    let around = Memo::new(move |_| {
        let row = choice.picked.get()?;
        let begin = start(&row, 0)?;
        Some((begin, outcome(&row, 0)?.end))
    });
    view! {
        <section class="jobs" aria-label="Jobs">
            <When
                when=is_there
                fallback=|| view! { <p class="empty-state">"No log is at hand: drop one here to see its jobs."</p> }
            >
                {late::apart(contents as fn(_, _, _, _, _, _) -> _)(choice, runs, pages, telling, run, around)}
            </When>
        </section>
    }
}

// most of the tab: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    pages: Pages,
    telling: Memo<Telling>,
    run: Memo<Option<Run>>,
    around: Memo<Option<(i64, i64)>>,
) -> AnyView {
    let picked = Memo::new(move |_| choice.picked.with(|row| row.as_ref().map(|row| row.job)));
    let pick = move |(job, number): (JobId, i64)| choice.wanted.set(Some(Picked { number, job: Some(job) }));
    view! {
        <JobsControls choice runs pages telling/>
        <JobsTable choice runs pages telling/>
        <JobDetail choice runs telling/>
        <Gantt run around picked=picked on_pick=pick/>
    }
}

fn ask_whenever_needed(choice: JobsChoice, pages: Pages, runs: Memo<Vec<Run>>, log: Memo<Option<Arc<DescribedLog>>>) {
    Effect::new(move |_| {
        if log.with(Option::is_none) {
            return;
        }
        let (runs, search) = (runs.get(), choice.search.get());
        let (sort, descending) = choice.sorting_with(runs.len());
        pages.ask(JobsQuery { search, sort, descending, first: 0, count: 0, runs });
    });
}
