//! Plays, pauses and steps.

use super::state::Stage;
use crate::app::prelude::*;
use crate::app::widget::closest;
use leptos::ev;
use packfair_study::learn::clock;

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
