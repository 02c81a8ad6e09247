//! How sure the table is, shown right below it: the progress of the repeats, and their results.

use super::comparison::RunComparison;
use crate::app::dialogs::CopyButton;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RepeatsState};
use crate::app::widget::When;
use crate::app::{files, remembered};
use packfair_study::Study;
use packfair_study::export::write_study;
use packfair_study::format::{duration, whole};
use packfair_study::pace::{AT_ONCE, TOO_LONG, about};
use packfair_study::script_trial::command_of;
use packfair_study::sureness::Repeats;
use packfair_workload::Seconds;

/// The storage key of the user's choice whether studies are repeated that do not ask for it.
const KEY: &str = "packfair.repeats-by-itself";

/// The shortest log of which users' weeks can be drawn: two weeks, seconds.
const LEAST_SPAN: Seconds = 14 * 24 * 3_600;

/// The repeats of the study: first a button, then a bar, then a sentence. Also the advice for a study that takes too
/// long in the browser.
#[component]
pub fn Sureness(comparison: Memo<RunComparison>) -> impl IntoView {
    let app = expect_context::<App>();
    let state = Memo::new(move |_| {
        let is_of = |state: &RepeatsState| app.study.with(|study| state.is_of(study));
        app.repeats.get().filter(is_of)
    });
    let choice = RwSignal::new(remembered::get_newest(KEY).unwrap_or(true));
    let wanted = Memo::new(move |_| {
        let of_study = app.study.with(|study| study.repeats);
        of_study.or_else(|| (choice.get() && can_by_itself(app)).then(|| Repeats::of(Repeats::BY_ITSELF)))
    });
    // all runs have results, and this many repeats are missing
    let due = Memo::new(move |_| due(app, wanted.get()?, state.get().as_ref()));
    let seconds = Memo::new(move |_| due.get().and_then(|count| app.seconds_repeats(count)));
    let goes_on = Memo::new(move |_| state.with(|state| state.as_ref().is_some_and(|state| state.goes_on)));
    let by_itself = Memo::new(move |_| state.with(|state| state.as_ref().is_some_and(|state| state.by_itself)));
    // repeats that nobody asked for fail without a message
    let failed = Memo::new(move |_| state.with(|state| state.as_ref().and_then(|state| state.failed.clone())));
    let complaint = move || failed.get().filter(|_| !by_itself.get());
    // repeats that are quick are made without being asked for
    Effect::watch(
        move || wanted.get().filter(|_| seconds.get().is_some_and(|s| s <= AT_ONCE)),
        move |now, before, _| {
            let is_new = before.is_none_or(|before| before != now);
            if now.is_some() && is_new && !goes_on.get_untracked() && failed.with_untracked(Option::is_none) {
                app.want_repeats(*now);
            }
        },
        true,
    );
    // a user who stops repeats that were not asked for gets none next time either
    let set_choice = move |is_on: bool| {
        remembered::set_newest(KEY, &is_on);
        choice.set(is_on);
    };
    let stop = move |_| {
        if by_itself.get_untracked() {
            set_choice(false);
        }
        app.stop_repeats();
    };
    let is_asked = Memo::new(move |_| app.study.with(|study| study.repeats.is_some()));
    let is_declined = Memo::new(move |_| !is_asked.get() && !choice.get() && can_by_itself(app));
    let takes = move || seconds.get().map_or_else(String::new, |seconds| format!(", {}", about(seconds)));
    view! {
        <TooLong />
        <div
            class="sureness"
            data-testid="sureness"
            hidden=move || !is_asked.get() && !is_declined.get() && !by_itself.get()
        >
            <When when=move || goes_on.get()>
                <When when=move || by_itself.get()>
                    <span data-testid="by-itself">"How sure is this? The runs are repeated on workloads like this one."</span>
                </When>
                <progress
                    max=move || wanted.get().map_or(1, |repeats| repeats.count)
                    value=move || state.with(|state| state.as_ref().map_or(0, |state| state.done))
                    aria-label="Repeats done"
                ></progress>
                <span class="numeric">{move || state.with(|state| state.as_ref().map(progress))}</span>
                <button class="button" type="button" data-testid="stop-repeats" on:click=stop>
                    "Cancel"
                </button>
            </When>
            <When when=move || is_declined.get() && !goes_on.get()>
                <button class="link" type="button" data-testid="how-sure" on:click=move |_| set_choice(true)>
                    "How sure is this?"
                </button>
            </When>
            <When when=move || is_asked.get() && !goes_on.get() && due.get().is_some()>
                <button
                    class="button button-accent"
                    type="button"
                    data-testid="repeat"
                    on:click=move |_| app.want_repeats(None)
                >
                    "Repeat on " {move || due.get().map(|count| whole(count as i64))} " workloads" {takes}
                </button>
            </When>
            <p class="field-error" role="status" data-testid="repeats-failed">{complaint}</p>
            <p data-testid="sure" role="status">{move || comparison.with(|shown| shown.sureness.clone())}</p>
        </div>
    }
}

/// Whether a study that asks for no repeats may be repeated: its log must be the user's own and long enough for users'
/// weeks to be drawn, and its runs must be repeatable.
fn can_by_itself(app: App) -> bool {
    let is_long = app.log.with(|log| match log {
        LogState::Ready(described) => {
            let span = &described.summary.span;
            span.last_submit - span.first_submit >= LEAST_SPAN
        }
        _ => false,
    });
    let is_own = app.shared.with(Option::is_none) && !app.on_several_logs.get();
    is_long && is_own && app.study.with(|study| !study.repeated_runs().is_empty())
}

/// The number of these repeats that are to be made; `None` if all exist, or if the runs have to be made first.
fn due(app: App, repeats: Repeats, state: Option<&RepeatsState>) -> Option<usize> {
    let is_ready = app.log.with(|log| matches!(log, LogState::Ready(_)));
    if !is_ready || app.is_busy() || app.pending() > 0 {
        return None;
    }
    let has_all = |state: &&RepeatsState| {
        app.study.with(|study| {
            let columns = packfair_study::sureness::repeatable(&study.columns);
            columns.iter().all(|metric| state.repeated.metrics.contains(metric))
        })
    };
    let runs = app.study.with(Study::repeated_runs);
    let lacks = |state: &RepeatsState| {
        (0..repeats.count).filter(|&repeat| !state.repeated.missing(&runs, repeat).is_empty()).count()
    };
    let missing = state.filter(has_all).map_or(repeats.count as usize, lacks);
    (missing > 0).then_some(missing)
}

fn progress(state: &RepeatsState) -> String {
    let left = state.left.map_or_else(String::new, |seconds| format!(", {} left", duration(seconds)));
    format!("{} of {} repeats{left}", whole(state.done as i64), whole(state.repeated.repeats.count))
}

/// The advice for a study that takes too long in a browser tab: its file, and the command that runs it elsewhere.
#[component]
fn TooLong() -> impl IntoView {
    let app = expect_context::<App>();
    let seconds = Memo::new(move |_| {
        let repeats = app.study.with(|study| study.repeats.map_or(0, |repeats| repeats.count as usize));
        let pending = app.seconds_pending()?;
        Some(pending + app.seconds_repeats(repeats)?).filter(|seconds| *seconds > TOO_LONG)
    });
    let command = move || app.study.with(command_of);
    let save = move |_| {
        let study = app.study.with_untracked(write_study);
        if let Err(message) = files::save("study.json", "application/json", study.as_bytes()) {
            app.complain(message);
        }
    };
    view! {
        <When when=move || seconds.with(Option::is_some)>
            <div class="note sureness" data-testid="too-long">
                <p>
                    "This study takes " {move || seconds.get().map(about)}
                    " in this tab. The command line is faster, goes on where it was stopped, and runs on a cluster too."
                </p>
                <code>{command}</code>
                <button class="button" type="button" data-testid="save-study" on:click=save>"Save the study"</button>
                <CopyButton text=Signal::derive(command) label="Copy the command" />
            </div>
        </When>
    }
}
