//! A window of a schedule as a Gantt chart.

use super::chart::Chart;
use super::charted::summary;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds::{self, Colouring};
use crate::chart::{AxisClock, AxisUnit, Figure, Hit};
use crate::study::Run;
use crate::study::format::whole;
use crate::study::query::{Answer, GanttBox, Part, Query};
use crate::workload::{Seconds, Summary};
use leptos::task::spawn_local;
use std::sync::Arc;
use std::time::Duration;

/// More boxes than this cannot be told apart, and take a browser too long.
const MOST_BOXES: usize = 4_000;

/// The window at the beginning, seconds: a day.
const FIRST_WINDOW: f64 = 86_400.0;

/// The shortest window, seconds.
const SHORTEST: f64 = 60.0;

/// How long a window must stand before it is asked about.
const REST: Duration = Duration::from_millis(120);

/// How far a schedule's window has come.
#[derive(Clone, PartialEq)]
enum Boxes {
    Asked,
    There(Arc<Vec<GanttBox>>),
    TooMany(usize),
    Failed(String),
}

/// Who ran where and when under a run, in a window of time that can be moved and zoomed.
#[component]
pub fn Gantt(
    /// Whose schedule; nothing is drawn without one.
    #[prop(into)]
    run: Signal<Option<Run>>,
    /// A stretch of time to show, as that of a picked job: start and completion.
    #[prop(optional, into)]
    around: Signal<Option<(Seconds, Seconds)>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let summary = summary(app);
    let window = RwSignal::new(None::<(f64, f64)>);
    let colour_chosen = RwSignal::new(None::<Colouring>);
    let has_users = Memo::new(move |_| summary.with(|s| s.as_ref().is_none_or(|s| s.users > 0)));
    let colouring = Memo::new(move |_| {
        colour_chosen.get().unwrap_or(if has_users.get() { Colouring::User } else { Colouring::Wait })
    });
    let shown = Memo::new(move |_| window.get().or_else(|| first_window(summary.get()?.as_ref(), around.get())));
    // what is picked next is looked at anew
    Effect::new(move |_| {
        around.track();
        window.set(None);
    });
    // the instant whose reservations are shown, where they are
    let chosen_instant = RwSignal::new(None::<Seconds>);
    let instant = Memo::new(move |_| {
        let (from, until) = shown.get()?;
        Some(chosen_instant.get()?.clamp(from.ceil() as Seconds, until.floor() as Seconds))
    });
    let (boxes, computing) = ask(app, run, shown, instant);
    let figure = Memo::new(move |_| {
        Arc::new(figure(run.get(), shown.get(), instant.get(), boxes.get(), summary.get(), colouring.get()))
    });
    let tell = Callback::new(move |hit: Hit| {
        let clock = summary.with(|summary| summary.as_ref().map_or(AxisClock::ELAPSED, |s| AxisClock::of(&s.clock)));
        boxes.with(|boxes| match boxes {
            Boxes::There(boxes) => boxes.get(hit.item).map(|b| told(b, &clock)).unwrap_or_default(),
            _ => Vec::new(),
        })
    });
    let message = move || boxes.with(in_words);
    let move_by = move |share: f64| {
        if let Some((from, to)) = shown.get_untracked() {
            let by = (to - from) * share;
            window.set(Some((from + by, to + by)));
        }
    };
    let zoom_by = move |factor: f64| {
        if let Some((from, to)) = shown.get_untracked() {
            let (middle, half) = ((from + to) / 2.0, ((to - from) * factor).max(SHORTEST) / 2.0);
            window.set(Some((middle - half, middle + half)));
        }
    };
    let button = |label: &'static str, face: &'static str, act: Box<dyn Fn()>| {
        view! {
            <button type="button" class="chart-tool" aria-label=label title=label on:click=move |_| act()>{face}</button>
        }
    };
    let colour = move |own: Colouring, name: &'static str| {
        view! {
            <button
                type="button"
                class="chart-tool"
                aria-pressed=move || (colouring.get() == own).to_string()
                on:click=move |_| colour_chosen.set(Some(own))
            >
                {name}
            </button>
        }
    };
    view! {
        <section class="gantt" aria-label="Gantt chart" hidden=move || run.with(Option::is_none)>
            <div class="chart-tools gantt-tools" role="toolbar" aria-label="Window of the Gantt chart">
                {button("Earlier", "◀", Box::new(move || move_by(-0.5)))}
                {button("Later", "▶", Box::new(move || move_by(0.5)))}
                {button("Shorter window", "+", Box::new(move || zoom_by(0.5)))}
                {button("Longer window", "−", Box::new(move || zoom_by(2.0)))}
                <span class="quiet">"Colour by"</span>
                {colour(Colouring::User, "user")}
                {colour(Colouring::Wait, "wait")}
                <InstantSwitch shown chosen=chosen_instant/>
            </div>
            <InstantSlider shown instant chosen=chosen_instant computing summary/>
            <p class="chart-notes" role="status" hidden=move || message().is_none()>{move || message()}</p>
            <Chart figure=figure zoom=window tell=tell height=0.4/>
        </section>
    }
}

/// Shows what was expected at an instant, or all that ran.
#[component]
fn InstantSwitch(shown: Memo<Option<(f64, f64)>>, chosen: RwSignal<Option<Seconds>>) -> impl IntoView {
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
fn InstantSlider(
    shown: Memo<Option<(f64, f64)>>,
    instant: Memo<Option<Seconds>>,
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

/// Around what is picked, four times as long; else a day from the middle of the log.
fn first_window(summary: &Summary, around: Option<(Seconds, Seconds)>) -> Option<(f64, f64)> {
    if let Some((start, end)) = around {
        let (start, end) = (start as f64, end as f64);
        let margin = ((end - start) * 1.5).max(SHORTEST * 10.0);
        return Some((start - margin, end + margin));
    }
    let (first, last) = (summary.span.first_submit as f64, summary.span.last_submit as f64);
    let middle = (first + last) / 2.0;
    let half = (last - first).clamp(SHORTEST, FIRST_WINDOW) / 2.0;
    Some((middle - half, middle + half))
}

/// Asks for the boxes whenever the run, the window or the instant changes; and whether reservations are
/// being computed, for which the run is lived through again.
fn ask(
    app: App,
    run: Signal<Option<Run>>,
    shown: Memo<Option<(f64, f64)>>,
    instant: Memo<Option<Seconds>>,
) -> (RwSignal<Boxes>, RwSignal<bool>) {
    let (boxes, computing) = (RwSignal::new(Boxes::Asked), RwSignal::new(false));
    let latest = StoredValue::new(0_u32);
    let rules = Memo::new(move |_| app.rules_of(&run.get()?));
    Effect::new(move |_| {
        let (Some(run), Some((from, until))) = (run.get(), shown.get()) else { return };
        latest.update_value(|n| *n += 1);
        let number = latest.get_value();
        let (from, until) = (from.floor() as Seconds, until.ceil() as Seconds);
        let most = MOST_BOXES;
        // the chart stays as it was meanwhile
        computing.set(instant.get().is_some());
        let query = match instant.get().zip(rules.get()) {
            None => Query::Gantt { run, from, until, most },
            Some((at, rules)) => Query::Outlook { run, rules, at, from, most },
        };
        let send = move || {
            spawn_local(async move {
                let answer = app.ask(query).await;
                // an answer to an earlier window is late
                if latest.try_get_value() == Some(number) {
                    computing.set(false);
                    boxes.set(match answer {
                        Ok(Answer::Gantt { total, .. }) if total > MOST_BOXES => Boxes::TooMany(total),
                        Ok(Answer::Gantt { boxes, .. }) => Boxes::There(Arc::new(boxes)),
                        Ok(_) => Boxes::Failed("The question was misunderstood. Ask again.".to_owned()),
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

fn figure(
    run: Option<Run>,
    window: Option<(f64, f64)>,
    instant: Option<Seconds>,
    boxes: Boxes,
    summary: Option<Arc<Summary>>,
    colouring: Colouring,
) -> Figure {
    let none = Arc::new(Vec::new());
    let boxes = if let Boxes::There(boxes) = &boxes { boxes } else { &none };
    let processors = summary.as_ref().map_or(1, |summary| summary.machine.processors);
    let clock = summary.map_or(AxisClock::ELAPSED, |summary| AxisClock::of(&summary.clock));
    kinds::gantt(run.as_ref(), boxes, window.unwrap_or((0.0, 1.0)), instant, processors, &clock, colouring)
}

fn in_words(boxes: &Boxes) -> Option<String> {
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

fn told(b: &GanttBox, clock: &AxisClock) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let user = if b.user < 0 { "unknown".to_owned() } else { b.user.to_string() };
    let (start, end) = (b.span.0 as f64, b.span.1 as f64);
    let mut told = vec![
        pair("Job", b.number.to_string()),
        pair("User", user),
        pair("Processors", format!("{} to {}", b.first, b.first + b.count - 1)),
    ];
    let span = AxisUnit::Duration.say(end - start);
    told.extend(match b.part {
        Part::Ran => {
            vec![
                pair("Start", clock.say(start)),
                pair("Ran", span),
                pair("Waited", AxisUnit::Duration.say(b.wait as f64)),
            ]
        }
        Part::Killed => {
            let waited = AxisUnit::Duration.say(b.wait as f64);
            vec![pair("Start", clock.say(start)), pair("Killed after", span), pair("Waited", waited)]
        }
        Part::Expected => vec![pair("Expected end", clock.say(end))],
        Part::Reserved => vec![pair("Reserved start", clock.say(start)), pair("Estimate", span)],
    });
    told
}
