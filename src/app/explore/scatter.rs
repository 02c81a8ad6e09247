//! All that was tried, by two metrics: where settings are chosen, and what became of the best on the rest.

use super::course::{Course, TriedValues};
use super::make_row;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select};
use crate::explore::Findings;
use crate::metric::Metric;
use crate::study::format::{TimeUnit, value, with_places};
use leptos::svg;
use std::fmt::Write as _;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// Size of the picture in its own units, and what its axes take.
const SIZE: (f64, f64) = (580.0, 400.0);
const LEFT: f64 = 84.0;
const BELOW: f64 = 46.0;
const EDGE: f64 = 14.0;

/// How far from a point a press may be, units.
const REACH: f64 = 14.0;

/// The share of what was tried that is within the picture: what is far worse would press all else into a corner.
const WITHIN: f64 = 0.85;

/// Where settings were chosen, by two metrics, and where they are on the rest.
type FrontPoints = ((f64, f64), Option<(f64, f64)>);

/// From data to the picture.
#[derive(Clone, Copy, PartialEq)]
struct ScatterFrame {
    x: (f64, f64),
    y: (f64, f64),
}

impl ScatterFrame {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let along = |(from, to): (f64, f64), value: f64| (value - from) / (to - from);
        let (width, height) = (SIZE.0 - LEFT - EDGE, SIZE.1 - BELOW - EDGE);
        (LEFT + along(self.x, x) * width, EDGE + (1.0 - along(self.y, y)) * height)
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }
}

/// What is drawn.
#[derive(Clone, PartialEq)]
struct Drawn {
    frame: ScatterFrame,
    tried: Vec<Option<(f64, f64)>>,
    /// Where they were chosen, and on the rest.
    front: Vec<FrontPoints>,
    baseline: [Option<(f64, f64)>; 2],
    /// How many of those tried are beyond the picture.
    beyond: usize,
}

/// The picture and the choice of its axes.
#[component]
pub fn Scatter(course: Course) -> impl IntoView {
    let app = expect_context::<App>();
    let asked = course.asked.clone();
    let metrics =
        Memo::new(move |_| asked.with(|asked| asked.as_ref().map(|asked| asked.metrics()).unwrap_or_default()));
    let axes = RwSignal::new((0_usize, 1_usize));
    // a question with other metrics has other axes
    let at = move |place: usize| place.min(metrics.with(Vec::len).saturating_sub(1));
    let (points, findings) = (course.points.clone(), course.findings.clone());
    let drawn = Memo::new(move |_| {
        let (x, y) = axes.get();
        let (x, y) = (at(x), at(y));
        points.with(|points| findings.with(|findings| draw(points, findings.as_ref(), (x, y))))
    });
    let options = Signal::derive(move || {
        let option = |(place, metric): (usize, &Metric)| {
            ChoiceOption::new(place.to_string(), metric.about().name, metric.about().help)
        };
        metrics.with(|metrics| metrics.iter().enumerate().map(option).collect::<Vec<_>>())
    });
    let place = |text: String| text.parse::<usize>().unwrap_or_default();
    let picture = NodeRef::<svg::Svg>::new();
    let press = move |event: leptos::ev::MouseEvent| {
        let Some(element) = picture.get_untracked() else { return };
        let bounds = element.unchecked_ref::<web_sys::Element>().get_bounding_client_rect();
        let scale = SIZE.0 / bounds.width();
        let pressed = (
            (f64::from(event.client_x()) - bounds.left()) * scale,
            (f64::from(event.client_y()) - bounds.top()) * scale,
        );
        if let Some(run) = drawn.with_untracked(|drawn| nearest(drawn.as_ref()?, pressed)).and_then(Course::run) {
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
                label="Across"
                options=options
                value=Signal::derive(move || at(axes.get().0).to_string())
                on_change=move |id| axes.update(|axes| axes.0 = place(id))
            />
            <Select
                label="Up"
                options=options
                value=Signal::derive(move || at(axes.get().1).to_string())
                on_change=move |id| axes.update(|axes| axes.1 = place(id))
            />
        </div>
        <figure class="explore-figure">
            <svg
                node_ref=picture
                viewBox=format!("0 0 {} {}", SIZE.0, SIZE.1)
                role="img"
                aria-label="All settings that were tried, by two metrics; the table below has those that nothing beats"
                data-testid="explore-scatter"
                on:click=press
            >
                {svg}
            </svg>
            <figcaption class="quiet">
                <span class="explore-mark-tried">"●"</span> " tried  " <span class="explore-mark-front">"●"</span>
                " beaten by none, where chosen  " <span class="explore-mark-rest">"◇"</span>
                " the same, judged on the rest  " <span>"✚"</span>
                " baseline, and ✕ on the rest. A press on a point makes it a row of the comparison. "
                {move || (beyond() > 0).then(|| format!("{} far worse ones are beyond the picture.", beyond()))}
            </figcaption>
        </figure>
    }
}

/// What is drawn of these metrics, by their places; none where there is nothing.
fn draw(points: &[TriedValues], findings: Option<&Arc<Findings>>, (x, y): (usize, usize)) -> Option<Drawn> {
    let at = |values: &[Option<f64>]| Some((values.get(x).copied().flatten()?, values.get(y).copied().flatten()?));
    let tried: Vec<Option<(f64, f64)>> = points.iter().map(|values| at(values)).collect();
    let front: Vec<FrontPoints> = findings
        .iter()
        .flat_map(|found| &found.front)
        .filter_map(|member| Some((at(&member.values.chosen)?, at(&member.values.rest))))
        .collect();
    let baseline = findings.map_or([None, None], |found| [at(&found.baseline.chosen), at(&found.baseline.rest)]);
    let sure: Vec<(f64, f64)> =
        front.iter().flat_map(|(chosen, rest)| [Some(*chosen), *rest]).chain(baseline).flatten().collect();
    let range = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = tried.iter().flatten().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        let most = *values.get((values.len() as f64 * WITHIN) as usize).or(values.last())?;
        let (least, most) = sure.iter().map(of).fold((values[0], most), |(least, most), v| (least.min(v), most.max(v)));
        let margin = ((most - least) * 0.04).max(least.abs() * 1e-6).max(f64::MIN_POSITIVE);
        Some((least - margin, most + margin))
    };
    let frame = ScatterFrame { x: range(|point| point.0)?, y: range(|point| point.1)? };
    let beyond = tried.iter().flatten().filter(|point| !frame.holds(**point)).count();
    Some(Drawn { frame, tried, front, baseline, beyond })
}

/// The number of the setting whose point is nearest to a press; none where no point is near.
fn nearest(drawn: &Drawn, pressed: (f64, f64)) -> Option<usize> {
    let distance = |point: &(f64, f64)| {
        let (x, y) = drawn.frame.place(*point);
        (x - pressed.0).powi(2) + (y - pressed.1).powi(2)
    };
    // a point on the front covers what lies below it
    let is_front = |point: &(f64, f64)| drawn.front.iter().any(|(chosen, _)| chosen == point);
    let near = drawn.tried.iter().enumerate().filter_map(|(number, point)| Some((number, point.as_ref()?)));
    let near = near.map(|(number, point)| (!is_front(point), distance(point), number));
    let near = near.filter(|(_, distance, _)| *distance <= REACH * REACH);
    near.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(.., number)| number)
}

/// Round numbers within a range, some five of them.
fn ticks((from, to): (f64, f64), is_time: bool) -> Vec<f64> {
    const STEPS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1_800.0];
    let wanted = (to - from) / 5.0;
    let hours =
        [3_600.0, 7_200.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0, 172_800.0, 432_000.0, 864_000.0, 1_728_000.0];
    let step = if is_time && wanted > 1.0 {
        STEPS.iter().chain(&hours).copied().find(|step| *step >= wanted).unwrap_or(wanted)
    } else {
        let decade = libm::pow(10.0, libm::floor(libm::log10(wanted)));
        [1.0, 2.0, 5.0, 10.0].iter().map(|unit| unit * decade).find(|step| *step >= wanted).unwrap_or(wanted)
    };
    let first = libm::ceil(from / step) as i64;
    (first..first + 12).map(|n| n as f64 * step).take_while(|tick| *tick <= to).collect()
}

/// A round number without the zeros at its end.
fn number_text(tick: f64) -> String {
    let text = with_places(tick, 4);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A tick as a person reads it.
fn tick_text(metric: Metric, tick: f64) -> String {
    if metric.about().unit == "s" { value(metric, tick, TimeUnit::Fitting) } else { number_text(tick) }
}

fn contents(drawn: &Drawn, x: Metric, y: Metric) -> AnyView {
    let frame = drawn.frame;
    let (right, floor) = (SIZE.0 - EDGE, SIZE.1 - BELOW);
    let mut dots = String::new();
    for point in drawn.tried.iter().flatten().filter(|point| frame.holds(**point)) {
        let (x, y) = frame.place(*point);
        // writing to text does not fail
        let _ = write!(dots, "M{x:.1} {y:.1}h0");
    }
    let across = ticks(frame.x, x.about().unit == "s").into_iter().map(|tick| {
        let (at, _) = frame.place((tick, frame.y.0));
        view! {
            <line x1=at x2=at y1=EDGE y2=floor stroke="var(--border)"></line>
            <text x=at y={floor + 18.0} text-anchor="middle" font-size="14" fill="var(--text-muted)">{tick_text(x, tick)}</text>
        }
    });
    let up = ticks(frame.y, y.about().unit == "s").into_iter().map(|tick| {
        let (_, at) = frame.place((frame.x.0, tick));
        view! {
            <line x1=LEFT x2=right y1=at y2=at stroke="var(--border)"></line>
            <text x={LEFT - 6.0} y={at + 4.0} text-anchor="end" font-size="14" fill="var(--text-muted)">{tick_text(y, tick)}</text>
        }
    });
    let front = drawn.front.iter().map(|(chosen, rest)| {
        let (x, y) = frame.place(*chosen);
        let judged = rest.map(|rest| {
            let (rx, ry) = frame.place(rest);
            view! {
                <line x1=x y1=y x2=rx y2=ry stroke="var(--series-2)" stroke-opacity="0.35"></line>
                <path d=format!("M{rx:.1} {:.1}l5 5l-5 5l-5 -5z", ry - 5.0) fill="var(--surface)" stroke="var(--series-2)" stroke-width="1.5"></path>
            }
        });
        view! {
            {judged}
            <circle cx=x cy=y r="5" fill="var(--accent)" cursor="pointer" data-testid="explore-point"></circle>
        }
    });
    let [chosen, rest] = drawn.baseline;
    let cross = |point: Option<(f64, f64)>, path: &str| {
        point.map(|point| {
            let (x, y) = frame.place(point);
            view! { <path d=format!("M{x:.1} {y:.1}{path}") stroke="var(--text)" stroke-width="2.5" fill="none"></path> }
        })
    };
    view! {
        {across.collect_view()}
        {up.collect_view()}
        <path d=dots stroke="var(--border-strong)" stroke-width="4.5" stroke-linecap="round" stroke-opacity="0.55" cursor="pointer"></path>
        {front.collect_view()}
        {cross(chosen, "m-7 0h14m-7 -7v14")}
        {cross(rest, "m-5 -5l10 10m0 -10l-10 10")}
        <text x={(LEFT + right) / 2.0} y={SIZE.1 - 8.0} text-anchor="middle" font-size="14" fill="var(--text)">{x.about().name}</text>
        <text x="4" y={EDGE + 2.0} font-size="14" fill="var(--text)">{y.about().name}</text>
    }
}
