//! Plots as PDF files: lines and letters, not pixels, in fonts that every reader has.

mod backend;
mod letters;

use self::backend::PageContent;
use super::draw::draw_on;
use super::{Plot, Theme, Typeface};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, TextStr};
use plotters::drawing::IntoDrawingArea;

/// Units of the page's content for a pixel of the sheet: plotters counts in whole numbers.
const DENSITY: f64 = 20.0;

/// Points for a pixel of the sheet, which is one of CSS: 1/96 of an inch.
const POINTS: f64 = 0.75;

/// A plot as a PDF document of one page, which is as large as its sheet. `about` says where it comes from.
pub fn pdf(plot: &Plot, theme: &Theme, about: &str) -> Vec<u8> {
    let size = ((plot.sheet.width * DENSITY).round() as u32, (plot.sheet.height * DENSITY).round() as u32);
    let (mut content, mut opacities) = (Content::new(), Vec::new());
    let scale = (POINTS / DENSITY) as f32;
    content.transform([scale, 0.0, 0.0, scale, 0.0, 0.0]);
    let page = PageContent { content: &mut content, opacities: &mut opacities, size, typeface: theme.typeface };
    // nothing that is drawn into memory fails
    let drawn = draw_on(&page.into_drawing_area(), plot, theme);
    debug_assert!(drawn.is_ok());

    let [catalog, pages, page_ref, font, contents, info] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page_ref]).count(1);
    let mut page = pdf.page(page_ref);
    let (width, height) = (plot.sheet.width * POINTS, plot.sheet.height * POINTS);
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
        .title(TextStr(&plot.figure.title))
        .subject(TextStr(about))
        .producer(TextStr(concat!("Packfair ", env!("CARGO_PKG_VERSION"))));
    pdf.finish()
}
