//! The Explore tab: finds non-dominated settings, and judges them on a part of the log that was not used to choose
//! them. [`packfair_study::explore`] does the search, and the run queue drives it; this module has the form and the results.

mod course;
mod form;
mod front;
mod scatter;

use crate::app::controls::what_to_do;
use crate::app::dialogs::CopyButton;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use crate::run_queue::{Event, SearchNews, SearchStatus};
use course::{SearchOnPage, searched};
use form::{Common, QuestionForm};
use front::{FrontTable, OtherMachines};
use leptos::task::spawn_local;
use packfair_study::explore::{Findings, SEARCHES};
use packfair_study::export::write_study;
use packfair_study::format::{duration, whole};
use packfair_study::pace::{TOO_LONG, about};
use packfair_study::what_if::to_do;
use packfair_study::{Engine, Run};
use scatter::Scatter;
use std::sync::Arc;

/// The content of the tab.
#[component]
pub fn ExploreView() -> impl IntoView {
    let app = expect_context::<App>();
    let course = SearchOnPage::of_page(app);
    let (status, findings) = (RwSignal::from(course.status.clone()), RwSignal::from(course.findings.clone()));
    let points = RwSignal::from(course.points.clone());
    let has_points = Memo::new(move |_| points.with(|points| !points.is_empty()));
    // findings on one log must not appear under the name of another
    let is_of_now = Memo::new(move |_| points.with(|_| SearchOnPage::is_on(app)));
    let told = move || findings.with(|findings| findings.as_ref().map(|findings| findings.sentences()));
    let is_ended = move || status.with(|status| *status != SearchStatus::Running);
    let answer = move || {
        let answer = findings.with(|findings| findings.as_ref().map(|findings| findings.answer()));
        if is_ended() { answer } else { answer.map(|_| "The answer appears once all settings were tried.".to_owned()) }
    };
    let opened = RwSignal::from(course.opened.clone());
    let linked = course.clone();
    Effect::new(move |_| linked.follow_link(app));
    let awaited = RwSignal::from(course.awaited.clone());
    let awaited = move || awaited.with(|on| on.as_ref().map(|on| on.source.name()));
    let has_axes = Memo::new(move |_| {
        findings.with(|found| found.as_ref().is_some_and(|found| found.question.metrics().len() > 1))
    });
    view! {
        <section class="estimates" aria-label="Explore" data-testid="explore">
            <p class="headline">
                "Say what hurts, what must hold and what may be changed: some thousand settings are tried on the jobs submitted first, one of the best is selected by the next, and only that one is run on the last, which the search has not seen: what is not surely better there is not recommended. If \"What if\" under Machine names other machines, what is found is tried on them too."
            </p>
            <QuestionForm course=course.clone() />
            <Controls course=course.clone() />
            <TooLongSearch course=course.clone() />
            <When when=move || has_points.get() && !is_of_now.get()>
                <p class="note" data-testid="explore-other">
                    "These results are for another log, treatment or measure: start a new search."
                </p>
            </When>
            {move || {
                let about = format!("The question of the link is about {}: open that log.", awaited()?);
                Some(view! { <p class="note" data-testid="explore-awaited">{about}</p> })
            }}
            <FoundEarlier course=course.clone() />
            <When when=move || has_points.get() && is_of_now.get()>
                <p class="conclusion-text" role="status" data-testid="explore-answer">{move || answer()}</p>
                <div role="status" data-testid="explore-said">
                    {move || {
                        let sentences = is_ended().then(told).flatten().unwrap_or_default();
                        let sentences = sentences.into_iter().map(|sentence| view! { <p>{sentence}</p> });
                        view! { <div class="note">{sentences.collect_view()}</div> }
                    }}
                </div>
                <ToApply course=SearchOnPage::of_page(app) />
                // a picture by one metric would be a line
                <When when=move || has_axes.get()>
                    <Scatter course=SearchOnPage::of_page(app) />
                </When>
                <FrontTable course=SearchOnPage::of_page(app) />
                <OtherMachines course=SearchOnPage::of_page(app) />
                <When when=move || opened.with(Option::is_none)>
                    <Common course=SearchOnPage::of_page(app) />
                </When>
            </When>
        </section>
    }
}

/// How to make the recommended change, where it is one of the files of a Slurm site.
#[component]
fn ToApply(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let (findings, status) = (RwSignal::from(course.findings), course.status);
    let policy = Memo::new(move |_| {
        let is_ended = status.with(|status| *status != SearchStatus::Running);
        let recommended = |found: &Arc<Findings>| Some(found.recommended()?.run.scheduler.clone());
        let policy = findings.with(|found| found.as_ref().filter(|_| is_ended).and_then(recommended))?;
        policy.as_configured().is_some().then_some(policy)
    });
    move || {
        let policy = policy.get()?;
        let (patch, asks) = to_do(&policy, &app.site_beside()?);
        Some(view! {
            <details class="fold" data-testid="explore-to-apply">
                <summary>
                    <span class="fold-title">"What to change at the site"</span>
                </summary>
                <div class="fold-body">{what_to_do(patch, &asks)}</div>
            </details>
        })
    }
}

/// The origin of the findings, if they come from a link or from before a reload.
#[component]
fn FoundEarlier(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let opened = course.opened;
    move || {
        let shared = opened.get()?;
        let is_open = searched(app).measures_as(&shared.on);
        let here = if is_open {
            "That is the log that is open here."
        } else {
            "Another log is open here, or it is cleaned or counted differently: rows that you add are of that one."
        };
        let other = (shared.engine != Engine::THIS)
            .then_some(" Another version of Packfair computed it: here numbers may come out otherwise.");
        let [chosen, select, confirm] = shared.findings.jobs.map(|jobs| whole(jobs as i64));
        let of = format!(
            "Found earlier on {}: chosen on {chosen} jobs, selected by {select}, confirmed on {confirm}. ",
            shared.on.source.name()
        );
        Some(view! { <p class="note" data-testid="explore-opened">{of} {here} {other}</p> })
    }
}

/// The advice for a search that takes too long in a browser tab: by how fast it goes: a command that answers the
/// question elsewhere.
#[component]
fn TooLongSearch(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let (draft, left, status) = (course.draft, course.left, course.status);
    let seconds = Memo::new(move |_| {
        let is_running = status.with(|status| *status == SearchStatus::Running);
        left.get().filter(|seconds| is_running && *seconds > TOO_LONG)
    });
    let command = Signal::derive(move || draft.with(|question| question.command(&searched(app))));
    view! {
        <When when=move || seconds.with(Option::is_some)>
            <div class="note sureness" data-testid="explore-too-long">
                <p>
                    "This search takes " {move || seconds.get().map(about)}
                    " more in this tab. The command line is faster."
                </p>
                <code>{command}</code>
                <CopyButton text=command label="Copy the command" />
                <StudyOfCommand />
            </div>
        </When>
    }
}

/// A button that saves the study which the command reads, where it does.
#[component]
fn StudyOfCommand() -> impl IntoView {
    let app = expect_context::<App>();
    let is_needed = Memo::new(move |_| searched(app).needs_study());
    let save = move |_| {
        let mut study = app.study.get_untracked();
        app.with_queue(|queue| queue.searched()).set(&mut study);
        if let Err(message) = files::save("study.json", "application/json", write_study(&study).as_bytes()) {
            app.complain(message);
        }
    };
    view! {
        <When when=move || is_needed.get()>
            <button
                class="button button-quiet"
                type="button"
                data-testid="explore-save-study"
                data-hint="The command reads study.json for what has no option of its own: loads, rules, machines and workloads that are made here"
                on:click=save
            >
                "Save its study.json"
            </button>
        </When>
    }
}

/// How far the searches on drawn workloads have come.
#[component]
fn SearchedAgain(course: SearchOnPage) -> impl IntoView {
    let (status, left) = (course.status, course.left);
    let ended = move || match status.get() {
        SearchStatus::Again(ended) => Some(ended),
        _ => None,
    };
    move || {
        let ended = ended()?;
        let left = left.get().filter(|left| *left >= 1.0);
        let left = left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
        let told = format!("Does the same come out on drawn workloads? {ended} of {SEARCHES} searches{left}");
        Some(view! {
            <div class="row">
                <progress max=SEARCHES.to_string() value=ended.to_string() aria-label="Searches on drawn workloads"></progress>
                <span class="quiet" data-testid="explore-again" data-value=ended.to_string()>
                    {told}
                </span>
            </div>
        })
    }
}

/// The buttons that start, stop and continue the search, and its progress.
#[component]
fn Controls(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let status = course.status.clone();
    let status = Memo::new(move |_| status.get());
    let is_running = move || status.get() == SearchStatus::Running;
    let is_under_way = move || matches!(status.get(), SearchStatus::Running | SearchStatus::Again(_));
    let points = course.points.clone();
    let tried = Memo::new(move |_| points.with(Vec::len));
    let asked = course.asked.clone();
    let opened = course.opened.clone();
    let is_opened = Memo::new(move |_| opened.with(Option::is_some));
    let runs = Memo::new(move |_| asked.with(|asked| asked.as_ref().map_or(0, |asked| asked.runs)));
    let draft = course.draft.clone();
    let command = Signal::derive(move || draft.with(|question| question.command(&searched(app))));
    let copied = course.clone();
    let start = Callback::new(move |()| SearchOnPage::of_page(app).start(app));
    let cancel = Callback::new(move |()| app.search(Event::SearchStopped));
    let go_on = Callback::new(move |()| app.search(Event::SearchResumed));
    let left = RwSignal::from(copied.left.clone());
    let progress = move || {
        let tried = format!("{} of {} settings tried", whole(tried.get() as i64), whole(runs.get() as i64));
        let left = left.get().filter(|left| is_running() && *left >= 1.0);
        left.map_or(tried.clone(), |left| format!("{tried}, {} left", duration(left)))
    };
    let copy = move |_| {
        let (address, has_front) = match copied.address(app) {
            Ok(address) => address,
            Err(message) => return app.complain(message),
        };
        spawn_local(async move {
            match files::copy(&address).await {
                Ok(()) if has_front => {
                    app.notify("A link to what was found is in the clipboard: the question, and the settings with their values.", None);
                }
                Ok(()) => app.notify(
                    "A link to the question is in the clipboard, with how the log is treated and measured. For the same answer it takes the same log, and the site's files if there are any.",
                    None,
                ),
                Err(message) => app.complain(message),
            }
        });
    };
    view! {
        <div class="row" data-testid="explore-controls">
            <When when=move || !is_running()>{press("Start", "explore-start", "button button-accent", start)}</When>
            <When when=is_under_way>{press("Cancel", "explore-cancel", "button", cancel)}</When>
            <When when=move || status.get() == SearchStatus::Stopped>
                {press("Go on", "explore-go-on", "button", go_on)}
            </When>
            <button class="button button-quiet" type="button" on:click=copy>"Copy link"</button>
            <CopyButton text=command label="Copy the command" />
            <StudyOfCommand />
            <When when=move || runs.get() != 0 && !is_opened.get()>
                <progress max=move || runs.get().to_string() value=move || tried.get().to_string() aria-label="Settings tried"></progress>
                <span class="quiet" data-testid="explore-progress" data-value=move || tried.get().to_string()>{progress}</span>
            </When>
        </div>
        <SearchedAgain course=course.clone() />
        <When when=move || matches!(status.get(), SearchStatus::Failed(_))>
            <p class="field-error" role="alert" data-testid="explore-fault">
                {move || match status.get() {
                    SearchStatus::Failed(message) => message,
                    _ => String::new(),
                }}
            </p>
        </When>
    }
}

fn press(label: &'static str, id: &'static str, class: &'static str, on_press: Callback<()>) -> AnyView {
    view! {
        <button class=class type="button" data-testid=id on:click=move |_| on_press.run(())>
            {label}
        </button>
    }
}

/// Takes in the question or the findings of a link that this tab has been given.
pub fn open_link(app: App) {
    SearchOnPage::of_page(app);
}

/// The findings that a link to the study carries, as text; `None` if they are not about the study's log.
pub fn text_for_link(app: App) -> Option<String> {
    SearchOnPage::text_for(app)
}

pub fn hear(app: App, news: SearchNews) {
    SearchOnPage::of_page(app).hear(app, news);
}

/// Adds a run to the comparison as a row, and starts it. The user can undo this.
fn make_row(app: App, run: Run) {
    let before = app.study.get_untracked();
    let wanted = run.clone();
    app.edit(move |study| {
        let had = study.runs();
        if !study.schedulers.contains(&wanted.scheduler) {
            study.schedulers.push(wanted.scheduler.clone());
        }
        if !study.methods.contains(&wanted.estimate.method) {
            study.methods.push(wanted.estimate.method.clone());
        }
        if !study.distortions.contains(&wanted.estimate.k) {
            study.distortions.push(wanted.estimate.k);
        }
        study.removed.retain(|removed| removed.clone().on_partition(None) != wanted);
        // a study is the product of its schedulers, methods and factors; the other new rows were not asked for
        let is_wanted = |other: &Run| other.clone().on_partition(None) == wanted;
        let others = study.runs().into_iter().filter(|other| !is_wanted(other) && !had.contains(other));
        let others: Vec<Run> = others.collect();
        study.removed.extend(others);
    });
    if app.study.with_untracked(|study| study.partitions.is_empty()) {
        app.run_one(run.clone());
    } else {
        app.run_all();
    }
    app.notify(
        format!("{} is a row of the comparison now, on the whole log.", run.scheduler.name()),
        Some(Arc::new(move || {
            let before = before.clone();
            app.edit(move |study| *study = before);
        })),
    );
}
