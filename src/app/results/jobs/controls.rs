//! The controls above the table of jobs: the runs, the search, and the format of times.

use super::choice::{JobsChoice, SecondRun, available};
use super::columns::Telling;
use super::columns::Times;
use super::pages::Pages;
use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::state::App;
use crate::app::widget::{Segment, Segments, When};
use gloo::timers::callback::Timeout;
use packfair_study::Run;
use packfair_study::format::whole;

/// How long the search waits for the next key press, milliseconds.
const PAUSE_MS: u32 = 200;

/// The controls above the table.
#[component]
pub fn JobsControls(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    pages: Pages,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    view! {
        <div class="jobs-controls">
            <RunPickers choice runs/>
            <Search choice pages/>
            <When when=move || telling.with(Telling::has_dates)>
                <TimesSwitch choice telling/>
            </When>
        </div>
    }
}

#[component]
fn RunPickers(choice: JobsChoice, runs: Memo<Vec<Run>>) -> impl IntoView {
    let app = expect_context::<App>();
    let offered = available(app);
    let first = move || runs.with(|runs| runs.first().cloned());
    let second = move || runs.with(|runs| runs.get(1).cloned());
    let option = move |run: Run, selected: Option<Run>| {
        let is_selected = selected.as_ref() == Some(&run);
        view! {
            <option value=run.id() selected=is_selected>
                {name(&run)}
            </option>
        }
    };
    let found = move |id: String| offered.with_untracked(|runs| runs.iter().find(|run| run.id() == id).cloned());
    let on_second = move |id: String| choice.second.set(found(id).map_or(SecondRun::Nothing, SecondRun::Run));
    view! {
        <When
            when=move || !offered.with(Vec::is_empty)
            fallback=|| view! { <p class="headline">"No schedule is at hand: run the study to see when each job starts."</p> }
        >
            <label class="jobs-field">
                <span>"Run"</span>
                <select data-testid="jobs-first" on:change=move |event| choice.first.set(found(event_target_value(&event)))>
                    {move || offered.get().into_iter().map(|run| option(run, first())).collect_view()}
                </select>
            </label>
            <label class="jobs-field">
                <span>"beside"</span>
                <select data-testid="jobs-second" on:change=move |event| on_second(event_target_value(&event))>
                    <option value="" selected=move || second().is_none()>
                        "nothing"
                    </option>
                    {move || {
                        let others = offered.get().into_iter().filter(|run| Some(run) != first().as_ref());
                        others.map(|run| option(run, second())).collect_view()
                    }}
                </select>
            </label>
        </When>
    }
}

/// The search box, a list of what can be searched, and the number of matching jobs.
#[component]
fn Search(choice: JobsChoice, pages: Pages) -> impl IntoView {
    let pause = StoredValue::new_local(None::<Timeout>);
    let on_input = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        // replacing a timer cancels it
        pause.set_value(Some(Timeout::new(PAUSE_MS, move || choice.search.set(text))));
    };
    let found = move || match (pages.problem(), pages.matching()) {
        (Some(problem), _) => problem,
        (None, None) => String::new(),
        (None, Some(1)) => "1 job".to_owned(),
        (None, Some(n)) => format!("{} jobs", whole(n as i64)),
    };
    view! {
        <div class="jobs-search">
            <label class="jobs-field">
                <span>"Search"</span>
                <input
                    type="search"
                    size="28"
                    placeholder="user:5 procs>=64 wait>1h"
                    autocomplete="off"
                    spellcheck="false"
                    data-testid="jobs-search"
                    aria-describedby="jobs-search-help jobs-found"
                    aria-invalid=move || pages.problem().is_some().to_string()
                    prop:value=move || choice.search.get()
                    on:input=on_input
                />
            </label>
            <p
                class="headline"
                id="jobs-found"
                class:is-faulty=move || pages.problem().is_some()
                aria-live="polite"
                data-testid="jobs-found"
            >
                {move || found()}
            </p>
        </div>
        <details class="jobs-help">
            <summary>"How to search"</summary>
            <SearchHelp/>
        </details>
    }
}

#[component]
fn SearchHelp() -> impl IntoView {
    let line = |example: &'static str, meaning: &'static str| {
        view! {
            <dt>
                <code>{example}</code>
            </dt>
            <dd>{meaning}</dd>
        }
    };
    view! {
        <dl class="search-help" id="jobs-search-help">
            {line("1234", "the job of that number")}
            {line("user:5 queue:2", "words must all match; also group, app, partition")}
            {line("procs>=64", "comparisons are : = != < <= > >=; also area, submit")}
            {line("wait>1.5h run<60", "spans of time in s, m, h or d, else seconds; also limit, response, estimate")}
            {line("procs:8..16", "a range, both ends included")}
            {line("delay>0 unfair>1h", "start after its promise, after its strict fair start; relaxed: after its relaxed one")}
            {line("class:small killed>0 votes<60%", "what it was taken for, and how often it was killed; also divider")}
            {line("wait2>1h diff>0", "the second run, and its wait less that of the first; also start, slowdown")}
        </dl>
    }
}

/// The switch between dates and seconds.
#[component]
fn TimesSwitch(choice: JobsChoice, telling: Memo<Telling>) -> impl IntoView {
    let zone = move || telling.with(|t| t.clock.as_ref().map(|clock| clock.zone.describe()));
    let segments =
        vec![Segment::new("Dates", choice.times, Times::Dates), Segment::new("Seconds", choice.times, Times::Seconds)];
    view! { <Segments name="How points in time are shown" hint=Signal::derive(zone) segments/> }
}
