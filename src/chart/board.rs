//! The board on which a plot is painted: lengths, styles, lines and words in pixels of the sheet.

use super::text::{TICK_TEXT, is_xml, width_of};
use super::{Plot, Rgb, Span, Theme};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{DashedPathElement, PathElement, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, RGBColor, ShapeStyle, TextStyle};

/// Plotters' SVG back end divides font sizes by this factor.
const FONT_SCALE: f64 = 1.24;

/// The error of a back end that could not draw.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// Everything that is needed to paint a plot.
pub struct Board<'a, DB: DrawingBackend> {
    pub sheet: &'a DrawingArea<DB, Shift>,
    /// The inside of the plot, in the figure's own values.
    pub inside: DrawingArea<DB, Cartesian2d<Span, Span>>,
    /// The number of back-end pixels for each pixel of the sheet.
    pub density: f64,
    pub plot: &'a Plot,
    pub theme: &'a Theme,
}

/// The position of a word relative to its point.
#[derive(Clone, Copy)]
pub struct Anchor(pub HPos, pub VPos);

impl<DB: DrawingBackend> Board<'_, DB> {
    pub(super) fn unit(&self, v: f64) -> i32 {
        (v * self.density).round() as i32
    }

    pub fn stroke(&self, colour: Rgb, opacity: f64, width: f64) -> ShapeStyle {
        let color = RGBColor(colour.0, colour.1, colour.2).mix(opacity);
        ShapeStyle { color, filled: false, stroke_width: self.unit(width).max(1) as u32 }
    }

    pub fn fill(&self, colour: Rgb, opacity: f64) -> ShapeStyle {
        RGBColor(colour.0, colour.1, colour.2).mix(opacity).filled()
    }

    /// A length in pixels of the back end.
    pub fn length(&self, pixels: f64) -> u32 {
        self.unit(pixels).max(1) as u32
    }

    /// Paints a line through points of the sheet.
    pub fn line(&self, points: &[(f64, f64)], style: ShapeStyle) -> Result<(), DrawError<DB>> {
        let points: Vec<(i32, i32)> = points.iter().map(|&(x, y)| (self.unit(x), self.unit(y))).collect();
        self.sheet.draw(&PathElement::new(points, style))
    }

    /// Paints a line through points of the figure, dashed if `dashes` says so.
    pub fn path(
        &self,
        points: Vec<(f64, f64)>,
        style: ShapeStyle,
        dashes: Option<(f64, f64)>,
    ) -> Result<(), DrawError<DB>> {
        match dashes {
            None => self.inside.draw(&PathElement::new(points, style)),
            Some((dash, gap)) => {
                let (dash, gap) = (self.unit(dash).max(1), self.unit(gap).max(1));
                self.inside.draw(&DashedPathElement::new(points, dash, gap, style))
            }
        }
    }

    /// Paints a word at a point of the sheet.
    pub fn word(
        &self,
        text: &str,
        (x, y): (f64, f64),
        size: f64,
        colour: Rgb,
        anchor: Anchor,
    ) -> Result<(), DrawError<DB>> {
        if text.is_empty() {
            return Ok(());
        }
        let colour = RGBColor(colour.0, colour.1, colour.2);
        let font = (FontFamily::Name(self.theme.typeface.family()), size * self.density * FONT_SCALE);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(anchor.0, anchor.1));
        // names come from logs: characters that XML does not allow must not get into an SVG
        let text: String = text.chars().filter(|&c| is_xml(c)).collect();
        self.sheet.draw(&Text::new(text, (self.unit(x), self.unit(y)), style))
    }
}

impl<DB: DrawingBackend> Board<'_, DB> {
    /// Paints a small word whose left end is at a point of the sheet, on a background that keeps it readable.
    pub(super) fn word_on_ground(
        &self,
        text: &str,
        (left, middle): (f64, f64),
        colour: Rgb,
    ) -> Result<(), DrawError<DB>> {
        if text.is_empty() {
            return Ok(());
        }
        let (width, half) = (width_of(text, TICK_TEXT), TICK_TEXT * 0.6);
        let corner = |x: f64, y: f64| (self.unit(x), self.unit(y));
        let corners = [corner(left - 2.0, middle - half), corner(left + width + 2.0, middle + half)];
        self.sheet.draw(&Rectangle::new(corners, self.fill(self.theme.surface, 0.8)))?;
        self.word(text, (left, middle), TICK_TEXT, colour, Anchor(HPos::Left, VPos::Center))
    }
}

/// Everything that is needed to paint `plot` on `area`.
pub fn board<'a, DB: DrawingBackend>(
    area: &'a DrawingArea<DB, Shift>,
    plot: &'a Plot,
    theme: &'a Theme,
) -> Board<'a, DB> {
    let density = f64::from(area.dim_in_pixel().0) / plot.sheet.width;
    let unit = |v: f64| (v * density).round() as i32;
    let rect = &plot.rect;
    let places = (unit(rect.left)..unit(rect.right()), unit(rect.bottom())..unit(rect.top));
    let inside = area.apply_coord_spec(Cartesian2d::new(plot.x, plot.y, places));
    Board { sheet: area, inside, density, plot, theme }
}
