//! What the scheduler expected at an instant: the switch that shows it, and the slider that moves the instant.

use crate::app::prelude::*;
use crate::chart::AxisClock;
use crate::workload::{Seconds, Summary};
use std::sync::Arc;

/// Switches between what was expected at an instant and everything that ran.
#[component]
pub fn InstantSwitch(
    shown: Memo<Option<(f64, f64)>>,
    /// The chosen instant; `None` shows what ran.
    chosen: RwSignal<Option<Seconds>>,
) -> impl IntoView {
    let toggle = move |_| {
        let middle = shown.get_untracked().map(|(from, until)| ((from + until) / 2.0) as Seconds);
        chosen.update(|chosen| *chosen = if chosen.is_some() { None } else { middle });
    };
    view! {
        <button
            type="button"
            class="chart-tool"
            data-testid="gantt-reservations"
            aria-pressed=move || chosen.with(Option::is_some).to_string()
            on:click=toggle
        >
            "Reservations at an instant"
        </button>
    }
}

/// Moves the instant within the window.
#[component]
pub fn InstantSlider(
    shown: Memo<Option<(f64, f64)>>,
    instant: Memo<Option<Seconds>>,
    /// The instant as it was chosen.
    chosen: RwSignal<Option<Seconds>>,
    computing: RwSignal<bool>,
    summary: Memo<Option<Arc<Summary>>>,
) -> impl IntoView {
    let end = move |pick: fn((f64, f64)) -> f64| move || shown.get().map(|window| pick(window).to_string());
    let said = move || {
        let clock = summary.with(|summary| summary.as_ref().map_or(AxisClock::ELAPSED, |s| AxisClock::of(&s.clock)));
        instant.get().map(|at| clock.say(at as f64)).unwrap_or_default()
    };
    view! {
        <label class="gantt-instant" hidden=move || instant.with(Option::is_none)>
            <input
                type="range"
                data-testid="gantt-instant"
                aria-label="Instant"
                aria-valuetext=said
                step="1"
                min=end(|window| window.0.ceil())
                max=end(|window| window.1.floor())
                prop:value=move || instant.get().map(|at| at.to_string())
                on:input=move |event| chosen.set(event_target_value(&event).parse().ok())
            />
            <span class="numeric">{said}</span>
            <span class="quiet" role="status">{move || computing.get().then_some("Computing …")}</span>
        </label>
    }
}
