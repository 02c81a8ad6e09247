//! A window of a schedule as a Gantt chart.

mod moving;

use self::moving::{
    Boxes, BusiestDay, ColourKey, DateField, InstantSlider, InstantSwitch, MovingWindow, ask, details, in_words,
};
use super::chart::Chart;
use super::charted::summary;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::closest;
use packfair_base::machine::GoneProcessors;
use packfair_chart::kinds::{self, Colouring, GanttView};
use packfair_chart::{AxisClock, Hit};
use packfair_study::{Run, Treatment};
use packfair_workload::{JobId, Seconds, Summary, Unit};
use std::sync::Arc;
use web_sys::{KeyboardEvent, WheelEvent};

/// The initial window, seconds: a day.
const FIRST_WINDOW: f64 = 86_400.0;

/// The shortest window, seconds.
const SHORTEST: f64 = 60.0;

/// Which jobs ran when and on which processors, in a window of time that can be moved and zoomed.
#[component]
pub fn Gantt(
    /// The run whose schedule is drawn; nothing is drawn without one.
    #[prop(into)]
    run: Signal<Option<Run>>,
    /// The start and completion of a job to show, such as the picked job.
    #[prop(optional, into)]
    around: Signal<Option<(Seconds, Seconds)>>,
    #[prop(optional, into)] picked: Signal<Option<JobId>>,
    /// Called with the job of a box that is clicked, and its number in the log.
    #[prop(into)]
    on_pick: Callback<(JobId, i64)>,
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
    // the window moves to the next picked job
    let picked_here = StoredValue::new(None::<JobId>);
    Effect::new(move |_| {
        around.track();
        if picked.get_untracked().is_none_or(|job| picked_here.get_value() != Some(job)) {
            window.set(None);
        }
    });
    // the instant whose reservations are shown; `None` if they are not
    let chosen_instant = RwSignal::new(None::<Seconds>);
    let instant = Memo::new(move |_| {
        let (from, until) = shown.get()?;
        Some(chosen_instant.get()?.clamp(from.ceil() as Seconds, until.floor() as Seconds))
    });
    let (boxes, computing) = ask(app, run, shown, instant);
    let users = Memo::new(move |_| {
        summary.with(|s| s.iter().flat_map(|s| &s.top_users).map(|user| user.user).collect::<Vec<_>>())
    });
    let gone = Memo::new(move |_| {
        let summary = summary.get()?;
        let run = run.get()?;
        let treatment = app.study.with(|study| run.treatment(&study.treatment));
        Some(gone_processors(&treatment, &summary))
    });
    let figure = Memo::new(move |_| {
        let gone = gone.get().unwrap_or_default();
        let summary = summary.get();
        let clock = &summary.as_ref().map_or(AxisClock::ELAPSED, |summary| AxisClock::of(&summary.clock));
        let view = GanttView {
            window: shown.get().unwrap_or((0.0, 1.0)),
            instant: instant.get(),
            processors: summary.as_ref().map_or(1, |summary| summary.machine.processors),
            unit: summary.as_ref().map_or(Unit::Processors, |summary| summary.counting.unit),
            clock,
            colouring: colouring.get(),
            users: &users.get(),
            picked: picked.get(),
            gone: &gone,
        };
        let there = |boxes: &Boxes| if let Boxes::There(boxes) = boxes { boxes.clone() } else { Arc::default() };
        Arc::new(kinds::gantt(run.get().as_ref(), &boxes.with(there), view))
    });
    let tell = Callback::new(move |hit: Hit| {
        let clock = summary.with(|summary| summary.as_ref().map_or(AxisClock::ELAPSED, |s| AxisClock::of(&s.clock)));
        let unit = untrack(|| app.unit());
        boxes.with(|boxes| match boxes {
            Boxes::There(boxes) => boxes.get(hit.item).map(|b| details(b, &clock, unit)).unwrap_or_default(),
            _ => Vec::new(),
        })
    });
    let message = move || boxes.with(in_words);
    let moving = MovingWindow { shown, chosen: window };
    let on_key = move |event: KeyboardEvent| {
        // letters typed into a field are text, not commands
        if closest(event.target(), "input").is_none() && moving.answer_key(&event) {
            event.prevent_default();
        }
    };
    let wheel = Callback::new(move |(event, place): (WheelEvent, f64)| moving.answer_wheel(&event, place));
    let pick_box = Callback::new(move |hit: Hit| {
        let hit = boxes.with_untracked(|boxes| match boxes {
            Boxes::There(boxes) => boxes.get(hit.item).map(|b| (b.job, b.number)),
            _ => None,
        });
        if let Some((job, number)) = hit {
            // a job that is picked in the chart is in view already
            picked_here.set_value(Some(job));
            window.set(shown.get_untracked());
            on_pick.run((job, number));
        }
    });
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
                {button("Earlier", "◀", Box::new(move || moving.move_by(-0.5)))}
                {button("Later", "▶", Box::new(move || moving.move_by(0.5)))}
                {button("Shorter window", "+", Box::new(move || moving.zoom_by(0.5, 0.5)))}
                {button("Longer window", "−", Box::new(move || moving.zoom_by(2.0, 0.5)))}
                <span class="quiet">"Colour by"</span>
                {colour(Colouring::User, "user")}
                {colour(Colouring::Wait, "wait")}
                <InstantSwitch shown chosen=chosen_instant/>
                <BusiestDay run window=moving/>
                <DateField summary window=moving/>
            </div>
            <InstantSlider shown instant chosen=chosen_instant computing summary/>
            <p class="chart-notes" role="status" hidden=move || message().is_none()>{move || message()}</p>
            <div on:keydown=on_key>
                <Chart figure=figure zoom=window tell=tell pick=pick_box wheel height=0.4/>
            </div>
            <ColourKey boxes colouring users/>
            <p class="quiet gantt-keys">
                "In the chart, W and S or the wheel zoom, A and D or Shift with the wheel move. A click on a box picks its job."
            </p>
        </section>
    }
}

/// The processors that are away on the machine after this treatment of the log.
fn gone_processors(treatment: &Treatment, summary: &Summary) -> Vec<GoneProcessors> {
    treatment.machine_for(summary).ok().flatten().map(|machine| machine.gone()).unwrap_or_default()
}

/// The window around `around`, four times as long; without it, a day from the middle of the log.
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
