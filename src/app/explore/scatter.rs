//! All settings tried, plotted by two metrics as changes to the baseline: on the part of the log where they are chosen,
//! and for the best of them also on the select part.

use super::course::SearchOnPage;
use super::make_row;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select};
use leptos::svg;
use packfair_engine::metric::Metric;
use packfair_study::explore::{Picture, PicturePoint, round_steps};
use packfair_study::format::{SPACE, with_places};
use std::fmt::Write as _;
use wasm_bindgen::JsCast;

/// The size of the picture in its own units, and the margins of its axes.
const SIZE: (f64, f64) = (580.0, 400.0);
const LEFT: f64 = 64.0;
const BELOW: f64 = 46.0;
const EDGE: f64 = 18.0;

/// The greatest distance between a click and a point, units of the picture.
const REACH: f64 = 14.0;

/// The position of a point in the picture.
fn place(picture: &Picture, (x, y): PicturePoint) -> (f64, f64) {
    let along = |(from, to): (f64, f64), value: f64| (value - from) / (to - from);
    let (width, height) = (SIZE.0 - LEFT - EDGE, SIZE.1 - BELOW - EDGE);
    (LEFT + along(picture.x, x) * width, EDGE + (1.0 - along(picture.y, y)) * height)
}

/// The picture and the choice of its axes.
#[component]
pub fn Scatter(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let asked = course.asked.clone();
    let metrics =
        Memo::new(move |_| asked.with(|asked| asked.as_ref().map(|asked| asked.metrics()).unwrap_or_default()));
    let axes = RwSignal::new((0_usize, 1_usize));
    // a question with fewer metrics has fewer axes to choose from
    let at = move |place: usize| place.min(metrics.with(Vec::len).saturating_sub(1));
    let (points, findings) = (course.points.clone(), course.findings.clone());
    let drawn = Memo::new(move |_| {
        let (x, y) = axes.get();
        let (x, y) = (at(x), at(y));
        findings.with(|findings| {
            points.with(|points| Picture::of(findings.as_ref()?, points.iter().map(|values| &**values), (x, y)))
        })
    });
    let options = Signal::derive(move || {
        let option = |(place, metric): (usize, &Metric)| {
            let about = metric.about();
            ChoiceOption::new(place.to_string(), about.name, about.help.in_unit(app.unit()))
        };
        metrics.with(|metrics| metrics.iter().enumerate().map(option).collect::<Vec<_>>())
    });
    let chosen = |text: String| text.parse::<usize>().unwrap_or_default();
    let picture = NodeRef::<svg::Svg>::new();
    let press = move |event: leptos::ev::MouseEvent| {
        let Some(element) = picture.get_untracked() else { return };
        let bounds = element.unchecked_ref::<web_sys::Element>().get_bounding_client_rect();
        let scale = SIZE.0 / bounds.width();
        let pressed = (
            (f64::from(event.client_x()) - bounds.left()) * scale,
            (f64::from(event.client_y()) - bounds.top()) * scale,
        );
        if let Some(run) =
            drawn.with_untracked(|drawn| nearest(drawn.as_ref()?, pressed)).and_then(|number| course.run(app, number))
        {
            make_row(app, run);
        }
    };
    let svg = move || {
        let metrics = metrics.get();
        let (x, y) = axes.get();
        let of = |place: usize| metrics.get(at(place)).copied().unwrap_or(Metric::Bsld);
        drawn.get().map(|drawn| contents(&drawn, of(x), of(y)))
    };
    let beyond = move || drawn.with(|drawn| drawn.as_ref().map_or(0, |drawn| drawn.beyond));
    view! {
        <div class="row">
            <Select
                label="Horizontal axis"
                options=options
                value=Signal::derive(move || at(axes.get().0).to_string())
                on_change=move |id| axes.update(|axes| axes.0 = chosen(id))
            />
            <Select
                label="Vertical axis"
                options=options
                value=Signal::derive(move || at(axes.get().1).to_string())
                on_change=move |id| axes.update(|axes| axes.1 = chosen(id))
            />
        </div>
        <figure class="explore-figure">
            <svg
                node_ref=picture
                viewBox=format!("0 0 {} {}", SIZE.0, SIZE.1)
                role="img"
                aria-label="All settings that were tried, by two metrics as changes to the baseline; the table below has those that nothing beats"
                data-testid="explore-scatter"
                on:click=press
            >
                {svg}
            </svg>
            <figcaption class="quiet">
                <span class="explore-mark-tried">"●"</span> " tried  " <span class="explore-mark-front">"●"</span>
                " beaten by none, where chosen  " <span class="explore-mark-rest">"◇"</span>
                " the same, on the select part  " <span>"✚"</span>
                " baseline, on both parts: each is the change to what the baseline comes to on the same part. A press on a point makes it a row of the comparison. "
                {move || (beyond() > 0).then(|| format!("{} far worse ones are beyond the picture.", beyond()))}
            </figcaption>
        </figure>
    }
}

/// The number of the setting whose point is nearest to a click; `None` if no point is near.
fn nearest(picture: &Picture, pressed: (f64, f64)) -> Option<usize> {
    let distance = |point: &PicturePoint| {
        let (x, y) = place(picture, *point);
        (x - pressed.0).powi(2) + (y - pressed.1).powi(2)
    };
    // a point on the front covers the points below it
    let is_front = |point: &PicturePoint| picture.front.iter().flatten().any(|(chosen, _)| chosen == point);
    let near = picture.tried.iter().enumerate().filter_map(|(number, point)| Some((number, point.as_ref()?)));
    let near = near.map(|(number, point)| (!is_front(point), distance(point), number));
    let near = near.filter(|(_, distance, _)| *distance <= REACH * REACH);
    near.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(.., number)| number)
}

fn percent(tick: f64) -> String {
    let places = usize::from(tick.fract() != 0.0);
    let sign = if tick > 0.0 { "+" } else { "" };
    format!("{sign}{}{SPACE}%", with_places(tick, places))
}

fn contents(picture: &Picture, x: Metric, y: Metric) -> AnyView {
    let (right, floor) = (SIZE.0 - EDGE, SIZE.1 - BELOW);
    let at = |point: PicturePoint| place(picture, point);
    let mut dots = String::new();
    for point in picture.tried.iter().flatten().filter(|point| picture.holds(**point)) {
        let (x, y) = at(*point);
        // writing to a string cannot fail
        let _ = write!(dots, "M{x:.1} {y:.1}h0");
    }
    let across = round_steps(picture.x).into_iter().map(|tick| {
        let (at, _) = at((tick, picture.y.0));
        view! {
            <line x1=at x2=at y1=EDGE y2=floor stroke="var(--border)"></line>
            <text x=at y={floor + 18.0} text-anchor="middle" font-size="14" fill="var(--text-muted)">{percent(tick)}</text>
        }
    });
    let up = round_steps(picture.y).into_iter().map(|tick| {
        let (_, at) = at((picture.x.0, tick));
        view! {
            <line x1=LEFT x2=right y1=at y2=at stroke="var(--border)"></line>
            <text x={LEFT - 6.0} y={at + 4.0} text-anchor="end" font-size="14" fill="var(--text-muted)">{percent(tick)}</text>
        }
    });
    let judged = picture.front.iter().flatten().filter_map(|(_, select)| *select).map(|select| {
        let (x, y) = at(select);
        view! {
            <path d=format!("M{x:.1} {:.1}l5 5l-5 5l-5 -5z", y - 5.0) fill="var(--surface)" stroke="var(--series-2)" stroke-width="1.5"></path>
        }
    });
    let front = picture.front.iter().flatten().map(|(chosen, _)| {
        let (x, y) = at(*chosen);
        view! { <circle cx=x cy=y r="5" fill="var(--accent)" cursor="pointer" data-testid="explore-point"></circle> }
    });
    let baseline = {
        let (x, y) = at((0.0, 0.0));
        view! {
            <path d=format!("M{x:.1} {y:.1}m-7 0h14m-7 -7v14") stroke="var(--text)" stroke-width="2.5" fill="none"></path>
        }
    };
    let of = |metric: Metric| format!("{}, change to the baseline", metric.about().name);
    view! {
        {across.collect_view()}
        {up.collect_view()}
        <path d=dots stroke="var(--border-strong)" stroke-width="4.5" stroke-linecap="round" stroke-opacity="0.55" cursor="pointer"></path>
        {judged.collect_view()}
        {front.collect_view()}
        {baseline}
        <text x={(LEFT + right) / 2.0} y={SIZE.1 - 8.0} text-anchor="middle" font-size="14" fill="var(--text)">{of(x)}</text>
        <text x="4" y="12" font-size="14" fill="var(--text)">{of(y)}</text>
    }
}
