//! The drawing of a chart, and its reactions to pointer and keyboard.

use super::legend::{Tell, Tip, in_words};
use super::state::{ChartState, Cursor};
use crate::app::prelude::*;
use crate::app::state::App;
use leptos::html;
use packfair_chart::{Hit, Plot};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DomParser, Element, KeyboardEvent, PointerEvent, ResizeObserver, SupportedType, WheelEvent};

/// The shortest drag, pixels; a shorter one is a click.
const SHORTEST_DRAG: f64 = 5.0;

/// The number of crosshair steps across a plot that has no points to stop at.
const STEPS: f64 = 60.0;

/// The drawing with crosshair, zoom and tip.
#[component]
pub fn Stage(
    state: ChartState,
    /// The tip of a box or point.
    tell: Tell,
    /// Called with a point or box that is clicked.
    pick: Option<Callback<Hit>>,
    /// Called with turns of the wheel and the position across the plot.
    wheel: Option<Callback<(WheelEvent, f64)>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let stage = NodeRef::<html::Div>::new();
    let canvas = NodeRef::<html::Div>::new();
    let drag = RwSignal::new(None::<(f64, f64)>);
    let spoken = RwSignal::new(String::new());
    follow_width(stage, state);
    show_drawing(canvas, state);
    show_highlight(canvas, state, app);

    let place = move |event: &PointerEvent| {
        let rect = stage.get_untracked().map(|stage| stage.get_bounding_client_rect());
        rect.map(|r| (f64::from(event.client_x()) - r.left(), f64::from(event.client_y()) - r.top()))
    };
    let on_move = move |event: PointerEvent| {
        let Some((x, y)) = place(&event) else { return };
        if drag.with_untracked(Option::is_some) {
            drag.update(|drag| *drag = drag.map(|(from, _)| (from, x)));
        }
        let inside = state.with_plot_now(|plot| plot.rect.contains(x, y)).unwrap_or(false);
        state.cursor.set(inside.then_some(Cursor { x, y: Some(y) }));
    };
    let on_down = move |event: PointerEvent| {
        let Some((x, y)) = place(&event).filter(|_| event.button() == 0) else { return };
        if state.with_plot_now(|plot| plot.rect.contains(x, y)).unwrap_or(false) {
            drag.set(Some((x, x)));
            if let Some(stage) = stage.get_untracked() {
                // without capture, a drag would end where the pointer leaves the element
                let _ = stage.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let on_up = move |event: PointerEvent| {
        let Some((from, to)) = drag.get_untracked() else { return };
        drag.set(None);
        if (to - from).abs() >= SHORTEST_DRAG {
            zoom_to(state, from, to);
        } else if let Some((x, y)) = place(&event) {
            let hit = state.hit_at(x, y);
            match pick {
                Some(pick) => hit.into_iter().for_each(|hit| pick.run(hit)),
                None => {
                    let run = hit.and_then(|hit| state.run_of(hit));
                    app.toggle_highlight(run);
                }
            }
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if answer_key(state, &event.key()) {
            event.prevent_default();
            event.stop_propagation();
            spoken.set(in_words(state, tell));
        }
    };
    let on_wheel = move |event: WheelEvent| {
        let (Some(wheel), Some(stage)) = (wheel, stage.get_untracked()) else { return };
        if !event.ctrl_key() && document().active_element().as_ref() != Some(&stage) {
            return;
        }
        let x = f64::from(event.client_x()) - stage.get_bounding_client_rect().left();
        let place = state.with_plot_now(|plot| ((x - plot.rect.left) / plot.rect.width).clamp(0.0, 1.0));
        event.prevent_default();
        wheel.run((event, place.unwrap_or(0.5)));
    };
    let hint = "Left and right arrows read values, plus and minus zoom, Escape resets";
    let label = move || state.figure.with(|figure| format!("{}, readable. {hint}", figure.title));
    let description = move || state.figure.with(|figure| figure.describe());
    view! {
        <div
            class="chart-stage"
            class:chart-dragging=move || drag.with(Option::is_some)
            tabindex="0"
            role="group"
            aria-label=move || label()
            node_ref=stage
            on:pointermove=on_move
            on:pointerdown=on_down
            on:pointerup=on_up
            on:pointercancel=move |_| drag.set(None)
            on:pointerleave=move |_| state.cursor.set(None)
            on:dblclick=move |_| state.zoom.set(None)
            on:keydown=on_key
            on:wheel=on_wheel
            on:blur=move |_| state.cursor.set(None)
        >
            // its room is kept before it is drawn
            <div
                class="chart-canvas"
                role="img"
                aria-label=move || description()
                style:--height=state.height.to_string()
                node_ref=canvas
            ></div>
            <Crosshair state/>
            <Brush state drag/>
            <Tip state tell/>
            <div class="visually-hidden" aria-live="polite">{spoken}</div>
        </div>
    }
}

/// Keeps the chart as wide as its place.
fn follow_width(stage: NodeRef<html::Div>, state: ChartState) {
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut(JsValue)>)>);
    Effect::new(move |_| {
        let Some(stage) = stage.get() else { return };
        let measured: Element = stage.into();
        let seen = measured.clone();
        let measure = move || {
            let width = f64::from(seen.client_width());
            if width > 0.0 && state.width.try_get_untracked().is_some_and(|now| now != width) {
                state.width.set(width);
            }
        };
        measure();
        let on_resize = Closure::<dyn FnMut(JsValue)>::new(move |_| measure());
        if let Ok(new) = ResizeObserver::new(on_resize.as_ref().unchecked_ref()) {
            new.observe(&measured);
            observer.set_value(Some((new, on_resize)));
        }
    });
    on_cleanup(move || {
        observer.try_update_value(|observer| {
            if let Some((observer, _)) = observer.take() {
                observer.disconnect();
            }
        });
    });
}

/// Puts the drawing into the page whenever it is drawn again.
fn show_drawing(canvas: NodeRef<html::Div>, state: ChartState) {
    Effect::new(move |_| {
        if let (Some(canvas), Some(drawing)) = (canvas.get(), state.drawing.get()) {
            put_drawing(&canvas, &drawing.svg);
        }
    });
}

/// Puts an SVG into the page. It is parsed as an image, so that none of its text can become markup of the page.
pub fn put_drawing(place: &Element, svg: &str) {
    let parsed = DomParser::new().and_then(|p| p.parse_from_string(svg, SupportedType::ImageSvgXml));
    let Some(root) = parsed.ok().and_then(|parsed| parsed.document_element()) else { return };
    // the place names the picture; the picture's own title would appear as a second tip
    while let Some(title) = root.get_elements_by_tag_name("title").item(0) {
        title.remove();
    }
    place.replace_children_with_node_1(&root);
}

/// Fades all runs except the highlighted one.
fn show_highlight(canvas: NodeRef<html::Div>, state: ChartState, app: App) {
    Effect::new(move |_| {
        let (Some(canvas), Some(drawing)) = (canvas.get(), state.drawing.get()) else { return };
        let run = app.highlighted.get();
        let series = &drawing.plot.figure.series;
        let is_here = run.is_some() && series.iter().any(|s| s.run == run);
        let Ok(groups) = canvas.query_selector_all("g[data-series]") else { return };
        for i in 0..groups.length() {
            let Some(group) = groups.item(i).and_then(|node| node.dyn_into::<Element>().ok()) else { continue };
            let own = group.get_attribute("data-series").and_then(|i| i.parse::<usize>().ok());
            let of_other = own.is_some_and(|own| series.get(own).is_some_and(|s| s.run.is_some() && s.run != run));
            // changing the class list of an element in the document cannot fail
            let _ = if is_here && of_other {
                group.set_attribute("class", "faded")
            } else {
                group.remove_attribute("class")
            };
        }
    });
}

fn zoom_to(state: ChartState, from: f64, to: f64) {
    let window = state.with_plot_now(|plot| {
        let inside = |px: f64| px.clamp(plot.rect.left, plot.rect.right());
        let (from, to) = (inside(from.min(to)), inside(from.max(to)));
        (plot.to_value(from, 0.0).0, plot.to_value(to, 0.0).0)
    });
    if let Some(window) = window.filter(|(from, to)| from < to) {
        state.zoom.set(Some(window));
    }
}

/// Does what a key stands for. Returns whether it stands for anything.
fn answer_key(state: ChartState, key: &str) -> bool {
    match key {
        "ArrowLeft" | "ArrowRight" | "Home" | "End" => {
            let next = state.with_plot_now(|plot| next_stop(plot, state.cursor.get_untracked(), key));
            state.cursor.set(next.flatten());
        }
        "+" | "=" => zoom_by(state, 0.5),
        "-" => zoom_by(state, 2.0),
        "Escape" if state.zoom.with_untracked(Option::is_some) || state.cursor.with_untracked(Option::is_some) => {
            state.zoom.set(None);
            state.cursor.set(None);
        }
        _ => return false,
    }
    true
}

/// The next position of the crosshair: the next point if the data have points, otherwise the next even step.
fn next_stop(plot: &Plot, cursor: Option<Cursor>, key: &str) -> Option<Cursor> {
    let mut points = plot.points();
    if points.is_empty() {
        points = plot.middles();
    }
    let rect = &plot.rect;
    let stops: Vec<(f64, Option<f64>)> = match (points.is_empty(), plot.stops()) {
        (false, _) => points.into_iter().map(|(x, y)| (x, Some(y))).collect(),
        (true, stops) if !stops.is_empty() => stops.into_iter().map(|x| (plot.to_pixel(x, 0.0).0, None)).collect(),
        _ => (0..=STEPS as u32).map(|i| (rect.left + rect.width * f64::from(i) / STEPS, None)).collect(),
    };
    let at = cursor.and_then(|cursor| {
        let distance = |(x, y): &(f64, Option<f64>)| (x - cursor.x).hypot(y.zip(cursor.y).map_or(0.0, |(a, b)| a - b));
        (0..stops.len()).min_by(|&a, &b| distance(&stops[a]).total_cmp(&distance(&stops[b])))
    });
    let last = stops.len().checked_sub(1)?;
    let next = match (key, at) {
        ("End", _) | ("ArrowLeft", None) => last,
        ("Home", _) | ("ArrowRight", None) => 0,
        ("ArrowLeft", Some(at)) => at.saturating_sub(1),
        (_, Some(at)) => (at + 1).min(last),
        _ => return None,
    };
    stops.get(next).map(|&(x, y)| Cursor { x, y })
}

/// Makes the window `factor` times as long, around the crosshair or the middle.
fn zoom_by(state: ChartState, factor: f64) {
    let window = state.with_plot_now(|plot| {
        let cursor = state.cursor.get_untracked();
        let middle = cursor.map_or(0.5, |cursor| (cursor.x - plot.rect.left) / plot.rect.width);
        let full = &plot.full_x;
        let (from, to) = (plot.x.value(middle - middle * factor), plot.x.value(middle + (1.0 - middle) * factor));
        let (from, to) = (from.max(full.from()), to.min(full.to()));
        (from > full.from() || to < full.to()).then_some((from, to))
    });
    state.zoom.set(window.flatten().filter(|(from, to)| from < to));
}

#[component]
fn Crosshair(state: ChartState) -> impl IntoView {
    let line = move || {
        let cursor = state.cursor.get()?;
        state.with_plot(|plot| (cursor.x, plot.rect.top, plot.rect.height, !plot.points().is_empty()))
    };
    let shown = Memo::new(move |_| line().filter(|(.., is_scattered)| !is_scattered));
    let pixels =
        move |pick: fn((f64, f64, f64, bool)) -> f64| move || shown.get().map(|at| format!("{:.1}px", pick(at)));
    view! {
        <div
            class="chart-cross"
            hidden=move || shown.with(Option::is_none)
            style:left=pixels(|at| at.0)
            style:top=pixels(|at| at.1)
            style:height=pixels(|at| at.2)
        ></div>
    }
}

/// The range over which the pointer is being dragged.
#[component]
fn Brush(state: ChartState, drag: RwSignal<Option<(f64, f64)>>) -> impl IntoView {
    let stretch = Memo::new(move |_| {
        let (from, to) = drag.get()?;
        state.with_plot(|plot| {
            let inside = |px: f64| px.clamp(plot.rect.left, plot.rect.right());
            let (from, to) = (inside(from.min(to)), inside(from.max(to)));
            (from, to - from, plot.rect.top, plot.rect.height)
        })
    });
    let pixels =
        move |pick: fn((f64, f64, f64, f64)) -> f64| move || stretch.get().map(|at| format!("{:.1}px", pick(at)));
    view! {
        <div
            class="chart-brush"
            hidden=move || stretch.with(Option::is_none)
            style:left=pixels(|at| at.0)
            style:width=pixels(|at| at.1)
            style:top=pixels(|at| at.2)
            style:height=pixels(|at| at.3)
        ></div>
    }
}
