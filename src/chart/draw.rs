//! Draws a plot on a plotters back end, layer by layer.

use super::paint::{self, Board};
use super::{Plot, Theme};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::DrawingBackend;

/// The error of a back end that could not draw.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// Draws `plot` on a back end. The area may have any size: the ratio of its width to the sheet's gives the number of
/// its pixels for each pixel of the sheet.
///
/// # Errors
/// The errors of the back end.
pub fn draw_on<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    plot: &Plot,
    theme: &Theme,
) -> Result<(), DrawError<DB>> {
    let board = board(area, plot, theme);
    paint::frame(&board)?;
    for &i in &plot.visible {
        paint::series(&board, i, theme.pattern(plot.figure.series[i].ink))?;
    }
    paint::front(&board)?;
    area.present()
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
