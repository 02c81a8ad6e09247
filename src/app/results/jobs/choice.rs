//! What the table of jobs shows: which runs, which jobs, and in which order.

use super::columns::{KnownOfRun, Telling, Times};
use super::pages::Pages;
use crate::address::Picked;
use crate::app::LongLived;
use crate::app::prelude::*;
use crate::app::results::row::name;
use crate::app::state::{App, DescribedLog, RunRow};
use crate::app::widget::{Segment, Segments, When};
use gloo::timers::callback::Timeout;
use leptos::task::spawn_local;
use packfair_engine::metric::Metric;
use packfair_study::Run;
use packfair_study::format::whole;
use packfair_study::query::{Answer, JobColumn, JobField, JobRow, JobsQuery, Query};
use packfair_workload::JobId;
use std::sync::Arc;

/// The second run of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum SecondRun {
    /// The baseline of the first run, if that is another run.
    Baseline,
    /// No second run.
    Nothing,
    Run(Run),
}

/// The user's choices for the table of jobs. They outlive the view.
#[derive(Clone, Copy)]
pub struct JobsChoice {
    /// The first run. If none is chosen, it is the highlighted run or, without one, the first run available that is
    /// compared with another.
    pub first: RwSignal<Option<Run>>,
    /// The second run.
    pub second: RwSignal<SecondRun>,
    /// The search text as typed.
    pub search: RwSignal<String>,
    pub sorting: RwSignal<(JobColumn, bool)>,
    /// How points in time are shown.
    pub times: RwSignal<Times>,
    pub picked: RwSignal<Option<JobRow>>,
    /// A job that an address names, until the job is found.
    pub wanted: RwSignal<Option<Picked>>,
}

impl JobsChoice {
    pub(in crate::app::results) fn new() -> Self {
        JobsChoice {
            first: RwSignal::new(None),
            second: RwSignal::new(SecondRun::Baseline),
            search: RwSignal::new(String::new()),
            sorting: RwSignal::new((JobField::Number.into(), false)),
            times: RwSignal::new(Times::Dates),
            picked: RwSignal::new(None),
            wanted: RwSignal::new(None),
        }
    }

    /// Drops the subscribers of the choices (see [`LongLived::forget_readers`]): the view is made again each time it is
    /// shown.
    pub(super) fn forget_readers(self) {
        self.first.forget_readers();
        self.second.forget_readers();
        self.search.forget_readers();
        self.sorting.forget_readers();
        self.times.forget_readers();
        self.picked.forget_readers();
        self.wanted.forget_readers();
    }

    /// The effective order in a table of `runs` runs: the order of the log if the chosen order is by a run that is not
    /// in the table.
    pub fn sorting_with(self, runs: usize) -> (JobColumn, bool) {
        let (column, descending) = self.sorting.get();
        if column.runs() > runs { (JobField::Number.into(), false) } else { (column, descending) }
    }

    /// The runs shown: at most two of those whose schedules are available.
    pub fn runs(self, app: App) -> Memo<Vec<Run>> {
        let available = available(app);
        Memo::new(move |_| {
            let is_there = |run: &Run| available.with(|runs| runs.contains(run));
            let chosen = self.first.get().filter(is_there);
            let first = chosen.or_else(|| app.highlighted.get_untracked().filter(is_there));
            let is_compared = |run: &&Run| {
                let baseline = app.study.with(|study| study.baseline_of(run));
                baseline.is_some_and(|baseline| baseline != **run && is_there(&baseline))
            };
            let usual = || available.with(|runs| runs.iter().find(is_compared).or(runs.first()).cloned());
            let Some(first) = first.or_else(usual) else { return Vec::new() };
            let second = match self.second.get() {
                SecondRun::Nothing => None,
                SecondRun::Run(run) => Some(run),
                SecondRun::Baseline => app.study.with(|study| study.baseline_of(&first)),
            };
            let second = second.filter(|run| *run != first && is_there(run));
            std::iter::once(first).chain(second).collect()
        })
    }
}

/// Which facts are known about the jobs of the runs shown.
pub fn known(app: App, runs: Memo<Vec<Run>>) -> Memo<Vec<KnownOfRun>> {
    let of = |row: &RunRow| {
        let result = row.result.as_ref();
        KnownOfRun {
            promises: result.is_some_and(|result| result.report.values.contains_key(&Metric::Late)),
            fair: result.is_some_and(|result| result.has_fair_starts()),
            kills: result.is_some_and(|result| result.report.values.contains_key(&Metric::Kills)),
            classes: row.run.scheduler.family().entry.id == "classes",
        }
    };
    Memo::new(move |_| {
        let find = |run: &Run| app.rows.with(|rows| rows.iter().find(|row| row.run == *run).map(of));
        runs.with(|runs| runs.iter().map(|run| find(run).unwrap_or_default()).collect())
    })
}

/// The runs whose schedules are available and were made with the present settings.
pub fn available(app: App) -> Memo<Vec<Run>> {
    let has_schedule = |row: &&RunRow| row.result.as_ref().is_some_and(|r| r.has_schedule);
    Memo::new(move |_| {
        app.study.with(|study| {
            app.rows.with(|rows| {
                let fresh = rows.iter().filter(has_schedule).filter(|row| !row.is_stale(study));
                fresh.map(|row| row.run.clone()).collect()
            })
        })
    })
}

// Keeps the picked job up to date with the runs and the log that are shown.

/// How many jobs with the same number are searched.
const SAME_NUMBER: usize = 100;

/// Asks about the picked job again when other runs are shown, and drops it when the log changes.
pub fn follow(app: App, choice: JobsChoice, runs: Memo<Vec<Run>>, log: Memo<Option<Arc<DescribedLog>>>) {
    Effect::watch(move || log.track(), move |(), _, _| choice.picked.set(None), false);
    Effect::watch(
        move || runs.get(),
        move |runs, _, _| {
            if let Some(picked) = choice.picked.get_untracked() {
                ask_again(app, choice, picked.job, picked.request.number, runs.clone());
            }
        },
        // immediately: the log may have changed while another tab was shown
        true,
    );
    Effect::new(move |_| {
        if let Some(wanted) = choice.wanted.get().filter(|_| log.with(Option::is_some)) {
            look_for(app, choice, wanted, runs.get());
        }
    });
}

fn look_for(app: App, choice: JobsChoice, wanted: Picked, runs: Vec<Run>) {
    // exactly the jobs with a lower index were submitted before this one
    let (search, sort, first, count) = match wanted.job {
        Some(JobId(index)) => (String::new(), JobField::Submit, index as usize, 1),
        None => (wanted.number.to_string(), JobField::Number, 0, 1),
    };
    let query = JobsQuery { search, sort: sort.into(), descending: false, first, count, runs };
    spawn_local(async move {
        let found = match app.ask(Query::Jobs(query)).await {
            Ok(Answer::Jobs { rows, .. }) => rows.into_iter().next(),
            // the table asks the same query and shows why it cannot be answered
            _ => None,
        };
        // another job may have been picked meanwhile
        if choice.wanted.get_untracked() == Some(wanted) {
            choice.picked.set(found);
            choice.wanted.set(None);
        }
    });
}

fn ask_again(app: App, choice: JobsChoice, job: JobId, number: i64, runs: Vec<Run>) {
    let query = JobsQuery {
        search: number.to_string(),
        sort: JobField::Number.into(),
        descending: false,
        first: 0,
        count: SAME_NUMBER,
        runs,
    };
    spawn_local(async move {
        // the table asks the same query and shows why it cannot be answered
        let Ok(Answer::Jobs { rows, .. }) = app.ask(Query::Jobs(query)).await else { return };
        let found = rows.into_iter().find(|row| row.job == job);
        // another job may have been picked meanwhile
        if choice.picked.with_untracked(|picked| picked.as_ref().is_some_and(|p| p.job == job)) {
            choice.picked.set(found);
        }
    });
}

// The controls above the table of jobs: the runs, the search, and the format of times.

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
