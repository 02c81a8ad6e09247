//! The button that runs the study, and its progress.

use crate::app::notices::runs;
use crate::app::prelude::*;
use crate::app::state::{App, RunRow, Status};
use crate::app::while_shown;
use crate::app::widget::When;
use packfair_study::format::whole;
use packfair_study::pace;

#[derive(Clone, Copy, Debug, PartialEq)]
struct RunTally {
    /// The number of runs that have ended, successfully or not.
    ended: usize,
    all: usize,
    /// The number of ended runs, plus the finished fractions of those under way.
    amount: f64,
}

impl RunTally {
    fn in_words(&self) -> String {
        format!("{} of {} done", whole(self.ended as i64), runs(self.all))
    }
}

/// "Run 20", with the time that they were seen to take, if they were tried: "Run 2, about 40 s". It becomes a progress bar with a cancel button.
#[component]
pub fn RunBar() -> impl IntoView {
    let app = expect_context::<App>();
    let busy = Memo::new(move |_| app.is_busy());
    let pending = Memo::new(move |_| app.pending());
    let time = Memo::new(move |_| {
        let seconds = app.seconds_pending().filter(|_| pending.get() > 0);
        seconds.map(|seconds| format!(", {}", pace::about(seconds)))
    });
    let tally = Memo::new(move |_| app.rows.with(|rows| tally(rows)));
    view! {
        <div class="run-bar">
            <When when=move || busy.get()>
                <TotalProgress tally=tally />
            </When>
            <When when=move || !busy.get() || (pending.get() > 0)>
                <RunButton pending time />
            </When>
            <p class="visually-hidden" role="status">{announcement(busy, tally)}</p>
        </div>
    }
}

/// The button that starts the pending runs, with how long they take.
#[component]
fn RunButton(pending: Memo<usize>, time: Memo<Option<String>>) -> impl IntoView {
    let app = expect_context::<App>();
    let pending = while_shown(move || pending.get());
    let time = while_shown(move || time.get());
    view! {
        <button
            class="button button-accent run-button"
            type="button"
            data-testid="run-all"
            disabled=move || pending.get() == 0
            on:click=move |_| app.run_all()
        >
            <span>
                {move || match pending.get() {
                    0 if app.is_between_logs() => "Waiting for a log",
                    0 => "All up to date",
                    _ => "Run ",
                }}
                <span data-testid="pending-count" class:visually-hidden=move || pending.get() == 0>
                    {move || whole(pending.get() as i64)}
                </span>
                {time}
            </span>
        </button>
    }
}

/// The progress bar, also in words, and the button that stops all runs.
#[component]
fn TotalProgress(tally: Memo<RunTally>) -> impl IntoView {
    let app = expect_context::<App>();
    let tally = while_shown(move || tally.get());
    view! {
        <div class="run-progress">
            <progress max=move || tally.get().all value=move || tally.get().amount aria-label="Runs done"></progress>
            <span class="numeric">{move || tally.get().in_words()}</span>
        </div>
        <button class="button" type="button" data-testid="cancel-all" on:click=move |_| app.cancel_all()>
            "Cancel"
        </button>
    }
}

fn tally(rows: &[RunRow]) -> RunTally {
    let mut tally = RunTally { ended: 0, all: rows.len(), amount: 0.0 };
    for row in rows {
        match row.status {
            Status::Idle | Status::Queued | Status::Held { .. } => {}
            // measuring a schedule takes about as long as making it
            Status::Running { completed, jobs, .. } => tally.amount += 0.5 * completed as f64 / jobs.max(1) as f64,
            Status::Measuring => tally.amount += 0.5,
            Status::Done | Status::Failed(_) | Status::Cancelled => {
                tally.ended += 1;
                tally.amount += 1.0;
            }
        }
    }
    tally
}

/// The text for screen readers: at the beginning, at every quarter and at the end, not for every run.
fn announcement(busy: Memo<bool>, tally: Memo<RunTally>) -> Memo<String> {
    let quarter = Memo::new(move |_| tally.with(|t| 4 * t.ended / t.all.max(1)));
    Memo::new(move |before: Option<&String>| match (busy.get(), quarter.get()) {
        (true, _) => tally.with_untracked(|t| t.in_words()),
        // silent until something has been run
        (false, _) if before.is_none_or(String::is_empty) => String::new(),
        (false, _) => "All runs have ended".to_owned(),
    })
}
