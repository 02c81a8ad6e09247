//! The Gantt chart of a lesson: what a scheduler has made of the jobs up to the play head, and what it expects then.
//!
//! Times are in percent of the width and processors in pixels, so that a chart needs no measuring. What ran is drawn whole
//! and cut off at the play head, which is all that changes while it moves.

use super::state::Stage;
use crate::app::prelude::*;
use packfair_study::learn::{Course, Hole, Moment, PROCESSORS, STEP, TaughtReservation, Term, clock};
use packfair_workload::Seconds;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

/// The height of a processor, pixels.
const ROW: f64 = 14.0;

/// The time axis: from the beginning to this many seconds after it.
#[derive(Clone, Copy, PartialEq)]
pub struct Axis {
    pub end: Seconds,
}

impl Axis {
    /// A time as a place on the axis.
    pub fn place(self, at: f64) -> String {
        format!("{:.3}%", 100.0 * at / self.end.max(1) as f64)
    }

    fn span(self, from: Seconds, until: Seconds) -> (String, String) {
        let until = until.min(self.end);
        (self.place(from as f64), self.place((until - from).max(0) as f64))
    }

    /// The whole hours on it, not so many that they overlap on a phone.
    pub fn hours(self) -> impl Iterator<Item = Seconds> {
        (0..=self.end / 3_600).map(|hour| hour * 3_600)
    }
}

fn row(processor: u32) -> f64 {
    f64::from(processor) * ROW
}

fn px(length: f64) -> String {
    format!("{length}")
}

/// The labels of the time axis.
pub fn time_axis(axis: Axis) -> AnyView {
    let label = |at: Seconds| {
        let is_last = at >= axis.end;
        view! { <span class="learn-tick" class:last=is_last style:--at=axis.place(at as f64)>{clock(at)}</span> }
    };
    view! { <div class="learn-axis" aria-hidden="true">{axis.hours().map(label).collect_view()}</div> }
}

/// The part of a picture that does not change with time: what ran, and the holes.
fn ran(course: &Course, axis: Axis, picked: Option<usize>) -> AnyView {
    let hole = |hole: Hole| {
        let (x, width) = axis.span(hole.from, hole.until);
        let (first, count) = hole.block;
        view! { <rect class="learn-hole" fill="url(#learn-hatch)" x=x width=width y=px(row(first)) height=px(row(count))/> }
    };
    let holes = course.holes().into_iter().map(hole).collect_view();
    let jobs = (0..course.jobs.len()).map(|job| {
        let (x, width) = axis.span(course.starts[job], course.end(job));
        boxes(course, job, x, width, picked)
    });
    view! { {holes} {jobs.collect_view()} }
}

/// The boxes of a job, and its number in the largest of them.
fn boxes(course: &Course, job: usize, x: String, width: String, picked: Option<usize>) -> AnyView {
    let blocks = &course.blocks[job];
    let rects = blocks.iter().map(|&(first, count)| {
        view! { <rect x=x.clone() width=width.clone() y=px(row(first) + 0.5) height=px(row(count) - 1.0) rx="3"/> }
    });
    let rects = rects.collect_view();
    let widest = blocks.iter().max_by_key(|(_, count)| *count);
    let number = widest.map(|&(first, count)| numbered(job + 1, &x, &width, row(first) + row(count) / 2.0));
    let is_picked = picked == Some(job);
    view! {
        <g class="learn-job" class:backfilled=course.backfilled[job] class:picked=is_picked data-job=job.to_string()>
            {rects}
            {number}
        </g>
    }
}

/// A number in the middle of a box that is given in percent.
fn numbered(number: usize, x: &str, width: &str, y: f64) -> AnyView {
    let percent = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap_or_default();
    let middle = format!("{:.3}%", percent(x) + percent(width) / 2.0);
    view! { <text class="learn-number" x=middle y=px(y)>{number.to_string()}</text> }
}

/// What is expected at a moment: the rest of running jobs up to their limits, and reservations.
fn expected(course: &Course, moment: &Moment, axis: Axis) -> AnyView {
    let rest = moment.running.iter().map(|&(job, end)| {
        let (x, width) = axis.span(course.starts[job], end);
        let rects = course.blocks[job].iter().map(|&(first, count)| {
            view! { <rect x=x.clone() width=width.clone() y=px(row(first) + 0.5) height=px(row(count) - 1.0) rx="3"/> }
        });
        let rects = rects.collect_view();
        // where that of the job stands: what ran covers it
        let (x, width) = axis.span(course.starts[job], course.end(job));
        let widest = course.blocks[job].iter().max_by_key(|(_, count)| *count);
        let number = widest.map(|&(first, count)| numbered(job + 1, &x, &width, row(first) + row(count) / 2.0));
        view! { <g class="learn-limit">{rects} {number}</g> }
    });
    let reserved = moment.reserved.iter().map(|reserved| reservation(reserved, axis));
    let shadow = course.shadow_time(moment).map(|at| {
        let x = axis.place(at as f64);
        view! {
            <line class="learn-shadow" x1=x.clone() x2=x y1="0" y2="100%"/>
        }
    });
    view! { {rest.collect_view()} {reserved.collect_view()} {shadow} }
}

fn reservation(TaughtReservation { job, start, end, blocks }: &TaughtReservation, axis: Axis) -> AnyView {
    let (x, width) = axis.span(*start, *end);
    let rects = blocks.iter().map(|&(first, count)| {
        view! { <rect x=x.clone() width=width.clone() y=px(row(first) + 1.5) height=px(row(count) - 3.0) rx="3"/> }
    });
    let widest = blocks.iter().max_by_key(|(_, count)| *count).copied();
    let number = widest.map(|(first, count)| numbered(job + 1, &x, &width, row(first) + row(count) / 2.0));
    view! { <g class="learn-reserved" data-job=job.to_string()>{rects.collect_view()} {number}</g> }
}

fn grid(axis: Axis) -> AnyView {
    let line = |at: Seconds| {
        let x = axis.place(at as f64);
        view! { <line class="learn-hour" x1=x.clone() x2=x y1="0" y2="100%"/> }
    };
    let lane = |processor: u32| view! { <line class="learn-lane" x1="0" x2="100%" y1=px(row(processor)) y2=px(row(processor))/> };
    view! { {(1..PROCESSORS).map(lane).collect_view()} {axis.hours().map(line).collect_view()} }
}

/// The hatch of holes, for all charts of the tab. The page has one.
pub fn hatch() -> AnyView {
    view! {
        <svg class="visually-hidden" width="0" height="0" aria-hidden="true" focusable="false">
            <defs>
                <pattern id="learn-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <line class="learn-hatch" x1="0" x2="0" y1="0" y2="6"/>
                </pattern>
            </defs>
        </svg>
    }
}

/// A chart at one moment, small and still, for the glossary.
pub fn picture(term: &Term) -> AnyView {
    let (course, at) = (term.course(), term.at);
    let axis = Axis { end: (course.last_end() + 900) / 900 * 900 };
    let moment = course.moment_at(at);
    let upto = axis.place(at as f64);
    let id = format!("learn-upto-{}", term.id);
    let said = moment.map(|moment| moment.told.join(" ")).unwrap_or_default();
    let label = format!("Eight processors at {}. {said}", clock(at));
    view! {
        <svg class="learn-gantt learn-picture" height=px(row(PROCESSORS)) width="100%" role="img" aria-label=label>
            <defs>
                <clipPath id=id.clone()><rect x="0" y="-8" width=upto.clone() height=px(row(PROCESSORS) + 16.0)/></clipPath>
            </defs>
            {moment.map(|moment| expected(&course, moment, axis))}
            <g clip-path=format!("url(#{id})")>{ran(&course, axis, None)}</g>
            <line class="learn-head" x1=upto.clone() x2=upto y1="0" y2="100%"/>
        </svg>
    }
}

/// What a pointer has taken hold of.
#[derive(Clone, Copy)]
struct Hold {
    job: usize,
    is_length: bool,
    x: f64,
    y: f64,
    /// The run time and the processors before.
    run: Seconds,
    processors: u32,
    /// Seconds for each pixel.
    scale: f64,
}

/// The chart of a scheduler on the stage.
#[component]
pub fn Gantt(
    stage: Stage,
    /// The scheduler's place.
    place: usize,
    axis: Memo<Axis>,
) -> impl IntoView {
    let course = move || stage.courses.with(|all| all.get(place).cloned().map(Arc::new));
    let course = Memo::new(move |_| course());
    let id = format!("learn-upto-{place}");
    let upto = Memo::new(move |_| axis.get().place(stage.at.get()));
    let still = move || {
        let (course, axis) = (course.get()?, axis.get());
        Some(ran(&course, axis, stage.picked.get()))
    };
    let ghosts = still;
    let ahead = move || {
        let (course, axis, now) = (course.get()?, axis.get(), stage.now.get());
        course.moment_at(now).map(|moment| expected(&course, moment, axis))
    };
    let handles = move || {
        let (course, axis, job) = (course.get()?, axis.get(), stage.picked.get()?);
        Some(handles(&course, job, axis))
    };
    let held = StoredValue::new(None::<Hold>);
    let take = move |event: PointerEvent| {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        let job = target.closest("[data-job]").ok().flatten().and_then(|of| of.get_attribute("data-job")?.parse().ok());
        let Some(job) = job else { return };
        stage.picked.set(Some(job));
        let Some(edge) = target.get_attribute("data-edge") else { return };
        let Some(svg) = target.closest("svg").ok().flatten() else { return };
        event.prevent_default();
        let _ = svg.set_pointer_capture(event.pointer_id());
        let Some(own) = stage.jobs.with_untracked(|jobs| jobs.get(job).copied()) else { return };
        let scale = axis.get_untracked().end as f64 / svg.get_bounding_client_rect().width().max(1.0);
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let is_length = edge == "length";
        held.set_value(Some(Hold { job, is_length, x, y, run: own.run, processors: own.processors, scale }));
    };
    let drag = move |event: PointerEvent| {
        let Some(hold) = held.get_value() else { return };
        if hold.is_length {
            let by = (f64::from(event.client_x()) - hold.x) * hold.scale;
            // the axis does not change under the pointer by less than a step
            let run = hold.run + ((by / STEP as f64).round() as Seconds) * STEP;
            stage.change(hold.job, |job| job.with_run(run));
        } else {
            let by = ((f64::from(event.client_y()) - hold.y) / ROW).round() as i64;
            stage.change(hold.job, |job| job.with_processors(i64::from(hold.processors) + by));
        }
    };
    let drop = move |_: PointerEvent| held.set_value(None);
    let label = move || course.get().map(|course| format!("{}: jobs on eight processors over time", course.name));
    let clip = format!("url(#{id})");
    view! {
        <svg
            class="learn-gantt"
            width="100%"
            height=px(row(PROCESSORS))
            role="img"
            aria-label=move || label()
            on:pointerdown=take
            on:pointermove=drag
            on:pointerup=drop
            on:pointercancel=drop
        >
            <defs>
                <clipPath id=id>
                    <rect x="0" y="-8" width=move || upto.get() height=px(row(PROCESSORS) + 16.0)/>
                </clipPath>
            </defs>
            {move || grid(axis.get())}
            <g class="learn-ghosts">{move || ghosts()}</g>
            {move || ahead()}
            <g clip-path=clip>{move || still()}</g>
            {move || handles()}
            <line class="learn-head" x1=move || upto.get() x2=move || upto.get() y1="0" y2="100%"/>
        </svg>
    }
}

/// The edges of a job by which a pointer makes it longer or wider.
fn handles(course: &Course, job: usize, axis: Axis) -> AnyView {
    let (x, width) = axis.span(course.starts[job], course.end(job));
    let right = axis.place(course.end(job) as f64);
    let (top, bottom) = course.blocks[job].iter().fold((f64::MAX, 0.0_f64), |(top, bottom), &(first, count)| {
        (top.min(row(first)), bottom.max(row(first + count)))
    });
    if bottom <= top {
        return ().into_any();
    }
    view! {
        <g class="learn-handles" data-job=job.to_string()>
            <rect class="learn-edge-length" data-edge="length" x=right y=px(top) width="10" height=px(bottom - top) transform="translate(-5 0)"/>
            <rect class="learn-edge-width" data-edge="width" x=x y=px(bottom - 5.0) width=width height="10"/>
        </g>
    }
}
