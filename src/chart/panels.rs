//! Several figures as one: panels beside and below each other, marked (a), (b), ...

use super::layout::TITLE_TEXT;
use super::{Drawing, Plot, Theme, escaped};
use std::fmt::Write;

/// Between panels, pixels of the sheet.
pub(super) const GAP: f64 = 12.0;

/// Where a panel's mark stands above its panel, pixels.
const MARK: f64 = 18.0;

/// One or several drawings on one sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// An SVG document.
    pub svg: String,
    /// Pixels.
    pub width: f64,
    /// Pixels.
    pub height: f64,
    /// Each panel.
    pub panels: Vec<Panel>,
}

/// A plot and where it lies on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is drawn.
    pub plot: Plot,
    /// Its upper left corner, pixels of the sheet.
    pub at: (f64, f64),
    /// `(a)`, `(b)`, ...; none where it stands alone.
    pub mark: Option<String>,
}

impl Panel {
    /// Where its mark begins, on the line that letters stand on; pixels of the sheet.
    pub fn mark_at(&self) -> (f64, f64) {
        (self.at.0, self.at.1 - MARK + TITLE_TEXT)
    }
}

impl Panels {
    /// Of drawings of equal size, row by row, so many beside each other.
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
        let mut body = String::new();
        let mut panels = Vec::with_capacity(drawings.len());
        for (place, Drawing { svg, plot }) in drawings.into_iter().enumerate() {
            let (column, row) = ((place % columns) as f64, (place / columns) as f64);
            let at = (column * (plot.sheet.width + GAP), row * (plot.sheet.height + MARK + GAP) + MARK);
            width = width.max(at.0 + plot.sheet.width);
            height = height.max(at.1 + plot.sheet.height);
            let panel = Panel { mark: Some(mark(place)), plot, at };
            let ((x, y), mark) = (panel.mark_at(), mark(place));
            let (text, face) = (theme.text, theme.typeface.family());
            let _ = writeln!(
                body,
                "<text x=\"{x}\" y=\"{y}\" font-family=\"{face}\" font-size=\"{TITLE_TEXT}\" fill=\"{text}\">{mark}</text>"
            );
            // a document within a document only needs its place
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

    /// What it shows, for the file's title.
    pub fn title(&self) -> String {
        self.panels.iter().map(|panel| panel.plot.figure.title.as_str()).collect::<Vec<_>>().join("; ")
    }
}

/// The mark of a panel, by its place from 0.
fn mark(place: usize) -> String {
    // 26 letters are more panels than a page holds
    let letter = char::from(b'a' + (place % 26) as u8);
    format!("({letter})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{FigureView, Printing, draw};
    use std::sync::Arc;

    #[test]
    fn panels_stand_in_rows_and_are_marked_unless_alone() {
        let printing = Printing::default();
        let theme = printing.theme();
        let figure = Arc::new(crate::chart::kinds::wait_map("EASY", &[], 0.0));
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
