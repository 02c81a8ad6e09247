//! How a figure leaves the page for a paper or a talk.

use super::panels::GAP as PANEL_GAP;
use super::{Figure, Heading, Ink, Legend, Sheet, Theme, Typeface, escaped};
use crate::study::Study;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Pixels of CSS for an inch.
pub const PIXELS_PER_INCH: f64 = 96.0;

/// Where a study's figures come from, for who finds a file later: log with fingerprint, schedulers, version.
pub fn origin(study: &Study) -> String {
    let source = study.source.key();
    let schedulers: Vec<String> = study.schedulers.iter().map(ToString::to_string).collect();
    format!("{source}; {}; Packfair {}", schedulers.join(", "), env!("CARGO_PKG_VERSION"))
}

/// The same drawing with a description of its [`origin`].
pub fn with_origin(svg: &str, origin: &str) -> String {
    let description = format!("</title>\n<desc>{}</desc>", escaped(origin));
    svg.replacen("</title>", &description, 1)
}

/// How wide a printed figure is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrintWidth {
    /// A column of a page with two: 3.5 inches.
    #[default]
    OneColumn,
    /// Both columns: 7.16 inches.
    TwoColumns,
    /// A slide of a talk: 10 inches, and letters to match.
    Slide,
}

impl PrintWidth {
    /// All of them.
    pub const ALL: [PrintWidth; 3] = [PrintWidth::OneColumn, PrintWidth::TwoColumns, PrintWidth::Slide];

    /// Width in inches, and height as a share of it.
    fn inches(self) -> (f64, f64) {
        match self {
            PrintWidth::OneColumn => (3.5, 0.68),
            PrintWidth::TwoColumns => (7.16, 0.45),
            PrintWidth::Slide => (10.0, 0.52),
        }
    }

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            PrintWidth::OneColumn => "one-column",
            PrintWidth::TwoColumns => "two-columns",
            PrintWidth::Slide => "slide",
        }
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            PrintWidth::OneColumn => "One column (3.5 in)",
            PrintWidth::TwoColumns => "Two columns (7.16 in)",
            PrintWidth::Slide => "Slide (10 in)",
        }
    }
}

/// What a person chose for figures that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Printing {
    /// How wide they are.
    pub width: PrintWidth,
    /// Their letters.
    pub typeface: Typeface,
    /// Whether the title stands above the plot; else a caption says it.
    pub has_title: bool,
    /// Whether there are colours; else lines are told apart by their patterns.
    pub has_colours: bool,
    /// Pixels of a PNG for an inch.
    pub resolution: u32,
    /// How many panels stand beside each other, where there are several.
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
    /// What a figure of so many panels draws each of them on. A pixel is one of CSS; letters are 8 to 9 points high in
    /// a paper.
    pub fn sheet(&self, panels: usize) -> Sheet {
        let (all, height) = self.width.inches();
        let columns = self.columns.clamp(1, panels.max(1)) as f64;
        let width = (all * PIXELS_PER_INCH - (columns - 1.0) * PANEL_GAP) / columns;
        // a panel that is narrow is as high as a figure in one column
        let height = if columns > 1.0 { height.max(PrintWidth::OneColumn.inches().1) } else { height };
        Sheet {
            width,
            height: width * height,
            legend: Legend::Below,
            heading: if self.has_title { Heading::Above } else { Heading::Apart },
        }
    }

    /// Its colours, line patterns and letters.
    pub fn theme(&self) -> Theme {
        let theme = if self.has_colours { Theme::LIGHT } else { Theme::GREY };
        Theme { typeface: self.typeface, ..theme }
    }

    /// The figure as it is printed: without colours its series have the patterns in their order, whatever their colours
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

    /// Pixels of a PNG for one of the sheet.
    pub fn density(&self) -> f64 {
        f64::from(self.resolution) / PIXELS_PER_INCH
    }
}
