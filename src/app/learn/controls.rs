//! Plays, pauses and steps.

use super::gantt::{Axis, Gantt, hatch, picture, time_axis};
use super::state::{Stage, is_motion_reduced};
use super::{address_of, sentences};
use crate::app::prelude::*;
use crate::app::widget::{When, closest};
use leptos::ev;
use packfair_study::learn::{
    Course, GLOSSARY, LATEST, LONGEST, OPENING, PROCESSORS, STEP, TaughtJob, Term, clock, length, lesson,
};
use packfair_workload::Seconds;
use std::ops::Range;
use web_sys::HtmlInputElement;

/// The buttons and the slider that move the play head. Keys do the same anywhere but in fields.
#[component]
pub fn Controls(stage: Stage) -> impl IntoView {
    follow_keys(move |key, is_on_button| match key {
        // a button with the focus answers the key itself
        " " if !is_on_button => {
            stage.toggle();
            true
        }
        _ => step_by(stage, key),
    });
    let button = |glyph: &'static str, label: &'static str, id: &'static str, act: Callback<()>| {
        view! {
            <button class="learn-button" type="button" aria-label=label title=label data-testid=id on:click=move |_| act.run(())>
                <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=glyph/></svg>
            </button>
        }
    };
    let play = move || {
        let (glyph, label) = match stage.is_playing.get() {
            true => ("M4 3h3v10H4zM9 3h3v10H9z", "Pause"),
            false => ("M4 2.5v11l9-5.5z", "Play"),
        };
        view! {
            <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=glyph/></svg>
            <span>{label}</span>
        }
    };
    let most = move || stage.instants.with(|all| all.len().saturating_sub(1).to_string());
    let time = move || clock(stage.at.get() as packfair_workload::Seconds);
    view! {
        <div class="learn-controls" role="group" aria-label="Time">
            {button("M3 3h2v10H3zM13 3v10L6 8z", "To the beginning", "learn-first", Callback::new(move |()| stage.to_beginning()))}
            {button("M11 3v10L4 8z", "Step back", "learn-back", Callback::new(move |()| _ = stage.step(false)))}
            <button class="button button-accent learn-play" type="button" data-testid="learn-play" on:click=move |_| stage.toggle()>
                {move || play()}
            </button>
            {button("M5 3l7 5-7 5z", "Step", "learn-step", Callback::new(move |()| _ = stage.step(true)))}
            {button("M11 3h2v10h-2zM3 3l7 5-7 5z", "To the end", "learn-last", Callback::new(move |()| stage.to_end()))}
            <output class="learn-clock numeric" data-testid="learn-clock">{time}</output>
            <input
                class="learn-slider"
                type="range"
                min="0"
                step="1"
                max=most
                aria-label="Time"
                aria-valuetext=move || clock(stage.now.get())
                prop:value=move || stage.place().to_string()
                on:input=move |event| {
                    stage.stop();
                    stage.go_to(event_target_value(&event).parse().unwrap_or(0));
                }
            />
            <span class="learn-keys"><kbd>"←"</kbd> " " <kbd>"→"</kbd> " step"</span>
        </div>
    }
}

/// Steps by an arrow key. Returns whether the key is one.
pub fn step_by(stage: Stage, key: &str) -> bool {
    match key {
        "ArrowRight" => _ = stage.step(true),
        "ArrowLeft" => _ = stage.step(false),
        _ => return false,
    }
    true
}

/// Lets `answer` have the keys that are pressed anywhere but where they mean something else, as long as the view is there.
/// It is told the key and whether a button has the focus, and returns whether it has answered the key.
pub fn follow_keys(answer: impl Fn(&str, bool) -> bool + 'static) {
    let by_key = window_event_listener(ev::keydown, move |event| {
        let is_taken = event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key();
        if is_taken || closest(event.target(), "input, select, textarea, [role=tab], dialog").is_some() {
            return;
        }
        if answer(&event.key(), closest(event.target(), "button, a, summary").is_some()) {
            event.prevent_default();
        }
    });
    on_cleanup(move || by_key.remove());
}

// The chart that plays on the first screen.

/// The schedulers of the opening that it shows, by their places: FCFS, and EASY, whose course is told.
const SHOWN: Range<usize> = 0..2;

/// The same few jobs under two schedulers. They play by themselves, but not where no motion is wanted.
// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
pub fn opening() -> AnyView {
    let is_styled = RwSignal::new(false);
    // the view may be gone
    let styled = move || _ = is_styled.try_set(true);
    let stage = Stage::of(&OPENING);
    let axis = Memo::new(move |_| Axis { end: stage.end() });
    if !is_motion_reduced() {
        stage.go_to(0);
        stage.play();
    }
    let scheduler = move |place: usize| {
        let of = move || stage.courses.with(|all| all.get(place).cloned());
        let name = move || of().map(|course| course.name);
        let wait = move || of().map(|course| length((course.mean_wait() / 60.0).round() as Seconds * 60));
        view! {
            <div class="learn-scheduler">
                <div class="learn-name">
                    <strong>{move || name()}</strong>
                    <span class="learn-sums">"mean wait " <strong class="numeric">{move || wait()}</strong></span>
                </div>
                <div class="learn-chart"><Gantt stage place axis/></div>
            </div>
        }
    };
    let play = move || if stage.is_playing.get() { "Pause" } else { "Play" };
    let step = move |_| {
        if !stage.step(true) {
            stage.to_beginning();
        }
    };
    follow_keys(move |key, _| step_by(stage, key));
    // who has not asked for it to play is not interrupted by it
    let said = move || if stage.is_playing.get() { String::new() } else { stage.said(SHOWN) };
    view! {
        <link
            rel="stylesheet"
            href="./late-learn.css"
            on:load=move |_| styled()
            on:error=move |_| styled()
        />
        {hatch()}
        <div class="learn-page first-stage" hidden=move || !is_styled.get()>
            <div class="learn-charts">
                {move || time_axis(axis.get())}
                {SHOWN.map(scheduler).collect_view()}
            </div>
            <div class="first-told">
                {move || sentences(stage, SHOWN.end - 1)}
                <div class="first-steps" role="group" aria-label="Time">
                    <button class="button" type="button" data-testid="first-play" on:click=move |_| stage.toggle()>
                        {move || play()}
                    </button>
                    <button
                        class="button"
                        type="button"
                        title="The next event; arrow keys step too"
                        data-testid="first-step"
                        on:click=step
                    >
                        "Step"
                    </button>
                </div>
            </div>
            <p class="visually-hidden" role="status" aria-live="polite" data-testid="first-said">{move || said()}</p>
        </div>
    }
    .into_any()
}

// The words, each with a small picture.

#[component]
pub fn Glossary() -> impl IntoView {
    let card = |term: &'static Term| {
        let of = lesson(term.lesson);
        view! {
            <div class="learn-term" id=format!("learn-{}", term.id) data-testid=format!("term-{}", term.id)>
                <dt>{term.word}</dt>
                <dd class="learn-term-picture">{picture(term)}</dd>
                <dd>{term.text}</dd>
                <dd><a href=address_of(of)>{format!("Lesson: {}", of.name)}</a></dd>
            </div>
        }
    };
    view! {
        <section class="learn-words" aria-labelledby="learn-words">
            <h3 class="learn-subtitle" id="learn-words">"Terms"</h3>
            <dl class="learn-terms">{GLOSSARY.iter().map(card).collect_view()}</dl>
        </section>
    }
}

// The jobs of a lesson, which a person can change by fields.

/// The jobs in a row, and the numbers of the picked one.
#[component]
pub fn Jobs(stage: Stage) -> impl IntoView {
    let chip = move |job: usize| {
        let is_picked = move || stage.picked.get() == Some(job);
        view! {
            <button
                class="learn-chip numeric"
                type="button"
                aria-label=format!("Job {}", job + 1)
                aria-pressed=move || is_picked().to_string()
                data-testid=format!("learn-job-{}", job + 1)
                on:click=move |_| stage.picked.update(|picked| *picked = if *picked == Some(job) { None } else { Some(job) })
            >
                {(job + 1).to_string()}
            </button>
        }
    };
    let fields = move || stage.picked.get().map(|job| fields(stage, job));
    view! {
        <section class="learn-jobs" aria-label="Jobs">
            <div class="learn-jobs-head">
                <h4>"Change a job"</h4>
                <div class="learn-chips" role="group" aria-label="Jobs">{(0..stage.lesson.jobs.len()).map(chip).collect_view()}</div>
                <When when=move || stage.is_changed()>
                    <button class="button" type="button" data-testid="learn-reset" on:click=move |_| stage.reset()>"Reset"</button>
                </When>
            </div>
            <When
                when=move || stage.picked.with(Option::is_some)
                fallback=|| view! { <p class="quiet">"Pick one here or in a chart. There its edges can be dragged, too."</p> }
            >
                {move || fields()}
            </When>
        </section>
    }
}

fn fields(stage: Stage, job: usize) -> AnyView {
    let own = move |read: fn(TaughtJob) -> Seconds| stage.jobs.with(|jobs| jobs.get(job).map_or(0, |job| read(*job)));
    let number = |label: &'static str,
                  unit: &'static str,
                  id: &'static str,
                  (least, most, step): (Seconds, Seconds, Seconds),
                  read: fn(TaughtJob) -> Seconds,
                  change: fn(TaughtJob, Seconds) -> TaughtJob| {
        view! {
            <label class="learn-field">
                <span>{label}</span>
                <input
                    type="number"
                    inputmode="numeric"
                    data-testid=id
                    min=least.to_string()
                    max=most.to_string()
                    step=step.to_string()
                    prop:value=move || own(read).to_string()
                    on:change=move |event| {
                        if let Ok(value) = event_target_value(&event).trim().parse::<Seconds>() {
                            stage.change(job, |job| change(job, value));
                        }
                        // what is not taken does not stay in the field
                        event_target::<HtmlInputElement>(&event).set_value(&untrack(|| own(read)).to_string());
                    }
                />
                <span class="quiet">{unit}</span>
            </label>
        }
    };
    let minutes = (STEP / 60, LONGEST / 60, STEP / 60);
    let arrival = move || {
        let text = clock(own(|job| job.submit));
        format!("{text:0>5}")
    };
    let arrives = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        let time = text.split_once(':').and_then(|(hours, minutes)| {
            Some((hours.parse::<Seconds>().ok()? - 8) * 3_600 + minutes.get(..2)?.parse::<Seconds>().ok()? * 60)
        });
        if let Some(time) = time {
            stage.change(job, |job| job.with_submit(time));
        }
        event_target::<HtmlInputElement>(&event).set_value(&untrack(arrival));
    };
    let latest = clock(LATEST);
    let why = move || {
        let courses = stage.courses.get();
        let line = |course: &Course| {
            view! { <li><strong>{course.name.clone()}</strong> ": " {course.waited.get(job).cloned()}</li> }
        };
        courses.iter().map(line).collect_view()
    };
    view! {
        <div class="learn-edit" data-testid="learn-edit">
            <h5>{format!("Job {}", job + 1)}</h5>
            <label class="learn-field">
                <span>"Arrives"</span>
                <input type="time" min="08:00" max=latest step=STEP.to_string() data-testid="learn-arrives" prop:value=arrival on:change=arrives/>
            </label>
            {number("Processors", "of 8", "learn-processors", (1, Seconds::from(PROCESSORS), 1), |job| Seconds::from(job.processors), |job, value| job.with_processors(value))}
            {number("Runs for", "min", "learn-run", minutes, |job| job.run / 60, |job, value| job.with_run(value * 60))}
            {number("Limit", "min", "learn-limit", minutes, |job| job.limit / 60, |job, value| job.with_limit(value * 60))}
        </div>
        <ul class="learn-why" aria-label="Why did it wait?" data-testid="learn-why">{move || why()}</ul>
    }
}
