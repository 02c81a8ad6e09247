//! Moves and zooms the window: by buttons, keys or the wheel, to a date or to the busiest day.

use super::{FIRST_WINDOW, SHORTEST};
use crate::app::charts::state::chart_theme;
use crate::app::notices::{MISUNDERSTOOD, sentence};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Field;
use leptos::task::spawn_local;
use packfair_chart::kinds::{Colouring, gantt_key};
use packfair_chart::{AxisClock, AxisUnit};
use packfair_study::Run;
use packfair_study::format::whole;
use packfair_study::query::{Answer, BoxPart, BoxesAsked, GanttBox, Query};
use packfair_workload::{Clock, Seconds, Summary, Unit, read_moment, write_moment};
use std::sync::Arc;
use std::time::Duration;
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
fn busiest(queue: &packfair_engine::metric::Envelope) -> Option<f64> {
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

// What the scheduler expected at an instant: the switch that shows it, and the slider that moves the instant.

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

// Asks the workers for the boxes of the window, which arrive some time later.

/// The largest number of boxes that are drawn: more could not be told apart and would be too slow in a browser.
const MOST_BOXES: usize = 4_000;

/// How long a window must stay unchanged before its boxes are requested.
const REST: Duration = Duration::from_millis(120);

/// The state of the boxes of a window.
#[derive(Clone, PartialEq)]
pub enum Boxes {
    Asked,
    There(Arc<Vec<GanttBox>>),
    /// There are too many boxes to be told apart; the number of them.
    TooMany(usize),
    /// There are no boxes; the reason, for the user.
    Failed(String),
}

/// Asks for the boxes whenever the run, the window or the instant changes. Also returns whether reservations are being
/// computed, which simulates the run again.
pub fn ask(
    app: App,
    run: Signal<Option<Run>>,
    shown: Memo<Option<(f64, f64)>>,
    instant: Memo<Option<Seconds>>,
) -> (RwSignal<Boxes>, RwSignal<bool>) {
    let (boxes, computing) = (RwSignal::new(Boxes::Asked), RwSignal::new(false));
    let latest = StoredValue::new(0_u32);
    let only = Memo::new(move |_| app.study.with(|study| study.measure.only));
    let rules = Memo::new(move |_| app.rules_of(&run.get()?));
    Effect::new(move |_| {
        let (Some(run), Some((from, until))) = (run.get(), shown.get()) else { return };
        latest.update_value(|n| *n += 1);
        let number = latest.get_value();
        let (from, until) = (from.floor() as Seconds, until.ceil() as Seconds);
        let asked = BoxesAsked { most: MOST_BOXES, only: only.get() };
        // the chart stays unchanged meanwhile
        computing.set(instant.get().is_some());
        let query = match instant.get().zip(rules.get()) {
            None => Query::Gantt { run, from, until, boxes: asked },
            Some((at, rules)) => Query::Outlook { run, rules, at, from, boxes: asked },
        };
        let send = move || {
            spawn_local(async move {
                let answer = app.ask(query).await;
                // an answer for an earlier window is dropped
                if latest.try_get_value() == Some(number) {
                    computing.set(false);
                    boxes.set(match answer {
                        Ok(Answer::Gantt { total, .. }) if total > MOST_BOXES => Boxes::TooMany(total),
                        Ok(Answer::Gantt { boxes, .. }) => Boxes::There(Arc::new(boxes)),
                        Ok(_) => Boxes::Failed(MISUNDERSTOOD.to_owned()),
                        Err(message) => Boxes::Failed(message),
                    });
                }
            });
        };
        let timer = set_timeout_with_handle(send, REST).ok();
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    (boxes, computing)
}

/// The message about the state of the boxes, if there is one.
pub fn in_words(boxes: &Boxes) -> Option<String> {
    match boxes {
        Boxes::Asked => Some("The schedule is being read…".to_owned()),
        Boxes::There(_) => None,
        Boxes::TooMany(total) => Some(format!(
            "{} boxes lie in this window, more than can be told apart: make it shorter.",
            whole(*total as i128)
        )),
        Boxes::Failed(message) => Some(message.clone()),
    }
}

// The tip of a box of the Gantt chart.

/// The names and values of the tip, line by line.
pub fn details(b: &GanttBox, clock: &AxisClock, unit: Unit) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let user = if b.user < 0 { "unknown".to_owned() } else { b.user.to_string() };
    let (start, end) = (b.span.0 as f64, b.span.1 as f64);
    let mut told = vec![
        pair("Job", b.number.to_string()),
        pair("User", user),
        pair(&sentence(unit.plural()), format!("{} to {}", b.first, b.first + b.count - 1)),
    ];
    let span = AxisUnit::Duration.say(end - start);
    told.extend(match b.part {
        BoxPart::Ran => {
            vec![
                pair("Start", clock.say(start)),
                pair("Ran", span),
                pair("Waited", AxisUnit::Duration.say(b.wait as f64)),
            ]
        }
        BoxPart::Killed => {
            let waited = AxisUnit::Duration.say(b.wait as f64);
            vec![pair("Start", clock.say(start)), pair("Killed after", span), pair("Waited", waited)]
        }
        BoxPart::Expected => vec![pair("Expected end", clock.say(end))],
        BoxPart::Reserved => vec![pair("Reserved start", clock.say(start)), pair("Estimate", span)],
    });
    told
}

// The meaning of the boxes' colours.

/// The colours, each with its meaning.
#[component]
pub fn ColourKey(boxes: RwSignal<Boxes>, colouring: Memo<Colouring>, users: Memo<Vec<i32>>) -> impl IntoView {
    let theme = chart_theme(expect_context::<App>());
    let entries = Memo::new(move |_| {
        boxes.with(|boxes| match boxes {
            Boxes::There(boxes) if !boxes.is_empty() => gantt_key(boxes, colouring.get(), &users.get()),
            _ => Vec::new(),
        })
    });
    let entry = move |(shade, text)| {
        let colour = theme.with(|theme| theme.shade(shade).to_string());
        view! {
            <li class="key-entry">
                <span class="key-chip" style:background=colour></span>
                {text}
            </li>
        }
    };
    let about = move || match colouring.get() {
        Colouring::User => "Those with most area in the log:",
        Colouring::Wait => "Waited:",
    };
    view! {
        <div class="gantt-key" data-testid="gantt-key" hidden=move || entries.with(Vec::is_empty)>
            <span class="quiet">{move || about()}</span>
            <ul>{move || entries.get().into_iter().map(entry).collect_view()}</ul>
        </div>
    }
}
