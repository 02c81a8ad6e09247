//! Several figures as one: panels side by side and below each other, marked (a), (b), ...

use super::layout::{TEXT, TICK_TEXT, TITLE_TEXT, fitted, is_xml, width_of};
use super::{Drawing, Figure, Plot, Rgb, Span, Theme, escaped};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{DashedPathElement, PathElement, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, RGBColor, ShapeStyle, TextStyle};
use std::fmt::Write;

/// The gap between panels, pixels of the sheet.
pub(super) const GAP: f64 = 12.0;

/// The height of the mark above a panel, pixels.
const MARK: f64 = 18.0;

/// One or several drawings on one sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// An SVG document.
    pub svg: String,
    /// The width, pixels.
    pub width: f64,
    /// The height, pixels.
    pub height: f64,
    pub panels: Vec<Panel>,
}

/// A plot and its position on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub plot: Plot,
    /// Its upper left corner, pixels of the sheet.
    pub at: (f64, f64),
    /// The mark `(a)`, `(b)`, ...; `None` for a single panel.
    pub mark: Option<String>,
}

impl Panel {
    /// The position of the mark: its left end on the baseline of the text, pixels of the sheet.
    pub fn mark_at(&self) -> (f64, f64) {
        (self.at.0, self.at.1 - MARK + TITLE_TEXT)
    }
}

impl Panels {
    /// Arranges drawings of equal width row by row, `columns` of them in each row.
    pub fn of(drawings: Vec<Drawing>, columns: usize, theme: &Theme) -> Self {
        if let [Drawing { svg, plot }] = drawings.as_slice() {
            let panel = Panel { plot: plot.clone(), at: (0.0, 0.0), mark: None };
            return Panels {
                svg: svg.clone(),
                width: plot.sheet.width,
                height: plot.sheet.height,
                panels: vec![panel],
            };
        }
        let columns = columns.clamp(1, drawings.len().max(1));
        let (mut width, mut height): (f64, f64) = (0.0, 0.0);
        // a row is as high as its highest drawing
        let highest = |row: &[Drawing]| row.iter().map(|drawing| drawing.plot.sheet.height).fold(0.0, f64::max);
        let mut tops = vec![0.0];
        for row in drawings.chunks(columns) {
            tops.push(tops[tops.len() - 1] + highest(row) + MARK + GAP);
        }
        let mut body = String::new();
        let mut panels = Vec::with_capacity(drawings.len());
        for (place, Drawing { svg, plot }) in drawings.into_iter().enumerate() {
            let (column, row) = ((place % columns) as f64, place / columns);
            let at = (column * (plot.sheet.width + GAP), tops[row] + MARK);
            width = width.max(at.0 + plot.sheet.width);
            height = height.max(at.1 + plot.sheet.height);
            let panel = Panel { mark: Some(mark(place)), plot, at };
            let ((x, y), mark) = (panel.mark_at(), mark(place));
            let (text, face) = (theme.text, theme.typeface.family());
            let _ = writeln!(
                body,
                "<text x=\"{x}\" y=\"{y}\" font-family=\"{face}\" font-size=\"{TITLE_TEXT}\" fill=\"{text}\">{mark}</text>"
            );
            // a document inside a document needs only its position
            body.push_str(&svg.replacen("<svg ", &format!("<svg x=\"{}\" y=\"{}\" ", at.0, at.1), 1));
            panels.push(panel);
        }
        let titles: Vec<&str> = panels.iter().map(|panel| panel.plot.figure.title.as_str()).collect();
        let title = escaped(&titles.join("; "));
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n{body}</svg>\n"
        );
        Panels { svg, width, height, panels }
    }

    pub fn title(&self) -> String {
        self.panels.iter().map(|panel| panel.plot.figure.title.as_str()).collect::<Vec<_>>().join("; ")
    }
}

fn mark(place: usize) -> String {
    // 26 letters suffice: a page does not hold that many panels
    let letter = char::from(b'a' + (place % 26) as u8);
    format!("({letter})")
}

// The legend inside a drawing that is saved.

/// The length of the line before a name, pixels.
pub const SWATCH: f64 = 20.0;

/// The largest number of rows: more would leave no room for the plot.
const MOST_ROWS: usize = 6;

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendItem {
    /// The index of the series; `None` for words about all series.
    pub series: Option<usize>,
    pub text: String,
    /// The left edge, pixels from the left.
    pub left: f64,
}

/// The names of the `visible` series in rows of `width` pixels; empty if there is only one series.
pub fn entries(figure: &Figure, visible: &[usize], width: f64) -> Vec<Vec<LegendItem>> {
    // points and boxes have their names beside them
    let named: Vec<usize> = visible.iter().copied().filter(|&i| !figure.series[i].data.is_scattered()).collect();
    if visible.len() < 2 || named.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<Vec<LegendItem>> = vec![Vec::new()];
    let mut left = 4.0;
    if !figure.common.is_empty() {
        let text = fitted(&format!("{}:", figure.common), TEXT, width - 8.0);
        left += width_of(&text, TEXT) + 12.0;
        rows[0].push(LegendItem { series: None, text, left: 4.0 });
    }
    for (nth, &i) in named.iter().enumerate() {
        let text = fitted(&figure.series[i].name, TEXT, width - SWATCH - 24.0);
        let needed = SWATCH + 6.0 + width_of(&text, TEXT) + 16.0;
        if left > 4.0 && left + needed > width {
            if rows.len() == MOST_ROWS {
                let text = format!("and {} more", named.len() - nth);
                rows.push(vec![LegendItem { series: None, text, left: 4.0 }]);
                return rows;
            }
            rows.push(Vec::new());
            left = 4.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(LegendItem { series: Some(i), text, left });
        }
        left += needed;
    }
    rows
}

/// Words in rows of `width` pixels.
pub fn words(words: &[String], width: f64) -> Vec<Vec<LegendItem>> {
    let mut rows: Vec<Vec<LegendItem>> = Vec::new();
    let mut left = width;
    for word in words {
        let text = fitted(word, TEXT, width - 8.0);
        let needed = width_of(&text, TEXT) + 12.0;
        if left + needed > width {
            rows.push(Vec::new());
            left = 4.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(LegendItem { series: None, text, left });
        }
        left += needed;
    }
    rows
}

// The board on which a plot is painted: lengths, styles, lines and words in pixels of the sheet.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FigureView, Printing, draw};
    use packfair_workload::Unit;
    use std::sync::Arc;

    #[test]
    fn panels_stand_in_rows_and_are_marked_unless_alone() {
        let printing = Printing::default();
        let theme = printing.theme();
        let figure = Arc::new(crate::kinds::wait_map("EASY", &[], 0.0, Unit::Processors));
        let drawing = || draw(&figure, &FigureView::default(), printing.sheet(1), &theme);
        let sheet = printing.sheet(1);
        let alone = Panels::of(vec![drawing()], 2, &theme);
        assert_eq!((alone.width, alone.height, alone.panels[0].at), (sheet.width, sheet.height, (0.0, 0.0)));
        assert_eq!(alone.panels[0].mark, None);
        let three = Panels::of(vec![drawing(), drawing(), drawing()], 2, &theme);
        let marks: Vec<_> = three.panels.iter().filter_map(|panel| panel.mark.as_deref()).collect();
        assert_eq!(marks, ["(a)", "(b)", "(c)"]);
        assert_eq!(three.panels[1].at, (sheet.width + GAP, MARK));
        assert_eq!(three.panels[2].at, (0.0, sheet.height + 2.0 * MARK + GAP));
        assert!(three.width > 2.0 * sheet.width && three.height > 2.0 * sheet.height);
        assert_eq!(three.svg.matches("<svg ").count(), 4);
    }
}
