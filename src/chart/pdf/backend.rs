//! A plotters back end that writes the content of a PDF page.

use super::letters::{RAISED_SIZE, pieces, width};
use crate::chart::Typeface;
use pdf_writer::{Content, Name, Str};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};
use std::convert::Infallible;

/// Plotters' font sizes are larger by this factor than those that its SVG back end sets.
const FONT_SCALE: f64 = 1.24;

/// How much higher raised letters stand, as a fraction of the font size.
const RISE: f64 = 0.33;

/// The length of the control lines with which a cubic curve approximates a quarter of a circle of radius 1.
const ARC: f32 = 0.552_284_8;

/// The content of a page, `height` units high. PDF coordinates increase upwards.
pub struct PageContent<'a> {
    pub content: &'a mut Content,
    /// The opacities used, in thousandths. Each has the name `O` followed by its number.
    pub opacities: &'a mut Vec<u16>,
    /// Width and height, in units.
    pub size: (u32, u32),
    /// The font of texts.
    pub typeface: Typeface,
}

impl PageContent<'_> {
    fn up(&self, y: i32) -> f32 {
        (self.size.1 as i32 - y) as f32
    }

    fn set_opacity(&mut self, colour: BackendColor) {
        let opacity = (colour.alpha.clamp(0.0, 1.0) * 1000.0).round() as u16;
        if !self.opacities.contains(&opacity) {
            self.opacities.push(opacity);
        }
        self.content.set_parameters(Name(format!("O{opacity}").as_bytes()));
    }

    fn begin_stroke(&mut self, style: &impl BackendStyle) {
        let colour = style.color();
        let [r, g, b] = channels(colour);
        self.set_opacity(colour);
        self.content.set_stroke_rgb(r, g, b).set_line_width(style.stroke_width() as f32);
    }

    fn begin_fill(&mut self, colour: BackendColor) {
        let [r, g, b] = channels(colour);
        self.set_opacity(colour);
        self.content.set_fill_rgb(r, g, b);
    }

    fn lay_path(&mut self, path: impl IntoIterator<Item = BackendCoord>) -> bool {
        let mut path = path.into_iter();
        let Some((x, y)) = path.next() else { return false };
        self.content.move_to(x as f32, self.up(y));
        for (x, y) in path {
            let up = self.up(y);
            self.content.line_to(x as f32, up);
        }
        true
    }
}

fn channels(colour: BackendColor) -> [f32; 3] {
    let (r, g, b) = colour.rgb;
    [r, g, b].map(|channel| f32::from(channel) / 255.0)
}

type PdfResult = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for PageContent<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> PdfResult {
        Ok(())
    }

    fn present(&mut self) -> PdfResult {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> PdfResult {
        self.begin_fill(colour);
        let up = self.up(y + 1);
        self.content.rect(x as f32, up, 1.0, 1.0).fill_nonzero();
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> PdfResult {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> PdfResult {
        let (left, low) = (a.0.min(b.0) as f32, self.up(a.1.max(b.1)));
        let (width, height) = ((a.0 - b.0).unsigned_abs() as f32, (a.1 - b.1).unsigned_abs() as f32);
        if fill {
            self.begin_fill(style.color());
            self.content.rect(left, low, width, height).fill_nonzero();
        } else {
            self.begin_stroke(style);
            self.content.rect(left, low, width, height).stroke();
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> PdfResult {
        self.begin_stroke(style);
        if self.lay_path(path) {
            self.content.stroke();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): BackendCoord, radius: u32, style: &S, fill: bool) -> PdfResult {
        let (x, y, r) = (x as f32, self.up(y), radius as f32);
        let c = r * ARC;
        if fill {
            self.begin_fill(style.color());
        } else {
            self.begin_stroke(style);
        }
        self.content
            .move_to(x + r, y)
            .cubic_to(x + r, y + c, x + c, y + r, x, y + r)
            .cubic_to(x - c, y + r, x - r, y + c, x - r, y)
            .cubic_to(x - r, y - c, x - c, y - r, x, y - r)
            .cubic_to(x + c, y - r, x + r, y - c, x + r, y)
            .close_path();
        if fill {
            self.content.fill_nonzero();
        } else {
            self.content.stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> PdfResult {
        self.begin_fill(style.color());
        if self.lay_path(corners) {
            self.content.close_path().fill_nonzero();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> PdfResult {
        let size = style.size() / FONT_SCALE;
        let pieces = pieces(text);
        let anchor = style.anchor();
        let left = f64::from(x)
            - match anchor.h_pos {
                HPos::Left => 0.0,
                HPos::Center => width(&pieces, self.typeface) * size / 2.0,
                HPos::Right => width(&pieces, self.typeface) * size,
            };
        // at the same position as in the SVG back end
        let down = match anchor.v_pos {
            VPos::Top => 0.76 * size,
            VPos::Center => 0.26 * size,
            VPos::Bottom => -0.26 * size,
        };
        self.begin_fill(style.color());
        let base = self.up(y) - down as f32;
        self.content.begin_text().set_text_matrix([1.0, 0.0, 0.0, 1.0, left as f32, base]);
        for piece in &pieces {
            let (share, rise) = if piece.is_raised { (RAISED_SIZE, RISE) } else { (1.0, 0.0) };
            self.content
                .set_font(Name(b"F"), (size * share) as f32)
                .set_rise((size * rise) as f32)
                .show(Str(&piece.letters));
        }
        self.content.end_text();
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size() / FONT_SCALE;
        Ok(((width(&pieces(text), self.typeface) * size) as u32, size as u32))
    }
}
