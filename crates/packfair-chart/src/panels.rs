//! Several figures as one: panels side by side and below each other, marked (a), (b), ...

use super::text::TITLE_TEXT;
use super::{Drawing, Plot, Theme, escaped};
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
