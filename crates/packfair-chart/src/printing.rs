//! Preparing figures for a paper or a talk.

use super::panels::{GAP as PANEL_GAP, board};
use super::{Figure, FigureView, Heading, Ink, Legend, Plot, Sheet, Theme, Typeface, escaped, paint};
use packfair_study::Study;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::SVGBackend;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::sync::Arc;

/// The number of CSS pixels per inch.
pub const PIXELS_PER_INCH: f64 = 96.0;

/// The origin of a study's figures, for anyone who finds a file later: log with fingerprint, schedulers, version.
pub fn origin(study: &Study) -> String {
    let source = study.source.key();
    let schedulers: Vec<String> = study.schedulers.iter().map(ToString::to_string).collect();
    format!("{source}; {}; Packfair {}", schedulers.join(", "), env!("CARGO_PKG_VERSION"))
}

/// The same SVG with a description of its [`origin`].
pub fn with_origin(svg: &str, origin: &str) -> String {
    let description = format!("</title>\n<desc>{}</desc>", escaped(origin));
    svg.replacen("</title>", &description, 1)
}

/// The width of a printed figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrintWidth {
    /// A column of a page with two: 3.5 inches.
    #[default]
    OneColumn,
    /// Both columns: 7.16 inches.
    TwoColumns,
    /// A slide of a talk: 10 inches, with letters to match.
    Slide,
}

impl PrintWidth {
    pub const ALL: [PrintWidth; 3] = [PrintWidth::OneColumn, PrintWidth::TwoColumns, PrintWidth::Slide];

    /// The width in inches, and the height as a fraction of the width.
    fn inches(self) -> (f64, f64) {
        match self {
            PrintWidth::OneColumn => (3.5, 0.68),
            PrintWidth::TwoColumns => (7.16, 0.45),
            PrintWidth::Slide => (10.0, 0.52),
        }
    }

    /// The stable id.
    pub fn id(self) -> &'static str {
        match self {
            PrintWidth::OneColumn => "one-column",
            PrintWidth::TwoColumns => "two-columns",
            PrintWidth::Slide => "slide",
        }
    }

    /// The name to display.
    pub fn name(self) -> &'static str {
        match self {
            PrintWidth::OneColumn => "One column (3.5 in)",
            PrintWidth::TwoColumns => "Two columns (7.16 in)",
            PrintWidth::Slide => "Slide (10 in)",
        }
    }
}

/// The user's choices for printed figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Printing {
    pub width: PrintWidth,
    pub typeface: Typeface,
    /// Whether the title stands above the plot; if not, a caption gives it.
    pub has_title: bool,
    /// Whether figures have colours; if not, line patterns distinguish the series.
    pub has_colours: bool,
    /// The resolution of PNG files, pixels per inch.
    pub resolution: u32,
    /// The number of panels in a row, if there are several.
    pub columns: usize,
}

impl Default for Printing {
    fn default() -> Self {
        Printing {
            width: PrintWidth::OneColumn,
            typeface: Typeface::Sans,
            has_title: false,
            has_colours: true,
            resolution: 300,
            columns: 2,
        }
    }
}

impl Printing {
    /// The sheet on which each of `panels` panels is drawn. Its pixels are CSS pixels; in a paper, letters are 8 to 9
    /// points high.
    pub fn sheet(&self, panels: usize) -> Sheet {
        let (all, height) = self.width.inches();
        let columns = self.columns.clamp(1, panels.max(1)) as f64;
        let width = (all * PIXELS_PER_INCH - (columns - 1.0) * PANEL_GAP) / columns;
        // a narrow panel is as high as a figure in one column
        let height = if columns > 1.0 { height.max(PrintWidth::OneColumn.inches().1) } else { height };
        Sheet {
            width,
            height: width * height,
            legend: Legend::Below,
            heading: if self.has_title { Heading::Above } else { Heading::Apart },
        }
    }

    /// The colours, line patterns and typeface.
    pub fn theme(&self) -> Theme {
        let theme = if self.has_colours { Theme::LIGHT } else { Theme::GREY };
        Theme { typeface: self.typeface, ..theme }
    }

    /// The figure as it is printed. Without colours, its series get the line patterns in order, whatever their colours
    /// were.
    pub fn inked(&self, figure: &Arc<Figure>) -> Arc<Figure> {
        if self.has_colours {
            return figure.clone();
        }
        let mut figure = Figure::clone(figure);
        let mut met: Vec<usize> = Vec::new();
        for series in &mut figure.series {
            if let Ink::Series(number) = series.ink {
                let place = met.iter().position(|&other| other == number).unwrap_or_else(|| {
                    met.push(number);
                    met.len() - 1
                });
                series.ink = Ink::Series(place);
            }
        }
        Arc::new(figure)
    }

    /// The number of PNG pixels for each pixel of the sheet.
    pub fn density(&self) -> f64 {
        f64::from(self.resolution) / PIXELS_PER_INCH
    }
}

// Drawings as SVG, with a group for each series.

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
