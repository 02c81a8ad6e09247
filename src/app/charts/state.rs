//! The state of a chart on the page: its size, the user's choices, and the crosshair.

use super::charted::summary;
use crate::app::prelude::*;
use crate::app::state::{App, ThemeChoice as PageTheme};
use leptos::task::spawn_local;
use packfair_chart::{Drawing, Figure, FigureView, Heading, Hit, Legend, Plot, Reading, Sheet, Theme, draw};
use packfair_study::Run;
use packfair_study::query::{Answer, LearnedSizes, Query};
use std::collections::BTreeSet;
use std::sync::Arc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// How close the pointer must be to a line or a point to find it, pixels.
pub const REACH: f64 = 24.0;

/// The height of the lowest and of the highest drawing, pixels; the style of `.chart-canvas` keeps their room.
const LOWEST: f64 = 200.0;
const HIGHEST: f64 = 380.0;

/// A chart on the page. It is cheap to copy, since it holds only signals.
#[derive(Clone, Copy)]
pub struct ChartState {
    pub figure: Signal<Arc<Figure>>,
    /// The width of its place, pixels; 0 until it is known.
    pub width: RwSignal<f64>,
    /// The zoomed range of x.
    pub zoom: RwSignal<Option<(f64, f64)>>,
    pub hidden: RwSignal<BTreeSet<String>>,
    /// Whether the x axis has its alternative scale.
    pub other_x: RwSignal<bool>,
    /// Whether the y axis has its alternative scale.
    pub other_y: RwSignal<bool>,
    /// The position of the crosshair.
    pub cursor: RwSignal<Option<Cursor>>,
    /// The height as a share of the width, as far as it is within [`LOWEST`] and [`HIGHEST`].
    pub height: f64,
    /// The drawn figure; `None` until the width is known.
    pub drawing: Memo<Option<Arc<Drawing>>>,
}

/// The position of the crosshair, pixels of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// The distance from the left edge.
    pub x: f64,
    /// The distance from the top edge; `None` if the keyboard moved the crosshair.
    pub y: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CrosshairHit {
    Readings(f64, Vec<Reading>),
    /// A point or box.
    Thing(Hit),
}

impl ChartState {
    /// The state of a chart of `figure` that is about `height` times as high as wide. `zoom` holds its zoomed range.
    pub fn new(figure: Signal<Arc<Figure>>, zoom: RwSignal<Option<(f64, f64)>>, height: f64) -> Self {
        let app = expect_context::<App>();
        let theme = chart_theme(app);
        let width = RwSignal::new(0.0);
        let hidden = RwSignal::new(BTreeSet::new());
        let (other_x, other_y) = (RwSignal::new(false), RwSignal::new(false));
        let drawn = move || {
            let width = width.get();
            let figure = figure.get();
            let is_hidden =
                |i: &usize| hidden.with(|hidden: &BTreeSet<String>| hidden.contains(&figure.series[*i].name));
            let view = FigureView {
                x: zoom.get(),
                x_scale: figure.x.other_scale.filter(|_| other_x.get()),
                y_scale: figure.y.other_scale.filter(|_| other_y.get()),
                hidden: (0..figure.series.len()).filter(is_hidden).collect(),
            };
            let sheet = Sheet {
                width,
                height: (width * height).clamp(LOWEST, HIGHEST),
                legend: Legend::Apart,
                heading: Heading::Apart,
            };
            theme.with(|theme| (width > 0.0).then(|| Arc::new(draw(&figure, &view, sheet, theme))))
        };
        // this is computed only after a change, so a new drawing always differs from the previous one
        let drawing = Memo::new_with_compare(move |_| drawn(), |_, _| true);
        ChartState { figure, width, zoom, hidden, other_x, other_y, cursor: RwSignal::new(None), height, drawing }
    }

    /// Reads from the plot, if there is one, and subscribes to the drawing.
    pub fn with_plot<T>(self, read: impl FnOnce(&Plot) -> T) -> Option<T> {
        self.drawing.with(|drawing| drawing.as_ref().map(|drawing| read(&drawing.plot)))
    }

    /// Like [`ChartState::with_plot`] but without a subscription, for event handlers.
    pub fn with_plot_now<T>(self, read: impl FnOnce(&Plot) -> T) -> Option<T> {
        self.drawing.with_untracked(|drawing| drawing.as_ref().map(|drawing| read(&drawing.plot)))
    }

    pub fn found(self) -> Option<CrosshairHit> {
        let cursor = self.cursor.get()?;
        self.with_plot(|plot| {
            let is_scattered = |&i: &usize| plot.figure.series[i].data.is_scattered();
            if plot.visible.iter().any(is_scattered) {
                return plot.nearest(cursor.x, cursor.y?, REACH).map(CrosshairHit::Thing);
            }
            let x = plot.to_value(cursor.x, 0.0).0;
            let readings = plot.read_at(x);
            (!readings.is_empty()).then_some(CrosshairHit::Readings(x, readings))
        })?
    }

    /// The point or box at a pixel of the sheet.
    pub fn hit_at(self, x: f64, y: f64) -> Option<Hit> {
        self.with_plot_now(|plot| plot.nearest(x, y, REACH / 2.0))?
    }

    /// The run to which a point or box belongs.
    pub fn run_of(self, hit: Hit) -> Option<Run> {
        self.with_plot_now(|plot| plot.figure.series[hit.series].run.clone())?
    }
}

// The charts on the page, so that several can be printed as one figure.

/// The charts in the document, in the order in which they were added.
#[derive(Clone, Copy, Default)]
pub struct ShownCharts(RwSignal<Vec<ChartState>>);

impl ShownCharts {
    /// Adds a chart for as long as its view exists.
    pub fn add(self, chart: ChartState) {
        self.0.update(|charts| charts.push(chart));
        on_cleanup(move || {
            // the page itself may be gone
            let _ = self.0.try_update(|charts| charts.retain(|other| other.width != chart.width));
        });
    }

    /// All charts except this one.
    pub fn but(self, chart: ChartState) -> Vec<ChartState> {
        self.0.with(|charts| charts.iter().copied().filter(|other| other.width != chart.width).collect())
    }
}

// The small and large jobs of the active log, as the workers classify them.

/// What can be learned from the active log about job sizes, while `is_wanted` holds. Asked again when the log changes.
pub fn sizes(app: App, is_wanted: Memo<bool>) -> RwSignal<Option<Arc<LearnedSizes>>> {
    let summary = summary(app);
    let sizes = RwSignal::new(None);
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let is_there = summary.with(Option::is_some) && is_wanted.get();
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        sizes.set(None);
        if !is_there {
            return;
        }
        spawn_local(async move {
            // the answer may be late: another workload may be shown by now, or the view is gone
            if let Ok(Answer::Sizes(known)) = app.ask(Query::Sizes).await
                && round.try_get_value() == Some(number)
            {
                sizes.set(Some(Arc::new(known)));
            }
        });
    });
    sizes
}

// The colours of charts, which follow the page's theme.

/// The present colours. They follow the page's switch and the system.
pub fn chart_theme(app: App) -> Memo<Theme> {
    let system_is_dark = system_is_dark();
    Memo::new(move |_| match app.theme.get() {
        PageTheme::Light => Theme::LIGHT,
        PageTheme::Dark => Theme::DARK,
        PageTheme::System if system_is_dark.get() => Theme::DARK,
        PageTheme::System => Theme::LIGHT,
    })
}

fn system_is_dark() -> RwSignal<bool> {
    let query = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let is_dark = RwSignal::new(query.as_ref().is_some_and(|query| query.matches()));
    let Some(query) = query else { return is_dark };
    let listened = query.clone();
    let on_change = Closure::<dyn FnMut(JsValue)>::new(move |_| is_dark.set(listened.matches()));
    // if the listener cannot be added, the initial theme stays
    let _ = query.add_event_listener_with_callback("change", on_change.as_ref().unchecked_ref());
    let kept = StoredValue::new_local((query, on_change));
    on_cleanup(move || {
        kept.try_with_value(|(query, on_change)| {
            let _ = query.remove_event_listener_with_callback("change", on_change.as_ref().unchecked_ref());
        });
    });
    is_dark
}
