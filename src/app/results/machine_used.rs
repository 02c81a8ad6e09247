//! How each run used the cells and resources of the machine, what stood idle before maintenance windows, and what jobs
//! are stuck behind. Belongs to
//! the late part (scripts/split).

use super::grid::grid_table;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use packfair_study::table::{TitledGrid, machine_grids, stuck_in_words, windows_in_words};

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
