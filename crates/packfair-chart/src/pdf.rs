//! Plots as PDF files: lines and letters, not pixels, in fonts that every reader has.

mod backend;
mod letters;

use self::backend::PageContent;
use super::draw::draw_on;
use super::text::TITLE_TEXT;
use super::{Panels, Theme, Typeface};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use plotters::drawing::IntoDrawingArea;

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
