//! Plots as PDF files: lines and letters, not pixels, in fonts that every reader has.

use super::layout::TITLE_TEXT;
use super::paint::draw_on;
use super::{Panels, Theme, Typeface};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};
use std::convert::Infallible;

/// The number of units of the page's content for each pixel of the sheet: plotters uses whole numbers.
const DENSITY: f64 = 20.0;

/// The number of points for each pixel of the sheet; a pixel is that of CSS, 1/96 inch.
const POINTS: f64 = 0.75;

/// The panels as a PDF document of one page, which is as large as their sheet. `about` states their origin.
pub fn pdf(panels: &Panels, theme: &Theme, about: &str) -> Vec<u8> {
    let (mut content, mut opacities) = (Content::new(), Vec::new());
    let scale = (POINTS / DENSITY) as f32;
    for panel in &panels.panels {
        let sheet = panel.plot.sheet;
        let size = ((sheet.width * DENSITY).round() as u32, (sheet.height * DENSITY).round() as u32);
        // the coordinates of a page increase upwards from its lower left corner
        let (left, low) = (panel.at.0 * POINTS, (panels.height - panel.at.1 - sheet.height) * POINTS);
        content.save_state();
        content.transform([scale, 0.0, 0.0, scale, left as f32, low as f32]);
        let page = PageContent { content: &mut content, opacities: &mut opacities, size, typeface: theme.typeface };
        // drawing into memory cannot fail
        let drawn = draw_on(&page.into_drawing_area(), &panel.plot, theme);
        debug_assert!(drawn.is_ok());
        content.restore_state();
        if let Some(mark) = &panel.mark {
            let (x, y) = panel.mark_at();
            let [r, g, b] = [theme.text.0, theme.text.1, theme.text.2].map(|channel| f32::from(channel) / 255.0);
            content.set_fill_rgb(r, g, b);
            content.begin_text().set_font(Name(b"F"), (TITLE_TEXT * POINTS) as f32);
            content.next_line((x * POINTS) as f32, ((panels.height - y) * POINTS) as f32);
            content.show(Str(mark.as_bytes())).end_text();
        }
    }

    let [catalog, pages, page_ref, font, contents, info] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page_ref]).count(1);
    let mut page = pdf.page(page_ref);
    let (width, height) = (panels.width * POINTS, panels.height * POINTS);
    page.media_box(Rect::new(0.0, 0.0, width as f32, height as f32)).parent(pages).contents(contents);
    let mut resources = page.resources();
    resources.fonts().pair(Name(b"F"), font);
    let mut states = resources.ext_g_states();
    for &opacity in &opacities {
        let share = f32::from(opacity) / 1000.0;
        let mut state =
            states.insert(Name(format!("O{opacity}").as_bytes())).start::<pdf_writer::writers::ExtGraphicsState<'_>>();
        state.stroking_alpha(share).non_stroking_alpha(share);
    }
    states.finish();
    resources.finish();
    page.finish();
    let name: &[u8] = match theme.typeface {
        Typeface::Sans => b"Helvetica",
        Typeface::Serif => b"Times-Roman",
    };
    pdf.type1_font(font).base_font(Name(name)).encoding_predefined(Name(b"WinAnsiEncoding"));
    pdf.stream(contents, &content.finish());
    pdf.document_info(info)
        .title(TextStr(&panels.title()))
        .subject(TextStr(about))
        .producer(TextStr(concat!("Packfair ", env!("CARGO_PKG_VERSION"))));
    pdf.finish()
}

// A plotters back end that writes the content of a PDF page.

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

// Text in the fonts that every PDF reader has: which letters they contain, and how wide these are.

/// A piece of text: letters of one size at one height.
#[derive(Debug, PartialEq)]
pub struct Piece {
    /// The letters in the Windows encoding of the Latin alphabet (WinAnsi), which the fonts use.
    pub letters: Vec<u8>,
    /// Whether the letters are small and raised, like exponents.
    pub is_raised: bool,
}

/// The size of raised letters, as a fraction of the normal size.
pub const RAISED_SIZE: f64 = 0.7;

/// Splits `text` into pieces. Arrows, which the fonts lack, are left out; any other letter that they lack becomes a
/// question mark.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let text = text.trim_start_matches("↑ ").trim_end_matches(" →");
    for c in text.chars() {
        let (letter, is_raised) = encoded(c);
        match pieces.last_mut() {
            Some(piece) if piece.is_raised == is_raised => piece.letters.push(letter),
            _ => pieces.push(Piece { letters: vec![letter], is_raised }),
        }
    }
    pieces
}

/// The width of pieces, as a multiple of the font size.
pub fn width(pieces: &[Piece], typeface: Typeface) -> f64 {
    let of = |piece: &Piece| {
        let letters: f64 = piece.letters.iter().map(|&letter| f64::from(width_of(letter, typeface)) / 1000.0).sum();
        letters * if piece.is_raised { RAISED_SIZE } else { 1.0 }
    };
    pieces.iter().map(of).sum()
}

fn encoded(c: char) -> (u8, bool) {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if let Some(digit) = SUPERSCRIPTS.iter().position(|&raised| raised == c) {
        return (b'0' + digit as u8, true);
    }
    match c {
        '⁻' => (b'-', true),
        'ᵃ' => (b'a', true),
        ' '..='~' => (c as u8, false),
        '\u{a0}' => (b' ', false),
        // the en dash is as wide as a minus sign should be
        '−' | '–' => (0x96, false),
        '—' => (0x97, false),
        '…' => (0x85, false),
        '†' => (0x86, false),
        '’' => (0x92, false),
        '\u{a1}'..='\u{ff}' => (c as u8, false),
        _ => (b'?', false),
    }
}

fn width_of(letter: u8, typeface: Typeface) -> u16 {
    let widths = match typeface {
        Typeface::Sans => &SANS,
        Typeface::Serif => &SERIF,
    };
    match letter {
        b' '..=b'~' => widths[usize::from(letter - b' ')],
        // dashes and dots; other letters outside ASCII are about as wide as a digit
        0x85 | 0x97 => 1000,
        _ => widths[usize::from(b'0' - b' ')],
    }
}

/// The widths of Helvetica from the space on, thousandths of its size, from Adobe's metrics of the standard fonts.
#[rustfmt::skip]
const SANS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The widths of Times Roman, in the same form.
#[rustfmt::skip]
const SERIF: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
    500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
    921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
    556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
    333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
    500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised_and_arrows_left_out() {
        let said = |text: &str| {
            let piece = |piece: Piece| (String::from_utf8_lossy(&piece.letters).into_owned(), piece.is_raised);
            pieces(text).into_iter().map(piece).collect::<Vec<_>>()
        };
        let (low, high) = (false, true);
        assert_eq!(said("10⁻⁴"), [("10".to_owned(), low), ("-4".to_owned(), high)]);
        assert_eq!(
            said("↑ P²SF (fairness)"),
            [("P".to_owned(), low), ("2".to_owned(), high), ("SF (fairness)".to_owned(), low)]
        );
        assert_eq!(said("AWF (s) →"), [("AWF (s)".to_owned(), low)]);
        assert_eq!(pieces("−1")[0].letters, [0x96, b'1']);
    }

    #[test]
    fn widths_are_those_of_the_fonts() {
        assert!((width(&pieces("AB1"), Typeface::Sans) - 1.890).abs() < 1e-9);
        assert!((width(&pieces("AB1"), Typeface::Serif) - 1.889).abs() < 1e-9);
        assert!((width(&pieces("10²"), Typeface::Sans) - (1.112 + 0.7 * 0.556)).abs() < 1e-9);
    }
}
