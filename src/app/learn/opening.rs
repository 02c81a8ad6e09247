//! The chart that plays on the first screen.

use super::controls::{follow_keys, step_by};
use super::gantt::{Axis, Gantt, hatch, time_axis};
use super::sentences;
use super::state::{Stage, is_motion_reduced};
use crate::app::prelude::*;
use packfair_study::learn::{OPENING, length};
use packfair_workload::Seconds;
use std::ops::Range;

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
