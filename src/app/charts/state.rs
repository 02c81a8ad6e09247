//! What a chart on the page is at: its size, what is chosen, where the crosshair is.

use super::theme::chart_theme;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::{Drawing, Figure, FigureView, Heading, Hit, Legend, Plot, Reading, Sheet, draw};
use crate::study::Run;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How near the pointer must be to find a line or a point, pixels.
pub const REACH: f64 = 24.0;

/// A chart on the page. Copied freely: it holds only signals.
#[derive(Clone, Copy)]
pub struct ChartState {
    /// What it shows.
    pub figure: Signal<Arc<Figure>>,
    /// Width of the place it has, pixels; 0 until that is known.
    pub width: RwSignal<f64>,
    /// The stretch of x zoomed to.
    pub zoom: RwSignal<Option<(f64, f64)>>,
    /// Names of the series that are switched off.
    pub hidden: RwSignal<BTreeSet<String>>,
    /// Whether x has its other scale.
    pub other_x: RwSignal<bool>,
    /// Whether y has its other scale.
    pub other_y: RwSignal<bool>,
    /// Where the crosshair is.
    pub cursor: RwSignal<Option<Cursor>>,
    /// The figure drawn; none until the width is known.
    pub drawing: Memo<Option<Arc<Drawing>>>,
}

/// Where the crosshair is, pixels of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// From the left.
    pub x: f64,
    /// From the top; none where the keyboard put it.
    pub y: Option<f64>,
}

/// What is read at the crosshair.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// All series at one x.
    Readings(f64, Vec<Reading>),
    /// A point or box.
    Thing(Hit),
}

impl ChartState {
    /// Of a chart of `figure`, whose zoom is kept in `zoom`, about `height` times as high as wide.
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
                height: (width * height).clamp(200.0, 380.0),
                legend: Legend::Apart,
                heading: Heading::Apart,
            };
            theme.with(|theme| (width > 0.0).then(|| Arc::new(draw(&figure, &view, sheet, theme))))
        };
        // drawn anew only when something changed, so a new drawing always differs
        let drawing = Memo::new_with_compare(move |_| drawn(), |_, _| true);
        ChartState { figure, width, zoom, hidden, other_x, other_y, cursor: RwSignal::new(None), drawing }
    }

    /// What the plot has, where there is one; tracks the drawing.
    pub fn with_plot<T>(self, read: impl FnOnce(&Plot) -> T) -> Option<T> {
        self.drawing.with(|drawing| drawing.as_ref().map(|drawing| read(&drawing.plot)))
    }

    /// The same without tracking, for answers to events.
    pub fn with_plot_now<T>(self, read: impl FnOnce(&Plot) -> T) -> Option<T> {
        self.drawing.with_untracked(|drawing| drawing.as_ref().map(|drawing| read(&drawing.plot)))
    }

    /// What is at the crosshair.
    pub fn found(self) -> Option<Found> {
        let cursor = self.cursor.get()?;
        self.with_plot(|plot| {
            let is_scattered = |&i: &usize| plot.figure.series[i].data.is_scattered();
            if plot.visible.iter().any(is_scattered) {
                return plot.nearest(cursor.x, cursor.y?, REACH).map(Found::Thing);
            }
            let x = plot.to_value(cursor.x, 0.0).0;
            let readings = plot.read_at(x);
            (!readings.is_empty()).then_some(Found::Readings(x, readings))
        })?
    }

    /// The point or box at a pixel of the sheet.
    pub fn hit_at(self, x: f64, y: f64) -> Option<Hit> {
        self.with_plot_now(|plot| plot.nearest(x, y, REACH / 2.0))?
    }

    /// The run of a point or box.
    pub fn run_of(self, hit: Hit) -> Option<Run> {
        self.with_plot_now(|plot| plot.figure.series[hit.series].run.clone())?
    }
}
