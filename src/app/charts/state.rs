//! The state of a chart on the page: its size, the user's choices, and the crosshair.

use super::theme::chart_theme;
use crate::app::prelude::*;
use crate::app::state::App;
use packfair_chart::{Drawing, Figure, FigureView, Heading, Hit, Legend, Plot, Reading, Sheet, draw};
use packfair_study::Run;
use std::collections::BTreeSet;
use std::sync::Arc;

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
