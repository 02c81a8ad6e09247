//! The jobs of a lesson, which a person can change by fields.

use super::state::Stage;
use crate::app::prelude::*;
use crate::app::widget::When;
use packfair_study::learn::{Course, LATEST, LONGEST, PROCESSORS, STEP, TaughtJob, clock};
use packfair_workload::Seconds;
use web_sys::HtmlInputElement;

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
