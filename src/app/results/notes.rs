//! What users should know before they trust the table, in plain words, and the meaning of its marks.

use super::comparison::{RunAndBaseline, RunComparison};
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, TrialsState};
use crate::app::widget::When;
use packfair_study::format::factor;
use packfair_study::pace::AT_ONCE;
use packfair_study::table::{AS_LOGGED_CAVEAT, Mode, NOTHING_COUNTED_CAVEAT};
use packfair_study::verdict::{Trials, WORTH_ACTING_ON};
use packfair_study::{Study, advice};

/// Notes below the table, where they do not move it: a load that no scheduler can serve, and settings without effect.
#[component]
pub fn Notes() -> impl IntoView {
    let app = expect_context::<App>();
    let overload = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => advice::overload(&described.summary),
            _ => None,
        })
    });
    let idle = Memo::new(move |_| {
        let of = |policy: &packfair_schedulers::Policy| Some((policy.name(), advice::of_scheduler(policy)?));
        app.study.with(|study| study.schedulers.iter().filter_map(of).collect::<Vec<_>>())
    });
    let requested = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => {
                app.study.with(|study| advice::requested_times(&described.summary, &study.methods))
            }
            _ => None,
        })
    });
    let overfull = Memo::new(move |_| {
        app.results().iter().find_map(|o| o.report.overfull.as_ref().map(|overfull| overfull.in_unit(app.unit())))
    });
    let uncounted = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => described.summary.why_none_counts(),
            _ => None,
        })
    });
    let nothing = move || app.results().iter().any(|outcome| outcome.report.jobs == 0);
    let none_counts = Memo::new(move |_| {
        nothing().then(|| uncounted.get().map_or_else(|| NOTHING_COUNTED_CAVEAT.to_owned(), |why| sentence(&why) + "."))
    });
    let lacking = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => app.study.with(|study| advice::lacking(&described.summary, study)),
            _ => Vec::new(),
        })
    });
    let lacking_notes = move || {
        let note = |why: String| view! { <p class="note" data-testid="note-classes">{why}</p> };
        lacking.get().into_iter().map(note).collect_view()
    };
    let idle_notes = move || {
        let note = |(name, why): (String, &'static str)| {
            view! { <p class="note" data-testid="note-idle"><strong>{name} ". "</strong> {why}</p> }
        };
        idle.get().into_iter().map(note).collect_view()
    };
    view! {
        <div class="notes">
            <When when=move || overload.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-overload">{move || overload.get()}</p>
            </When>
            <When when=move || none_counts.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-nothing-counted">{move || none_counts.get()}</p>
            </When>
            <When when=move || requested.with(Option::is_some)>
                <p class="note" data-testid="note-requested">{move || requested.get()}</p>
            </When>
            <When when=move || overfull.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-overfull">{move || overfull.get()}"."</p>
            </When>
            {move || idle_notes()}
            {move || lacking_notes()}
        </div>
    }
}

/// The note below the table about comparing a log's own schedule with simulated ones. It appears with the first
/// results, so that it moves nothing later.
#[component]
pub fn AsLoggedNote(comparison: Memo<RunComparison>) -> impl IntoView {
    let beside_log = Memo::new(move |_| comparison.with(stands_beside_log));
    view! {
        <When when=move || beside_log.get()>
            <p class="note note-warn" data-testid="note-as-logged">{AS_LOGGED_CAVEAT}</p>
        </When>
    }
}

/// Whether the log's own schedule is compared with simulated ones.
fn stands_beside_log(comparison: &RunComparison) -> bool {
    let is_logged = |row: &RunAndBaseline| row.run.scheduler.is_as_logged();
    let has_logged = comparison.rows.iter().any(|row| is_logged(row) && row.result.is_some());
    has_logged && !comparison.rows.iter().all(is_logged)
}

/// The legend below the table: what the mark of the best means, and when there is none.
#[component]
pub fn BestLegend(comparison: Memo<RunComparison>) -> impl IntoView {
    let words = Memo::new(move |_| comparison.with(legend));
    view! {
        <p class="headline best-legend" data-testid="best-legend" hidden=move || words.with(String::is_empty)>
            {move || words.get()}
        </p>
    }
}

fn legend(comparison: &RunComparison) -> String {
    let results = || comparison.rows.iter().filter_map(|row| row.result.as_ref());
    if results().count() < 2 {
        return String::new();
    }
    if !comparison.is_settled {
        return "◆ marks the best of a column once all runs are done.".to_owned();
    }
    let marked = results().flat_map(|result| &result.cells).flatten().any(|cell| cell.is_best);
    let ahead = format!("{} %", factor(100.0 * WORTH_ACTING_ON));
    let has_groups =
        comparison.mode == Mode::Change && comparison.rows.windows(2).any(|rows| rows[0].baseline != rows[1].baseline);
    let is_one_workload = comparison.rows.windows(2).all(|rows| rows[0].run.shares_workload(&rows[1].run));
    let of = match (has_groups, is_one_workload) {
        (true, _) => "the rows compared with the same run",
        (false, true) => "the column",
        (false, false) => "the rows of one load and one partition",
    };
    let surely = if results().flat_map(|result| &result.cells).flatten().any(|cell| cell.is_repeated) {
        " and repeats tell them apart"
    } else {
        ""
    };
    let is_one_machine = comparison.rows.windows(2).all(|rows| rows[0].run.what_if == rows[1].run.what_if);
    if marked {
        format!(
            "◆ the best that could be chosen of {of}, where it is ahead of the next by at least {ahead}{surely}; saturated \
             runs are left out"
        )
    } else if !is_one_machine {
        "No row is marked as the best: the rows stand on several machines.".to_owned()
    } else {
        format!(
            "No column has a best row: nowhere is one ahead of the next by {ahead}{surely}, or there are too few jobs to tell."
        )
    }
}

// The switch for the rows of what would be if run times were known.

/// The switch. It is absent where no other estimates are studied.
#[component]
pub fn KnownTimes() -> impl IntoView {
    let app = expect_context::<App>();
    let is_on = Memo::new(move |_| app.study.with(Study::has_known_times));
    view! {
        <When when=move || is_on.get().is_some()>
            <label
                class="known-times"
                data-hint="Each scheduler once more, told how long every job will run: what estimates cost. No real scheduler can know it."
            >
                <input
                    type="checkbox"
                    role="switch"
                    data-testid="known-times"
                    prop:checked=move || is_on.get() == Some(true)
                    on:change=move |event| {
                        let are_shown = event_target_checked(&event);
                        app.edit(move |study| study.set_known_times(are_shown));
                    }
                />
                "If run times were known"
            </label>
        </When>
    }
}

// Trials of remedies for a model that explains little of the log: they run in the background, and the best is offered
// below the fit.

/// The trials under way, with a button that stops them; then the remedy that explains more, with a button that applies
/// it.
#[component]
pub fn Trying() -> impl IntoView {
    let app = expect_context::<App>();
    let state = Memo::new(move |_| {
        let is_of = |state: &TrialsState| app.study.with(|study| state.is_of(study));
        app.trials.get().filter(is_of)
    });
    // the trials start once, when all runs have results; stopped trials do not start again
    let due = Memo::new(move |_| {
        let is_due = state.with(Option::is_none) && !app.is_busy() && app.pending() == 0;
        is_due.then(|| app.trials_due()).flatten()
    });
    Effect::new(move |_| {
        let Some(trials) = due.get() else { return };
        if app.seconds_trials(&trials).is_some_and(|seconds| seconds <= AT_ONCE) {
            app.want_trials(trials);
        }
    });
    let goes_on = move || state.with(|state| state.as_ref().is_some_and(|state| state.goes_on));
    let tried = move || state.with(|state| state.as_ref().map(|state| Trials::in_words(&state.trials)));
    let offer = Memo::new(move |_| state.with(|state| state.as_ref().and_then(|state| state.offer.clone())));
    let take = move |_| {
        if let Some(offer) = offer.get_untracked() {
            app.take_offer(offer);
        }
    };
    view! {
        <When when=goes_on>
            <p class="quiet" data-testid="trying">
                "Trying what may be wrong: " {tried} ". "
                <button class="link" type="button" data-testid="stop-trying" on:click=move |_| app.stop_trials()>
                    "Cancel"
                </button>
            </p>
        </When>
        <When when=move || offer.with(Option::is_some)>
            <p class="conclusion-fit" data-testid="offer">
                {move || offer.with(|offer| offer.as_ref().map(|offer| offer.text.clone()))} " "
                <button class="button" type="button" data-testid="take-offer" on:click=take>"Use it"</button>
            </p>
        </When>
    }
}
