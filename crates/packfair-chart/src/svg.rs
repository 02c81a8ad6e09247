//! Drawings as SVG, with a group for each series.

use super::board::board;
use super::paint;
use super::text::escaped;
use super::{Figure, FigureView, Plot, Sheet, Theme};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::SVGBackend;
use std::fmt::Write;
use std::sync::Arc;

/// The number of SVG units per pixel. Plotters' coordinates are whole numbers; a tenth of a pixel is finer than any
/// screen.
const DENSITY: f64 = 10.0;

/// A figure as SVG, and the layout of its content.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// An SVG document. Each series is a `<g data-series="its index">`; the background is transparent.
    pub svg: String,
    /// The layout, which translates between pixels and values.
    pub plot: Plot,
}

/// Draws `figure` on `sheet` according to `view`.
pub fn draw(figure: &Arc<Figure>, view: &FigureView, sheet: Sheet, theme: &Theme) -> Drawing {
    let plot = Plot::lay_out(figure, view, sheet);
    let Sheet { width, height, .. } = plot.sheet;
    let size = ((width * DENSITY).round() as u32, (height * DENSITY).round() as u32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\">\n",
        size.0, size.1
    );
    let title = &figure.title;
    let _ = writeln!(svg, "<title>{}</title>", escaped(title));
    let frame = layer(size, |area| {
        let _ = paint::frame(&board(area, &plot, theme));
    });
    let _ = writeln!(svg, "<g class=\"frame\">\n{frame}</g>");
    for &i in &plot.visible {
        let body = layer(size, |area| {
            let _ = paint::series(&board(area, &plot, theme), i, None);
        });
        let dashes = theme
            .pattern(figure.series[i].ink)
            .map(|(dash, gap)| format!(" stroke-dasharray=\"{} {}\"", dash * DENSITY, gap * DENSITY))
            .unwrap_or_default();
        let _ = writeln!(svg, "<g data-series=\"{i}\" stroke-linejoin=\"round\"{dashes}>\n{body}</g>");
    }
    let front = layer(size, |area| {
        let _ = paint::front(&board(area, &plot, theme));
    });
    let _ = writeln!(svg, "<g class=\"front\">\n{front}</g>\n</svg>");
    Drawing { svg, plot }
}

/// The output of `paint` as SVG elements, without the document around them.
///
/// Painting into a string cannot fail, so callers need not look at its results.
fn layer(size: (u32, u32), paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>)) -> String {
    let mut document = String::new();
    {
        let area = SVGBackend::with_string(&mut document, size).into_drawing_area();
        paint(&area);
        let _ = area.present();
    }
    let begin = document.find('>').map_or(0, |i| i + 1);
    let end = document.rfind("</svg>").unwrap_or(document.len());
    document.get(begin..end).unwrap_or_default().trim_start().to_owned()
}
