//! Moves and zooms the window: by buttons, keys or the wheel, to a date or to the busiest day.

use super::{FIRST_WINDOW, SHORTEST};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Field;
use crate::study::Run;
use crate::workload::{Clock, Summary, read_moment, write_moment};
use std::sync::Arc;
use web_sys::{KeyboardEvent, WheelEvent};

/// The fraction of its length by which a key moves the window.
const STEP: f64 = 0.25;

/// The turn of the wheel that doubles the window or moves it by its length, pixels.
const WHEEL: f64 = 400.0;

/// The shown window of time, which can be moved.
#[derive(Clone, Copy)]
pub struct MovingWindow {
    pub shown: Memo<Option<(f64, f64)>>,
    /// The window that was chosen; `None` for the initial window.
    pub chosen: RwSignal<Option<(f64, f64)>>,
}

impl MovingWindow {
    /// Moves the window by a fraction of its length: to later times or, if `share` is negative, to earlier ones.
    pub fn move_by(self, share: f64) {
        if let Some((from, to)) = self.shown.get_untracked() {
            let by = (to - from) * share;
            self.chosen.set(Some((from + by, to + by)));
        }
    }

    /// Makes the window `factor` times as long. The point at `place` (0 to 1 across the window) stays where it is.
    pub fn zoom_by(self, factor: f64, place: f64) {
        if let Some((from, to)) = self.shown.get_untracked() {
            let (length, fixed) = (to - from, from + (to - from) * place);
            let length = (length * factor).max(SHORTEST);
            self.chosen.set(Some((fixed - length * place, fixed + length * (1.0 - place))));
        }
    }

    /// Shows the day around a point in time.
    fn show_day(self, middle: f64) {
        self.chosen.set(Some((middle - FIRST_WINDOW / 2.0, middle + FIRST_WINDOW / 2.0)));
    }

    /// Does what a key stands for. Returns whether it stands for anything.
    pub fn answer_key(self, event: &KeyboardEvent) -> bool {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        match event.key().as_str() {
            "a" | "A" => self.move_by(-STEP),
            "d" | "D" => self.move_by(STEP),
            "w" | "W" => self.zoom_by(0.5, 0.5),
            "s" | "S" => self.zoom_by(2.0, 0.5),
            _ => return false,
        }
        true
    }

    /// Zooms at `place`, or moves the window if the wheel turns sideways or Shift is held.
    pub fn answer_wheel(self, event: &WheelEvent, place: f64) {
        let (sideways, down) = (event.delta_x(), event.delta_y());
        if event.shift_key() || sideways.abs() > down.abs() {
            self.move_by((if sideways == 0.0 { down } else { sideways }) / WHEEL);
        } else {
            self.zoom_by((down / WHEEL).exp2(), place);
        }
    }
}

/// The button that goes to the day on which waiting jobs request the most processors.
#[component]
pub fn BusiestDay(run: Signal<Option<Run>>, window: MovingWindow) -> impl IntoView {
    let app = expect_context::<App>();
    let busiest = Memo::new(move |_| {
        let run = run.get()?;
        app.rows.with(|rows| {
            let result = rows.iter().find(|row| row.run == run)?.result.as_ref()?;
            busiest(&result.report.curves.queue_width)
        })
    });
    view! {
        <button
            type="button"
            class="chart-tool"
            data-testid="gantt-busiest"
            hidden=move || busiest.with(Option::is_none)
            on:click=move |_| {
                if let Some(middle) = busiest.get_untracked() {
                    window.show_day(middle);
                }
            }
        >
            "Busiest day"
        </button>
    }
}

/// The middle of the day with the highest mean.
fn busiest(queue: &crate::metric::Envelope) -> Option<f64> {
    let bins = ((FIRST_WINDOW / queue.step).round() as usize).clamp(1, queue.mean.len().max(1));
    let mean = |days: &[f64]| days.iter().sum::<f64>() / days.len() as f64;
    let highest = queue.mean.windows(bins).map(mean).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(queue.begin + queue.step * (highest.0 as f64 + bins as f64 / 2.0))
}

#[component]
pub fn DateField(summary: Memo<Option<Arc<Summary>>>, window: MovingWindow) -> impl IntoView {
    let clock = Memo::new(move |_| summary.with(|summary| summary.as_ref().map(|s| s.clock.clone())));
    let middle = move || window.shown.get().map(|(from, to)| ((from + to) / 2.0).round() as i64);
    let written = move |clock: &Option<Clock>| middle().map(|time| write_moment(clock.as_ref(), time));
    view! {
        <div class="gantt-date" data-testid="gantt-date">
            <Field
                label="Around"
                help="A date, or seconds from the log's beginning; Enter goes there"
                value=Signal::derive(move || clock.with(written).unwrap_or_default())
                read=Callback::new(move |text: String| clock.with(|clock| read_moment(clock.as_ref(), &text)))
                on_change=move |time: i64| {
                    if let Some((from, to)) = window.shown.get_untracked() {
                        let half = (to - from) / 2.0;
                        window.chosen.set(Some((time as f64 - half, time as f64 + half)));
                    }
                }
            />
        </div>
    }
}
