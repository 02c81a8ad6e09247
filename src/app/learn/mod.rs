//! The Learn tab: lessons of a minute, each a few jobs that the engine runs at once ([`packfair_study::learn`]), drawn as
//! charts that play.

mod controls;
mod gantt;
mod state;

pub use controls::opening;

use self::controls::{Controls, Glossary, Jobs};
use self::gantt::{Axis, Gantt, hatch, time_axis};
use self::state::Stage;
use crate::address::PagePlace;
use crate::app::prelude::*;
use crate::app::state::{App, Tab};
use crate::app::{files, while_shown};
use leptos::task::spawn_local;
use packfair_engine::estimator::{Estimate, Method};
use packfair_schedulers::Policy;
use packfair_study::learn::{Course, LESSONS, Lesson, OPENING, Waiter, clock, held, length, lesson};
use packfair_study::{Baseline, Run};
use packfair_workload::Seconds;

/// The content of the tab.
#[component]
pub fn LearnView() -> impl IntoView {
    let app = expect_context::<App>();
    view! {
        <section class="learn" aria-label="Learn" data-testid="learn-view">
            {contents(app)}
        </section>
    }
}

// all of the tab: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents(app: App) -> AnyView {
    // the styles come with the tab, and what they are for is shown with them
    let is_styled = RwSignal::new(false);
    let chosen = while_shown(move || app.lesson.get().map_or(OPENING.id, |id| lesson(&id).id));
    view! {
        <link
            rel="stylesheet"
            href="./late-learn.css"
            on:load=move |_| is_styled.set(true)
            on:error=move |_| is_styled.set(true)
        />
        {hatch()}
        <div class="learn-page" hidden=move || !is_styled.get()>
            <nav class="learn-lessons" aria-label="Lessons">
                {std::iter::once(&OPENING).chain(LESSONS).enumerate().map(|(number, of)| lesson_link(number, of, chosen)).collect_view()}
            </nav>
            {move || lesson_view(app, lesson(chosen.get()))}
            <Glossary/>
        </div>
    }
}

/// The address of a lesson within the page.
fn address_of(lesson: &Lesson) -> String {
    let id = (lesson.id != OPENING.id).then(|| lesson.id.to_owned());
    format!("#{}", PagePlace { view: Some(Tab::Learn), lesson: id, ..PagePlace::default() }.fragment())
}

fn lesson_link(number: usize, of: &'static Lesson, chosen: Memo<&'static str>) -> AnyView {
    let is_chosen = move || (chosen.get() == of.id).then_some("page");
    let number = (number > 0).then(|| view! { <span class="learn-count">{number.to_string()}</span> });
    view! {
        <a
            class="learn-lesson"
            href=address_of(of)
            aria-current=move || is_chosen()
            data-testid=format!("lesson-{}", of.id)
        >
            {number}
            <span>{of.name}</span>
        </a>
    }
}

/// A lesson with a stage of its own.
fn lesson_view(app: App, lesson: &'static Lesson) -> AnyView {
    let stage = Stage::of(lesson);
    let axis = Memo::new(move |_| Axis { end: stage.end() });
    let charts = (0..lesson.runs.len()).map(|place| view! { <Scheduler stage place axis/> }).collect_view();
    view! {
        <article class="learn-article" aria-label=lesson.title>
            <header class="learn-intro">
                <h3 class="learn-title" data-testid="learn-title">{lesson.title}</h3>
                <p class="learn-text">{lesson.text}</p>
            </header>
            <div class="learn-stage">
                <Controls stage/>
                <div class="learn-charts">
                    {move || time_axis(axis.get())}
                    {charts}
                </div>
                {legend(lesson)}
                <p class="visually-hidden" role="status" aria-live="polite" data-testid="learn-said">
                    {move || stage.said(0..lesson.runs.len())}
                </p>
            </div>
            <Jobs stage/>
            <div class="learn-tasks">
                <section class="learn-task" aria-label="A question">
                    <h4>"Try it"</h4>
                    <p>{lesson.question}</p>
                    <details>
                        <summary>"The result"</summary>
                        <p>{lesson.answer}</p>
                    </details>
                </section>
                <section class="learn-task" aria-label="On a real log">
                    <h4>"On a real log"</h4>
                    <p>{lesson.on_a_log.look}</p>
                    <div class="row">
                        <button
                            class="button button-accent"
                            type="button"
                            data-testid="learn-compare"
                            on:click=move |_| compare(app, lesson)
                        >
                            "Compare them"
                        </button>
                        <button class="button button-quiet" type="button" data-testid="learn-link" on:click=move |_| copy_link(app, lesson)>
                            "Copy link to this lesson"
                        </button>
                    </div>
                </section>
            </div>
        </article>
    }
}

/// A scheduler on the stage: its name and what it comes to, its chart, its queue, and what happens.
#[component]
fn Scheduler(stage: Stage, place: usize, axis: Memo<Axis>) -> impl IntoView {
    let course =
        move |read: fn(&Course) -> String| stage.courses.with(|all| all.get(place).map(read).unwrap_or_default());
    let order = move || {
        let now = stage.now.get();
        stage.courses.with(|all| {
            let course = all.get(place)?;
            let changes = course.moments.windows(2).any(|pair| pair[0].order != pair[1].order);
            let moment = course.moment_at(now).filter(|_| changes)?;
            Some(view! { <span class="learn-order">{moment.order.name()} ": " {moment.order.first()}</span> })
        })
    };
    let shadow = move || {
        let (now, axis) = (stage.now.get(), axis.get());
        stage.courses.with(|all| {
            let course = all.get(place)?;
            let at = course.shadow_time(course.moment_at(now)?)?;
            let share = at as f64 / axis.end.max(1) as f64;
            Some(view! {
                <span class="learn-shadow-label" class:left={share > 0.75} style:--at=axis.place(at as f64)>
                    "shadow time " {clock(at)}
                </span>
            })
        })
    };
    view! {
        <section class="learn-scheduler" aria-label=move || course(|course| course.name.clone())>
            <div class="learn-name">
                <h4>{move || course(|course| course.name.clone())}</h4>
                {move || order()}
                <span class="learn-sums">
                    "Mean wait " <strong class="numeric" data-testid="learn-mean">{move || course(|course| length((course.mean_wait() / 60.0).round() as Seconds * 60))}</strong>
                    ", longest "
                    <strong class="numeric">{move || course(longest)}</strong>
                </span>
            </div>
            <div class="learn-chart">
                {move || shadow()}
                <Gantt stage place axis/>
            </div>
            {move || queue(stage, place, axis.get())}
            {move || sentences(stage, place)}
        </section>
    }
}

/// What happens at the play head under a scheduler.
fn sentences(stage: Stage, place: usize) -> Option<AnyView> {
    let now = stage.now.get();
    stage.courses.with(|all| {
        let moment = all.get(place)?.moment_at(now)?;
        let is_new = moment.at == now;
        let lines = moment.told.iter().map(|line| view! { <span class="learn-line">{line.clone()}" "</span> });
        let is_backfill = moment.started.iter().any(|start| start.why.is_backfilled());
        let told = view! {
            <p class="learn-told" class:past={!is_new} class:backfill=is_backfill data-testid="learn-told">
                <strong class="numeric">{clock(moment.at)}</strong>
                " "
                {lines.collect_view()}
            </p>
        };
        Some(told.into_any())
    })
}

fn longest(course: &Course) -> String {
    match course.longest_wait() {
        Some(job) if course.wait(job) > 0 => format!("{} (job {})", length(course.wait(job)), job + 1),
        _ => "none".to_owned(),
    }
}

/// The jobs that wait at the play head, each as long and as wide as it will be.
fn queue(stage: Stage, place: usize, axis: Axis) -> AnyView {
    let now = stage.now.get();
    let picked = stage.picked.get();
    let courses = stage.courses.get();
    let Some((course, moment)) = courses.get(place).and_then(|course| Some((course, course.moment_at(now)?))) else {
        return ().into_any();
    };
    let waiter = |waiter: &Waiter| {
        let own = course.jobs[waiter.job];
        let job = waiter.job;
        let width = axis.place(own.limit as f64);
        let hint = format!("Job {}: {}.", job + 1, held(course, waiter, moment));
        view! {
            <li style:--length=width style:--width=own.processors.to_string()>
                <button
                    class="learn-waiter"
                    class:picked={picked == Some(job)}
                    type="button"
                    data-hint=hint.clone()
                    aria-label=hint
                    on:click=move |_| stage.picked.set(Some(job))
                >
                    {(job + 1).to_string()}
                </button>
            </li>
        }
    };
    let waiting = moment.waiting.iter().map(waiter).collect_view();
    let nobody = moment.waiting.is_empty().then(|| view! { <li class="learn-nobody">"nobody"</li> });
    view! {
        <div class="learn-queue">
            <span class="learn-queue-name">"Waiting"</span>
            <ol class="learn-waiting" data-testid="learn-waiting">{waiting} {nobody}</ol>
        </div>
    }
}

/// What the marks of the charts mean, as far as the lesson has them.
fn legend(lesson: &Lesson) -> AnyView {
    let courses = lesson.courses(lesson.jobs);
    let has = |is_so: &dyn Fn(&Course) -> bool| courses.iter().any(is_so);
    let reserves = has(&|course: &Course| course.moments.iter().any(|moment| !moment.reserved.is_empty()));
    let backfills = has(&|course: &Course| course.backfilled.contains(&true));
    let overstates = lesson.jobs.iter().any(|job| job.limit > job.run);
    let entry = |class: &'static str, text: &'static str| view! { <li><span class=format!("learn-key {class}")></span> {text}</li> };
    view! {
        <ul class="learn-legend">
            {entry("job", "runs")}
            {backfills.then(|| entry("backfilled", "was backfilled"))}
            {entry("limit", if overstates { "what it asked for beyond its run" } else { "until its limit" })}
            {reserves.then(|| entry("reserved", "reservation"))}
            {entry("hole", "idle while somebody waits")}
        </ul>
    }
}

/// Compares the lesson's schedulers on the open log.
fn compare(app: App, lesson: &'static Lesson) {
    let mut study = app.study.get_untracked();
    let schedulers: Vec<Policy> = lesson.on_a_log.schedulers.iter().filter_map(|id| id.parse().ok()).collect();
    let methods: Vec<Method> = lesson.on_a_log.methods.iter().filter_map(|id| id.parse().ok()).collect();
    let (Some(first), Some(method)) = (schedulers.first(), methods.first()) else { return };
    study.baseline = Baseline::Run(Run::new(first.clone(), Estimate { method: method.clone(), k: 1.0 }));
    (study.schedulers, study.methods, study.removed) = (schedulers, methods, Vec::new());
    app.replace_study(study, format!("Compare shows what the lesson \u{201c}{}\u{201d} asks for.", lesson.title));
    app.show_tab(Tab::Compare);
}

/// Copies a link that opens the lesson, whatever log is open.
fn copy_link(app: App, lesson: &'static Lesson) {
    let location = window().location();
    let page = format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
    let address = format!("{page}{}", address_of(lesson));
    spawn_local(async move {
        match files::copy(&address).await {
            Ok(()) => app.notify("A link to this lesson is in the clipboard.", None),
            Err(message) => app.complain(message),
        }
    });
}
